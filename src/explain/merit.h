/* What a good move does: it is the only one, it sacrifices, meets a threat or makes one. */
#ifndef LUFT_EXPLAIN_MERIT_H
#define LUFT_EXPLAIN_MERIT_H

#include "explain/explanation.h"

/* Fills found->merit, and found->pass and found->fact where they were asked, by at most as many nodes more.
 * Without memory it finds less. */
void merit_find(Explanation *found, Searcher *searcher, uint64_t nodes);

/* Whether the move that a threat begins with was impossible, or won less, before the move that threatens it.
 */
bool merit_is_new_threat(const Position *before, const Threat *threat);

#endif
