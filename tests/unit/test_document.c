/* The forms of a document: rows that fit a terminal, with or without colours, and JSON. */
#include "engine/document.h"

#include "test_support.h"

static void assert_put(const char *text, size_t width, int indent, DocumentForm form, const char *expected) {
    TextBuffer out = {0};
    Document document = {.out = &out, .form = form, .width = width};
    document_put(&document, STYLE_BAD, indent, text);
    document_row(&document);
    assert_string_equal(buffer_string(&out), expected);
    buffer_release(&out);
}

static void rows_are_broken_at_spaces(void **state) {
    (void)state;
    assert_put("one two three", 7, 2, DOCUMENT_PLAIN, "one two\n  three\n");
    assert_put("alongwordthatfitsnowhere x", 5, 0, DOCUMENT_PLAIN, "alongwordthatfitsnowhere\nx\n");
    assert_put("für übel", 8, 0, DOCUMENT_PLAIN, "für übel\n"); /* columns, not bytes */
}

static void colors_take_no_room(void **state) {
    (void)state;
    assert_put("one two three", 7, 0, DOCUMENT_COLORS, "\033[31mone two\nthree\033[0m\n");
}

static void words_and_cells_continue_a_row(void **state) {
    (void)state;
    TextBuffer out = {0};
    Document document = {.out = &out, .width = 12, .prefix = "info "};
    document_row(&document); /* a row with a prefix is never empty */
    document_cell(&document, STYLE_NORMAL, -4, "%s", "a");
    document_cell(&document, STYLE_NORMAL, 3, "%d", 12);
    document_put(&document, STYLE_NORMAL, 2, "bcd ef");
    document_row(&document);
    assert_string_equal(buffer_string(&out), "info a    12 bcd\ninfo   ef\n");
    buffer_release(&out);
}

static void an_object_has_its_commas(void **state) {
    (void)state;
    TextBuffer out = {0};
    Document document = {.out = &out, .form = DOCUMENT_JSON};
    document_object(&document, NULL);
    document_int(&document, "n", -3);
    document_list(&document, "list");
    document_sentence(&document, STYLE_GOOD, "a \"b\"\\\n");
    document_object(&document, NULL);
    document_object_end(&document);
    document_string(&document, NULL, NULL);
    document_list_end(&document);
    document_real(&document, "x", 0.25, 2);
    document_bool(&document, "y", true);
    document_put(&document, STYLE_NORMAL, 0, "not in JSON");
    document_cell(&document, STYLE_NORMAL, 5, "not in JSON");
    document_row(&document);
    document_object_end(&document);
    assert_string_equal(buffer_string(&out),
                        "{\"n\":-3,\"list\":[\"a \\\"b\\\"\\\\\\u000a\",{},null],\"x\":0.25,\"y\":true}");
    buffer_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_broken_at_spaces),
        cmocka_unit_test(colors_take_no_room),
        cmocka_unit_test(words_and_cells_continue_a_row),
        cmocka_unit_test(an_object_has_its_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
