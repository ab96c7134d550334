/* A harvest: what a search has found out goes from its table into a store, as rows. The table knows its
 * positions by some bits of their keys only; walking over the moves from the root gives the positions
 * themselves, so that what is kept depends neither on the size of the table nor on the keys. */
#ifndef LUFT_STORE_HARVEST_H
#define LUFT_STORE_HARVEST_H

#include "nnue/evaluate.h"
#include "search/tt.h"
#include "store/store.h"

typedef struct Harvest Harvest;

/* For rows of `source`, which evaluates with `network` (as evaluator_create takes it). It remembers what it
 * has gathered, so use one for one store. NULL when there is no memory. */
Harvest *harvest_create(const RowSource *source, const Network *network);
void harvest_destroy(Harvest *harvest); /* NULL is fine */

/* What is harvested. */
typedef struct HarvestField {
    const TranspositionTable *table; /* may be in use by a search */
    const Position *root;
    const SearchInfo *lines; /* of the last complete iteration, best first */
    int line_count;
    bool is_limited; /* to some moves of the root, whose own score these lines are not */
    int64_t date;    /* seconds since 1970 */
} HarvestField;

/* Gathers the lines and what the table knows below the root: what was searched deepest first, for `time`
 * microseconds. Without the store, so that the lock of a writer is held for the writing alone, and what
 * cannot be written yet is not lost. */
Status harvest_gather(Harvest *harvest, const HarvestField *field, int64_t time);

/* How many rows wait to be written. */
size_t harvest_waiting(const Harvest *harvest);

/* Writes all that waits, or nothing. While another program writes (STATUS_BUSY) it goes on waiting; after any
 * other failure it is given up, and may be gathered again. `*rows` counts those that were new or better. */
Status harvest_write(Harvest *harvest, Store *store, int *rows);

#endif
