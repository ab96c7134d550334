/* Making and taking back moves. The move must be legal. */
#ifndef LUFT_CHESS_MAKEMOVE_H
#define LUFT_CHESS_MAKEMOVE_H

#include "chess/position.h"

/* Makes the move; `undo` receives what unmake needs and the record of what changed. */
void position_make_move(Position *pos, Move move, Undo *undo);
void position_unmake_move(Position *pos, Move move, const Undo *undo);

/* Passes the turn; not while in check. The record of changes is empty. */
void position_make_null(Position *pos, Undo *undo);
void position_unmake_null(Position *pos, const Undo *undo);

/* The key after the move, near enough for a prefetch: castling rights and en passant are ignored. */
HashKey position_key_after(const Position *pos, Move move);

#endif
