/* Why is this move worse, and how did the search treat it? Two searches find the best move and the answer to
 * the move in question, their lines are played out to where captures rest, and reason.h finds what these
 * show. What is shown by little, or late, is asked again of longer searches.
 *
 * An explainer has a search pool of its own, so that no game in progress is disturbed. One thread calls it;
 * only explainer_stop may come from any thread. */
#ifndef LUFT_EXPLAIN_EXPLAIN_H
#define LUFT_EXPLAIN_EXPLAIN_H

#include "engine/verdict.h"
#include "explain/explanation.h"
#include "record/tree.h"

/* The standard ones: MiB of the table, nodes of each of the two searches. */
enum { EXPLAIN_HASH = 16, EXPLAIN_NODES = 400000 };

typedef struct Explainer Explainer;

/* NULL, with the reason in *status, without memory. `network` (NULL: the embedded one) must outlive it. */
Explainer *explainer_create(const Network *network, size_t hash, Status *status);
void explainer_destroy(Explainer *explainer);

/* Explains a legal move of `pos` with about `nodes` nodes for each of its two searches, or with
 * EXPLAIN_CONFIRM_FACTOR times as many where these show little or late. Fails only without memory. Stopped
 * early, it explains with what it has. Release the result. */
enum { EXPLAIN_CONFIRM_FACTOR = 4 };
Status explainer_explain(Explainer *explainer, const Position *pos, Move move, uint64_t nodes,
                         Explanation *explanation);
/* What is called when an explanation begins longer searches, from the thread that explains. */
typedef void ExplainConfirms(void *context);
void explainer_on_confirm(Explainer *explainer, ExplainConfirms *confirms, void *context);

/* Runs the search of the position again without a technique and adds what it found to the explanation. As
 * long as that search, up to WITHOUT_NODES_FACTOR times. Fails only without memory; stopped early, it adds
 * nothing. */
Status explainer_try_without(Explainer *explainer, Explanation *explanation, TechniqueId technique);

/* What trees are wanted. */
typedef struct TreeQuestion {
    int depth;             /* plies of the search */
    uint64_t nodes;        /* and nodes of it; 0: no such limit */
    SearchChanges changes; /* of the second search */
    const Move *line;      /* the trees are of what is below these legal moves */
    int line_length;
    TreeSize size;
} TreeQuestion;

/* Searches `pos`, where there is a legal move, and once more with the changes, if there are any;
 * each time with an empty table. The trees of the last iterations; *count of them. Stopped, it has what is
 * finished. Fails without memory, when it is stopped before all, or where no search went to the line; where
 * one of two did not, the other's tree is there, and `missing` says why. Release the trees. */
Status explainer_grow(Explainer *explainer, const Position *pos, const TreeQuestion *question, Tree trees[2],
                      int *count, Status *missing);

/* A search of `pos` from an empty table with `changes`; a limit of 0 is none. Returns its last
 * exact line (no move: none was found), which is the explainer's until its next search. */
const SearchInfo *explainer_search_without(Explainer *explainer, const Position *pos,
                                           const SearchChanges *changes, uint64_t nodes, int depth);

/* What a search of about `nodes` nodes says of a position, and its best move; where the game is over, its
 * result and MOVE_NONE. */
Assessment explainer_assess(Explainer *explainer, const Position *pos, uint64_t nodes, Move *best);

/* Its searches, for other questions about positions (overview/overview.h). */
Searcher *explainer_searcher(Explainer *explainer);

/* No search goes deeper than `depth` plies; 0, as at first: no such limit. */
void explainer_set_depth(Explainer *explainer, int depth);

/* Its searches begin with what the store at `path` knows (searcher_use_store); why that was not possible, if
 * it was not. */
Status explainer_use_store(Explainer *explainer, const char *path);
Status explainer_take_store_fault(Explainer *explainer);

/* Ends the search in progress soon, and each later one as soon as it begins. */
void explainer_stop(Explainer *explainer);

#endif
