/* Numbers and tables in readable form. */
#include "lab/kit/console.h"

#include "test_support.h"

static void test_numbers(void **state) {
    (void)state;
    char text[NUMBER_TEXT_CAPACITY];
    assert_string_equal(console_thousands(0, text), "0");
    assert_string_equal(console_thousands(999, text), "999");
    assert_string_equal(console_thousands(1000, text), "1,000");
    assert_string_equal(console_thousands(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

static void test_table(void **state) {
    (void)state;
    MarkdownTable table = markdown_table_begin("lr");
    markdown_table_cells(&table, "engine | games");
    markdown_table_cell(&table, "Luft");
    markdown_table_cell(&table, "%d", 12);
    markdown_table_cells(&table, "%s | %d", "a longer name", 3);
    TextBuffer out = {0};
    markdown_table_write(&table, &out);
    assert_string_equal(buffer_string(&out), "| engine        | games |\n"
                                             "| ------------- | ----: |\n"
                                             "| Luft          |    12 |\n"
                                             "| a longer name |     3 |\n");
    buffer_release(&out);
}

/* Names of engines and positions are untrusted. */
static void test_foreign_text_in_a_table(void **state) {
    (void)state;
    MarkdownTable table = markdown_table_begin("ll");
    static const char *const cells[] = {"l|u<ft>", "x\x1b]0;y\x07\nz"};
    for (size_t i = 0; i < 2; i++) markdown_table_cell(&table, "%s", cells[i]);
    TextBuffer out = {0};
    markdown_table_write(&table, &out);
    assert_string_equal(buffer_string(&out), "| l\\|u&lt;ft> | x\\x1b]0;y\\x07\\x0az |\n"
                                             "| ----------- | ------------------ |\n");
    buffer_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_foreign_text_in_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
