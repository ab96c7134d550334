/* Reads the arguments of `go` and `explain`. Pure. */
#ifndef LUFT_UCI_PARSE_H
#define LUFT_UCI_PARSE_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "search/limits.h"

typedef struct GoCommand {
    SearchLimits limits; /* the caller sets `start` */
    int perft_depth;     /* above 0: count leaves instead of searching */
} GoCommand;

/* Reads any words: depth 0 means 1, fractions are rounded, unknown words are skipped. `*warning` says what
 * does not count: a limit without its number, a searchmove that is not legal. If none is, the only one is
 * MOVE_NONE: nothing is searched. */
void go_parse(const Position *pos, TextView words, GoCommand *go, Status *warning);

/* What `explain [MOVE] [depth N] [nodes N] [json]` asks. */
typedef struct Question {
    Position pos;
    Move move;      /* MOVE_NONE: what is going on in the position */
    int depth;      /* plies; 0: no limit */
    uint64_t nodes; /* for each of the two searches */
    bool json;
} Question;

/* The move is SAN or as in UCI. */
Status question_parse(const Position *pos, TextView words, Question *question);

#endif
