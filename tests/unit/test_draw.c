#include "chess/game.h"
#include "test_support.h"

static const char SHUFFLE[] = "g1f3 g8f6 f3g1 f6g8";

static void third_occurrence_is_a_draw(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    assert_false(draw_by_repetition(&pos, 0));
    test_play(&pos, SHUFFLE);
    assert_false(draw_by_repetition(&pos, 0));
    test_play(&pos, SHUFFLE);
    assert_true(draw_by_repetition(&pos, 0));
    assert_int_equal(game_end(&pos), THREEFOLD_REPETITION);
}

static void inside_the_tree_once_is_enough(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    test_play(&pos, SHUFFLE);
    assert_false(draw_by_repetition(&pos, 4)); /* the earlier one is the root itself */
    assert_true(draw_by_repetition(&pos, 5));
}

static void pawn_moves_end_the_search_for_repetitions(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    test_play(&pos, "g1f3 g8f6 f3g1 f6g8 e2e4 g8f6 g1f3 f6g8 f3g1");
    /* After e2e4 for the second time on the board, but with Black to move once. */
    assert_true(draw_by_repetition(&pos, 9));
    assert_false(draw_by_repetition(&pos, 0));
    test_play(&pos, "e7e5");
    assert_false(draw_by_repetition(&pos, 100));
}

static void castling_rights_make_positions_differ(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    test_play(&pos, "h1g1 e8d8 g1h1 d8e8");
    assert_false(draw_by_repetition(&pos, 99));
    test_play(&pos, "h1g1 e8d8 g1h1 d8e8");
    assert_true(draw_by_repetition(&pos, 99));
    assert_false(draw_by_repetition(&pos, 0));
}

static void null_moves_end_the_search_for_repetitions(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    Undo undo;
    test_play(&pos, "g1f3 g8f6");
    position_make_null(&pos, &undo);
    test_play(&pos, "f6g8 f3g1");
    position_make_null(&pos, &undo);
    assert_false(draw_by_repetition(&pos, 99));
}

/* Whether some legal move leads to a repetition, by trying all moves. */
static bool some_move_repeats(Position *pos, int ply) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    bool repeats = false;
    for (int i = 0; i < count && !repeats; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        repeats = draw_by_repetition(pos, ply + 1);
        position_unmake_move(pos, moves[i], &undo);
    }
    return repeats;
}

static void upcoming_repetition_is_seen(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    test_play(&pos, "g1f3 g8f6 f3g1");
    assert_true(draw_upcoming_repetition(&pos, 4));  /* the repeated position was below the root */
    assert_false(draw_upcoming_repetition(&pos, 3)); /* it was the root: once is not enough */
    test_play(&pos, "f6g8 g1f3 g8f6 f3g1");
    assert_true(draw_upcoming_repetition(&pos, 0));
}

/* The earlier position differs by a rook move that the knight blocks. */
static void a_blocked_way_back_is_no_repetition(void **state) {
    (void)state;
    const char *way_round = "h8g8 a1b1 g8g7 b1b4 g7h7 b4a4 h7h8";
    Position blocked = test_position("7k/8/8/8/8/8/N7/R3K3 b - - 0 1");
    test_play(&blocked, way_round);
    assert_false(draw_upcoming_repetition(&blocked, 99));
    Position open = test_position("7k/8/8/8/8/8/7N/R3K3 b - - 0 1");
    test_play(&open, way_round);
    assert_true(draw_upcoming_repetition(&open, 99));
}

/* Random moves with few pieces repeat often. Compares every answer of the tables with trying all moves. */
static void upcoming_repetition_agrees_with_trying_all_moves(void **state) {
    (void)state;
    const char *fens[] = {"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "n3k3/p7/P7/8/8/8/8/N3K3 w - - 0 1",
                          "8/8/1k6/2b5/8/5Q2/6K1/8 w - - 0 1", "rk6/p1p5/P1P5/8/8/p1p5/P1P5/RK6 w - - 0 1"};
    int seen = 0;
    for (uint64_t game = 0; game < 80; game++) {
        Rng rng = rng_stream(17, game);
        Position pos = test_position(fens[game % 4]);
        for (int ply = 0; ply < 90; ply++) {
            Undo undo;
            for (int root = 0; root <= ply; root += 1 + root / 3) {
                const bool expected = some_move_repeats(&pos, ply - root);
                seen += expected;
                assert_int_equal(draw_upcoming_repetition(&pos, ply - root), expected);
            }
            const Move move = test_random_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            position_make_move(&pos, move, &undo);
        }
    }
    assert_true(seen > 1000);
}

