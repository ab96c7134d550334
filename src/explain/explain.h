/* Why is this move worse, and how did the search treat it? The search answers the move, the line is played
 * out to where captures rest, and only facts that the boards of that line show are reported (motif.h,
 * line.h). Nothing is guessed: what cannot be proved is the line and its score.
 *
 * An explainer has a search pool of its own, so that no game in progress is disturbed. One thread calls it;
 * only explainer_stop may come from any thread. */
#ifndef LUFT_EXPLAIN_EXPLAIN_H
#define LUFT_EXPLAIN_EXPLAIN_H

#include "base/status.h"
#include "explain/line.h"
#include "explain/motif.h"
#include "nnue/evaluate.h"
#include "record/story.h"
#include "record/tree.h"
#include "record/without.h"

#include <stdint.h>

/* The standard ones: MiB of the table, nodes of each of the two searches. */
enum { EXPLAIN_HASH = 16, EXPLAIN_NODES = 400000 };

typedef struct Explainer Explainer;

/* What the move does, the first that holds. "Points" as in exchange.h. */
typedef enum Reason {
    REASON_BEST,            /* the move that the search plays itself */
    REASON_GOOD,            /* costs next to nothing of the expected score (REASON_GOOD_LOSS), and no material
                               or mate that can be shown */
    REASON_MATED,           /* the answer mates by force, the better move does not lose so */
    REASON_STALEMATE,       /* gives a better game away by stalemate */
    REASON_REPETITION,      /* gives a better game away by repeating a position */
    REASON_MISSES_MATE,     /* the better move mates */
    REASON_LOSES_MATERIAL,  /* by the time the line rests, which the better line does not lose */
    REASON_MISSES_MATERIAL, /* the better line wins material that this one does not */
    REASON_VALUE            /* none of these: the network's judgement in the long term */
} Reason;

#define REASON_GOOD_LOSS 0.02 /* of the expected score, which counts from 0 to 1 */

typedef struct Explanation {
    Move move, best;
    int score, best_score; /* internal units, side to move */
    double loss;           /* of the expected score by the better move's account, 0 and more */
    int depth;             /* to which the move was searched */
    uint64_t nodes;        /* of all searches */
    Line *refutation;      /* begins with the move */
    Line *better;          /* begins with the best move */
    Reason reason;
    int mate;    /* moves to the mate that ends the line: of the opponent, whatever the reason (there may be
                    nothing better); one's own on the better line with REASON_MISSES_MATE, on the line itself
                    with REASON_BEST and REASON_GOOD; 0: none */
    int settled; /* the board of the line that shows the reason rests there; -1 where none is shown */
    LineLoss material; /* on the line that shows the reason: lost by the side to move at the root; for
                          REASON_MISSES_MATERIAL, REASON_BEST and REASON_GOOD by its opponent */
    int capture;       /* that line's ply at which the first piece of that loss falls; -1: none */
    CauseKind cause;   /* of that capture; REASON_LOSES_MATERIAL only */
    Motif motif;       /* on that line */
    Motif also;        /* another one on that line, no later than the first wins */
    Inspection played_end, better_end; /* what the network says at the ends of the lines; REASON_VALUE only */
    Story story;      /* how the search of the position, in which the best move was found, treated the move */
    Without *without; /* what the caller asked for by explainer_try_without; the first is that search */
    int without_count;
    uint64_t position_nodes;    /* that it could spend */
    const Recording *recording; /* of that search; it is the explainer's, until its next explanation */
} Explanation;

/* NULL, with the reason in *status, without memory. `network` (NULL: the embedded one) must outlive it. */
Explainer *explainer_create(const Network *network, size_t hash, Status *status);
void explainer_destroy(Explainer *explainer);

/* Explains a legal move of `pos` with about `nodes` nodes for each of its two searches. Fails only without
 * memory. Stopped early, it explains with what it has. Release the result. */
Status explainer_explain(Explainer *explainer, const Position *pos, Move move, uint64_t nodes,
                         Explanation *explanation);
/* Runs the search of the position again without a technique and adds what it found to the explanation. As
 * long as that search, up to WITHOUT_NODES_FACTOR times. Fails only without memory; stopped early, it adds
 * nothing. */
Status explainer_try_without(Explainer *explainer, Explanation *explanation, TechniqueId technique);

/* What trees are wanted. */
typedef struct TreeQuestion {
    int depth; /* plies of the search */
    TechniqueSet off;
    TreeSize size;
} TreeQuestion;

/* Searches `pos`, where there is a legal move, and once more without the techniques that are off, if any;
 * each time with an empty table. The trees of the last iterations; *count of them. Stopped, it has what is
 * finished. Fails without memory, or when it is stopped before all. Release the trees. */
Status explainer_grow(Explainer *explainer, const Position *pos, const TreeQuestion *question, Tree trees[2],
                      int *count);

void explanation_release(Explanation *explanation);

/* The line that shows the reason: the better one for what the move misses. */
const Line *explanation_line(const Explanation *explanation);

/* A search of `pos` from an empty table without the techniques `off`; a limit of 0 is none. Returns its last
 * exact line (no move: none was found), which is the explainer's until its next search. */
const SearchInfo *explainer_search_without(Explainer *explainer, const Position *pos, TechniqueSet off,
                                           uint64_t nodes, int depth);

/* The score that the side to move may expect, from 0 (lost) to 1 (won), after about `nodes` nodes. Where the
 * game is over: its result. */
double explainer_expected_score(Explainer *explainer, const Position *pos, uint64_t nodes);

/* No search goes deeper than `depth` plies; 0, as at first: no such limit. */
void explainer_set_depth(Explainer *explainer, int depth);

/* Ends the search in progress soon, and each later one as soon as it begins. */
void explainer_stop(Explainer *explainer);

/* "loses material" and the like, as in docs/explain.md. */
const char *reason_name(Reason reason);

#endif
