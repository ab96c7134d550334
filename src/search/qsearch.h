/* Quiescence: captures and promotions (evasions when in check) until the position is quiet enough for its
 * static evaluation to be trusted. */
#ifndef LUFT_SEARCH_QSEARCH_H
#define LUFT_SEARCH_QSEARCH_H

#include "search/worker.h"

/* Score of the current position, `ply` plies from the root, within a fail-soft window. qsearch_pv fills the
 * frame's line. Meaningless once worker->stopped. */
TRACEABLE int qsearch_pv(Worker *worker, int ply, int alpha, int beta);
TRACEABLE int qsearch_null_window(Worker *worker, int ply, int alpha, int beta);

#endif
