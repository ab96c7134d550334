/* Reads games in Portable Game Notation: anything reasonable, as files in the world have it. */
#ifndef LUFT_CHESS_PGN_READER_H
#define LUFT_CHESS_PGN_READER_H

#include "chess/pgn.h"

/* Takes the next game off the front of `rest`. At the end of input `*found` is false. Comments, NAGs ("e4!"
 * and
 * "+/-" are some) and variations are kept, lines that begin with '%' are skipped. On a fault the reason names
 * line and move, of an open comment or variation the line where it begins; `rest` then stands behind the
 * faulty game, so that a caller may go on with the next. `line` counts lines across calls, from 1. Time and
 * memory are linear in what is read. */
Status pgn_read_game(TextView *rest, int *line, PgnGame *game, bool *found);

#endif
