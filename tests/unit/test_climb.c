/* The plan of a climb. */
#include "lab/train/climb.h"

#include "test_support.h"

#include <math.h>

static Status read_plan(const char *content, ClimbPlan *plan) {
    static TextBuffer text; /* the plan points to it */
    buffer_clear(&text);
    buffer_append_string(&text, content);
    return climb_read_plan(&text, plan);
}

static void test_plans(void **state) {
    (void)state;
    static ClimbPlan plan;
    assert_ok(read_plan("validation = 0.3, 0.1\n", &plan));
    assert_true(plan.step[0].train.filter.validation == 0.3 && plan.step[1].train.filter.validation == 0.1);
    assert_fails(read_plan("validation = 0.6\n", &plan), "validation must be a number from 0 to 0.5");
    assert_ok(read_plan("# nothing\n", &plan));
    assert_true(plan.step[0].train.filter.validation == 0.01);
    assert_int_equal(plan.generations, 4);
    assert_int_equal(plan.step[0].play.plies, 3000000);
    assert_true(plan.step[0].train.share == 1 && plan.step[1].train.share == 0.2 &&
                plan.step[9].train.filter.lambda == 0.7);
    assert_int_equal(plan.step[0].play.budget.soft, 200);
    assert_ok(read_plan(
        "generations = 3\r\nwidth = 8, 16\nshare=1,0.4\nshare-end = 1, 0.6\nplies = 10k, 2M # more\n",
        &plan));
    assert_int_equal(plan.step[0].train.shape.width, 8);
    assert_int_equal(plan.step[1].train.shape.width, 16);
    assert_int_equal(plan.step[2].train.shape.width, 16);
    assert_int_equal(plan.step[0].play.plies, 10000);
    assert_int_equal(plan.step[2].play.plies, 2000000);
    assert_true(plan.step[2].train.share == 0.4 && plan.step[2].train.share_end == 0.6);
    assert_fails(read_plan("width = 8, , 3\ngenerations = 2", &plan),
                 "width must be a whole number from 1 to ");
    assert_fails(read_plan("share = 2", &plan), "line 1: share must be a number from 0 to 1, not '2'");
    assert_fails(read_plan("buckets = 4", &plan), "it may have 1 or 8");
    assert_ok(read_plan("king-buckets = 1, 4\nscale = 400, 170\n", &plan));
    assert_true(plan.step[0].train.shape.king_buckets == 1 && plan.step[2].train.shape.king_buckets == 4 &&
                plan.step[1].train.filter.scale == 170);
    assert_true(plan.tablebases == NULL && plan.step[0].play.opening.endings == 0);
    assert_ok(read_plan("endings = 0, 0.1\ntablebases = /tables:/more tables\n", &plan));
    assert_true(plan.step[0].play.opening.endings == 0 && plan.step[1].play.opening.endings == 0.1 &&
                plan.step[2].play.opening.endings == 0.1);
    assert_string_equal(plan.tablebases, "/tables:/more tables");
    assert_fails(read_plan("king-buckets = 3", &plan), "king-buckets must be 1, 4 or 8");
    assert_fails(read_plan("scale = 5", &plan), "scale must be a number from 10");
    assert_fails(read_plan("folder\n", &plan), "line 1: expected");
    assert_fails(read_plan("out = x\n", &plan), "line 1: unknown setting out");
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
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_the_best_is_the_last_promoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
