#include "lab/train/optim.h"

#include "lab/train/openmp.h"
#include "nnue/arch.h"

#include <math.h>

OptimSettings optim_settings_default(void) {
    return (OptimSettings){
        .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f, .decay = 0.1f, .clip = WEIGHT_CLIP};
}

enum { SLICE = 4096 };

typedef struct StepFactors {
    float beta1, beta2, rate, keep, epsilon, clip;
} StepFactors;

/* A plain loop without calls, for the compiler's vectors. */
static void step_slice(const StepFactors *factors, size_t count, float *restrict parameters,
                       float *restrict gradient, float *restrict mean, float *restrict square) {
    const StepFactors f = *factors;
    for (size_t i = 0; i < count; i++) {
        const float g = gradient[i];
        const float m = mean[i] = f.beta1 * mean[i] + (1.0f - f.beta1) * g;
        const float v = square[i] = f.beta2 * square[i] + (1.0f - f.beta2) * g * g;
        float value = parameters[i] * f.keep - f.rate * m / (sqrtf(v) + f.epsilon);
        value = value > f.clip ? f.clip : value;
        parameters[i] = value < -f.clip ? -f.clip : value;
        gradient[i] = 0.0f;
    }
}

void optim_step(const OptimSettings *settings, float rate, uint64_t step, size_t count, float *parameters,
                float *gradient, float *mean, float *square) {
    /* Both averages start at zero; dividing by how much of them is real undoes that. */
    const double real_mean = 1.0 - pow(settings->beta1, (double)step);
    const double real_square = sqrt(1.0 - pow(settings->beta2, (double)step));
    StepFactors factors = {.beta1 = settings->beta1,
                           .beta2 = settings->beta2,
                           .rate = (float)(rate * real_square / real_mean),
                           .keep = 1.0f - rate * settings->decay,
                           .epsilon = (float)(settings->epsilon * real_square),
                           .clip = settings->clip};
    const long slices = (long)((count + SLICE - 1) / SLICE);
    OPENMP_FOR
    for (long s = 0; s < slices; s++) {
        const size_t begin = (size_t)s * SLICE, left = count - begin;
        step_slice(&factors, left < SLICE ? left : SLICE, parameters + begin, gradient + begin, mean + begin,
                   square + begin);
    }
}

float optim_rate(const OptimRate *rate, uint64_t step) {
    if (step < rate->warm_up) return rate->high * (float)(step + 1) / (float)(rate->warm_up + 1);
    const uint64_t falling = rate->total - rate->warm_up;
    const double way = falling > 0 ? (double)(step - rate->warm_up) / (double)falling : 1.0;
    return (float)(rate->low + 0.5 * (rate->high - rate->low) * (1.0 + cos(3.14159265358979323846 * way)));
}
