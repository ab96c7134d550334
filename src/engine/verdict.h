/* What a move is worth: judged by searches of the positions before and after it, in expected score
 * (chances.h), not in centipawns: half a pawn decides much in an even game and nothing in a won one. Pure. */
#ifndef LUFT_ENGINE_VERDICT_H
#define LUFT_ENGINE_VERDICT_H

#include "chess/position.h"

#include <stdbool.h>

/* The result of a search, from the view of the side to move. */
typedef struct Assessment {
    double expected; /* score of the game: 0 lost, 0.5 drawn, 1 won */
    bool is_mate;    /* a forced one is known */
    int mate;        /* moves to it; 0 and less: the side to move is mated */
} Assessment;

/* What there is to know about a move that was played. */
typedef struct MoveFacts {
    Assessment before; /* of the side that moves */
    Assessment after;  /* of the other side */
    bool has_second;   /* the search before the move knows its second best move */
    double second;     /* and what score that one promises */
    bool is_best;      /* the search would have played the move */
    bool is_obvious;   /* it is the only legal move, or takes back */
    bool is_hidden;    /* a shallow search would have played another */
} MoveFacts;

typedef enum VerdictKind {
    VERDICT_NONE,
    VERDICT_INACCURACY,
    VERDICT_MISTAKE,
    VERDICT_BLUNDER,
    VERDICT_ONLY_MOVE, /* all others would have been blunders */
    VERDICT_GOOD_MOVE, /* all others would have been mistakes at least, and a shallow search chose one */
    VERDICT_KINDS
} VerdictKind;

/* From this loss of expected score on a move is a fault. A side that expects less can lose no more: it is
 * lost. */
#define VERDICT_LEAST_LOSS 0.05

static inline bool verdict_is_fault(VerdictKind kind) {
    return kind >= VERDICT_INACCURACY && kind <= VERDICT_BLUNDER;
}

typedef struct Verdict {
    VerdictKind kind;
    double loss;      /* of the expected score, 0 and more */
    bool allows_mate; /* a forced one in five moves or fewer, where none was forced before */
    bool misses_mate; /* such a one was there, and now none is forced */
} Verdict;

/* `score` in internal units: of a search of the position, or of its end. */
Assessment verdict_assess(const Position *pos, int score);

Verdict verdict_of(const MoveFacts *facts);

/* The part of the game to which a position belongs: the endgame has six pieces or fewer, kings and pawns not
 * counted; the opening goes up to move 12. */
typedef enum Phase { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, PHASES } Phase;
Phase verdict_phase(const Position *pos);
const char *verdict_phase_name(Phase phase);

/* The Numeric Annotation Glyph of the PGN standard; 0 for VERDICT_NONE. */
int verdict_nag(VerdictKind kind);
/* "inaccuracy", "only move"; "" for VERDICT_NONE. */
const char *verdict_name(VerdictKind kind);

/* How accurate a move was, and a side by the losses of its moves, in percent: 100 where nothing was lost. The
 * curve is that of lichess.org/page/accuracy (103.1668 exp(-4.354 loss) - 3.1669, cut at 0), there made for
 * its own chances of winning. A side's is halfway between the mean and the harmonic mean of its moves, so
 * that one blunder is not lost among many moves; as at Lichess, but without weights for sharp positions.
 * Without a move: 100. */
double verdict_move_accuracy(double loss);
double verdict_accuracy(const double *losses, int count);

#endif
