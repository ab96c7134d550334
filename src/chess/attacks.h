/* Where each piece attacks. The tables are filled once by chess_init, then only read. Sliding pieces: PEXT
 * where the processor has a fast one, magic multiplication elsewhere. */
#ifndef LUFT_CHESS_ATTACKS_H
#define LUFT_CHESS_ATTACKS_H

#include "chess/bitboard.h"

#if defined(__BMI2__) && defined(__x86_64__) && !defined(__bdver4__) && !defined(__znver1__) && \
    !defined(__znver2__) && !defined(LUFT_NO_PEXT)
#define ATTACKS_USE_PEXT 1
#else
#define ATTACKS_USE_PEXT 0
#endif

typedef struct SliderAttacks {
    Bitboard mask;         /* the squares whose occupation matters */
    uint64_t magic;        /* unused with PEXT */
    const Bitboard *table; /* attacks by index */
    unsigned shift;        /* unused with PEXT */
} SliderAttacks;

typedef struct AttackTables {
    SliderAttacks bishop[SQUARE_COUNT];
    SliderAttacks rook[SQUARE_COUNT];
    Bitboard knight[SQUARE_COUNT];
    Bitboard king[SQUARE_COUNT];
    Bitboard pawn[COLOR_COUNT][SQUARE_COUNT];
    Bitboard between[SQUARE_COUNT][SQUARE_COUNT]; /* open segment and second square; or that alone */
    Bitboard line[SQUARE_COUNT][SQUARE_COUNT];    /* the whole line through both; empty if not in line */
} AttackTables;

extern AttackTables attack_tables; /* read through the functions below only */

/* Fills the tables; calling it again does nothing. Call once before any position is made. */
void attacks_init(void);

/* Where a slider's table has its attacks. The builtin is _pext_u64 without <immintrin.h>, a header so large
 * that all of Luft would take three times as long to compile. */
ALWAYS_INLINE uint64_t attacks_slider_index(const SliderAttacks *slider, Bitboard occupied) {
#if ATTACKS_USE_PEXT
    return __builtin_ia32_pext_di(occupied, slider->mask);
#else
    return ((occupied & slider->mask) * slider->magic) >> slider->shift;
#endif
}

ALWAYS_INLINE Bitboard attacks_slider(const SliderAttacks *slider, Bitboard occupied) {
    return slider->table[attacks_slider_index(slider, occupied)];
}

ALWAYS_INLINE Bitboard attacks_bishop(Square square, Bitboard occupied) {
    return attacks_slider(&attack_tables.bishop[square], occupied);
}
ALWAYS_INLINE Bitboard attacks_rook(Square square, Bitboard occupied) {
    return attacks_slider(&attack_tables.rook[square], occupied);
}
ALWAYS_INLINE Bitboard attacks_queen(Square square, Bitboard occupied) {
    return attacks_bishop(square, occupied) | attacks_rook(square, occupied);
}
static inline Bitboard attacks_knight(Square square) { return attack_tables.knight[square]; }
static inline Bitboard attacks_king(Square square) { return attack_tables.king[square]; }
static inline Bitboard attacks_pawn(Color color, Square square) { return attack_tables.pawn[color][square]; }

/* Attacks of a piece that is no pawn. */
static inline Bitboard attacks_piece(PieceType type, Square square, Bitboard occupied) {
    switch (type) {
    case KNIGHT: return attacks_knight(square);
    case BISHOP: return attacks_bishop(square, occupied);
    case ROOK: return attacks_rook(square, occupied);
    case QUEEN: return attacks_queen(square, occupied);
    default: return attacks_king(square);
    }
}

/* Squares after `from` up to and including `to` when they share a line, else `to` alone: where a check by
 * `to` on a king on `from` can be parried. */
static inline Bitboard squares_between(Square from, Square to) { return attack_tables.between[from][to]; }

/* The whole line through both squares, or nothing when they share none. */
static inline Bitboard squares_line(Square a, Square b) { return attack_tables.line[a][b]; }

#endif
