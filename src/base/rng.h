/* Random numbers for tests, openings and training data: a seed gives the same numbers on every machine.
 * The generator is SplitMix64 (Steele, Lea, Flood 2014): one word of state, and every seed is good. */
#ifndef LUFT_BASE_RNG_H
#define LUFT_BASE_RNG_H

#include "base/bits.h"

#include <stdint.h>

typedef struct Rng {
    uint64_t state;
} Rng;

static inline Rng rng_seed(uint64_t seed) { return (Rng){seed}; }

static inline uint64_t rng_next(Rng *rng) {
    uint64_t z = rng->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Uniform in [0, range); `range` above 0. */
static inline uint64_t rng_below(Rng *rng, uint64_t range) {
    return bits_multiply_high(rng_next(rng), range);
}

/* Uniform in [0, 1), 53 bits. */
static inline double rng_unit(Rng *rng) { return (double)(rng_next(rng) >> 11) * 0x1p-53; }

/* An independent stream for part `index` of the work that `seed` seeds. */
static inline Rng rng_stream(uint64_t seed, uint64_t index) {
    Rng rng = rng_seed(seed ^ (index * 0xD1342543DE82EF95u + 0x632BE59BD9B4E019u));
    rng_next(&rng);
    return rng;
}

#endif
