#include "nnue/evaluate.h"

#include "base/memory.h"
#include "nnue/kernels.h"
#include "nnue/network.h"

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

enum { VIEWS_MAX = 2 * KING_BUCKETS_MAX, SLOTS = EVALUATOR_DEPTH + 1 };

struct Evaluator {
    const Network *network;
    Network *own; /* the embedded one, when none was given */
    const NetworkWeights *weights;
    const Kernels *kernels;
    int ply;
    Slot slots[SLOTS];
    uint16_t slot_of_ply[SLOTS]; /* a null move's ply shares the slot of the ply before */
    int16_t *units;              /* [slot][perspective][width], then those of the cache */
    /* The view of a side with its king on this square: twice the king bucket, plus one if mirrored. */
    uint8_t view_of[COLOR_COUNT][SQUARE_COUNT];
    int views;
    Cached cache[COLOR_COUNT][VIEWS_MAX];
};

static int16_t *units_of(const Evaluator *evaluator, int slot, Color perspective) {
    return evaluator->units + (2 * slot + (int)perspective) * evaluator->weights->width;
}

static void tabulate_views(Evaluator *evaluator) {
    evaluator->views = 2 * evaluator->weights->king_buckets;
    for (Color perspective = WHITE; perspective <= BLACK; perspective++)
        for (Square king = A1; king < SQUARE_COUNT; king++) {
            const int bucket = evaluator->weights->king_bucket[input_king_place(perspective, king)];
            evaluator->view_of[perspective][king] = (uint8_t)(2 * bucket + input_mirrored(king));
        }
}

/* The cache begins with the empty board. */
static bool make_units(Evaluator *evaluator) {
    const size_t width = (size_t)evaluator->weights->width, pairs = SLOTS + (size_t)evaluator->views;
    evaluator->units =
        memory_allocate_aligned(pairs * 2 * width * sizeof *evaluator->units, KERNEL_ALIGNMENT);
    if (evaluator->units == NULL) return false;
    for (Color perspective = WHITE; perspective <= BLACK; perspective++)
        for (int view = 0; view < evaluator->views; view++) {
            int16_t *units = units_of(evaluator, SLOTS + view, perspective);
            memcpy(units, evaluator->weights->feature_bias, width * sizeof *units);
            evaluator->cache[perspective][view].units = units;
        }
    return true;
}

Evaluator *evaluator_create(const Network *network) {
    Evaluator *evaluator = memory_allocate(sizeof *evaluator);
    if (evaluator == NULL) return NULL;
    if (network == NULL) {
        Status status;
        network = evaluator->own = network_open_embedded(&status);
    }
    if (network != NULL) {
        evaluator->network = network;
        evaluator->weights = network_weights(network);
        evaluator->kernels = kernels_for_width(evaluator->weights->width);
        tabulate_views(evaluator);
        if (make_units(evaluator)) return evaluator;
    }
    evaluator_destroy(evaluator);
    return NULL;
}

void evaluator_destroy(Evaluator *evaluator) {
    if (evaluator == NULL) return;
    memory_release_aligned(evaluator->units);
    network_destroy(evaluator->own);
    memory_release(evaluator);
}

/* --- accumulators --- */

static void refresh(Evaluator *evaluator, const Position *pos, Color perspective, int slot) {
    const Square king = position_king(pos, perspective);
    Cached *cached = &evaluator->cache[perspective][evaluator->view_of[perspective][king]];
    Pieces pieces = features_pieces(pos);
    InputChanges changes;
    features_from_pieces(&cached->pieces, &pieces, perspective, input_flip(perspective, king), &changes);
    evaluator->kernels->refresh(network_feature(evaluator->weights, perspective, king), &changes,
                                cached->units, units_of(evaluator, slot, perspective));
    cached->pieces = pieces;
    evaluator->slots[slot].ready[perspective] = true;
}

void evaluator_reset(Evaluator *evaluator, const Position *pos) {
    evaluator->ply = 0;
    evaluator->slot_of_ply[0] = 0;
    refresh(evaluator, pos, WHITE, 0);
    refresh(evaluator, pos, BLACK, 0);
}

void evaluator_push(Evaluator *evaluator, const Changes *changes) {
    assert(evaluator->ply < EVALUATOR_DEPTH);
    uint16_t slot = evaluator->slot_of_ply[evaluator->ply++];
    if (changes->count != 0) {
        slot++;
        evaluator->slots[slot].changes = *changes;
        evaluator->slots[slot].ready[WHITE] = evaluator->slots[slot].ready[BLACK] = false;
    }
    evaluator->slot_of_ply[evaluator->ply] = slot;
}

