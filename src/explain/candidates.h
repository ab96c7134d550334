/* Candidate lines: a search reports a line in each iteration, and one move of a line decides how much is
 * lost. So each line of the answer is compared with each better line, and they vote for the loss: a loss
 * weighs its points times the share of the pairs that show it. Pure. */
#ifndef LUFT_EXPLAIN_CANDIDATES_H
#define LUFT_EXPLAIN_CANDIDATES_H

#include "explain/line.h"

enum { CANDIDATES_MAX = 12 };

/* A line, and what the side to move at the root has lost wherever captures come to rest. */
typedef struct Candidate {
    int length, rest_count;
    Move move[LINE_PLIES_MAX];
    LineLoss early; /* by board early_ply: up to there one side alone takes or promotes, and nothing is taken
                       back */
    int early_ply;
    LineLoss end;   /* by the last board, at rest or not */
    uint64_t gifts; /* bit i: move[i] wins what the other side has just put there, though nothing forced it */
    struct {
        int ply; /* the first board on which that is lost, and the next move takes nothing */
        LineLoss loss;
    } rest[LINE_PLIES_MAX + 1];
} Candidate;

typedef struct Candidates {
    int count;
    Candidate line[CANDIDATES_MAX]; /* the last one is the deepest */
} Candidates;

void candidate_read(const Line *line, Candidate *candidate);

enum { LOSS_PLY = 8 }; /* what is complete by this board is shown; what comes later must be forced */

/* What a loss must be to be reported. */
typedef struct LossLimits {
    bool deepest_only; /* only the deepest line of each is asked */
    bool no_gifts;     /* what is given away without need is no loss, as a pawn never is */
    int least, most;   /* points between the two lines, from 1 */
    int least_alone;   /* points that fall on the line itself */
    int ply;           /* of its board at rest, at most */
} LossLimits;

/* What a line itself loses and another one does not, and is kept. */
typedef struct PairLoss {
    LineLoss loss;      /* of the side that loses, by captures on this line; net 0: nothing */
    int ply, other_ply; /* of the boards at rest that are compared */
    int whole;          /* points between the two lines: the other one may also win something */
} PairLoss;

/* The first board at rest by which a side (`by_us`: the one to move at the root) has lost a point more than
 * on the other line, and a good part of that on this line; or a later one, if a dearer piece has fallen by
 * then. It must still miss as much, all but a point, on each later board at rest and at the end of both
 * lines. */
PairLoss candidate_loss(const Candidate *line, const Candidate *other, bool by_us, const LossLimits *limits);

/* The same by LOSS_PLY, compared with nothing. */
PairLoss candidate_loss_alone(const Candidate *line, bool by_us);

/* The pair of a line and another one that shows the loss with the greatest weight; of equals the deepest.
 * False when no pair shows any. */
typedef struct CandidatePair {
    int line, other; /* candidates */
    PairLoss lost;
} CandidatePair;
bool candidates_vote(const Candidates *lines, const Candidates *others, bool by_us, const LossLimits *limits,
                     CandidatePair *pair);

#endif
