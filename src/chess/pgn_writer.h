/* Writes games in the export format of Portable Game Notation. */
#ifndef LUFT_CHESS_PGN_WRITER_H
#define LUFT_CHESS_PGN_WRITER_H

#include "chess/pgn.h"

/* Appends the game: seven-tag roster first, lines below 80 columns. */
void pgn_write_game(const PgnGame *game, TextBuffer *out);

#endif