void evaluator_pop(Evaluator *evaluator) {
    assert(evaluator->ply > 0);
    evaluator->ply--;
}

/* Goes back to the nearest slot that is up to date, and updates each slot after it: siblings use them again.
 * If a king has changed its view in between, only the current slot is computed, from the cache. */
static void bring_up_to_date(Evaluator *evaluator, const Position *pos, Color perspective, int slot) {
    int from = slot;
    while (!evaluator->slots[from].ready[perspective]) {
        if (features_view_changes(&evaluator->slots[from].changes, perspective,
                                  evaluator->view_of[perspective])) {
            refresh(evaluator, pos, perspective, slot);
            return;
        }
        from--;
    }
    const Square king = position_king(pos, perspective);
    const unsigned flip = input_flip(perspective, king);
    const int16_t *feature = network_feature(evaluator->weights, perspective, king);
    for (int next = from + 1; next <= slot; next++) {
        InputChanges changes;
        features_from_changes(&evaluator->slots[next].changes, perspective, flip, &changes);
        evaluator->kernels->update(feature, &changes, units_of(evaluator, next - 1, perspective),
                                   units_of(evaluator, next, perspective));
        evaluator->slots[next].ready[perspective] = true;
    }
}

const int16_t *evaluator_units(Evaluator *evaluator, const Position *pos, Color perspective) {
    const int slot = evaluator->slot_of_ply[evaluator->ply];
    if (!evaluator->slots[slot].ready[perspective]) bring_up_to_date(evaluator, pos, perspective, slot);
    return units_of(evaluator, slot, perspective);
}

void evaluator_prepare(Evaluator *evaluator, const Position *pos) {
    (void)evaluator_units(evaluator, pos, WHITE);
    (void)evaluator_units(evaluator, pos, BLACK);
}

static void compute_units(const Kernels *kernels, const NetworkWeights *weights, const Position *pos,
                          Color perspective, int16_t out[WIDTH_MAX]) {
    alignas(KERNEL_ALIGNMENT) int16_t sums[WIDTH_MAX];
    memcpy(sums, weights->feature_bias, (size_t)weights->width * sizeof *sums);
    Pieces none = {0}, pieces = features_pieces(pos);
    InputChanges changes;
    const Square king = position_king(pos, perspective);
    features_from_pieces(&none, &pieces, perspective, input_flip(perspective, king), &changes);
    kernels->refresh(network_feature(weights, perspective, king), &changes, sums, out);
}

void evaluator_compute_units(const Network *network, const Position *pos, Color perspective,
                             int16_t out[WIDTH_MAX]) {
    const NetworkWeights *weights = network_weights(network);
    compute_units(kernels_for_width(weights->width), weights, pos, perspective, out);
}

/* --- values --- */

#ifndef NDEBUG
/* Builds with asserts compare the incremental evaluation with a fresh one at every node. They do not choose
 * the kernels again: on a virtual machine CPUID takes longer than an evaluation. */
static bool is_exact(const Evaluator *evaluator, const Position *pos, Color perspective,
                     const int16_t *units) {
    alignas(KERNEL_ALIGNMENT) int16_t fresh[WIDTH_MAX];
    compute_units(evaluator->kernels, evaluator->weights, pos, perspective, fresh);
    return memcmp(fresh, units, (size_t)evaluator->weights->width * sizeof *units) == 0;
}
#endif

static int bucket_of(const Evaluator *evaluator, const Position *pos) {
    return output_bucket(bits_count(position_occupied(pos)), evaluator->weights->buckets);
}

static int value_of_bucket(Evaluator *evaluator, const Position *pos, int bucket) {
    const Color side = pos->side, enemy = color_other(side);
    const int16_t *own = evaluator_units(evaluator, pos, side);
    const int16_t *other = evaluator_units(evaluator, pos, enemy);
    assert(is_exact(evaluator, pos, side, own));
    assert(is_exact(evaluator, pos, enemy, other));
    const int32_t sum = kernels_output_sum(evaluator->kernels, evaluator->weights, bucket, own, other);
    return network_value(evaluator->network, bucket, sum);
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
    Inspection result = {.buckets = evaluator->weights->buckets, .used = bucket_of(evaluator, pos)};
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
