/* Quiescence. */
#include "search/qsearch.h"

#include "search/prune.h"
#include "search/see.h"
#include "search/value.h"
#include "search_support.h"

static int quiesce(Bed *bed, const char *fen, int alpha, int beta) {
    const Position pos = test_position(fen);
    bed_clear(bed);
    bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
    const int score = qsearch_pv(bed->worker, 1, alpha, beta);
    assert_true(position_equals(&bed->worker->pos, &pos));
    return score;
}

static int static_value(Bed *bed, const char *fen) {
    const Position pos = test_position(fen);
    bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
    return value_raw(bed->worker);
}

static void a_quiet_position_is_worth_its_static_value(void **state) {
    Bed *bed = *state;
    assert_int_equal(quiesce(bed, FEN_START, -SCORE_INFINITE, SCORE_INFINITE), static_value(bed, FEN_START));
}

static void a_hanging_queen_is_taken(void **state) {
    Bed *bed = *state;
    const char *const fen = "4k3/pp6/8/3q4/8/2N5/PP6/4K3 w - - 0 1";
    const int before = static_value(bed, fen);
    assert_true(quiesce(bed, fen, -SCORE_INFINITE, SCORE_INFINITE) > before + see_value(PAWN));
    assert_int_equal(worker_frame(bed->worker, 1)->pv_length, 1);
    assert_int_equal(worker_frame(bed->worker, 1)->pv[0], move_make(C3, D5));
}

static void a_guarded_pawn_is_not_captured(void **state) {
    Bed *bed = *state;
    const char *const fen = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";
    assert_int_equal(quiesce(bed, fen, -SCORE_INFINITE, SCORE_INFINITE), static_value(bed, fen));
    assert_int_equal(worker_frame(bed->worker, 1)->pv_length, 0);
}

static void mates_are_scored_by_distance(void **state) {
    Bed *bed = *state;
    /* Mated in this position, one ply from the root. */
    assert_int_equal(quiesce(bed, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", -SCORE_INFINITE, SCORE_INFINITE),
                     score_mated_in(1));
    /* In check with one legal reply, which is not mate. */
    assert_false(
        score_is_mate(quiesce(bed, "R5k1/5pp1/8/8/8/8/8/6K1 b - - 0 1", -SCORE_INFINITE, SCORE_INFINITE)));
    /* A capture that mates. */
    assert_int_equal(quiesce(bed, "r5k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", -SCORE_INFINITE, SCORE_INFINITE),
                     score_mate_in(2));
}

static void draws_are_draws(void **state) {
    Bed *bed = *state;
    assert_int_equal(quiesce(bed, "4k3/8/8/8/8/8/4n3/4K3 w - - 0 1", -SCORE_INFINITE, SCORE_INFINITE),
                     SCORE_DRAW);
    assert_int_equal(quiesce(bed, "3qk3/8/8/8/8/8/8/4K3 w - - 100 99", -SCORE_INFINITE, SCORE_INFINITE),
                     SCORE_DRAW);
}

static void stalemate_is_seen(void **state) {
    Bed *bed = *state;
    static const char *const STALEMATES[] = {"7k/8/8/8/8/7p/5q2/7K w - - 0 1",
                                             "k7/8/8/8/p7/P6p/5q2/7K w - - 0 1"};
    for (int i = 0; i < 2; i++)
        assert_int_equal(quiesce(bed, STALEMATES[i], -SCORE_INFINITE, SCORE_INFINITE), SCORE_DRAW);
    /* The pawn can move. */
    assert_true(quiesce(bed, "k7/8/p7/8/8/P6p/5q2/7K w - - 0 1", -SCORE_INFINITE, SCORE_INFINITE) < -200);
}

/* A null window around the value must return a bound on its own side, if it prunes nothing. A window so high
 * that futility skips the capture is not tested: the network may value the capture higher than the piece. */
static void null_windows_agree_with_the_value(void **state) {
    Bed *bed = *state;
    static const struct {
        const char *fen;
        PieceType victim; /* of the capture that is tried, if any */
    } CASES[] = {{FEN_START, NO_PIECE_TYPE},
                 {"4k3/pp6/8/3q4/8/2N5/PP6/4K3 w - - 0 1", QUEEN},
                 {"4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", NO_PIECE_TYPE},
                 {"r5k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", ROOK}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *const fen = CASES[i].fen;
        const Position pos = test_position(fen);
        const int before = static_value(bed, fen), value = quiesce(bed, fen, -SCORE_INFINITE, SCORE_INFINITE);
        int asked = 0;
        for (int distance = -200; distance <= 200; distance += 20) {
            const int alpha = value + distance;
            const bool skipped = CASES[i].victim != NO_PIECE_TYPE && !score_is_decided(alpha) &&
                                 prune_quiescence_futility(before, see_value(CASES[i].victim), alpha);
            if (alpha >= SCORE_MATE || (skipped && alpha < value)) continue;
            bed_clear(bed);
            bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
            const int score = qsearch_null_window(bed->worker, 1, alpha, alpha + 1);
            if ((score > alpha) != (value > alpha))
                fail_msg("%s: %d against %d, but the value is %d", fen, score, alpha, value);
            asked++;
        }
        assert_true(asked >= 10);
    }
}

/* Positions full of queens must not make endless trees, and the bounds must hold. */
static void every_bench_position_quiesces_soon(void **state) {
    Bed *bed = *state;
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        const Position pos = bed_bench_position(i);
        bed_clear(bed);
        bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
        const int score = qsearch_pv(bed->worker, 1, -SCORE_INFINITE, SCORE_INFINITE);
        assert_true(score > -SCORE_INFINITE && score < SCORE_INFINITE);
        assert_true(worker_nodes(bed->worker) < 20000);
        bed_play_line(&pos, worker_frame(bed->worker, 1)->pv, worker_frame(bed->worker, 1)->pv_length);
    }
}

static void the_maximum_ply_is_not_exceeded(void **state) {
    Bed *bed = *state;
    const Position pos = bed_bench_position(36); /* queens all over */
    bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
    const int score = qsearch_pv(bed->worker, MAX_PLY - 2, -SCORE_INFINITE, SCORE_INFINITE);
    assert_true(score > -SCORE_INFINITE && score < SCORE_INFINITE);
    assert_true(bed->worker->selective_depth <= MAX_PLY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quiet_position_is_worth_its_static_value),
        cmocka_unit_test(a_hanging_queen_is_taken),
        cmocka_unit_test(a_guarded_pawn_is_not_captured),
        cmocka_unit_test(mates_are_scored_by_distance),
        cmocka_unit_test(draws_are_draws),
        cmocka_unit_test(stalemate_is_seen),
        cmocka_unit_test(null_windows_agree_with_the_value),
        cmocka_unit_test(every_bench_position_quiesces_soon),
        cmocka_unit_test(the_maximum_ply_is_not_exceeded),
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
