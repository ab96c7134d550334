/* Numbers and tables as people read them; tasks on several threads. */
#include "lab/kit/console.h"
#include "lab/kit/parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_numbers(void **state) {
    (void)state;
    char text[NUMBER_TEXT_CAPACITY];
    assert_string_equal(console_thousands(0, text), "0");
    assert_string_equal(console_thousands(999, text), "999");
    assert_string_equal(console_thousands(1000, text), "1,000");
    assert_string_equal(console_thousands(UINT64_MAX, text), "18,446,744,073,709,551,615");
    assert_string_equal(console_duration(400, text), "0 s");
    assert_string_equal(console_duration(59499, text), "59 s");
    assert_string_equal(console_duration(185000, text), "3:05");
    assert_string_equal(console_duration(3750000, text), "1:02:30");
}

static void test_table(void **state) {
    (void)state;
    MarkdownTable table = markdown_table_begin("lr");
    static const char *const cells[] = {"engine", "games", "Luft", "12", "a longer name", "3"};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) markdown_table_cell(&table, "%s", cells[i]);
    TextBuffer out = {0};
    markdown_table_write(&table, &out);
    assert_string_equal(buffer_string(&out), "| engine        | games |\n"
                                             "| ------------- | ----: |\n"
                                             "| Luft          |    12 |\n"
                                             "| a longer name |     3 |\n");
    buffer_release(&out);
}

typedef struct Visits {
    atomic_int seen[1000];
    atomic_int workers_out_of_range;
    int fail_at;
} Visits;

static Status visit(void *context, int worker, int64_t index) {
    Visits *visits = context;
    atomic_fetch_add(&visits->seen[index], 1);
    if (worker < 0 || worker >= 4) atomic_fetch_add(&visits->workers_out_of_range, 1);
    return index == visits->fail_at ? status_error("task %d", (int)index) : status_ok();
}

static void test_every_task_runs_once(void **state) {
    (void)state;
    static Visits visits = {.fail_at = -1};
    Status status = parallel_run(4, 1000, visit, &visits, NULL, 0);
    assert_true(status_is_ok(&status));
    for (int i = 0; i < 1000; i++) assert_int_equal(visits.seen[i], 1);
    assert_int_equal(visits.workers_out_of_range, 0);
    status = parallel_run(4, 0, visit, &visits, NULL, 0);
    assert_true(status_is_ok(&status));
}

static void test_an_error_ends_the_work(void **state) {
    (void)state;
    static Visits visits = {.fail_at = 10};
    Status status = parallel_run(2, 1000, visit, &visits, NULL, 0);
    assert_string_equal(status.reason, "task 10");
    assert_int_equal(visits.seen[999], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_every_task_runs_once),
        cmocka_unit_test(test_an_error_ends_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
