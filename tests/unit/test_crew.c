/* Worker threads: tasks, failures, ticks, and stopping. */
#include "lab/kit/crew.h"

#include "base/clock.h"
#include "test_support.h"

#include <unistd.h>

enum { LONG = 600000 /* milliseconds */ };

/* --- tasks --- */

typedef struct Visits {
    atomic_int seen[1000];
    atomic_int threads_out_of_range;
    int fail_at;
} Visits;

static Status visit(void *context, int number, int64_t index) {
    Visits *visits = context;
    atomic_fetch_add(&visits->seen[index], 1);
    if (number < 0 || number >= 4) atomic_fetch_add(&visits->threads_out_of_range, 1);
    return index == visits->fail_at ? status_error("task %d", (int)index) : status_ok();
}

static void test_every_task_runs_once(void **state) {
    (void)state;
    static Visits visits = {.fail_at = -1};
    Crew crew = {0};
    crew_begin(&crew);
    assert_ok(crew_run_tasks(&crew, 4, 1000, visit, &visits, NULL));
    for (int i = 0; i < 1000; i++) assert_int_equal(visits.seen[i], 1);
    assert_int_equal(visits.threads_out_of_range, 0);
    assert_ok(crew_run_tasks(&crew, 4, 0, visit, &visits, NULL));
    assert_false(crew.interrupted);
    crew_end(&crew);
}

static void test_an_error_ends_the_work_for_good(void **state) {
    (void)state;
    static Visits visits = {.fail_at = 10};
    Crew crew = {0};
    crew_begin(&crew);
    assert_fails(crew_run_tasks(&crew, 2, 1000, visit, &visits, NULL), "task 10");
    assert_int_equal(visits.seen[999], 0);
    visits.fail_at = -1;
    assert_fails(crew_run_tasks(&crew, 2, 1000, visit, &visits, NULL), "task 10");
    assert_int_equal(visits.seen[999], 0);
    crew_end(&crew);
}

/* --- loops --- */

static void visit_index(void *context, int index) {
    Visits *visits = context;
    atomic_fetch_add(&visits->seen[index], 1);
}

static void test_every_index_of_a_loop_runs_once(void **state) {
    (void)state;
    enum { LOOPS = 300 };
    for (int threads = 1; threads <= 5; threads++) {
        static Visits visits;
        visits = (Visits){0};
        Crew crew = {0};
        crew_begin(&crew);
        assert_ok(crew_keep_threads(&crew, threads));
        for (int loop = 0; loop < LOOPS; loop++) crew_for(&crew, 1 + loop % 7, visit_index, &visits);
        for (int i = 0; i < 8; i++) {
            int expected = 0;
            for (int loop = 0; loop < LOOPS; loop++) expected += i < 1 + loop % 7;
            assert_int_equal(visits.seen[i], expected);
        }
        crew_end(&crew);
    }
}

static void test_a_loop_needs_no_crew(void **state) {
    (void)state;
    static Visits visits;
    crew_for(NULL, 9, visit_index, &visits);
    Crew crew = {0};
    crew_begin(&crew);
    crew_for(&crew, 10, visit_index, &visits);
    crew_end(&crew);
    for (int i = 0; i < 9; i++) assert_int_equal(visits.seen[i], 2);
    assert_int_equal(visits.seen[9], 1);
    crew_for(NULL, 0, visit_index, &visits);
}

/* --- bodies --- */

typedef struct Work {
    Crew crew;
    int ticks, ended;
    bool until_tick;
} Work;

static void wait_until_cancelled(void *context, int number) {
    (void)number;
    Work *work = context;
    const int64_t start = clock_milliseconds();
    while (!crew_cancelled(&work->crew) && clock_milliseconds() - start < LONG) clock_sleep_milliseconds(5);
    mutex_lock(&work->crew.lock);
    work->ended += clock_milliseconds() - start < LONG;
    mutex_unlock(&work->crew.lock);
}

static void end_work(void *context) {
    Work *work = context;
    work->ticks++;
    crew_cancel(&work->crew);
}

static void test_a_tick_on_the_main_thread_may_end_the_work(void **state) {
    (void)state;
    Work work = {0};
    crew_begin(&work.crew);
    assert_ok(crew_run(&work.crew, 3, wait_until_cancelled, end_work, &work));
    assert_true(work.ticks >= 1);
    assert_int_equal(work.ended, 3);
    assert_false(work.crew.interrupted);
    crew_end(&work.crew);
}

static void send_signal(void *number) {
    clock_sleep_milliseconds(20);
    kill(getpid(), *(int *)number);
}

static void test_signals_end_the_work(void **state) {
    (void)state;
    static int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) {
        Work work = {0};
        Thread sender;
        crew_begin(&work.crew);
        assert_ok(thread_start(&sender, send_signal, &SIGNALS[i]));
        assert_ok(crew_run(&work.crew, 2, wait_until_cancelled, NULL, &work));
        thread_join(&sender);
        assert_int_equal(work.ended, 2);
        assert_true(work.crew.interrupted);
        kill(getpid(), SIGNALS[i]); /* a signal after the end is dropped */
        crew_end(&work.crew);
    }
}

static void test_a_signal_before_the_work_prevents_it(void **state) {
    (void)state;
    Work work = {0};
    crew_begin(&work.crew);
    kill(getpid(), SIGTERM);
    assert_ok(crew_run(&work.crew, 2, wait_until_cancelled, NULL, &work));
    assert_int_equal(work.ended, 0);
    assert_true(work.crew.interrupted);
    crew_end(&work.crew);
}

static void test_the_first_failure_is_kept(void **state) {
    (void)state;
    Crew crew = {0};
    crew_begin(&crew);
    Status first = status_error("first"), second = status_error("second");
    crew_fail(&crew, &first);
    crew_fail(&crew, &second);
    assert_string_equal(crew.failure.reason, "first");
    assert_true(crew_cancelled(&crew));
    crew_end(&crew);
}

/* --- interruptions --- */

static void test_an_interruption_also_reaches_the_outer_work(void **state) {
    (void)state;
    Interrupt outer, inner;
    assert_false(interrupt_requested());
    interrupt_begin(&outer);
    interrupt_begin(&inner);
    assert_false(interrupt_requested());
    kill(getpid(), SIGTERM);
    assert_true(interrupt_requested());
    interrupt_end(&inner);
    assert_true(interrupt_requested());
    interrupt_end(&outer);
    assert_false(interrupt_requested());
}

/* nohup ignores SIGHUP; that must not change. */
static void test_an_ignored_hangup_stays_ignored(void **state) {
    (void)state;
    Interrupt interrupt;
    signal(SIGHUP, SIG_IGN);
    interrupt_begin(&interrupt);
    kill(getpid(), SIGHUP);
    assert_false(interrupt_requested());
    interrupt_end(&interrupt);
    signal(SIGHUP, SIG_DFL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_task_runs_once),
        cmocka_unit_test(test_an_error_ends_the_work_for_good),
        cmocka_unit_test(test_every_index_of_a_loop_runs_once),
        cmocka_unit_test(test_a_loop_needs_no_crew),
        cmocka_unit_test(test_a_tick_on_the_main_thread_may_end_the_work),
        cmocka_unit_test(test_signals_end_the_work),
        cmocka_unit_test(test_a_signal_before_the_work_prevents_it),
        cmocka_unit_test(test_the_first_failure_is_kept),
        cmocka_unit_test(test_an_interruption_also_reaches_the_outer_work),
        cmocka_unit_test(test_an_ignored_hangup_stays_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
