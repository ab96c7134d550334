/* The recursion: principal variation search over the legal moves. */
#ifndef LUFT_SEARCH_SEARCH_H
#define LUFT_SEARCH_SEARCH_H

#include "search/worker.h"

/* Searches the root to `depth` plies within (alpha, beta), fail-soft; fills worker->root from multi_pv_index
 * on. Meaningless once worker->stopped. */
TRACEABLE int search_root(Worker *worker, int alpha, int beta, int depth);

#endif
