/* Tablebases: results for positions and moves, and their use in the search. tests/syzygy has five tables of
 * three pieces; tables of four pieces are in the folder that LUFT_SYZYGY names, if it is set. */
#include "base/bytes.h"
#include "chess/game.h"
#include "tb/syzygy.h"

#include "placement_support.h"
#include "search_support.h"

#include <stdlib.h>

static const char TABLES[] = "tests/syzygy";

typedef struct Fixture {
    Bed *bed;
    Syzygy tables;
} Fixture;

static int set_up(void **state) {
    static Fixture fixture;
    void *bed = NULL;
    if (bed_create(&bed) != 0) return 1;
    fixture = (Fixture){.bed = bed};
    *state = &fixture;
    const Status status = syzygy_load(&fixture.tables, text_view(TABLES));
    return !status_is_ok(&status);
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    void *bed = fixture->bed;
    assert_ok(syzygy_load(&fixture->tables, text_view("")));
    return bed_destroy(&bed);
}

static SearchLimits limits_with(const Fixture *fixture, int depth) {
    return (SearchLimits){
        .depth = depth,
        .tablebases = {.tables = &fixture->tables, .pieces = 7, .depth = 1, .fifty_move_rule = true}};
}

static const RootMove *search(Fixture *fixture, const char *fen, int depth) {
    const Position pos = test_position(fen);
    bed_clear(fixture->bed);
    return bed_search(fixture->bed, &pos, limits_with(fixture, depth));
}

static void positions_are_answered(void **state) {
    const Fixture *fixture = *state;
    static const struct {
        const char *fen;
        Wdl wdl;
    } CASES[] = {{"8/8/8/4k3/8/8/8/KQ6 w - - 0 1", WDL_WIN},   {"8/8/8/4k3/8/8/8/KQ6 b - - 0 1", WDL_LOSS},
                 {"8/8/8/4k3/8/8/8/KN6 w - - 0 1", WDL_DRAW},  {"8/8/8/4K3/8/8/8/kr6 b - - 0 1", WDL_WIN},
                 {"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", WDL_WIN}, {"8/8/8/8/4k3/4P3/8/4K3 w - - 0 1", WDL_DRAW},
                 {"8/8/8/8/8/1q6/8/K2k4 w - - 0 1", WDL_DRAW}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position pos = test_position(CASES[i].fen);
        Wdl wdl = WDL_DRAW;
        assert_true(syzygy_covers(&fixture->tables, &pos));
        if (!syzygy_probe(&fixture->tables, &pos, &wdl) || wdl != CASES[i].wdl)
            fail_msg("%s: %d", CASES[i].fen, (int)wdl);
    }
}

/* A random position of the material: false when this attempt found none. */
static bool try_position(Rng *rng, const char *name, Position *pos) {
    Material material;
    assert_true(material_read(&material, text_view(name)));
    if (!place_pieces(rng, material, pos)) return false;
    pos->side = rng_below(rng, 2) != 0 ? WHITE : BLACK;
    pos->state.halfmove_clock = (int16_t)rng_below(rng, 100);
    position_finish(pos);
    return !(position_attackers(pos, position_king(pos, color_other(pos->side)), position_occupied(pos)) &
             pos->by_color[pos->side]);
}

/* The hash is that of the answers that Fathom gives (github:jdart1/Fathom at c9c6fef). */
static void answers_are_those_of_another_prober(void **state) {
    const Fixture *fixture = *state;
    static const char *const NAMES[] = {"KPvK", "KNvK", "KBvK", "KRvK", "KQvK"};
    enum { POSITIONS = 20000 };
    Rng rng = rng_seed(1);
    uint64_t hash = bytes_hash("", 0);
    for (int i = 0; i < POSITIONS;) {
        Position pos;
        if (!try_position(&rng, NAMES[i % 5], &pos)) continue;
        SyzygyMove moves[MAX_MOVES];
        Wdl wdl;
        bool by_dtz;
        assert_true(syzygy_probe(&fixture->tables, &pos, &wdl));
        const int count = syzygy_rank_moves(&fixture->tables, &pos, true, &by_dtz, moves);
        assert_true(by_dtz);
        int sum = wdl; /* in any order of the moves */
        for (int j = 0; j < count; j++) sum += moves[j].rank * (moves[j].move % 1000 + 1);
        hash = bytes_hash_more(hash, &sum, sizeof sum);
        i++;
    }
    assert_true(hash == 0x47C5DEFE377FE54B);
}

static void what_the_tables_do_not_know_is_not_covered(void **state) {
    const Fixture *fixture = *state;
    const Position more = test_position("8/8/8/4k3/8/8/8/KQR5 w - - 0 1");
    const Position castling = test_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_false(syzygy_covers(&fixture->tables, &more));
    assert_false(syzygy_covers(&fixture->tables, &castling));
}

