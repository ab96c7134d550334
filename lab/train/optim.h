/* AdamW (Kingma and Ba 2014; weight decay kept apart from the gradient: Loshchilov and Hutter 2017), and the
 * learning rate over time. Called from one thread; it uses all cores itself. */
#ifndef LUFT_TRAIN_OPTIM_H
#define LUFT_TRAIN_OPTIM_H

#include <stddef.h>
#include <stdint.h>

typedef struct OptimSettings {
    float beta1, beta2, epsilon;
    float decay; /* of the weights, a step: rate * decay */
    float clip;  /* weights stay within +-clip */
} OptimSettings;

OptimSettings optim_settings_default(void);

/* One step on `count` parameters: the gradient is used and set to zero. `mean` and `square` are the running
 * averages, zero at first; `step` counts from 1. */
void optim_step(const OptimSettings *settings, float rate, uint64_t step, size_t count, float *parameters,
                float *gradient, float *mean, float *square);

/* From `high` to `low` along half a cosine; `step` from 0 to total. */
float optim_cosine_rate(float high, float low, uint64_t step, uint64_t total);

#endif
