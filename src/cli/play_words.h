/* What a person types in a game: a command, or a move as people write moves. Pure. */
#ifndef LUFT_CLI_PLAY_WORDS_H
#define LUFT_CLI_PLAY_WORDS_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

typedef enum PlayWord {
    PLAY_NOTHING, /* an empty line */
    PLAY_MOVE,    /* whatever is no command */
    PLAY_UNDO,
    PLAY_HINT,
    PLAY_EVAL,
    PLAY_DRAW,
    PLAY_RESIGN,
    PLAY_MOVES,
    PLAY_LEGAL,
    PLAY_BOARD,
    PLAY_FLIP,
    PLAY_SAVE,
    PLAY_HELP,
    PLAY_QUIT
} PlayWord;

/* What the line asks for, and what follows the word; of a move all of it. */
PlayWord play_words_read(TextView line, TextView *rest);

/* Reads a legal move as move_parse does. A word that is none is compared with the commands. */
Status play_words_read_move(const Position *pos, TextView text, Move *move);

/* Appends the legal moves in SAN, with blanks between. */
void play_words_append_legal(TextBuffer *out, const Position *pos);

/* Appends the list of the commands. */
void play_words_append_help(TextBuffer *out);

#endif
