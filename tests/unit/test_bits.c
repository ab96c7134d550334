#include "base/bits.h"

#include "test_support.h"

static void single_bits(void **state) {
    (void)state;
    for (int i = 0; i < 64; i++) {
        const uint64_t word = (uint64_t)1 << i;
        assert_int_equal(bits_count(word), 1);
        assert_int_equal(bits_lowest(word), i);
        assert_int_equal(bits_highest(word), i);
        assert_false(bits_more_than_one(word));
    }
    assert_int_equal(bits_count(0), 0);
    assert_int_equal(bits_count(UINT64_MAX), 64);
    assert_false(bits_more_than_one(0));
    assert_true(bits_more_than_one(3));
}

static void pop_takes_from_below(void **state) {
    (void)state;
    uint64_t word = 0x8000000000000014u;
    assert_int_equal(bits_pop(&word), 2);
    assert_int_equal(bits_pop(&word), 4);
    assert_int_equal(bits_pop(&word), 63);
    assert_true(word == 0);
}

static void multiply_high_is_the_upper_half(void **state) {
    (void)state;
    assert_true(bits_multiply_high(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    assert_true(bits_multiply_high((uint64_t)1 << 63, 10) == 5);
    assert_true(bits_multiply_high(0, UINT64_MAX) == 0);
}

static void integers_are_compared_and_clamped(void **state) {
    (void)state;
    assert_int_equal(int_min(-1, 2), -1);
    assert_int_equal(int_max(-1, 2), 2);
    assert_int_equal(int_clamp(5, 0, 3), 3);
    assert_int_equal(int_clamp(-5, 0, 3), 0);
    assert_int_equal(int_clamp(2, 0, 3), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_bits),
        cmocka_unit_test(pop_takes_from_below),
        cmocka_unit_test(multiply_high_is_the_upper_half),
        cmocka_unit_test(integers_are_compared_and_clamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
