/* Trees of searches of one position, for people at a terminal and for programs. Pure. */
#ifndef LUFT_EXPLAIN_TREE_VIEW_H
#define LUFT_EXPLAIN_TREE_VIEW_H

#include "engine/document.h"
#include "explain/tree.h"

/* Version of the JSON: grows when a field goes or changes its meaning. */
enum { TREE_SCHEMA = 2, TREE_WIDTH = 72 /* of text, at least */ };

/* Writes the trees, of searches of `root`, one after the other; in text of two trees first what they say of
 * each root move, side by side. docs/explain.md has the JSON. */
void tree_write(Document *document, const Position *root, const Tree *trees, int count);

/* Texts (document_text) that stand in the picture, too. What stands at an item: "Nf3", "Nf3 again", "(pass)",
 * "18 more". */
const char *tree_label(Document *document, const Tree *tree, const TreeItem *item);
/* The score of a searched item as White sees it: "<= -0.31". */
const char *tree_score(Document *document, const Tree *tree, const TreeItem *item);
/* "skipped Rb1, Kh1 and 12 more": what a rule skipped. */
const char *tree_skipped(Document *document, const Tree *tree, int item);
/* "without null_move", or "with all techniques". */
const char *tree_title(Document *document, const Tree *tree);

#endif
