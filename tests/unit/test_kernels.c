/* Compares every kernel that this processor supports with the scalar one, bit for bit. */
#include "nnue/kernels.h"

#include "base/processor.h"
#include "base/rng.h"
#include "test_support.h"

#include <stdalign.h>
#include <stdio.h>

typedef const Kernels *KernelsForWidth(int width);

/* The build compiles src/nnue/kernels.c once for each of these names. */
KernelsForWidth kernels_for_width_scalar;
#if defined(__x86_64__)
KernelsForWidth kernels_for_width_sse2, kernels_for_width_avx2, kernels_for_width_avx512,
    kernels_for_width_avx512vnni;
#elif defined(__aarch64__)
KernelsForWidth kernels_for_width_neon;
#endif

enum { VARIANTS_MAX = 8, ROUNDS = 40 };
static const int WIDTHS[] = {32, 64, 128, 256, 512, 768, 1024};

/* The kernels to compare: the engine's own, and all others that the processor can run. */
static int list_variants(KernelsForWidth *variants[VARIANTS_MAX]) {
    int count = 0;
    variants[count++] = kernels_for_width;
#if defined(__x86_64__)
    variants[count++] = kernels_for_width_sse2;
    if (processor_has("avx2")) variants[count++] = kernels_for_width_avx2;
    if (processor_has("avx512f") && processor_has("avx512bw")) {
        variants[count++] = kernels_for_width_avx512;
        if (processor_has("avx512vnni")) variants[count++] = kernels_for_width_avx512vnni;
    }
#elif defined(__aarch64__)
    variants[count++] = kernels_for_width_neon;
#endif
    return count;
}

typedef struct Data {
    alignas(KERNEL_ALIGNMENT) int16_t feature[INPUT_COUNT * WIDTH_MAX];
    alignas(KERNEL_ALIGNMENT) int16_t units[2][WIDTH_MAX];
    alignas(KERNEL_ALIGNMENT) int16_t output[2 * WIDTH_MAX];
    LayerWeights layers;
} Data;

static int16_t random_16(Rng *rng) { return (int16_t)(uint16_t)rng_next(rng); }

static int within(Rng *rng, int limit) { return (int)rng_below(rng, 2 * (uint64_t)limit + 1) - limit; }

/* Any valid weights, often such that no unit is clamped. */
static void fill_layers(LayerWeights *layers, Rng *rng) {
    const int first = rng_below(rng, 2) ? LAYER1_WEIGHT_MAX : 8, scale = rng_below(rng, 2) ? 1 : 8;
    for (int i = 0; i < WIDTH_MAX * LAYER1_UNITS; i++) layers->first[i] = (int8_t)within(rng, first);
    for (int i = 0; i < LAYER1_UNITS; i++) layers->first_bias[i] = within(rng, 2 * LAYER1_ONE);
    for (int i = 0; i < LAYER2_INPUTS * LAYER2_UNITS; i++)
        layers->second[i] = (int16_t)within(rng, INT16_MAX / 16 / scale);
    for (int i = 0; i < LAYER2_UNITS; i++) {
        layers->second_bias[i] = within(rng, LAYER2_ONE);
        layers->third[i] = (int16_t)within(rng, INT16_MAX / 4 / scale);
    }
    layers->third_bias = within(rng, LAYER3_ONE);
}

static void fill(Data *data, Rng *rng) {
    fill_layers(&data->layers, rng);
    for (size_t i = 0; i < INPUT_COUNT * WIDTH_MAX; i++) data->feature[i] = random_16(rng);
    for (int i = 0; i < WIDTH_MAX; i++) {
        /* Most units near the clamping bounds, some anywhere. */
        for (int half = 0; half < 2; half++)
            data->units[half][i] =
                rng_below(rng, 8) == 0 ? random_16(rng) : (int16_t)((int)rng_below(rng, 400) - 70);
    }
    for (int i = 0; i < 2 * WIDTH_MAX; i++)
        data->output[i] = (int16_t)((int)rng_below(rng, 2 * OUTPUT_WEIGHT_MAX + 1) - OUTPUT_WEIGHT_MAX);
}

static InputChanges random_changes(Rng *rng, int added, int removed) {
    InputChanges changes = {.added_count = added, .removed_count = removed};
    for (int i = 0; i < added; i++) changes.added[i] = (uint16_t)rng_below(rng, INPUT_COUNT);
    for (int i = 0; i < removed; i++) changes.removed[i] = (uint16_t)rng_below(rng, INPUT_COUNT);
    return changes;
}

static void assert_same(const Kernels *kernels, int width, const char *what, const int16_t *a,
                        const int16_t *b) {
    if (memcmp(a, b, (size_t)width * sizeof *a) != 0)
        fail_msg("%s differs from scalar: %s, width %d", kernels->name, what, width);
}

