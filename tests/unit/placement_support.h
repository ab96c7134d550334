/* Pieces on random squares, for the tests of tablebases. */
#ifndef LUFT_UNIT_PLACEMENT_SUPPORT_H
#define LUFT_UNIT_PLACEMENT_SUPPORT_H
#include "base/rng.h"
#include "tb/encoding.h"

/* Puts the pieces on an empty board, which position_finish completes. False when two fell on one square, or a
 * pawn on the first or last rank. */
static inline bool place_pieces(Rng *rng, Material pieces, Position *pos) {
    position_clear(pos);
    for (Piece piece = WHITE_PAWN; piece < PIECE_COUNT; piece++)
        for (int i = material_count(pieces, piece); i > 0; i--) {
            const Square square = (Square)rng_below(rng, SQUARE_COUNT);
            const int rank = square_rank(square);
            if (position_piece_on(pos, square) != NO_PIECE ||
                (piece <= BLACK_PAWN && (rank == 0 || rank == 7)))
                return false;
            position_put(pos, piece, square);
        }
    return true;
}

#endif
