/* Setting up positions, checks and pins, and the detection of damaged positions. */
#include "test_support.h"

static void test_start(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    assert_true(position_is_consistent(&pos));
    assert_int_equal(pos.side, WHITE);
    assert_int_equal(pos.fullmove, 1);
    assert_int_equal(pos.state.castling, ALL_CASTLING);
    assert_int_equal(pos.state.en_passant, NO_SQUARE);
    assert_int_equal(position_king(&pos, WHITE), E1);
    assert_int_equal(position_piece_on(&pos, D8), BLACK_QUEEN);
    assert_int_equal(bits_count(position_occupied(&pos)), 32);
    assert_false(position_in_check(&pos));
    assert_true(position_has_pieces(&pos, BLACK));
}

static void test_built_by_hand_equals_fen(void **state) {
    (void)state;
    Position pos;
    position_clear(&pos);
    position_put(&pos, WHITE_KING, E1);
    position_put(&pos, WHITE_ROOK, H1);
    position_put(&pos, BLACK_KING, E8);
    position_put(&pos, BLACK_PAWN, A7);
    position_add_castling(&pos, WHITE, H1);
    position_finish(&pos);
    Position read = test_position("4k3/p7/8/8/8/8/8/4K2R w K - 0 1");
    assert_true(position_is_consistent(&pos));
    assert_true(position_equals(&pos, &read));
    assert_false(position_has_pieces(&pos, BLACK));
}

static void test_checkers(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1");
    assert_true(pos.state.checkers == (square_bit(D6) | square_bit(E1)));
    pos = test_position("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1");
    assert_true(pos.state.checkers == square_bit(D4));
    pos = test_position("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1");
    assert_true(pos.state.checkers == square_bit(D2));
}

static void test_pinned(void **state) {
    (void)state;
    /* e7 on the file, c6 on the diagonal; the two pieces on the rank shield each other. */
    Position pos = test_position("4r1k1/8/8/b7/1N6/2N5/8/q1BNK3 w - - 0 1");
    assert_true(pos.state.pinned == 0);
    pos = test_position("4r1k1/8/8/b7/8/2N1B3/8/q2NK3 w - - 0 1");
    assert_true(pos.state.pinned == (square_bit(C3) | square_bit(E3) | square_bit(D1)));
    pos = test_position("4r1k1/4n3/8/8/8/8/8/4K3 w - - 0 1"); /* Black's own knight is not pinned */
    assert_true(pos.state.pinned == 0);
}

/* The king may not step back along the line of the check. */
static void test_threats_see_through_the_king(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/r3K3/8/8/8 w - - 0 1");
    assert_true(position_threats(&pos) & square_bit(F4));
    assert_true(position_threats(&pos) & square_bit(H4));
    assert_false(position_threats(&pos) & square_bit(E3));
}

static void test_attackers(void **state) {
    (void)state;
    Position pos = test_position("3r2k1/8/2n5/4p3/3P4/2B2N2/8/3R2K1 w - - 0 1");
    const Bitboard all = position_attackers(&pos, D4, position_occupied(&pos));
    assert_true(all == (square_bit(D8) | square_bit(C6) | square_bit(E5) | square_bit(C3) | square_bit(F3) |
                        square_bit(D1)));
    /* With only rooks as blockers, other pieces still attack: they jump, or are next to the square. */
    const Bitboard rooks = square_bit(D8) | square_bit(D1);
    assert_true(position_attackers(&pos, D5, rooks) & square_bit(D8));
    assert_true(position_attackers(&pos, D5, rooks) & square_bit(D1));
}

static void assert_gives_check(const char *fen, const char *move_text, bool expected) {
    Position pos = test_position(fen);
    Move move;
    assert_ok(lan_parse(&pos, text_view(move_text), &move));
    if (position_gives_check(&pos, move) != expected)
        fail_msg("%s: %s %s", fen, move_text, expected ? "checks" : "does not check");
}

