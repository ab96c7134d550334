/* Zobrist hashing (Zobrist 1970): random words whose exclusive-or names a position. Filled once by
 * zobrist_init from a fixed seed, so that keys are the same in every program and on every machine. */
#ifndef LUFT_CHESS_ZOBRIST_H
#define LUFT_CHESS_ZOBRIST_H

#include "chess/types.h"

typedef struct ZobristKeys {
    HashKey piece[PIECE_COUNT + 1][SQUARE_COUNT]; /* the row of NO_PIECE is 0 */
    HashKey castling[ALL_CASTLING + 1];           /* exclusive-or of the single rights' words */
    HashKey en_passant[8];                        /* by file, used only while a capture is legal */
    HashKey black_to_move;
} ZobristKeys;

extern ZobristKeys zobrist_keys; /* read only, after zobrist_init */

/* Fills the keys; calling it again does nothing. */
void zobrist_init(void);

#endif
