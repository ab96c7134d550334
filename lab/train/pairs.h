/* The order of the pairs of hidden units. It changes speed, not values: layer 1 takes the products of pairs
 * by fours and skips those that are all zero (nnue/kernels.c). So pairs that tend to be zero together should
 * be neighbours. Called from one thread. */
#ifndef LUFT_TRAIN_PAIRS_H
#define LUFT_TRAIN_PAIRS_H

#include "base/status.h"
#include "lab/train/loader.h"
#include "nnue/network.h"

/* The same network, which must have layers, with its pairs sorted, by the products in `count` positions, some
 * ten thousand. Takes some seconds. NULL with the reason. */
Network *pairs_sort(const Network *network, const TrainingPosition *positions, size_t count, Status *status);

/* The share of all fours that are not skipped in these positions, 0 to 1. */
Status pairs_share(const Network *network, const TrainingPosition *positions, size_t count, double *share);

#endif
