/* Candidate lines: a search reports a line in each iteration, and one move of a line decides how much is
 * lost. So each line of the answer is compared with each better line, and they vote for the loss: a loss
 * weighs its points times the share of the pairs that show it. Pure. */
#ifndef LUFT_EXPLAIN_CANDIDATES_H
#define LUFT_EXPLAIN_CANDIDATES_H

#include "explain/line.h"

enum { CANDIDATES_MAX = 12 };

/* A line, and what it has cost on each board where captures rest. */
typedef struct Candidate {
    int length, rest_count;
    Move move[LINE_PLIES_MAX];
    struct {
        int ply, net;           /* points that the side to move at the root has lost */
        PieceType lost, gained; /* the dearest of each; KING: none */
    } rest[LINE_PLIES_MAX + 1];
} Candidate;

typedef struct Candidates {
    int count;
    Candidate line[CANDIDATES_MAX]; /* the last one is the deepest */
} Candidates;

void candidate_read(const Line *line, Candidate *candidate);

/* What is lost in a line, and not as much in another one. */
typedef struct PairLoss {
    int points; /* 0: nothing */
    PieceType dearest;
    int excess; /* points more than on the other line */
    int ply;    /* of the board at rest */
} PairLoss;

/* The first board at rest by which a side (`by_us`: the one to move at the root) has lost at least a point
 * more than on the other line, and at most `most` more. */
PairLoss candidate_loss(const Candidate *line, const Candidate *other, bool by_us, int most);

/* The pair of lines that shows the loss with the greatest weight; of equals the deepest. False when no pair
 * shows any loss. `is_missed`: the opponent's loss on the better line. */
typedef struct CandidatePair {
    int played, better; /* candidates */
    bool is_missed;
    PairLoss loss;
} CandidatePair;
bool candidates_vote(const Candidates *played, const Candidates *better, int most, CandidatePair *pair);

#endif
