/* Late move reductions and their integer logarithms. */
#include "search/reduce.h"

#include "test_support.h"

#include <math.h>

enum { LOGS = 256 };
static int logs[LOGS];

static int set_up(void **state) {
    (void)state;
    reduce_fill_logs(logs, LOGS);
    return 0;
}

static void logarithms_are_exact_to_two_units(void **state) {
    (void)state;
    assert_int_equal(logs[0], 0);
    assert_int_equal(logs[1], 0);
    for (int n = 1; n < LOGS; n++) {
        const double exact = 1024 * log2(n);
        if (fabs(logs[n] - exact) > 2) fail_msg("log2(%d) is %d, not %.1f", n, logs[n], exact);
        if ((n & (n - 1)) == 0) assert_int_equal(logs[n] % 1024, 0);
    }
}

static void grows_with_depth_and_move_number(void **state) {
    (void)state;
    for (int noisy = 0; noisy < 2; noisy++)
        for (int depth = 1; depth < 300; depth++)
            for (int number = 1; number < 260; number += 3) {
                const int here = reduce_base(logs, depth, number, noisy);
                assert_true(reduce_base(logs, depth + 1, number, noisy) >= here);
                assert_true(reduce_base(logs, depth, number + 1, noisy) >= here);
            }
    assert_true(reduce_base(logs, 20, 20, false) > reduce_base(logs, 4, 4, false) + ONE_PLY);
}

static void noisy_moves_are_reduced_less(void **state) {
    (void)state;
    for (int depth = 2; depth < 40; depth++)
        for (int number = 2; number < 60; number++)
            assert_true(reduce_base(logs, depth, number, true) < reduce_base(logs, depth, number, false));
}

/* Each condition alone must increase (+1) or decrease (-1) the reduction. */
static void each_condition_changes_the_reduction_in_its_direction(void **state) {
    (void)state;
    const ReductionSigns plain = {.depth = 10, .move_number = 10};
    const int base = reduce_late_move(logs, &plain);
    ReductionSigns signs = plain;
#define PULLS(field, value, direction)                                        \
    do {                                                                      \
        signs = plain;                                                        \
        signs.field = value;                                                  \
        assert_true((reduce_late_move(logs, &signs) - base) * direction > 0); \
    } while (0)
    PULLS(cut_node, true, +1);
    PULLS(noisy_hash_move, true, +1);
    PULLS(many_cuts, true, +1);
    PULLS(correction, 200, -1);
    PULLS(history, -8000, +1);
    PULLS(history, 8000, -1);
    PULLS(pv_node, true, -1);
    PULLS(root, true, -1);
    PULLS(former_pv, true, -1);
    PULLS(improving, true, -1);
    PULLS(gives_check, true, -1);
    PULLS(killer, true, -1);
    PULLS(noisy, true, -1);
#undef PULLS
}

/* With a noisy hash move quiet moves are unlikely to be better; captures are not affected. */
static void a_noisy_hash_move_does_not_reduce_captures(void **state) {
    (void)state;
    ReductionSigns signs = {.depth = 10, .move_number = 10, .noisy = true};
    const int without = reduce_late_move(logs, &signs);
    signs.noisy_hash_move = true;
    assert_int_equal(reduce_late_move(logs, &signs), without);
}

static void worse_history_never_reduces_less(void **state) {
    (void)state;
    int before = 1 << 20;
    for (int history = -90000; history <= 90000; history += 100) {
        const ReductionSigns signs = {.depth = 9, .move_number = 7, .history = history};
        const int now = reduce_late_move(logs, &signs);
        assert_true(now <= before);
        before = now;
    }
}

static void an_unexpected_score_changes_the_depth_by_a_ply(void **state) {
    (void)state;
    assert_int_equal(reduce_re_search(5000, 0, false), 1);
    assert_int_equal(reduce_re_search(5000, 0, true), 0);
    assert_int_equal(reduce_re_search(0, 0, false), -(params.re_search_shallower > 0));
    for (int score = 0; score < 500; score++)
        assert_true(reduce_re_search(score + 1, 0, false) >= reduce_re_search(score, 0, false));
}

static void only_deep_nodes_without_a_hash_move_are_reduced(void **state) {
    (void)state;
    const int depth = params.internal_reduction_depth;
    assert_int_equal(reduce_without_hash_move(depth, true, MOVE_NONE), 1);
    assert_int_equal(reduce_without_hash_move(depth, false, MOVE_NONE), 0);
    assert_int_equal(reduce_without_hash_move(depth, true, 1), 0);
    assert_int_equal(reduce_without_hash_move(depth - 1, true, MOVE_NONE), 0);
}

static void a_hash_move_with_rivals_is_searched_shallower(void **state) {
    (void)state;
    assert_int_equal(reduce_not_singular(100, 100, false, false), 2);
    assert_int_equal(reduce_not_singular(100, 100, true, false), 1);
    assert_int_equal(reduce_not_singular(99, 100, false, true), 1);
    assert_int_equal(reduce_not_singular(99, 100, false, false), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_exact_to_two_units),
        cmocka_unit_test(grows_with_depth_and_move_number),
        cmocka_unit_test(noisy_moves_are_reduced_less),
        cmocka_unit_test(each_condition_changes_the_reduction_in_its_direction),
        cmocka_unit_test(a_noisy_hash_move_does_not_reduce_captures),
        cmocka_unit_test(worse_history_never_reduces_less),
        cmocka_unit_test(an_unexpected_score_changes_the_depth_by_a_ply),
        cmocka_unit_test(only_deep_nodes_without_a_hash_move_are_reduced),
        cmocka_unit_test(a_hash_move_with_rivals_is_searched_shallower),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
