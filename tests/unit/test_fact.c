/* Facts of a board: where each holds, and that an edit takes it off without a trace. */
#include "explain/fact.h"

#include "test_support.h"

static const struct {
    FactKind kind;
    Color side;
    const char *fen, *squares; /* that show it; "": none */
} BOARDS[] = {{FACT_bishop_pair, BLACK, "2b1kb2/8/8/8/8/8/8/2B1K1N1 w - - 0 1", "c8 f8"},
              {FACT_bishop_pair, BLACK, "2b1kb2/8/8/8/8/8/8/2B1KB2 w - - 0 1", ""},
              {FACT_bishop_pair, WHITE, "4k3/8/8/8/8/4B3/8/2B1K1N1 w - - 0 1", ""},
              {FACT_blocked_pawn, BLACK, "4k3/3p4/3b4/8/8/8/8/4K3 w - - 0 1", "d6"},
              {FACT_blocked_pawn, BLACK, "4k3/2p5/2b5/8/8/8/8/4K3 w - - 0 1", ""},
              {FACT_king_in_centre, BLACK, "r2k3r/8/8/8/8/8/8/RNB1K2R w KQ - 0 1", "d8"},
              {FACT_king_in_centre, WHITE, "r1bqk2r/8/8/8/8/8/8/RNB1K2R w KQ - 0 1", ""},
              {FACT_king_shield, BLACK, "5rk1/5p1p/6p1/6p1/8/8/8/3QK3 w - - 0 1", ""},
              {FACT_king_shield, BLACK, "5rk1/5p1p/8/6p1/8/8/8/3QK3 w - - 0 1", "g7"},
              {FACT_king_shield, BLACK, "5rk1/5p1p/8/6p1/8/8/8/3RK3 w - - 0 1", ""},
              {FACT_open_line_at_king, WHITE, "3qkr2/8/8/8/8/8/6PP/6K1 w - - 0 1", "f2"},
              {FACT_open_line_at_king, WHITE, "3qk3/5p2/8/8/8/8/6PP/6K1 w - - 0 1", ""},
              {FACT_doubled_pawns, WHITE, "4k3/8/8/8/2P5/2P5/P7/4K3 w - - 0 1", "c4"},
              {FACT_isolated_pawn, WHITE, "4k3/8/8/8/3P4/8/PP6/4K3 w - - 0 1", "d4"},
              {FACT_backward_pawn, WHITE, "4k3/8/8/1p6/2P1P3/3P4/8/4K3 w - - 0 1", ""},
              {FACT_backward_pawn, WHITE, "4k3/8/8/2p1p3/2P1P3/3P4/8/4K3 w - - 0 1", "d3"},
              {FACT_backward_pawn, WHITE, "4k3/8/8/2p1p3/4P3/2PP4/8/4K3 w - - 0 1", ""},
              {FACT_passed_pawn, WHITE, "4k3/1p6/8/P7/8/7P/8/4K3 w - - 0 1", "h3"},
              {FACT_open_file, WHITE, "4k3/pp6/8/8/8/8/PP6/2R1K3 w - - 0 1", "c1"},
              {FACT_open_file, WHITE, "2r1k3/pp6/8/8/8/8/PP6/2R1K3 w - - 0 1", ""},
              {FACT_outpost, WHITE, "4k3/5p2/8/3N4/4P3/8/8/4K3 w - - 0 1", "d5"},
              {FACT_outpost, WHITE, "4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", ""},
              {FACT_bad_bishop, BLACK, "2b1k3/1p1p4/p4p2/8/8/8/8/4K3 w - - 0 1", ""},
              {FACT_bad_bishop, BLACK, "2b1k3/1p1p4/2p1p3/5p2/p7/8/8/4K3 w - - 0 1", "c8"},
              {FACT_passive_rook, BLACK, "r3k3/p7/1b6/8/8/8/8/R3K3 w - - 0 1", "a8"},
              {FACT_passive_rook, BLACK, "r2qk3/p7/1b6/8/8/8/8/R3K3 w - - 0 1", ""},
              {FACT_distant_king, BLACK, "7k/8/8/8/3K4/8/4P3/8 w - - 0 1", "h8"},
              {FACT_distant_king, BLACK, "8/8/4k3/8/3K4/8/4P3/8 w - - 0 1", ""},
              {FACT_tension, WHITE, "4k3/8/2p5/3p4/2P5/8/6P1/4K3 w - - 0 1", "c4"},
              {FACT_tension, BLACK, "4k3/8/2p5/3p4/2P5/8/6P1/4K3 w - - 0 1", "d5"},
              {FACT_tension, WHITE, "4k3/8/8/2p5/2P5/8/8/4K3 w - - 0 1", ""},
              {FACT_no_queens, BLACK, "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e8"},
              {FACT_no_queens, WHITE, "r3k3/8/8/8/8/8/8/4K3 w - - 0 1", ""},
              {FACT_no_rooks, WHITE, "2q1k3/8/8/8/8/8/8/3QK3 w - - 0 1", "e1"},
              {FACT_no_rooks, WHITE, "2q1k3/8/8/8/8/8/8/R2QK3 w - - 0 1", ""},
              {FACT_undeveloped, WHITE, "4k3/8/8/8/8/5N2/8/RNBQKB1R w - - 0 1", "b1 c1 f1"},
              {FACT_worse_square, WHITE, "4k3/8/8/8/8/5N2/P7/4K3 w - - 0 1", "a2 f3"},
              {FACT_better_square, BLACK, "4k3/8/8/8/8/5N2/P7/4K3 w - - 0 1", ""}};
