/* Child processes: lines, deadlines, ends, resource usage. */
#include "lab/kit/process.h"

#include "base/clock.h"
#include "base/file.h"
#include "test_support.h"

#include <stdlib.h>
#include <unistd.h>

enum { SECOND = 1000000 };

static Process *start_shell(const char *script) {
    const char *arguments[] = {"sh", "-c", script, NULL};
    ProcessOptions options = {.arguments = arguments};
    Process *process = NULL;
    assert_ok(process_start(&options, &process));
    return process;
}

static int64_t in_seconds(double seconds) { return clock_microseconds() + (int64_t)(seconds * SECOND); }

static void expect_line(Process *process, const char *expected) {
    TextView line;
    assert_int_equal(process_read_line(process, in_seconds(600), &line), PROCESS_LINE);
    assert_int_equal(line.length, strlen(expected));
    assert_memory_equal(line.data, expected, line.length);
}

static void expect_end(Process *process, const char *expected) {
    char text[PROCESS_END_CAPACITY];
    assert_true(process_has_ended(process, 20000));
    process_describe_end(process, text);
    assert_string_equal(text, expected);
}

static void test_conversation(void **state) {
    (void)state;
    Process *process = start_shell("while read word; do echo got $word; done");
    for (int i = 0; i < 3; i++) {
        assert_true(process_write(process, text_view("one\ntwo\r\n"), in_seconds(600)));
        int64_t before = clock_microseconds();
        expect_line(process, "got one");
        expect_line(process, "got two"); /* the shell keeps the CR, which also ends the line */
        assert_true(process_read_time(process) <= clock_microseconds());
        assert_true(process_read_time(process) >= before - SECOND);
    }
    assert_false(process_has_ended(process, 0));
    process_stop(process, 5000);
}

static void test_lines_and_the_end(void **state) {
    (void)state;
    Process *process = start_shell("printf 'first\\n\\nthird\\r\\nhalf a'; exit 7");
    TextView line;
    expect_line(process, "first");
    expect_line(process, "");
    expect_line(process, "third");
    assert_int_equal(process_read_line(process, in_seconds(600), &line), PROCESS_CLOSED);
    expect_end(process, "exited with status 7");
    process_stop(process, 0);
}

static void test_deadline(void **state) {
    (void)state;
    Process *process = start_shell("echo one; sleep 60");
    TextView line;
    expect_line(process, "one");
    int64_t before = clock_microseconds();
    assert_int_equal(process_read_line(process, before + SECOND / 20, &line), PROCESS_TIMEOUT);
    assert_true(clock_microseconds() - before >= SECOND / 20);
    before = clock_microseconds();
    process_stop(process, 0); /* also kills the shell's child, which would run for a minute */
    assert_true(clock_microseconds() - before < 1000 * test_within(20000));
}

static void test_line_that_came_in_time(void **state) {
    (void)state;
    Process *process = start_shell("echo early; sleep 60");
    clock_sleep_milliseconds(300);
    TextView line;
    assert_int_equal(process_read_line(process, clock_microseconds() - 1, &line), PROCESS_LINE);
    process_stop(process, 0);
}

static void test_killed(void **state) {
    (void)state;
    Process *process = start_shell("kill -SEGV $$");
    expect_end(process, "was killed by signal 11 (Segmentation fault)");
    char text[PROCESS_END_CAPACITY];
    process_stop(process, 0);
    process = start_shell("sleep 60");
    process_describe_end(process, text);
    assert_string_equal(text, "is still running");
    process_stop(process, 0);
}

static void test_closed_input(void **state) {
    (void)state;
    Process *process = start_shell("exec <&-; echo closed; sleep 60");
    expect_line(process, "closed");
    assert_false(process_is_deaf(process));
    assert_false(process_write(process, text_view("hello\n"), in_seconds(600)));
    assert_true(process_is_deaf(process));
    process_stop(process, 0);
}

static void test_full_input(void **state) {
    (void)state;
    Process *process = start_shell("sleep 60");
    TextBuffer much = {0};
    for (int i = 0; i < 100000; i++) buffer_append_string(&much, "position startpos\n");
    assert_false(process_write(process, buffer_view(&much), in_seconds(0.1)));
    assert_false(process_is_deaf(process));
    buffer_release(&much);
    process_stop(process, 0);
}

