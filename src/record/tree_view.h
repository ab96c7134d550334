/* Trees of searches of one position, for people at a terminal and for programs, and as a picture. Pure. */
#ifndef LUFT_RECORD_TREE_VIEW_H
#define LUFT_RECORD_TREE_VIEW_H

#include "engine/document.h"
#include "record/tree.h"

/* Version of the JSON: grows when a field goes or changes its meaning. */
enum { TREE_SCHEMA = 2, TREE_WIDTH = 72 /* of text, at least */ };

/* Writes the trees, of searches of `root`, one after the other; in text of two trees first what they say of
 * each root move, side by side. docs/explain.md has the JSON. */
void tree_write(Document *document, const Position *root, const Tree *trees, int count);

/* Appends an SVG document: the trees, of searches of `root`, side by side. A node is a box, coloured by its
 * score; the line to it is the wider the more nodes it took; all trees have one scale. What each box stands
 * for in full is its <title>, which browsers show under the mouse. */
void tree_append_svg(Document *document, const Position *root, const Tree *trees, int count);

#endif
