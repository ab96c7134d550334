/* Results of the game, as searches see them: a win, a draw or a loss, and how a move changes them. Pure. */
#ifndef LUFT_EXPLAIN_RESULT_H
#define LUFT_EXPLAIN_RESULT_H

#include "explain/searcher.h"

/* What the game comes to, for the side to move at the root. */
typedef enum Outcome { OUTCOME_OPEN, OUTCOME_WIN, OUTCOME_DRAW, OUTCOME_LOSS } Outcome;

/* How a line ends in a draw. */
typedef enum DrawKind {
    DRAW_NONE,
    DRAW_PERPETUAL, /* it repeats a position, and its side checks all the time */
    DRAW_REPETITION,
    DRAW_STALEMATE,
    DRAW_MATERIAL, /* too little for any mate */
    DRAW_SCORE     /* the search says so, no board */
} DrawKind;

typedef struct Result {
    Outcome better, played; /* better: OUTCOME_OPEN where the result does not change */
    DrawKind draw;          /* where one of them is a draw */
} Result;

/* What is left of a win where the outcome is open: it is in doubt, or it is gone. */
typedef enum Left { LEFT_DOUBT, LEFT_LITTLE, LEFT_NOTHING, LEFT_WORSE } Left;

Outcome result_outcome(const Branch *branch);
Left result_left(const Branch *branch);
DrawKind result_draw(const Branch *branch);

/* Whether the line ends in stalemate, early enough to be no accident. */
bool result_is_stalemate(const Line *line);

/* What the move makes of the game that the best one keeps. A win becomes less (OUTCOME_OPEN: in an ending the
 * chance of winning falls below one half), or a draw becomes a loss. */
Result result_change(const Branch *best, const Branch *move);

/* The last square of the pawns of a side that has nothing else but bishops, all pawns on one rook's file, if
 * no bishop guards it; else NO_SQUARE. */
Square result_wrong_corner(const Position *pos, Color side);

/* "win", "perpetual check" and the like, as in docs/explain.md. */
const char *outcome_name(Outcome outcome);
const char *draw_name(DrawKind kind);

#endif