static void compare_updates(const Kernels *scalar, const Kernels *other, int width, const Data *data,
                            Rng *rng) {
    static const int COUNTS[][2] = {{1, 1}, {1, 2}, {2, 2}};
    alignas(KERNEL_ALIGNMENT) int16_t expected[WIDTH_MAX], found[WIDTH_MAX];
    for (int i = 0; i < 3; i++) {
        InputChanges changes = random_changes(rng, COUNTS[i][0], COUNTS[i][1]);
        scalar->update(data->feature, &changes, data->units[0], expected);
        other->update(data->feature, &changes, data->units[0], found);
        assert_same(other, width, "update", expected, found);
    }
}

static void compare_refreshes(const Kernels *scalar, const Kernels *other, int width, const Data *data,
                              Rng *rng) {
    alignas(KERNEL_ALIGNMENT) int16_t cache[2][WIDTH_MAX], result[2][WIDTH_MAX];
    InputChanges changes =
        random_changes(rng, (int)rng_below(rng, PIECES_MAX + 1), (int)rng_below(rng, PIECES_MAX + 1));
    memcpy(cache[0], data->units[1], sizeof cache[0]);
    memcpy(cache[1], data->units[1], sizeof cache[1]);
    scalar->refresh(data->feature, &changes, cache[0], result[0]);
    other->refresh(data->feature, &changes, cache[1], result[1]);
    assert_same(other, width, "refreshed units", result[0], result[1]);
    assert_same(other, width, "refreshed cache", cache[0], cache[1]);
    assert_same(other, width, "cache and units", cache[1], result[1]);
}

static void test_all_equal_scalar(void **state) {
    (void)state;
    static Data data;
    KernelsForWidth *variants[VARIANTS_MAX];
    const int count = list_variants(variants);
    Rng rng = rng_seed(4);
    for (int round = 0; round < ROUNDS; round++) {
        fill(&data, &rng);
        for (size_t w = 0; w < sizeof WIDTHS / sizeof *WIDTHS; w++) {
            const int width = WIDTHS[w];
            const Kernels *scalar = kernels_for_width_scalar(width);
            for (int v = 0; v < count; v++) {
                const Kernels *other = variants[v](width);
                compare_updates(scalar, other, width, &data, &rng);
                compare_refreshes(scalar, other, width, &data, &rng);
                assert_int_equal(scalar->output(data.units[0], data.units[1], data.output),
                                 other->output(data.units[0], data.units[1], data.output));
                assert_true((other->layers != NULL) == (width >= LAYER_WIDTH_MIN));
                if (other->layers != NULL)
                    assert_int_equal(scalar->layers(data.units[0], data.units[1], &data.layers),
                                     other->layers(data.units[0], data.units[1], &data.layers));
            }
        }
    }
    for (int v = 0; v < count; v++) print_message("compared: %s\n", variants[v](32)->name);
}

/* Compares the scalar kernels with the definition, computed in 64 bits. */
static void test_scalar_is_right(void **state) {
    (void)state;
    static Data data;
    Rng rng = rng_seed(5);
    fill(&data, &rng);
    for (int i = 0; i < 2 * WIDTH_MAX; i++) data.output[i] /= 4;
    const int width = 64;
    int64_t sum = 0;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < width; i++) {
            const int64_t unit = int_clamp(data.units[half][i], 0, HIDDEN_ONE);
            sum += unit * unit * data.output[half * width + i];
        }
    const Kernels *scalar = kernels_for_width_scalar(width);
    assert_int_equal(sum, scalar->output(data.units[0], data.units[1], data.output));

    for (size_t i = 0; i < INPUT_COUNT * WIDTH_MAX; i++) data.feature[i] /= 64;
    for (int i = 0; i < width; i++) data.units[0][i] /= 2;
    InputChanges changes = random_changes(&rng, 2, 2);
    alignas(KERNEL_ALIGNMENT) int16_t found[WIDTH_MAX], cache[WIDTH_MAX], refreshed[WIDTH_MAX];
    memcpy(cache, data.units[0], sizeof cache);
    scalar->update(data.feature, &changes, data.units[0], found);
    scalar->refresh(data.feature, &changes, cache, refreshed);
    for (int i = 0; i < width; i++) {
        int expected = data.units[0][i];
        for (int n = 0; n < 2; n++)
            expected +=
                data.feature[changes.added[n] * width + i] - data.feature[changes.removed[n] * width + i];
        assert_int_equal(expected, found[i]);
        assert_int_equal(expected, refreshed[i]);
    }
}

