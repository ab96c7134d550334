/* The layers after the hidden units in the trainer: products of pairs and layer 1 block by block, like the
 * hidden units themselves; layer 2 and the output position by position. See arch.h for what they compute.
 *
 * The columns of a block are the first units of its pairs, then the second ones. Its weights of layer 1 are,
 * for each output bucket and half, LAYER1_UNITS rows of as many floats as it has pairs, one for each unit of
 * the layer. Called from several threads at once for different blocks, or for different tiles. */
#ifndef LUFT_TRAIN_STACK_H
#define LUFT_TRAIN_STACK_H

#include "lab/train/tile.h"

enum {
    STACK_PAIRS = MODEL_COLUMNS / 2, /* of a block */
    /* Where the numbers of one output bucket lie, after the weights of layer 1. */
    STACK_FIRST_BIAS = 0,
    STACK_SECOND = STACK_FIRST_BIAS + LAYER1_UNITS, /* [input][unit] */
    STACK_SECOND_BIAS = STACK_SECOND + LAYER2_INPUTS * LAYER2_UNITS,
    STACK_THIRD = STACK_SECOND_BIAS + LAYER2_UNITS,
    STACK_THIRD_BIAS = STACK_THIRD + LAYER2_UNITS,
    STACK_SIZE = STACK_THIRD_BIAS + MODEL_LANES /* the rest stays zero: all begin on a vector */
};

/* One block of a model, its rows and its gradient's. */
typedef struct StackBlock {
    int buckets;
    size_t bias_row, output_row;
    const float *rows;
    float *gradient; /* NULL when only values are wanted */
} StackBlock;

/* The weights of layer 1 of a block, transposed for the forward pass: [bucket][half][pair][unit]. */
typedef struct StackTurned {
    float weight[BUCKETS_MAX][2][STACK_PAIRS][LAYER1_UNITS];
} StackTurned;
void stack_turn(const StackBlock *block, StackTurned *turned);

/* The block's hidden sums, [2 * position + half][column], and its share of layer 1's sums, [position][unit].
 */
void stack_forward(const StackBlock *block, const StackTurned *turned, const Tile *tile, float *hidden,
                   float *shares);

/* Turns the hidden sums into the derivatives of the loss by them, from those by layer 1's sums, and adds to
 * the gradients of layer 1 and of the hidden biases. */
void stack_backward(const StackBlock *block, const Tile *tile, const float *errors, float *hidden);

/* What the forward pass of a position through the numbers after layer 1 keeps for the backward pass. */
typedef struct StackTrace {
    Lanes first;
    float active[LAYER2_INPUTS];
    Lanes second[LAYER2_UNITS / MODEL_LANES];
} StackTrace;

/* The output, from the sums of layer 1 without bias. `numbers` are those of its bucket. */
float stack_output(const float *numbers, Lanes sums, StackTrace *trace);

/* Adds to `gradient`, which has the layout of `numbers`, and writes the derivatives by the sums of layer 1.
 * `turned` has the weights of layer 2 transposed (stack_turn_second). */
void stack_output_backward(const float *numbers, const float *turned, const StackTrace *trace, float error,
                           float *gradient, float *errors);
void stack_turn_second(const float *numbers, float *turned);

#endif
