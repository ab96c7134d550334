#include "lab/train/model.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lab/train/openmp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef float Lanes __attribute__((vector_size(4 * MODEL_LANES)));
typedef int32_t LaneMask __attribute__((vector_size(4 * MODEL_LANES)));

enum { ENTRIES_MAX = MODEL_TILE * 2 * MEN_MAX };

/* The inputs of a tile, both ways round: by position for the forward pass; by input for the gradient, so that
 * each row of it is summed up in registers and touched once. */
typedef struct Tile {
    int count;
    uint8_t men[MODEL_TILE], bucket[MODEL_TILE];
    uint16_t input[MODEL_TILE][2][MEN_MAX];
    uint16_t start[INPUT_COUNT + 1];
    uint16_t half[ENTRIES_MAX]; /* 2 * position + perspective, sorted by input; at most 2 * MODEL_TILE */
    float error[MODEL_TILE];    /* derivative of the loss by the output */
    double loss;
} Tile;

struct ModelWorkspace {
    ModelShape shape;
    size_t tile_capacity;
    Tile *tiles;
    float *hidden;  /* [block][tile][2 * position + perspective][column]: sums, then their derivatives */
    float *partial; /* [block][tile][position]: a block's share of the output */
};

static_assert(ENTRIES_MAX <= UINT16_MAX, "starts fit 16 bits");

ModelShape model_shape(int width, int buckets, int threads) {
    int columns = MODEL_COLUMNS_MAX;
    while (columns > MODEL_LANES && columns * threads > width) columns /= 2;
    ModelShape shape = {.width = width, .buckets = buckets, .columns = columns};
    shape.blocks = (width + columns - 1) / columns;
    shape.rows = MODEL_OUTPUT_ROW + 2 * (size_t)buckets;
    shape.count = (size_t)shape.blocks * shape.rows * (size_t)columns + (size_t)buckets;
    return shape;
}

static float uniform(Rng *rng, float bound) { return (float)(2 * rng_unit(rng) - 1) * bound; }

void model_initialise(const ModelShape *shape, float *parameters, uint64_t seed) {
    Rng rng = rng_seed(seed);
    memset(parameters, 0, shape->count * sizeof *parameters);
    /* Sums of some 20 to 30 active inputs should spread over the part of SCReLU that is not flat. */
    const float input_bound = 0.12f, output_bound = 1.5f / sqrtf((float)(2 * shape->width));
    for (size_t row = 0; row < shape->rows; row++) {
        if (row == MODEL_BIAS_ROW) continue;
        float bound = row < INPUT_COUNT ? input_bound : output_bound;
        for (int unit = 0; unit < shape->width; unit++)
            parameters[model_unit(shape, unit, row)] = uniform(&rng, bound);
    }
    for (int unit = 0; unit < shape->width; unit++)
        parameters[model_unit(shape, unit, MODEL_BIAS_ROW)] = 0.1f;
}

ModelWorkspace *model_workspace_create(const ModelShape *shape, size_t capacity) {
    ModelWorkspace *workspace = memory_allocate(sizeof *workspace);
    if (!workspace) return NULL;
    size_t tiles = (capacity + MODEL_TILE - 1) / MODEL_TILE, positions = tiles * MODEL_TILE;
    size_t padded = (size_t)shape->blocks * (size_t)shape->columns;
    workspace->shape = *shape;
    workspace->tile_capacity = tiles;
    workspace->tiles = memory_allocate_aligned(tiles * sizeof *workspace->tiles, 64);
    workspace->hidden = memory_allocate_aligned(positions * 2 * padded * sizeof(float), 64);
    workspace->partial = memory_allocate_aligned(positions * (size_t)shape->blocks * sizeof(float), 64);
    if (!workspace->tiles || !workspace->hidden || !workspace->partial) {
        model_workspace_destroy(workspace);
        return NULL;
    }
    return workspace;
}

void model_workspace_destroy(ModelWorkspace *workspace) {
    if (!workspace) return;
    memory_release_aligned(workspace->tiles);
    memory_release_aligned(workspace->hidden);
    memory_release_aligned(workspace->partial);
    memory_release(workspace);
}