/* The layers by the definition in arch.h, in 64 bits. */
static int64_t plain_layers(const int16_t *const half[2], int width, const LayerWeights *weights) {
    int64_t active[LAYER2_INPUTS], output = weights->third_bias;
    for (int unit = 0; unit < LAYER1_UNITS; unit++) {
        int64_t sum = weights->first_bias[unit];
        for (int input = 0; input < width; input++) {
            const int16_t *units = half[input >= width / 2] + input % (width / 2);
            const int64_t a = int_clamp(units[0], 0, HIDDEN_ONE),
                          b = int_clamp(units[width / 2], 0, HIDDEN_ONE);
            sum += (2 * a * b + 512) / 1024 * weights->first[layer1_index(input, unit)];
        }
        sum = sum > LAYER1_ONE ? LAYER1_ONE : sum < -LAYER1_ONE ? -LAYER1_ONE : sum;
        active[unit] = sum > 0 ? sum / 8 : 0;
        active[LAYER1_UNITS + unit] = sum * sum / 65536;
    }
    for (int unit = 0; unit < LAYER2_UNITS; unit++) {
        int64_t sum = weights->second_bias[unit];
        for (int input = 0; input < LAYER2_INPUTS; input++)
            sum += active[input] * weights->second[layer2_index(input, unit)];
        sum = sum < 0 ? 0 : sum > LAYER2_ONE ? LAYER2_ONE : sum;
        output += sum / 256 * (sum / 256) / 4096 * weights->third[unit];
    }
    return output;
}

static void test_scalar_layers_are_right(void **state) {
    (void)state;
    static Data data;
    Rng rng = rng_seed(6);
    bool moved[2] = {false, false}; /* values of both signs occurred */
    for (int round = 0; round < ROUNDS; round++) {
        fill(&data, &rng);
        for (int width = LAYER_WIDTH_MIN; width <= WIDTH_MAX; width *= 2) {
            const int16_t *const halves[2] = {data.units[0], data.units[1]};
            const int64_t expected = plain_layers(halves, width, &data.layers);
            const Kernels *scalar = kernels_for_width_scalar(width);
            assert_int_equal(expected, scalar->layers(data.units[0], data.units[1], &data.layers));
            moved[expected > 0] = true;
        }
    }
    assert_true(moved[0] && moved[1]);
}

/* Values at which an instruction that adds pairs of 16 bits saturates first. */
static void test_extremes_of_layers(void **state) {
    (void)state;
    static Data data;
    KernelsForWidth *variants[VARIANTS_MAX];
    const int count = list_variants(variants);
    for (int i = 0; i < WIDTH_MAX; i++) data.units[0][i] = data.units[1][i] = i % 3 ? INT16_MAX : HIDDEN_ONE;
    const int most = 1024 * PRODUCT_MAX * LAYER1_WEIGHT_MAX;
    for (int unit = 0; unit < LAYER1_UNITS; unit++) {
        const int sign = unit % 2 ? -1 : 1;
        for (int input = 0; input < WIDTH_MAX; input++)
            data.layers.first[layer1_index(input, unit)] = (int8_t)(sign * LAYER1_WEIGHT_MAX);
        /* All of 1.0 but a small part that distinguishes the units. */
        data.layers.first_bias[unit] = -sign * (most - 1000 - 400 * unit);
        data.layers.second[layer2_index(unit, unit)] = LAYER2_WEIGHT_ONE;
        data.layers.second[layer2_index(LAYER1_UNITS + unit, LAYER1_UNITS + unit)] = LAYER2_WEIGHT_ONE;
    }
    for (int unit = 0; unit < LAYER2_UNITS; unit++) data.layers.third[unit] = (int16_t)(unit + 1);
    const int16_t *const halves[2] = {data.units[0], data.units[1]};
    const int64_t expected = plain_layers(halves, 1024, &data.layers);
    assert_true(expected > 10000);
    assert_int_equal(expected, kernels_for_width_scalar(1024)->layers(halves[0], halves[1], &data.layers));
    for (int v = 0; v < count; v++)
        assert_int_equal(expected, variants[v](1024)->layers(halves[0], halves[1], &data.layers));
}

/* The largest products, where 16 bits overflow first. */
static void test_extremes(void **state) {
    (void)state;
    static Data data;
    KernelsForWidth *variants[VARIANTS_MAX];
    const int count = list_variants(variants);
    const int32_t most = 256 * HIDDEN_ONE * HIDDEN_ONE * OUTPUT_WEIGHT_MAX;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < WIDTH_MAX; i++)
            data.units[0][i] = data.units[1][i] = i % 2 == 0 ? INT16_MAX : HIDDEN_ONE;
        for (int i = 0; i < 2 * WIDTH_MAX; i++)
            data.output[i] = (int16_t)(i < 256 ? sign * OUTPUT_WEIGHT_MAX : 0);
        const int32_t expected = sign > 0 ? most : -most;
        for (int v = 0; v < count; v++)
            assert_int_equal(expected, variants[v](512)->output(data.units[0], data.units[1], data.output));
        assert_int_equal(expected,
                         kernels_for_width_scalar(512)->output(data.units[0], data.units[1], data.output));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_equal_scalar),   cmocka_unit_test(test_scalar_is_right),
        cmocka_unit_test(test_extremes),           cmocka_unit_test(test_scalar_layers_are_right),
        cmocka_unit_test(test_extremes_of_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
