/* Learning again: what an earlier search found out about a position teaches the histories of this one, which
 * would else begin without any. The moves that led to the position then are not known, so only those counters
 * learn that do not depend on them. */
#ifndef LUFT_SEARCH_RELEARN_H
#define LUFT_SEARCH_RELEARN_H

#include "search/worker.h"

/* Learns that a search of `pos`, `depth` plies deep, had this score and best move (MOVE_NONE: none known):
 * that the move is good, if the score is no upper bound, and how wrong the static value is. Before the first
 * node only: `pos` becomes the worker's position. */
void relearn_position(Worker *worker, const Position *pos, Move move, int score, int depth, Bound bound);

#endif
