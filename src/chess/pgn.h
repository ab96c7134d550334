/* Portable Game Notation: export format out, anything reasonable in. */
#ifndef LUFT_CHESS_PGN_H
#define LUFT_CHESS_PGN_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

typedef struct PgnTag {
    char name[32];
    char value[256];
} PgnTag;

/* One game: tags, moves, and a comment after each move (or NULL). Start from {0}; pgn_game_release frees. */
typedef struct PgnGame {
    PgnTag *tags;
    Move *moves;
    char **comments; /* comments[i] stands behind moves[i]; NULL when there is none */
    int tag_count;
    int move_count;
    Position start; /* from FEN / SetUp, else the initial position */
    char result[8]; /* "1-0", "0-1", "1/2-1/2" or "*" */
} PgnGame;

void pgn_game_release(PgnGame *game);
const char *pgn_tag(const PgnGame *game, const char *name); /* NULL when absent */
Status pgn_set_tag(PgnGame *game, const char *name, const char *value);
Status pgn_add_move(PgnGame *game, Move move, const char *comment);

/* Takes the next game off the front of `rest`. At the end of input `*found` is false. Variations, NAGs, line
 * comments and escapes are skipped, brace comments kept. On a fault the reason names game line and move;
 * `rest` then stands behind the faulty game, so that a caller may go on with the next. `line` counts lines
 * across calls, from 1. */
Status pgn_read_game(TextView *rest, int *line, PgnGame *game, bool *found);

/* Appends the game in export format: seven-tag roster first, moves wrapped below 80 columns. */
void pgn_write_game(const PgnGame *game, TextBuffer *out);

#endif
