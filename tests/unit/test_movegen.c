/* Which moves are legal, one idea per test. Perft only counts them. */
#include "test_support.h"

/* Castling rights named by files mean Chess960. */
static Position read_position(const char *fen) {
    Position pos;
    TextView rest = text_view(fen);
    text_next_word(&rest);
    text_next_word(&rest);
    TextView rights = text_next_word(&rest);
    assert_ok(fen_parse(&pos, text_view(fen), strchr("-KQkq", rights.data[0]) == NULL));
    return pos;
}

static bool is_listed(const Position *pos, Move move) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

static void assert_legal(const char *fen, Move move, bool expected) {
    Position pos = read_position(fen);
    if (is_listed(&pos, move) != expected || movegen_is_legal(&pos, move) != expected)
        fail_msg("%s: move %04x listed %d, legal %d, expected %d", fen, move, is_listed(&pos, move),
                 movegen_is_legal(&pos, move), expected);
}

static void assert_count(const char *fen, int expected) {
    Position pos = read_position(fen);
    assert_int_equal(movegen_count(&pos), expected);
    assert_int_equal(movegen_has_legal(&pos), expected > 0);
}

static void test_counts(void **state) {
    (void)state;
    assert_count(FEN_START, 20);
    assert_count("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218);
    assert_count("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0);
    assert_count("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0);
}

static void test_pins(void **state) {
    (void)state;
    assert_legal("4r1k1/8/8/8/8/4B3/8/4K3 w - - 0 1", move_make(E3, D4), false);
    assert_legal("4r1k1/8/8/8/8/4R3/8/4K3 w - - 0 1", move_make(E3, E8), true);
    assert_legal("4r1k1/8/8/8/8/4R3/8/4K3 w - - 0 1", move_make(E3, D3), false);
    assert_legal("6k1/8/8/8/7b/6P1/5K2/8 w - - 0 1", move_make(G3, H4), true);
    assert_legal("6k1/8/8/8/7b/6P1/5K2/8 w - - 0 1", move_make(G3, G4), false);
    assert_legal("4r1k1/8/8/8/8/8/4P3/4K3 w - - 0 1", move_make(E2, E4), true);
}

static void test_evasions(void **state) {
    (void)state;
    static const char by_rook[] = "4r1k1/8/8/8/8/2N5/3P4/3BK2R w K - 0 1";
    assert_legal(by_rook, move_make(C3, E4), true); /* block */
    assert_legal(by_rook, move_make(C3, B5), false);
    assert_legal(by_rook, move_make(E1, F1), true); /* step aside */
    assert_legal(by_rook, move_make_kind(E1, H1, CASTLING), false);
    assert_legal("4k3/8/8/8/8/5n2/8/3QK3 w - - 0 1", move_make(D1, F3), true); /* take the checker */
    assert_legal("4k3/8/8/8/8/5n2/8/3QK3 w - - 0 1", move_make(D1, D2), false);
    assert_legal("4k3/8/8/8/r3K3/8/8/8 w - - 0 1", move_make(E4, F4), false); /* along the check */
}

static void test_double_check_moves_the_king_only(void **state) {
    (void)state;
    Position pos = read_position("4k3/8/3N4/q7/8/2n5/7K/4R3 b - - 0 1");
    Move moves[MAX_MOVES];
    const int count = movegen_legal(&pos, moves);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) assert_int_equal(move_from(moves[i]), E8);
}

static void test_castling(void **state) {
    (void)state;
    const Move king_side = move_make_kind(E1, H1, CASTLING), queen_side = move_make_kind(E1, A1, CASTLING);
    static const char free_way[] = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_legal(free_way, king_side, true);
    assert_legal(free_way, queen_side, true);
    assert_legal("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", queen_side, false);    /* no right */
    assert_legal("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", queen_side, false);  /* a piece between */
    assert_legal("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", queen_side, true);  /* b1 may be attacked */
    assert_legal("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", queen_side, false);  /* d1 may not */
    assert_legal("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", queen_side, false); /* nor c1 */
    assert_legal("r3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", queen_side, true);   /* the rook may */
    assert_legal("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", king_side, false);  /* a pawn attacks f1 */
    assert_legal("4k3/8/8/8/8/8/7p/R3K2R w KQ - 0 1", king_side, false);   /* a pawn attacks g1 */
    assert_legal("4k3/8/8/8/7b/8/8/R3K2R w KQ - 0 1", king_side, false);   /* out of check */
}

static void test_castling_of_chess960(void **state) {
    (void)state;
    /* The rook shields its king from a1 and must not move away. */
    assert_legal("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", move_make_kind(D1, B1, CASTLING), false);
    assert_legal("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", move_make_kind(D1, B1, CASTLING), true);
    assert_legal("4k3/8/8/8/8/8/8/R4BKR w HA - 0 1", move_make_kind(G1, H1, CASTLING),
                 false); /* f1 is taken */
    assert_legal("4k3/8/8/8/8/8/8/R5KR w HA - 0 1", move_make_kind(G1, H1, CASTLING), true);
    assert_legal("4k3/8/8/2b5/8/8/8/RK5R w HA - 0 1", move_make_kind(B1, H1, CASTLING),
                 false); /* g1 is hit */
    assert_legal("4k3/8/8/8/3b4/8/8/RK5R w HA - 0 1", move_make_kind(B1, A1, CASTLING), true);
}

static void test_en_passant(void **state) {
    (void)state;
    assert_legal("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", move_make_kind(E5, D6, EN_PASSANT), true);
    assert_legal("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", move_make_kind(E5, D6, EN_PASSANT), false);
    assert_legal("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", move_make(E5, D6), false); /* the wrong kind */
    assert_legal("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1", move_make_kind(E4, D3, EN_PASSANT), false);
    assert_legal("2r1k3/8/8/2PpP3/8/8/8/2K5 w - d6 0 1", move_make_kind(C5, D6, EN_PASSANT), false);
    assert_legal("2r1k3/8/8/2PpP3/8/8/8/2K5 w - d6 0 1", move_make_kind(E5, D6, EN_PASSANT), true);
    assert_legal("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", move_make_kind(E4, D3, EN_PASSANT), true);
}

static void test_promotions(void **state) {
    (void)state;
    static const char fen[] = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    for (PieceType type = KNIGHT; type <= QUEEN; type++) {
        assert_legal(fen, move_make_promotion(A7, A8, type), true);
        assert_legal(fen, move_make_promotion(A7, B8, type), true);
    }
    assert_legal(fen, move_make(A7, A8), false); /* must promote */
    assert_legal("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", move_make_promotion(A6, A7, QUEEN), false);
}

/* Of all 65536 values exactly the generated ones are legal. The hash table may return any of them. */
static void test_any_sixteen_bits(void **state) {
    (void)state;
    static const char *const fens[] = {
        FEN_START,
        "r3k2r/1P4P1/8/2pP4/8/8/1p4p1/R3K2R w KQkq c6 0 1",
        "r3k2r/1P4P1/8/8/2pP4/8/1p4p1/R3K2R b KQkq d3 0 1",
        "4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1",
        "3r3k/8/1q6/8/3R4/8/5B2/b2K2R1 w - - 0 1",
        "2rk1r2/8/8/8/8/8/8/2RK1R2 w FCfc - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position pos = read_position(fens[i]);
        static bool listed[1 << 16];
        memset(listed, 0, sizeof listed);
        Move moves[MAX_MOVES];
        const int count = movegen_legal(&pos, moves);
        for (int m = 0; m < count; m++) {
            assert_false(listed[moves[m]]); /* no duplicates */
            listed[moves[m]] = true;
        }
        for (unsigned any = 0; any < 1u << 16; any++)
            if (movegen_is_legal(&pos, (Move)any) != listed[any]) fail_msg("%s: move %04x", fens[i], any);
    }
}

static void test_noisy_and_quiet(void **state) {
    (void)state;
    Position pos = read_position("r3k2r/1P4P1/8/2pP4/8/8/1p4p1/R3K2R w KQkq c6 0 1");
    Move noisy[MAX_MOVES], quiet[MAX_MOVES];
    const int noisy_count = movegen_noisy(&pos, noisy),
              quiet_count = movegen_quiet(&pos, position_threats(&pos), quiet);
    assert_int_equal(noisy_count + quiet_count, movegen_count(&pos));
    for (int i = 0; i < noisy_count; i++) assert_true(position_is_noisy(&pos, noisy[i]));
    for (int i = 0; i < quiet_count; i++) assert_false(position_is_noisy(&pos, quiet[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),           cmocka_unit_test(test_pins),
        cmocka_unit_test(test_evasions),         cmocka_unit_test(test_double_check_moves_the_king_only),
        cmocka_unit_test(test_castling),         cmocka_unit_test(test_castling_of_chess960),
        cmocka_unit_test(test_en_passant),       cmocka_unit_test(test_promotions),
        cmocka_unit_test(test_any_sixteen_bits), cmocka_unit_test(test_noisy_and_quiet),
    };
    return cmocka_run_group_tests_name("movegen", tests, test_set_up_chess, NULL);
}