/* --- preparing
 * ---------------------------------------------------------------------------------------------- */

static void list_inputs(const TrainingPosition *position, uint16_t own[MEN_MAX], uint16_t other[MEN_MAX]) {
    unsigned own_flip = input_flip(WHITE, (Square)position->king[WHITE]);
    unsigned other_flip = input_flip(BLACK, (Square)position->king[BLACK]);
    int index = 0;
    for (Bitboard rest = position->occupied; rest; index++) {
        Square square = bitboard_pop(&rest);
        Piece piece = (Piece)(position->men[index / 2] >> 4 * (index & 1) & 15);
        own[index] = (uint16_t)input_index(WHITE, own_flip, piece, square);
        other[index] = (uint16_t)input_index(BLACK, other_flip, piece, square);
    }
}

/* Counting sort of all (input, half) pairs of the tile by input. */
static void sort_by_input(Tile *tile) {
    uint16_t *start = tile->start;
    memset(start, 0, sizeof tile->start);
    for (int i = 0; i < tile->count; i++)
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < tile->men[i]; k++) start[tile->input[i][side][k]]++;
    unsigned sum = 0;
    for (int input = 0; input <= INPUT_COUNT; input++) {
        unsigned count = start[input];
        start[input] = (uint16_t)sum;
        sum += count;
    }
    for (int i = 0; i < tile->count; i++)
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < tile->men[i]; k++)
                tile->half[start[tile->input[i][side][k]]++] = (uint16_t)(2 * i + side);
    /* Filling moved every start to its end, which is the start of the next. */
    memmove(start + 1, start, INPUT_COUNT * sizeof *start);
    start[0] = 0;
}

static void prepare_tile(Tile *tile, const TrainingPosition *const *positions, int count, int buckets,
                         bool gradient) {
    tile->count = count;
    for (int i = 0; i < count; i++) {
        if (i + 8 < count) __builtin_prefetch(positions[i + 8]);
        const TrainingPosition *position = positions[i];
        tile->men[i] = position->count;
        tile->bucket[i] = (uint8_t)output_bucket(position->count, buckets);
        list_inputs(position, tile->input[i][0], tile->input[i][1]);
    }
    if (gradient) sort_by_input(tile);
}

/* --- one tile, one block: bodies for any number of vectors in a row, instantiated below
 * ---------------------- */

ALWAYS_INLINE void forward_body(const Tile *tile, const float *block, float *hidden, float *partial,
                                int lanes) {
    const Lanes *rows = (const Lanes *)block;
    Lanes *out = (Lanes *)hidden;
    for (int i = 0; i < tile->count; i++) {
        const Lanes *weights = rows + (size_t)(MODEL_OUTPUT_ROW + 2 * tile->bucket[i]) * (size_t)lanes;
        Lanes dot = {0};
        for (int side = 0; side < 2; side++, out += lanes, weights += lanes) {
            Lanes sum[4];
            for (int v = 0; v < lanes; v++) sum[v] = rows[MODEL_BIAS_ROW * lanes + v];
            for (int k = 0; k < tile->men[i]; k++) {
                const Lanes *row = rows + tile->input[i][side][k] * (size_t)lanes;
                for (int v = 0; v < lanes; v++) sum[v] += row[v];
            }
            for (int v = 0; v < lanes; v++) {
                out[v] = sum[v];
                LaneMask above = sum[v] > 0.0f, below = sum[v] < 1.0f;
                Lanes one = (Lanes){0} + 1.0f;
                Lanes clamped = (Lanes)(((LaneMask)sum[v] & above & below) | ((LaneMask)one & ~below));
                dot += clamped * clamped * weights[v];
            }
        }
        float total = 0;
        for (int lane = 0; lane < MODEL_LANES; lane++) total += dot[lane];
        partial[i] = total;
    }
}

/* Turns the hidden sums into the derivatives of the loss by them; adds to the gradients of output weights and
 * biases. */