enum { BOARD_COUNT = sizeof BOARDS / sizeof BOARDS[0] };

static void facts_hold_where_they_should(void **state) {
    (void)state;
    for (int i = 0; i < BOARD_COUNT; i++) {
        const Position pos = test_position(BOARDS[i].fen);
        char found[64] = "", *out = found;
        Bitboard squares = fact_squares(BOARDS[i].kind, &pos, BOARDS[i].side);
        while (squares != 0) {
            if (out > found) *out++ = ' ';
            out = square_write(bitboard_pop(&squares), out);
        }
        *out = '\0';
        if (strcmp(found, BOARDS[i].squares) != 0)
            fail_msg("%s in %s: '%s', not '%s'", fact_name(BOARDS[i].kind), BOARDS[i].fen, found,
                     BOARDS[i].squares);
    }
}

/* Each fact is the same for the other colour on the board turned round. */
static void facts_are_the_same_for_both_colours(void **state) {
    (void)state;
    for (int i = 0; i < BOARD_COUNT; i++) {
        const Position pos = test_position(BOARDS[i].fen);
        Position turned;
        position_clear(&turned);
        for (Square square = A1; square < SQUARE_COUNT; square++) {
            const Piece piece = position_piece_on(&pos, square);
            if (piece != NO_PIECE)
                position_put(&turned, piece_make(color_other(piece_color(piece)), piece_type(piece)),
                             square_mirror_rank(square));
        }
        turned.side = color_other(pos.side);
        position_finish(&turned);
        if (pos.state.castling) continue;
        for (FactKind kind = 0; kind < FACT_KINDS; kind++)
            assert_int_equal(bits_count(fact_squares(kind, &pos, BOARDS[i].side)),
                             bits_count(fact_squares(kind, &turned, color_other(BOARDS[i].side))));
    }
}

static int pieces_put_back(FactKind kind) { return kind == FACT_no_queens || kind == FACT_no_rooks ? 2 : 0; }

static void an_edit_takes_the_fact_off_and_nothing_else(void **state) {
    (void)state;
    int edited = 0;
    for (int i = 0; i < BOARD_COUNT; i++) {
        const FactKind kind = BOARDS[i].kind;
        const Color side = BOARDS[i].side;
        const Position pos = test_position(BOARDS[i].fen);
        Bitboard squares = fact_squares(kind, &pos, side);
        while (squares != 0) {
            Position after = pos;
            const Square square = bitboard_pop(&squares);
            if (!fact_edit(kind, &after, side, square, NO_SQUARE)) continue;
            edited++;
            assert_true(position_is_consistent(&after));
            assert_int_equal(0, fact_set(kind, &after, side) & fact_member(kind, square));
            assert_int_equal(bits_count(position_occupied(&pos)) + pieces_put_back(kind),
                             bits_count(position_occupied(&after)));
            assert_int_equal(bits_count(pos.by_type[PAWN]), bits_count(after.by_type[PAWN]));
        }
    }
    assert_true(edited >= 15);
}

static void the_cover_of_a_king_is_put_back_from_its_own_file(void **state) {
    (void)state;
    Position pos = test_position("5rk1/5p1p/8/6p1/8/8/8/3QK3 w - - 0 1");
    assert_true(fact_edit(FACT_king_shield, &pos, BLACK, G7, NO_SQUARE));
    assert_int_equal(piece_make(BLACK, PAWN), position_piece_on(&pos, G7));
    assert_int_equal(NO_PIECE, position_piece_on(&pos, G5));
}

static void the_bishop_pair_is_controlled_by_the_other_side_s_knight(void **state) {
    (void)state;
    Position pos = test_position("2b1kb2/8/8/8/8/8/8/2B1K1N1 w - - 0 1");
    assert_int_equal(
        0, fact_controls(FACT_bishop_pair, &pos, BLACK)); /* another one on dark squares is no pair */
    pos = test_position("2b1kb2/8/8/8/8/8/8/2B1KN2 w - - 0 1");
    assert_int_equal(square_bit(F1), fact_controls(FACT_bishop_pair, &pos, BLACK));
    assert_int_equal(0, fact_controls(FACT_bad_bishop, &pos, BLACK));
    assert_true(fact_edit(FACT_bishop_pair, &pos, BLACK, F1, NO_SQUARE));
    assert_int_equal(piece_make(WHITE, BISHOP), position_piece_on(&pos, F1));
}

static void a_piece_goes_to_the_other_square(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_false(fact_edit(FACT_worse_square, &pos, WHITE, A1, E1)); /* not free */
    assert_true(fact_edit(FACT_worse_square, &pos, WHITE, A1, D1));
    assert_int_equal(piece_make(WHITE, ROOK), position_piece_on(&pos, D1));
    assert_int_equal(0, pos.state.castling);
    assert_true(position_is_consistent(&pos));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_hold_where_they_should),
        cmocka_unit_test(facts_are_the_same_for_both_colours),
        cmocka_unit_test(an_edit_takes_the_fact_off_and_nothing_else),
        cmocka_unit_test(the_cover_of_a_king_is_put_back_from_its_own_file),
        cmocka_unit_test(the_bishop_pair_is_controlled_by_the_other_side_s_knight),
        cmocka_unit_test(a_piece_goes_to_the_other_square),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
