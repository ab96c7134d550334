#include "nnue/kernels.h"

#include "nnue/simd.h"

#include <assert.h>
#include <stdalign.h>

/* Each body is inlined into one function per width, so that the compiler knows every trip count. A page loads
 * all of a WebAssembly module: there the larger widths, which its own network has not got, share their
 * functions. */
#ifdef __wasm__
#define SHARED static __attribute__((noinline))
#else
#define SHARED ALWAYS_INLINE
#endif

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
    /* 768 units are not a multiple of the largest blocks of AVX-512. */
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

/* --- the layers --- */

ALWAYS_INLINE void multiply_pairs(int width, const int16_t *half, uint8_t *products) {
    const int pairs = width / 2;
    for (int i = 0; i < pairs; i += PRODUCT_LANES) products_store(products + i, half + i, half + pairs + i);
}

enum {
    CHAINS = SUMS_LANES / 4 > 0 ? SUMS_LANES / 4 : 1, /* of sums hide the latency and fit the registers */
    LAYER1_VECTORS = LAYER1_UNITS / SUMS_LANES,
    LAYER2_VECTORS = LAYER2_UNITS / SUMS_LANES
};

ALWAYS_INLINE void add_group(Sums sums[LAYER1_VECTORS], const uint8_t *products, const LayerWeights *weights,
                             int group) {
    const int input = group * LAYER1_GROUP;
    for (int v = 0; v < LAYER1_VECTORS; v++)
        sums[v] =
            sums_add_group(sums[v], products + input, weights->first + layer1_index(input, v * SUMS_LANES));
}

/* In a network whose pairs are sorted for it (lab/train/pairs.h), more than half of all groups of four
 * products are zero, and are skipped (Stockfish, 2023). Some instruction sets list the others at once, else
 * they are found bit by bit. */
#ifdef SIMD_LISTS
ALWAYS_INLINE void add_groups(int width, const uint8_t *products, const LayerWeights *weights,
                              Sums sums[CHAINS][LAYER1_VECTORS]) {
    int32_t groups[WIDTH_MAX / LAYER1_GROUP + SUMS_LANES]; /* whole vectors are written */
    int count = 0;
    for (int i = 0; i < width; i += PRODUCT_LANES)
        count += products_list(products + i, i / LAYER1_GROUP, groups + count);
    for (int i = 0; i < count; i += CHAINS)
        for (int chain = 0; chain < CHAINS && i + chain < count; chain++)
            add_group(sums[chain], products, weights, groups[i + chain]);
}
#else
ALWAYS_INLINE void add_groups(int width, const uint8_t *products, const LayerWeights *weights,
                              Sums sums[CHAINS][LAYER1_VECTORS]) {
    enum { BLOCK = 64 * LAYER1_GROUP }; /* a word has a bit for each group */
    for (int block = 0; block < width; block += BLOCK) {
        uint64_t present = 0;
        for (int i = 0; i < int_min(width - block, BLOCK); i += PRODUCT_LANES)
            present |= (uint64_t)products_present(products + block + i) << i / LAYER1_GROUP;
        while (present != 0)
            for (int chain = 0; chain < CHAINS && present != 0; chain++)
                add_group(sums[chain], products, weights, block / LAYER1_GROUP + bits_pop(&present));
    }
}
#endif

ALWAYS_INLINE void add_first_layer(int width, const uint8_t *products, const LayerWeights *weights,
                                   int32_t *out) {
    Sums sums[CHAINS][LAYER1_VECTORS];
    for (int v = 0; v < LAYER1_VECTORS; v++) {
        sums[0][v] = sums_load(weights->first_bias + v * SUMS_LANES);
        for (int chain = 1; chain < CHAINS; chain++) sums[chain][v] = sums_zero();
    }
    add_groups(width, products, weights, sums);
    for (int v = 0; v < LAYER1_VECTORS; v++) {
        for (int chain = 1; chain < CHAINS; chain++) sums[0][v] = sums_add(sums[0][v], sums[chain][v]);
        sums_store(out + v * SUMS_LANES, sums[0][v]);
    }
}

ALWAYS_INLINE void add_second_layer(const int16_t *inputs, const LayerWeights *weights, int32_t *out) {
    Sums sums[CHAINS][LAYER2_VECTORS];
    for (int v = 0; v < LAYER2_VECTORS; v++) {
        sums[0][v] = sums_load(weights->second_bias + v * SUMS_LANES);
        for (int chain = 1; chain < CHAINS; chain++) sums[chain][v] = sums_zero();
    }
    for (int first = 0; first < LAYER2_INPUTS / 2; first += CHAINS)
        for (int chain = 0; chain < CHAINS; chain++)
            for (int v = 0; v < LAYER2_VECTORS; v++) {
                const int pair = first + chain;
                const int16_t *row = weights->second + 2 * (pair * LAYER2_UNITS + v * SUMS_LANES);
                sums[chain][v] = sums_add_pair(sums[chain][v], inputs + 2 * pair, row);
            }
    for (int v = 0; v < LAYER2_VECTORS; v++) {
        for (int chain = 1; chain < CHAINS; chain++) sums[0][v] = sums_add(sums[0][v], sums[chain][v]);
        sums_store(out + v * SUMS_LANES, sums[0][v]);
    }
}

SHARED int32_t layers_body(int width, const int16_t *own, const int16_t *other, const LayerWeights *weights) {
    alignas(KERNEL_ALIGNMENT) uint8_t products[WIDTH_MAX];
    alignas(KERNEL_ALIGNMENT) int32_t first[LAYER1_UNITS], second[LAYER2_UNITS];
    alignas(KERNEL_ALIGNMENT) int16_t active[LAYER2_INPUTS];
    multiply_pairs(width, own, products);
    multiply_pairs(width, other, products + width / 2);
    add_first_layer(width, products, weights, first);
    for (int unit = 0; unit < LAYER1_UNITS; unit++) {
        const int32_t sum = int_clamp(first[unit], -LAYER1_ONE, LAYER1_ONE);
        active[unit] = (int16_t)(int_max(sum, 0) >> CLIP1_SHIFT);
        active[LAYER1_UNITS + unit] = (int16_t)(sum * sum >> SQUARE1_SHIFT);
    }
    add_second_layer(active, weights, second);
    int32_t output = weights->third_bias;
    for (int unit = 0; unit < LAYER2_UNITS; unit++) {
        const int32_t sum = int_clamp(second[unit], 0, LAYER2_ONE) >> CLIP2_SHIFT;
        output += (sum * sum >> SQUARE2_SHIFT) * weights->third[unit];
    }
    return output;
}

#define DEFINE_KERNELS(WIDTH, LAYERS)                                                                    \
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
    static const Kernels kernels_##WIDTH = {SIMD_NAME, update_##WIDTH, refresh_##WIDTH, output_##WIDTH,  \
                                            LAYERS};

#define DEFINE_KERNELS_WITH_LAYERS(WIDTH)                                                                  \
    static int32_t layers_##WIDTH(const int16_t *own, const int16_t *other, const LayerWeights *weights) { \
        return layers_body(WIDTH, own, other, weights);                                                    \
    }                                                                                                      \
    DEFINE_KERNELS(WIDTH, layers_##WIDTH)

DEFINE_KERNELS(32, NULL)
DEFINE_KERNELS(64, NULL)
DEFINE_KERNELS_WITH_LAYERS(128)
DEFINE_KERNELS_WITH_LAYERS(256)
DEFINE_KERNELS_WITH_LAYERS(512)
DEFINE_KERNELS_WITH_LAYERS(768)
DEFINE_KERNELS_WITH_LAYERS(1024)

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
