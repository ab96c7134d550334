#include "base/clock.h"

#include "test_support.h"

static void time_moves_forward_only(void **state) {
    (void)state;
    int64_t last = clock_microseconds();
    for (int i = 0; i < 10000; i++) {
        const int64_t now = clock_microseconds();
        assert_true(now >= last);
        last = now;
    }
}

static void sleep_lasts_at_least_as_long(void **state) {
    (void)state;
    int64_t start = clock_microseconds(), start_milliseconds = clock_milliseconds();
    clock_sleep_milliseconds(30);
    assert_true(clock_microseconds() - start >= 30000);
    assert_true(clock_milliseconds() - start_milliseconds >= 29);
    start = clock_microseconds();
    clock_sleep_milliseconds(-5);
    assert_true(clock_microseconds() - start < 1000 * test_within(1000));
}

static void processor_time_stands_still_in_sleep_and_runs_in_work(void **state) {
    (void)state;
    int64_t start = clock_cpu_microseconds();
    clock_sleep_milliseconds(50);
    assert_true(clock_cpu_microseconds() - start < 40000);
    Rng rng = rng_seed(1);
    uint64_t sum = 0;
    start = clock_cpu_microseconds(); /* Windows counts in steps of 16 ms */
    for (int i = 0; i < 50000000; i++) sum += rng_next(&rng);
    assert_true(sum != 0 && clock_cpu_microseconds() > start);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_moves_forward_only),
        cmocka_unit_test(sleep_lasts_at_least_as_long),
        cmocka_unit_test(processor_time_stands_still_in_sleep_and_runs_in_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
