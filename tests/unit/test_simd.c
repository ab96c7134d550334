/* The vector vocabulary of this build, word by word. */
#include "nnue/simd.h"

#include "base/rng.h"
#include "test_support.h"

#include <stdalign.h>

enum { ROUNDS = 200, LANES_MAX = 32 };

typedef struct Lanes {
    alignas(64) int16_t lane[LANES_MAX];
} Lanes;

static Lanes random_lanes(Rng *rng) {
    Lanes lanes;
    for (int i = 0; i < LANES_MAX; i++) lanes.lane[i] = (int16_t)(uint16_t)rng_next(rng);
    return lanes;
}

static Lanes stored(Vector v) {
    Lanes lanes = {0};
    vector_store(lanes.lane, v);
    return lanes;
}

static void test_add_and_subtract_wrap(void **state) {
    (void)state;
    Rng rng = rng_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        Lanes a = random_lanes(&rng), b = random_lanes(&rng);
        Lanes sum = stored(vector_add(vector_load(a.lane), vector_load(b.lane)));
        Lanes difference = stored(vector_subtract(vector_load(a.lane), vector_load(b.lane)));
        for (int i = 0; i < VECTOR_LANES; i++) {
            assert_int_equal((int16_t)(uint16_t)(a.lane[i] + b.lane[i]), sum.lane[i]);
            assert_int_equal((int16_t)(uint16_t)(a.lane[i] - b.lane[i]), difference.lane[i]);
        }
    }
}

static void test_clamp(void **state) {
    (void)state;
    static const int16_t VALUES[][2] = {{INT16_MIN, 0}, {-1, 0},    {0, 0},     {1, 1},
                                        {254, 254},     {255, 255}, {256, 255}, {INT16_MAX, 255}};
    for (int shift = 0; shift < 8; shift++) {
        Lanes a = {0};
        for (int i = 0; i < LANES_MAX; i++) a.lane[i] = VALUES[(i + shift) % 8][0];
        Lanes clamped = stored(vector_clamp(vector_load(a.lane)));
        for (int i = 0; i < VECTOR_LANES; i++) assert_int_equal(VALUES[(i + shift) % 8][1], clamped.lane[i]);
    }
}

static void test_products_and_sums(void **state) {
    (void)state;
    Rng rng = rng_seed(2);
    for (int round = 0; round < ROUNDS; round++) {
        Lanes a = random_lanes(&rng), b = random_lanes(&rng), c = random_lanes(&rng);
        uint32_t expected = 0;
        for (int i = 0; i < VECTOR_LANES; i++) {
            b.lane[i] = (int16_t)(b.lane[i] % 100);
            c.lane[i] = (int16_t)(c.lane[i] % 300);
            expected += (uint32_t)(a.lane[i] * c.lane[i] + b.lane[i] * c.lane[i]);
        }
        Vector factor = vector_load(c.lane);
        Sums first = sums_add_products(sums_zero(), vector_load(a.lane), factor);
        Sums second = sums_add_products(sums_zero(), vector_load(b.lane), factor);
        assert_int_equal((int32_t)expected, sums_total(sums_add(first, second)));
        Sums chained = sums_add_products(first, vector_load(b.lane), factor);
        assert_int_equal((int32_t)expected, sums_total(chained));
        Lanes product = stored(vector_multiply(vector_load(b.lane), factor));
        for (int i = 0; i < VECTOR_LANES; i++) assert_int_equal(b.lane[i] * c.lane[i], product.lane[i]);
    }
}

/* All pairs of units: products as bytes, in the order of the units. */
static void test_products_are_rounded_bytes(void **state) {
    (void)state;
    alignas(64) int16_t a[64], b[64];
    alignas(64) uint8_t found[64];
    for (int first = -300; first <= 300; first++) {
        for (int second = -320; second < 320; second += PRODUCT_LANES) {
            for (int i = 0; i < PRODUCT_LANES; i++) {
                a[i] = (int16_t)(first < -298 ? INT16_MIN : first > 298 ? INT16_MAX : first);
                b[i] = (int16_t)(second + i < -318 ? INT16_MIN : second + i > 318 ? INT16_MAX : second + i);
            }
            products_store(found, a, b);
            for (int i = 0; i < PRODUCT_LANES; i++) {
                const int x = int_clamp(a[i], 0, HIDDEN_ONE), y = int_clamp(b[i], 0, HIDDEN_ONE);
                assert_int_equal((int)((double)(x * y) / 512 + 0.5), found[i]);
                assert_true(found[i] <= PRODUCT_MAX);
            }
        }
    }
}

/* Every byte by its weight, into any lane of the sums; and the lanes of as many sums together. */
static void test_sums_of_bytes(void **state) {
    (void)state;
    Rng rng = rng_seed(3);
    alignas(64) uint8_t bytes[PRODUCT_LANES];
    alignas(64) int8_t weights[PRODUCT_LANES];
    alignas(64) int32_t sums[SUMS_LANES], found[SUMS_LANES];
    for (int round = 0; round < ROUNDS; round++) {
        Sums rows[SUMS_LANES];
        uint32_t expected[SUMS_LANES] = {0};
        for (int i = 0; i < PRODUCT_LANES; i++)
            bytes[i] = round ? (uint8_t)rng_below(&rng, PRODUCT_MAX + 1) : PRODUCT_MAX;
        for (int row = 0; row < SUMS_LANES; row++) {
            for (int i = 0; i < PRODUCT_LANES; i++)
                weights[i] = (int8_t)(round ? (int)rng_below(&rng, 255) - 127 : row % 2 ? 127 : -127);
            for (int i = 0; i < SUMS_LANES; i++) sums[i] = (int32_t)(uint32_t)rng_next(&rng);
            for (int i = 0; i < SUMS_LANES; i++) expected[row] += (uint32_t)sums[i];
            for (int i = 0; i < PRODUCT_LANES; i++) expected[row] += (uint32_t)(bytes[i] * weights[i]);
            rows[row] = sums_add_bytes(sums_load(sums), bytes, weights);
        }
        sums_store(found, sums_totals(rows));
        for (int row = 0; row < SUMS_LANES; row++) assert_int_equal((int32_t)expected[row], found[row]);
    }
}

static void test_sums_of_a_pair(void **state) {
    (void)state;
    Rng rng = rng_seed(3);
    alignas(64) int32_t sums[SUMS_LANES], found[SUMS_LANES];
    alignas(64) int16_t pairs[2 * SUMS_LANES];
    for (int round = 0; round < ROUNDS; round++) {
        int16_t two[2];
        for (int i = 0; i < 2; i++) two[i] = (int16_t)((int)rng_below(&rng, 8001) - 4000);
        for (int i = 0; i < SUMS_LANES; i++) sums[i] = (int32_t)(uint32_t)rng_next(&rng) / 4;
        for (int i = 0; i < 2 * SUMS_LANES; i++) pairs[i] = (int16_t)((int)rng_below(&rng, 60001) - 30000);
        sums_store(found, sums_add_pair(sums_load(sums), two, pairs));
        for (int i = 0; i < SUMS_LANES; i++)
            assert_int_equal(sums[i] + two[0] * pairs[2 * i] + two[1] * pairs[2 * i + 1], found[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_and_subtract_wrap), cmocka_unit_test(test_clamp),
        cmocka_unit_test(test_products_and_sums),     cmocka_unit_test(test_products_are_rounded_bytes),
        cmocka_unit_test(test_sums_of_bytes),         cmocka_unit_test(test_sums_of_a_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
