/* Every kernel that this processor has, against the scalar one, bit for bit. */
#include "nnue/kernels.h"

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

/* Those to be compared with the scalar kernels: the engine's own, and all that the processor can run. */
static int list_variants(KernelsForWidth *variants[VARIANTS_MAX]) {
    int count = 0;
    variants[count++] = kernels_for_width;
#if defined(__x86_64__)
    variants[count++] = kernels_for_width_sse2;
    if (__builtin_cpu_supports("avx2")) variants[count++] = kernels_for_width_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
        variants[count++] = kernels_for_width_avx512;
        if (__builtin_cpu_supports("avx512vnni")) variants[count++] = kernels_for_width_avx512vnni;
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
} Data;

static int16_t random_16(Rng *rng) { return (int16_t)(uint16_t)rng_next(rng); }

static void fill(Data *data, Rng *rng) {
    for (size_t i = 0; i < INPUT_COUNT * WIDTH_MAX; i++) data->feature[i] = random_16(rng);
    for (int i = 0; i < WIDTH_MAX; i++) {
        /* Most units near what is clamped, some anywhere. */
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
            }
        }
    }
    for (int v = 0; v < count; v++) print_message("compared: %s\n", variants[v](32)->name);
}

/* The scalar kernels against the definition, in 64 bits. */
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

/* The largest products: where 16 bits would overflow first. */
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
        cmocka_unit_test(test_all_equal_scalar),
        cmocka_unit_test(test_scalar_is_right),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
