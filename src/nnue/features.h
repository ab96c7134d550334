/* Which inputs of the network a position sets, and which a move changes. Pure. */
#ifndef LUFT_NNUE_FEATURES_H
#define LUFT_NNUE_FEATURES_H

#include "chess/position.h"
#include "nnue/arch.h"

/* Inputs that are added and removed, as one perspective sees them, in the order they are found. */
typedef struct InputChanges {
    int added_count, removed_count;
    uint16_t added[PIECES_MAX], removed[PIECES_MAX];
} InputChanges;

/* The pieces on a board: the inputs depend on nothing else. All zero is the empty board. */
typedef struct Pieces {
    Bitboard by_type[PIECE_TYPE_COUNT];
    Bitboard by_color[COLOR_COUNT];
} Pieces;

Pieces features_pieces(const Position *pos);

/* What a move changed. The king of `perspective` must be in the view that `flip` was made for, before and
 * after. */
void features_from_changes(const Changes *changes, Color perspective, unsigned flip, InputChanges *out);

/* The changes from the pieces `from` to the pieces `to`. From the empty board: all inputs of a position. */
void features_from_pieces(const Pieces *from, const Pieces *to, Color perspective, unsigned flip,
                          InputChanges *out);

/* Whether the move changes the view of `perspective`, and with it all inputs: its king goes to a square with
 * another entry in `view_of`. */
bool features_view_changes(const Changes *changes, Color perspective, const uint8_t view_of[SQUARE_COUNT]);

#endif
