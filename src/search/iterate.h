/* Iterative deepening with aspiration windows: one worker's whole search. */
#ifndef LUFT_SEARCH_ITERATE_H
#define LUFT_SEARCH_ITERATE_H

#include "search/worker.h"

/* Searches until a limit of worker->shared is met; worker_prepare has been called. Reports lines to the
 * listener. With no legal move nothing happens. Afterwards worker->root is sorted: root[0] is the move to
 * play. */
TRACEABLE void iterate_search(Worker *worker);

/* iterate_search in slices, all on one thread. A slice takes longer if the first iteration does;
 * iterate_slice returns false when nothing is left to search. The search for mates gets what is left of a
 * slice after each iteration, and no more. */
TRACEABLE void iterate_begin(Worker *worker);
TRACEABLE bool iterate_slice(Worker *worker, const Slice *slice);

/* Reports all lines of the worker's last iteration to the listener. Called on the main thread: for its own
 * worker, or for a helper that has ended. Whoever prints them decides how many are shown. */
TRACEABLE void iterate_report(const Worker *worker);

/* One whole search on the calling thread: prepares, searches, returns the best root move (NULL without a
 * legal one). For data generation, tests and openings; `worker` has its own Shared, whose limits are set
 * from `limits`. */
TRACEABLE const RootMove *iterate_once(Worker *worker, const Position *pos, const SearchLimits *limits);

/* Microseconds after the start of the clock before which the search's level does not answer; 0 at full
 * strength, without a clock, and where there is nothing to think about: an only move, a recapture. */
TRACEABLE int64_t iterate_pace(const Worker *worker);

/* The score of a root move after the search. An unfinished iteration may have none for it yet: then it is
 * that of the iteration before. A tablebase's score counts more, except for the length of a mate. */
static inline int iterate_score(const RootMove *root) {
    const int score = root->score != -SCORE_INFINITE ? root->score : root->previous_score;
    const bool is_mate = score_is_mate(score) && score_is_decided(root->table_score);
    if (root->table_score == SCORE_NONE) return score;
    return is_mate && (score > 0) == (root->table_score > 0) ? score : root->table_score;
}

#endif
