/* Trees of searches of one position, for people at a terminal. Pure. */
#ifndef LUFT_EXPLAIN_TREE_TEXT_H
#define LUFT_EXPLAIN_TREE_TEXT_H

#include "explain/tree.h"

/* Appends the trees, of searches of `root`, one after the other; of two, first what they say of each root
 * move, side by side. `width` characters at most, TREE_TEXT_WIDTH at least. */
enum { TREE_TEXT_WIDTH = 72 };
void tree_append_text(TextBuffer *out, const Position *root, const Tree *trees, int count, size_t width,
                      bool color);

/* What stands at an item: "Nf3", "Nf3 again", "a pass", "18 more"; the same words in the picture. */
void tree_append_label(TextBuffer *out, const Tree *tree, const TreeItem *item);

/* The score of a searched item as White sees it: "<= -0.31". */
void tree_append_score(TextBuffer *out, const Tree *tree, const TreeItem *item);

/* "Rb1, Kh1 and 12 more": the moves of a skipping item. */
void tree_append_skipped(TextBuffer *out, const Tree *tree, int item);

/* "without null_move", or "with all techniques". */
void tree_append_title(TextBuffer *out, const Tree *tree);

#endif
