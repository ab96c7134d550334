#include "nnue/kernels.h"

#include "nnue/simd.h"

#include <assert.h>

/* Each body is inlined into one function per width, so that the compiler knows every trip count. */

ALWAYS_INLINE void update_body(int width, const int16_t *feature, const InputChanges *changes,
                               const int16_t *from, int16_t *to) {
    const int16_t *plus = feature + changes->added[0] * width;
    const int16_t *minus = feature + changes->removed[0] * width;
    if (changes->removed_count == 1) {
        assert(changes->added_count == 1);
        for (int i = 0; i < width; i += VECTOR_LANES) {
            Vector sum = vector_add(vector_load(from + i), vector_load(plus + i));
            vector_store(to + i, vector_subtract(sum, vector_load(minus + i)));
        }
        return;
    }
    assert(changes->removed_count == 2);
    const int16_t *minus2 = feature + changes->removed[1] * width;
    if (changes->added_count == 1) {
        for (int i = 0; i < width; i += VECTOR_LANES) {
            Vector sum = vector_add(vector_load(from + i), vector_load(plus + i));
            sum = vector_subtract(sum, vector_load(minus + i));
            vector_store(to + i, vector_subtract(sum, vector_load(minus2 + i)));
        }
        return;
    }
    assert(changes->added_count == 2);
    const int16_t *plus2 = feature + changes->added[1] * width;
    for (int i = 0; i < width; i += VECTOR_LANES) {
        Vector sum = vector_add(vector_load(from + i), vector_load(plus + i));
        sum = vector_add(sum, vector_load(plus2 + i));
        sum = vector_subtract(sum, vector_load(minus + i));
        vector_store(to + i, vector_subtract(sum, vector_load(minus2 + i)));
    }
}

/* A block of columns stays in registers while all rows pass. */
ALWAYS_INLINE void refresh_body(int width, const int16_t *feature, const InputChanges *changes,
                                int16_t *cache, int16_t *to) {
    /* 768 units are no whole number of the largest blocks of AVX-512. */
    const int all = width / VECTOR_LANES;
    const int vectors = all <= VECTOR_BLOCK       ? all
                        : all % VECTOR_BLOCK == 0 ? VECTOR_BLOCK
                                                  : VECTOR_BLOCK * 3 / 4;
    for (int column = 0; column < width; column += vectors * VECTOR_LANES) {
        Vector block[VECTOR_BLOCK];
        for (int i = 0; i < vectors; i++) block[i] = vector_load(cache + column + i * VECTOR_LANES);
        for (int n = 0; n < changes->added_count; n++) {
            const int16_t *row = feature + changes->added[n] * width + column;
            for (int i = 0; i < vectors; i++)
                block[i] = vector_add(block[i], vector_load(row + i * VECTOR_LANES));
        }
        for (int n = 0; n < changes->removed_count; n++) {
            const int16_t *row = feature + changes->removed[n] * width + column;
            for (int i = 0; i < vectors; i++)
                block[i] = vector_subtract(block[i], vector_load(row + i * VECTOR_LANES));
        }
        for (int i = 0; i < vectors; i++) {
            vector_store(cache + column + i * VECTOR_LANES, block[i]);
            vector_store(to + column + i * VECTOR_LANES, block[i]);
        }
    }
}

/* unit^2 * weight as (unit * weight) * unit: the first product fits 16 bits because |weight| <=
 * OUTPUT_WEIGHT_MAX, and the pairwise multiply-add does the rest (a trick of Liam McGuire's, in his engine
 * Lizard). Two chains of sums hide the latency. */
ALWAYS_INLINE int32_t output_body(int width, const int16_t *own, const int16_t *other,
                                  const int16_t *weights) {
    Sums own_sums = sums_zero(), other_sums = sums_zero();
    for (int i = 0; i < width; i += VECTOR_LANES) {
        Vector unit = vector_clamp(vector_load(own + i));
        own_sums = sums_add_products(own_sums, vector_multiply(unit, vector_load(weights + i)), unit);
        unit = vector_clamp(vector_load(other + i));
        other_sums =
            sums_add_products(other_sums, vector_multiply(unit, vector_load(weights + width + i)), unit);
    }
    return sums_total(sums_add(own_sums, other_sums));
}

#define DEFINE_KERNELS(WIDTH)                                                                            \
    static void update_##WIDTH(const int16_t *feature, const InputChanges *changes, const int16_t *from, \
                               int16_t *to) {                                                            \
        update_body(WIDTH, feature, changes, from, to);                                                  \
    }                                                                                                    \
    static void refresh_##WIDTH(const int16_t *feature, const InputChanges *changes, int16_t *cache,     \
                                int16_t *to) {                                                           \
        refresh_body(WIDTH, feature, changes, cache, to);                                                \
    }                                                                                                    \
    static int32_t output_##WIDTH(const int16_t *own, const int16_t *other, const int16_t *weights) {    \
        return output_body(WIDTH, own, other, weights);                                                  \
    }                                                                                                    \
    static const Kernels kernels_##WIDTH = {SIMD_NAME, update_##WIDTH, refresh_##WIDTH, output_##WIDTH};

DEFINE_KERNELS(32)
DEFINE_KERNELS(64)
DEFINE_KERNELS(128)
DEFINE_KERNELS(256)
DEFINE_KERNELS(512)
DEFINE_KERNELS(768)
DEFINE_KERNELS(1024)

const Kernels *KERNELS_FOR_WIDTH(int width) {
    switch (width) {
    case 32: return &kernels_32;
    case 64: return &kernels_64;
    case 128: return &kernels_128;
    case 256: return &kernels_256;
    case 512: return &kernels_512;
    case 768: return &kernels_768;
    default: assert(width == 1024); return &kernels_1024;
    }
}
