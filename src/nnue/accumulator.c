#include "nnue/accumulator.h"

#include "base/memory.h"
#include "nnue/kernels.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

/* One pair of accumulators. Slot 0 is the root's; each other one knows the move that leads to it. */
typedef struct Slot {
    Changes changes;
    bool ready[COLOR_COUNT];
} Slot;

/* The last refreshed accumulator of a perspective and a view. */
typedef struct Cached {
    Pieces pieces;
    int16_t *units;
} Cached;

enum { VIEWS_MAX = 2 * KING_BUCKETS_MAX };

struct AccumulatorStack {
    const NetworkWeights *weights;
    const Kernels *kernels;
    int depth, ply;
    Slot *slots;
    uint16_t *slot_of_ply; /* a null move's ply shares the slot of the ply before */
    int16_t *units;        /* [slot][perspective][width], then those of the cache */
    /* The view of a side with its king on this square: twice the king bucket, plus one if mirrored. */
    uint8_t view_of[COLOR_COUNT][SQUARE_COUNT];
    int views;
    Cached cache[COLOR_COUNT][VIEWS_MAX];
};

static int16_t *units_of(const AccumulatorStack *stack, int slot, Color perspective) {
    return stack->units + (2 * slot + (int)perspective) * stack->weights->width;
}

static void tabulate_views(AccumulatorStack *stack) {
    stack->views = 2 * stack->weights->king_buckets;
    for (Color perspective = WHITE; perspective <= BLACK; perspective++)
        for (Square king = A1; king < SQUARE_COUNT; king++) {
            const int bucket = stack->weights->king_bucket[input_king_place(perspective, king)];
            stack->view_of[perspective][king] = (uint8_t)(2 * bucket + input_mirrored(king));
        }
}

AccumulatorStack *accumulator_create(const Network *network, int depth) {
    AccumulatorStack *stack = memory_allocate(sizeof *stack);
    if (stack == NULL) return NULL;
    stack->weights = network_weights(network);
    stack->kernels = kernels_for_width(stack->weights->width);
    stack->depth = depth;
    tabulate_views(stack);
    const size_t slots = (size_t)depth + 1, width = (size_t)stack->weights->width;
    stack->slots = memory_allocate(slots * sizeof *stack->slots);
    stack->slot_of_ply = memory_allocate(slots * sizeof *stack->slot_of_ply);
    stack->units = memory_allocate_aligned((slots + (size_t)stack->views) * 2 * width * sizeof *stack->units,
                                           KERNEL_ALIGNMENT);
    if (stack->slots == NULL || stack->slot_of_ply == NULL || stack->units == NULL) {
        accumulator_destroy(stack);
        return NULL;
    }
    for (Color perspective = WHITE; perspective <= BLACK; perspective++)
        for (int view = 0; view < stack->views; view++)
            stack->cache[perspective][view].units = units_of(stack, depth + 1 + view, perspective);
    accumulator_forget(stack);
    return stack;
}

void accumulator_destroy(AccumulatorStack *stack) {
    if (stack == NULL) return;
    memory_release_aligned(stack->units);
    memory_release(stack->slot_of_ply);
    memory_release(stack->slots);
    memory_release(stack);
}

void accumulator_forget(AccumulatorStack *stack) {
    for (int i = 0; i < 2 * stack->views; i++) {
        Cached *cached = &stack->cache[i % 2][i / 2];
        cached->pieces = (Pieces){0};
        memcpy(cached->units, stack->weights->feature_bias,
               (size_t)stack->weights->width * sizeof *cached->units);
    }
}

static void refresh(AccumulatorStack *stack, const Position *pos, Color perspective, int slot) {
    const Square king = position_king(pos, perspective);
    Cached *cached = &stack->cache[perspective][stack->view_of[perspective][king]];
    Pieces pieces = features_pieces(pos);
    InputChanges changes;
    features_from_pieces(&cached->pieces, &pieces, perspective, input_flip(perspective, king), &changes);
    stack->kernels->refresh(network_feature(stack->weights, perspective, king), &changes, cached->units,
                            units_of(stack, slot, perspective));
    cached->pieces = pieces;
    stack->slots[slot].ready[perspective] = true;
}

void accumulator_reset(AccumulatorStack *stack, const Position *pos) {
    stack->ply = 0;
    stack->slot_of_ply[0] = 0;
    refresh(stack, pos, WHITE, 0);
    refresh(stack, pos, BLACK, 0);
}

void accumulator_push(AccumulatorStack *stack, const Changes *changes) {
    assert(stack->ply < stack->depth);
    uint16_t slot = stack->slot_of_ply[stack->ply++];
    if (changes->count != 0) {
        slot++;
        stack->slots[slot].changes = *changes;
        stack->slots[slot].ready[WHITE] = stack->slots[slot].ready[BLACK] = false;
    }
    stack->slot_of_ply[stack->ply] = slot;
}

void accumulator_pop(AccumulatorStack *stack) {
    assert(stack->ply > 0);
    stack->ply--;
}

/* Goes back to the nearest slot that is up to date, and updates each slot after it: siblings use them again.
 * If a king has changed its view in between, only the current slot is computed, from the cache. */
static void bring_up_to_date(AccumulatorStack *stack, const Position *pos, Color perspective, int slot) {
    int from = slot;
    while (!stack->slots[from].ready[perspective]) {
        if (features_view_changes(&stack->slots[from].changes, perspective, stack->view_of[perspective])) {
            refresh(stack, pos, perspective, slot);
            return;
        }
        from--;
    }
    const Square king = position_king(pos, perspective);
    const unsigned flip = input_flip(perspective, king);
    const int16_t *feature = network_feature(stack->weights, perspective, king);
    for (int next = from + 1; next <= slot; next++) {
        InputChanges changes;
        features_from_changes(&stack->slots[next].changes, perspective, flip, &changes);
        stack->kernels->update(feature, &changes, units_of(stack, next - 1, perspective),
                               units_of(stack, next, perspective));
        stack->slots[next].ready[perspective] = true;
    }
}

const int16_t *accumulator_get(AccumulatorStack *stack, const Position *pos, Color perspective) {
    const int slot = stack->slot_of_ply[stack->ply];
    if (!stack->slots[slot].ready[perspective]) bring_up_to_date(stack, pos, perspective, slot);
    return units_of(stack, slot, perspective);
}

void accumulator_compute(const Network *network, const Position *pos, Color perspective,
                         int16_t out[WIDTH_MAX]) {
    const NetworkWeights *weights = network_weights(network);
    alignas(KERNEL_ALIGNMENT) int16_t sums[WIDTH_MAX];
    memcpy(sums, weights->feature_bias, (size_t)weights->width * sizeof *sums);
    Pieces none = {0}, pieces = features_pieces(pos);
    InputChanges changes;
    const Square king = position_king(pos, perspective);
    features_from_pieces(&none, &pieces, perspective, input_flip(perspective, king), &changes);
    kernels_for_width(weights->width)
        ->refresh(network_feature(weights, perspective, king), &changes, sums, out);
}
