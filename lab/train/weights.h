/* All weights of a network in floating point, in an order that does not depend on the layout in the trainer:
 * the result of one training and the start of another. Kept in a file next to the network, which has only
 * what quantisation keeps of them. Called from one thread. */
#ifndef LUFT_TRAIN_WEIGHTS_H
#define LUFT_TRAIN_WEIGHTS_H

#include "base/status.h"
#include "lab/train/model.h"
#include "nnue/network.h"

typedef struct Weights {
    ModelShape shape;
    float *values;   /* [row][unit], rows as in model.h, then the numbers after the blocks there */
    uint64_t source; /* hash of the file that they came from */
} Weights;

/* Reads a file of weights or a network, whichever it is. Release with weights_release, on failure too. */
Status weights_read(const char *path, Weights *weights);
void weights_release(Weights *weights);

/* Writes a file: "LuftFlt1", or "LuftFlt2" with layers, width, buckets, king buckets (32 bits each), checksum
 * of the rest (32 bits), the values; floats as this machine has them. A packed file begins with "LuftFlt3" or
 * "LuftFlt4" and has int16 in steps of 1/16384. */
Status weights_write(const char *path, const ModelShape *shape, const float *parameters);

/* Writes the mean of `count` files of weights, one or more, of the same shape. Trainings that began with the
 * same weights and used other games, or another order, end in places whose mean is often better than each
 * ("model soups", Wortsman and others 2022); the mean of trainings that began apart is useless.
 * A file that is there is replaced as in ownership_make_room. */
Status weights_write_mean(const char *path, bool again, const char *const *inputs, int count);

/* Writes a file of weights packed: half as large, to be kept with a network that others continue from. A file
 * that is there: as above. */
Status weights_pack(const char *path, bool again, const char *input);

/* Refuses to overwrite a file that has no weights. */
Status weights_check_output(const char *path);

/* The same, and as ownership_check_new. */
Status weights_check_new(const char *path, bool again);

/* Fills the first parameters. The shape may be wider than the weights: new units then begin with random input
 * weights, as in a new network, and output weights of zero, so that the output stays the same. With layers,
 * pairs of units are added. One output bucket may become eight equal ones, one king bucket several; a network
 * does not have the common part of its king buckets, so their mean is used. Otherwise the shapes must be
 * equal. */
Status weights_begin(const Weights *weights, const ModelShape *shape, uint64_t seed, float *parameters);

#endif
