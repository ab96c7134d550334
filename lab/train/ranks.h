/* Several processes that train one network, on one computer or on many: "ranks", which MPI starts and
 * connects. Each learns from its share of the games; after some steps all go on from the mean of what they
 * learned
 * ("local SGD": Stich 2018; Lin, Stich, Patel and Jaggi 2020).
 *
 * Only a build with MPI=1 has ranks. Otherwise, and before ranks_begin, a process is alone, and these
 * functions do nothing. All ranks call the same functions in the same order, each on its main thread; a rank
 * that ends without ranks_end ends all. */
#ifndef LUFT_TRAIN_RANKS_H
#define LUFT_TRAIN_RANKS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Ranks {
    int number, count;  /* own number, from 0. Alone: 0 of 1 */
    uint64_t exchanged; /* bytes of numbers that this rank gave to means */
} Ranks;

/* Alone, where several ranks are not `wanted`. An error in a build without MPI, where they are. */
Status ranks_begin(Ranks *ranks, bool wanted);
void ranks_end(Ranks *ranks);

/* Rank 0 owns all files and does all the talking. */
static inline bool ranks_is_first(const Ranks *ranks) { return ranks->number == 0; }
static inline bool ranks_is_alone(const Ranks *ranks) { return ranks->count == 1; }

/* The failure of the first rank that has one, for all: they go on together, or not at all. */
Status ranks_agree(const Ranks *ranks, Status own);

/* A failure where the ranks have different numbers. `what` they are of: "settings". */
Status ranks_compare(const Ranks *ranks, uint64_t hash, const char *what);

/* Each number becomes its mean over the ranks: the same bits on every rank. */
void ranks_average(Ranks *ranks, size_t count, float *numbers);

uint64_t ranks_sum(const Ranks *ranks, uint64_t number);

/* The sum, on rank 0; the others have 0 afterwards. */
void ranks_hand_in(const Ranks *ranks, double *number);

/* The flags that at least one rank has set. */
unsigned ranks_join(const Ranks *ranks, unsigned flags);

/* All get the bytes of rank 0. */
void ranks_share(const Ranks *ranks, void *bytes, size_t size);

#endif