ALWAYS_INLINE void backward_body(const Tile *tile, const float *block, float *hidden, float *gradient,
                                 int lanes) {
    const Lanes *rows = (const Lanes *)block;
    Lanes *out = (Lanes *)hidden, *gradients = (Lanes *)gradient;
    Lanes bias[4];
    for (int v = 0; v < lanes; v++) bias[v] = gradients[MODEL_BIAS_ROW * lanes + v];
    for (int i = 0; i < tile->count; i++) {
        size_t row = (size_t)(MODEL_OUTPUT_ROW + 2 * tile->bucket[i]) * (size_t)lanes;
        for (int side = 0; side < 2; side++, out += lanes, row += (size_t)lanes) {
            for (int v = 0; v < lanes; v++) {
                LaneMask above = out[v] > 0.0f, below = out[v] < 1.0f;
                Lanes one = (Lanes){0} + 1.0f;
                Lanes inside = (Lanes)((LaneMask)out[v] & above & below);
                Lanes clamped = (Lanes)((LaneMask)inside | ((LaneMask)one & ~below));
                Lanes derivative = inside * rows[row + (size_t)v] * (2.0f * tile->error[i]);
                gradients[row + (size_t)v] += clamped * clamped * tile->error[i];
                bias[v] += derivative;
                out[v] = derivative;
            }
        }
    }
    for (int v = 0; v < lanes; v++) gradients[MODEL_BIAS_ROW * lanes + v] = bias[v];
}

/* Each input's gradient: the sum of the derivatives of all halves in which it was active. */
ALWAYS_INLINE void collect_body(const Tile *tile, const float *hidden, float *gradient, int lanes) {
    const Lanes *derivatives = (const Lanes *)hidden;
    Lanes *gradients = (Lanes *)gradient;
    for (int input = 0; input < INPUT_COUNT; input++, gradients += lanes) {
        int begin = tile->start[input], end = tile->start[input + 1];
        if (begin == end) continue;
        Lanes sum[4];
        for (int v = 0; v < lanes; v++) sum[v] = gradients[v];
        for (int k = begin; k < end; k++) {
            const Lanes *row = derivatives + tile->half[k] * (size_t)lanes;
            for (int v = 0; v < lanes; v++) sum[v] += row[v];
        }
        for (int v = 0; v < lanes; v++) gradients[v] = sum[v];
    }
}

static void forward(const Tile *tile, const float *block, float *hidden, float *partial, int columns) {
    switch (columns / MODEL_LANES) {
    case 1: forward_body(tile, block, hidden, partial, 1); break;
    case 2: forward_body(tile, block, hidden, partial, 2); break;
    default: forward_body(tile, block, hidden, partial, 4); break;
    }
}

static void backward(const Tile *tile, const float *block, float *hidden, float *gradient, int columns) {
    switch (columns / MODEL_LANES) {
    case 1:
        backward_body(tile, block, hidden, gradient, 1);
        collect_body(tile, hidden, gradient, 1);
        break;
    case 2:
        backward_body(tile, block, hidden, gradient, 2);
        collect_body(tile, hidden, gradient, 2);
        break;
    default:
        backward_body(tile, block, hidden, gradient, 4);
        collect_body(tile, hidden, gradient, 4);
        break;
    }
}

/* --- whole batches
 * ------------------------------------------------------------------------------------------ */

static int tiles_for(size_t count) { return (int)((count + MODEL_TILE - 1) / MODEL_TILE); }

static float *hidden_of(const ModelWorkspace *workspace, int block, int tile) {
    size_t index = (size_t)block * workspace->tile_capacity + (size_t)tile;
    return workspace->hidden + index * MODEL_TILE * 2 * (size_t)workspace->shape.columns;
}

static float *partial_of(const ModelWorkspace *workspace, int block, int tile) {
    return workspace->partial + ((size_t)block * workspace->tile_capacity + (size_t)tile) * MODEL_TILE;
}

