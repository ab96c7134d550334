/* Text for a terminal: rows that fit, marks that become colours or nothing. */
#include "engine/wrap.h"

#include "test_support.h"

static void assert_set(const char *text, size_t width, int indent, bool color, const char *expected) {
    TextBuffer wrapped = {0}, painted = {0};
    wrap_append(&wrapped, text_view(text), width, indent);
    paint_append(&painted, buffer_view(&wrapped), color);
    assert_string_equal(buffer_string(&painted), expected);
    buffer_release(&wrapped);
    buffer_release(&painted);
}

static void rows_are_broken_at_blanks(void **state) {
    (void)state;
    assert_set("one two three\nfour\n", 7, 2, false, "one two\n  three\nfour\n");
    assert_set("  begins further right", 12, 4, false, "  begins\n    further\n    right\n");
    assert_set("alongwordthatfitsnowhere x", 5, 0, false, "alongwordthatfitsnowhere\nx\n");
}

static void marks_take_no_room(void **state) {
    (void)state;
    assert_set(PAINT_BAD "one two" PAINT_END " three", 7, 0, false, "one two\nthree\n");
    assert_set(PAINT_BAD "one two" PAINT_END " three", 7, 0, true, "\033[31mone two\033[0m\nthree\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_broken_at_blanks),
        cmocka_unit_test(marks_take_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
