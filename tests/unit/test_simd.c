/* Each vector operation of this build. */
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

/* Each lane has its own four weights for the same four bytes. */
static void test_sums_of_a_group(void **state) {
    (void)state;
    Rng rng = rng_seed(3);
    alignas(64) int8_t weights[4 * SUMS_LANES];
    alignas(64) int32_t sums[SUMS_LANES], found[SUMS_LANES];
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t four[4];
        for (int i = 0; i < 4; i++) four[i] = round ? (uint8_t)rng_below(&rng, PRODUCT_MAX + 1) : PRODUCT_MAX;
        for (int i = 0; i < 4 * SUMS_LANES; i++)
            weights[i] = (int8_t)(round ? (int)rng_below(&rng, 255) - 127 : i / 4 % 2 ? 127 : -127);
        for (int i = 0; i < SUMS_LANES; i++) sums[i] = (int32_t)(uint32_t)rng_next(&rng);
        sums_store(found, sums_add_group(sums_load(sums), four, weights));
        for (int lane = 0; lane < SUMS_LANES; lane++) {
            uint32_t expected = (uint32_t)sums[lane];
            for (int i = 0; i < 4; i++) expected += (uint32_t)(four[i] * weights[4 * lane + i]);
            assert_int_equal((int32_t)expected, found[lane]);
        }
    }
}

/* For both forms: a bit for each group of four products. */
static unsigned present(const uint8_t *products) {
#ifdef SIMD_LISTS
    int32_t list[SUMS_LANES];
    const int count = products_list(products, 40, list);
    unsigned bits = 0;
    for (int i = 0; i < count; i++) {
        assert_true(i == 0 || list[i] > list[i - 1]);
        bits |= 1u << (list[i] - 40);
    }
    return bits;
#else
    return products_present(products);
#endif
}

/* Each byte alone with each value, no byte, and all bytes. */
static void test_groups_that_are_present(void **state) {
    (void)state;
    alignas(64) uint8_t products[PRODUCT_LANES] = {0};
    assert_int_equal(0, present(products));
    for (int i = 0; i < PRODUCT_LANES; i++) {
        for (int product = 1; product <= PRODUCT_MAX; product++) {
            products[i] = (uint8_t)product;
            assert_int_equal(1 << i / 4, present(products));
        }
        products[i] = 0;
    }
    memset(products, 1, sizeof products);
    assert_int_equal((1 << PRODUCT_LANES / 4) - 1, present(products));
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
        cmocka_unit_test(test_add_and_subtract_wrap),   cmocka_unit_test(test_clamp),
        cmocka_unit_test(test_products_and_sums),       cmocka_unit_test(test_products_are_rounded_bytes),
        cmocka_unit_test(test_groups_that_are_present), cmocka_unit_test(test_sums_of_a_group),
        cmocka_unit_test(test_sums_of_a_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
