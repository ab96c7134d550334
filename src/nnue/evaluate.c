#include "nnue/evaluate.h"

#include "base/memory.h"
#include "nnue/accumulator.h"
#include "nnue/kernels.h"
#include "nnue/network.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

struct Evaluator {
    const Network *network;
    Network *own; /* the embedded one, when none was given */
    const Kernels *kernels;
    AccumulatorStack *accumulators;
};

Evaluator *evaluator_create(const Network *network) {
    Evaluator *evaluator = memory_allocate(sizeof *evaluator);
    if (evaluator == NULL) return NULL;
    if (network == NULL) {
        Status status;
        network = evaluator->own = network_open_embedded(&status);
    }
    if (network != NULL) {
        evaluator->network = network;
        evaluator->kernels = kernels_for_width(network_weights(network)->width);
        evaluator->accumulators = accumulator_create(network, EVALUATOR_DEPTH);
    }
    if (evaluator->accumulators == NULL) {
        evaluator_destroy(evaluator);
        return NULL;
    }
    return evaluator;
}

void evaluator_destroy(Evaluator *evaluator) {
    if (evaluator == NULL) return;
    accumulator_destroy(evaluator->accumulators);
    network_destroy(evaluator->own);
    memory_release(evaluator);
}

void evaluator_reset(Evaluator *evaluator, const Position *pos) {
    accumulator_reset(evaluator->accumulators, pos);
}

void evaluator_push(Evaluator *evaluator, const Changes *changes) {
    accumulator_push(evaluator->accumulators, changes);
}

void evaluator_pop(Evaluator *evaluator) { accumulator_pop(evaluator->accumulators); }

#ifndef NDEBUG
/* Builds with asserts compare the incremental evaluation with a fresh one at every node. */
static bool is_exact(const Network *network, const Position *pos, Color perspective, const int16_t *units) {
    alignas(KERNEL_ALIGNMENT) int16_t fresh[WIDTH_MAX];
    accumulator_compute(network, pos, perspective, fresh);
    return memcmp(fresh, units, (size_t)network_weights(network)->width * sizeof *units) == 0;
}
#endif

static int bucket_of(const Evaluator *evaluator, const Position *pos) {
    const NetworkWeights *weights = network_weights(evaluator->network);
    return output_bucket(bits_count(position_occupied(pos)), weights->buckets);
}

static int value_of_bucket(Evaluator *evaluator, const Position *pos, int bucket) {
    const Color side = pos->side, enemy = color_other(side);
    const int16_t *own = accumulator_get(evaluator->accumulators, pos, side);
    const int16_t *other = accumulator_get(evaluator->accumulators, pos, enemy);
    assert(is_exact(evaluator->network, pos, side, own));
    assert(is_exact(evaluator->network, pos, enemy, other));
    const NetworkWeights *weights = network_weights(evaluator->network);
    const int32_t sum = kernels_output_sum(evaluator->kernels, weights, bucket, own, other);
    return network_value(evaluator->network, bucket, sum);
}

void evaluator_prepare(Evaluator *evaluator, const Position *pos) {
    (void)accumulator_get(evaluator->accumulators, pos, WHITE);
    (void)accumulator_get(evaluator->accumulators, pos, BLACK);
}

int evaluator_value(Evaluator *evaluator, const Position *pos) {
    return value_of_bucket(evaluator, pos, bucket_of(evaluator, pos));
}

/* --- for people --- */

static int value_without(Evaluator *evaluator, const Position *pos, Square square) {
    Position rest = *pos;
    const Piece piece = position_piece_on(pos, square);
    rest.by_type[piece_type(piece)] ^= square_bit(square);
    rest.by_color[piece_color(piece)] ^= square_bit(square);
    rest.board[square] = NO_PIECE;
    evaluator_reset(evaluator, &rest);
    return evaluator_value(evaluator, &rest);
}

Inspection evaluator_inspect(Evaluator *evaluator, const Position *pos) {
    Inspection result = {.buckets = network_weights(evaluator->network)->buckets,
                         .used = bucket_of(evaluator, pos)};
    evaluator_reset(evaluator, pos);
    for (int bucket = 0; bucket < result.buckets; bucket++)
        result.bucket_values[bucket] = value_of_bucket(evaluator, pos, bucket);
    result.value = result.bucket_values[result.used];
    for (Bitboard left = position_occupied(pos) & ~pos->by_type[KING]; left != 0;) {
        const Square square = bitboard_pop(&left);
        result.has_worth[square] = true;
        result.worth[square] = result.value - value_without(evaluator, pos, square);
    }
    evaluator_reset(evaluator, pos);
    return result;
}
