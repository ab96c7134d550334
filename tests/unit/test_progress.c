/* How far work is: what is printed into a pipe, and durations. */
#include "base/progress.h"

#include "test_support.h"

#include <unistd.h>

/* What `run` prints to standard error, which goes to a file meanwhile. */
static void capture(void (*run)(void), char *out, size_t capacity) {
    FILE *file = tmpfile();
    fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    run();
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    const size_t length = fread(out, 1, capacity - 1, file);
    out[length] = '\0';
    fclose(file);
}

static void count_to_fifty(bool quiet) {
    ProgressBar progress = progress_begin("games", 50, quiet);
    progress.before = 50; /* the time left is not known, and so the same everywhere */
    for (int i = 0; i <= 50; i++) progress_update(&progress, i, i == 50 ? "done" : NULL);
    progress_end(&progress);
}
static void print_lines(void) { count_to_fifty(false); }
static void print_nothing(void) { count_to_fifty(true); }
static void print_unknown_total(void) {
    ProgressBar progress = progress_begin("games", 0, false);
    progress_update(&progress, 1, NULL); /* a line a minute */
    progress.drawn -= 100000;
    progress_update(&progress, 7, "well");
    progress_end(&progress);
}

static void test_a_line_at_each_tenth(void **state) {
    (void)state;
    char text[1024];
    capture(print_lines, text, sizeof text);
    assert_string_equal(text,
                        "5/50 games, ? left\n10/50 games, ? left\n15/50 games, ? left\n20/50 games, ? left\n"
                        "25/50 games, ? left\n30/50 games, ? left\n35/50 games, ? left\n"
                        "40/50 games, ? left\n45/50 games, ? left\n50/50 games, ? left; done\n");
    capture(print_nothing, text, sizeof text);
    assert_string_equal(text, "");
}

static void test_a_total_that_is_not_known(void **state) {
    (void)state;
    char text[256];
    capture(print_unknown_total, text, sizeof text);
    assert_non_null(strstr(text, "7 games; well\n"));
    assert_null(strstr(text, "1 games"));
}

static void test_durations(void **state) {
    (void)state;
    char text[DURATION_CAPACITY];
    assert_string_equal(duration_write(400, text), "0 s");
    assert_string_equal(duration_write(59499, text), "59 s");
    assert_string_equal(duration_write(185000, text), "3:05");
    assert_string_equal(duration_write(3750000, text), "1:02:30");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_at_each_tenth),
        cmocka_unit_test(test_a_total_that_is_not_known),
        cmocka_unit_test(test_durations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
