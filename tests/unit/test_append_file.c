/* A file that only grows: complete pieces, one writer, truncation on request. */
#include "lab/kit/append_file.h"

#include "base/file.h"
#include "test_support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *test_path(void) {
    static char path[64];
    text_format(path, sizeof path, "/tmp/luft-append-%d", (int)getpid());
    return path;
}

static void expect_content(const char *expected) {
    TextBuffer content = {0};
    assert_ok(file_read(test_path(), &content));
    assert_string_equal(buffer_string(&content), expected);
    buffer_release(&content);
}

static void test_growth(void **state) {
    (void)state;
    AppendFile file;
    unlink(test_path());
    assert_ok(append_file_open(&file, test_path(), NAME_GIVEN));
    expect_content("");
    assert_ok(append_file_write(&file, text_view("one\n")));
    assert_ok(append_file_write(&file, text_view("two\n")));
    assert_int_equal(file.length, 8);
    append_file_close(&file);
    assert_ok(append_file_open(&file, test_path(), NAME_GIVEN));
    assert_int_equal(file.length, 8);
    assert_ok(append_file_cut(&file, 4));
    assert_ok(append_file_write(&file, text_view("three\n")));
    append_file_close(&file);
    append_file_close(&file);
    expect_content("one\nthree\n");
    unlink(test_path());
}

static void test_one_writer(void **state) {
    (void)state;
    AppendFile file, other;
    assert_ok(append_file_open(&file, test_path(), NAME_GIVEN));
    assert_fails(append_file_open(&other, test_path(), NAME_GIVEN), "is being written by another luft-lab");
    append_file_close(&file);
    assert_ok(append_file_open(&other, test_path(), NAME_GIVEN));
    append_file_close(&other);
    unlink(test_path());
}

/* The check for free space must not write to the file itself: a kill would leave its trace there. */
static void test_opening_writes_nothing(void **state) {
    (void)state;
    AppendFile file;
    const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    struct stat facts;
    assert_ok(file_write(test_path(), "abc\n", 4));
    assert_int_equal(utimensat(AT_FDCWD, test_path(), long_ago, 0), 0);
    assert_ok(append_file_open(&file, test_path(), NAME_GIVEN));
    append_file_close(&file);
    assert_int_equal(stat(test_path(), &facts), 0);
    assert_int_equal(facts.st_mtime, 1000);
    assert_int_equal(facts.st_size, 4);
    remove(test_path());
}

static void test_refusals(void **state) {
    (void)state;
    AppendFile file;
    assert_fails(append_file_open(&file, "/no/such/folder/file", NAME_GIVEN),
                 "cannot write /no/such/folder/file: No such file");
    assert_fails(append_file_open(&file, "/tmp", NAME_GIVEN), "cannot write /tmp");
    if (access("/dev/full", W_OK) == 0)
        assert_fails(append_file_open(&file, "/dev/full", NAME_GIVEN), "No space left");
    assert_ok(append_file_open(&file, "/dev/null", NAME_GIVEN));
    assert_ok(append_file_write(&file, text_view("gone")));
    append_file_close(&file);
}

/* If there is no room for the whole piece, none of it is written. */
static void test_full(void **state) {
    (void)state;
    AppendFile file;
    unlink(test_path());
    assert_ok(append_file_open(&file, test_path(), NAME_GIVEN));
    assert_ok(append_file_write(&file, text_view("first\n")));
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 10;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    Status status = append_file_write(&file, text_view("second piece\n"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_fails(status, "cannot write");
    expect_content("first\n");
    assert_ok(append_file_write(&file, text_view("third\n")));
    append_file_close(&file);
    expect_content("first\nthird\n");
    unlink(test_path());
}

static void test_tail(void **state) {
    (void)state;
    char aside[80];
    AppendFile file;
    uint64_t hash;
    text_format(aside, sizeof aside, "%s.tail", test_path());
    unlink(test_path());
    unlink(aside);
    assert_ok(append_file_open(&file, test_path(), NAME_GIVEN));
    assert_ok(append_file_write(&file, text_view("one two")));
    assert_ok(append_file_hash(&file, 3, &hash));
    assert_true(hash == text_hash(text_view("one")));
    assert_ok(append_file_move_tail(&file, 3, aside));
    assert_int_equal(file.length, 3);
    assert_ok(append_file_write(&file, text_view(" three")));
    assert_ok(append_file_move_tail(&file, 3, aside));
    append_file_close(&file);
    expect_content("one");
    assert_ok(append_file_open(&file, aside, NAME_GIVEN));
    assert_ok(append_file_hash(&file, file.length, &hash));
    assert_true(hash == text_hash(text_view(" two three")));
    append_file_close(&file);
    unlink(aside);
    unlink(test_path());
}

/* Further writes would go to a deleted file. */
static void test_a_file_that_is_taken_away(void **state) {
    (void)state;
    AppendFile file;
    assert_ok(append_file_open(&file, test_path(), NAME_GIVEN));
    unlink(test_path());
    assert_fails(append_file_write(&file, text_view("gone")), "was removed or replaced");
    append_file_close(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth),
                                       cmocka_unit_test(test_one_writer),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_opening_writes_nothing),
                                       cmocka_unit_test(test_full),
                                       cmocka_unit_test(test_tail),
                                       cmocka_unit_test(test_a_file_that_is_taken_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
