/* How a reason is chosen: what a move does, said of the boards of two lines (line.h), the one that answers it
 * and the one of the best move. Nothing is guessed: what cannot be proved is no reason. */
#ifndef LUFT_EXPLAIN_REASON_H
#define LUFT_EXPLAIN_REASON_H

#include "explain/explanation.h"

/* Finds the reason from the two branches and the loss. `nodes`: of further searches, in all about as many. */
void reason_find(Explanation *explanation, Searcher *searcher, uint64_t nodes);

/* Finds what the line of `played` achieves for its side, compared with nothing: a mate, or material that is
 * complete by LOSS_PLY, with its motifs. Asked for where the reason is REASON_BEST or REASON_GOOD. */
void reason_find_achievement(Explanation *explanation);

#endif
