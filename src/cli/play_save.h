/* A game between a person and the engine as PGN, and the game that was broken off: a file in the folder where
 * the system keeps the state of programs (XDG_STATE_HOME, else ~/.local/state; on Windows LOCALAPPDATA). */
#ifndef LUFT_CLI_PLAY_SAVE_H
#define LUFT_CLI_PLAY_SAVE_H

#include "cli/play_game.h"

/* Appends the game as PGN: the usual tags, the clocks behind the moves, who played what, and how it ended.
 * What the tags of PGN cannot say (which side is the person, the engine's nodes) stands in tags of our own.
 */
Status play_record_write(const PlayGame *game, TextBuffer *out);

/* Sets up the game that play_record_write has written. `game` is to be released only on success. */
Status play_record_read(TextView pgn, PlayGame *game);

/* Writes the game into the state folder, in place of the one that is there; one without moves, or that is
 * over, takes that one away. */
Status play_record_keep(const PlayGame *game);

/* Reads the game that is kept. `*found` is false when there is none. */
Status play_record_find(PlayGame *game, bool *found);

#endif
