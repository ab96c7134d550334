/* Scores in internal units, from the point of view of the side to move. Integers only; pure. */
#ifndef LUFT_SEARCH_SCORE_H
#define LUFT_SEARCH_SCORE_H

#include <stdbool.h>

/* Deepest ply from the root, quiescence included. */
enum { MAX_PLY = 240 };

/* 100 centipawns are a chance of one half to win: `luft-lab fit` prints this line. */
enum { SCORE_UNITS_PER_PAWN = 135 };

/* A mate in n plies scores SCORE_MATE - n; everything at or beyond SCORE_WIN says mate. A win that a
 * tablebase knows, reached in n plies, scores SCORE_TABLEBASE - n: nearly 20000 centipawns. Evaluations stay
 * inside SCORE_DECIDED. A win that the fifty-move rule makes a draw is worth a little more than other draws.
 */
enum {
    SCORE_DRAW = 0,
    SCORE_CURSED_WIN = 2,
    SCORE_TABLEBASE = 200 * SCORE_UNITS_PER_PAWN,
    SCORE_DECIDED = SCORE_TABLEBASE - MAX_PLY,
    SCORE_MATE = 32000,
    SCORE_WIN = SCORE_MATE - MAX_PLY - 1,
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002
};

static inline int score_mate_in(int plies) { return SCORE_MATE - plies; }
static inline int score_mated_in(int plies) { return plies - SCORE_MATE; }
static inline bool score_is_mate(int score) { return score >= SCORE_WIN || score <= -SCORE_WIN; }

/* A mate or a tablebase win, for either side: no static value, and no margin may be added to it. */
static inline bool score_is_decided(int score) { return score >= SCORE_DECIDED || score <= -SCORE_DECIDED; }

/* For a mate score: moves to mate, negative when the side to move is mated ("score mate N"). */
static inline int score_mate_moves(int score) {
    return score > 0 ? (SCORE_MATE - score + 1) / 2 : -(SCORE_MATE + score) / 2;
}

/* Internal units to the customary centipawn. Not for mate scores. */
static inline int score_to_centipawns(int score) { return score * 100 / SCORE_UNITS_PER_PAWN; }

#endif
