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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_and_subtract_wrap),
        cmocka_unit_test(test_clamp),
        cmocka_unit_test(test_products_and_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
