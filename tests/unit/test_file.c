#include "base/file.h"

#include "test_support.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[240];

/* A path in this test's folder; valid until the next call. */
static const char *path_of(const char *name) {
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int count_entries(void) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    while (readdir(directory) != NULL) count++;
    closedir(directory);
    return count - 2;
}

static void assert_content(const char *name, const char *expected) {
    TextBuffer content = {0};
    assert_ok(file_read(path_of(name), &content));
    assert_string_equal(buffer_string(&content), expected);
    buffer_release(&content);
}

static void written_files_are_read_back_and_replaced(void **state) {
    (void)state;
    assert_int_equal(file_size(path_of("a")), -1);
    assert_ok(file_write(path_of("a"), "first", 5));
    assert_content("a", "first");
    assert_ok(file_write(path_of("a"), "second one", 10));
    assert_content("a", "second one");
    assert_int_equal(file_size(path_of("a")), 10);
    assert_int_equal(count_entries(), 1);
    unlink(path_of("a"));
}

static void reading_appends(void **state) {
    (void)state;
    assert_ok(file_write(path_of("a"), "tail", 4));
    TextBuffer content = {0};
    buffer_append_string(&content, "head ");
    assert_ok(file_read(path_of("a"), &content));
    assert_string_equal(buffer_string(&content), "head tail");
    buffer_release(&content);
    unlink(path_of("a"));
}

static void large_and_empty_files(void **state) {
    (void)state;
    const size_t size = 3000001;
    char *data = malloc(size);
    assert_non_null(data);
    for (size_t i = 0; i < size; i++) data[i] = (char)(i * 7);
    assert_ok(file_write(path_of("large"), data, size));
    TextBuffer content = {0};
    assert_ok(file_read(path_of("large"), &content));
    assert_int_equal(content.length, size);
    assert_memory_equal(content.data, data, size);
    buffer_release(&content);
    free(data);
    unlink(path_of("large"));
    assert_ok(file_write(path_of("empty"), "", 0));
    assert_int_equal(file_size(path_of("empty")), 0);
    unlink(path_of("empty"));
}

static void reasons_name_path_and_cause(void **state) {
    (void)state;
    TextBuffer content = {0};
    assert_fails(file_read("/nowhere/book.epd", &content), "/nowhere/book.epd: No such file");
    assert_fails(file_read(folder, &content), "Is a directory");
    assert_fails(file_write("/nowhere/book.epd", "x", 1), "/nowhere/book.epd: No such file");
    assert_fails(file_write(folder, "x", 1), "folder");
    assert_int_equal(content.length, 0);
    buffer_release(&content);
}

