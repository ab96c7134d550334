/* Complete searches: limits, lines, determinism, and invariants of every report. */
#include "chess/game.h"
#include "search/iterate.h"

#include "search_support.h"

#include <stdio.h>

/* Checks a line: legal moves, no move after the end of the game, and a mate at the distance of its score. */
static void check_line(const Position *root, const SearchInfo *info, const char *what) {
    if (info->pv_length < 1) fail_msg("%s: an empty line", what);
    const Position end = bed_play_line(root, info->pv, info->pv_length);
    if (!score_is_mate(info->score) || info->bound != BOUND_EXACT) return;
    const int plies = info->score > 0 ? SCORE_MATE - info->score : SCORE_MATE + info->score;
    if (info->pv_length != plies || game_end(&end) != CHECKMATE)
        fail_msg("%s: mate in %d plies with a line of %d", what, plies, info->pv_length);
}

/* All lines of a search, in the order in which they came. */
static void check_report(const Bed *bed, const Position *root, const RootMove *best, int lines,
                         const char *what) {
    assert_true(bed->lines.count > 0);
    int last_first = -1;
    uint64_t nodes = 0;
    for (int i = 0; i < bed->lines.count; i++) {
        const SearchInfo *info = &bed->lines.line[i];
        check_line(root, info, what);
        assert_in_range(info->multi_pv, 1, lines);
        assert_true(info->nodes >= nodes);
        nodes = info->nodes;
        if (info->multi_pv == 1) last_first = i;
    }
    /* The last block: all lines, each with its own first move, best first, the first the one that is played.
     */
    const SearchInfo *block = &bed->lines.line[last_first];
    if (block[0].pv[0] != best->move) fail_msg("%s: plays another move than it said last", what);
    const int count = bed->lines.count - last_first;
    for (int i = 0; i < count; i++) {
        assert_int_equal(block[i].multi_pv, i + 1);
        if (i > 0 && block[i].depth == block[i - 1].depth && block[i].score > block[i - 1].score)
            fail_msg("%s: line %d is better than the one before", what, i + 1);
        for (int j = 0; j < i; j++)
            if (block[i].pv[0] == block[j].pv[0]) fail_msg("%s: two lines with one first move", what);
    }
}

static void lines_of_the_bench_positions_hold(void **state) {
    Bed *bed = *state;
    bed_clear(bed);
    for (int i = 0; i < test_share(BENCH_POSITIONS); i++) {
        const Position pos = bed_bench_position(i);
        for (int lines = 1; lines <= 4; lines += 3) {
            char what[64];
            snprintf(what, sizeof what, "position %d, %d lines", i, lines);
            const RootMove *best = bed_search(bed, &pos, (SearchLimits){.depth = 8, .multi_pv = lines});
            if (best == NULL) {
                assert_false(movegen_has_legal(&pos));
                assert_int_equal(bed->lines.count, 0);
                continue;
            }
            check_report(bed, &pos, best, lines, what);
            const int reported = int_min(lines, movegen_count(&pos));
            const SearchInfo *block = &bed->lines.line[bed->lines.count - reported];
            for (int j = 0; j < reported; j++) {
                assert_int_equal(block[j].depth, 8);
                assert_int_equal(block[j].multi_pv, j + 1);
                assert_int_equal(block[j].bound, BOUND_EXACT);
            }
        }
    }
}

/* A search that is stopped anywhere plays the move it reported last, and every line is valid. */
static void a_stop_anywhere_leaves_valid_lines(void **state) {
    Bed *bed = *state;
    Rng rng = rng_seed(31);
    for (int i = 0; i < test_share(400); i++) {
        const Position pos = bed_bench_position((int)rng_below(&rng, BENCH_POSITIONS));
        if (!movegen_has_legal(&pos)) continue;
        if (i % 8 == 0) bed_clear(bed);
        const int lines = i % 2 ? 1 : 2 + (int)rng_below(&rng, 5);
        const uint64_t nodes = 1 + rng_below(&rng, 4000);
        char what[64];
        snprintf(what, sizeof what, "search %d, %d lines, %d nodes", i, lines, (int)nodes);
        const RootMove *best = bed_search(bed, &pos, (SearchLimits){.nodes = nodes, .multi_pv = lines});
        check_report(bed, &pos, best, lines, what);
    }
}

