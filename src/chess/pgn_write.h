/* Portable Game Notation in its export format. */
#ifndef LUFT_CHESS_PGN_WRITE_H
#define LUFT_CHESS_PGN_WRITE_H

#include "chess/game.h"

/* Appends the game: seven-tag roster first, lines below 80 columns. */
void pgn_write_game(const Game *game, TextBuffer *out);

#endif
