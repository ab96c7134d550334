#include "lab/train/model.h"

#include "base/memory.h"
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct ModelWorkspace {
    ModelShape shape;
    Crew *crew;
    size_t tile_capacity;
    Tile *tiles;
    float *hidden;  /* [block][tile][2 * position + perspective][column]: sums, then their derivatives */
    float *partial; /* [block][tile][position][share]: of the output, or of each unit of layer 1 */
    size_t shares;
    /* With layers: */
    float *errors;      /* [tile][position][unit of layer 1]: derivatives of the loss */
    float *second;      /* [bucket]: weights of layer 2, transposed */
    float *tail_errors; /* [tile]: gradients of the numbers after the blocks */
};

/* From a1 to d1, then a2 to d2 ... */
static const uint8_t FOUR_BUCKETS[KING_PLACES] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
                                                  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
static const uint8_t EIGHT_BUCKETS[KING_PLACES] = {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7,
                                                   7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
static const uint8_t ONE_BUCKET[KING_PLACES] = {0};

ModelShape model_shape(NetworkShape network) {
    const bool layers = network.layers > 0;
    ModelShape shape = {.width = network.width,
                        .buckets = network.buckets,
                        .king_buckets = network.king_buckets,
                        .layers = network.layers,
                        .half_rows = layers ? LAYER1_UNITS / 2 : 1,
                        .tail_size = layers ? STACK_SIZE : 1};
    assert(model_knows_king_buckets(shape.king_buckets));
    shape.king_bucket = shape.king_buckets == 1   ? ONE_BUCKET
                        : shape.king_buckets == 4 ? FOUR_BUCKETS
                                                  : EIGHT_BUCKETS;
    shape.blocks = (shape.width + MODEL_COLUMNS - 1) / MODEL_COLUMNS;
    shape.inputs = (size_t)shape.king_buckets * INPUT_COUNT;
    shape.bias_row = shape.inputs;
    shape.output_row = shape.bias_row + 1;
    shape.factor_row = shape.output_row + 2 * (size_t)shape.buckets * shape.half_rows;
    shape.rows = shape.factor_row + (shape.king_buckets > 1 ? INPUT_COUNT : 0);
    shape.tail = (size_t)shape.blocks * shape.rows * MODEL_COLUMNS;
    shape.count = shape.tail + (size_t)shape.buckets * shape.tail_size;
    return shape;
}

static float uniform(Rng *rng, float bound) { return (float)(2 * rng_unit(rng) - 1) * bound; }

/* One row of the blocks. */
static void fill_row(const ModelShape *shape, float *parameters, size_t row, Rng *rng, float bound) {
    for (int unit = 0; unit < shape->width; unit++)
        parameters[model_unit(shape, unit, row)] = uniform(rng, bound);
}

/* All output buckets begin alike: a bucket with few positions then stays close to the others. */
static void initialise_stacks(const ModelShape *shape, float *parameters, Rng *rng) {
    const float bound = 5 / sqrtf((float)shape->width);
    const size_t rows = 2 * shape->half_rows;
    for (size_t k = 0; k < rows; k++) fill_row(shape, parameters, shape->output_row + k, rng, bound);
    for (size_t row = shape->output_row + rows; row < shape->factor_row; row++)
        for (int unit = 0; unit < shape->width; unit++)
            parameters[model_unit(shape, unit, row)] = parameters[model_unit(shape, unit, row - rows)];
    float *first = parameters + model_tail(shape, 0);
    for (int i = 0; i < LAYER2_INPUTS * LAYER2_UNITS; i++) first[STACK_SECOND + i] = uniform(rng, 0.3f);
    for (int i = 0; i < LAYER2_UNITS; i++) {
        first[STACK_SECOND_BIAS + i] = 0.2f;
        first[STACK_THIRD + i] = uniform(rng, 0.3f);
    }
    for (int bucket = 1; bucket < shape->buckets; bucket++)
        memcpy(parameters + model_tail(shape, bucket), first, STACK_SIZE * sizeof *first);
}

void model_initialise(const ModelShape *shape, float *parameters, uint64_t seed) {
    Rng rng = rng_seed(seed);
    memset(parameters, 0, shape->count * sizeof *parameters);
    /* Sums of some 20 to 30 active inputs should spread over the part of SCReLU that is not flat; a product
     * of two that are often zero would learn too seldom. */
    const float input_bound = 0.12f, output_bound = 1.5f / sqrtf((float)(2 * shape->width));
    const float bias = shape->layers > 0 ? 0.3f : 0.1f;
    const size_t common = shape->king_buckets > 1 ? shape->factor_row : 0;
    for (size_t row = 0; row < shape->rows; row++) {
        const bool input = row >= common && row < common + INPUT_COUNT;
        const bool output = shape->layers == 0 && model_is_output_row(shape, row);
        if (input || output) fill_row(shape, parameters, row, &rng, input ? input_bound : output_bound);
    }
    if (shape->layers > 0) initialise_stacks(shape, parameters, &rng);
    for (int unit = 0; unit < shape->width; unit++)
        parameters[model_unit(shape, unit, shape->bias_row)] = bias;
    model_join(NULL, shape, parameters);
}

/* A loop over the blocks around a step of the optimiser. */
typedef struct StepLoop {
    const ModelShape *shape;
    float keep, *parameters, *gradient;
} StepLoop;

enum { BUCKET_FLOATS = INPUT_COUNT * MODEL_COLUMNS }; /* of the rows of one king bucket of one block */

static void split_block(void *context, int block) {
    const StepLoop *loop = context;
    const size_t common = model_row(loop->shape, block, loop->shape->factor_row);
    for (int bucket = 0; bucket < loop->shape->king_buckets; bucket++) {
        const size_t begin = model_row(loop->shape, block, (size_t)bucket * INPUT_COUNT);
        for (size_t i = 0; i < BUCKET_FLOATS; i++) {
            const float difference = loop->parameters[begin + i] - loop->parameters[common + i];
            loop->parameters[begin + i] = loop->keep * difference;
            loop->gradient[common + i] += loop->gradient[begin + i];
        }
    }
}

void model_split(Crew *crew, const ModelShape *shape, float keep, float *parameters, float *gradient) {
    StepLoop loop = {shape, keep, parameters, gradient};
    if (shape->king_buckets > 1) crew_for(crew, shape->blocks, split_block, &loop);
}

static void join_block(void *context, int block) {
    const StepLoop *loop = context;
    const float *common = loop->parameters + model_row(loop->shape, block, loop->shape->factor_row);
    for (int bucket = 0; bucket < loop->shape->king_buckets; bucket++) {
        float *weights = loop->parameters + model_row(loop->shape, block, (size_t)bucket * INPUT_COUNT);
        for (size_t i = 0; i < BUCKET_FLOATS; i++) {
            const float sum = weights[i] + common[i];
            weights[i] = sum > WEIGHT_CLIP ? WEIGHT_CLIP : sum < -WEIGHT_CLIP ? -WEIGHT_CLIP : sum;
        }
    }
}

void model_join(Crew *crew, const ModelShape *shape, float *parameters) {
    StepLoop loop = {.shape = shape, .parameters = parameters};
    if (shape->king_buckets > 1) crew_for(crew, shape->blocks, join_block, &loop);
}

static size_t tail_floats(const ModelShape *shape) { return (size_t)shape->buckets * shape->tail_size; }

ModelWorkspace *model_workspace_create(Crew *crew, const ModelShape *shape, size_t capacity) {
    ModelWorkspace *workspace = memory_allocate(sizeof *workspace);
    if (workspace == NULL) return NULL;
    const size_t tiles = (capacity + MODEL_TILE - 1) / MODEL_TILE, positions = tiles * MODEL_TILE;
    const size_t padded = (size_t)shape->blocks * MODEL_COLUMNS, one = sizeof(float);
    const bool layers = shape->layers > 0;
    workspace->shape = *shape;
    workspace->crew = crew;
    workspace->tile_capacity = tiles;
    workspace->shares = layers ? LAYER1_UNITS : 1;
    workspace->tiles = memory_allocate_aligned(tiles * sizeof *workspace->tiles, 64);
    workspace->hidden = memory_allocate_aligned(positions * 2 * padded * one, 64);
    workspace->partial =
        memory_allocate_aligned(positions * (size_t)shape->blocks * workspace->shares * one, 64);
    if (layers) {
        workspace->errors = memory_allocate_aligned(positions * LAYER1_UNITS * one, 64);
        workspace->second =
            memory_allocate_aligned((size_t)shape->buckets * LAYER2_INPUTS * LAYER2_UNITS * one, 64);
        workspace->tail_errors = memory_allocate_aligned(tiles * tail_floats(shape) * one, 64);
    }
    if (workspace->tiles == NULL || workspace->hidden == NULL || workspace->partial == NULL ||
        (layers &&
         (workspace->errors == NULL || workspace->second == NULL || workspace->tail_errors == NULL))) {
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
    memory_release_aligned(workspace->errors);
    memory_release_aligned(workspace->second);
    memory_release_aligned(workspace->tail_errors);
    memory_release(workspace);
}

/* --- one tile, one block, no layers --- */

static void forward(const ModelShape *shape, const Tile *tile, const float *block, float *hidden,
                    float *partial) {
    const Lanes *rows = (const Lanes *)block, *biases = rows + shape->bias_row * MODEL_VECTORS;
    Lanes *out = (Lanes *)hidden;
    for (int i = 0; i < tile->count; i++) {
        const Lanes *weights = rows + (shape->output_row + 2 * (size_t)tile->bucket[i]) * MODEL_VECTORS;
        Lanes dot = {0};
        for (int side = 0; side < 2; side++, out += MODEL_VECTORS, weights += MODEL_VECTORS) {
            Lanes sum[MODEL_VECTORS];
            tile_sum_inputs(rows, biases, tile->input[i][side], tile->pieces[i], sum);
            for (int v = 0; v < MODEL_VECTORS; v++) {
                LaneMask inside;
                const Lanes clamped = lanes_clamp(sum[v], &inside);
                out[v] = sum[v];
                dot += clamped * clamped * weights[v];
            }
        }
        partial[i] = lanes_total(dot);
    }
}

/* Turns the hidden sums into the derivatives of the loss by them; adds to the gradients of output weights and
 * biases. */
static void backward(const ModelShape *shape, const Tile *tile, const float *block, float *hidden,
                     float *gradient) {
    const Lanes *rows = (const Lanes *)block;
    Lanes *out = (Lanes *)hidden, *gradients = (Lanes *)gradient;
    Lanes *biases = gradients + shape->bias_row * MODEL_VECTORS;
    Lanes bias[MODEL_VECTORS];
    memcpy(bias, biases, sizeof bias);
    for (int i = 0; i < tile->count; i++) {
        size_t row = (shape->output_row + 2 * (size_t)tile->bucket[i]) * MODEL_VECTORS;
        for (int side = 0; side < 2; side++, out += MODEL_VECTORS, row += MODEL_VECTORS) {
            for (int v = 0; v < MODEL_VECTORS; v++) {
                LaneMask mask;
                const Lanes clamped = lanes_clamp(out[v], &mask), inside = lanes_keep(clamped, mask);
                Lanes derivative = inside * rows[row + (size_t)v] * (2.0f * tile->error[i]);
                gradients[row + (size_t)v] += clamped * clamped * tile->error[i];
                bias[v] += derivative;
                out[v] = derivative;
            }
        }
    }
    memcpy(biases, bias, sizeof bias);
}

/* --- one tile, one block --- */

/* Each input's gradient: the sum of the derivatives of all halves in which it was active. */
static void collect(const ModelShape *shape, const Tile *tile, const float *hidden, float *gradient) {
    const Lanes *derivatives = (const Lanes *)hidden;
    for (size_t input = 0; input < shape->inputs; input++) {
        const int begin = tile->start[input], end = tile->start[input + 1];
        if (begin == end) continue;
        Lanes *gradients = (Lanes *)gradient + input * MODEL_VECTORS;
        Lanes sum[MODEL_VECTORS];
        memcpy(sum, gradients, sizeof sum);
        for (int k = begin; k < end; k++) {
            const Lanes *row = derivatives + tile->half[k] * (size_t)MODEL_VECTORS;
            for (int v = 0; v < MODEL_VECTORS; v++) sum[v] += row[v];
        }
        memcpy(gradients, sum, sizeof sum);
    }
}

/* --- whole batches --- */

static float *hidden_of(const ModelWorkspace *workspace, int block, int tile) {
    size_t index = (size_t)block * workspace->tile_capacity + (size_t)tile;
    return workspace->hidden + index * MODEL_TILE * 2 * MODEL_COLUMNS;
}

static float *partial_of(const ModelWorkspace *workspace, int block, int tile) {
    const size_t index = (size_t)block * workspace->tile_capacity + (size_t)tile;
    return workspace->partial + index * MODEL_TILE * workspace->shares;
}

static float *errors_of(const ModelWorkspace *workspace, int tile) {
    return workspace->errors + (size_t)tile * MODEL_TILE * LAYER1_UNITS;
}

static StackBlock stack_block(const ModelShape *shape, int block, const float *parameters, float *gradient) {
    const size_t begin = model_row(shape, block, 0);
    return (StackBlock){.buckets = shape->buckets,
                        .bias_row = shape->bias_row,
                        .output_row = shape->output_row,
                        .rows = parameters + begin,
                        .gradient = gradient != NULL ? gradient + begin : NULL};
}

/* Some positions on their way through the model; its loops share this. */
typedef struct Batch {
    ModelWorkspace *workspace;
    const float *parameters;
    const TrainingPosition *const *positions;
    size_t count;
    int tiles;
    float *gradient; /* NULL: only values are wanted */
    ModelTarget target;
    float divisor;
} Batch;

static Batch batch_of(ModelWorkspace *workspace, const float *parameters,
                      const TrainingPosition *const *positions, size_t count) {
    const int tiles = (int)((count + MODEL_TILE - 1) / MODEL_TILE);
    assert((size_t)tiles <= workspace->tile_capacity);
    return (Batch){.workspace = workspace,
                   .parameters = parameters,
                   .positions = positions,
                   .count = count,
                   .tiles = tiles,
                   .divisor = 1.0f};
}

static void prepare_tile(void *context, int t) {
    const Batch *batch = context;
    const ModelShape *shape = &batch->workspace->shape;
    const TileOrder order = {.buckets = shape->buckets,
                             .king_buckets = shape->king_buckets,
                             .king_bucket = shape->king_bucket,
                             .by_bucket = shape->layers > 0,
                             .by_input = batch->gradient != NULL};
    const size_t first = (size_t)t * MODEL_TILE, rest = batch->count - first;
    tile_prepare(&batch->workspace->tiles[t], &order, batch->positions + first,
                 rest < MODEL_TILE ? (int)rest : MODEL_TILE);
}

static void run_block_forward(void *context, int b) {
    const Batch *batch = context;
    ModelWorkspace *workspace = batch->workspace;
    const ModelShape *shape = &workspace->shape;
    if (shape->layers == 0) {
        for (int t = 0; t < batch->tiles; t++)
            forward(shape, &workspace->tiles[t], batch->parameters + model_row(shape, b, 0),
                    hidden_of(workspace, b, t), partial_of(workspace, b, t));
        return;
    }
    const StackBlock block = stack_block(shape, b, batch->parameters, NULL);
    StackTurned turned;
    stack_turn(&block, &turned);
    for (int t = 0; t < batch->tiles; t++)
        stack_forward(&block, &turned, &workspace->tiles[t], hidden_of(workspace, b, t),
                      partial_of(workspace, b, t));
}

static void run_forward(Batch *batch) {
    ModelWorkspace *workspace = batch->workspace;
    crew_for(workspace->crew, batch->tiles, prepare_tile, batch);
    crew_for(workspace->crew, workspace->shape.blocks, run_block_forward, batch);
}

/* The output of position i of a tile; with layers, keeps the values for the backward pass in `trace`. */
static float output_of(const ModelWorkspace *workspace, const float *parameters, int t, int i,
                       StackTrace *trace) {
    const ModelShape *shape = &workspace->shape;
    const int bucket = workspace->tiles[t].bucket[i];
    if (shape->layers > 0) {
        Lanes sums = {0};
        for (int b = 0; b < shape->blocks; b++) sums += ((const Lanes *)partial_of(workspace, b, t))[i];
        return stack_output(parameters + model_tail(shape, bucket), sums, trace);
    }
    float output = parameters[model_output_bias(shape, bucket)];
    for (int b = 0; b < shape->blocks; b++) output += partial_of(workspace, b, t)[i];
    return output;
}

void model_evaluate(ModelWorkspace *workspace, const float *parameters,
                    const TrainingPosition *const *positions, size_t count, float *outputs) {
    Batch batch = batch_of(workspace, parameters, positions, count);
    run_forward(&batch);
    StackTrace trace;
    for (int t = 0; t < batch.tiles; t++) {
        const Tile *tile = &workspace->tiles[t];
        for (int i = 0; i < tile->count; i++)
            outputs[(size_t)t * MODEL_TILE + tile->place[i]] = output_of(workspace, parameters, t, i, &trace);
    }
}

static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

/* The target: share * result + (1 - share) * sigmoid(score / scale). */
static float wanted(const TrainingPosition *position, ModelTarget target) {
    float score = sigmoid((float)position->score / target.scale);
    return target.share * ((float)position->result * 0.5f) + (1.0f - target.share) * score;
}

/* With layers: the gradients of a position for everything after the blocks. */
static void judge_stack(ModelWorkspace *workspace, const float *parameters, int t, int i,
                        const StackTrace *trace) {
    const ModelShape *shape = &workspace->shape;
    const Tile *tile = &workspace->tiles[t];
    const size_t bucket = tile->bucket[i];
    float *gradient = workspace->tail_errors + (size_t)t * tail_floats(shape) + bucket * shape->tail_size;
    stack_output_backward(parameters + model_tail(shape, (int)bucket),
                          workspace->second + bucket * LAYER2_INPUTS * LAYER2_UNITS, trace, tile->error[i],
                          gradient, errors_of(workspace, t) + (size_t)i * LAYER1_UNITS);
}

/* The loss of a tile, and its derivatives by the outputs. */
static void judge_tile(void *context, int t) {
    const Batch *batch = context;
    ModelWorkspace *workspace = batch->workspace;
    Tile *tile = &workspace->tiles[t];
    const float steepness = VALUE_ONE / batch->target.scale;
    const bool layers = workspace->shape.layers > 0 && batch->gradient != NULL;
    const size_t floats = tail_floats(&workspace->shape);
    if (layers) memset(workspace->tail_errors + (size_t)t * floats, 0, floats * sizeof(float));
    tile->loss = 0;
    for (int i = 0; i < tile->count; i++) {
        StackTrace trace;
        const TrainingPosition *position = batch->positions[(size_t)t * MODEL_TILE + tile->place[i]];
        float said = sigmoid(steepness * output_of(workspace, batch->parameters, t, i, &trace));
        float error = said - wanted(position, batch->target);
        tile->loss += (double)error * (double)error;
        tile->error[i] = 2.0f * steepness * error * said * (1.0f - said) / batch->divisor;
        if (layers) judge_stack(workspace, batch->parameters, t, i, &trace);
    }
}

static double judge(Batch *batch) {
    ModelWorkspace *workspace = batch->workspace;
    const ModelShape *shape = &workspace->shape;
    if (shape->layers > 0 && batch->gradient != NULL)
        for (int bucket = 0; bucket < shape->buckets; bucket++)
            stack_turn_second(batch->parameters + model_tail(shape, bucket),
                              workspace->second + (size_t)bucket * LAYER2_INPUTS * LAYER2_UNITS);
    crew_for(workspace->crew, batch->tiles, judge_tile, batch);
    double loss = 0;
    for (int t = 0; t < batch->tiles; t++) loss += workspace->tiles[t].loss;
    return loss;
}

double model_loss(ModelWorkspace *workspace, const float *parameters,
                  const TrainingPosition *const *positions, size_t count, ModelTarget target) {
    Batch batch = batch_of(workspace, parameters, positions, count);
    batch.target = target;
    run_forward(&batch);
    return judge(&batch);
}

static void run_block_backward(void *context, int b) {
    const Batch *batch = context;
    ModelWorkspace *workspace = batch->workspace;
    const ModelShape *shape = &workspace->shape;
    const size_t begin = model_row(shape, b, 0);
    const StackBlock block = stack_block(shape, b, batch->parameters, batch->gradient);
    for (int t = 0; t < batch->tiles; t++) {
        const Tile *tile = &workspace->tiles[t];
        float *hidden = hidden_of(workspace, b, t);
        if (shape->layers > 0)
            stack_backward(&block, tile, errors_of(workspace, t), hidden);
        else
            backward(shape, tile, batch->parameters + begin, hidden, batch->gradient + begin);
        collect(shape, tile, hidden, batch->gradient + begin);
    }
}

/* The gradients of the numbers after the blocks, from one thread: always in the same order. */
static void add_tail_gradient(const Batch *batch) {
    const ModelWorkspace *workspace = batch->workspace;
    const ModelShape *shape = &workspace->shape;
    const size_t floats = tail_floats(shape);
    for (int t = 0; t < batch->tiles; t++) {
        const Tile *tile = &workspace->tiles[t];
        for (size_t i = 0; shape->layers > 0 && i < floats; i++)
            batch->gradient[shape->tail + i] += workspace->tail_errors[(size_t)t * floats + i];
        for (int i = 0; shape->layers == 0 && i < tile->count; i++)
            batch->gradient[model_output_bias(shape, tile->bucket[i])] += tile->error[i];
    }
}

double model_add_gradient(ModelWorkspace *workspace, const float *parameters,
                          const TrainingPosition *const *positions, size_t count, ModelTarget target,
                          float divisor, float *gradient) {
    Batch batch = batch_of(workspace, parameters, positions, count);
    batch.target = target;
    batch.divisor = divisor;
    batch.gradient = gradient;
    run_forward(&batch);
    const double loss = judge(&batch);
    crew_for(workspace->crew, workspace->shape.blocks, run_block_backward, &batch);
    add_tail_gradient(&batch);
    return loss;
}
