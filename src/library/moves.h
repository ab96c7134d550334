/* The moves that callers of the library give. */
#ifndef LUFT_LIBRARY_MOVES_H
#define LUFT_LIBRARY_MOVES_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "level/level.h"

/* Reads a move in UCI or SAN, without a number. */
Status moves_read(const Position *pos, TextView text, Move *move);

/* Reads a move in SAN alone. */
Status moves_read_san(const Position *pos, TextView text, Move *move);

/* Appends the moves of a text to `san` in SAN, with one blank between two. */
Status moves_write_san(const Position *pos, TextView moves, TextBuffer *san);

/* Makes the moves of a text, and appends them to `played` in UCI, with one blank between two. Sets `recent`,
 * the last one first, where there are moves. */
Status moves_play(Position *pos, TextView moves, TextBuffer *played, Move recent[LEVEL_RECENT]);

#endif