static void run_forward(ModelWorkspace *workspace, const float *parameters,
                        const TrainingPosition *const *positions, size_t count, bool gradient) {
    const ModelShape *shape = &workspace->shape;
    int tiles = tiles_for(count);
    assert((size_t)tiles <= workspace->tile_capacity);
    OPENMP_FOR
    for (int t = 0; t < tiles; t++) {
        size_t first = (size_t)t * MODEL_TILE, left = count - first;
        prepare_tile(&workspace->tiles[t], positions + first, left < MODEL_TILE ? (int)left : MODEL_TILE,
                     shape->buckets, gradient);
    }
    OPENMP_FOR
    for (int b = 0; b < shape->blocks; b++) {
        const float *block = parameters + model_row(shape, b, 0);
        for (int t = 0; t < tiles; t++)
            forward(&workspace->tiles[t], block, hidden_of(workspace, b, t), partial_of(workspace, b, t),
                    shape->columns);
    }
}

static float output_of(const ModelWorkspace *workspace, const float *parameters, int t, int i) {
    const ModelShape *shape = &workspace->shape;
    float output = parameters[model_output_bias(shape, workspace->tiles[t].bucket[i])];
    for (int b = 0; b < shape->blocks; b++) output += partial_of(workspace, b, t)[i];
    return output;
}

void model_evaluate(ModelWorkspace *workspace, const float *parameters,
                    const TrainingPosition *const *positions, size_t count, float *outputs) {
    run_forward(workspace, parameters, positions, count, false);
    for (int t = 0; t < tiles_for(count); t++)
        for (int i = 0; i < workspace->tiles[t].count; i++)
            outputs[(size_t)t * MODEL_TILE + (size_t)i] = output_of(workspace, parameters, t, i);
}

static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

/* What the loss wants the network to say: share * result + (1 - share) * sigmoid(score / scale). */
static float wanted(const TrainingPosition *position, ModelTarget target) {
    float score = sigmoid((float)position->score / target.scale);
    return target.share * ((float)position->result * 0.5f) + (1.0f - target.share) * score;
}

/* Losses of a tile, and their derivatives by the outputs. */
static void judge_tile(ModelWorkspace *workspace, const float *parameters,
                       const TrainingPosition *const *positions, int t, ModelTarget target, float divisor) {
    Tile *tile = &workspace->tiles[t];
    const float steepness = VALUE_ONE / target.scale;
    tile->loss = 0;
    for (int i = 0; i < tile->count; i++) {
        float said = sigmoid(steepness * output_of(workspace, parameters, t, i));
        float error = said - wanted(positions[(size_t)t * MODEL_TILE + (size_t)i], target);
        tile->loss += (double)error * (double)error;
        tile->error[i] = 2.0f * steepness * error * said * (1.0f - said) / divisor;
    }
}

static double judge(ModelWorkspace *workspace, const float *parameters,
                    const TrainingPosition *const *positions, size_t count, ModelTarget target,
                    float divisor) {
    int tiles = tiles_for(count);
    OPENMP_FOR
    for (int t = 0; t < tiles; t++) judge_tile(workspace, parameters, positions, t, target, divisor);
    double loss = 0;
    for (int t = 0; t < tiles; t++) loss += workspace->tiles[t].loss;
    return loss;
}

double model_loss(ModelWorkspace *workspace, const float *parameters,
                  const TrainingPosition *const *positions, size_t count, ModelTarget target) {
    run_forward(workspace, parameters, positions, count, false);
    return judge(workspace, parameters, positions, count, target, 1.0f);
}

double model_add_gradient(ModelWorkspace *workspace, const float *parameters,
                          const TrainingPosition *const *positions, size_t count, ModelTarget target,
                          float divisor, float *gradient) {
    const ModelShape *shape = &workspace->shape;
    int tiles = tiles_for(count);
    run_forward(workspace, parameters, positions, count, true);
    double loss = judge(workspace, parameters, positions, count, target, divisor);
    OPENMP_FOR
    for (int b = 0; b < shape->blocks; b++) {
        size_t begin = model_row(shape, b, 0);
        for (int t = 0; t < tiles; t++)
            backward(&workspace->tiles[t], parameters + begin, hidden_of(workspace, b, t), gradient + begin,
                     shape->columns);
    }
    for (int t = 0; t < tiles; t++) {
        const Tile *tile = &workspace->tiles[t];
        for (int i = 0; i < tile->count; i++)
            gradient[model_output_bias(shape, tile->bucket[i])] += tile->error[i];
    }
    return loss;
}
