/* What the open window of a search in slices has found already. A slice that ends loses the path to its last
 * node, and the next one has to search it again. The table does not help enough: it keeps no result of a
 * search that leaves a move out, and other results may now be a ply too shallow, because the histories have
 * changed the reductions. The histories would also learn the same node twice. So the results are kept here as
 * they were. Owned by the thread that searches in slices. */
#ifndef LUFT_SEARCH_REPLAY_H
#define LUFT_SEARCH_REPLAY_H

#include "base/bits.h"
#include "search/worker.h"

enum { REPLAY_DEPTH = 2 /* plies; shallower results are not worth a place */ };

/* NULL when there is no memory. */
Replay *replay_create(void);
void replay_destroy(Replay *replay); /* NULL is fine */

/* Another window: all results are forgotten. */
void replay_begin_window(Replay *replay);
/* Another slice: it may use the results of those before it, but not its own. */
void replay_begin_slice(Replay *replay);

/* Looks for a result of the worker's node at `ply` with this window, at least `depth` - 1 deep. A PV node
 * needs an exact score, and gets its line back: with another score, nothing that was found below it would
 * fit. */
bool replay_find(Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node);
/* What replay_find has found. */
int replay_score(const Replay *replay);
void replay_keep(Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node, int score);

static inline bool replay_may_know(const Worker *worker, int ply, int depth) {
    return UNLIKELY(worker->replay != NULL) && depth >= REPLAY_DEPTH && ply > 0;
}
static inline bool replay_knows(Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node) {
    return replay_may_know(worker, ply, depth) && replay_find(worker, ply, alpha, beta, depth, pv_node);
}
static inline int replay_note(Worker *worker, int ply, int alpha, int beta, int depth, bool pv_node,
                              int score) {
    if (replay_may_know(worker, ply, depth) && !worker->stopped)
        replay_keep(worker, ply, alpha, beta, depth, pv_node, score);
    return score;
}

/* A node: the score that an earlier slice found, or else what `search` returns. */
#define REPLAY(worker, ply, alpha, beta, depth, pv_node, search) \
    (replay_knows(worker, ply, alpha, beta, depth, pv_node)      \
         ? replay_score((worker)->replay)                        \
         : replay_note(worker, ply, alpha, beta, depth, pv_node, search))

#endif
