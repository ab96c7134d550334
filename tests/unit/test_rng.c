#include "test_support.h"

/* The first numbers of SplitMix64 with seed 0, from the reference implementation. */
static void sequence_is_splitmix64(void **state) {
    (void)state;
    Rng rng = rng_seed(0);
    assert_true(rng_next(&rng) == 0xE220A8397B1DCDAFu);
    assert_true(rng_next(&rng) == 0x6E789E6AA1B965F4u);
    assert_true(rng_next(&rng) == 0x06C45D188009454Fu);
}

static void bounded_numbers_are_even(void **state) {
    (void)state;
    int counts[10] = {0};
    Rng rng = rng_seed(7);
    for (int i = 0; i < 100000; i++) counts[rng_below(&rng, 10)]++;
    for (int i = 0; i < 10; i++) assert_in_range(counts[i], 9600, 10400); /* four standard deviations */
    for (int i = 0; i < 100; i++) assert_int_equal(rng_below(&rng, 1), 0);
}

static void unit_numbers_stay_below_one(void **state) {
    (void)state;
    Rng rng = rng_seed(3);
    double sum = 0.0;
    for (int i = 0; i < 100000; i++) {
        const double number = rng_unit(&rng);
        assert_true(number >= 0.0 && number < 1.0);
        sum += number;
    }
    assert_true(sum > 49600.0 && sum < 50400.0);
}

static void streams_differ_and_repeat(void **state) {
    (void)state;
    Rng a = rng_stream(1, 0), b = rng_stream(1, 1), again = rng_stream(1, 0), other_seed = rng_stream(2, 0);
    const uint64_t word = rng_next(&a);
    assert_true(word == rng_next(&again));
    assert_true(word != rng_next(&b));
    assert_true(word != rng_next(&other_seed));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequence_is_splitmix64),
        cmocka_unit_test(bounded_numbers_are_even),
        cmocka_unit_test(unit_numbers_stay_below_one),
        cmocka_unit_test(streams_differ_and_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
