/* The identity of an engine program: a hash of its file. */
#include "lab/client/identity.h"

#include "base/file.h"
#include "test_support.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *identity(const char *command, const char *folder) {
    static EngineConfig config;
    static char text[2][IDENTITY_CAPACITY];
    static int next;
    next = 1 - next;
    text_copy(text_view(command), config.command, sizeof config.command);
    text_copy(text_view(folder), config.folder, sizeof config.folder);
    assert_true(identity_of(&config, text[next]));
    return text[next];
}

static void test_content_is_what_counts(void **state) {
    (void)state;
    char path[64], name[64];
    text_format(name, sizeof name, "./luft-identity-%d", (int)getpid());
    text_format(path, sizeof path, "/tmp/%s", name + 2);
    assert_ok(file_write(path, "#!/bin/sh\n", 10));
    char first[IDENTITY_CAPACITY];
    text_copy(text_view(identity(path, "")), first, sizeof first);
    assert_non_null(strstr(first, ", 10 bytes"));
    assert_string_equal(identity(path, ""), first);
    assert_string_equal(identity(name, "/tmp"), first); /* a relative path in its folder */
    assert_ok(file_write(path, "#!/bin/ss\n", 10));
    assert_string_not_equal(identity(path, ""), first);
    unlink(path);
    assert_string_equal(identity(path, ""), "a program that cannot be read");
}

static void test_a_name_is_looked_up(void **state) {
    (void)state;
    assert_non_null(strstr(identity("sh", ""), " bytes"));
    assert_string_equal(identity("no-such-program-at-all", ""), "a program that cannot be read");
}

static const char *appended(const char *name, const char *folder, const char *value) {
    static TextBuffer text;
    EngineConfig config = {0};
    EngineOption option = {0};
    buffer_clear(&text);
    text_copy(text_view(folder), config.folder, sizeof config.folder);
    text_copy(text_view(name), option.name, sizeof option.name);
    text_copy(text_view(value), option.value, sizeof option.value);
    assert_true(identity_append_option(&config, &option, &text));
    return buffer_string(&text);
}

static void test_a_network_is_its_content(void **state) {
    (void)state;
    char path[64], first[IDENTITY_CAPACITY];
    text_format(path, sizeof path, "/tmp/luft-identity-%d.nnue", (int)getpid());
    assert_ok(file_write(path, "weights", 7));
    text_copy(text_view(appended("evalfile", "", path)), first, sizeof first);
    assert_non_null(strstr(first, ", 7 bytes)"));
    assert_string_equal(appended("EvalFile", "/tmp", path + 5), first); /* the engine starts in its folder */
    assert_string_equal(appended("Debug Log File", "", path), "");      /* the engine may write this file */
    assert_ok(file_write(path, "Weights", 7));
    assert_string_not_equal(appended("EvalFile", "", path), first);
    unlink(path);
    assert_string_equal(appended("EvalFile", "", path), "");
    assert_string_equal(appended("EvalFile", "", "/tmp"), "");
    assert_string_equal(appended("EvalFile", "", "<default>"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_content_is_what_counts),
                                       cmocka_unit_test(test_a_name_is_looked_up),
                                       cmocka_unit_test(test_a_network_is_its_content)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