/* Most lines end in mate, so their scores check their lengths. */
static void a_stop_among_mates_leaves_valid_lines(void **state) {
    Bed *bed = *state;
    static const char *const FENS[] = {"8/8/8/8/8/8/R7/1R2K2k w - - 0 1", "7k/8/8/4K3/8/8/8/6Q1 w - - 0 1",
                                       "k7/8/4K3/8/8/8/8/1R6 w - - 0 1", "k7/8/2K5/8/8/8/8/1R6 b - - 0 1",
                                       "6k1/8/8/8/8/8/1Q6/K2R4 w - - 0 1"};
    Rng rng = rng_seed(32);
    for (int i = 0; i < test_share(400); i++) {
        const Position pos = test_position(FENS[i % 5]);
        if (i % 8 == 0) bed_clear(bed);
        const int lines = 1 + (int)rng_below(&rng, 8);
        const uint64_t nodes = 1 + rng_below(&rng, 6000);
        char what[64];
        snprintf(what, sizeof what, "search %d, %d lines, %d nodes", i, lines, (int)nodes);
        const RootMove *best = bed_search(bed, &pos, (SearchLimits){.nodes = nodes, .multi_pv = lines});
        check_report(bed, &pos, best, lines, what);
    }
}

static void more_lines_than_moves_give_all_moves(void **state) {
    Bed *bed = *state;
    const Position pos = test_position("7k/8/8/8/8/8/8/K6R b - - 0 1");
    bed_clear(bed);
    const RootMove *best = bed_search(bed, &pos, (SearchLimits){.depth = 4, .multi_pv = MAX_MOVES});
    check_report(bed, &pos, best, movegen_count(&pos), "all moves");
    assert_int_equal(bed->lines.line[bed->lines.count - 1].multi_pv, movegen_count(&pos));
}

static void no_legal_move_is_no_search(void **state) {
    Bed *bed = *state;
    static const char *const ENDS[] = {"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"};
    for (int i = 0; i < 2; i++) {
        const Position pos = test_position(ENDS[i]);
        assert_null(bed_search(bed, &pos, (SearchLimits){.depth = 5}));
        assert_int_equal(bed->lines.count, 0);
        assert_int_equal(worker_nodes(bed->worker), 0);
    }
}

static void only_the_wanted_moves_are_searched(void **state) {
    Bed *bed = *state;
    const Position pos = test_position("4k3/pp6/8/3q4/8/2N5/PP6/4K3 w - - 0 1");
    SearchLimits limits = {.depth = 6, .multi_pv = 3, .search_move_count = 2};
    assert_ok(lan_parse(&pos, text_view("a2a3"), &limits.search_moves[0]));
    assert_ok(lan_parse(&pos, text_view("b2b3"), &limits.search_moves[1]));
    bed_clear(bed);
    const RootMove *best = bed_search(bed, &pos, limits);
    check_report(bed, &pos, best, 2, "wanted moves");
    for (int i = 0; i < bed->lines.count; i++)
        assert_true(bed->lines.line[i].pv[0] == limits.search_moves[0] ||
                    bed->lines.line[i].pv[0] == limits.search_moves[1]);
    assert_true(best->score < 0); /* the queen would have hung */
}

/* Earlier searches, stopped anywhere, make no difference after a reset. */
static void the_same_search_takes_the_same_nodes(void **state) {
    Bed *bed = *state;
    for (int i = 0; i < test_share(BENCH_POSITIONS); i += 5) {
        const Position pos = bed_bench_position(i);
        uint64_t nodes[2];
        Move moves[2];
        for (int run = 0; run < 2; run++) {
            const Position other = bed_bench_position((i + 1 + run) % BENCH_POSITIONS);
            bed_search(bed, &other, (SearchLimits){.nodes = 20000 + 777 * (uint64_t)run});
            bed_clear(bed);
            moves[run] = bed_search(bed, &pos, (SearchLimits){.depth = 8})->move;
            nodes[run] = worker_nodes(bed->worker);
        }
        assert_int_equal(nodes[0], nodes[1]);
        assert_int_equal(moves[0], moves[1]);
    }
}

static void the_node_limit_is_exact(void **state) {
    Bed *bed = *state;
    const Position pos = bed_bench_position(1);
    for (uint64_t nodes = 1000; nodes <= 64000; nodes *= 4) {
        bed_clear(bed);
        bed_search(bed, &pos, (SearchLimits){.nodes = nodes});
        assert_int_equal(worker_nodes(bed->worker), nodes);
    }
    /* Even with a limit of one node the first iteration is complete. */
    bed_clear(bed);
    assert_non_null(bed_search(bed, &pos, (SearchLimits){.nodes = 1}));
    assert_int_equal(bed->lines.line[bed->lines.count - 1].depth, 1);
}

