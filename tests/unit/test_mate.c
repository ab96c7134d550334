/* Mates proved and refuted by trying every move. */
#include "chess/game.h"
#include "search/mate.h"

#include "search_support.h"

static bool find(Bed *bed, const char *fen, int moves, Mate *mate) {
    const Position pos = test_position(fen);
    bed_prepare(bed, &pos, &(SearchLimits){.infinite = true});
    return mate_find(bed->worker, moves, UINT64_MAX, mate);
}

static void expect(Bed *bed, const char *fen, int moves, int plies) {
    Mate mate;
    assert_true(find(bed, fen, moves, &mate));
    assert_int_equal(mate.plies, plies);
    if (plies == 0) return;
    const Position pos = test_position(fen), end = bed_play_line(&pos, mate.line, plies);
    assert_int_equal(game_end(&end), CHECKMATE);
}

static void mates_are_found_and_refuted(void **state) {
    static const char IN_TWO[] = "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1";
    expect(*state, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1, 1);
    expect(*state, IN_TWO, 1, 0);
    expect(*state, IN_TWO, 2, 3);
    expect(*state, IN_TWO, 7, 3); /* the shortest */
    expect(*state, FEN_START, 3, 0);
    expect(*state, "8/8/8/8/8/5k2/8/5K1R w - - 0 1", 2, 0);
    expect(*state, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 1, 0);
    expect(*state, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 3, 3);
    expect(*state, "7k/5Q2/8/8/8/8/8/K7 b - - 0 1", 4, 0); /* stalemate: nothing to play */
}

static void draws_are_not_mates(void **state) {
    expect(*state, "7k/8/5K2/8/8/8/8/6R1 w - - 97 100", 3, 3);
    expect(*state, "7k/8/5K2/8/8/8/8/6R1 w - - 98 100", 3, 0);
}

static void only_root_moves_that_are_searched_count(void **state) {
    Bed *bed = *state;
    const Position pos = test_position("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
    Mate mate;
    bed_prepare(
        bed, &pos,
        &(SearchLimits){.infinite = true, .search_move_count = 1, .search_moves = {move_make(A1, A2)}});
    assert_true(mate_find(bed->worker, 1, UINT64_MAX, &mate));
    assert_int_equal(mate.plies, 0);
}

static void a_budget_leaves_the_answer_open(void **state) {
    Bed *bed = *state;
    const Position pos = test_position(FEN_START);
    Mate mate;
    bed_prepare(bed, &pos, &(SearchLimits){.infinite = true});
    assert_false(mate_find(bed->worker, 3, 100, &mate));
    assert_in_range(worker_nodes(bed->worker), 100, 110);
}

/* A simple reference solver. */
static bool mates_plainly(Position *pos, int left, int ply);
static bool is_lost_plainly(Position *pos, int left, int ply) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    if (count == 0) return position_in_check(pos);
    if (left == 0 || draw_by_fifty_moves(pos) || draw_by_repetition(pos, ply)) return false;
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        const bool mated = mates_plainly(pos, left, ply + 1);
        position_unmake_move(pos, moves[i], &undo);
        if (!mated) return false;
    }
    return true;
}
static bool mates_plainly(Position *pos, int left, int ply) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        const bool lost = is_lost_plainly(pos, left - 1, ply + 1);
        position_unmake_move(pos, moves[i], &undo);
        if (lost) return true;
    }
    return false;
}

static void a_simple_solver_agrees(void **state) {
    static const char *const STARTS[] = {"4k3/8/8/8/8/8/8/QR2K3 w - - 0 1",
                                         "2k5/8/2K5/8/8/8/P7/1R6 w - - 0 1",
                                         "r5k1/5ppp/8/8/8/8/5PPP/1R1Q2K1 w - - 0 1"};
    Bed *bed = *state;
    Rng rng = rng_seed(5);
    int found = 0;
    for (int i = 0; i < 240; i++) {
        Position pos = test_position(STARTS[i % 3]);
        for (int ply = 0; ply < 12 && game_end(&pos) == GAME_GOES_ON; ply++) {
            Undo undo;
            position_make_move(&pos, test_random_move(&pos, &rng), &undo);
        }
        if (game_end(&pos) != GAME_GOES_ON) continue;
        Mate mate;
        bed_prepare(bed, &pos, &(SearchLimits){.infinite = true});
        assert_true(mate_find(bed->worker, 2, UINT64_MAX, &mate));
        const int plies = mates_plainly(&pos, 1, 0) ? 1 : mates_plainly(&pos, 2, 0) ? 3 : 0;
        assert_int_equal(mate.plies, plies);
        found += plies > 0;
    }
    assert_in_range(found, 10, 230);
}

static void iterations_end_when_nothing_is_left_to_find(void **state) {
    Bed *bed = *state;
    bed_clear(bed);
    Position pos = test_position("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
    const RootMove *best = bed_search(bed, &pos, (SearchLimits){.infinite = true});
    assert_int_equal(best->score, score_mate_in(1));
    assert_in_range(bed->worker->completed_depth, 1, 5);
    pos = test_position(FEN_START);
    best = bed_search(bed, &pos, (SearchLimits){.mate = 3});
    assert_false(score_is_mate(best->score));
    assert_in_range(bed->worker->completed_depth, 1, 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mates_are_found_and_refuted),
        cmocka_unit_test(draws_are_not_mates),
        cmocka_unit_test(only_root_moves_that_are_searched_count),
        cmocka_unit_test(a_budget_leaves_the_answer_open),
        cmocka_unit_test(a_simple_solver_agrees),
        cmocka_unit_test(iterations_end_when_nothing_is_left_to_find),
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
