/* The network in floating point, for training: values, and the gradient of the loss by every parameter.
 *
 * The hidden units are processed in blocks of MODEL_COLUMNS, each block by one thread, so that its weights
 * and gradients stay in that core's cache. All parameters of a block lie together, row by row, one float for
 * each column of the block:
 *
 *   row 0 .. 767             weights of the inputs; as many times as there are king buckets
 *   shape->bias_row          biases of the hidden units
 *   shape->output_row ..     for each output bucket and half (the own half first) shape->half_rows rows:
 *                            output weights (one row), or with layers the weights of layer 1 (eight rows)
 *   shape->factor_row ..     with king buckets, 768 rows: the common part of the weights of all buckets
 *
 * After the blocks come, for each output bucket, its output bias, or with layers the numbers that stack.h
 * names. With layers, a block's columns are the first units of its pairs, then the second ones; in row k of a
 * half they have the weights of their pair for units 2k and 2k + 1 of layer 1.
 *
 * A position uses the weights of its king bucket as they are. The common part is taken out of them before
 * each step of the optimiser and put back after it (model_split, model_join): each bucket learns what all
 * others see, and its own difference (the usual "factoriser"). Units beyond the width, which fill up a block,
 * stay zero. */
#ifndef LUFT_TRAIN_MODEL_H
#define LUFT_TRAIN_MODEL_H

#include "lab/kit/crew.h"
#include "lab/train/loader.h"
#include "lab/train/stack.h"
#include "nnue/arch.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ModelShape {
    int width, buckets, king_buckets, layers;
    const uint8_t *king_bucket; /* of each place, see arch.h */
    size_t inputs, bias_row, output_row, half_rows, factor_row;
    int blocks;             /* of MODEL_COLUMNS units */
    size_t rows;            /* of a block */
    size_t tail, tail_size; /* where the numbers after the blocks begin; of one output bucket */
    size_t count;           /* of all parameters */
} ModelShape;

/* King buckets: 1, 4 (fine where kings stand for long, on the first rank) or 8. */
ModelShape model_shape(NetworkShape network);
static inline bool model_knows_king_buckets(int64_t count) { return count == 1 || count == 4 || count == 8; }

/* Where a parameter lies in an array of shape->count floats. */
static inline size_t model_row(const ModelShape *shape, int block, size_t row) {
    return ((size_t)block * shape->rows + row) * MODEL_COLUMNS;
}
static inline size_t model_unit(const ModelShape *shape, int unit, size_t row) {
    if (shape->layers == 0)
        return model_row(shape, unit / MODEL_COLUMNS, row) + (size_t)(unit % MODEL_COLUMNS);
    const int pair = unit % (shape->width / 2);
    const int column = pair % STACK_PAIRS + (unit == pair ? 0 : STACK_PAIRS);
    return model_row(shape, pair / STACK_PAIRS, row) + (size_t)column;
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

/* The numbers of an output bucket after the blocks. */
static inline size_t model_tail(const ModelShape *shape, int bucket) {
    return shape->tail + (size_t)bucket * shape->tail_size;
}
static inline size_t model_output_bias(const ModelShape *shape, int bucket) {
    return model_tail(shape, bucket) + (shape->layers > 0 ? STACK_THIRD_BIAS : 0);
}

/* Random weights; the same for the same seed. */
void model_initialise(const ModelShape *shape, float *parameters, uint64_t seed);

typedef struct ModelTarget {
    float share; /* of the game's result */
    float scale; /* internal units in the exponent of a winning chance, of scores and outputs alike: the loss
                    counts errors by what they change there. It does not change the units of the output. */
} ModelTarget;

/* With king buckets: model_split takes the common part out of the weights of each bucket, multiplies what is
 * left by `keep`, and gives the common part the sum of their gradients; model_join adds it again, within
 * +-WEIGHT_CLIP. Without, they do nothing. */
void model_split(Crew *crew, const ModelShape *shape, float keep, float *parameters, float *gradient);
void model_join(Crew *crew, const ModelShape *shape, float *parameters);

/* Memory for up to `capacity` positions at a time. What uses it runs on the threads of the crew (NULL: one).
 */
typedef struct ModelWorkspace ModelWorkspace;
ModelWorkspace *model_workspace_create(Crew *crew, const ModelShape *shape, size_t capacity);
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
