/* Pruning: every rule is monotone in its inputs and inactive near mate scores. */
#include "search/prune.h"

#include "test_support.h"

static const int MATES[] = {SCORE_WIN, SCORE_MATE - 1, SCORE_MATE, -SCORE_WIN, 1 - SCORE_MATE, -SCORE_MATE};
static Position START; /* FEN_START, set up before the tests */
enum { MATE_COUNT = sizeof MATES / sizeof *MATES, FAR = 31000, DEEPEST = 40 };

static void reverse_futility_needs_a_margin_that_grows(void **state) {
    (void)state;
    assert_true(prune_reverse_futility(&START, 1, 5000, 0, false, false));
    assert_false(prune_reverse_futility(&START, 1, 0, 0, false, false));
    assert_false(prune_reverse_futility(&START, DEEPEST, FAR, 0, true, false));
    for (int depth = 1; depth < DEEPEST; depth++)
        for (int eval = -2000; eval < 4000; eval += 25)
            for (int improving = 0; improving < 2; improving++) {
                if (!prune_reverse_futility(&START, depth, eval, 100, improving, false)) continue;
                assert_true(eval >= 100 || (depth == 1 && improving));
                assert_true(prune_reverse_futility(&START, depth, eval + 25, 100, improving, false));
                assert_true(prune_reverse_futility(&START, depth, eval, 75, improving, false));
                if (depth > 1)
                    assert_true(prune_reverse_futility(&START, depth - 1, eval, 100, improving, false));
                assert_true(prune_reverse_futility(&START, depth, eval, 100, true, false));
            }
    for (int i = 0; i < MATE_COUNT; i++) {
        assert_false(prune_reverse_futility(&START, 1, FAR, MATES[i], false, false));
        assert_false(prune_reverse_futility(&START, 1, MATES[i], 0, false, false));
    }
}

static void a_side_far_ahead_hunts_the_mate(void **state) {
    (void)state;
    const int far_ahead = params.mate_hunt_score;
    assert_false(prune_hunts_mate(&START, far_ahead));
    assert_true(prune_hunts_mate(&START, far_ahead + 1));
    for (int i = 0; i < MATE_COUNT; i++) assert_true(prune_hunts_mate(&START, MATES[i]) == (MATES[i] > 0));
    /* For the losing side the static evaluation does not count. */
    for (int beta = -3000; beta < 3000; beta += 50)
        assert_true(prune_reverse_futility(&START, 1, beta + 500, beta, false, false) ==
                    (beta >= -far_ahead));
    const Position lone = test_position("8/8/8/4k3/8/8/8/KBN5 w - - 0 1");
    assert_false(prune_hunts_mate(&lone, SCORE_MATE));
}

static void razoring_needs_a_margin_that_grows(void **state) {
    (void)state;
    assert_true(prune_razor(1, -5000, 0));
    assert_false(prune_razor(1, 0, 0));
    assert_false(prune_razor(DEEPEST, -FAR, FAR));
    for (int depth = 1; depth < DEEPEST; depth++)
        for (int eval = -9000; eval < 1000; eval += 50) {
            if (!prune_razor(depth, eval, 0)) continue;
            assert_true(eval < 0 && prune_razor(depth, eval - 50, 0) && prune_razor(depth, eval, 50));
            if (depth > 1) assert_true(prune_razor(depth - 1, eval, 0));
        }
    for (int i = 0; i < MATE_COUNT; i++) assert_false(prune_razor(1, -FAR, MATES[i]));
}

static void null_move_is_tried_only_when_good_enough(void **state) {
    (void)state;
    assert_true(prune_may_try_null(8, 100, 100, 100));
    assert_false(prune_may_try_null(8, 99, 100, 100));
    assert_false(prune_may_try_null(params.null_move_depth - 1, 500, 500, 100));
    assert_false(prune_may_try_null(8, 500, 500, -SCORE_WIN));
    assert_false(prune_may_try_null(8, 500, 500, -SCORE_MATE));
    assert_false(prune_may_try_null(4, 500, -2000,
                                    100)); /* good by the table's score, but not by the static evaluation */
}

static void null_move_reduces_more_when_deeper_and_better(void **state) {
    (void)state;
    for (int depth = 1; depth < 100; depth++)
        for (int eval = 0; eval < 3000; eval += 20) {
            const int here = prune_null_reduction(depth, eval, 0);
            assert_true(here >= 1);
            assert_true(prune_null_reduction(depth + 1, eval, 0) >= here);
            assert_true(prune_null_reduction(depth, eval + 20, 0) >= here);
            assert_true(depth + 1 - prune_null_reduction(depth + 1, eval, 0) >= depth - here);
        }
    /* Bounded, however good the position. */
    assert_int_equal(prune_null_reduction(10, FAR, 0), prune_null_reduction(10, FAR / 2, 0));
}

