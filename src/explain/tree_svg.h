/* Trees of searches of one position as a picture. Pure. */
#ifndef LUFT_EXPLAIN_TREE_SVG_H
#define LUFT_EXPLAIN_TREE_SVG_H

#include "explain/tree.h"

/* Appends an SVG document: the trees, of searches of `root`, side by side. A node is a box, coloured by its
 * score; the line to it is the wider the more nodes it took; all trees have one scale. What each box stands
 * for in full is its <title>, which browsers show under the mouse. */
void tree_append_svg(Document *document, const Position *root, const Tree *trees, int count);

#endif
