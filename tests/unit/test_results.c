/* Rows of results: columns, one line a row, files with other columns refused. */
#include "lab/kit/results.h"

#include "base/file.h"
#include "test_support.h"

#include <math.h>
#include <unistd.h>

static const char *test_path(void) {
    static char path[64];
    text_format(path, sizeof path, "/tmp/luft-results-%d", (int)getpid());
    return path;
}

static void expect_content(const char *expected) {
    TextBuffer content = {0};
    assert_ok(file_read(test_path(), &content));
    assert_string_equal(buffer_string(&content), expected);
    buffer_release(&content);
}

static ResultsRow row_of(const char *subject, double elo) {
    ResultsRow row = {0};
    results_add_text(&row, "subject", subject);
    results_add(&row, "games", "%d", 400);
    results_add_number(&row, "elo", elo, 2);
    results_add_text(&row, "note", NULL);
    return row;
}

static void test_a_new_file_begins_with_the_columns(void **state) {
    (void)state;
    unlink(test_path());
    ResultsRow row = row_of("a", 20.824);
    assert_ok(results_append(&row, test_path()));
    row = row_of("two\twords\nhere", INFINITY);
    assert_ok(results_append(&row, test_path()));
    expect_content("subject\tgames\telo\tnote\na\t400\t20.82\t\ntwo words here\t400\t\t\n");
}

static void test_a_missing_line_end_is_added(void **state) {
    (void)state;
    static const char OPEN[] = "subject\tgames\telo\tnote\nx\t1\t2\t3";
    assert_ok(file_write(test_path(), OPEN, sizeof OPEN - 1));
    ResultsRow row = row_of("a", -0.5);
    assert_ok(results_append(&row, test_path()));
    expect_content("subject\tgames\telo\tnote\nx\t1\t2\t3\na\t400\t-0.50\t\n");
}

static void test_other_columns_are_refused(void **state) {
    (void)state;
    static const char OTHER[] = "subject\tgames\telo\tnotes\n";
    assert_ok(file_write(test_path(), OTHER, sizeof OTHER - 1));
    ResultsRow row = row_of("a", 1);
    assert_fails(results_append(&row, test_path()), "has other columns");
    expect_content(OTHER);
}

static void test_a_row_that_is_there_is_not_appended_again(void **state) {
    (void)state;
    static const char FILLED[] = "date\tsubject\tgames\tnote\n2026-01-01\ta\t400\tfilled in by hand\n";
    assert_ok(file_write(test_path(), FILLED, sizeof FILLED - 1));
    for (int games = 400; games <= 402; games += 2)
        for (int i = 0; i < 2; i++) {
            ResultsRow row = {.once = true};
            results_add_today(&row);
            results_add_text(&row, "subject", "a");
            results_add(&row, "games", "%d", games);
            results_add_text(&row, "note", NULL);
            assert_ok(results_append(&row, test_path()));
        }
    TextBuffer content = {0};
    assert_ok(file_read(test_path(), &content));
    assert_memory_equal(content.data, FILLED, sizeof FILLED - 1);
    assert_int_equal(content.length, sizeof FILLED - 1 + sizeof "2026-01-01\ta\t402\t\n" - 1);
    buffer_release(&content);
}

static void test_the_date_is_a_day(void **state) {
    (void)state;
    unlink(test_path());
    ResultsRow row = {0};
    results_add_today(&row);
    assert_ok(results_append(&row, test_path()));
    TextBuffer content = {0};
    assert_ok(file_read(test_path(), &content));
    assert_int_equal(content.length, sizeof "date\n2026-11-26\n" - 1);
    assert_memory_equal(content.data, "date\n20", 7);
    buffer_release(&content);
    unlink(test_path());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_file_begins_with_the_columns),
        cmocka_unit_test(test_a_missing_line_end_is_added),
        cmocka_unit_test(test_other_columns_are_refused),
        cmocka_unit_test(test_a_row_that_is_there_is_not_appended_again),
        cmocka_unit_test(test_the_date_is_a_day),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
