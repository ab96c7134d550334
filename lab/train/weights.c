#include "lab/train/weights.h"

#include "base/file.h"
#include "base/memory.h"
#include "lab/kit/ownership.h"

#include <string.h>

static const char MAGIC[8] = {'L', 'u', 'f', 't', 'F', 'l', 't', '1'};

typedef struct Header {
    char magic[8];
    uint32_t width, buckets, king_buckets, checksum;
} Header;

static size_t value_count(const Weights *weights) {
    return weights->rows * (size_t)weights->width + (size_t)weights->buckets;
}

static ModelShape shape_of(const Weights *weights) {
    return model_shape(weights->width, weights->buckets, weights->king_buckets, 1);
}

static uint32_t checksum_of(const void *values, size_t size) {
    return (uint32_t)text_hash((TextView){values, size});
}

static bool make_room(Weights *weights) {
    weights->rows = shape_of(weights).rows;
    weights->values = memory_allocate(value_count(weights) * sizeof(float));
    return weights->values != NULL;
}

void weights_release(Weights *weights) {
    memory_release(weights->values);
    *weights = (Weights){0};
}

static float *value_of(const Weights *weights, size_t row, int unit) {
    return &weights->values[row * (size_t)weights->width + (size_t)unit];
}

static float *output_bias_of(const Weights *weights, int bucket) {
    return &weights->values[weights->rows * (size_t)weights->width + (size_t)bucket];
}

/* --- files --- */

Status weights_write(const char *path, const ModelShape *shape, const float *parameters) {
    Weights weights = {.width = shape->width, .buckets = shape->buckets, .king_buckets = shape->king_buckets};
    TextBuffer bytes = {0};
    if (!make_room(&weights)) return status_no_memory("the weights");
    for (size_t row = 0; row < weights.rows; row++)
        for (int unit = 0; unit < weights.width; unit++)
            *value_of(&weights, row, unit) = parameters[model_unit(shape, unit, row)];
    for (int bucket = 0; bucket < weights.buckets; bucket++)
        *output_bias_of(&weights, bucket) = parameters[model_output_bias(shape, bucket)];
    const size_t size = value_count(&weights) * sizeof(float);
    Header header = {.width = (uint32_t)weights.width,
                     .buckets = (uint32_t)weights.buckets,
                     .king_buckets = (uint32_t)weights.king_buckets,
                     .checksum = checksum_of(weights.values, size)};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    buffer_append(&bytes, (TextView){(const char *)&header, sizeof header});
    buffer_append(&bytes, (TextView){(const char *)weights.values, size});
    const Status status =
        bytes.failed ? status_no_memory("the weights") : file_write(path, bytes.data, bytes.length);
    buffer_release(&bytes);
    weights_release(&weights);
    return status;
}

static Status take_values(const char *path, TextView bytes, Weights *weights) {
    Header header;
    if (bytes.length < sizeof header) return status_error("%s is cut short", path);
    memcpy(&header, bytes.data, sizeof header);
    const bool possible = header.width >= WIDTH_MIN && header.width <= WIDTH_MAX &&
                          (header.buckets == 1 || header.buckets == BUCKETS_MAX) &&
                          model_knows_king_buckets(header.king_buckets);
    if (!possible) return status_error("%s has weights of a shape that this program does not know", path);
    *weights = (Weights){.width = (int)header.width,
                         .buckets = (int)header.buckets,
                         .king_buckets = (int)header.king_buckets,
                         .source = text_hash(bytes)};
    if (!make_room(weights)) return status_no_memory("the weights");
    const size_t size = value_count(weights) * sizeof(float);
    if (bytes.length != sizeof header + size) return status_error("%s has the wrong size", path);
    memcpy(weights->values, bytes.data + sizeof header, size);
    if (checksum_of(weights->values, size) != header.checksum)
        return status_error("%s is damaged (checksum)", path);
    return status_ok();
}

static bool has_our_kings(const NetworkWeights *network, const ModelShape *shape) {
    return shape->king_buckets == 1 || memcmp(network->king_bucket, shape->king_bucket, KING_PLACES) == 0;
}

