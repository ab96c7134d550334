/* The transposition table: what earlier searches learned about a position. Shared by all threads without
 * locks; every race is inside tt.c and explained there. A probe hands out a copy of the entry and a handle to
 * write through. */
#ifndef LUFT_SEARCH_TT_H
#define LUFT_SEARCH_TT_H

#include "base/status.h"
#include "chess/position.h"
#include "search/limits.h"
#include "search/params.h"
#include "search/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TtBucket TtBucket;

typedef struct TranspositionTable {
    TtBucket *buckets;
    size_t bucket_count;
    unsigned generation; /* of the current search; ages the entries of older searches */
} TranspositionTable;

/* A copy of an entry. Where there is no score, the bound is BOUND_NONE, which proves nothing. */
typedef struct TtEntry {
    bool hit;
    bool pv; /* the position was once on a principal variation */
    Bound bound;
    Move move; /* any 16 bits: check its legality */
    int score; /* mates and tablebase wins counted from this node; SCORE_NONE with BOUND_NONE */
    int eval;  /* raw static evaluation, or SCORE_NONE */
    int depth;
} TtEntry;

/* A probe that finds nothing. */
static const TtEntry TT_MISS = {.move = MOVE_NONE, .score = SCORE_NONE, .eval = SCORE_NONE, .depth = -1};

/* Whether the score answers a null window below `beta`: it reaches beta and the truth is no lower, or it does
 * not and the truth is no higher. */
static inline bool tt_entry_proves(const TtEntry *entry, int beta) {
    return (entry->bound & (entry->score >= beta ? BOUND_LOWER : BOUND_UPPER)) != 0;
}

/* A static value sharpened by the entry: its score replaces `value` if the bound says that the true score
 * lies on its side. Mates and tablebase wins do not. */
static inline int tt_entry_refine(const TtEntry *entry, int value) {
    if (!techniques.table_eval || score_is_decided(entry->score)) return value;
    const Bound side = entry->score > value ? BOUND_LOWER : BOUND_UPPER;
    return (entry->bound & side) && RULE(CHANGES, table_eval, true, OP(score, entry->score), OP(value, value))
               ? entry->score
               : value;
}

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

/* A new search begins: older entries are replaced sooner, as if eight plies shallower for each search of age.
 */
void tt_new_search(TranspositionTable *table);

/* The key of a position: near the fifty-move limit the half-move clock is part of it. */
HashKey tt_key(const Position *pos);

/* Any thread, at any time. `ply` converts the scores of mates and tablebase wins, `halfmove_clock` drops
 * those that the fifty-move rule would prevent. */
TtEntry tt_probe(const TranspositionTable *table, HashKey key, int ply, int halfmove_clock, TtSlot *slot);

/* Writes unless the entry of the same position there is worth more. MOVE_NONE keeps the known move. */
void tt_store(const TranspositionTable *table, TtSlot slot, Move move, int score, int eval, int depth,
              Bound bound, bool pv, int ply);

/* Fetches the bucket into the cache ahead of the probe of a position with this key and halfmove clock. */
void tt_prefetch(const TranspositionTable *table, HashKey key, int halfmove_clock);

/* WebAssembly has no instruction for that. */
#ifdef __wasm__
enum { TT_IS_FETCHED_AHEAD = 0 };
#else
enum { TT_IS_FETCHED_AHEAD = 1 };
#endif

/* Permille of a sample that the current search has written. */
int tt_full_permille(const TranspositionTable *table);

#endif