static void moves_that_spoil_the_win_rank_lower(void **state) {
    const Fixture *fixture = *state;
    /* Some moves lose the queen or give stalemate. */
    const Position pos = test_position("7k/8/8/6Q1/8/8/8/K7 w - - 0 1");
    SyzygyMove moves[MAX_MOVES];
    bool by_dtz = false;
    const int count = syzygy_rank_moves(&fixture->tables, &pos, true, &by_dtz, moves);
    assert_int_equal(count, movegen_count(&pos));
    assert_true(by_dtz);
    for (int i = 0; i < count; i++) {
        const bool spoils = moves[i].move == move_make(G5, G6) || moves[i].move == move_make(G5, G7) ||
                            moves[i].move == move_make(G5, H6) || moves[i].move == move_make(G5, G8);
        Position after = pos;
        Undo undo;
        Wdl wdl;
        position_make_move(&after, moves[i].move, &undo);
        assert_true(syzygy_probe(&fixture->tables, &after, &wdl));
        assert_int_equal(moves[i].outcome, -(int)wdl);
        if (moves[i].outcome == WDL_DRAW) assert_true(spoils || moves[i].rank == 0);
        if (moves[i].outcome == WDL_WIN) assert_true(moves[i].rank >= 900);
    }
}

static void the_fifty_move_rule_makes_a_late_win_a_draw(void **state) {
    const Fixture *fixture = *state;
    const Position pos = test_position("8/8/8/3k4/8/8/8/K6R w - - 95 90");
    SyzygyMove moves[MAX_MOVES];
    bool by_dtz;
    for (int rule = 0; rule < 2; rule++) {
        const int count = syzygy_rank_moves(&fixture->tables, &pos, rule, &by_dtz, moves);
        Wdl best = WDL_LOSS;
        for (int i = 0; i < count; i++) best = moves[i].outcome > best ? moves[i].outcome : best;
        assert_int_equal(best, rule ? WDL_CURSED_WIN : WDL_WIN);
    }
}

static void several_engines_have_tables(void **state) {
    Fixture *fixture = *state;
    Syzygy other = {0};
    assert_fails(syzygy_load(&other, text_view("tests/nowhere")), "tests/nowhere");
    assert_int_equal(other.largest, 0);
    assert_ok(syzygy_load(&other, text_view(TABLES)));
    assert_int_equal(other.tables, 5);
    assert_ok(syzygy_load(&other, text_view("")));
    assert_int_equal(other.largest, 0);
    assert_int_equal(fixture->tables.largest, 3);
    positions_are_answered(state);
}

