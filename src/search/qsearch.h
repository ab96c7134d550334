/* Quiescence: captures alone until the position is quiet enough for its static evaluation to be trusted. */
#ifndef LUFT_SEARCH_QSEARCH_H
#define LUFT_SEARCH_QSEARCH_H

#include "search/worker.h"

/* Score of the current position, `ply` plies from the root, within a fail-soft window. Fills the frame's line
 * when `pv_node`. Meaningless once worker->stopped. */
int qsearch_pv(Worker *worker, int ply, int alpha, int beta);
int qsearch_null_window(Worker *worker, int ply, int alpha, int beta);

#endif
