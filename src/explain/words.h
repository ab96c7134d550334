/* An explanation in words, and as JSON for programs. Each sentence stands for one field of the explanation;
 * the wording says whether a fact is true of a board, of this line only, or whatever is replied. */
#ifndef LUFT_EXPLAIN_WORDS_H
#define LUFT_EXPLAIN_WORDS_H

#include "base/text.h"
#include "explain/explain.h"

enum { EXPLAIN_SCHEMA = 3 }; /* version of the JSON, raised when a field changes its meaning or goes */

/* Appends sentences, one a row, `width` characters at most; at the end no line feed is missing. `color`: for
 * a terminal that shows colours. */
void words_append(TextBuffer *out, const Explanation *explanation, size_t width, bool color);

/* Appends an SVG document: the tree of the search of the move, as far as it was recorded (tree_svg.h). */
Status words_append_svg(TextBuffer *out, const Explanation *explanation);

/* Appends one JSON object on one row, without line feed: docs/explain.md has the fields. */
void words_append_json(TextBuffer *out, const Explanation *explanation);

/* Appends what was lost: "the queen for a rook and a knight", "two pawns", "the exchange". */
void words_append_loss(TextBuffer *out, const LineLoss *loss);

#endif