static void the_root_is_decided_by_the_tables(void **state) {
    Fixture *fixture = *state;
    const RootMove *best = search(fixture, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 3);
    assert_int_equal(score_to_centipawns(iterate_score(best)), 19999);
    assert_true(atomic_load(&fixture->bed->shared.tb_hits) > 0);
    best = search(fixture, "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 3);
    assert_int_equal(score_to_centipawns(iterate_score(best)), -19999);
    best = search(fixture, "8/8/8/8/4k3/4P3/8/4K3 w - - 0 1", 3);
    assert_int_equal(iterate_score(best), SCORE_DRAW);
    /* A mate that the search finds is reported as a mate. */
    best = search(fixture, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 4);
    assert_int_equal(iterate_score(best), score_mate_in(1));
}

static void a_mate_is_reported_if_the_tables_agree(void **state) {
    (void)state;
    const int mate = score_mate_in(7), win = SCORE_TABLEBASE - 1;
    const int cases[][3] = {{mate, SCORE_NONE, mate}, {120, SCORE_NONE, 120},
                            {mate, win, mate},        {120, win, win},
                            {mate, SCORE_DRAW, 0},    {-mate, win, win},
                            {-mate, -win, -mate},     {mate, SCORE_CURSED_WIN, SCORE_CURSED_WIN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const RootMove root = {.score = cases[i][0], .table_score = cases[i][1]};
        assert_int_equal(iterate_score(&root), cases[i][2]);
    }
}

/* Four pieces at the root, three after the capture: the search probes the tables. */
static void the_tree_probes_after_captures(void **state) {
    Fixture *fixture = *state;
    const char *const fen = "8/8/8/8/8/2k5/2p5/1R1K4 w - - 0 1";
    const RootMove *best = search(fixture, fen, 1);
    assert_non_null(best);
    assert_int_equal(fixture->bed->shared.ranked_count, 0);
    assert_int_equal(fixture->bed->shared.table_pieces, 3);
    search(fixture, fen, 6);
    assert_true(atomic_load(&fixture->bed->shared.tb_hits) > 0);
    best = search(fixture, "8/8/8/3k4/8/8/p7/K6R w - - 0 1", 4);
    assert_true(score_is_decided(iterate_score(best)));
}

static void limits_of_pieces_and_depth_are_kept(void **state) {
    Fixture *fixture = *state;
    const Position pos = test_position("8/8/8/8/8/2k5/2p5/1R1K4 w - - 0 1");
    SearchLimits limits = limits_with(fixture, 6);
    limits.tablebases.pieces = 2;
    bed_clear(fixture->bed);
    bed_search(fixture->bed, &pos, limits);
    assert_int_equal(atomic_load(&fixture->bed->shared.tb_hits), 0);
    limits.tablebases.pieces = 7;
    limits.tablebases.depth = 100;
    bed_clear(fixture->bed);
    bed_search(fixture->bed, &pos, limits);
    assert_int_equal(atomic_load(&fixture->bed->shared.tb_hits), 0);
}

/* Plays won positions against the best defence of a short search, also with a halfmove clock that leaves no
 * time for detours. */
static void won_positions_are_won(void **state) {
    Fixture *fixture = *state;
    static const char *const FENS[] = {"8/8/8/4k3/8/8/8/K6R w - - 0 1", "8/8/8/4k3/8/8/8/K6R w - - 60 90",
                                       "4k3/8/4K3/4P3/8/8/8/8 w - - 70 90",
                                       "8/3k4/8/8/8/8/8/KQ6 w - - 75 90"};
    for (size_t i = 0; i < sizeof FENS / sizeof *FENS; i++) {
        Position pos = test_position(FENS[i]);
        bed_clear(fixture->bed);
        while (game_end(&pos) == GAME_GOES_ON) {
            const RootMove *best = bed_search(fixture->bed, &pos, limits_with(fixture, 3));
            Undo undo;
            position_make_move(&pos, best->move, &undo);
        }
        if (game_end(&pos) != CHECKMATE) fail_msg("%s: no mate", FENS[i]);
    }
}

static void lines_come_by_rank(void **state) {
    Fixture *fixture = *state;
    const Position pos = test_position("7k/8/8/6Q1/8/8/8/K7 w - - 0 1");
    SearchLimits limits = limits_with(fixture, 4);
    limits.multi_pv = 30;
    bed_clear(fixture->bed);
    bed_search(fixture->bed, &pos, limits);
    const Worker *worker = fixture->bed->worker;
    assert_int_equal(worker->root_count, movegen_count(&pos));
    for (int i = 1; i < worker->root_count; i++) {
        assert_true(worker->root[i].rank <= worker->root[i - 1].rank);
        assert_int_equal(worker->root[i].rank == 0, iterate_score(&worker->root[i]) == SCORE_DRAW);
    }
}

/* The longest elementary mate, with no move to spare. */
static void bishop_and_knight_mate_with_four_pieces(void **state) {
    Fixture *fixture = *state;
    const char *const folder = getenv("LUFT_SYZYGY");
    if (folder == NULL) {
        print_message("skipped: LUFT_SYZYGY names no folder of tables with four pieces\n");
        skip();
    }
    assert_ok(syzygy_load(&fixture->tables, text_view(folder)));
    Position pos = test_position("7k/8/8/8/8/8/8/KNB5 w - - 0 1");
    bed_clear(fixture->bed);
    while (game_end(&pos) == GAME_GOES_ON) {
        const RootMove *best = bed_search(fixture->bed, &pos, limits_with(fixture, 2));
        Undo undo;
        position_make_move(&pos, best->move, &undo);
    }
    assert_int_equal(game_end(&pos), CHECKMATE);
    assert_ok(syzygy_load(&fixture->tables, text_view(TABLES)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_answered),
        cmocka_unit_test(answers_are_those_of_another_prober),
        cmocka_unit_test(what_the_tables_do_not_know_is_not_covered),
        cmocka_unit_test(moves_that_spoil_the_win_rank_lower),
        cmocka_unit_test(the_fifty_move_rule_makes_a_late_win_a_draw),
        cmocka_unit_test(several_engines_have_tables),
        cmocka_unit_test(the_root_is_decided_by_the_tables),
        cmocka_unit_test(a_mate_is_reported_if_the_tables_agree),
        cmocka_unit_test(the_tree_probes_after_captures),
        cmocka_unit_test(limits_of_pieces_and_depth_are_kept),
        cmocka_unit_test(won_positions_are_won),
        cmocka_unit_test(lines_come_by_rank),
        cmocka_unit_test(bishop_and_knight_mate_with_four_pieces),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