static void late_moves_are_counted_by_depth(void **state) {
    (void)state;
    const int iteration = params.late_move_iteration;
    int before = 0;
    for (int depth = 1; depth <= params.late_move_depth; depth++) {
        int first = 1, first_improving = 1;
        while (!prune_late_move(iteration, depth, first, false)) first++;
        while (!prune_late_move(iteration, depth, first_improving, true)) first_improving++;
        assert_true(first > 1 && first_improving > first);
        for (int tried = first; tried < 256; tried++)
            assert_true(prune_late_move(iteration, depth, tried, false));
        assert_true(first >= before);
        before = first;
    }
    assert_false(prune_late_move(iteration, params.late_move_depth + 1, 255, false));
    assert_false(prune_late_move(iteration - 1, 1, 255, false));
}

static bool futile(int depth, int eval, int alpha, int history) {
    return prune_futility(depth, prune_futility_ceiling(depth, eval, history), alpha);
}

static void futility_needs_a_margin_that_grows(void **state) {
    (void)state;
    assert_true(futile(0, -5000, 0, 0));
    assert_false(futile(0, 0, 0, 0));
    assert_false(futile(params.futility_depth + 1, -FAR, FAR, 0));
    for (int depth = 0; depth <= params.futility_depth; depth++)
        for (int eval = -4000; eval < 1000; eval += 25) {
            if (!futile(depth, eval, 0, 0)) continue;
            assert_true(eval < 0 && futile(depth, eval - 25, 0, 0) && futile(depth, eval, 25, 0));
            assert_true(futile(depth, eval, 0, -1000));
            if (depth > 0) assert_true(futile(depth - 1, eval, 0, 0));
        }
}

static void history_pruning_weakens_with_depth(void **state) {
    (void)state;
    assert_false(prune_history(1, 0));
    assert_true(prune_history(1, -60000));
    assert_false(prune_history(params.history_pruning_depth + 1, -80000));
    for (int depth = 0; depth <= params.history_pruning_depth; depth++)
        for (int history = -50000; history <= 50000; history += 500) {
            if (!prune_history(depth, history)) continue;
            assert_true(history < 0 && prune_history(depth, history - 500));
            if (depth > 0) assert_true(prune_history(depth - 1, history));
        }
}

static void see_pruning_weakens_with_depth(void **state) {
    (void)state;
    for (int noisy = 0; noisy < 2; noisy++)
        for (int depth = 1; depth < DEEPEST; depth++) {
            const int here = prune_see_threshold(depth, depth, noisy);
            assert_true(here < 0 && prune_see_threshold(depth + 1, depth + 1, noisy) < here);
        }
    /* Only quiet moves use the reduced depth. */
    assert_int_equal(prune_see_threshold(9, 2, true), prune_see_threshold(9, 8, true));
    assert_true(prune_see_threshold(9, 2, false) > prune_see_threshold(9, 8, false));
}

static void probcut_lies_above_beta(void **state) {
    (void)state;
    for (int beta = -3000; beta <= 3000; beta += 100) {
        assert_true(prune_probcut_beta(beta, true) > beta);
        assert_true(prune_probcut_beta(beta, false) >= prune_probcut_beta(beta, true));
    }
}

static void quiescence_skips_moves_that_cannot_raise_alpha(void **state) {
    (void)state;
    assert_true(prune_quiescence_futility(-5000, 500, 0));
    assert_false(prune_quiescence_futility(-500, 500, 0));
    assert_false(prune_quiescence_futility(100, 0, 0));
    const Move capture = move_make(E4, D5), queen = move_make_promotion(E7, E8, QUEEN);
    assert_false(prune_quiescence_move(capture, 1));
    assert_true(prune_quiescence_move(capture, params.quiescence_moves + 1));
    assert_false(prune_quiescence_move(queen, params.quiescence_moves + 1));
    assert_true(prune_quiescence_move(move_make_promotion(E7, E8, ROOK), 1));
    const Position quiet = test_position("4k3/3p4/4P3/8/8/8/3P4/4K3 w - - 0 1");
    const Position promotes = test_position("4k3/8/8/8/8/8/3p4/1N1K4 b - - 0 1");
    assert_false(prune_quiescence_rest(&quiet, params.quiescence_moves - 1));
    assert_true(prune_quiescence_rest(&quiet, params.quiescence_moves));
    assert_false(prune_quiescence_rest(&promotes, params.quiescence_moves));
}

