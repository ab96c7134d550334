#include "lab/train/weights.h"

#include "base/file.h"
#include "base/memory.h"
#include "lab/kit/ownership.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The last letter says what the file has: see WeightsKind. */
static const char MAGIC[8] = {'L', 'u', 'f', 't', 'F', 'l', 't', '1'};
enum { MAGIC_COMMON = 7 };
typedef enum WeightsKind { KIND_LAYERS = 1, KIND_PACKED = 2 } WeightsKind; /* bits of the letter less '1' */

typedef struct Header {
    char magic[8];
    uint32_t width, buckets, king_buckets, checksum;
} Header;

static size_t rows_size(const ModelShape *shape) { return shape->rows * (size_t)shape->width; }

static size_t value_count(const Weights *weights) {
    return rows_size(&weights->shape) + (size_t)weights->shape.buckets * weights->shape.tail_size;
}

static uint32_t checksum_of(const void *values, size_t size) {
    return (uint32_t)text_hash((TextView){values, size});
}

/* Packed: training keeps every number within +-WEIGHT_CLIP, so 16 bits have room for steps that are 64 times
 * finer than those of the network. */
#define PACKED_ONE 16384.0f

static int16_t pack(float value) {
    const float clipped = fminf(fmaxf(value, -WEIGHT_CLIP), WEIGHT_CLIP);
    return (int16_t)lrintf(clipped * PACKED_ONE);
}

static bool make_room(Weights *weights) {
    weights->values = memory_allocate(value_count(weights) * sizeof(float));
    return weights->values != NULL;
}

void weights_release(Weights *weights) {
    memory_release(weights->values);
    *weights = (Weights){0};
}

static float *value_of(const Weights *weights, size_t row, int unit) {
    return &weights->values[row * (size_t)weights->shape.width + (size_t)unit];
}

/* The numbers of an output bucket after the rows. */
static float *tail_of(const Weights *weights, int bucket) {
    return &weights->values[rows_size(&weights->shape) + (size_t)bucket * weights->shape.tail_size];
}

/* --- files --- */

static Status save_values(const char *path, const Weights *weights, bool packed, TextView values) {
    TextBuffer bytes = {0};
    Header header = {.width = (uint32_t)weights->shape.width,
                     .buckets = (uint32_t)weights->shape.buckets,
                     .king_buckets = (uint32_t)weights->shape.king_buckets,
                     .checksum = checksum_of(values.data, values.length)};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.magic[MAGIC_COMMON] +=
        (char)((weights->shape.layers > 0 ? KIND_LAYERS : 0) | (packed ? KIND_PACKED : 0));
    buffer_append(&bytes, (TextView){(const char *)&header, sizeof header});
    buffer_append(&bytes, values);
    const Status status =
        bytes.failed ? status_no_memory("the weights") : file_write(path, bytes.data, bytes.length);
    buffer_release(&bytes);
    return status;
}

static Status save(const char *path, const Weights *weights) {
    const TextView values = {(const char *)weights->values, value_count(weights) * sizeof(float)};
    return save_values(path, weights, false, values);
}

static Status save_packed(const char *path, const Weights *weights) {
    const size_t count = value_count(weights);
    int16_t *packed = memory_allocate(count * sizeof *packed);
    if (packed == NULL) return status_no_memory("the packed weights");
    for (size_t i = 0; i < count; i++) packed[i] = pack(weights->values[i]);
    const Status status =
        save_values(path, weights, true, (TextView){(const char *)packed, count * sizeof *packed});
    memory_release(packed);
    return status;
}

Status weights_write(const char *path, const ModelShape *shape, const float *parameters) {
    Weights weights = {.shape = *shape};
    if (!make_room(&weights)) return status_no_memory("the weights");
    for (size_t row = 0; row < shape->rows; row++)
        for (int unit = 0; unit < shape->width; unit++)
            *value_of(&weights, row, unit) = parameters[model_unit(shape, unit, row)];
    memcpy(tail_of(&weights, 0), parameters + shape->tail,
           (size_t)shape->buckets * shape->tail_size * sizeof *parameters);
    const Status status = save(path, &weights);
    weights_release(&weights);
    return status;
}

