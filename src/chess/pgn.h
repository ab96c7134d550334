/* Portable Game Notation, and what files in the world have in its place. */
#ifndef LUFT_CHESS_PGN_H
#define LUFT_CHESS_PGN_H

#include "base/status.h"
#include "chess/game.h"

/* Takes the next game off the front of `rest`. At the end of input `*found` is false. Comments, NAGs ("e4!"
 * and "+/-" are some) and variations are kept, lines that begin with '%' are skipped.
 * A fault costs no more than itself, and `problems` names its line: a tag that cannot be read costs the tag,
 * a sign the sign, a move the rest of the moves, which is kept as a comment. Only a start that cannot be read
 * costs the game: then the next one is read. Fails for want of memory alone. `line` counts lines across
 * calls, from 1. Time and memory are linear in what is read. docs/reading.md has the rules. */
Status pgn_read_game(TextView *rest, int *line, Game *game, bool *found, Problems *problems);

/* Reads the text of a variation (NOTE_VARIATION) from the position before its first move. Its faults are as
 * those of a game; `problems` counts lines from 1. */
Status pgn_read_variation(const Position *start, TextView text, Game *game, Problems *problems);

#endif
