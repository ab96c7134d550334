/* In which order a training sees its positions. Any thread. */
#ifndef LUFT_TRAIN_EPOCH_H
#define LUFT_TRAIN_EPOCH_H

#include "lab/train/loader.h"

/* The `size` positions from `place` on, counted over all passes: each pass has every position for training
 * once, in an order that depends on the seed and on its number. */
void epoch_choose(const TrainingSet *set, uint64_t seed, uint64_t place, size_t size,
                  const TrainingPosition **out);

#endif
