/* Ownership of files: one writer, no output onto an input, no overwriting of foreign files. */
#include "lab/kit/ownership.h"

#include "base/clock.h"
#include "base/file.h"
#include "test_support.h"

#include <sys/wait.h>
#include <unistd.h>

static const char *test_path(const char *ending) {
    static char path[2][64];
    static int next;
    next = 1 - next;
    text_format(path[next], sizeof path[next], "/tmp/luft-ownership-%d%s", (int)getpid(), ending);
    return path[next];
}

static void test_one_owner(void **state) {
    (void)state;
    const char *path = test_path("");
    int handle, other;
    unlink(path);
    assert_ok(ownership_check_free(path));
    assert_ok(ownership_take(path, 0, &handle));
    assert_fails(ownership_take(path, 0, &other), "is being written by another luft-lab");
    assert_fails(ownership_check_free(path), "is being written by another luft-lab");
    close(handle);
    assert_ok(ownership_check_free(path));
    assert_ok(ownership_take(path, 0, &handle));
    close(handle);
    unlink(path);
    assert_fails(ownership_take("/no/such/folder/file", 0, &handle), "No such file");
    assert_ok(ownership_take("/dev/null", 0, &handle)); /* belongs to nobody */
    assert_ok(ownership_take("/dev/null", 0, &other));
    close(handle);
    close(other);
}

/* A process that was killed keeps its locks until the system has ended it. */
static void test_an_owner_that_is_ending(void **state) {
    (void)state;
    const char *path = test_path("");
    int handle, ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const Status status = ownership_take(path, 0, &handle);
        const bool sent = status_is_ok(&status) && write(ready[1], "", 1) == 1;
        clock_sleep_milliseconds(100);
        _exit(sent ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_ok(ownership_take(path, 0, &handle));
    close(handle);
    close(ready[0]);
    close(ready[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    unlink(path);
}

static void test_a_file_that_lost_its_name(void **state) {
    (void)state;
    const char *path = test_path("");
    int handle;
    assert_ok(ownership_take(path, 0, &handle));
    assert_ok(ownership_check(path, handle));
    assert_ok(file_write(path, "new", 3)); /* written aside and renamed */
    assert_fails(ownership_check(path, handle), "was removed or replaced");
    unlink(path);
    assert_fails(ownership_check(path, handle), "was removed or replaced");
    close(handle);
}

static void test_an_output_is_no_input(void **state) {
    (void)state;
    const char *path = test_path(""), *link_path = test_path(".link");
    assert_ok(file_write(path, "x", 1));
    unlink(link_path);
    assert_int_equal(symlink(path, link_path), 0);
    const char *const inputs[] = {NULL, "-", "/dev/null", path};
    assert_fails(ownership_check_inputs(path, inputs, 4), "is also an input");
    assert_fails(ownership_check_inputs(link_path, inputs, 4), "is also an input");
    assert_ok(ownership_check_inputs(path, inputs, 3));
    assert_ok(ownership_check_inputs(NULL, inputs, 4));
    assert_ok(ownership_check_inputs("/dev/null", inputs, 4));
    assert_ok(ownership_check_inputs("/no/such/file", inputs, 4));
    unlink(link_path);
    unlink(path);
}

static void test_nothing_foreign_is_overwritten(void **state) {
    (void)state;
    const char *path = test_path("");
    assert_ok(file_write(path, "thesis", 6));
    assert_fails(ownership_check_kind(path, "Luft", 4, "a network"),
                 "is there already, and is not a network");
    assert_fails(ownership_check_kind(path, "thesis, long", 12, "a network"), "is not a network");
    assert_ok(ownership_check_kind(path, "thes", 4, "a thesis"));
    assert_ok(file_write(path, "", 0));
    assert_ok(ownership_check_kind(path, "Luft", 4, "a network"));
    unlink(path);
    assert_ok(ownership_check_kind(path, "Luft", 4, "a network"));
    assert_fails(ownership_check_kind("/tmp", "Luft", 4, "a network"), "it is a folder");
    assert_ok(ownership_check_kind("/dev/null", "Luft", 4, "a network"));
}

/* Each is kept under a name of its own, and none overwrites an earlier one. */
static void test_old_files_are_set_aside(void **state) {
    (void)state;
    static const char *const NAMES[] = {"", ".old", ".old2"};
    char path[64], aside[80];
    text_format(path, sizeof path, "/tmp/luft-aside-%d", (int)getpid());
    assert_ok(ownership_set_aside(path)); /* there is none */
    for (int i = 0; i < 3; i++) {
        assert_ok(file_write(path, NAMES[i], strlen(NAMES[i])));
        if (i < 2) assert_ok(ownership_set_aside(path));
    }
    int handle;
    assert_ok(ownership_take(path, 0, &handle));
    assert_fails(ownership_set_aside(path), "is being written by another luft-lab");
    close(handle);
    static const int SIZES[] = {5, 0, 4}; /* the last, the first, the second */
    for (int i = 0; i < 3; i++) {
        text_format(aside, sizeof aside, "%s%s", path, NAMES[i]);
        assert_int_equal(file_size(aside), SIZES[i]);
        unlink(aside);
    }
}

static void test_a_folder_is_set_aside_unless_one_of_its_files_is_written(void **state) {
    (void)state;
    char folder[64], path[80], aside[80];
    text_format(folder, sizeof folder, "/tmp/luft-folder-%d", (int)getpid());
    text_format(path, sizeof path, "%s/journal", folder);
    text_format(aside, sizeof aside, "%s.old/journal", folder);
    assert_ok(file_make_folder(folder));
    int handle;
    assert_ok(ownership_take(path, 0, &handle));
    assert_fails(ownership_set_aside(folder), "journal is being written by another luft-lab");
    close(handle);
    assert_ok(ownership_set_aside(folder));
    assert_int_equal(file_size(path), -1);
    assert_int_equal(file_size(aside), 0);
    unlink(aside);
    text_format(aside, sizeof aside, "%s.old", folder);
    rmdir(aside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_owner),
        cmocka_unit_test(test_an_owner_that_is_ending),
        cmocka_unit_test(test_a_file_that_lost_its_name),
        cmocka_unit_test(test_an_output_is_no_input),
        cmocka_unit_test(test_nothing_foreign_is_overwritten),
        cmocka_unit_test(test_old_files_are_set_aside),
        cmocka_unit_test(test_a_folder_is_set_aside_unless_one_of_its_files_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
