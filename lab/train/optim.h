/* AdamW (Kingma and Ba 2014; weight decay kept apart from the gradient: Loshchilov and Hutter 2017), and the
 * learning rate over time. Called from one thread; it uses all cores itself. */
#ifndef LUFT_TRAIN_OPTIM_H
#define LUFT_TRAIN_OPTIM_H

#include "lab/kit/crew.h"

#include <stddef.h>
#include <stdint.h>

typedef struct OptimPlan {
    float rate, decay; /* a parameter loses the part rate * decay in a step */
    float epsilon;     /* gradients much smaller than it move parameters less than others do */
} OptimPlan;

/* One step on `count` parameters, which stay within +-WEIGHT_CLIP. The gradient is used and set to zero.
 * `mean` and `square` are the running averages, zero at first; `step` counts from 1. */
void optim_step(Crew *crew, OptimPlan plan, uint64_t step, size_t count, float *parameters, float *gradient,
                float *mean, float *square);

/* The learning rate over time: a linear rise to `high` over the first `warm_up` steps, while the running
 * averages know little, then half a cosine down to `low`, which it reaches after `total` steps and keeps. */
typedef struct OptimRate {
    float high, low;
    uint64_t warm_up, total;
} OptimRate;

float optim_rate(const OptimRate *rate, uint64_t step);

#endif
