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

/* Every legal `go` gives limits that end in a legal move: depth 0 means 1. Unknown words are skipped.
 * Refused, with the reason: a word that needs a number and has none, a searchmove not legal here. */
Status go_parse(const Position *pos, TextView words, GoCommand *go);

/* What `explain MOVE [depth N] [nodes N] [json]` asks. */
typedef struct Question {
    Position pos;
    Move move;
    int depth;      /* plies; 0: no limit */
    uint64_t nodes; /* for each of the two searches */
    bool json;
} Question;

/* The move is SAN or as in UCI. */
Status question_parse(const Position *pos, TextView words, Question *question);

#endif
