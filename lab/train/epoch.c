#include "lab/train/epoch.h"

#include "base/rng.h"

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Each epoch takes the shuffled positions in steps of another size, modulo their number: every position once,
 * in other batches than before. */
typedef struct Pass {
    uint64_t number, step, offset;
} Pass;

static Pass pass_begin(uint64_t number, uint64_t seed, uint64_t count) {
    Rng rng = rng_stream(seed + 77, number);
    Pass pass = {.number = number, .step = 1, .offset = rng_below(&rng, count)};
    if (number == 0 || count < 3) return pass;
    do pass.step = 1 + rng_below(&rng, count - 1);
    while (greatest_common_divisor(pass.step, count) != 1);
    return pass;
}

void epoch_choose(const TrainingSet *set, uint64_t seed, uint64_t place, size_t size,
                  const TrainingPosition **out) {
    const uint64_t count = set->training;
    Pass pass = {.number = UINT64_MAX};
    for (size_t i = 0; i < size; i++, place++) {
        const uint64_t number = place / count;
        if (number != pass.number) pass = pass_begin(number, seed, count);
        const uint64_t index = (place % count * pass.step + pass.offset) % count;
        out[i] = &set->positions[index];
    }
}