static void fifty_moves_except_mate(void **state) {
    (void)state;
    Position pos = test_position("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    assert_false(draw_by_fifty_moves(&pos));
    test_play(&pos, "a2b2");
    assert_true(draw_by_fifty_moves(&pos));
    assert_int_equal(game_end(&pos), FIFTY_MOVES);
    pos = test_position("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    test_play(&pos, "a1a8");
    assert_false(draw_by_fifty_moves(&pos));
    assert_int_equal(game_end(&pos), CHECKMATE);
    pos = test_position("7k/8/6K1/8/8/8/R7/8 b - - 100 80");
    assert_true(draw_by_fifty_moves(&pos));
}

static void dead_material_is_distinguished_from_little_material(void **state) {
    (void)state;
    const char *dead[] = {
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",       "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4kb2/8/8/8/8/8/8/4K3 w - - 0 1",      "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",
        "4k3/8/8/8/8/1B1B4/8/1B2K3 w - - 0 1",
    };
    const char *alive[] = {
        "4k3/p7/8/8/8/8/8/4K3 w - - 0 1",   "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",   "4k3/8/8/8/8/8/8/4KNN1 w - - 0 1",
        "4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1", "4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", /* bishops on both colours */
    };
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        Position pos = test_position(dead[i]);
        assert_true(draw_by_dead_material(&pos));
        assert_int_equal(game_end(&pos), DEAD_POSITION);
    }
    for (size_t i = 0; i < sizeof alive / sizeof *alive; i++) {
        Position pos = test_position(alive[i]);
        assert_false(draw_by_dead_material(&pos));
        assert_int_equal(game_end(&pos), GAME_GOES_ON);
    }
}

static void any_rule_makes_a_draw(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/8/8/8/4KB2 w - - 0 1");
    assert_true(draw_by_rule(&pos, 1)); /* dead material */
    pos = test_position("4k3/8/8/8/8/8/8/R3K3 w - - 100 90");
    assert_true(draw_by_rule(&pos, 1));
    pos = test_position(FEN_START);
    test_play(&pos, "g1f3 g8f6 f3g1 f6g8");
    assert_false(draw_by_rule(&pos, 1)); /* once, before the root */
    assert_true(draw_by_rule(&pos, 5));  /* once, inside the tree */
}

static void mate_and_stalemate_end_the_game(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    assert_int_equal(game_end(&pos), GAME_GOES_ON);
    test_play(&pos, "f2f3 e7e5 g2g4 d8h4");
    assert_int_equal(game_end(&pos), CHECKMATE);
    pos = test_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_int_equal(game_end(&pos), STALEMATE);
}

static void an_endless_game_stays_drawn_and_has_a_fen(void **state) {
    (void)state;
    Position pos = test_position(FEN_START), again;
    char fen[FEN_CAPACITY];
    for (int i = 0; i < 8300; i++) test_play(&pos, SHUFFLE); /* more plies than 16 bits count */
    assert_true(draw_by_repetition(&pos, 0));
    assert_true(draw_by_fifty_moves(&pos));
    fen_write(&pos, fen);
    assert_ok(fen_parse(&again, text_view(fen), false));
    assert_int_equal(again.state.halfmove_clock, PLIES_COUNTED);
    test_play(&pos, "e2e4");
    assert_int_equal(pos.state.halfmove_clock, 0);
    assert_false(draw_by_repetition(&pos, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(third_occurrence_is_a_draw),
        cmocka_unit_test(inside_the_tree_once_is_enough),
        cmocka_unit_test(pawn_moves_end_the_search_for_repetitions),
        cmocka_unit_test(castling_rights_make_positions_differ),
        cmocka_unit_test(null_moves_end_the_search_for_repetitions),
        cmocka_unit_test(upcoming_repetition_is_seen),
        cmocka_unit_test(a_blocked_way_back_is_no_repetition),
        cmocka_unit_test(upcoming_repetition_agrees_with_trying_all_moves),
        cmocka_unit_test(fifty_moves_except_mate),
        cmocka_unit_test(dead_material_is_distinguished_from_little_material),
        cmocka_unit_test(any_rule_makes_a_draw),
        cmocka_unit_test(an_endless_game_stays_drawn_and_has_a_fen),
        cmocka_unit_test(mate_and_stalemate_end_the_game),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
