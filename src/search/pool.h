/* The search threads and what they share. One owner calls these, from one thread at a time; only pool_stop
 * and pool_ponderhit may come from any thread at any moment. */
#ifndef LUFT_SEARCH_POOL_H
#define LUFT_SEARCH_POOL_H

#include "base/status.h"
#include "nnue/evaluate.h"
#include "search/shared.h"
#include "search/trace.h"

#include <stddef.h>

enum { HASH_DEFAULT = 16, HASH_MAX = 1 << 20 }; /* MiB */

typedef struct SearchPool SearchPool;

/* A pool with one sleeping thread and a table of `hash` MiB. NULL, with the reason in *status, on failure. */
SearchPool *pool_create(const SearchListener *listener, size_t hash, const Network *network, Status *status);
void pool_destroy(SearchPool *pool);

/* Whether a table of `hash` MiB and `threads` threads fit into `megabytes` of memory; the reason says what
 * they need. */
Status pool_check_memory(size_t hash, int threads, uint64_t megabytes);

/* A table of another size, empty. On failure the old one stays. Not while searching. A size that does not fit
 * into the physical memory together with the threads is refused before it is touched; pool_set_threads
 * likewise. */
Status pool_set_hash(SearchPool *pool, size_t megabytes);
/* 1 to THREADS_MAX threads; new ones have learned nothing. On failure their number stays. Not while
 * searching. */
Status pool_set_threads(SearchPool *pool, int count);

/* Evaluate with another network (NULL: the embedded one), which must stay in place. On failure the old one
 * stays. Not while searching. */
Status pool_set_network(SearchPool *pool, const Network *network);

/* Clears the table and what the threads have learned. Not while searching. */
void pool_clear(SearchPool *pool);

/* From now on the first thread's searches report to `tracer`, and use its switches; NULL: no longer. It is
 * called on that thread, or on the one that calls pool_slice. The end of a slice leaves unfinished nodes. Not
 * while searching. */
void pool_trace(SearchPool *pool, Tracer *tracer);

/* Begins a search on the pool's own threads and returns at once. The position and limits are copied. With
 * limits->in_slices, and where there are no threads, it only prepares: pool_slice and pool_wait search, on
 * one thread. */
void pool_start(SearchPool *pool, const Position *pos, const SearchLimits *limits);

/* Searches for one slice, on the calling thread, from which the listener is called. */
SliceEnd pool_slice(SearchPool *pool, const Slice *slice);

/* Ends the search: best_move follows soon. Harmless without one. */
void pool_stop(SearchPool *pool);

/* The expected move was played: the search goes on with the clock running, unless it has had enough time
 * already. */
void pool_ponderhit(SearchPool *pool);

/* The move of the table for a position, if its score is no upper bound; else MOVE_NONE. From any thread, but
 * not while the table is changed. */
Move pool_known_move(const SearchPool *pool, const Position *pos);

/* The table, for who fills and reads it while threads search. Until pool_set_hash. */
const TranspositionTable *pool_table(const SearchPool *pool);

/* Blocks until best_move has been reported; a search in slices is searched to its end. */
void pool_wait(SearchPool *pool);
bool pool_is_searching(SearchPool *pool);

#endif