static void test_gives_check(void **state) {
    (void)state;
    assert_gives_check("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1a4", true);
    assert_gives_check("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1b1", false);
    assert_gives_check("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "e4c3", true); /* discovered */
    assert_gives_check("4k3/4r3/8/8/4N3/8/8/4RK2 w - - 0 1", "e4c3", false);
    assert_gives_check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true); /* by the castled rook */
    assert_gives_check("6k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false);
    assert_gives_check("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", true);
    assert_gives_check("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n", false);
    assert_gives_check("8/1P1k4/8/8/8/8/8/4K3 w - - 0 1", "b7b8n", true);
    assert_gives_check("8/8/8/K1pP3k/8/8/8/3R4 w - c6 0 1", "d5c6", false);
    assert_gives_check("8/8/8/R1pP3k/8/8/8/4K3 w - c6 0 1", "d5c6", true); /* en passant opens the rank */
    assert_gives_check("8/8/1k6/8/8/8/P7/4K3 w - - 0 1", "a2a4", false);
    assert_gives_check("8/8/8/1k6/8/8/P7/4K3 w - - 0 1", "a2a4", true);
    assert_gives_check("k7/8/8/8/8/8/6P1/4K2B w - - 0 1", "g2g3", true);
}

static void test_captures_and_noise(void **state) {
    (void)state;
    Position pos = test_position("r3k2r/1P6/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1");
    assert_int_equal(position_captured_by(&pos, move_make_kind(D5, C6, EN_PASSANT)), BLACK_PAWN);
    assert_int_equal(position_captured_by(&pos, move_make_kind(E1, H1, CASTLING)), NO_PIECE);
    assert_int_equal(position_captured_by(&pos, move_make(A1, A8)), BLACK_ROOK);
    assert_true(position_is_noisy(&pos, move_make_promotion(B7, B8, KNIGHT)));
    assert_true(position_is_noisy(&pos, move_make_kind(D5, C6, EN_PASSANT)));
    assert_false(position_is_noisy(&pos, move_make_kind(E1, H1, CASTLING)));
    assert_false(position_is_noisy(&pos, move_make(D5, D6)));
}

/* The en passant square counts only if a legal capture exists; otherwise equal positions would differ. */
static void test_useless_en_passant_is_dropped(void **state) {
    (void)state;
    Position with = test_position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    Position without = test_position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_int_equal(with.state.en_passant, NO_SQUARE);
    assert_true(with.state.key == without.state.key);
    Position pinned = test_position("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1");
    assert_int_equal(pinned.state.en_passant, NO_SQUARE);
    assert_false(position_can_capture_en_passant(&pinned, BLACK, D3));
    Position useful = test_position("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1");
    assert_int_equal(useful.state.en_passant, D3);
    assert_true(position_can_capture_en_passant(&useful, BLACK, D3));
}

static void test_keys_distinguish_positions(void **state) {
    (void)state;
    static const char *const fens[] = {
        "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq d3 0 1", "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/3Pp3/8/8/R3K2R w KQkq - 0 1",  "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQk - 0 1",
        "r3k2r/8/8/8/3Pp3/8/8/R3K2R b - - 0 1",     "r3k2r/8/8/8/2P1p3/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/3Pp3/8/8/R3K1NR b KQkq - 0 1",
    };
    enum { COUNT = sizeof fens / sizeof *fens };
    Position pos[COUNT];
    for (int i = 0; i < COUNT; i++) pos[i] = test_position(fens[i]);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++) assert_true(pos[i].state.key != pos[j].state.key);
    assert_true(pos[0].state.pawn_key == pos[2].state.pawn_key);
    assert_true(pos[0].state.pawn_key != pos[5].state.pawn_key);
    assert_true(pos[0].state.non_pawn_key[WHITE] != pos[6].state.non_pawn_key[WHITE]);
    assert_true(pos[0].state.non_pawn_key[BLACK] == pos[6].state.non_pawn_key[BLACK]);
}

static void test_damage_is_detected(void **state) {
    (void)state;
    const Position sound =
        test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    assert_true(position_is_consistent(&sound));
    Position pos = sound;
    pos.state.key ^= 1;
    assert_false(position_is_consistent(&pos));
    pos = sound;
    pos.state.pawn_key ^= 1;
    assert_false(position_is_consistent(&pos));
    pos = sound;
    pos.state.non_pawn_key[BLACK] ^= 1;
    assert_false(position_is_consistent(&pos));
    pos = sound;
    pos.board[A1] = WHITE_QUEEN;
    assert_false(position_is_consistent(&pos));
    pos = sound;
    pos.by_type[ROOK] ^= square_bit(A1);
    assert_false(position_is_consistent(&pos));
    pos = sound;
    pos.by_color[BLACK] |= square_bit(A1);
    assert_false(position_is_consistent(&pos));
    pos = sound;
    pos.state.pinned ^= square_bit(D2);
    assert_false(position_is_consistent(&pos));
}

static void test_equality(void **state) {
    (void)state;
    const Position one = test_position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 10");
    Position other = one;
    assert_true(position_equals(&one, &other));
    other.state.halfmove_clock++;
    assert_false(position_equals(&one, &other));
    other = one;
    other.fullmove++;
    assert_false(position_equals(&one, &other));
    other = test_position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 10");
    assert_false(position_equals(&one, &other));
    other = test_position("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 3 10");
    assert_false(position_equals(&one, &other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_built_by_hand_equals_fen),
        cmocka_unit_test(test_checkers),
        cmocka_unit_test(test_pinned),
        cmocka_unit_test(test_threats_see_through_the_king),
        cmocka_unit_test(test_attackers),
        cmocka_unit_test(test_gives_check),
        cmocka_unit_test(test_captures_and_noise),
        cmocka_unit_test(test_useless_en_passant_is_dropped),
        cmocka_unit_test(test_keys_distinguish_positions),
        cmocka_unit_test(test_damage_is_detected),
        cmocka_unit_test(test_equality),
    };
    return cmocka_run_group_tests_name("position", tests, test_set_up_chess, NULL);
}