/* The kind of a file of weights, or -1. */
static int kind_of(TextView bytes) {
    if (bytes.length < sizeof MAGIC || memcmp(bytes.data, MAGIC, MAGIC_COMMON) != 0) return -1;
    const int kind = bytes.data[MAGIC_COMMON] - MAGIC[MAGIC_COMMON];
    return kind >= 0 && kind <= (KIND_LAYERS | KIND_PACKED) ? kind : -1;
}

static Status take_numbers(const char *path, TextView numbers, uint32_t checksum, bool packed,
                           Weights *weights) {
    const size_t count = value_count(weights), size = count * (packed ? sizeof(int16_t) : sizeof(float));
    if (numbers.length != size) return status_error("%s has the wrong size", path);
    if (checksum_of(numbers.data, size) != checksum) return status_error("%s is damaged (checksum)", path);
    if (!packed) memcpy(weights->values, numbers.data, size);
    for (size_t i = 0; packed && i < count; i++) {
        int16_t value;
        memcpy(&value, numbers.data + i * sizeof value, sizeof value);
        weights->values[i] = (float)value / PACKED_ONE;
    }
    return status_ok();
}

static Status take_values(const char *path, TextView bytes, Weights *weights) {
    Header header;
    if (bytes.length < sizeof header) return status_error("%s is cut short", path);
    memcpy(&header, bytes.data, sizeof header);
    const int kind = kind_of(bytes);
    const bool layers = (kind & KIND_LAYERS) != 0;
    const bool possible = header.width >= WIDTH_MIN && header.width <= WIDTH_MAX &&
                          (header.buckets == 1 || header.buckets == BUCKETS_MAX) &&
                          model_knows_king_buckets(header.king_buckets) &&
                          (!layers || network_layers_fit((int)header.width));
    if (!possible) return status_error("%s has weights of a shape that this program does not know", path);
    *weights = (Weights){.shape = model_shape((NetworkShape){.width = (int)header.width,
                                                             .buckets = (int)header.buckets,
                                                             .king_buckets = (int)header.king_buckets,
                                                             .layers = layers ? LAYER_COUNT : 0}),
                         .source = text_hash(bytes)};
    if (!make_room(weights)) return status_no_memory("the weights");
    const TextView numbers = {bytes.data + sizeof header, bytes.length - sizeof header};
    return take_numbers(path, numbers, header.checksum, (kind & KIND_PACKED) != 0, weights);
}

static bool has_our_kings(const NetworkWeights *network, const ModelShape *shape) {
    return shape->king_buckets == 1 || memcmp(network->king_bucket, shape->king_bucket, KING_PLACES) == 0;
}

static void take_inputs(const NetworkWeights *from, Weights *weights) {
    const ModelShape *shape = &weights->shape;
    const size_t padded = (size_t)from->width;
    for (int unit = 0; unit < shape->width; unit++) {
        const size_t u = (size_t)unit;
        for (size_t input = 0; input < shape->inputs; input++) {
            const float value = (float)from->feature[input * padded + u] / HIDDEN_ONE;
            *value_of(weights, input, unit) = value;
            if (shape->king_buckets > 1)
                *value_of(weights, shape->factor_row + input % INPUT_COUNT, unit) +=
                    value / (float)shape->king_buckets;
        }
        *value_of(weights, shape->bias_row, unit) = (float)from->feature_bias[u] / HIDDEN_ONE;
    }
}

static void take_outputs(const NetworkWeights *from, Weights *weights) {
    const ModelShape *shape = &weights->shape;
    const size_t padded = (size_t)from->width;
    for (int unit = 0; unit < shape->width; unit++)
        for (size_t half = 0; half < 2 * (size_t)shape->buckets; half++)
            *value_of(weights, shape->output_row + half, unit) =
                (float)from->output[half * padded + (size_t)unit] / OUTPUT_ONE;
    for (int bucket = 0; bucket < shape->buckets; bucket++)
        *tail_of(weights, bucket) = (float)from->output_bias[bucket] / OUTPUT_BIAS_ONE;
}

