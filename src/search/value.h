/* What a position is worth before it is searched. The network says it; in some endings the rules of endings.h
 * take its place or a part away. Similar positions correct it by how far it was off there; the table sharpens
 * it. Internal units, for the side to move, inside the range of scores that decide nothing. */
#ifndef LUFT_SEARCH_VALUE_H
#define LUFT_SEARCH_VALUE_H

#include "search/worker.h"

typedef struct Value {
    int raw;        /* as the network or the rule says: what the table keeps */
    int correction; /* what similar positions add to it */
    int corrected;  /* both: the static value */
    int refined;    /* the static value, or the table's score where that is nearer to the truth */
} Value;

/* Of a position in check, which has none. */
static const Value VALUE_NONE = {SCORE_NONE, 0, SCORE_NONE, SCORE_NONE};

/* Of the worker's position, by the network or the rule alone. */
TRACEABLE int value_raw(Worker *worker);

/* Begins to evaluate the worker's position, which is not in check. Call it before the table is asked: its
 * line is on the way from memory, and takes about as long. Most nodes need the value, and if not, their
 * children mostly need what was made for it. Changes nothing but the time. */
TRACEABLE void value_prepare(Worker *worker);

/* Of the worker's position, not in check, `ply` plies from the root, of which the table says `entry`. */
TRACEABLE Value value_of_node(Worker *worker, int ply, const TtEntry *entry);

#endif
