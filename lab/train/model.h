/* The network in floating point, for training: values, and the gradient of the loss by every parameter.
 *
 * The hidden units are worked on in blocks of a few columns, one block by one thread, so that a block's
 * weights and gradients stay in that core's cache. All parameters of a block lie together, row by row:
 *
 *   row 0 .. 767                     weights of the inputs, as many times as there are king buckets
 *   shape->bias_row                  biases of the hidden units      (one float for each column of the block)
 *   shape->output_row ..             for each output bucket and half (the own one first) shape->half_rows
 * rows: without layers one, output weights; with layers eight, those of layer 1 shape->factor_row .. + 767
 * with king buckets: what the weights of all buckets have in common
 *
 * and behind the blocks, for each output bucket, its output bias, or what stack.h names. With layers, a
 * block's columns are the first units of its pairs, then the second ones; the two have in row k of a half the
 * weights of their pair for units 2k and 2k + 1 of layer 1. A position uses the weights of its king bucket as
 * they stand; the common part is taken out of them, and put back, around each step of the optimiser
 * (model_split): so that each bucket learns what all others see, and its own difference besides (the
 * "factoriser" of common practice). Units beyond the width, that fill up a block, begin and stay at zero. */
#ifndef LUFT_TRAIN_MODEL_H
#define LUFT_TRAIN_MODEL_H

#include "lab/train/loader.h"
#include "lab/train/stack.h"
#include "nnue/arch.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_COLUMNS_MAX = 64 };

typedef struct ModelShape {
    int width, buckets, king_buckets, layers;
    const uint8_t *king_bucket; /* of each place, see arch.h */
    size_t inputs, bias_row, output_row, half_rows, factor_row;
    int columns; /* of a block: 16, 32 or 64 */
    int blocks;
    size_t rows;            /* of a block */
    size_t tail, tail_size; /* where the numbers behind the blocks begin; of one output bucket */
    size_t count;           /* of all parameters */
} ModelShape;

/* Blocks as wide as leaves one for each thread. King buckets: 1, 4 (fine where kings stand for long, on the
 * first rank) or 8. */
ModelShape model_shape(NetworkShape network, int threads);
static inline bool model_knows_king_buckets(int64_t count) { return count == 1 || count == 4 || count == 8; }

/* Where a parameter lies in an array of shape->count floats. */
static inline size_t model_row(const ModelShape *shape, int block, size_t row) {
    return ((size_t)block * shape->rows + row) * (size_t)shape->columns;
}
static inline size_t model_unit(const ModelShape *shape, int unit, size_t row) {
    if (shape->layers == 0)
        return model_row(shape, unit / shape->columns, row) + (size_t)(unit % shape->columns);
    const int pair = unit % (shape->width / 2), pairs = shape->columns / 2;
    const int column = pair % pairs + (unit == pair ? 0 : pairs);
    return model_row(shape, pair / pairs, row) + (size_t)column;
}
static inline bool model_is_output_row(const ModelShape *shape, size_t row) {
    return row >= shape->output_row && row < shape->factor_row;
}
/* With layers: which weight of layer 1 a hidden unit has in an output row, as arch.h counts. */
static inline int model_layer1_unit(const ModelShape *shape, int unit, size_t row) {
    assert(shape->half_rows > 0);
    return 2 * (int)((row - shape->output_row) % shape->half_rows) + (unit < shape->width / 2 ? 0 : 1);
}
static inline int model_layer1_input(const ModelShape *shape, int unit, size_t row) {
    assert(shape->half_rows > 0 && shape->width > 1);
    const int pairs = shape->width / 2, half = (int)((row - shape->output_row) / shape->half_rows % 2);
    return unit % pairs + half * pairs;
}

/* The numbers of an output bucket behind the blocks. */
static inline size_t model_tail(const ModelShape *shape, int bucket) {
    return shape->tail + (size_t)bucket * shape->tail_size;
}
static inline size_t model_output_bias(const ModelShape *shape, int bucket) {
    return model_tail(shape, bucket) + (shape->layers > 0 ? STACK_THIRD_BIAS : 0);
}

/* Random beginnings: the same for the same seed, whatever the shape of the blocks. */
void model_initialise(const ModelShape *shape, float *parameters, uint64_t seed);

/* What is learned. */
typedef struct ModelTarget {
    float share; /* of the game's result */
    float scale; /* internal units in the exponent of a winning chance, of scores and outputs alike: the loss
                    counts errors by what they change there. It does not change the units of the output. */
} ModelTarget;

/* With king buckets: takes the common part out of the weights of each bucket and gives it the sum of their
 * gradients; and puts it back, within +-WEIGHT_CLIP. Nothing happens without. */
void model_split(const ModelShape *shape, float *parameters, float *gradient);
void model_join(const ModelShape *shape, float *parameters);

/* Room for working on up to `capacity` positions at a time. */
typedef struct ModelWorkspace ModelWorkspace;
ModelWorkspace *model_workspace_create(const ModelShape *shape, size_t capacity);
void model_workspace_destroy(ModelWorkspace *workspace);

/* Outputs (1.0 is 400 internal units) of the positions, side to move. */
void model_evaluate(ModelWorkspace *workspace, const float *parameters,
                    const TrainingPosition *const *positions, size_t count, float *outputs);

/* Adds to `gradient` that of the sum over the positions of (sigmoid(output in units / scale) - target)^2,
 * divided by `divisor`, and returns the sum itself. At most `capacity` positions. */
double model_add_gradient(ModelWorkspace *workspace, const float *parameters,
                          const TrainingPosition *const *positions, size_t count, ModelTarget target,
                          float divisor, float *gradient);

/* The sum of the squared errors alone. */
double model_loss(ModelWorkspace *workspace, const float *parameters,
                  const TrainingPosition *const *positions, size_t count, ModelTarget target);

#endif
