/* The network in floating point, for training: values, and the gradient of the loss by every parameter.
 *
 * The hidden units are worked on in blocks of a few columns, one block by one thread, so that a block's
 * weights and gradients stay in that core's cache. All parameters of a block lie together, row by row:
 *
 *   row 0 .. 767                     weights of the inputs, as many times as there are king buckets
 *   shape->bias_row                  biases of the hidden units      (one float for each column of the block)
 *   shape->output_row + 2 * bucket   output weights, own half; then the other half
 *   shape->factor_row .. + 767       with king buckets: what the weights of all buckets have in common
 *
 * and behind the blocks the output biases. A position uses the weights of its bucket as they stand; the
 * common part is taken out of them, and put back, around each step of the optimiser (model_split): so that
 * each bucket learns what all others see, and its own difference besides (the "factoriser" of common
 * practice). Units beyond the width, that fill up a block, begin and stay at zero. */
#ifndef LUFT_TRAIN_MODEL_H
#define LUFT_TRAIN_MODEL_H

#include "lab/train/loader.h"
#include "nnue/arch.h"

#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_LANES = 16, /* floats in the vectors used: one AVX-512 register, or as many smaller ones */
    MODEL_COLUMNS_MAX = 64,
    MODEL_TILE = 512, /* positions worked on together */
};

typedef struct ModelShape {
    int width, buckets, king_buckets;
    const uint8_t *king_bucket; /* of each place, see arch.h */
    size_t inputs, bias_row, output_row, factor_row;
    int columns; /* of a block: 16, 32 or 64 */
    int blocks;
    size_t rows;  /* of a block */
    size_t count; /* of all parameters, output biases included */
} ModelShape;

/* Blocks as wide as leaves one for each thread. King buckets: 1, 4 (fine where kings stand for long, on the
 * first rank) or 8. */
ModelShape model_shape(int width, int buckets, int king_buckets, int threads);
static inline bool model_knows_king_buckets(int64_t count) { return count == 1 || count == 4 || count == 8; }

/* Where a parameter lies in an array of shape->count floats. */
static inline size_t model_row(const ModelShape *shape, int block, size_t row) {
    return ((size_t)block * shape->rows + row) * (size_t)shape->columns;
}
static inline size_t model_unit(const ModelShape *shape, int unit, size_t row) {
    return model_row(shape, unit / shape->columns, row) + (size_t)(unit % shape->columns);
}
static inline size_t model_output_bias(const ModelShape *shape, int bucket) {
    return shape->count - (size_t)shape->buckets + (size_t)bucket;
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
