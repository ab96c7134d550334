/* Squares, moves and sets of squares. */
#include "test_support.h"

static void test_squares(void **state) {
    (void)state;
    assert_int_equal(square_make(4, 0), E1);
    assert_int_equal(square_file(H8), 7);
    assert_int_equal(square_rank(A8), 7);
    assert_int_equal(square_mirror_rank(B3), B6);
    assert_int_equal(square_relative(WHITE, E2), E2);
    assert_int_equal(square_relative(BLACK, E2), E7);
    assert_int_equal(square_relative_rank(BLACK, E2), 6);
}

static void test_pieces(void **state) {
    (void)state;
    for (Color color = WHITE; color < COLOR_COUNT; color++) {
        for (PieceType type = PAWN; type <= KING; type++) {
            const Piece piece = piece_make(color, type);
            assert_true(piece < PIECE_COUNT);
            assert_int_equal(piece_color(piece), color);
            assert_int_equal(piece_type(piece), type);
        }
    }
    assert_int_equal(piece_make(BLACK, QUEEN), BLACK_QUEEN);
    assert_int_equal(piece_type(NO_PIECE), NO_PIECE_TYPE);
    assert_int_equal(color_other(WHITE), BLACK);
}

/* Every field of a move comes back, whatever the others are. */
static void test_letters_are_those_of_fen(void **state) {
    (void)state;
    assert_int_equal(piece_letter(WHITE_KNIGHT), 'N');
    assert_int_equal(piece_letter(BLACK_QUEEN), 'q');
    assert_int_equal(piece_letter(NO_PIECE), '.');
    for (Piece piece = WHITE_PAWN; piece <= NO_PIECE; piece++)
        assert_int_equal(piece_of_letter(piece_letter(piece)), piece);
    assert_int_equal(piece_of_letter('x'), NO_PIECE);
    assert_int_equal(piece_of_letter('\0'), NO_PIECE);
}

static void test_moves_keep_their_fields(void **state) {
    (void)state;
    for (Square from = A1; from < SQUARE_COUNT; from++) {
        for (Square to = A1; to < SQUARE_COUNT; to++) {
            const Move plain = move_make(from, to), castling = move_make_kind(from, to, CASTLING);
            assert_int_equal(move_from(plain), from);
            assert_int_equal(move_to(plain), to);
            assert_int_equal(move_kind(plain), NORMAL_MOVE);
            assert_int_equal(move_from(castling), from);
            assert_int_equal(move_to(castling), to);
            assert_int_equal(move_kind(castling), CASTLING);
            for (PieceType type = KNIGHT; type <= QUEEN; type++) {
                const Move promotion = move_make_promotion(from, to, type);
                assert_int_equal(move_from(promotion), from);
                assert_int_equal(move_to(promotion), to);
                assert_int_equal(move_kind(promotion), PROMOTION);
                assert_int_equal(move_promotion(promotion), type);
            }
        }
    }
    assert_int_not_equal(MOVE_NONE, MOVE_NULL);
}

static void test_steps_do_not_wrap(void **state) {
    (void)state;
    assert_true(bitboard_east(FILE_H) == 0);
    assert_true(bitboard_west(FILE_A) == 0);
    assert_true(bitboard_east(square_bit(A4)) == square_bit(B4));
    assert_true(bitboard_west(square_bit(H4)) == square_bit(G4));
    assert_true(bitboard_forward(WHITE, RANK_8) == 0);
    assert_true(bitboard_forward(BLACK, RANK_1) == 0);
    assert_true(bitboard_forward(BLACK, square_bit(E5)) == square_bit(E4));
    for (int file = 0; file < 8; file++)
        for (int rank = 0; rank < 8; rank++)
            assert_true((file_mask(file) & rank_mask(rank)) == square_bit(square_make(file, rank)));
}

static void test_pawn_attacks_of_a_set(void **state) {
    (void)state;
    const Bitboard pawns = square_bit(A2) | square_bit(E4) | square_bit(H7);
    assert_true(bitboard_pawn_attacks(WHITE, pawns) ==
                (square_bit(B3) | square_bit(D5) | square_bit(F5) | square_bit(G8)));
    assert_true(bitboard_pawn_attacks(BLACK, pawns) ==
                (square_bit(B1) | square_bit(D3) | square_bit(F3) | square_bit(G6)));
}

static void test_pop_takes_squares_in_order(void **state) {
    (void)state;
    Bitboard set = square_bit(H8) | square_bit(A1) | square_bit(D4);
    assert_int_equal(bitboard_lowest(set), A1);
    assert_int_equal(bitboard_pop(&set), A1);
    assert_int_equal(bitboard_pop(&set), D4);
    assert_int_equal(bitboard_pop(&set), H8);
    assert_true(set == 0);
}

static void test_dark_squares(void **state) {
    (void)state;
    assert_int_equal(bits_count(DARK_SQUARES), 32);
    for (Square square = A1; square < SQUARE_COUNT; square++) {
        const bool dark = (square_file(square) + square_rank(square)) % 2 == 0; /* a1 is dark */
        assert_int_equal((DARK_SQUARES & square_bit(square)) != 0, dark);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_letters_are_those_of_fen),
        cmocka_unit_test(test_moves_keep_their_fields),
        cmocka_unit_test(test_steps_do_not_wrap),
        cmocka_unit_test(test_pawn_attacks_of_a_set),
        cmocka_unit_test(test_pop_takes_squares_in_order),
        cmocka_unit_test(test_dark_squares),
    };
    return cmocka_run_group_tests_name("bitboard", tests, NULL, NULL);
}