static void test_long_lines(void **state) {
    (void)state;
    Process *process = start_shell("head -c 500000 /dev/zero | tr '\\0' x; echo; yes | tr -d '\\n'");
    TextView line;
    assert_int_equal(process_read_line(process, in_seconds(600), &line), PROCESS_LINE);
    assert_int_equal(line.length, 500000);
    assert_int_equal(process_read_line(process, in_seconds(600), &line), PROCESS_TOO_LONG);
    process_stop(process, 0);
}

static void test_cancel(void **state) {
    (void)state;
    atomic_bool cancel = true;
    const char *arguments[] = {"sleep", "60", NULL};
    ProcessOptions options = {.arguments = arguments, .cancel = &cancel};
    Process *process = NULL;
    assert_ok(process_start(&options, &process));
    TextView line;
    assert_int_equal(process_read_line(process, in_seconds(600), &line), PROCESS_CANCELLED);
    process_stop(process, 0);
}

static void test_cannot_start(void **state) {
    (void)state;
    Process *process = NULL;
    const char *missing[] = {"/no/such/program", NULL};
    assert_fails(process_start(&(ProcessOptions){.arguments = missing}, &process),
                 "/no/such/program: No such file");
    assert_null(process);
    const char *shell[] = {"sh", NULL};
    assert_fails(process_start(&(ProcessOptions){.arguments = shell, .folder = "/no/such/folder"}, &process),
                 "sh");
    assert_fails(process_start(&(ProcessOptions){.arguments = shell, .error_log = "/no/such/log"}, &process),
                 "cannot write /no/such/log");
    process_stop(NULL, 0);
}

static void test_folder_and_error_log(void **state) {
    (void)state;
    char folder[] = "/tmp/luft-process-XXXXXX", log[64];
    assert_non_null(mkdtemp(folder));
    text_format(log, sizeof log, "%s/log", folder);
    const char *arguments[] = {"sh", "-c", "pwd; echo complaint >&2", NULL};
    for (int i = 0; i < 2; i++) {
        Process *process = NULL;
        assert_ok(process_start(&(ProcessOptions){.arguments = arguments, .folder = folder, .error_log = log},
                                &process));
        expect_line(process, folder);
        expect_end(process, "exited with status 0");
        process_stop(process, 0);
    }
    TextBuffer content = {0};
    assert_ok(file_read(log, &content));
    assert_string_equal(buffer_string(&content), "complaint\ncomplaint\n");
    buffer_release(&content);
    unlink(log);
    rmdir(folder);
}

/* Of a long error log the beginning and the end are kept. */
static void test_error_log_is_bounded(void **state) {
    (void)state;
    char log[] = "/tmp/luft-process-XXXXXX";
    close(mkstemp(log));
    const char *arguments[] = {"sh", "-c",
                               "echo first >&2; yes complaint | head -c 30000000 >&2; echo done; read x; "
                               "echo last >&2; echo end; read x",
                               NULL};
    Process *process = NULL;
    assert_ok(process_start(&(ProcessOptions){.arguments = arguments, .error_log = log}, &process));
    expect_line(process, "done");
    assert_true(process_write(process, text_view("\n"), in_seconds(600)));
    expect_line(process, "end");
    process_stop(process, 0);
    TextBuffer content = {0};
    assert_ok(file_read(log, &content));
    assert_in_range(content.length, 1 << 20, PROCESS_ERRORS_MAX);
    assert_true(text_starts_with(buffer_view(&content), "first\n"));
    assert_non_null(strstr(buffer_string(&content), "[... more than was kept ...]\n"));
    assert_string_equal(buffer_string(&content) + content.length - 5, "last\n");
    buffer_release(&content);
    unlink(log);
}

static void test_usage(void **state) {
    (void)state;
    Process *process = start_shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; sleep 60");
    process_find_threads(process);
    ProcessUsage before = process_usage(process);
    expect_line(process, "done");
    ProcessUsage after = process_usage(process);
    assert_true(after.cpu > before.cpu);
    assert_true(after.delay >= before.delay);
    ProcessUsage later = process_usage(process);
    assert_true(later.cpu - after.cpu < SECOND);
    process_stop(process, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversation),
        cmocka_unit_test(test_lines_and_the_end),
        cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_line_that_came_in_time),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_closed_input),
        cmocka_unit_test(test_full_input),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_cannot_start),
        cmocka_unit_test(test_folder_and_error_log),
        cmocka_unit_test(test_error_log_is_bounded),
        cmocka_unit_test(test_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
