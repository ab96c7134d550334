/* A game looked through by the engine: a search of every position, a verdict on every move, an explanation of
 * every fault. Nothing is printed. One thread calls. */
#ifndef LUFT_REVIEW_REVIEW_H
#define LUFT_REVIEW_REVIEW_H

#include "chess/game.h"
#include "engine/engine.h"
#include "engine/verdict.h"
#include "explain/explain.h"

enum { REVIEW_LINE_MAX = 30 /* plies that are kept of a line */ };

/* What the search says of a position of the game, from the view of its side to move. */
typedef struct ReviewedPosition {
    int score; /* internal units */
    int depth; /* 0: the game is over here, the score says how */
    uint64_t nodes;
    Assessment assessment;
    int line_length; /* 0: there is no legal move */
    Move line[REVIEW_LINE_MAX];
} ReviewedPosition;

/* A side's part of the game. */
typedef struct ReviewedSide {
    int moves;
    double accuracy; /* in percent */
    int count[VERDICT_KINDS];
} ReviewedSide;

/* Why a move is a fault. The explanation has searches of its own: where they find nothing wrong its reason is
 * a good one (reason_is_good). */
typedef struct ReviewedFault {
    int ply;
    Explanation why; /* its recording is gone */
} ReviewedFault;

typedef struct Review {
    ReviewedPosition *positions; /* before each move, and the last one: done + 1 of them */
    Verdict *verdicts;           /* of the moves: done of them */
    int done;                    /* moves that are judged; -1: not even the first position is searched */
    int moves;                   /* of the game */
    ReviewedSide side[COLOR_COUNT];
    ReviewedFault *faults; /* in the order of the game */
    int fault_count;
} Review;

typedef struct Reviewer Reviewer;

/* NULL, with the reason in *status, when memory or threads are refused. */
Reviewer *reviewer_create(Status *status);
void reviewer_destroy(Reviewer *reviewer);

/* The engine inside, for its options. */
Engine *reviewer_engine(Reviewer *reviewer);

/* Called before each search with the number of positions done and of all. */
typedef void ReviewProgress(void *context, int done, int total);

/* Searches each position within `limits`, and explains each fault with EXPLAIN_NODES nodes or as many as
 * these limits allow, until a signal asks for an end (base/interrupt.h) or reviewer_stop is called. The
 * search that it cuts short does not count: what is done then is what stands before it. Fails only without
 * memory. Release the result. */
Status reviewer_review(Reviewer *reviewer, const Game *game, const SearchLimits *limits,
                       ReviewProgress *progress, void *context, Review *review);
void review_release(Review *review);

/* Ends the review in progress soon, and each later one as soon as it begins. Any thread. */
void reviewer_stop(Reviewer *reviewer);

/* The explanation of the fault at `ply`; NULL: there is none, or it finds nothing wrong. */
const Explanation *review_reason(const Review *review, int ply);

/* The first of at least three moves of a side that was lost before each of them and is to the end
 * (VERDICT_LEAST_LOSS); -1: there is none, or the review does not reach the end. */
int review_lost_from(const Review *review, const Game *game);

/* White's expected score in a position of the review. */
double review_white_expected(const Review *review, const Game *game, int position);

/* Who makes move `ply` of the game. */
Color review_mover(const Game *game, int ply);

#endif