static void the_soft_limit_ends_between_iterations(void **state) {
    Bed *bed = *state;
    const Position pos = bed_bench_position(1);
    bed_clear(bed);
    bed_search(bed, &pos, (SearchLimits){.soft_nodes = 3000});
    const int depth = bed->worker->completed_depth;
    const uint64_t nodes = worker_nodes(bed->worker);
    assert_true(nodes >= 3000 && depth > 1);
    bed_clear(bed);
    bed_search(bed, &pos, (SearchLimits){.depth = depth});
    assert_int_equal(worker_nodes(bed->worker), nodes);
}

static void a_wanted_mate_ends_the_search(void **state) {
    Bed *bed = *state;
    const Position pos = test_position("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1");
    bed_clear(bed);
    const RootMove *best = bed_search(bed, &pos, (SearchLimits){.mate = 2, .nodes = 5000000});
    assert_int_equal(best->score, score_mate_in(3));
    assert_true(worker_nodes(bed->worker) < 5000000);
}

static void depth_is_kept(void **state) {
    Bed *bed = *state;
    const Position pos = test_position(FEN_START);
    for (int depth = 1; depth <= 6; depth++) {
        bed_search(bed, &pos, (SearchLimits){.depth = depth});
        assert_int_equal(bed->worker->completed_depth, depth);
        assert_int_equal(bed->lines.line[bed->lines.count - 1].depth, depth);
    }
}

static void time_is_kept(void **state) {
    Bed *bed = *state;
    const Position pos = bed_bench_position(1);
    for (int milliseconds = 10; milliseconds <= 90; milliseconds += 40) {
        const int64_t begin = clock_microseconds();
        bed_search(bed, &pos, (SearchLimits){.has_move_time = true, .move_time = milliseconds});
        assert_in_range(clock_microseconds() - begin, milliseconds * 900,
                        1000 * (milliseconds + test_within(100)));
    }
}

/* Chess960: castling from anywhere, in lines too. */
static void chess960_lines_hold(void **state) {
    Bed *bed = *state;
    Rng rng = rng_seed(960);
    int castlings = 0;
    bed_clear(bed);
    for (int i = 0; i < 40; i++) {
        char fen[FEN_CAPACITY];
        Position pos;
        fen_chess960_start((int)rng_below(&rng, 960), (int)rng_below(&rng, 960), fen);
        assert_ok(fen_parse(&pos, text_view(fen), true));
        for (int ply = 0; ply < 12; ply++) {
            Undo undo;
            const Move move = test_random_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            position_make_move(&pos, move, &undo);
        }
        const RootMove *best = bed_search(bed, &pos, (SearchLimits){.depth = 6, .multi_pv = 2});
        if (best == NULL) continue;
        check_report(bed, &pos, best, 2, fen);
        for (int j = 0; j < bed->lines.count; j++)
            for (int k = 0; k < bed->lines.line[j].pv_length; k++)
                castlings += move_kind(bed->lines.line[j].pv[k]) == CASTLING;
    }
    assert_true(castlings > 0);
}

static void every_iteration_is_reported(void **state) {
    Bed *bed = *state;
    const Position pos = test_position("k7/8/p7/P7/8/8/8/7K w - - 0 1");
    bed_clear(bed);
    bed_search(bed, &pos, (SearchLimits){.depth = 200, .nodes = 20000, .multi_pv = 2});
    for (int i = 0; i < 2 * bed->worker->completed_depth; i++) {
        assert_int_equal(bed->lines.line[i].depth, i / 2 + 1);
        assert_int_equal(bed->lines.line[i].multi_pv, i % 2 + 1);
    }
    assert_true(bed->worker->completed_depth > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_the_bench_positions_hold),
        cmocka_unit_test(a_stop_anywhere_leaves_valid_lines),
        cmocka_unit_test(a_stop_among_mates_leaves_valid_lines),
        cmocka_unit_test(more_lines_than_moves_give_all_moves),
        cmocka_unit_test(no_legal_move_is_no_search),
        cmocka_unit_test(only_the_wanted_moves_are_searched),
        cmocka_unit_test(the_same_search_takes_the_same_nodes),
        cmocka_unit_test(the_node_limit_is_exact),
        cmocka_unit_test(the_soft_limit_ends_between_iterations),
        cmocka_unit_test(a_wanted_mate_ends_the_search),
        cmocka_unit_test(depth_is_kept),
        cmocka_unit_test(time_is_kept),
        cmocka_unit_test(chess960_lines_hold),
        cmocka_unit_test(every_iteration_is_reported),
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
