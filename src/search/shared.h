/* What all threads of one search share. Owned by the pool (or by a data generator, one for each of its
 * workers). */
#ifndef LUFT_SEARCH_SHARED_H
#define LUFT_SEARCH_SHARED_H

#include "base/clock.h"
#include "search/limits.h"
#include "search/timeman.h"
#include "search/tt.h"

#include <stdatomic.h>

enum { THREADS_MAX = 1024 };

typedef struct Shared {
    TranspositionTable table;
    SearchLimits limits; /* fixed while searching */
    TimeManager time;    /* fixed while searching */
    SearchListener listener;
    atomic_bool stop;            /* set by anyone, read at every node: bestmove need not be held any longer */
    atomic_bool helpers_stop;    /* for the threads after the first: also set when that one is done */
    atomic_bool pondering;       /* the clock does not run yet; cleared after clock_start is set */
    atomic_bool pondered_enough; /* if the clock were running, the search would be over */
    atomic_int_least64_t clock_start; /* microseconds: when the clock of this move began to run */
    bool has_node_clock;              /* a move of this game was played on a clock of nodes */
    int64_t node_clock;               /* microseconds that it has left */
    int thread_count;                 /* fixed while searching, like all that follow but the last */
    const atomic_uint_least64_t *nodes_of[THREADS_MAX]; /* each thread counts its own */
    int table_pieces; /* most pieces and pawns with which the tree asks tablebases; 0: never */
    int ranked_count; /* root moves that the tablebases know: all or none */
    SyzygyMove ranked[MAX_MOVES];
    atomic_uint_least64_t tb_hits; /* apart from what every node reads */
} Shared;

static inline bool shared_stopped(const Shared *shared) {
    return atomic_load_explicit(&shared->stop, memory_order_relaxed);
}

/* Nodes of all threads. Any thread, at any time; may lag a little. */
static inline uint64_t shared_nodes(const Shared *shared) {
    uint64_t nodes = 0;
    for (int i = 0; i < shared->thread_count; i++)
        nodes += atomic_load_explicit(shared->nodes_of[i], memory_order_relaxed);
    return nodes;
}

/* What the clock says has gone by since `start`: microseconds, or the nodes of this search by
 * limits.node_time. */
static inline int64_t shared_elapsed(const Shared *shared, int64_t start) {
    const int node_time = shared->limits.node_time;
    return node_time > 0 ? (int64_t)(shared_nodes(shared) * 1000 / (uint64_t)node_time)
                         : clock_microseconds() - start;
}

/* Sets up a search of `root`, and ranks its moves by tablebases. Not while searching. */
void shared_begin(Shared *shared, const SearchLimits *limits, const Position *root);

/* Takes what a search of `side` has used off a clock of nodes. Before its move is reported. */
void shared_end(Shared *shared, Color side);

/* Asks the listener whether to stop; if so, sets the flag. */
void shared_poll(Shared *shared);

#endif
