/* An explanation as people read it, sentences and lines, and as JSON for programs. */
#ifndef LUFT_EXPLAIN_WORDS_H
#define LUFT_EXPLAIN_WORDS_H

#include "engine/document.h"
#include "explain/explain.h"

enum { EXPLAIN_SCHEMA = 4 }; /* version of the JSON, raised when a field changes its meaning or goes */

/* Writes the answer; in text what the search did only if `with_search`. docs/explain.md has the JSON. */
void words_write(Document *document, const Explanation *explanation, bool with_search);

/* Appends an SVG document: the tree of the search of the move, as far as it was recorded (tree_view.h). */
Status words_append_svg(Document *document, const Explanation *explanation);

#endif
