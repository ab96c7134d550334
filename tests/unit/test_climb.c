/* Settings from the command line and from files; the plan of a climb. */
#include "lab/train/climb.h"

#include "lab/kit/arguments.h"
#include "test_support.h"

#include <math.h>

typedef struct Settings {
    int64_t whole;
    double real;
    const char *text;
    bool flag;
} Settings;

enum { TABLE_SIZE = 5 };

static void fill_table(Argument table[TABLE_SIZE], Settings *settings) {
    table[0] = (Argument){NULL, ARGUMENT_HEADING, NULL, 0, 0, "usage"};
    table[1] = (Argument){"whole", ARGUMENT_WHOLE, &settings->whole, -5, 1e9, ""};
    table[2] = (Argument){"real", ARGUMENT_REAL, &settings->real, 0, 1, ""};
    table[3] = (Argument){"text", ARGUMENT_TEXT, &settings->text, 0, 0, ""};
    table[4] = (Argument){"flag", ARGUMENT_FLAG, &settings->flag, 0, 0, ""};
}

/* Words separated by single blanks. */
static Status parse(const char *line, Settings *settings, int *rest_count) {
    static char words[512];
    char *argv[32] = {words}, *rest[32];
    int argc = 1;
    Argument table[TABLE_SIZE];
    bool help;
    *settings = (Settings){0};
    fill_table(table, settings);
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) argv[argc++] = word;
    return arguments_parse(table, TABLE_SIZE, argc, argv, rest, rest_count, &help);
}

static void test_command_line(void **state) {
    (void)state;
    Settings s;
    int rest;
    assert_ok(parse("one --whole 12 --real=0.5 two --flag --text a=b three", &s, &rest));
    assert_int_equal(rest, 3);
    assert_true(s.whole == 12 && s.real == 0.5 && s.flag);
    assert_string_equal(s.text, "a=b");
    assert_ok(parse("--whole 1.5M", &s, &rest));
    assert_int_equal(s.whole, 1500000);
    assert_ok(parse("--whole 20k --flag=no", &s, &rest));
    assert_true(s.whole == 20000 && !s.flag);
    assert_fails(parse("--whole", &s, &rest), "--whole needs a value");
    assert_fails(parse("--whole x", &s, &rest), "whole number");
    assert_fails(parse("--whole 2G", &s, &rest), "between -5 and 1000000000");
    assert_fails(parse("--real 1.1", &s, &rest), "between 0 and 1");
    assert_fails(parse("--real nan", &s, &rest), "needs a number");
    assert_fails(parse("--flag=maybe", &s, &rest), "yes or no");
    assert_fails(parse("--colour red", &s, &rest), "no option --colour");
}

static Status read_plan(const char *content, ClimbPlan *plan) {
    static TextBuffer text; /* the plan points into it */
    buffer_clear(&text);
    buffer_append_string(&text, content);
    return climb_read_plan(&text, plan);
}

static void test_plans(void **state) {
    (void)state;
    static ClimbPlan plan;
    assert_ok(read_plan("# nothing\n", &plan));
    assert_int_equal(plan.generations, 4);
    assert_int_equal(plan.step[0].plies, 3000000);
    assert_true(plan.step[0].share == 1 && plan.step[1].share == 0.2 && plan.step[3].share_end == 0 &&
                plan.step[3].lambda == 0.7);
    assert_ok(read_plan(
        "generations = 3\r\nwidth = 8, 16\nshare=1,0.4\nshare-end = 1, 0.6\nplies = 10k, 2M # more\n",
        &plan));
    assert_int_equal(plan.step[0].width, 8);
    assert_int_equal(plan.step[1].width, 16);
    assert_int_equal(plan.step[2].width, 16);
    assert_int_equal(plan.step[0].plies, 10000);
    assert_int_equal(plan.step[2].plies, 2000000);
    assert_true(plan.step[2].share == 0.4 && plan.step[2].share_end == 0.6);
    assert_fails(read_plan("width = 8, , 3\ngenerations = 2", &plan), "width: '8, , 3' is no list");
    assert_fails(read_plan("share = 2", &plan), "share must lie between 0 and 1");
    assert_fails(read_plan("buckets = 4", &plan), "buckets must be 1 or 8");
    assert_fails(read_plan("folder\n", &plan), "line 1: expected");
}

static void test_the_best_is_the_last_promoted(void **state) {
    (void)state;
    ClimbRow rows[4] = {{.generation = 0, .promoted = true},
                        {.generation = 1},
                        {.generation = 2, .promoted = true},
                        {.generation = 3}};
    assert_int_equal(climb_best(rows, 0), -1);
    assert_int_equal(climb_best(rows, 1), 0);
    assert_int_equal(climb_best(rows, 2), 0);
    assert_int_equal(climb_best(rows, 4), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_line),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_the_best_is_the_last_promoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