static void take_layers(const NetworkWeights *network, Weights *weights) {
    const ModelShape *shape = &weights->shape;
    for (size_t row = shape->output_row; row < shape->factor_row; row++) {
        const LayerWeights *from = &network->layers[(row - shape->output_row) / (2 * shape->half_rows)];
        for (int unit = 0; unit < shape->width; unit++) {
            const int at =
                layer1_index(model_layer1_input(shape, unit, row), model_layer1_unit(shape, unit, row));
            *value_of(weights, row, unit) = from->first[at] / LAYER1_WEIGHT_ONE;
        }
    }
    for (int bucket = 0; bucket < shape->buckets; bucket++) {
        const LayerWeights *from = &network->layers[bucket];
        float *tail = tail_of(weights, bucket);
        for (int unit = 0; unit < LAYER1_UNITS; unit++)
            tail[STACK_FIRST_BIAS + unit] = (float)from->first_bias[unit] / LAYER1_ONE;
        for (int input = 0; input < LAYER2_INPUTS; input++)
            for (int unit = 0; unit < LAYER2_UNITS; unit++)
                tail[STACK_SECOND + input * LAYER2_UNITS + unit] =
                    (float)from->second[layer2_index(input, unit)] / LAYER2_WEIGHT_ONE;
        for (int unit = 0; unit < LAYER2_UNITS; unit++) {
            tail[STACK_SECOND_BIAS + unit] = (float)from->second_bias[unit] / LAYER2_ONE;
            tail[STACK_THIRD + unit] = (float)from->third[unit] / LAYER3_WEIGHT_ONE;
        }
        tail[STACK_THIRD_BIAS] = (float)from->third_bias / LAYER3_ONE;
    }
}

/* The weights that the network was rounded from, as closely as they are known. */
static Status take_network(const char *path, const Network *network, Weights *weights) {
    const NetworkWeights *from = network_weights(network);
    if (!model_knows_king_buckets(from->king_buckets))
        return status_error("%s has unusual king buckets", path);
    *weights = (Weights){.shape = model_shape(network_shape(network)), .source = network_hash(network)};
    if (!has_our_kings(from, &weights->shape)) return status_error("%s has unusual king buckets", path);
    if (!make_room(weights)) return status_no_memory("the weights");
    take_inputs(from, weights);
    if (weights->shape.layers > 0)
        take_layers(from, weights);
    else
        take_outputs(from, weights);
    return status_ok();
}

static Status read_network(const char *path, Weights *weights) {
    Status status;
    Network *network = network_load(path, &status);
    if (network != NULL) status = take_network(path, network, weights);
    network_destroy(network);
    return status;
}

/* The pairs of a network are sorted: whoever needs the units in their order needs floats. */
static Status read_either(const char *path, bool floats_wanted, Weights *weights) {
    *weights = (Weights){0};
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    if (status_is_ok(&status) && kind_of(buffer_view(&content)) >= 0)
        status = take_values(path, buffer_view(&content), weights);
    else if (status_is_ok(&status) && floats_wanted)
        status = status_error("%s has no weights of a training; they lie next to its network, in NET.floats",
                              path);
    else if (status_is_ok(&status))
        status = read_network(path, weights);
    buffer_release(&content);
    return status;
}

Status weights_read(const char *path, Weights *weights) { return read_either(path, false, weights); }

static Status read_floats(const char *path, Weights *weights) { return read_either(path, true, weights); }

static Status add_weights(const char *first, const char *path, Weights *sum) {
    Weights weights;
    Status status = read_floats(path, &weights);
    const ModelShape *a = &weights.shape, *b = &sum->shape;
    if (status_is_ok(&status) && (a->width != b->width || a->buckets != b->buckets ||
                                  a->king_buckets != b->king_buckets || a->layers != b->layers))
        status = status_error("%s and %s have not the same shape", first, path);
    assert(!status_is_ok(&status) || weights.values != NULL);
    if (status_is_ok(&status))
        for (size_t i = 0; i < value_count(sum); i++) sum->values[i] += weights.values[i];
    weights_release(&weights);
    return status;
}

