/* The recursive search: mates, draws, windows, and the validity of lines. */
#include "chess/game.h"
#include "search/search.h"

#include "search/qsearch.h"
#include "search_support.h"

/* Positions whose shortest mate is known: moves to mate, negative for the side that is mated. */
typedef struct Mate {
    const char *fen;
    int moves;
} Mate;

static const Mate MATES[] = {
    {"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1},
    {"r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", 1},
    {"8/8/8/8/8/2k5/6q1/K7 b - - 0 1", 1},
    {"7k/5K2/8/8/8/8/8/6R1 w - - 0 1", 1},
    {"r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2},
    {"r2qk2r/pb4pp/1n2Pb2/2B2Q2/p1p5/2P5/2B2PPP/RN2R1K1 w - - 1 1", 2},
    {"2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 2},
    {"8/8/8/8/8/8/R7/1R2K2k w - - 0 1", 2},
    {"7k/8/8/4K3/8/8/8/6Q1 w - - 0 1", 2},
    {"1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 3},
    {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3},
    {"r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3},
    {"R6R/1r3pp1/4p1kp/3pP3/1r2qPP1/7P/1P1Q3K/8 w - - 1 1", 3},
    {"4r1k1/5bpp/2p5/3pr3/8/1B3pPq/PPR2P2/2R2QK1 b - - 0 1", 3},
    {"r1bqr3/ppp1B1kp/1b4p1/n2B4/3PQ1P1/2P5/P4P2/RN4K1 w - - 1 1", 4},
    {"k7/8/4K3/8/8/8/8/1R6 w - - 0 1", 4},
    {"8/k7/4K3/8/8/8/8/1R6 w - - 0 1", 5},
    {"7k/8/6K1/8/8/8/8/R7 b - - 0 1", -1},
    {"7K/8/5k1q/8/8/8/8/8 w - - 0 1", -1},
    {"1k6/8/2K5/8/8/8/8/7R b - - 0 1", -2},
    {"2k5/8/2K5/8/8/8/8/7R b - - 0 1", -2},
    {"k7/8/2K5/8/8/8/8/1R6 b - - 0 1", -3},
};

static int mate_score(int moves) {
    return moves > 0 ? score_mate_in(2 * moves - 1) : score_mated_in(-2 * moves);
}

static void assert_ends_in_mate(const Position *root, const RootMove *best, const char *fen) {
    const int plies = best->score > 0 ? SCORE_MATE - best->score : SCORE_MATE + best->score;
    if (best->pv_length != plies) fail_msg("%s: mate in %d plies, line of %d", fen, plies, best->pv_length);
    const Position end = bed_play_line(root, best->pv, best->pv_length);
    if (game_end(&end) != CHECKMATE) fail_msg("%s: the line does not end in mate", fen);
}

static void known_mates_are_found_exactly(void **state) {
    Bed *bed = *state;
    for (size_t i = 0; i < sizeof MATES / sizeof *MATES; i++) {
        const Position pos = test_position(MATES[i].fen);
        bed_clear(bed);
        const RootMove *best = bed_search(bed, &pos, (SearchLimits){.depth = 18});
        if (best->score != mate_score(MATES[i].moves))
            fail_msg("%s: %d instead of mate in %d", MATES[i].fen, best->score, MATES[i].moves);
        assert_ends_in_mate(&pos, best, MATES[i].fen);
        /* And again with the filled table. */
        best = bed_search(bed, &pos, (SearchLimits){.depth = 18});
        assert_int_equal(best->score, mate_score(MATES[i].moves));
        assert_ends_in_mate(&pos, best, MATES[i].fen);
    }
}

static int search_window(Bed *bed, const Position *pos, int alpha, int beta, int depth) {
    bed_clear(bed);
    bed_prepare(bed, pos, &(SearchLimits){.multi_pv = 1});
    for (bed->worker->root_depth = 1; bed->worker->root_depth < depth; bed->worker->root_depth++)
        search_root(bed->worker, -SCORE_INFINITE, SCORE_INFINITE, bed->worker->root_depth);
    const int score = search_root(bed->worker, alpha, beta, depth);
    assert_true(position_equals(&bed->worker->pos, pos));
    return score;
}

/* A mate fails high in every lower window, with a correct bound. */
static void windows_bound_mates(void **state) {
    Bed *bed = *state;
    for (int i = 0; i < 5; i++) {
        const Position pos = test_position(MATES[i].fen);
        const int mate = mate_score(MATES[i].moves);
        const int high = search_window(bed, &pos, 100, 101, 10);
        assert_in_range(high, 101, mate);
        assert_int_equal(bed->worker->root[0].bound == BOUND_LOWER || bed->worker->root_count > 1, 1);
        const int low = search_window(bed, &pos, mate, mate + 1, 10);
        assert_true(low <= mate);
    }
}

static void the_root_reports_on_which_side_of_the_window_it_is(void **state) {
    Bed *bed = *state;
    const Position pos = test_position(FEN_START);
    const int value = search_window(bed, &pos, -SCORE_INFINITE, SCORE_INFINITE, 3);
    const RootMove *best = &bed->worker->root[0];
    for (int i = 1; i < bed->worker->root_count; i++)
        if (bed->worker->root[i].score > best->score) best = &bed->worker->root[i];
    assert_int_equal(best->score, value);
    assert_int_equal(best->bound, BOUND_EXACT);
    assert_true(search_window(bed, &pos, value - 300, value - 250, 3) >= value - 250);
    assert_true(search_window(bed, &pos, value + 250, value + 300, 3) <= value + 250);
}

static int score_of(Bed *bed, const Position *pos, int depth) {
    bed_clear(bed);
    return bed_search(bed, pos, (SearchLimits){.depth = depth})->score;
}

static void perpetual_check_is_a_draw(void **state) {
    Position pos = test_position("4Q3/6pk/8/8/8/8/qr6/7K w - - 0 1");
    assert_int_equal(score_of(*state, &pos, 10), SCORE_DRAW);
}

static void dead_material_is_a_draw(void **state) {
    Position pos = test_position("8/8/3k4/8/8/2N1K3/8/8 w - - 0 1");
    assert_int_equal(score_of(*state, &pos, 6), SCORE_DRAW);
    pos = test_position("8/3k4/8/3q4/4K3/8/8/8 w - - 0 1"); /* the capture leaves bare kings */
    assert_int_equal(score_of(*state, &pos, 6), SCORE_DRAW);
}

static void stalemate_is_a_draw(void **state) {
    /* King to e6 is stalemate, every other move gives up the pawn. */
    const Position pos = test_position("4k3/4P3/3K4/8/8/8/8/8 w - - 0 1");
    assert_int_equal(score_of(*state, &pos, 8), SCORE_DRAW);
}

/* A rook up, but the fifty moves run out first. */
static void the_fifty_move_rule_is_seen_coming(void **state) {
    Position pos = test_position("8/8/8/4k3/8/8/8/K6R w - - 99 120");
    assert_int_equal(score_of(*state, &pos, 8), SCORE_DRAW);
    pos = test_position("8/8/8/4k3/8/8/8/K6R w - - 90 120");
    assert_int_equal(score_of(*state, &pos, 12), SCORE_DRAW);
    pos = test_position("8/8/8/4k3/8/8/8/K6R w - - 0 120");
    assert_true(score_of(*state, &pos, 8) > 200);
    /* Mate with the hundredth ply counts. */
    pos = test_position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 120");
    assert_int_equal(score_of(*state, &pos, 4), score_mate_in(1));
}

/* The losing side takes a repetition from the game's history; the winning side avoids it. */
static void the_history_of_the_game_counts(void **state) {
    Bed *bed = *state;
    Position pos = test_position("6k1/6pp/8/8/8/8/q7/5R1K w - - 0 1");
    test_play(&pos, "f1e1 a2b2 e1f1 b2a2 f1e1 a2b2");
    /* Rf1 would allow Qa2, for the third time; Black, a queen against a rook, has better. */
    assert_true(score_of(bed, &pos, 6) < -200);
    Position losing = test_position("6k1/6pp/8/8/8/8/q7/5R1K b - - 0 1");
    test_play(&losing, "a2b2 f1e1 b2a2 e1f1 a2b2 f1e1 b2a2");
    /* White to move repeats for the third time: a draw at once. */
    bed_clear(bed);
    const RootMove *best = bed_search(bed, &losing, (SearchLimits){.depth = 6});
    assert_int_equal(best->move, move_make(E1, F1));
    assert_int_equal(best->score, SCORE_DRAW);
}

static void deepest_lines_stay_inside_the_frames(void **state) {
    Bed *bed = *state;
    /* Blocked kings and pawns: few moves, so every iteration is short. */
    const Position pos = test_position("k7/8/p7/P7/8/8/8/7K w - - 0 1");
    bed_clear(bed);
    const RootMove *best = bed_search(bed, &pos, (SearchLimits){.depth = MAX_PLY, .nodes = 150000});
    assert_non_null(best);
    bed_play_line(&pos, best->pv, best->pv_length);
    assert_true(bed->worker->selective_depth <= MAX_PLY);
}

#ifdef LUFT_LAB
/* --- with every technique switched off, the search is minimax --- */

/* Full width and full windows down to quiescence. */
static int plain_value(Worker *worker, int ply, int depth) {
    if (ply > 0 && draw_by_rule(&worker->pos, ply)) return SCORE_DRAW;
    if (depth == 0) return qsearch_pv(worker, ply, -SCORE_INFINITE, SCORE_INFINITE);
    Move moves[MAX_MOVES];
    const int count = movegen_legal(&worker->pos, moves);
    if (count == 0) return position_in_check(&worker->pos) ? score_mated_in(ply) : SCORE_DRAW;
    int best = -SCORE_INFINITE;
    for (int i = 0; i < count; i++) {
        worker_make_move(worker, ply, moves[i]);
        best = int_max(best, -plain_value(worker, ply + 1, depth - 1));
        worker_unmake_move(worker, ply);
    }
    return best;
}

static void set_techniques(bool enabled) {
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    for (int i = 0; i < count; i++) *rows[i].enabled = enabled;
}

static void without_techniques_it_is_minimax(void **state) {
    Bed *bed = *state;
    set_techniques(false);
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        const Position pos = bed_bench_position(i);
        if (!movegen_has_legal(&pos) || i == 35 || i == 36) continue; /* too many captures for full width */
        for (int depth = 1; depth <= 2; depth++) {
            bed_clear(bed);
            bed_prepare(bed, &pos, &(SearchLimits){.multi_pv = 1});
            const int plain = plain_value(bed->worker, 0, depth);
            const int found = search_window(bed, &pos, -SCORE_INFINITE, SCORE_INFINITE, depth);
            if (plain != found) fail_msg("position %d, depth %d: %d, not %d", i, depth, found, plain);
        }
    }
    set_techniques(true);
}

/* Each switch alone leaves a working engine that still finds a mate. */
static void every_switch_can_be_off(void **state) {
    Bed *bed = *state;
    const Position mate = test_position(MATES[4].fen), pos = bed_bench_position(1);
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    for (int i = 0; i < count; i++) {
        *rows[i].enabled = false;
        bed_clear(bed);
        const RootMove *best = bed_search(bed, &mate, (SearchLimits){.depth = 12});
        if (best->score != mate_score(MATES[4].moves)) fail_msg("without %s: %d", rows[i].name, best->score);
        best = bed_search(bed, &pos, (SearchLimits){.depth = 4});
        bed_play_line(&pos, best->pv, best->pv_length);
        *rows[i].enabled = true;
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_mates_are_found_exactly),
        cmocka_unit_test(windows_bound_mates),
        cmocka_unit_test(the_root_reports_on_which_side_of_the_window_it_is),
        cmocka_unit_test(perpetual_check_is_a_draw),
        cmocka_unit_test(dead_material_is_a_draw),
        cmocka_unit_test(stalemate_is_a_draw),
        cmocka_unit_test(the_fifty_move_rule_is_seen_coming),
        cmocka_unit_test(the_history_of_the_game_counts),
        cmocka_unit_test(deepest_lines_stay_inside_the_frames),
#ifdef LUFT_LAB
        cmocka_unit_test(without_techniques_it_is_minimax),
        cmocka_unit_test(every_switch_can_be_off),
#endif
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
