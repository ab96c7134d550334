#include "base/text.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "test_support.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

static TextView view(const char *string) { return text_view(string); }

static void words_are_split_at_any_white_space(void **state) {
    (void)state;
    TextView rest = view(" \tposition\r\n startpos\v\fmoves ");
    assert_true(text_equals(text_next_word(&rest), "position"));
    assert_true(text_equals(text_next_word(&rest), "startpos"));
    assert_true(text_equals(text_next_word(&rest), "moves"));
    assert_true(text_is_empty(text_next_word(&rest)));
    assert_true(text_is_empty(text_next_word(&rest)));
    TextView nothing = view(NULL);
    assert_true(text_is_empty(text_next_word(&nothing)));
}

static void lines_end_in_lf_or_crlf(void **state) {
    (void)state;
    TextView rest = view("one\r\n\ntwo\rx\nlast"), line;
    assert_true(text_next_line(&rest, &line) && text_equals(line, "one"));
    assert_true(text_next_line(&rest, &line) && text_equals(line, ""));
    assert_true(text_next_line(&rest, &line) && text_equals(line, "two\rx"));
    assert_true(text_next_line(&rest, &line) && text_equals(line, "last"));
    assert_false(text_next_line(&rest, &line));
}

static void trim_and_comparisons(void **state) {
    (void)state;
    assert_true(text_equals(text_trim(view("  a b\t\n")), "a b"));
    assert_true(text_is_empty(text_trim(view(" \n "))));
    assert_true(text_equals_ignore_case(view("mOvE oVerhead"), "Move Overhead"));
    assert_false(text_equals_ignore_case(view("Move"), "Move Overhead"));
    assert_false(text_equals(view("move"), "Move"));
    assert_true(text_starts_with(view("bookish"), "book"));
    assert_false(text_starts_with(view("boo"), "book"));
    assert_true(text_starts_with(view(NULL), ""));
}

static bool is_int64(const char *string, int64_t expected) {
    int64_t value = 42;
    return text_parse_int64(view(string), &value) && value == expected;
}

static bool is_no_int64(const char *string) {
    int64_t value = 42;
    return !text_parse_int64(view(string), &value) && value == 42;
}

