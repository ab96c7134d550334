/* The options of the engine. */
#include "engine/engine.h"

#include "search/params.h"
#include "test_support.h"

static Status set(Options *options, const char *name, const char *value) {
    OptionChange *change;
    return options_set(options, text_view(name), text_view(value), &change);
}

static void test_standard_values(void **state) {
    (void)state;
    Options options = options_standard();
    assert_int_equal(options.hash, 16);
    assert_int_equal(options.threads, 1);
    assert_int_equal(options.multi_pv, 1);
    assert_int_equal(options.ponder, 0);
    assert_int_equal(options.chess960, 0);
    assert_int_equal(options.show_wdl, 0);
    assert_int_equal(options.analyse_mode, 0);
}

static void test_every_option_is_listed_in_form(void **state) {
    (void)state;
    for (int i = 0; i < options_count(); i++) {
        char line[OPTION_TEXT_CAPACITY];
        options_describe(i, line);
        assert_ptr_equal(strstr(line, "option name "), line);
        assert_non_null(strstr(line, " type "));
        assert_true(line[strlen(line) - 1] != ' ');
    }
    char line[OPTION_TEXT_CAPACITY];
    options_describe(0, line);
    assert_string_equal(line, "option name Hash type spin default 16 min 1 max 1048576");
}

static bool is_listed(const char *wanted) {
    bool found = false;
    for (int i = 0; i < options_count() && !found; i++) {
        char line[OPTION_TEXT_CAPACITY];
        options_describe(i, line);
        found = strcmp(line, wanted) == 0;
    }
    return found;
}

static void test_options_for_front_ends(void **state) {
    (void)state;
    assert_true(is_listed("option name UCI_ShowWDL type check default false"));
    assert_true(is_listed("option name UCI_AnalyseMode type check default false"));
    Options options = options_standard();
    assert_ok(set(&options, "uci_showwdl", "true"));
    assert_int_equal(options.show_wdl, 1);
    assert_int_equal(options.analyse_mode, 0);
    assert_ok(set(&options, "UCI_AnalyseMode", "TRUE"));
    assert_int_equal(options.analyse_mode, 1);
    assert_ok(set(&options, "UCI_ShowWDL", "false"));
    assert_int_equal(options.show_wdl, 0);
    assert_ok(set(&options, "UCI_ShowRefutations", "true"));
    assert_ok(set(&options, "UCI_ShowCurrLine", "true"));
    assert_int_equal(options.show_refutations + options.show_current_line, 2);
    assert_fails(set(&options, "UCI_AnalyseMode", "on"), "true or false, not 'on'");
    assert_int_equal(options.analyse_mode, 1);
}

static void test_names_without_regard_to_case_and_space(void **state) {
    (void)state;
    Options options = options_standard();
    assert_ok(set(&options, "move   OVERHEAD", "77"));
    assert_int_equal(options.move_overhead, 77);
    assert_ok(set(&options, "uci_chess960", "True"));
    assert_int_equal(options.chess960, 1);
}

static void test_part_of_a_name_is_another_name(void **state) {
    (void)state;
    Options options = options_standard();
    assert_fails(set(&options, "Move", "77"), "there is no option");
    assert_fails(set(&options, "Move Overhead Time", "77"), "there is no option");
    assert_fails(set(&options, "", "77"), "there is no option");
    assert_int_equal(options.move_overhead, options_standard().move_overhead);
}

static void test_limits(void **state) {
    (void)state;
    Options options = options_standard();
    assert_ok(set(&options, "Hash", "1"));
    assert_ok(set(&options, "Hash", "1048576"));
    assert_fails(set(&options, "Hash", "1048577"), "from 1 to 1048576, not 1048577");
    assert_fails(set(&options, "Hash", "0"), "Hash");
    assert_fails(set(&options, "Hash", "-5"), "Hash");
    assert_fails(set(&options, "Hash", "4294967297"), "Hash");
    assert_fails(set(&options, "Hash", "99999999999999999999"),
                 "from 1 to 1048576, not 99999999999999999999");
    assert_int_equal(options.hash, 1048576);
}

