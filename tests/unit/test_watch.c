/* Waiting for the end of work, for a wish to stop, or for nothing. */
#include "lab/kit/watch.h"

#include "base/clock.h"
#include "base/sync.h"
#include "test_support.h"

#include <unistd.h>

enum { LONG = 20000, SHORT = 50 /* milliseconds */ };

static void test_nothing(void **state) {
    (void)state;
    Watch watch;
    watch_begin(&watch);
    int64_t start = clock_milliseconds();
    assert_false(watch_wait(&watch, SHORT));
    assert_true(clock_milliseconds() - start >= SHORT - 1);
    watch_end(&watch);
}

static void test_wish_to_stop(void **state) {
    (void)state;
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) {
        Watch watch;
        watch_begin(&watch);
        kill(getpid(), SIGNALS[i]);
        assert_true(watch_wait(&watch, LONG));
        assert_false(watch_wait(&watch, SHORT));
        kill(getpid(), SIGNALS[i]); /* what comes after the last wait is taken back */
        watch_end(&watch);
    }
}

static void wake(void *watch) { watch_wake(watch); }

static void test_waking(void **state) {
    (void)state;
    Watch watch;
    Thread thread;
    watch_begin(&watch);
    int64_t start = clock_milliseconds();
    assert_ok(thread_start(&thread, wake, &watch));
    assert_false(watch_wait(&watch, LONG));
    assert_true(clock_milliseconds() - start < LONG / 2);
    thread_join(&thread);
    watch_end(&watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing), cmocka_unit_test(test_wish_to_stop),
                                       cmocka_unit_test(test_waking)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
