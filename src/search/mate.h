/* Mates proved or refuted by trying every move: a search in which nothing is pruned, because the normal
 * search, which prunes, can find mates but not exclude them. */
#ifndef LUFT_SEARCH_MATE_H
#define LUFT_SEARCH_MATE_H

#include "search/worker.h"

/* The shortest mate. */
typedef struct Mate {
    int plies;          /* 2n - 1 for a mate in n; 0: there is none */
    Move line[MAX_PLY]; /* the defence that lasts longest */
} Mate;

/* Looks for the shortest mate in at most `moves` moves that one of the worker's root moves forces. True when
 * the answer is known, and in *mate; false when the worker must stop, or when more than `budget` moves have
 * been made, which count as nodes. The time grows with the power of `moves`. The worker's own thread calls,
 * between two iterations. */
bool mate_find(Worker *worker, int moves, uint64_t budget, Mate *mate);

#endif
