/* Queries about the machine. */
#include "lab/kit/machine.h"

#include "base/clock.h"
#include "test_support.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_processors(void **state) {
    (void)state;
    int processors[MACHINE_PROCESSORS_MAX];
    const int count = machine_processors(processors, MACHINE_PROCESSORS_MAX);
    assert_true(count >= 1);
    for (int i = 1; i < count; i++) assert_true(processors[i] > processors[i - 1]);
    assert_int_equal(machine_processors(processors, 1), 1);
}

static void test_load(void **state) {
    (void)state;
    const int64_t start = clock_milliseconds();
    const double load = machine_measure_load(50);
    assert_true(clock_milliseconds() - start >= 49);
    assert_true(load >= 0 && load <= MACHINE_PROCESSORS_MAX);
}

static void test_waiting(void **state) {
    (void)state;
    const int account = machine_open_waiting();
    const int64_t before = machine_read_waiting(account);
    clock_sleep_milliseconds(1);
    assert_true(machine_read_waiting(account) >= before);
    assert_int_equal(machine_read_waiting(-1), 0);
    if (account >= 0) close(account);
}

/* A child process stops this one for a while. The heartbeats must report this as one stall of the machine. */
static void test_standstill(void **state) {
    (void)state;
    int processors[MACHINE_PROCESSORS_MAX];
    Heartbeat heartbeat;
    const int64_t stolen_before = machine_stolen_time();
    assert_ok(
        heartbeat_begin(&heartbeat, processors, machine_processors(processors, MACHINE_PROCESSORS_MAX)));
    const int64_t start = clock_microseconds();
    const pid_t child = fork();
    if (child == 0) {
        clock_sleep_milliseconds(20);
        kill(getppid(), SIGSTOP);
        clock_sleep_milliseconds(300);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    clock_sleep_milliseconds(HEARTBEAT_SETTLE);
    HeartbeatLoss loss = heartbeat_read(&heartbeat);
    assert_in_range(loss.still, 250000, clock_microseconds() - start);
    assert_in_range(loss.stolen, stolen_before, machine_stolen_time());
    heartbeat_end(&heartbeat);
    heartbeat_end(&heartbeat); /* at an end already */
    assert_int_equal(heartbeat_read(NULL).still, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_processors), cmocka_unit_test(test_load),
                                       cmocka_unit_test(test_waiting), cmocka_unit_test(test_standstill)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
