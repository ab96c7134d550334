/* The value of a position before it is searched. It is the network's; in some endings the rules of endings.h
 * replace it or scale it down. The errors found in similar positions correct it; a score in the table refines
 * it. Internal units, for the side to move, inside the range of scores that decide nothing. */
#ifndef LUFT_SEARCH_VALUE_H
#define LUFT_SEARCH_VALUE_H

#include "search/worker.h"

typedef struct Value {
    int raw;        /* of the network or the rule: what the table keeps */
    int correction; /* by similar positions */
    int corrected;  /* both: the static value */
    int refined;    /* the static value, or the table's score if its bound proves more */
} Value;

/* Of a position in check, which has none. */
static const Value VALUE_NONE = {SCORE_NONE, 0, SCORE_NONE, SCORE_NONE};

/* Of the worker's position, by the network or the rule alone. */
TRACEABLE int value_raw(Worker *worker);

/* The same at full strength, without a worker; `pos` must be what the evaluator has reached. */
TRACEABLE int value_static(Evaluator *evaluator, const Position *pos);

/* Begins to evaluate the worker's position, which is not in check. Call it before the table is probed: its
 * entry is being fetched from memory, which takes about as long. Most nodes need the value, and if not, most
 * of their children use the accumulators made for it. It changes nothing but the time. */
TRACEABLE void value_prepare(Worker *worker);

/* Of the worker's position, not in check, `ply` plies from the root, with the table's `entry`. */
TRACEABLE Value value_of_node(Worker *worker, int ply, const TtEntry *entry);

#endif
