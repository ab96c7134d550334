#include "base/sync.h"

#include "base/clock.h"
#include "test_support.h"

enum { THREADS = 4, ROUNDS = 20000 };

typedef struct Counter {
    Mutex mutex;
    Condition changed;
    int value;
} Counter;

static void counter_init(Counter *counter) {
    mutex_init(&counter->mutex);
    condition_init(&counter->changed);
    counter->value = 0;
}

static void counter_destroy(Counter *counter) {
    condition_destroy(&counter->changed);
    mutex_destroy(&counter->mutex);
}

static void count_up(void *argument) {
    Counter *counter = argument;
    for (int i = 0; i < ROUNDS; i++) {
        mutex_lock(&counter->mutex);
        counter->value++;
        mutex_unlock(&counter->mutex);
    }
}

static void mutex_keeps_threads_apart(void **state) {
    (void)state;
    Counter counter;
    Thread threads[THREADS];
    counter_init(&counter);
    for (int i = 0; i < THREADS; i++) assert_ok(thread_start(&threads[i], count_up, &counter));
    for (int i = 0; i < THREADS; i++) thread_join(&threads[i]);
    assert_int_equal(counter.value, THREADS * ROUNDS);
    counter_destroy(&counter);
}

static void answer(void *argument) {
    Counter *counter = argument;
    mutex_lock(&counter->mutex);
    while (counter->value != 1) condition_wait(&counter->changed, &counter->mutex);
    counter->value = 2;
    condition_signal_all(&counter->changed);
    mutex_unlock(&counter->mutex);
}

static void condition_wakes_the_waiting(void **state) {
    (void)state;
    Counter counter;
    Thread thread;
    counter_init(&counter);
    assert_ok(thread_start(&thread, answer, &counter));
    mutex_lock(&counter.mutex);
    counter.value = 1;
    condition_signal_all(&counter.changed);
    while (counter.value != 2) assert_true(condition_wait_for(&counter.changed, &counter.mutex, 20000));
    mutex_unlock(&counter.mutex);
    thread_join(&thread);
    counter_destroy(&counter);
}

static void limited_wait_ends(void **state) {
    (void)state;
    Counter counter;
    counter_init(&counter);
    mutex_lock(&counter.mutex);
    const int64_t start = clock_milliseconds();
    while (condition_wait_for(&counter.changed, &counter.mutex, 30))
        assert_true(clock_milliseconds() - start < test_within(10000));
    assert_true(clock_milliseconds() - start >= 29);
    assert_false(condition_wait_for(&counter.changed, &counter.mutex, -1));
    mutex_unlock(&counter.mutex);
    counter_destroy(&counter);
}

/* The compiler must not optimise this away. */
static __attribute__((noinline)) int deep(volatile char *above) {
    volatile char block[1 << 20];
    block[0] = above == NULL ? 1 : (char)(above[0] + 1);
    return block[0] == 6 ? 6 : deep(block);
}

static void use_stack(void *argument) { *(int *)argument = deep(NULL); }

static void threads_have_eight_mebibytes_of_stack(void **state) {
    (void)state;
    int result = 0;
    Thread thread;
    assert_ok(thread_start(&thread, use_stack, &result));
    thread_join(&thread);
    assert_int_equal(result, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutex_keeps_threads_apart),
        cmocka_unit_test(condition_wakes_the_waiting),
        cmocka_unit_test(limited_wait_ends),
        cmocka_unit_test(threads_have_eight_mebibytes_of_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
