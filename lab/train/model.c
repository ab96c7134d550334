#include "lab/train/model.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lab/train/openmp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef float Lanes __attribute__((vector_size(4 * MODEL_LANES)));
typedef int32_t LaneMask __attribute__((vector_size(4 * MODEL_LANES)));

enum { ENTRIES_MAX = MODEL_TILE * 2 * PIECES_MAX };

/* The inputs of a tile, both ways round: by position for the forward pass; by input for the gradient, so that
 * each row of it is summed up in registers and touched once. */
typedef struct Tile {
    int count;
    uint8_t pieces[MODEL_TILE], bucket[MODEL_TILE];
    uint16_t input[MODEL_TILE][2][PIECES_MAX];
    uint16_t start[KING_BUCKETS_MAX * INPUT_COUNT + 1];
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

/* From a1 to d1, then a2 to d2 ... */
static const uint8_t FOUR_BUCKETS[KING_PLACES] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
                                                  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
static const uint8_t EIGHT_BUCKETS[KING_PLACES] = {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7,
                                                   7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
static const uint8_t ONE_BUCKET[KING_PLACES] = {0};

ModelShape model_shape(int width, int buckets, int king_buckets, int threads) {
    int columns = MODEL_COLUMNS_MAX;
    while (columns > MODEL_LANES && columns * threads > width) columns /= 2;
    ModelShape shape = {.width = width, .buckets = buckets, .king_buckets = king_buckets, .columns = columns};
    assert(model_knows_king_buckets(king_buckets));
    shape.king_bucket = king_buckets == 1 ? ONE_BUCKET : king_buckets == 4 ? FOUR_BUCKETS : EIGHT_BUCKETS;
    shape.blocks = (width + columns - 1) / columns;
    shape.inputs = (size_t)king_buckets * INPUT_COUNT;
    shape.bias_row = shape.inputs;
    shape.output_row = shape.bias_row + 1;
    shape.factor_row = shape.output_row + 2 * (size_t)buckets;
    shape.rows = shape.factor_row + (king_buckets > 1 ? INPUT_COUNT : 0);
    shape.count = (size_t)shape.blocks * shape.rows * (size_t)columns + (size_t)buckets;
    return shape;
}

static float uniform(Rng *rng, float bound) { return (float)(2 * rng_unit(rng) - 1) * bound; }

void model_initialise(const ModelShape *shape, float *parameters, uint64_t seed) {
    Rng rng = rng_seed(seed);
    memset(parameters, 0, shape->count * sizeof *parameters);
    /* Sums of some 20 to 30 active inputs should spread over the part of SCReLU that is not flat. */
    const float input_bound = 0.12f, output_bound = 1.5f / sqrtf((float)(2 * shape->width));
    const size_t common = shape->king_buckets > 1 ? shape->factor_row : 0;
    for (size_t row = 0; row < shape->rows; row++) {
        const bool input = row >= common && row < common + INPUT_COUNT;
        const bool output = row >= shape->output_row && row < shape->factor_row;
        if (!input && !output) continue;
        float bound = input ? input_bound : output_bound;
        for (int unit = 0; unit < shape->width; unit++)
            parameters[model_unit(shape, unit, row)] = uniform(&rng, bound);
    }
    for (int unit = 0; unit < shape->width; unit++)
        parameters[model_unit(shape, unit, shape->bias_row)] = 0.1f;
    model_join(shape, parameters);
}

/* The rows of one bucket of one block, as one array of floats. */
static size_t bucket_size(const ModelShape *shape) { return (size_t)INPUT_COUNT * (size_t)shape->columns; }

void model_split(const ModelShape *shape, float *parameters, float *gradient) {
    if (shape->king_buckets == 1) return;
    const size_t size = bucket_size(shape);
    OPENMP_FOR
    for (int block = 0; block < shape->blocks; block++) {
        const size_t common = model_row(shape, block, shape->factor_row);
        for (int bucket = 0; bucket < shape->king_buckets; bucket++) {
            const size_t begin = model_row(shape, block, (size_t)bucket * INPUT_COUNT);
            for (size_t i = 0; i < size; i++) {
                parameters[begin + i] -= parameters[common + i];
                gradient[common + i] += gradient[begin + i];
            }
        }
    }
}

void model_join(const ModelShape *shape, float *parameters) {
    if (shape->king_buckets == 1) return;
    const size_t size = bucket_size(shape);
    OPENMP_FOR
    for (int block = 0; block < shape->blocks; block++) {
        const float *common = parameters + model_row(shape, block, shape->factor_row);
        for (int bucket = 0; bucket < shape->king_buckets; bucket++) {
            float *weights = parameters + model_row(shape, block, (size_t)bucket * INPUT_COUNT);
            for (size_t i = 0; i < size; i++) {
                const float sum = weights[i] + common[i];
                weights[i] = sum > WEIGHT_CLIP ? WEIGHT_CLIP : sum < -WEIGHT_CLIP ? -WEIGHT_CLIP : sum;
            }
        }
    }
}

ModelWorkspace *model_workspace_create(const ModelShape *shape, size_t capacity) {
    ModelWorkspace *workspace = memory_allocate(sizeof *workspace);
    if (workspace == NULL) return NULL;
    size_t tiles = (capacity + MODEL_TILE - 1) / MODEL_TILE, positions = tiles * MODEL_TILE;
    size_t padded = (size_t)shape->blocks * (size_t)shape->columns;
    workspace->shape = *shape;
    workspace->tile_capacity = tiles;
    workspace->tiles = memory_allocate_aligned(tiles * sizeof *workspace->tiles, 64);
    workspace->hidden = memory_allocate_aligned(positions * 2 * padded * sizeof(float), 64);
    workspace->partial = memory_allocate_aligned(positions * (size_t)shape->blocks * sizeof(float), 64);
    if (workspace->tiles == NULL || workspace->hidden == NULL || workspace->partial == NULL) {
        model_workspace_destroy(workspace);
        return NULL;
    }
    return workspace;
}

void model_workspace_destroy(ModelWorkspace *workspace) {
    if (workspace == NULL) return;
    memory_release_aligned(workspace->tiles);
    memory_release_aligned(workspace->hidden);
    memory_release_aligned(workspace->partial);
    memory_release(workspace);
}

/* --- preparing --- */

static void list_inputs(const ModelShape *shape, const TrainingPosition *position, uint16_t own[PIECES_MAX],
                        uint16_t other[PIECES_MAX]) {
    const Square own_king = (Square)position->king[WHITE], other_king = (Square)position->king[BLACK];
    const unsigned own_flip = input_flip(WHITE, own_king), other_flip = input_flip(BLACK, other_king);
    const int own_table = shape->king_bucket[input_king_place(WHITE, own_king)] * INPUT_COUNT;
    const int other_table = shape->king_bucket[input_king_place(BLACK, other_king)] * INPUT_COUNT;
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

static void prepare_tile(const ModelShape *shape, Tile *tile, const TrainingPosition *const *positions,
                         int count, bool gradient) {
    tile->count = count;
    for (int i = 0; i < count; i++) {
        if (i + 8 < count) __builtin_prefetch(positions[i + 8]);
        const TrainingPosition *position = positions[i];
        tile->pieces[i] = position->count;
        tile->bucket[i] = (uint8_t)output_bucket(position->count, shape->buckets);
        list_inputs(shape, position, tile->input[i][0], tile->input[i][1]);
    }
    if (gradient) sort_by_input(tile, (int)shape->inputs);
}

/* --- one tile, one block: bodies for any number of vectors in a row, instantiated below --- */

ALWAYS_INLINE void forward_body(const ModelShape *shape, const Tile *tile, const float *block, float *hidden,
                                float *partial, int lanes) {
    const Lanes *rows = (const Lanes *)block, *biases = rows + shape->bias_row * (size_t)lanes;
    Lanes *out = (Lanes *)hidden;
    for (int i = 0; i < tile->count; i++) {
        const Lanes *weights = rows + (shape->output_row + 2 * (size_t)tile->bucket[i]) * (size_t)lanes;
        Lanes dot = {0};
        for (int side = 0; side < 2; side++, out += lanes, weights += lanes) {
            Lanes sum[4];
            for (int v = 0; v < lanes; v++) sum[v] = biases[v];
            for (int k = 0; k < tile->pieces[i]; k++) {
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
ALWAYS_INLINE void backward_body(const ModelShape *shape, const Tile *tile, const float *block, float *hidden,
                                 float *gradient, int lanes) {
    const Lanes *rows = (const Lanes *)block;
    Lanes *out = (Lanes *)hidden, *gradients = (Lanes *)gradient;
    Lanes *biases = gradients + shape->bias_row * (size_t)lanes;
    Lanes bias[4];
    for (int v = 0; v < lanes; v++) bias[v] = biases[v];
    for (int i = 0; i < tile->count; i++) {
        size_t row = (shape->output_row + 2 * (size_t)tile->bucket[i]) * (size_t)lanes;
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
    for (int v = 0; v < lanes; v++) biases[v] = bias[v];
}

/* Each input's gradient: the sum of the derivatives of all halves in which it was active. */
ALWAYS_INLINE void collect_body(const ModelShape *shape, const Tile *tile, const float *hidden,
                                float *gradient, int lanes) {
    const Lanes *derivatives = (const Lanes *)hidden;
    Lanes *gradients = (Lanes *)gradient;
    for (size_t input = 0; input < shape->inputs; input++, gradients += lanes) {
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

static void forward(const ModelShape *shape, const Tile *tile, const float *block, float *hidden,
                    float *partial) {
    switch (shape->columns / MODEL_LANES) {
    case 1: forward_body(shape, tile, block, hidden, partial, 1); break;
    case 2: forward_body(shape, tile, block, hidden, partial, 2); break;
    default: forward_body(shape, tile, block, hidden, partial, 4); break;
    }
}

static void backward(const ModelShape *shape, const Tile *tile, const float *block, float *hidden,
                     float *gradient) {
    switch (shape->columns / MODEL_LANES) {
    case 1:
        backward_body(shape, tile, block, hidden, gradient, 1);
        collect_body(shape, tile, hidden, gradient, 1);
        break;
    case 2:
        backward_body(shape, tile, block, hidden, gradient, 2);
        collect_body(shape, tile, hidden, gradient, 2);
        break;
    default:
        backward_body(shape, tile, block, hidden, gradient, 4);
        collect_body(shape, tile, hidden, gradient, 4);
        break;
    }
}

/* --- whole batches --- */

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
        prepare_tile(shape, &workspace->tiles[t], positions + first,
                     left < MODEL_TILE ? (int)left : MODEL_TILE, gradient);
    }
    OPENMP_FOR
    for (int b = 0; b < shape->blocks; b++) {
        const float *block = parameters + model_row(shape, b, 0);
        for (int t = 0; t < tiles; t++)
            forward(shape, &workspace->tiles[t], block, hidden_of(workspace, b, t),
                    partial_of(workspace, b, t));
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
            backward(shape, &workspace->tiles[t], parameters + begin, hidden_of(workspace, b, t),
                     gradient + begin);
    }
    for (int t = 0; t < tiles; t++) {
        const Tile *tile = &workspace->tiles[t];
        for (int i = 0; i < tile->count; i++)
            gradient[model_output_bias(shape, tile->bucket[i])] += tile->error[i];
    }
    return loss;
}
