/* In which order the pairs of hidden units stand. It changes no value, but speed: layer 1 takes the products
 * of pairs by fours and skips those that are all zero (nnue/kernels.c). So pairs that are zero together
 * should stand together. Called from one thread. */
#ifndef LUFT_TRAIN_PAIRS_H
#define LUFT_TRAIN_PAIRS_H

#include "base/status.h"
#include "lab/train/loader.h"
#include "nnue/network.h"

/* The same network, which must have layers, with its pairs sorted. What is zero together is found in
 * `count` positions, ten thousand or so. Takes some seconds. NULL with the reason. */
Network *pairs_sort(const Network *network, const TrainingPosition *positions, size_t count, Status *status);

/* The share of all fours that are not skipped in these positions, 0 to 1. */
Status pairs_share(const Network *network, const TrainingPosition *positions, size_t count, double *share);

#endif
