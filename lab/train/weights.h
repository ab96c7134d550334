/* All weights of a network in floating point, in an order that does not depend on the layout in the trainer:
 * the result of one training and the start of another. Kept in a file next to the network, which has only
 * what quantisation keeps of them. Called from one thread. */
#ifndef LUFT_TRAIN_WEIGHTS_H
#define LUFT_TRAIN_WEIGHTS_H

#include "base/status.h"
#include "lab/train/model.h"
#include "nnue/network.h"

typedef struct Weights {
    NetworkShape shape;
    float *values;   /* [row][unit], rows as in model.h, then the numbers after the blocks there */
    uint64_t source; /* hash of the file that they came from */
} Weights;

/* Reads a file of weights or a network, whichever it is. Release with weights_release, on failure too. */
Status weights_read(const char *path, Weights *weights);
void weights_release(Weights *weights);

/* Writes a file: "LuftFlt1", or "LuftFlt2" with layers, width, buckets, king buckets (32 bits each), checksum
 * of the rest (32 bits), the values; floats as this machine has them. */
Status weights_write(const char *path, const ModelShape *shape, const float *parameters);

/* Writes the mean of `count` files of weights, one or more, of the same shape. Trainings that began with the
 * same weights and saw other games, or the same in another order, end in places whose middle is often better
 * than each ("model soups", Wortsman and others 2022); those that began apart have nothing in common. */
Status weights_write_mean(const char *path, const char *const *inputs, int count);

/* Whether such a file may be written there: the path is free, or has one already. */
Status weights_check_output(const char *path);

/* The parameters to begin with. The shape may be wider than the weights: new units then begin with random
 * input weights, as a fresh network does, and output weights of zero, so that the network says the same as
 * before. With layers, pairs of units are added. One output bucket may become eight equal ones, one king
 * bucket several; a network has lost the common part of its king buckets, for which their mean then stands.
 * Otherwise the shapes must be the same.
 */
Status weights_begin(const Weights *weights, const ModelShape *shape, uint64_t seed, float *parameters);

#endif
