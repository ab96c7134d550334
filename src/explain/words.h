/* An explanation in words, and as JSON for programs. Each sentence stands for one field of the explanation;
 * the wording says whether a fact is true of a board, of this line only, or whatever is replied. */
#ifndef LUFT_EXPLAIN_WORDS_H
#define LUFT_EXPLAIN_WORDS_H

#include "engine/document.h"
#include "explain/explain.h"

enum { EXPLAIN_SCHEMA = 4 }; /* version of the JSON, raised when a field changes its meaning or goes */

/* Writes the answer; in text what the search did only if `with_search`. docs/explain.md has the JSON. */
void words_write(Document *document, const Explanation *explanation, bool with_search);

/* Appends an SVG document: the tree of the search of the move, as far as it was recorded (tree_view.h). */
Status words_append_svg(Document *document, const Explanation *explanation);

/* What was lost: "the queen for a rook and a knight", "two pawns", "the exchange". */
const char *words_loss(Document *document, const LineLoss *loss);

#endif
