/* Portable Game Notation: reads anything reasonable that files in the world have, writes the export format.
 */
#ifndef LUFT_CHESS_PGN_H
#define LUFT_CHESS_PGN_H

#include "chess/game.h"

/* Takes the next game off the front of `rest`. At the end of input `*found` is false. Comments, NAGs ("e4!"
 * and "+/-" are some) and variations are kept, lines that begin with '%' are skipped. On a fault the reason
 * names line and move, of an open comment or variation the line where it begins; `rest` is then after the
 * faulty game, so that a caller may go on with the next. `line` counts lines across calls, from 1. Time and
 * memory are linear in what is read. */
Status pgn_read_game(TextView *rest, int *line, Game *game, bool *found);

/* Appends the game: seven-tag roster first, lines below 80 columns. */
void pgn_write_game(const Game *game, TextBuffer *out);

#endif