/* A file-size limit simulates a full disk. */
static void failed_write_keeps_the_old_file(void **state) {
    (void)state;
    assert_ok(file_write(path_of("a"), "precious", 8));
    struct rlimit old, tight;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = (struct rlimit){.rlim_cur = 4096, .rlim_max = old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    static const char data[10000] = {0};
    Status status = file_write(path_of("a"), data, sizeof data);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    assert_fails(status, "File too large");
    assert_content("a", "precious");
    assert_int_equal(count_entries(), 1);
    unlink(path_of("a"));
}

static void devices_are_not_replaced(void **state) {
    (void)state;
    assert_ok(file_write("/dev/null", "x", 1));
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void a_link_stays_and_its_file_is_replaced(void **state) {
    (void)state;
    char link[512];
    assert_ok(file_write(path_of("real"), "old", 3));
    text_format(link, sizeof link, "%s", path_of("link"));
    assert_int_equal(symlink("real", link), 0);
    assert_ok(file_write(link, "new", 3));
    assert_content("real", "new");
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    unlink(link);
    unlink(path_of("real"));
}

static void a_device_without_an_end_is_not_read(void **state) {
    (void)state;
    TextBuffer content = {0};
    if (access("/dev/zero", R_OK) == 0) assert_fails(file_read("/dev/zero", &content), "no end");
    assert_ok(file_read("/dev/null", &content));
    assert_int_equal(content.length, 0);
    buffer_release(&content);
}

static void mode_of_a_replaced_file_is_kept(void **state) {
    (void)state;
    assert_ok(file_write(path_of("a"), "x", 1));
    assert_int_equal(chmod(path_of("a"), 0600), 0);
    assert_ok(file_write(path_of("a"), "y", 1));
    struct stat info;
    assert_int_equal(stat(path_of("a"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    const mode_t before = umask(022);
    assert_int_equal(chmod(path_of("a"), 0666), 0); /* more than the mask lets a new file have */
    assert_ok(file_write(path_of("a"), "z", 1));
    umask(before);
    assert_int_equal(stat(path_of("a"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0666);
    unlink(path_of("a"));
}

/* A name that can be guessed may be a link that somebody else made. */
static void names_of_new_files_cannot_be_guessed(void **state) {
    (void)state;
    char names[2][FILE_PATH_CAPACITY];
    for (int i = 0; i < 2; i++) {
        NewFile file;
        assert_ok(new_file_begin(&file, path_of("a")));
        text_format(names[i], sizeof names[i], "%s", file.temporary);
        assert_int_equal(strncmp(file.temporary, folder, strlen(folder)), 0);
        assert_ok(new_file_add(&file, "part", 4));
        assert_int_equal(count_entries(), 1);
        assert_int_equal(file_size(path_of("a")), -1);
        assert_fails(new_file_end(&file, status_error("no %s: stopped", file.temporary)), "/a: stopped");
        assert_int_equal(count_entries(), 0);
    }
    assert_string_not_equal(names[0], names[1]);
}

static void a_name_of_any_length_can_be_written(void **state) {
    (void)state;
    char name[256];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_ok(file_write(path_of(name), "x", 1));
    assert_content(name, "x");
    unlink(path_of(name));
    char *path = malloc(2 * FILE_PATH_CAPACITY);
    assert_non_null(path);
    memset(path, 'n', 2 * FILE_PATH_CAPACITY - 1);
    path[2 * FILE_PATH_CAPACITY - 1] = '\0';
    assert_fails(file_write(path, "x", 1), "too long");
    free(path);
}

static void folders_are_made_with_their_parents(void **state) {
    (void)state;
    assert_ok(file_make_folder(path_of("x/y/z")));
    assert_ok(file_make_folder(path_of("x/y/z/")));
    assert_ok(file_write(path_of("x/y/z/f"), "1", 1));
    assert_fails(file_make_folder(path_of("x/y/z/f/g")), "x/y/z/f");
    assert_fails(file_make_folder(""), "without a name");
    assert_ok(file_remove(path_of("x/y/z/f")));
    assert_ok(file_remove(path_of("x/y/z/f"))); /* it no longer exists */
    assert_int_equal(file_size(path_of("x/y/z/f")), -1);
    assert_fails(file_remove(path_of("x/y")), "cannot delete");
    rmdir(path_of("x/y/z"));
    rmdir(path_of("x/y"));
    rmdir(path_of("x"));
}

static int make_test_folder(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.200s/luft-test-XXXXXX", base == NULL ? "/tmp" : base);
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_test_folder(void **state) {
    (void)state;
    return rmdir(folder); /* fails if a test left files */
}

static void a_check_leaves_no_file(void **state) {
    (void)state;
    assert_ok(file_write(path_of("old"), "old", 3));
    const int before = count_entries();
    assert_ok(file_check_writable(path_of("old")));
    assert_ok(file_check_writable(path_of("new")));
    assert_fails(file_check_writable(folder), "it is a folder");
    assert_fails(file_check_writable("/nonexistent/new"), "/nonexistent/new: No such file or directory");
    assert_int_equal(count_entries(), before);
    assert_content("old", "old");
    unlink(path_of("old"));
}

/* Root may write all files, so the child is another user. */
static void a_write_protected_file_is_not_replaced(void **state) {
    (void)state;
    assert_ok(file_write(path_of("a"), "old", 3));
    assert_int_equal(chmod(path_of("a"), 0444), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0) _exit(2);
        const Status status = file_write(path_of("a"), "new", 3);
        _exit(strstr(status.reason, "Permission denied") != NULL);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 1);
    assert_content("a", "old");
    unlink(path_of("a"));
}

static bool is_pending(int number) {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
}

static void signals_wait_until_the_file_is_whole(void **state) {
    (void)state;
    NewFile file;
    sigset_t blocked;
    assert_ok(new_file_begin(&file, path_of("a")));
    raise(SIGTERM);
    assert_true(is_pending(SIGTERM));
    assert_ok(new_file_add(&file, "all", 3));
    void (*before)(int) = signal(SIGTERM, SIG_IGN); /* which drops it */
    assert_ok(new_file_end(&file, status_ok()));
    signal(SIGTERM, before);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &blocked), 0);
    assert_int_equal(sigismember(&blocked, SIGTERM), 0);
    assert_content("a", "all");
    unlink(path_of("a"));
}

static void names_of_one_file_are_the_same(void **state) {
    (void)state;
    char other[300];
    assert_ok(file_write(path_of("one"), "1", 1));
    snprintf(other, sizeof other, "%s/./one", folder);
    assert_true(file_is_same(path_of("one"), other));
    assert_false(file_is_same(path_of("two"), other));
    assert_ok(file_write(path_of("two"), "1", 1));
    assert_false(file_is_same(path_of("two"), other));
    unlink(path_of("one"));
    unlink(path_of("two"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_files_are_read_back_and_replaced),
        cmocka_unit_test(reading_appends),
        cmocka_unit_test(large_and_empty_files),
        cmocka_unit_test(a_check_leaves_no_file),
        cmocka_unit_test(names_of_one_file_are_the_same),
        cmocka_unit_test(a_write_protected_file_is_not_replaced),
        cmocka_unit_test(signals_wait_until_the_file_is_whole),
        cmocka_unit_test(reasons_name_path_and_cause),
        cmocka_unit_test(failed_write_keeps_the_old_file),
        cmocka_unit_test(devices_are_not_replaced),
        cmocka_unit_test(a_link_stays_and_its_file_is_replaced),
        cmocka_unit_test(a_device_without_an_end_is_not_read),
        cmocka_unit_test(mode_of_a_replaced_file_is_kept),
        cmocka_unit_test(names_of_new_files_cannot_be_guessed),
        cmocka_unit_test(a_name_of_any_length_can_be_written),
        cmocka_unit_test(folders_are_made_with_their_parents),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
