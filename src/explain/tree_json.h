/* Trees of searches of one position, for programs. Pure. */
#ifndef LUFT_EXPLAIN_TREE_JSON_H
#define LUFT_EXPLAIN_TREE_JSON_H

#include "explain/tree.h"

/* Grows when a field goes or changes its meaning. */
enum { TREE_SCHEMA = 2 };

/* Appends one JSON object on one row, without line feed: docs/explain.md has the fields. The trees are of
 * searches of `root`. */
void tree_append_json(TextBuffer *out, const Position *root, const Tree *trees, int count);

#endif