/* What the network was rounded from, as nearly as it tells. */
static Status take_network(const char *path, const Network *network, Weights *weights) {
    const NetworkWeights *from = network_weights(network);
    const size_t padded = (size_t)from->width;
    if (!model_knows_king_buckets(from->king_buckets))
        return status_error("%s has unusual king buckets", path);
    *weights = (Weights){.width = network_width(network),
                         .buckets = from->buckets,
                         .king_buckets = from->king_buckets,
                         .source = network_hash(network)};
    const ModelShape shape = shape_of(weights);
    if (!has_our_kings(from, &shape)) return status_error("%s has unusual king buckets", path);
    if (!make_room(weights)) return status_no_memory("the weights");
    for (int unit = 0; unit < weights->width; unit++) {
        const size_t u = (size_t)unit;
        for (size_t input = 0; input < shape.inputs; input++) {
            const float value = (float)from->feature[input * padded + u] / HIDDEN_ONE;
            *value_of(weights, input, unit) = value;
            if (weights->king_buckets > 1)
                *value_of(weights, shape.factor_row + input % INPUT_COUNT, unit) +=
                    value / (float)weights->king_buckets;
        }
        *value_of(weights, shape.bias_row, unit) = (float)from->feature_bias[u] / HIDDEN_ONE;
        for (size_t half = 0; half < 2 * (size_t)weights->buckets; half++)
            *value_of(weights, shape.output_row + half, unit) =
                (float)from->output[half * padded + u] / OUTPUT_ONE;
    }
    for (int bucket = 0; bucket < weights->buckets; bucket++)
        *output_bias_of(weights, bucket) = (float)from->output_bias[bucket] / OUTPUT_BIAS_ONE;
    return status_ok();
}

Status weights_read(const char *path, Weights *weights) {
    *weights = (Weights){0};
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    const TextView bytes = buffer_view(&content);
    if (status_is_ok(&status) && bytes.length >= sizeof MAGIC &&
        memcmp(bytes.data, MAGIC, sizeof MAGIC) == 0) {
        status = take_values(path, bytes, weights);
    } else if (status_is_ok(&status)) {
        Network *network = network_load(path, &status);
        if (network != NULL) status = take_network(path, network, weights);
        network_destroy(network);
    }
    buffer_release(&content);
    return status;
}

Status weights_check_output(const char *path) {
    return ownership_check_kind(path, MAGIC, sizeof MAGIC, "weights of a training");
}

/* --- beginning --- */

/* The row of the weights that a row of the parameters begins with. */
static size_t source_row(const Weights *weights, const ModelShape *shape, size_t row) {
    const ModelShape from = shape_of(weights);
    if (row < shape->inputs) return from.king_buckets == 1 ? row % INPUT_COUNT : row;
    if (row == shape->bias_row) return from.bias_row;
    if (row >= shape->factor_row)
        return (from.king_buckets == 1 ? 0 : from.factor_row) + row - shape->factor_row;
    const size_t half = row - shape->output_row;
    return from.output_row + (from.buckets == 1 ? half % 2 : half);
}

static bool leads_to(int from, int to) { return from == to || from == 1; }

Status weights_begin(const Weights *weights, const ModelShape *shape, uint64_t seed, float *parameters) {
    if (weights->width > shape->width || !leads_to(weights->buckets, shape->buckets) ||
        !leads_to(weights->king_buckets, shape->king_buckets))
        return status_error(
            "the weights to begin with are of width %d with %d buckets and %d king buckets: no "
            "way to %d with %d and %d",
            weights->width, weights->buckets, weights->king_buckets, shape->width, shape->buckets,
            shape->king_buckets);
    model_initialise(shape, parameters, seed);
    for (size_t row = 0; row < shape->rows; row++) {
        const bool output = row >= shape->output_row && row < shape->factor_row;
        const size_t from = source_row(weights, shape, row);
        for (int unit = 0; unit < shape->width; unit++) {
            float *to = &parameters[model_unit(shape, unit, row)];
            if (unit < weights->width)
                *to = *value_of(weights, from, unit);
            else if (output)
                *to = 0;
        }
    }
    for (int bucket = 0; bucket < shape->buckets; bucket++)
        parameters[model_output_bias(shape, bucket)] =
            *output_bias_of(weights, weights->buckets == 1 ? 0 : bucket);
    return status_ok();
}
