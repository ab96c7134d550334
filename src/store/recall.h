/* What a store knows of a position and of those below it, brought back into a search: the lines of its root,
 * and the entries of its table. Scores of the same source count as the search's own. Those of any other
 * engine or network only order moves: they never end the search of a node. */
#ifndef LUFT_STORE_RECALL_H
#define LUFT_STORE_RECALL_H

#include "search/tt.h"
#include "store/store.h"

typedef struct Recall Recall;

/* Of the positions below `root`, for a search by `source`; both are copied. NULL when there is no memory. */
Recall *recall_create(Store *store, const Position *root, const RowSource *source);
void recall_destroy(Recall *recall); /* NULL is fine */

/* The lines of the root, `*count` of them: `wanted` (1 to ROW_LINES_MAX) if the store knows as many, else
 * none. They are of one depth, which is returned; 0 without any. Where the root itself is not known but a
 * move that mates is, this is its line. */
int recall_lines(Recall *recall, int wanted, SearchInfo *lines, int *count, Status *status);

/* Fills the table for `time` microseconds, with what is worth most first. Call it again to go on; `*done`
 * becomes true when nothing is left. A table that knows more keeps it. */
Status recall_fill(Recall *recall, const TranspositionTable *table, int64_t time, bool *done);

#endif
