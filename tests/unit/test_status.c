#include "test_support.h"

#include <errno.h>

static void success_has_no_reason(void **state) {
    (void)state;
    Status status = status_ok();
    assert_true(status_is_ok(&status));
    assert_string_equal(status.reason, "");
}

static void error_formats_its_reason(void **state) {
    (void)state;
    Status status = status_error("move %d of %s", 12, "Black");
    assert_false(status_is_ok(&status));
    assert_string_equal(status.reason, "move 12 of Black");
}

static void error_is_cut_at_the_capacity(void **state) {
    (void)state;
    char text[2 * STATUS_CAPACITY];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    Status status = status_error("%s", text);
    assert_int_equal(strlen(status.reason), STATUS_CAPACITY - 1);
    errno = ENOENT;
    status = status_system_error("%s", text);
    assert_int_equal(strlen(status.reason), STATUS_CAPACITY - 1);
    assert_non_null(strstr(status.reason, "...: No such file or directory"));
}

static void foreign_text_in_a_reason_is_harmless(void **state) {
    (void)state;
    char text[STATUS_CAPACITY + 1];
    Status status = status_error("'%s' is no file", "a\n\x1b[31m\xC3\xA9\xE2\x80\xAE");
    assert_string_equal(status.reason, "'a\\x0a\\x1b[31m\xC3\xA9\\xe2\\x80\\xae' is no file");
    /* A character that does not fit is left out as a whole. */
    memset(text, 'a', sizeof text);
    memcpy(text + STATUS_CAPACITY - 2, "\xC3\xA9", 3);
    status = status_error("%s", text);
    assert_int_equal(strlen(status.reason), STATUS_CAPACITY - 2);
}

static void system_error_names_the_cause(void **state) {
    (void)state;
    errno = ENOENT;
    Status status = status_system_error("cannot open %s", "book.epd");
    assert_string_equal(status.reason, "cannot open book.epd: No such file or directory");
}

static void a_lack_of_memory_names_the_purpose(void **state) {
    (void)state;
    Status status = status_no_memory("a hash of %d MB", 64);
    assert_string_equal(status.reason, "not enough memory for a hash of 64 MB");
    assert_int_equal(status.kind, STATUS_NO_MEMORY);
    assert_false(status_is_ok(&status));
    status = status_error("not enough memory for x");
    assert_int_equal(status.kind, STATUS_ERROR);
}

static void empty_reason_is_still_an_error(void **state) {
    (void)state;
    Status status = status_error("%s", "");
    assert_false(status_is_ok(&status));
}

static void a_warning_grows_by_sentences(void **state) {
    (void)state;
    Status warning = status_ok();
    status_append(&warning, status_ok());
    assert_true(status_is_ok(&warning));
    status_append(&warning, status_error("the first"));
    status_append(&warning, status_ok());
    status_append(&warning, status_error("the second"));
    assert_string_equal(warning.reason, "the first; the second");
    status_append(NULL, warning);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_has_no_reason),
        cmocka_unit_test(error_formats_its_reason),
        cmocka_unit_test(error_is_cut_at_the_capacity),
        cmocka_unit_test(foreign_text_in_a_reason_is_harmless),
        cmocka_unit_test(system_error_names_the_cause),
        cmocka_unit_test(a_lack_of_memory_names_the_purpose),
        cmocka_unit_test(empty_reason_is_still_an_error),
        cmocka_unit_test(a_warning_grows_by_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
