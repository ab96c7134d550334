/* Iterative deepening with aspiration windows: one worker's whole search. */
#ifndef LUFT_SEARCH_ITERATE_H
#define LUFT_SEARCH_ITERATE_H

#include "search/worker.h"

/* Searches until a limit of worker->shared is met; worker_prepare has been called. Reports lines to the
 * listener. With no legal move nothing happens. Afterwards worker->root is sorted: root[0] is the move to
 * play. */
TRACEABLE void iterate_search(Worker *worker);

/* The same in parts, all on one thread: begins, and searches for one slice, or longer if the first iteration
 * takes longer; false when there is nothing left to search. The search for mates gets what is left of a slice
 * after each iteration, and no more. */
TRACEABLE void iterate_begin(Worker *worker);
TRACEABLE bool iterate_slice(Worker *worker, const Slice *slice);

/* Tells the listener all lines of the worker's last iteration. Called on the main thread: for its own worker,
 * or for a helper that has ended. How many of them people get to see is the business of who prints them. */
TRACEABLE void iterate_report(const Worker *worker);

/* One whole search on the calling thread: prepares, searches, returns the best root move (NULL without a
 * legal one). For data generation, tests and openings; `worker` has its own Shared, whose limits are set
 * from `limits`. */
TRACEABLE const RootMove *iterate_once(Worker *worker, const Position *pos, const SearchLimits *limits);

/* What a root move is worth after the search: an iteration cut short may have no score for it yet,
 * then it is that of the iteration before. A tablebase knows better, but for how many
 * moves a mate takes. */
static inline int iterate_score(const RootMove *root) {
    const int score = root->score != -SCORE_INFINITE ? root->score : root->previous_score;
    const bool is_mate = score_is_mate(score) && score_is_decided(root->table_score);
    if (root->table_score == SCORE_NONE) return score;
    return is_mate && (score > 0) == (root->table_score > 0) ? score : root->table_score;
}

#endif
