/* Compares the attack tables with a slow, independent walk over the board. */
#include "test_support.h"

#include <stdlib.h>

/* Squares reached from `square` in one direction, up to the first piece. */
static Bitboard walk(Square square, int file_step, int rank_step, Bitboard occupied, int most) {
    Bitboard reached = 0;
    int file = square_file(square) + file_step, rank = square_rank(square) + rank_step;
    while (most-- > 0 && file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        const Bitboard bit = square_bit(square_make(file, rank));
        reached |= bit;
        if (occupied & bit) break;
        file += file_step;
        rank += rank_step;
    }
    return reached;
}

static Bitboard walk_bishop(Square square, Bitboard occupied, int most) {
    return walk(square, 1, 1, occupied, most) | walk(square, 1, -1, occupied, most) |
           walk(square, -1, 1, occupied, most) | walk(square, -1, -1, occupied, most);
}

static Bitboard walk_rook(Square square, Bitboard occupied, int most) {
    return walk(square, 1, 0, occupied, most) | walk(square, -1, 0, occupied, most) |
           walk(square, 0, 1, occupied, most) | walk(square, 0, -1, occupied, most);
}

/* Boards from empty to full would reveal magic numbers that collide. */
static void test_sliders_against_walking(void **state) {
    (void)state;
    Rng rng = rng_seed(1);
    for (int round = 0; round < 6000; round++) {
        Bitboard occupied = rng_next(&rng);
        for (int thin = round % 4; thin > 0; thin--) occupied &= rng_next(&rng);
        if (round == 0) occupied = 0;
        if (round == 1) occupied = ~(Bitboard)0;
        for (Square square = A1; square < SQUARE_COUNT; square++) {
            const Bitboard bishop = walk_bishop(square, occupied, 7), rook = walk_rook(square, occupied, 7);
            assert_true(attacks_bishop(square, occupied) == bishop);
            assert_true(attacks_rook(square, occupied) == rook);
            assert_true(attacks_queen(square, occupied) == (bishop | rook));
        }
    }
}

/* Every subset of every mask: the whole table, not a sample. */
static void test_slider_tables_exhaustively(void **state) {
    (void)state;
    for (Square square = A1; square < SQUARE_COUNT; square++) {
        Bitboard mask = attack_tables.rook[square].mask, subset = 0;
        do {
            assert_true(attacks_rook(square, subset) == walk_rook(square, subset, 7));
            subset = (subset - mask) & mask;
        } while (subset);
        mask = attack_tables.bishop[square].mask;
        do {
            assert_true(attacks_bishop(square, subset) == walk_bishop(square, subset, 7));
            subset = (subset - mask) & mask;
        } while (subset);
    }
}

static void test_leapers(void **state) {
    (void)state;
    int knight_moves = 0, king_moves = 0;
    for (Square square = A1; square < SQUARE_COUNT; square++) {
        knight_moves += bits_count(attacks_knight(square));
        king_moves += bits_count(attacks_king(square));
        assert_true(attacks_king(square) == (walk_bishop(square, 0, 1) | walk_rook(square, 0, 1)));
        for (Square other = A1; other < SQUARE_COUNT; other++) {
            const int files = abs(square_file(square) - square_file(other));
            const int ranks = abs(square_rank(square) - square_rank(other));
            assert_int_equal((attacks_knight(square) & square_bit(other)) != 0, files * ranks == 2);
        }
    }
    assert_int_equal(knight_moves, 336);
    assert_int_equal(king_moves, 420);
}

static void test_pawns(void **state) {
    (void)state;
    assert_true(attacks_pawn(WHITE, E4) == (square_bit(D5) | square_bit(F5)));
    assert_true(attacks_pawn(BLACK, E4) == (square_bit(D3) | square_bit(F3)));
    assert_true(attacks_pawn(WHITE, A2) == square_bit(B3));
    assert_true(attacks_pawn(BLACK, H7) == square_bit(G6));
    assert_true(attacks_pawn(WHITE, C8) == 0);
    for (Square a = A1; a < SQUARE_COUNT; a++)
        for (Square b = A1; b < SQUARE_COUNT; b++)
            assert_int_equal((attacks_pawn(WHITE, a) & square_bit(b)) != 0,
                             (attacks_pawn(BLACK, b) & square_bit(a)) != 0);
}

static void test_attacks_piece(void **state) {
    (void)state;
    const Bitboard occupied = square_bit(D6) | square_bit(F4);
    assert_true(attacks_piece(KNIGHT, D4, occupied) == attacks_knight(D4));
    assert_true(attacks_piece(BISHOP, D4, occupied) == attacks_bishop(D4, occupied));
    assert_true(attacks_piece(ROOK, D4, occupied) == attacks_rook(D4, occupied));
    assert_true(attacks_piece(QUEEN, D4, occupied) == attacks_queen(D4, occupied));
    assert_true(attacks_piece(KING, D4, occupied) == attacks_king(D4));
}

static void test_between(void **state) {
    (void)state;
    assert_true(squares_between(A1, D4) == (square_bit(B2) | square_bit(C3) | square_bit(D4)));
    assert_true(squares_between(E8, E5) == (square_bit(E7) | square_bit(E6) | square_bit(E5)));
    assert_true(squares_between(E1, F1) == square_bit(F1));
    assert_true(squares_between(E1, F3) == square_bit(F3)); /* a knight's check cannot be blocked */
    assert_true(squares_between(G1, G1) == square_bit(G1));
}

static void test_lines(void **state) {
    (void)state;
    assert_true(squares_line(C1, C5) == file_mask(2));
    assert_true(squares_line(H3, A3) == rank_mask(2));
    assert_int_equal(bits_count(squares_line(B1, C2)), 7); /* b1 to h7 */
    assert_true(squares_line(A1, B3) == 0);
    for (Square a = A1; a < SQUARE_COUNT; a++) {
        for (Square b = A1; b < SQUARE_COUNT; b++) {
            const bool aligned = a != b && (attacks_queen(a, 0) & square_bit(b)) != 0;
            assert_int_equal(squares_line(a, b) != 0, aligned);
            assert_true(squares_line(a, b) == squares_line(b, a));
            if (!aligned) continue;
            assert_true((squares_line(a, b) & square_bit(a)) && (squares_line(a, b) & square_bit(b)));
            assert_true((squares_between(a, b) & ~squares_line(a, b)) == 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliders_against_walking),
        cmocka_unit_test(test_slider_tables_exhaustively),
        cmocka_unit_test(test_leapers),
        cmocka_unit_test(test_pawns),
        cmocka_unit_test(test_attacks_piece),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests_name("attacks", tests, test_set_up_chess, NULL);
}
