/* The sentences of an explanation. Each stands for one field of it; the wording says whether a fact is true
 * of a board, of this line only, whatever is replied, or of the network's values. */
#ifndef LUFT_EXPLAIN_SENTENCES_H
#define LUFT_EXPLAIN_SENTENCES_H

#include "engine/document.h"
#include "explain/explanation.h"

/* Writes `most` of them at most into the row, the reason first; in JSON the list `words`. Returns whether
 * these are all: the natural reply is the last one. */
bool sentences_write(Document *document, const Explanation *explanation, int most);

/* The same of a move that mates or wins material (reason_find_achievement): what its side can play or, after
 * a pass of the other one, threatens. Into an open list. */
void sentences_write_achievement(Document *document, const Explanation *explanation, bool is_threat);

/* What a fact that stands on a board of the line of the move is worth. */
const char *sentences_fact(Document *document, const Explanation *explanation, const FactReason *fact);

#endif