static void probcut_is_not_tried_where_the_table_knows_better(void **state) {
    (void)state;
    const int depth = params.probcut_depth, beta = 100, probcut_beta = 300;
    assert_true(prune_may_try_probcut(&TT_MISS, depth, beta, probcut_beta));
    assert_false(prune_may_try_probcut(&TT_MISS, depth - 1, beta, probcut_beta));
    assert_false(prune_may_try_probcut(&TT_MISS, depth, SCORE_WIN, SCORE_WIN + 200));
    TtEntry entry = {.hit = true, .bound = BOUND_UPPER, .score = 299, .depth = depth - 3};
    assert_false(prune_may_try_probcut(&entry, depth, beta, probcut_beta));
    entry.depth--;
    assert_true(prune_may_try_probcut(&entry, depth, beta, probcut_beta));
    entry = (TtEntry){.hit = true, .bound = BOUND_LOWER, .score = 300, .depth = depth};
    assert_true(prune_may_try_probcut(&entry, depth, beta, probcut_beta));
}

static void the_table_cuts_off_when_deep_enough(void **state) {
    (void)state;
    const TtEntry entry = {.hit = true, .bound = BOUND_LOWER, .score = 120, .depth = 7};
    assert_true(prune_by_table(&entry, 7, 120, 0));
    assert_false(prune_by_table(&entry, 8, 120, 0));
    assert_false(prune_by_table(&entry, 7, 121, 0));
    assert_false(prune_by_table(&entry, 7, 120, 90));
    assert_false(prune_by_table(&TT_MISS, 1, 0, 0));
}

static void mates_found_narrow_the_window(void **state) {
    (void)state;
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    prune_mate_distance(5, &alpha, &beta);
    assert_int_equal(alpha, score_mated_in(5));
    assert_int_equal(beta, score_mate_in(6));
    alpha = score_mate_in(4), beta = score_mate_in(3);
    prune_mate_distance(5, &alpha, &beta);
    assert_true(alpha >= beta);
    alpha = -10, beta = 10;
    prune_mate_distance(5, &alpha, &beta);
    assert_true(alpha == -10 && beta == 10);
}

static void several_good_moves_cut_unless_they_mate(void **state) {
    (void)state;
    assert_true(prune_multi_cut(100, 100));
    assert_false(prune_multi_cut(99, 100));
    assert_false(prune_multi_cut(SCORE_WIN, 100));
}

static void hindsight_needs_a_reduction(void **state) {
    (void)state;
    for (int sum = -2000; sum <= 2000; sum += 50)
        for (int worsening = 0; worsening < 2; worsening++) {
            assert_int_equal(prune_hindsight(8, 0, worsening, sum), 0);
            const int change = prune_hindsight(8, 6, worsening, sum);
            assert_true(change >= -1 && change <= (worsening ? 0 : 1));
        }
    assert_int_equal(prune_hindsight(8, params.hindsight_deeper, false, 0), 1);
    assert_int_equal(prune_hindsight(8, params.hindsight_deeper, true, params.hindsight_margin + 1), -1);
    assert_int_equal(prune_hindsight(1, params.hindsight_deeper, true, params.hindsight_margin + 1), 0);
}

static int set_up(void **state) {
    const int status = test_set_up_chess(state);
    START = test_position(FEN_START);
    return status;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reverse_futility_needs_a_margin_that_grows),
        cmocka_unit_test(a_side_far_ahead_hunts_the_mate),
        cmocka_unit_test(razoring_needs_a_margin_that_grows),
        cmocka_unit_test(null_move_is_tried_only_when_good_enough),
        cmocka_unit_test(null_move_reduces_more_when_deeper_and_better),
        cmocka_unit_test(late_moves_are_counted_by_depth),
        cmocka_unit_test(futility_needs_a_margin_that_grows),
        cmocka_unit_test(history_pruning_weakens_with_depth),
        cmocka_unit_test(see_pruning_weakens_with_depth),
        cmocka_unit_test(probcut_lies_above_beta),
        cmocka_unit_test(probcut_is_not_tried_where_the_table_knows_better),
        cmocka_unit_test(the_table_cuts_off_when_deep_enough),
        cmocka_unit_test(mates_found_narrow_the_window),
        cmocka_unit_test(several_good_moves_cut_unless_they_mate),
        cmocka_unit_test(hindsight_needs_a_reduction),
        cmocka_unit_test(quiescence_skips_moves_that_cannot_raise_alpha),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
