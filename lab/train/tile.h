/* The inputs of some hundred positions, in the layout of the trainer's loops. Any thread may call; one thread
 * writes a tile. */
#ifndef LUFT_TRAIN_TILE_H
#define LUFT_TRAIN_TILE_H

#include "base/bits.h"
#include "lab/train/loader.h"
#include "nnue/arch.h"

#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_LANES = 16,  /* floats in the vectors used: one AVX-512 register, or as many smaller ones */
    MODEL_VECTORS = 4, /* of a block of columns: with layers, 4 train 2 to 5 % faster than 2 on one thread */
    MODEL_COLUMNS = MODEL_VECTORS * MODEL_LANES,
    MODEL_TILE = 512, /* positions worked on together */
    TILE_ENTRIES_MAX = MODEL_TILE * 2 * PIECES_MAX
};

typedef float Lanes __attribute__((vector_size(4 * MODEL_LANES)));
typedef int32_t LaneMask __attribute__((vector_size(4 * MODEL_LANES)));

/* The inputs sorted twice: by position for the forward pass; by input for the gradient, so that each row of
 * it is summed up in registers and written once. */
typedef struct Tile {
    int count;
    uint16_t place[MODEL_TILE];             /* of each position among those given */
    uint16_t bucket_start[BUCKETS_MAX + 1]; /* when sorted by bucket */
    uint8_t pieces[MODEL_TILE], bucket[MODEL_TILE];
    uint16_t input[MODEL_TILE][2][PIECES_MAX];
    uint16_t start[KING_BUCKETS_MAX * INPUT_COUNT + 1];
    uint16_t half[TILE_ENTRIES_MAX]; /* 2 * position + perspective, sorted by input */
    float error[MODEL_TILE];         /* derivative of the loss by the output */
    double loss;
} Tile;

typedef struct TileOrder {
    int buckets, king_buckets;
    const uint8_t *king_bucket; /* of each place, see arch.h */
    bool by_bucket;             /* positions of one output bucket lie together */
    bool by_input;              /* the second way round is needed */
} TileOrder;

/* At most MODEL_TILE positions. */
void tile_prepare(Tile *tile, const TileOrder *order, const TrainingPosition *const *positions, int count);

/* Clamps each lane to 0..1; `inside` gets all bits of the lanes between. */
ALWAYS_INLINE Lanes lanes_clamp(Lanes x, LaneMask *inside) {
    const LaneMask above = x > 0.0f, below = x < 1.0f;
    const Lanes one = (Lanes){0} + 1.0f;
    *inside = above & below;
    return (Lanes)(((LaneMask)x & *inside) | ((LaneMask)one & ~below));
}

ALWAYS_INLINE Lanes lanes_keep(Lanes x, LaneMask mask) { return (Lanes)((LaneMask)x & mask); }

ALWAYS_INLINE float lanes_total(Lanes x) {
    float total = 0;
    for (int lane = 0; lane < MODEL_LANES; lane++) total += x[lane];
    return total;
}

/* The hidden sums of one half: biases and the rows of its inputs. */
ALWAYS_INLINE void tile_sum_inputs(const Lanes *rows, const Lanes *biases, const uint16_t *inputs, int count,
                                   Lanes sum[MODEL_VECTORS]) {
    for (int v = 0; v < MODEL_VECTORS; v++) sum[v] = biases[v];
    for (int k = 0; k < count; k++) {
        const Lanes *row = rows + inputs[k] * (size_t)MODEL_VECTORS;
        for (int v = 0; v < MODEL_VECTORS; v++) sum[v] += row[v];
    }
}

#endif