Status weights_write_mean(const char *path, bool again, const char *const *inputs, int count) {
    Weights sum;
    Status status = read_floats(inputs[0], &sum);
    for (int i = 1; i < count && status_is_ok(&status); i++) status = add_weights(inputs[0], inputs[i], &sum);
    if (status_is_ok(&status)) {
        for (size_t i = 0; i < value_count(&sum); i++) sum.values[i] /= (float)count;
        status = ownership_make_room(path, again);
    }
    if (status_is_ok(&status)) status = save(path, &sum);
    weights_release(&sum);
    return status;
}

Status weights_pack(const char *path, bool again, const char *input) {
    Weights weights;
    Status status = read_floats(input, &weights);
    if (status_is_ok(&status)) status = ownership_make_room(path, again);
    if (status_is_ok(&status)) status = save_packed(path, &weights);
    weights_release(&weights);
    return status;
}

Status weights_check_output(const char *path) {
    return ownership_check_kind(path, MAGIC, MAGIC_COMMON, "weights of a training");
}

Status weights_check_new(const char *path, bool again) {
    const Status status = weights_check_output(path);
    return status_is_ok(&status) ? ownership_check_new(path, again) : status;
}

/* --- beginning --- */

/* The row of the weights that a row of the parameters begins with. */
static size_t source_row(const ModelShape *from, const ModelShape *shape, size_t row) {
    if (row < shape->inputs) return from->king_buckets == 1 ? row % INPUT_COUNT : row;
    if (row == shape->bias_row) return from->bias_row;
    if (row >= shape->factor_row)
        return (from->king_buckets == 1 ? 0 : from->factor_row) + row - shape->factor_row;
    const size_t half = row - shape->output_row, first_bucket = 2 * shape->half_rows;
    return from->output_row + (from->buckets == 1 ? half % first_bucket : half);
}

/* The unit, or a number beyond the width where there was none. With layers, pairs stay pairs. */
static int source_unit(const ModelShape *from, const ModelShape *shape, int unit) {
    if (shape->layers == 0) return unit;
    const int pair = unit % (shape->width / 2), pairs = from->width / 2;
    return pair >= pairs ? from->width : unit == pair ? pair : pairs + pair;
}

static bool leads_to(int from, int to) { return from == to || from == 1; }

static Status check_way(const ModelShape *from, const ModelShape *to) {
    if (from->width <= to->width && from->layers == to->layers && leads_to(from->buckets, to->buckets) &&
        leads_to(from->king_buckets, to->king_buckets))
        return status_ok();
    return status_error("the weights to begin with are of width %d with %d buckets, %d king buckets and %d "
                        "layers: no way to %d with %d, %d and %d",
                        from->width, from->buckets, from->king_buckets, from->layers, to->width, to->buckets,
                        to->king_buckets, to->layers);
}

Status weights_begin(const Weights *weights, const ModelShape *shape, uint64_t seed, float *parameters) {
    const ModelShape *from = &weights->shape;
    const Status status = check_way(from, shape);
    if (!status_is_ok(&status)) return status;
    model_initialise(shape, parameters, seed);
    for (size_t row = 0; row < shape->rows; row++) {
        const bool output = model_is_output_row(shape, row);
        const size_t old_row = source_row(from, shape, row);
        for (int unit = 0; unit < shape->width; unit++) {
            float *to = &parameters[model_unit(shape, unit, row)];
            const int old_unit = source_unit(from, shape, unit);
            if (old_unit < from->width)
                *to = *value_of(weights, old_row, old_unit);
            else if (output)
                *to = 0;
        }
    }
    for (int bucket = 0; bucket < shape->buckets; bucket++)
        memcpy(parameters + model_tail(shape, bucket), tail_of(weights, from->buckets == 1 ? 0 : bucket),
               shape->tail_size * sizeof *parameters);
    return status_ok();
}
