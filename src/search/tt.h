/* The transposition table: what earlier searches learned of a position. Shared by all threads without locks;
 * every race is inside tt.c and explained there. A probe hands out a copy of the entry and a handle to write
 * through. */
#ifndef LUFT_SEARCH_TT_H
#define LUFT_SEARCH_TT_H

#include "base/status.h"
#include "chess/types.h"
#include "search/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TtBucket TtBucket;

typedef struct TranspositionTable {
    TtBucket *buckets;
    size_t bucket_count;
    unsigned generation; /* of the current search; ages what older searches left */
} TranspositionTable;

/* A copy of an entry. Without a hit everything else is "nothing": MOVE_NONE, SCORE_NONE, BOUND_NONE, depth
 * -1. */
typedef struct TtEntry {
    bool hit;
    bool pv; /* the position was once on a principal variation */
    Bound bound;
    Move move; /* any 16 bits: check its legality */
    int score; /* mate scores counted from this node */
    int eval;  /* raw static evaluation, or SCORE_NONE */
    int depth;
} TtEntry;

/* Where tt_store writes: found by tt_probe, valid until the table is resized. */
typedef struct TtSlot {
    TtBucket *bucket;
    int index;
    uint16_t key;
} TtSlot;

/* An empty table of `megabytes` MiB. On failure the old one stays. */
Status tt_resize(TranspositionTable *table, size_t megabytes);
void tt_release(TranspositionTable *table);

/* Forgets one of `parts` equal parts, counted from 0: several threads may clear one each, and all of them
 * must. Not while searching. */
void tt_clear(TranspositionTable *table, int part, int parts);

/* A new search begins: older entries are replaced sooner, each search of age as if eight plies shallower. */
void tt_new_search(TranspositionTable *table);

/* Any thread, at any time. `ply` converts mate scores, `halfmove_clock` distrusts those out of the fifty-move
 * rule's reach. */
TtEntry tt_probe(const TranspositionTable *table, HashKey key, int ply, int halfmove_clock, TtSlot *slot);

/* Writes unless what stands there for the same position is worth more. MOVE_NONE keeps the known move. */
void tt_store(const TranspositionTable *table, TtSlot slot, Move move, int score, int eval, int depth,
              Bound bound, bool pv, int ply);

/* Fetches the bucket into the cache ahead of the probe. */
void tt_prefetch(const TranspositionTable *table, HashKey key);

/* Permille of a sample that the current search has written. */
int tt_full_permille(const TranspositionTable *table);

#endif
