/* Each kind of move: the new position, the record of changes, and unmaking. */
#include "test_support.h"

/* Makes the move; checks the position, the record, and unmaking. `after` is the expected FEN. */
static Changes assert_makes(const char *before, bool chess960, const char *move_text, const char *after) {
    Position pos, start;
    Move move;
    Undo undo;
    char fen[FEN_CAPACITY];
    assert_ok(fen_parse(&pos, text_view(before), chess960));
    start = pos;
    assert_ok(lan_parse(&pos, text_view(move_text), &move));
    position_make_move(&pos, move, &undo);
    assert_true(position_is_consistent(&pos));
    fen_write(&pos, fen);
    assert_string_equal(fen, after);
    position_unmake_move(&pos, move, &undo);
    assert_true(position_equals(&pos, &start));
    assert_true(position_is_consistent(&pos));
    return undo.changes;
}

static void assert_change(const Changes *changes, int index, Piece piece, Square from, Square to) {
    assert_true(index < changes->count);
    assert_int_equal(changes->change[index].piece, piece);
    assert_int_equal(changes->change[index].from, from);
    assert_int_equal(changes->change[index].to, to);
}

static void test_quiet_move(void **state) {
    (void)state;
    Changes changes =
        assert_makes(FEN_START, false, "g1f3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
    assert_int_equal(changes.count, 1);
    assert_change(&changes, 0, WHITE_KNIGHT, G1, F3);
}

static void test_double_push(void **state) {
    (void)state;
    assert_makes("4k3/8/8/8/1p6/8/P7/4K3 w - - 5 9", false, "a2a4", "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 9");
    /* No pawn can take it: no en passant square. */
    assert_makes("4k3/8/8/8/2p5/8/P7/4K3 w - - 5 9", false, "a2a4", "4k3/8/8/8/P1p5/8/8/4K3 b - - 0 9");
    /* The capture would expose the black king. */
    assert_makes("8/8/8/8/k3p2R/8/3P4/4K3 w - - 5 9", false, "d2d4", "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 9");
}

static void test_capture(void **state) {
    (void)state;
    Changes changes =
        assert_makes("4k3/8/8/3p4/4P3/8/8/4K3 w - - 7 3", false, "e4d5", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 3");
    assert_int_equal(changes.count, 2);
    assert_change(&changes, 0, WHITE_PAWN, E4, D5);
    assert_change(&changes, 1, BLACK_PAWN, D5, NO_SQUARE);
}

static void test_en_passant(void **state) {
    (void)state;
    Changes changes =
        assert_makes("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3", false, "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 3");
    assert_int_equal(changes.count, 2);
    assert_change(&changes, 0, WHITE_PAWN, E5, D6);
    assert_change(&changes, 1, BLACK_PAWN, D5, NO_SQUARE);
}

static void test_promotion(void **state) {
    (void)state;
    Changes changes =
        assert_makes("4k3/P7/8/8/8/8/8/4K3 w - - 3 60", false, "a7a8r", "R3k3/8/8/8/8/8/8/4K3 b - - 0 60");
    assert_int_equal(changes.count, 2);
    assert_change(&changes, 0, WHITE_PAWN, A7, NO_SQUARE);
    assert_change(&changes, 1, WHITE_ROOK, NO_SQUARE, A8);
}

static void test_promotion_with_capture(void **state) {
    (void)state;
    Changes changes = assert_makes("r3k3/8/8/8/8/8/1p6/R3K3 b Qq - 3 60", false, "b2a1n",
                                   "r3k3/8/8/8/8/8/8/n3K3 w q - 0 61");
    assert_int_equal(changes.count, 3);
    assert_change(&changes, 0, BLACK_PAWN, B2, NO_SQUARE);
    assert_change(&changes, 1, BLACK_KNIGHT, NO_SQUARE, A1);
    assert_change(&changes, 2, WHITE_ROOK, A1, NO_SQUARE);
}

static void test_castling(void **state) {
    (void)state;
    Changes changes = assert_makes("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 8", false, "e1g1",
                                   "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 5 8");
    assert_int_equal(changes.count, 2);
    assert_change(&changes, 0, WHITE_KING, E1, G1);
    assert_change(&changes, 1, WHITE_ROOK, H1, F1);
    assert_makes("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 8", false, "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 5 9");
}

/* In Chess960 king and rook may change places, or only one of them moves. */
static void test_castling_of_chess960(void **state) {
    (void)state;
    Changes changes = assert_makes("2rk1r2/2p5/8/8/8/8/8/2RK1R2 w FCfc - 0 1", true, "d1c1",
                                   "2rk1r2/2p5/8/8/8/8/8/2KR1R2 b fc - 1 1");
    assert_change(&changes, 0, WHITE_KING, D1, C1);
    assert_change(&changes, 1, WHITE_ROOK, C1, D1);
    assert_makes("5k2/8/8/8/8/8/8/R5KR w HA - 0 1", true, "g1h1", "5k2/8/8/8/8/8/8/R4RK1 b - - 1 1");
    assert_makes("rk5r/8/8/8/8/8/8/RK5R b HAha - 0 1", true, "b8h8", "r4rk1/8/8/8/8/8/8/RK5R w HA - 1 2");
    assert_makes("rk5r/8/8/8/8/8/8/RK5R b HAha - 0 1", true, "b8a8", "2kr3r/8/8/8/8/8/8/RK5R w HA - 1 2");
}

static void test_rights_are_lost(void **state) {
    (void)state;
    static const char before[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_makes(before, false, "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1");
    assert_makes(before, false, "a1b1", "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 1 1");
    assert_makes(before, false, "h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"); /* both sides lose one */
}

static void test_counters(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    test_play(&pos, "g1f3 g8f6 f3g1");
    assert_int_equal(pos.state.halfmove_clock, 3);
    assert_int_equal(pos.fullmove, 2);
    assert_int_equal(pos.game_ply, 3);
    assert_int_equal(pos.state.plies_from_null, 3);
    test_play(&pos, "e7e5");
    assert_int_equal(pos.state.halfmove_clock, 0);
    assert_int_equal(pos.fullmove, 3);
}

static void test_null_move(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3");
    const Position start = pos;
    Undo undo;
    position_make_null(&pos, &undo);
    assert_true(position_is_consistent(&pos));
    assert_int_equal(pos.side, BLACK);
    assert_int_equal(pos.state.en_passant, NO_SQUARE);
    assert_int_equal(pos.state.plies_from_null, 0);
    assert_int_equal(undo.changes.count, 0);
    assert_true(pos.state.key != start.state.key);
    position_unmake_null(&pos, &undo);
    assert_true(position_equals(&pos, &start));
    assert_int_equal(pos.state.plies_from_null, start.state.plies_from_null);
}

/* Exact where neither castling rights nor en passant change; that is what a prefetch needs. */
static void test_key_after(void **state) {
    (void)state;
    static const char *const moves[] = {"g1f3", "c4f7", "b1c3", "d2d3"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        Position pos = test_position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3");
        Move move;
        Undo undo;
        assert_ok(lan_parse(&pos, text_view(moves[i]), &move));
        const HashKey expected = position_key_after(&pos, move);
        position_make_move(&pos, move, &undo);
        assert_true(pos.state.key == expected);
    }
}

/* Two ways to a position give the same keys. */
static void test_transposition(void **state) {
    (void)state;
    Position one = test_position(FEN_START), other = test_position(FEN_START);
    test_play(&one, "e2e4 e7e5 g1f3 b8c6 f1b5");
    test_play(&other, "g1f3 b8c6 e2e4 e7e5 f1b5");
    assert_true(one.state.key == other.state.key);
    assert_true(one.state.pawn_key == other.state.pawn_key);
    assert_true(one.state.non_pawn_key[WHITE] == other.state.non_pawn_key[WHITE]);
}

/* The history of keys is a ring: a game may be longer than it. */
static void test_long_game(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    for (int i = 0; i < KEY_HISTORY; i++) test_play(&pos, "e1d1 e8d8 d1e1 d8e8");
    assert_int_equal(pos.game_ply, 4 * KEY_HISTORY);
    assert_true(position_is_consistent(&pos));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quiet_move),      cmocka_unit_test(test_double_push),
        cmocka_unit_test(test_capture),         cmocka_unit_test(test_en_passant),
        cmocka_unit_test(test_promotion),       cmocka_unit_test(test_promotion_with_capture),
        cmocka_unit_test(test_castling),        cmocka_unit_test(test_castling_of_chess960),
        cmocka_unit_test(test_rights_are_lost), cmocka_unit_test(test_counters),
        cmocka_unit_test(test_null_move),       cmocka_unit_test(test_key_after),
        cmocka_unit_test(test_transposition),   cmocka_unit_test(test_long_game),
    };
    return cmocka_run_group_tests_name("makemove", tests, test_set_up_chess, NULL);
}
