#include "lab/train/optim.h"

#include "nnue/arch.h"

#include <math.h>

static const float BETA1 = 0.9f, BETA2 = 0.999f, CLIP = WEIGHT_CLIP;

enum { SLICE = 4096 };

typedef struct Step {
    float rate, keep, epsilon;
    size_t count;
    float *parameters, *gradient, *mean, *square;
} Step;

/* A plain loop without calls, for the compiler's vectors. */
static void step_slice(void *context, int slice) {
    const Step s = *(const Step *)context;
    const size_t begin = (size_t)slice * SLICE, rest = s.count - begin, count = rest < SLICE ? rest : SLICE;
    float *restrict parameters = s.parameters + begin, *restrict gradient = s.gradient + begin;
    float *restrict mean = s.mean + begin, *restrict square = s.square + begin;
    for (size_t i = 0; i < count; i++) {
        const float g = gradient[i];
        const float m = mean[i] = BETA1 * mean[i] + (1.0f - BETA1) * g;
        const float v = square[i] = BETA2 * square[i] + (1.0f - BETA2) * g * g;
        float value = parameters[i] * s.keep - s.rate * m / (sqrtf(v) + s.epsilon);
        value = value > CLIP ? CLIP : value;
        parameters[i] = value < -CLIP ? -CLIP : value;
        gradient[i] = 0.0f;
    }
}

void optim_step(Crew *crew, OptimPlan plan, uint64_t step, size_t count, float *parameters, float *gradient,
                float *mean, float *square) {
    /* Both averages start at zero; dividing by how much of them is real undoes that. */
    const double real_mean = 1.0 - pow(BETA1, (double)step);
    const double real_square = sqrt(1.0 - pow(BETA2, (double)step));
    Step work = {.rate = (float)(plan.rate * real_square / real_mean),
                 .keep = 1.0f - plan.rate * plan.decay,
                 .epsilon = (float)(plan.epsilon * real_square),
                 .count = count,
                 .parameters = parameters,
                 .gradient = gradient,
                 .mean = mean,
                 .square = square};
    crew_for(crew, (int)((count + SLICE - 1) / SLICE), step_slice, &work);
}

float optim_rate(const OptimRate *rate, uint64_t step) {
    if (step < rate->warm_up) return rate->high * (float)(step + 1) / (float)(rate->warm_up + 1);
    const uint64_t falling = rate->total - rate->warm_up;
    const double way = step < rate->total ? (double)(step - rate->warm_up) / (double)falling : 1.0;
    return (float)(rate->low + 0.5 * (rate->high - rate->low) * (1.0 + cos(3.14159265358979323846 * way)));
}