static void signed_numbers_are_read_strictly(void **state) {
    (void)state;
    assert_true(is_int64("0", 0) && is_int64("-0", 0) && is_int64("+7", 7) && is_int64("0012", 12));
    assert_true(is_int64("9223372036854775807", INT64_MAX));
    assert_true(is_int64("-9223372036854775808", INT64_MIN));
    const char *bad[] = {"",
                         "-",
                         "+",
                         "1 ",
                         " 1",
                         "1.0",
                         "0x10",
                         "--1",
                         "9223372036854775808",
                         "-9223372036854775809",
                         "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_true(is_no_int64(bad[i]));
}

static void unsigned_numbers_reach_their_maximum(void **state) {
    (void)state;
    uint64_t value = 42;
    assert_true(text_parse_uint64(view("18446744073709551615"), &value) && value == UINT64_MAX);
    assert_false(text_parse_uint64(view("18446744073709551616"), &value));
    assert_false(text_parse_uint64(view("-1"), &value));
    assert_int_equal(value, UINT64_MAX);
}

static bool is_double(const char *string, double expected) {
    double value = 42.0;
    return text_parse_double(view(string), &value) && value == expected;
}

static void decimals_are_read_strictly(void **state) {
    (void)state;
    assert_true(is_double("0.1", 0.1) && is_double("-2.5e3", -2500.0) && is_double(".5", 0.5));
    assert_true(is_double("7.", 7.0) && is_double("1E-2", 0.01) && is_double("+3", 3.0));
    const char *bad[] = {"",    ".",     "-",  "e5", "1e",  "1e+",   "inf",
                         "nan", "0x1p3", " 1", "1 ", "1,5", "1e999", "1.2.3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(is_double(bad[i], 0) || is_double(bad[i], 8));
    double value = 42.0;
    assert_false(text_parse_double(view("1e999"), &value));
    assert_true(value == 42.0);
}

static void whole_numbers_are_rounded(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } CASES[] = {{"12", 12},
                 {"-12.5", -13},
                 {"12,4", 12},
                 {"1e3", 1000},
                 {"+.6", 1},
                 {"99999999999999999999", INT64_MAX},
                 {"-1e30", INT64_MIN},
                 {"1e999", INT64_MAX},
                 {"-0.5", -1},
                 {"0.49999999999999999999", 0},
                 {"9.5", 10},
                 {"999.5e-1", 100},
                 {"0.0001e5", 10},
                 {".25E+1", 3},
                 {"7.", 7},
                 {"5e-1", 1},
                 {"4e-1", 0},
                 {"9e-2", 0},
                 {"1e-99999999999999999999", 0},
                 {"0e99999999999999999999", 0},
                 {"9007199254740993.0", 9007199254740993},
                 {"9223372036854775806.5", INT64_MAX},
                 {"-9223372036854775807.4", -INT64_MAX},
                 {"-9223372036854775807.5", INT64_MIN},
                 {"92233720368547758070e-1", INT64_MAX}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int64_t value = 7;
        assert_true(text_parse_rounded(view(CASES[i].text), &value));
        assert_true(value == CASES[i].value);
    }
    int64_t value = 7;
    static const char *const BAD[] = {"",  "x", "1,2,3", "1,000.5", "inf", "nan",  "0x10", "1 2",
                                      ".", ",", "1e",    "e5",      "1e+", "1.5x", "-",    "1e1.5"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(text_parse_rounded(view(BAD[i]), &value));
    assert_int_equal(value, 7);
}

static void decimals_ignore_the_locale(void **state) {
    (void)state;
    /* Without such a locale the test only checks the plain case. */
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL) setlocale(LC_NUMERIC, "fr_FR.UTF-8");
    assert_true(is_double("0.25", 0.25));
    assert_false(is_double("0,25", 0.25));
    char out[8];
    text_format(out, sizeof out, "%.2f", 0.25);
    assert_string_equal(out, "0.25");
    setlocale(LC_NUMERIC, "C");
}

static void copies_are_cut_and_terminated(void **state) {
    (void)state;
    char out[5];
    assert_int_equal(text_copy(view("abcdefgh"), out, sizeof out), 4);
    assert_string_equal(out, "abcd");
    assert_int_equal(text_copy(view("ab"), out, sizeof out), 2);
    assert_string_equal(out, "ab");
    assert_int_equal(text_format(out, sizeof out, "%d", 1234567), 4);
    assert_string_equal(out, "1234");
    assert_int_equal(text_copy(view("ab"), NULL, 0), 0);
}

static void printable_copies_are_cut_at_a_character(void **state) {
    (void)state;
    static const struct {
        const char *text, *shown;
    } CASES[] = {
        {"abcdefgh", "abcdefgh"},
        {"abcdefghi", "abcde..."},
        {"a\x1b[b", "a\\x1b[b"},
        {"a\x1b\xff", "a\\x1b..."},
        {"abcd\xC3\xA9\xC3\xA9", "abcd\xC3\xA9\xC3\xA9"},
        {"abcd\xC3\xA9\xC3\xA9i", "abcd..."}, /* no half character */
        {"\x1b\x1b\x1b", "\\x1b..."},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char out[9];
        assert_int_equal(text_copy_printable(view(CASES[i].text), out, sizeof out), strlen(CASES[i].shown));
        assert_string_equal(out, CASES[i].shown);
    }
}

static void buffer_grows_and_keeps_its_memory(void **state) {
    (void)state;
    TextBuffer buffer = {0};
    assert_string_equal(buffer_string(&buffer), "");
    for (int i = 0; i < 1000; i++) buffer_append_format(&buffer, "%d,", i);
    buffer_append_string(&buffer, "end");
    buffer_append_char(&buffer, '.');
    assert_int_equal(buffer.length, 10 * 2 + 90 * 3 + 900 * 4 + 4);
    assert_string_equal(buffer_string(&buffer) + buffer.length - 8, "999,end.");
    assert_int_equal(strlen(buffer_string(&buffer)), buffer.length);
    /* After a failed append, later ones are dropped, too: the text has no hole. */
    const size_t length = buffer.length;
    buffer_append(&buffer, (TextView){"", SIZE_MAX / 2});
    buffer_append_char(&buffer, '!');
    assert_true(buffer.failed);
    assert_int_equal(buffer.length, length);
    buffer.failed = false;
    const size_t capacity = buffer.capacity;
    buffer_clear(&buffer);
    assert_string_equal(buffer_string(&buffer), "");
    assert_int_equal(buffer.capacity, capacity);
    buffer_release(&buffer);
    assert_null(buffer.data);
}

static void buffer_survives_a_lack_of_memory(void **state) {
    (void)state;
    TextBuffer buffer = {0};
    buffer_append_string(&buffer, "kept");
    buffer_append(&buffer, (TextView){"x", SIZE_MAX / 2}); /* refused before a byte of it is read */
    assert_true(buffer.failed);
    assert_string_equal(buffer_string(&buffer), "kept");
    buffer_release(&buffer);
}

static void lines_of_any_length_are_read(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    for (int i = 0; i < 1 << 20; i++) putc('a', file);
    fputs("\r\n\nlast", file);
    rewind(file);
    TextBuffer line = {0};
    assert_true(buffer_read_line(&line, SIZE_MAX, file));
    assert_int_equal(line.length, 1 << 20);
    assert_true(buffer_read_line(&line, SIZE_MAX, file));
    assert_int_equal(line.length, 0);
    assert_true(buffer_read_line(&line, SIZE_MAX, file));
    assert_string_equal(buffer_string(&line), "last");
    assert_false(buffer_read_line(&line, SIZE_MAX, file));
    buffer_release(&line);
    fclose(file);
}

static void what_a_line_has_too_much_is_dropped(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs("12345\n123456789\nnext\n", file);
    rewind(file);
    TextBuffer line = {0};
    assert_true(buffer_read_line(&line, 5, file));
    assert_string_equal(buffer_string(&line), "12345");
    assert_false(line.failed);
    assert_true(buffer_read_line(&line, 5, file));
    assert_string_equal(buffer_string(&line), "12345");
    assert_true(line.failed);
    assert_true(buffer_read_line(&line, 5, file));
    assert_string_equal(buffer_string(&line), "next");
    assert_false(line.failed);
    buffer_release(&line);
    fclose(file);
}

static void a_string_of_json_has_its_escapes(void **state) {
    (void)state;
    static const struct {
        const char *text, *json;
    } CASES[] = {
        {"", "\"\""},
        {"a \"b\" \\ /", "\"a \\\"b\\\" \\\\ /\""},
        {"\x1b[1m\n\x7f", "\"\\u001b[1m\\u000a\\u007f\""},
        {"\xC3\xA9 \xF0\x9F\x99\x82", "\"\xC3\xA9 \xF0\x9F\x99\x82\""},
        {"\xE2\x80\xAE\xF3\xA0\x81\x81", "\"\\u202e\\udb40\\udc41\""}, /* direction of text, a tag */
        {"M\xFCller", "\"M\\ufffdller\""},                             /* not UTF-8 */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        TextBuffer json = {0};
        buffer_append_json(&json, text_view(CASES[i].text));
        assert_string_equal(buffer_string(&json), CASES[i].json);
        buffer_release(&json);
    }
}

static void hash_is_the_hash_of_the_bytes(void **state) {
    (void)state;
    assert_true(text_hash(text_view("")) == bytes_hash("", 0));
    assert_true(text_hash(text_view("foobar")) == bytes_hash("foobar", 6));
}

static void duplicate_ends_where_the_view_ends(void **state) {
    (void)state;
    char *copy = text_duplicate((TextView){"knights", 6});
    assert_string_equal(copy, "knight");
    memory_release(copy);
}

static void a_cut_leaves_no_incomplete_character(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t cut, whole;
    } CASES[] = {
        {"abc", 3, 3},
        {"a\xC3\xA9", 3, 3},
        {"a\xC3\xA9", 2, 1},
        {"a\xE2\x82\xAC", 3, 1},
        {"a\xE2\x82\xAC", 2, 1},
        {"\xF0\x9F\x99\x82", 4, 4},
        {"\xF0\x9F\x99\x82", 3, 0},
        {"\x80\x80", 2, 2}, /* not UTF-8 */
        {"", 0, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        assert_int_equal(text_whole_characters(CASES[i].text, CASES[i].cut), CASES[i].whole);
}

static void foreign_text_is_made_harmless(void **state) {
    (void)state;
    static const struct {
        const char *text, *shown;
    } CASES[] = {
        {"", ""},
        {"plain <&>", "plain <&>"},
        {"\x1b]0;x\x07\n\x7f", "\\x1b]0;x\\x07\\x0a\\x7f"},
        {"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x99\x82", "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x99\x82"},
        {"\xC2\x9B"
         "x",
         "\\xc2\\x9bx"},                                                /* a C1 control character */
        {"\xC0\xAF\xE0\x80\xAF", "\\xc0\\xaf\\xe0\\x80\\xaf"},          /* overlong */
        {"\xED\xA0\x80", "\\xed\\xa0\\x80"},                            /* a surrogate */
        {"\xE2\x80\xAE\xD8\x9C", "\\xe2\\x80\\xae\\xd8\\x9c"},          /* direction of text */
        {"\xE2\x80\xA8\xE2\x80\x8B", "\\xe2\\x80\\xa8\\xe2\\x80\\x8b"}, /* end of line, no width */
        {"\xF4\x90\x80\x80\xFF", "\\xf4\\x90\\x80\\x80\\xff"},          /* beyond Unicode */
        {"\xE2\x82", "\\xe2\\x82"},                                     /* incomplete */
        {"M\xFCller \x9B", "M\\xfcller \\x9b"},                         /* Latin-1 */
        {"\xD9\x85 \xE2\x99\x98 \xEF\xBF\xBD", "\xD9\x85 \xE2\x99\x98 \xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        TextBuffer shown = {0};
        buffer_append_foreign(&shown, text_view(CASES[i].text));
        assert_string_equal(buffer_string(&shown), CASES[i].shown);
        buffer_release(&shown);
    }
}

static void assert_printed(FILE *file, const char *expected) {
    char printed[16384];
    rewind(file);
    const size_t length = fread(printed, 1, sizeof printed, file);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(printed, expected, length);
    rewind(file);
    assert_int_equal(ftruncate(fileno(file), 0), 0);
}

static void printed_text_steers_no_terminal(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    TextBuffer text = {0};
    text_print(file, (TextView){"a\0b\x1b\t\xC2\x9B\n\xC3\xA9\r\n", 12});
    assert_printed(file, "a\\x00b\\x1b\t\\xc2\\x9b\n\xC3\xA9\\x0d\n");
    text_printf(file, "%d %s\n", 7, "\x9B");
    assert_printed(file, "7 \\x9b\n");
    buffer_append_string(&text, "\x1b[1m");
    assert_true(buffer_print_raw(&text, file));
    assert_printed(file, "\x1b[1m");
    /* More than a block, whose end falls into a character. */
    static const char LONG[] = "\xE2\x82\xAC\x07";
    TextBuffer expected = {0};
    for (int i = 0; i < 2000; i++) {
        buffer_append_string(&text, LONG);
        buffer_append_string(&expected, "\xE2\x82\xAC\\x07");
    }
    assert_true(buffer_print(&text, file));
    assert_null(text.data);
    assert_printed(file, buffer_string(&expected));
    buffer_release(&expected);
    assert_true(text_equals(text_first_columns(view("a\xC3\xA9z"), 2), "a\xC3\xA9"));
    assert_true(text_equals(text_first_columns(view("az"), 5), "az"));
    fclose(file);
}

static void test_split_takes_the_front(void **state) {
    (void)state;
    TextView rest = text_view("a/b/"), front;
    assert_true(text_split(&rest, '/', &front));
    assert_true(text_equals(front, "a"));
    assert_true(text_split(&rest, '/', &front));
    assert_true(text_equals(front, "b"));
    assert_false(text_split(&rest, '/', &front));
    assert_true(text_is_empty(front) && text_is_empty(rest));
    rest = text_view("all");
    assert_false(text_split(&rest, '/', &front));
    assert_true(text_equals(front, "all") && text_is_empty(rest));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_takes_the_front),
        cmocka_unit_test(foreign_text_is_made_harmless),
        cmocka_unit_test(printed_text_steers_no_terminal),
        cmocka_unit_test(a_cut_leaves_no_incomplete_character),
        cmocka_unit_test(words_are_split_at_any_white_space),
        cmocka_unit_test(lines_end_in_lf_or_crlf),
        cmocka_unit_test(trim_and_comparisons),
        cmocka_unit_test(signed_numbers_are_read_strictly),
        cmocka_unit_test(unsigned_numbers_reach_their_maximum),
        cmocka_unit_test(decimals_are_read_strictly),
        cmocka_unit_test(whole_numbers_are_rounded),
        cmocka_unit_test(decimals_ignore_the_locale),
        cmocka_unit_test(hash_is_the_hash_of_the_bytes),
        cmocka_unit_test(duplicate_ends_where_the_view_ends),
        cmocka_unit_test(copies_are_cut_and_terminated),
        cmocka_unit_test(printable_copies_are_cut_at_a_character),
        cmocka_unit_test(buffer_grows_and_keeps_its_memory),
        cmocka_unit_test(buffer_survives_a_lack_of_memory),
        cmocka_unit_test(lines_of_any_length_are_read),
        cmocka_unit_test(what_a_line_has_too_much_is_dropped),
        cmocka_unit_test(a_string_of_json_has_its_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
