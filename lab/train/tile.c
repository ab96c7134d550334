#include "lab/train/tile.h"

#include <assert.h>
#include <string.h>

static_assert(TILE_ENTRIES_MAX <= UINT16_MAX, "starts fit 16 bits");

static void list_inputs(const TileOrder *order, const TrainingPosition *position, uint16_t own[PIECES_MAX],
                        uint16_t other[PIECES_MAX]) {
    const Square own_king = (Square)position->king[WHITE], other_king = (Square)position->king[BLACK];
    const unsigned own_flip = input_flip(WHITE, own_king), other_flip = input_flip(BLACK, other_king);
    const int own_table = order->king_bucket[input_king_place(WHITE, own_king)] * INPUT_COUNT;
    const int other_table = order->king_bucket[input_king_place(BLACK, other_king)] * INPUT_COUNT;
    int index = 0;
    for (Bitboard rest = position->occupied; rest; index++) {
        Square square = bitboard_pop(&rest);
        Piece piece = (Piece)(position->pieces[index / 2] >> 4 * (index & 1) & 15);
        own[index] = (uint16_t)(own_table + input_index(WHITE, own_flip, piece, square));
        other[index] = (uint16_t)(other_table + input_index(BLACK, other_flip, piece, square));
    }
}

/* Counting sort of all (input, half) pairs of the tile by input. */
static void sort_by_input(Tile *tile, int inputs) {
    uint16_t *start = tile->start;
    memset(start, 0, ((size_t)inputs + 1) * sizeof *start);
    for (int i = 0; i < tile->count; i++)
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < tile->pieces[i]; k++) start[tile->input[i][side][k]]++;
    unsigned sum = 0;
    for (int input = 0; input <= inputs; input++) {
        unsigned count = start[input];
        start[input] = (uint16_t)sum;
        sum += count;
    }
    for (int i = 0; i < tile->count; i++)
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < tile->pieces[i]; k++)
                tile->half[start[tile->input[i][side][k]]++] = (uint16_t)(2 * i + side);
    /* Filling moved every start to its end, which is the start of the next. */
    memmove(start + 1, start, (size_t)inputs * sizeof *start);
    start[0] = 0;
}

/* Decides which position comes where in the tile. */
static void place_positions(Tile *tile, const TileOrder *order, const TrainingPosition *const *positions,
                            int count) {
    if (!order->by_bucket) {
        for (int i = 0; i < count; i++) tile->place[i] = (uint16_t)i;
        return;
    }
    uint16_t next[BUCKETS_MAX + 1] = {0};
    for (int i = 0; i < count; i++) {
        if (i + 8 < count) __builtin_prefetch(positions[i + 8]);
        next[output_bucket(positions[i]->count, order->buckets) + 1]++;
    }
    for (int bucket = 0; bucket < order->buckets; bucket++)
        next[bucket + 1] = (uint16_t)(next[bucket + 1] + next[bucket]);
    memcpy(tile->bucket_start, next, sizeof next);
    for (int i = 0; i < count; i++)
        tile->place[next[output_bucket(positions[i]->count, order->buckets)]++] = (uint16_t)i;
}

void tile_prepare(Tile *tile, const TileOrder *order, const TrainingPosition *const *positions, int count) {
    tile->count = count;
    place_positions(tile, order, positions, count);
    for (int i = 0; i < count; i++) {
        if (i + 8 < count) __builtin_prefetch(positions[tile->place[i + 8]]);
        const TrainingPosition *position = positions[tile->place[i]];
        tile->pieces[i] = position->count;
        tile->bucket[i] = (uint8_t)output_bucket(position->count, order->buckets);
        list_inputs(order, position, tile->input[i][0], tile->input[i][1]);
    }
    if (order->by_input) sort_by_input(tile, order->king_buckets * INPUT_COUNT);
}
