/* Sets of squares and how they move. Pure; any thread may call. */
#ifndef LUFT_CHESS_BITBOARD_H
#define LUFT_CHESS_BITBOARD_H

#include "base/bits.h"
#include "chess/types.h"

static const Bitboard FILE_A = 0x0101010101010101u;
static const Bitboard FILE_H = 0x8080808080808080u;
static const Bitboard RANK_1 = 0xFFu;
static const Bitboard RANK_3 = 0xFF0000u;
static const Bitboard RANK_6 = 0xFF0000000000u;
static const Bitboard RANK_8 = 0xFF00000000000000u;
static const Bitboard DARK_SQUARES = 0xAA55AA55AA55AA55u;

static inline Bitboard square_bit(Square square) { return (Bitboard)1 << square; }
static inline Bitboard file_mask(int file) { return FILE_A << file; }
static inline Bitboard rank_mask(int rank) { return RANK_1 << (8 * rank); }
static inline Square bitboard_lowest(Bitboard set) { return (Square)bits_lowest(set); }
static inline Square bitboard_pop(Bitboard *set) { return (Square)bits_pop(set); }

/* One step toward h and toward a: squares that leave the board vanish. */
static inline Bitboard bitboard_east(Bitboard set) { return (set & ~FILE_H) << 1; }
static inline Bitboard bitboard_west(Bitboard set) { return (set & ~FILE_A) >> 1; }

/* One step forward as `color` sees it. */
static inline Bitboard bitboard_forward(Color color, Bitboard set) {
    return color == WHITE ? set << 8 : set >> 8;
}

/* All squares that pawns of `color` on `pawns` attack. */
static inline Bitboard bitboard_pawn_attacks(Color color, Bitboard pawns) {
    Bitboard ahead = bitboard_forward(color, pawns);
    return bitboard_east(ahead) | bitboard_west(ahead);
}

#endif
