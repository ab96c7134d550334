/* The ablation's table in its three forms, and the engine's list of switches. */
#include "lab/tune/ablation.h"

#include "test_support.h"

#include <math.h>

static AblationTable *sample(void) {
    static AblationTable table;
    table = (AblationTable){.row_count = 3, .mode_count = 2, .mode_name = {"nodes=1000", "1+0.01"}};
    strcpy(table.conditions, "16 MB of hash.");
    strcpy(table.row[0].name, "futility");
    table.row[0].mode[0] = (AblationGames){{{10, 20, 40, 20, 10}}, {60, 60, 80}};
    table.row[0].has_bench = true;
    table.row[0].node_ratio = 1.25;
    table.row[0].time_ratio = (SpeedRatio){1.2, 0.01, 3};
    strcpy(table.row[1].name, "time_stability");
    strcpy(table.row[2].name, "null_move");
    table.row[2].mode[0] = (AblationGames){{{2, 10, 40, 30, 18}}, {90, 38, 72}};
    table.row[2].mode[1] = (AblationGames){{{0, 0, 0, 0, 100}}, {200, 0, 0}};
    return &table;
}

static void test_order(void **state) {
    (void)state;
    int order[ABLATION_ROWS_MAX];
    ablation_order(sample(), order);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 0);
    assert_int_equal(order[2], 1);
}

static void test_markdown(void **state) {
    (void)state;
    TextBuffer out = {0};
    ablation_write_markdown(sample(), &out);
    const char *text = buffer_string(&out);
    assert_non_null(strstr(text, "| technique "));
    assert_non_null(strstr(text, "Elo lost without it, nodes=1000"));
    assert_non_null(strstr(text, "1.250"));
    assert_non_null(strstr(text, "1.200 +- 0.010 |"));
    assert_non_null(strstr(text, "lost all games"));
    assert_non_null(strstr(text, "\nMeasured with: 200 games each, 16 MB of hash. Errors"));
    const char *open = strstr(text, ", not resolved"); /* of futility alone, which stands after null_move */
    assert_true(open != NULL && open > strstr(text, "futility"));
    assert_null(strstr(open + 1, ", not resolved"));
    assert_true(strstr(text, "null_move") < strstr(text, "futility"));
    assert_true(strstr(text, "futility") < strstr(text, "time_stability"));
    buffer_release(&out);
}

static void test_csv(void **state) {
    (void)state;
    TextBuffer out = {0};
    ablation_write_csv(sample(), &out);
    TextView rest = buffer_view(&out), line;
    int lines = 0;
    while (text_next_line(&rest, &line)) {
        int commas = 0;
        for (size_t i = 0; i < line.length; i++) commas += line.data[i] == ',';
        assert_int_equal(commas, 16);
        lines++;
    }
    assert_int_equal(lines, 1 + 3 * 2);
    assert_non_null(strstr(buffer_string(&out), "futility,nodes=1000,0.00,"));
    buffer_release(&out);
}

/* The plot leaves out infinite values and techniques that were not measured. */
static void test_plot(void **state) {
    (void)state;
    TextBuffer out = {0};
    ablation_write_plot(sample(), &out);
    const char *text = buffer_string(&out);
    assert_null(strstr(text, "inf "));
    assert_null(strstr(text, "\ntime_stability"));
    assert_non_null(strstr(text, "\nnull_move "));
    buffer_release(&out);
}

static void test_options(void **state) {
    (void)state;
    char name[ABLATION_NAME_CAPACITY] = "";
    assert_true(ablation_parse_option(text_view("option name Use null_move type check default true"), name));
    assert_string_equal(name, "null_move");
    assert_false(ablation_parse_option(text_view("option name Use null_move type spin default 1"), name));
    assert_false(ablation_parse_option(text_view("option name Hash type spin default 16"), name));
    assert_false(ablation_parse_option(text_view("option name Use"), name));
    assert_false(ablation_parse_option(text_view("uciok"), name));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_markdown), cmocka_unit_test(test_csv),
        cmocka_unit_test(test_plot),  cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
