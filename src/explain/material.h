/* Material that a move loses or misses: what falls on one of two lines and not on the other (candidates.h),
 * complete by LOSS_PLY or forced, as much as the scores agree with. */
#ifndef LUFT_EXPLAIN_MATERIAL_H
#define LUFT_EXPLAIN_MATERIAL_H

#include "explain/explanation.h"

/* Finds what the side to move loses by its move, or what the better move would have won, the greater of both,
 * with its cause and motifs. The lines of the explanation become those that show it. `nodes` as for the
 * whole. REASON_LOSES_MATERIAL, REASON_MISSES_MATERIAL, or REASON_NONE. */
Reason material_find(Explanation *found, Searcher *searcher, uint64_t nodes);

/* Finds what a good move wins on its line, whatever others would win. */
void material_find_won(Explanation *found);

/* Finds why the natural reply to the blow does not help, where the line has another one: to take back, to
 * retreat with the piece that is attacked, or to take what hangs. */
void material_find_natural(Explanation *found, Searcher *searcher, uint64_t nodes);

/* The motifs by which the side to move on board `first` wins up to found->settled, or `mates`: the most
 * telling one that explains the loss (by the order of MotifKind), and one more that stands on the line up to
 * where that one wins. What the line `other` shows as well is none (NULL: there is no such line). */
void material_find_motifs(Explanation *found, const Line *line, const Line *other, int first, bool mates);

#endif
