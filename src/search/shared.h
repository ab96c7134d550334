/* What all threads of one search share. Owned by the pool (or by a data generator, one for each of its
 * workers). */
#ifndef LUFT_SEARCH_SHARED_H
#define LUFT_SEARCH_SHARED_H

#include "search/limits.h"
#include "search/timeman.h"
#include "search/tt.h"

#include <stdatomic.h>

typedef struct Shared {
    TranspositionTable table;
    SearchLimits limits; /* fixed while searching */
    TimeManager time;    /* fixed while searching */
    SearchListener listener;
    atomic_bool stop;                 /* set by anyone, read at every node */
    atomic_bool pondering;            /* the clock does not run yet; cleared after clock_start is set */
    atomic_int_least64_t clock_start; /* microseconds: when the clock of this move began to run */
} Shared;

static inline bool shared_stopped(const Shared *shared) {
    return atomic_load_explicit(&shared->stop, memory_order_relaxed);
}

#endif