/* As the clocks of `go`. */
static void test_numbers_as_programs_print_them(void **state) {
    (void)state;
    Options options = options_standard();
    assert_ok(set(&options, "Hash", "64.0"));
    assert_int_equal(options.hash, 64);
    assert_ok(set(&options, "Hash", "31,6"));
    assert_int_equal(options.hash, 32);
    assert_fails(set(&options, "Hash", "0.4"), "from 1 to 1048576, not 0.4");
    assert_fails(set(&options, "Hash", "64 MB"), "whole number, not '64 MB'");
}

static void test_invalid_values(void **state) {
    (void)state;
    Options options = options_standard();
    assert_fails(set(&options, "Hash", ""), "whole number, not ''");
    assert_fails(set(&options, "Hash", "12x"), "'12x'");
    assert_fails(set(&options, "Ponder", "1"), "true or false, not '1'");
    assert_fails(set(&options, "Ponder", ""), "true or false");
    const Options standard = options_standard();
    assert_memory_equal(&options, &standard, sizeof options);
}

static void test_an_unknown_option_is_refused_with_the_nearest(void **state) {
    (void)state;
    Options options = options_standard();
    assert_fails(set(&options, "Contempt", "24"), "there is no option 'Contempt'");
    assert_fails(set(&options, "Hsah", "24"), "there is no option 'Hsah'; did you mean 'Hash'?");
    assert_fails(set(&options, "", "24"), "there is no option ''");
    const Options standard = options_standard();
    assert_memory_equal(&options, &standard, sizeof options);
}

static void test_what_a_new_value_asks_for(void **state) {
    (void)state;
    Options options = options_standard();
    OptionChange *hash, *clear, *none;
    assert_ok(options_set(&options, text_view("Hash"), text_view("32"), &hash));
    assert_ok(options_set(&options, text_view("clear hash"), text_view(""), &clear));
    assert_true(hash != NULL && clear != NULL && hash != clear);
    assert_ok(options_set(&options, text_view("MultiPV"), text_view("2"), &none));
    assert_null(none);
    assert_fails(options_set(&options, text_view("Hash"), text_view("0"), &hash), "Hash");
    assert_null(hash);
}

static void test_every_option_is_explained(void **state) {
    (void)state;
    for (const Option *row = ENGINE_OPTIONS; row->field.kind != FIELD_KIND_END; row++)
        assert_true(row->field.help != NULL && strlen(row->field.help) > 10);
}

static void test_the_search_is_tunable_in_the_lab_only(void **state) {
    (void)state;
    int numbers, switches;
    const ParamRow *rows = params_rows(&numbers);
    const TechniqueRow *techniques_row = techniques_rows(&switches);
    Options options = options_standard();
    const bool is_lab = rows[0].value != NULL;
    char line[OPTION_TEXT_CAPACITY], name[80], value[16];
    options_describe(options_count() - 1, line);
    text_format(name, sizeof name, "Use %s", techniques_row[switches - 1].name);
    assert_int_equal(strstr(line, name) != NULL, is_lab);
    if (!is_lab) return;
    text_format(value, sizeof value, "%d", rows[0].high);
    assert_ok(set(&options, rows[0].name, value));
    assert_int_equal(*rows[0].value, rows[0].high);
    *rows[0].value = rows[0].initial;
    assert_ok(set(&options, name, "false"));
    assert_false(*techniques_row[switches - 1].enabled);
    *techniques_row[switches - 1].enabled = true;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standard_values),
        cmocka_unit_test(test_every_option_is_listed_in_form),
        cmocka_unit_test(test_options_for_front_ends),
        cmocka_unit_test(test_names_without_regard_to_case_and_space),
        cmocka_unit_test(test_part_of_a_name_is_another_name),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_invalid_values),
        cmocka_unit_test(test_numbers_as_programs_print_them),
        cmocka_unit_test(test_an_unknown_option_is_refused_with_the_nearest),
        cmocka_unit_test(test_what_a_new_value_asks_for),
        cmocka_unit_test(test_every_option_is_explained),
        cmocka_unit_test(test_the_search_is_tunable_in_the_lab_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
