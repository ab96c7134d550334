#include "lab/train/weights.h"

#include "base/file.h"
#include "base/memory.h"

#include <string.h>

static const char MAGIC[8] = {'L', 'u', 'f', 't', 'F', 'l', 't', '1'};

typedef struct Header {
    char magic[8];
    uint32_t width, buckets, rows, checksum;
} Header;

static size_t value_count(const Weights *weights) {
    return weights->rows * (size_t)weights->width + (size_t)weights->buckets;
}

static uint32_t checksum_of(const void *values, size_t size) {
    return (uint32_t)text_hash((TextView){values, size});
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
    return &weights->values[row * (size_t)weights->width + (size_t)unit];
}

static float *output_bias_of(const Weights *weights, int bucket) {
    return &weights->values[weights->rows * (size_t)weights->width + (size_t)bucket];
}

/* --- files --- */

Status weights_write(const char *path, const ModelShape *shape, const float *parameters) {
    Weights weights = {.width = shape->width, .buckets = shape->buckets, .rows = shape->rows};
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
                     .rows = (uint32_t)weights.rows,
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
                          header.rows == MODEL_OUTPUT_ROW + 2 * header.buckets;
    if (!possible) return status_error("%s has weights of a shape that this program does not know", path);
    *weights = (Weights){.width = (int)header.width,
                         .buckets = (int)header.buckets,
                         .rows = header.rows,
                         .source = text_hash(bytes)};
    const size_t size = value_count(weights) * sizeof(float);
    if (bytes.length != sizeof header + size) return status_error("%s has the wrong size", path);
    if (!make_room(weights)) return status_no_memory("the weights");
    memcpy(weights->values, bytes.data + sizeof header, size);
    if (checksum_of(weights->values, size) != header.checksum)
        return status_error("%s is damaged (checksum)", path);
    return status_ok();
}

/* What the network was rounded from, as nearly as it tells. */
static Status take_network(const Network *network, Weights *weights) {
    const NetworkWeights *from = network_weights(network);
    const size_t padded = (size_t)from->width;
    *weights = (Weights){.width = network_width(network),
                         .buckets = network_buckets(network),
                         .rows = MODEL_OUTPUT_ROW + 2 * (size_t)network_buckets(network),
                         .source = network_hash(network)};
    if (!make_room(weights)) return status_no_memory("the weights");
    for (int unit = 0; unit < weights->width; unit++) {
        const size_t u = (size_t)unit;
        for (size_t input = 0; input < INPUT_COUNT; input++)
            *value_of(weights, input, unit) = (float)from->feature[input * padded + u] / HIDDEN_ONE;
        *value_of(weights, MODEL_BIAS_ROW, unit) = (float)from->feature_bias[u] / HIDDEN_ONE;
        for (size_t half = 0; half < 2 * (size_t)weights->buckets; half++)
            *value_of(weights, MODEL_OUTPUT_ROW + half, unit) =
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
        if (network) status = take_network(network, weights);
        network_destroy(network);
    }
    buffer_release(&content);
    return status;
}

/* --- beginning --- */

Status weights_begin(const Weights *weights, const ModelShape *shape, uint64_t seed, float *parameters) {
    if (weights->width > shape->width || (weights->buckets != 1 && weights->buckets != shape->buckets))
        return status_error("the weights to begin with are of width %d with %d buckets: no way to %d with %d",
                            weights->width, weights->buckets, shape->width, shape->buckets);
    model_initialise(shape, parameters, seed);
    for (int unit = 0; unit < shape->width; unit++) {
        const bool old = unit < weights->width;
        for (size_t row = 0; old && row <= MODEL_BIAS_ROW; row++)
            parameters[model_unit(shape, unit, row)] = *value_of(weights, row, unit);
        for (size_t half = 0; half < 2 * (size_t)shape->buckets; half++) {
            const size_t from = MODEL_OUTPUT_ROW + (weights->buckets == 1 ? half % 2 : half);
            parameters[model_unit(shape, unit, MODEL_OUTPUT_ROW + half)] =
                old ? *value_of(weights, from, unit) : 0;
        }
    }
    for (int bucket = 0; bucket < shape->buckets; bucket++)
        parameters[model_output_bias(shape, bucket)] =
            *output_bias_of(weights, weights->buckets == 1 ? 0 : bucket);
    return status_ok();
}
