#include "nnue/network.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/rng.h"
#include "nnue/embedded.h"

#include <inttypes.h>
#include <string.h>

struct Network {
    NetworkWeights weights; /* into `block` */
    int16_t *block;         /* on huge pages: each node reads rows from all over it */
    LayerWeights *layers;   /* NULL without */
    int32_t output_bias[BUCKETS_MAX];
    uint8_t king_bucket[KING_PLACES];
    int file_width;
    uint64_t hash;
    char name[NETWORK_NAME_CAPACITY];
};

static const char MAGIC[8] = "LuftNNUE";

/* The hash of the file with its hash field read as zeros. */
static uint64_t file_hash(const uint8_t *bytes, size_t size) {
    static const uint8_t ZEROS[8] = {0};
    const size_t after = NETWORK_HASH_OFFSET + sizeof ZEROS;
    const uint64_t hash = bytes_hash_more(bytes_hash(bytes, NETWORK_HASH_OFFSET), ZEROS, sizeof ZEROS);
    return bytes_hash_more(hash, bytes + after, size - after);
}

/* --- shape --- */

static int padded_width(int width) {
    int padded = WIDTH_PADDED_MIN;
    while (padded < width) padded *= 2;
    return padded == 1024 && width <= 768 ? 768 : padded;
}

Status network_check_shape(NetworkShape shape) {
    const uint32_t width = (uint32_t)shape.width, buckets = (uint32_t)shape.buckets;
    const uint32_t king_buckets = (uint32_t)shape.king_buckets;
    if (width < WIDTH_MIN || width > WIDTH_MAX)
        return status_error("a network of width %u cannot be: it may be %d to %d", width, WIDTH_MIN,
                            WIDTH_MAX);
    if (buckets != 1 && buckets != BUCKETS_MAX)
        return status_error("a network of %u output buckets cannot be: it may have 1 or %d", buckets,
                            BUCKETS_MAX);
    if (king_buckets < 1 || king_buckets > KING_BUCKETS_MAX)
        return status_error("a network of %u king buckets cannot be: it may have 1 to %d", king_buckets,
                            KING_BUCKETS_MAX);
    if (shape.layers != 0 && shape.layers != LAYER_COUNT)
        return status_error("a network with %d layers after its hidden units cannot be: it may have 0 or %d",
                            shape.layers, LAYER_COUNT);
    if (shape.layers > 0 && !network_layers_fit(shape.width))
        return status_error("a network of width %d cannot have layers: 128, 256, 512, 768 or 1024 may",
                            shape.width);
    return status_ok();
}

static NetworkShape shape_of(const NetworkWeights *weights) {
    return (NetworkShape){.width = weights->width,
                          .buckets = weights->buckets,
                          .king_buckets = weights->king_buckets,
                          .layers = weights->layers != NULL ? LAYER_COUNT : 0};
}

static int input_rows(const NetworkWeights *weights) { return weights->king_buckets * INPUT_COUNT; }

/* --- proof that no sum overflows --- */

/* A hidden sum is the bias and at most PIECES_MAX weights of its unit. Partial sums may wrap; the total must
 * fit. */
static Status prove_hidden_sums(const NetworkWeights *weights) {
    int low[WIDTH_MAX] = {0}, high[WIDTH_MAX] = {0};
    for (int input = 0; input < input_rows(weights); input++) {
        const int16_t *row = weights->feature + input * weights->width;
        for (int unit = 0; unit < weights->width; unit++) {
            low[unit] = int_min(low[unit], row[unit]);
            high[unit] = int_max(high[unit], row[unit]);
        }
    }
    for (int unit = 0; unit < weights->width; unit++) {
        const int least = weights->feature_bias[unit] + PIECES_MAX * low[unit];
        const int most = weights->feature_bias[unit] + PIECES_MAX * high[unit];
        if (least < INT16_MIN || most > INT16_MAX)
            return status_error("hidden unit %d could sum to %d, more than 16 bits hold", unit,
                                most > INT16_MAX ? most : least);
    }
    return status_ok();
}

/* The least and the largest sum of weights, each times at most the same input from 0 to `most`: partial sums
 * count too, so positive and negative parts are summed apart. */
typedef struct Bounds {
    int64_t low, high;
} Bounds;

static void add_weight(Bounds *bounds, int weight, int most) {
    if (weight > 0) bounds->high += (int64_t)weight * most;
    if (weight < 0) bounds->low += (int64_t)weight * most;
}

static bool fits(const Bounds *bounds, int32_t bias) {
    return bounds->low + int_min(bias, 0) >= INT32_MIN && bounds->high + int_max(bias, 0) <= INT32_MAX;
}

static Status prove_output_sums(const NetworkWeights *weights) {
    for (int bucket = 0; bucket < weights->buckets; bucket++) {
        const int16_t *row = weights->output + bucket * 2 * weights->width;
        Bounds bounds = {0};
        for (int i = 0; i < 2 * weights->width; i++) {
            if (row[i] > OUTPUT_WEIGHT_MAX || row[i] < -OUTPUT_WEIGHT_MAX)
                return status_error("output weight %d of bucket %d is %d, beyond %d", i, bucket, row[i],
                                    OUTPUT_WEIGHT_MAX);
            add_weight(&bounds, row[i], HIDDEN_ONE * HIDDEN_ONE);
        }
        if (!fits(&bounds, weights->output_bias[bucket]))
            return status_error("the output of bucket %d could sum to more than 32 bits hold", bucket);
    }
    return status_ok();
}

static Status refuse(int layer, int unit, int bucket) {
    return status_error("unit %d of layer %d of bucket %d could sum to more than 32 bits hold", unit, layer,
                        bucket);
}

static Status prove_layers(const LayerWeights *layers, int width, int bucket) {
    for (int i = 0; i < width * LAYER1_UNITS; i++)
        if (layers->first[i] < -LAYER1_WEIGHT_MAX)
            return status_error("weight %d of layer 1 of bucket %d is %d, beyond %d", i, bucket,
                                layers->first[i], LAYER1_WEIGHT_MAX);
    for (int unit = 0; unit < LAYER1_UNITS; unit++) {
        Bounds bounds = {0};
        for (int input = 0; input < width; input++)
            add_weight(&bounds, layers->first[layer1_index(input, unit)], PRODUCT_MAX);
        if (!fits(&bounds, layers->first_bias[unit])) return refuse(1, unit, bucket);
    }
    for (int unit = 0; unit < LAYER2_UNITS; unit++) {
        Bounds bounds = {0};
        for (int input = 0; input < LAYER2_INPUTS; input++)
            add_weight(&bounds, layers->second[layer2_index(input, unit)], ACTIVE1_ONE);
        if (!fits(&bounds, layers->second_bias[unit])) return refuse(2, unit, bucket);
    }
    Bounds bounds = {0};
    for (int input = 0; input < LAYER2_UNITS; input++) add_weight(&bounds, layers->third[input], ACTIVE2_ONE);
    return fits(&bounds, layers->third_bias) ? status_ok() : refuse(3, 0, bucket);
}

static Status prove_sums(const NetworkWeights *weights) {
    Status status = prove_hidden_sums(weights);
    if (!status_is_ok(&status)) return status;
    if (weights->layers == NULL) return prove_output_sums(weights);
    for (int bucket = 0; bucket < weights->buckets && status_is_ok(&status); bucket++)
        status = prove_layers(&weights->layers[bucket], weights->width, bucket);
    return status;
}

/* --- file --- */

static uint8_t *put_16(uint8_t *bytes, const int16_t *numbers, int count) {
    for (int i = 0; i < count; i++) bytes_put(bytes + 2 * i, (uint16_t)numbers[i], 2);
    return bytes + 2 * count;
}

static uint8_t *put_32(uint8_t *bytes, const int32_t *numbers, int count) {
    for (int i = 0; i < count; i++) bytes_put(bytes + 4 * i, (uint32_t)numbers[i], 4);
    return bytes + 4 * count;
}

static uint8_t *encode_layers(const LayerWeights *layers, int width, uint8_t *bytes) {
    for (int i = 0; i < width * LAYER1_UNITS; i++) *bytes++ = (uint8_t)layers->first[i];
    bytes = put_32(bytes, layers->first_bias, LAYER1_UNITS);
    bytes = put_16(bytes, layers->second, LAYER2_INPUTS * LAYER2_UNITS);
    bytes = put_32(bytes, layers->second_bias, LAYER2_UNITS);
    bytes = put_16(bytes, layers->third, LAYER2_UNITS);
    return put_32(bytes, &layers->third_bias, 1);
}

static uint8_t *encode_outputs(uint8_t *at, const NetworkWeights *weights, int width) {
    if (weights->layers != NULL) {
        for (int bucket = 0; bucket < weights->buckets; bucket++)
            at = encode_layers(&weights->layers[bucket], width, at);
        return at;
    }
    for (int half = 0; half < 2 * weights->buckets; half++)
        at = put_16(at, weights->output + half * weights->width, width);
    return put_32(at, weights->output_bias, weights->buckets);
}

static int version_of(const NetworkWeights *weights) {
    if (weights->layers != NULL) return NETWORK_VERSION_LAYERS;
    return weights->king_buckets > 1 ? NETWORK_VERSION_KINGS : NETWORK_VERSION;
}

/* Fills `bytes` (network_file_size) from weights that may be padded to more than `width`. */
static void encode(uint8_t *bytes, const NetworkWeights *weights, int width, const char *name) {
    const int version = version_of(weights);
    memcpy(bytes, MAGIC, sizeof MAGIC);
    bytes_put(bytes + 8, (uint64_t)version, 4);
    bytes_put(bytes + 12, INPUT_COUNT, 4);
    bytes_put(bytes + 16, (uint64_t)width, 4);
    bytes_put(bytes + 20, (uint64_t)weights->buckets, 4);
    bytes_put(bytes + 24, HIDDEN_ONE, 4);
    bytes_put(bytes + 28, OUTPUT_ONE, 4);
    memset(bytes + NETWORK_NAME_OFFSET, 0, NETWORK_NAME_CAPACITY);
    text_copy(text_view(name), (char *)bytes + NETWORK_NAME_OFFSET, NETWORK_NAME_CAPACITY);
    uint8_t *at = bytes + NETWORK_HEADER_SIZE;
    if (version != NETWORK_VERSION) {
        bytes_put(at, (uint64_t)weights->king_buckets, 4);
        memset(at + 4, 0, KING_PLACES);
        if (weights->king_buckets > 1) memcpy(at + 4, weights->king_bucket, KING_PLACES);
        at += NETWORK_KINGS_SIZE;
    }
    if (version == NETWORK_VERSION_LAYERS) {
        bytes_put(at, LAYER1_UNITS, 4);
        bytes_put(at + 4, LAYER2_UNITS, 4);
        at += NETWORK_LAYERS_SIZE;
    }
    for (int input = 0; input < input_rows(weights); input++)
        at = put_16(at, weights->feature + input * weights->width, width);
    at = put_16(at, weights->feature_bias, width);
    at = encode_outputs(at, weights, width);
    bytes_put(bytes + NETWORK_HASH_OFFSET, file_hash(bytes, (size_t)(at - bytes)), 8);
}

static Status check_field(const uint8_t *bytes, unsigned offset, uint32_t expected, const char *what) {
    const uint32_t found = (uint32_t)bytes_get(bytes + offset, 4);
    return found == expected
               ? status_ok()
               : status_error("byte %u: %s is %u, this program reads %u", offset, what, found, expected);
}

/* Bytes after the end of the name would be lost when the network is written again, and its hash would change.
 */
static Status check_name(const uint8_t *name) {
    const uint8_t *end = memchr(name, 0, NETWORK_NAME_CAPACITY);
    if (end == NULL) return status_error("byte %d: the name has no end", NETWORK_NAME_OFFSET);
    for (const uint8_t *at = name; at < end; at++)
        if (*at < ' ' || *at == 127)
            return status_error("byte %d: a control character in the name",
                                NETWORK_NAME_OFFSET + (int)(at - name));
    for (; end < name + NETWORK_NAME_CAPACITY; end++)
        if (*end != 0)
            return status_error("byte %d: something comes after the name",
                                NETWORK_NAME_OFFSET + (int)(end - name));
    return status_ok();
}

static uint32_t version_in(const uint8_t *bytes) { return (uint32_t)bytes_get(bytes + 8, 4); }

static uint32_t king_buckets_in(const uint8_t *bytes) {
    return version_in(bytes) != NETWORK_VERSION ? (uint32_t)bytes_get(bytes + NETWORK_HEADER_SIZE, 4) : 1;
}

/* The shape in the header, without its king buckets, which check_kings reads. */
static NetworkShape shape_in(const uint8_t *bytes) {
    return (NetworkShape){.width = (int)bytes_get(bytes + 16, 4),
                          .buckets = (int)bytes_get(bytes + 20, 4),
                          .king_buckets = 1,
                          .layers = version_in(bytes) == NETWORK_VERSION_LAYERS ? LAYER_COUNT : 0};
}

/* One bucket without layers is version 1: a network has one file only, and one hash. */
static Status check_kings(const uint8_t *bytes, size_t size) {
    const uint32_t version = version_in(bytes), least = version == NETWORK_VERSION_KINGS ? 2 : 1;
    if (version == NETWORK_VERSION) return status_ok();
    if (size < NETWORK_HEADER_SIZE + NETWORK_KINGS_SIZE)
        return status_error("cut short at byte %zu, in the king buckets", size);
    const uint32_t count = king_buckets_in(bytes);
    if (count < least || count > KING_BUCKETS_MAX)
        return status_error("byte %d: there cannot be %u king buckets, but %u to %d", NETWORK_HEADER_SIZE,
                            count, least, KING_BUCKETS_MAX);
    for (int place = 0; place < KING_PLACES; place++) {
        const int at = NETWORK_HEADER_SIZE + 4 + place;
        if (bytes[at] >= count)
            return status_error("byte %d: king bucket %u of %u does not exist", at, bytes[at], count);
    }
    return status_ok();
}

static Status check_layers(const uint8_t *bytes, size_t size) {
    const unsigned at = NETWORK_HEADER_SIZE + NETWORK_KINGS_SIZE;
    if (version_in(bytes) != NETWORK_VERSION_LAYERS) return status_ok();
    if (size < at + NETWORK_LAYERS_SIZE) return status_error("cut short at byte %zu, in the layers", size);
    Status status = check_field(bytes, at, LAYER1_UNITS, "the number of units in layer 1");
    if (status_is_ok(&status))
        status = check_field(bytes, at + 4, LAYER2_UNITS, "the number of units in layer 2");
    return status;
}

/* All of the bytes before the weights. */
static Status check_header(const uint8_t *bytes, size_t size) {
    if (size < NETWORK_HEADER_SIZE)
        return status_error("not a network: %zu bytes, its header alone has %d", size, NETWORK_HEADER_SIZE);
    if (memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return status_error("not a network of Luft: byte 0 does not begin '%.8s'", MAGIC);
    const uint32_t version = version_in(bytes);
    if (version < NETWORK_VERSION || version > NETWORK_VERSION_LAYERS)
        return status_error("byte 8: the version is %u, this program reads %d to %d", version,
                            NETWORK_VERSION, NETWORK_VERSION_LAYERS);
    Status status = check_field(bytes, 12, INPUT_COUNT, "the number of inputs");
    if (status_is_ok(&status)) status = check_field(bytes, 24, HIDDEN_ONE, "the hidden scale");
    if (status_is_ok(&status)) status = check_field(bytes, 28, OUTPUT_ONE, "the output scale");
    if (!status_is_ok(&status)) return status;
    status = network_check_shape(shape_in(bytes));
    if (!status_is_ok(&status)) return status_error("bytes 16 to 23: %.200s", status.reason);
    status = check_kings(bytes, size);
    return status_is_ok(&status) ? check_layers(bytes, size) : status;
}

/* All checks of the bytes except the proof of the sums. */
static Status check_file(const uint8_t *bytes, size_t size) {
    Status status = check_header(bytes, size);
    if (!status_is_ok(&status)) return status;
    NetworkShape shape = shape_in(bytes);
    shape.king_buckets = (int)king_buckets_in(bytes);
    const size_t expected = network_file_size(&shape);
    if (size != expected)
        return status_error("%s at byte %zu: width %d, %d buckets, %d king buckets and %d layers take %zu "
                            "bytes",
                            size < expected ? "cut short" : "too long", size < expected ? size : expected,
                            shape.width, shape.buckets, shape.king_buckets, shape.layers, expected);
    status = check_name(bytes + NETWORK_NAME_OFFSET);
    if (status_is_ok(&status) && file_hash(bytes, size) != bytes_get(bytes + NETWORK_HASH_OFFSET, 8))
        status = status_error("damaged: the checksum at byte %d does not fit the rest", NETWORK_HASH_OFFSET);
    return status;
}

/* --- making --- */

static const uint8_t *get_16(const uint8_t *bytes, int16_t *numbers, int count) {
    for (int i = 0; i < count; i++) numbers[i] = (int16_t)bytes_get(bytes + 2 * i, 2);
    return bytes + 2 * count;
}

static const uint8_t *get_32(const uint8_t *bytes, int32_t *numbers, int count) {
    for (int i = 0; i < count; i++) numbers[i] = (int32_t)bytes_get(bytes + 4 * i, 4);
    return bytes + 4 * count;
}

static const uint8_t *decode_layers(LayerWeights *layers, int width, const uint8_t *bytes) {
    for (int i = 0; i < width * LAYER1_UNITS; i++) layers->first[i] = (int8_t)*bytes++;
    bytes = get_32(bytes, layers->first_bias, LAYER1_UNITS);
    bytes = get_16(bytes, layers->second, LAYER2_INPUTS * LAYER2_UNITS);
    bytes = get_32(bytes, layers->second_bias, LAYER2_UNITS);
    bytes = get_16(bytes, layers->third, LAYER2_UNITS);
    return get_32(bytes, &layers->third_bias, 1);
}

/* Rows of the block: the inputs' weights, the biases; without layers two halves for each bucket. */
static int row_count(const NetworkWeights *weights) {
    return input_rows(weights) + 1 + (weights->layers != NULL ? 0 : 2 * weights->buckets);
}
static size_t block_size(const NetworkWeights *weights) {
    return (size_t)row_count(weights) * (size_t)weights->width * sizeof(int16_t);
}

/* Copies the weights after a checked header into blocks of their own, padded. */
static bool copy_weights(Network *network, const uint8_t *bytes) {
    NetworkWeights *weights = &network->weights;
    NetworkShape shape = shape_in(bytes);
    shape.king_buckets = (int)king_buckets_in(bytes);
    *weights = (NetworkWeights){.width = padded_width(shape.width),
                                .buckets = shape.buckets,
                                .king_buckets = shape.king_buckets,
                                .king_bucket = network->king_bucket};
    if (shape.layers > 0) {
        const size_t size = (size_t)shape.buckets * sizeof *network->layers;
        weights->layers = network->layers = memory_allocate_aligned(size, 64);
        if (network->layers == NULL) return false;
    }
    if (shape.king_buckets > 1) memcpy(network->king_bucket, bytes + NETWORK_HEADER_SIZE + 4, KING_PLACES);
    bytes += network_header_size(&shape);
    network->block = memory_allocate_large(block_size(weights));
    if (network->block == NULL) return false;
    for (int row = 0; row < row_count(weights); row++)
        bytes = get_16(bytes, network->block + row * weights->width, shape.width);
    weights->feature = network->block;
    weights->feature_bias = network->block + input_rows(weights) * weights->width;
    if (shape.layers > 0) {
        for (int bucket = 0; bucket < shape.buckets; bucket++)
            bytes = decode_layers(&network->layers[bucket], shape.width, bytes);
        return true;
    }
    weights->output = weights->feature_bias + weights->width;
    (void)get_32(bytes, network->output_bias, shape.buckets);
    weights->output_bias = network->output_bias;
    return true;
}

static Network *fail(Network *network, Status reason, Status *status) {
    network_destroy(network);
    *status = reason;
    return NULL;
}

Network *network_parse(const void *file, size_t size, Status *status) {
    const uint8_t *bytes = file;
    Status checked = check_file(bytes, size);
    if (!status_is_ok(&checked)) return fail(NULL, checked, status);
    Network *network = memory_allocate(sizeof *network);
    if (network == NULL) return fail(NULL, status_no_memory("a network"), status);
    network->file_width = shape_in(bytes).width;
    network->hash = bytes_get(bytes + NETWORK_HASH_OFFSET, 8);
    memcpy(network->name, bytes + NETWORK_NAME_OFFSET, NETWORK_NAME_CAPACITY);
    if (!copy_weights(network, bytes)) return fail(network, status_no_memory("a network"), status);
    Status proved = prove_sums(&network->weights);
    if (!status_is_ok(&proved)) return fail(network, proved, status);
    *status = status_ok();
    return network;
}

/* Made from the bytes of its file, so one path checks, proves and pads every network. */
Network *network_create(const NetworkWeights *weights, const char *name, Status *status) {
    const NetworkShape shape = shape_of(weights);
    *status = network_check_shape(shape);
    if (!status_is_ok(status)) return NULL;
    const size_t size = network_file_size(&shape);
    uint8_t *bytes = memory_allocate(size);
    if (bytes == NULL) return fail(NULL, status_no_memory("a network"), status);
    encode(bytes, weights, weights->width, name);
    Network *network = network_parse(bytes, size, status);
    memory_release(bytes);
    return network;
}

static int random_within(Rng *rng, int limit) { return (int)rng_below(rng, 2 * (uint64_t)limit + 1) - limit; }

/* Values of some hundred units. */
static void randomise_layers(LayerWeights *layers, int width, Rng *rng) {
    /* Sums of about +-1, as far as products of a seventh allow. */
    int limit = LAYER1_WEIGHT_MAX;
    while (limit * limit * width > 16 * 64 * 64 * 3) limit--;
    for (int i = 0; i < width * LAYER1_UNITS; i++) layers->first[i] = (int8_t)random_within(rng, limit);
    for (int i = 0; i < LAYER2_INPUTS * LAYER2_UNITS; i++)
        layers->second[i] = (int16_t)random_within(rng, LAYER2_WEIGHT_ONE);
    for (int i = 0; i < LAYER2_UNITS; i++) layers->third[i] = (int16_t)random_within(rng, LAYER3_WEIGHT_ONE);
    for (int i = 0; i < LAYER1_UNITS; i++) layers->first_bias[i] = random_within(rng, LAYER1_ONE / 2);
    for (int i = 0; i < LAYER2_UNITS; i++) layers->second_bias[i] = random_within(rng, LAYER2_ONE / 2);
    layers->third_bias = 0;
}

/* Hidden sums of about +-0.5, output weights falling with the root of the width: values of some hundred
 * units. */
static Network *create_random(uint64_t seed, NetworkShape shape, int16_t *numbers, LayerWeights *layers,
                              Status *status) {
    const int width = shape.width, output_count = layers != NULL ? 0 : 2 * shape.buckets * width;
    const int feature_count = (INPUT_COUNT * shape.king_buckets + 1) * width;
    int output_limit = OUTPUT_WEIGHT_MAX;
    while (output_limit * output_limit * width > 9 * OUTPUT_ONE * OUTPUT_ONE) output_limit--;
    Rng rng = rng_seed(seed);
    for (int i = 0; i < feature_count; i++) numbers[i] = (int16_t)random_within(&rng, HIDDEN_ONE / 7);
    for (int i = 0; i < output_count; i++)
        numbers[feature_count + i] = (int16_t)random_within(&rng, output_limit);
    for (int bucket = 0; layers != NULL && bucket < shape.buckets; bucket++)
        randomise_layers(&layers[bucket], width, &rng);
    static const int32_t no_bias[BUCKETS_MAX];
    uint8_t king_bucket[KING_PLACES];
    for (int place = 0; place < KING_PLACES; place++)
        king_bucket[place] = (uint8_t)(place * shape.king_buckets / KING_PLACES);
    NetworkWeights weights = {.width = width,
                              .buckets = shape.buckets,
                              .feature = numbers,
                              .feature_bias = numbers + feature_count - width,
                              .output = numbers + feature_count,
                              .king_buckets = shape.king_buckets,
                              .king_bucket = king_bucket,
                              .output_bias = no_bias,
                              .layers = layers};
    char name[NETWORK_NAME_CAPACITY];
    text_format(name, sizeof name, "random, seed %" PRIu64, seed);
    return network_create(&weights, name, status);
}

Network *network_create_random(uint64_t seed, NetworkShape shape, Status *status) {
    *status = network_check_shape(shape);
    if (!status_is_ok(status)) return NULL;
    const size_t rows = (size_t)INPUT_COUNT * (size_t)shape.king_buckets + 1 + 2 * (size_t)shape.buckets;
    int16_t *numbers = memory_allocate(rows * (size_t)shape.width * sizeof *numbers);
    LayerWeights *layers = NULL;
    if (shape.layers > 0) layers = memory_allocate_aligned((size_t)shape.buckets * sizeof *layers, 64);
    Network *network = NULL;
    if (numbers != NULL && (layers != NULL || shape.layers == 0))
        network = create_random(seed, shape, numbers, layers, status);
    else
        *status = status_no_memory("a network");
    memory_release_aligned(layers);
    memory_release(numbers);
    return network;
}

/* A pipe or a device might never end, and the standard input carries the commands. */
static Status check_path(const char *path) {
    const long long size = file_size(path);
    const NetworkShape largest = {WIDTH_MAX, BUCKETS_MAX, KING_BUCKETS_MAX, LAYER_COUNT};
    const long long most = (long long)network_file_size(&largest);
    if (size == 0 || strcmp(path, "-") == 0) return status_error("%.200s is empty, or no file", path);
    if (size > most)
        return status_error("%.200s has %lld bytes, more than any network (%lld)", path, size, most);
    return status_ok(); /* or missing: reading says so */
}

Network *network_load(const char *path, Status *status) {
    TextBuffer content = {0};
    Network *network = NULL;
    *status = check_path(path);
    if (status_is_ok(status)) *status = file_read(path, &content);
    if (status_is_ok(status)) {
        Status parsed;
        network = network_parse(buffer_string(&content), content.length, &parsed);
        if (network == NULL) *status = status_error("%.90s: %.160s", path, parsed.reason);
    }
    buffer_release(&content);
    return network;
}

Network *network_open_embedded(Status *status) {
    size_t size;
    const void *bytes = embedded_network(&size);
    if (bytes == NULL) {
        *status = status_error("this program was built without a network: one must be provided first");
        return NULL;
    }
    Status made;
    Network *network = network_parse(bytes, size, &made);
    *status = network != NULL ? made : status_error("the network in this program: %.200s", made.reason);
    return network;
}

void network_destroy(Network *network) {
    if (network == NULL) return;
    memory_release_large(network->block, block_size(&network->weights));
    memory_release_aligned(network->layers);
    memory_release(network);
}

/* --- reading --- */

void network_serialise(const Network *network, TextBuffer *out) {
    const NetworkShape shape = network_shape(network);
    const size_t size = network_file_size(&shape);
    uint8_t *bytes = memory_allocate(size);
    if (bytes == NULL) {
        out->failed = true;
        return;
    }
    encode(bytes, &network->weights, network->file_width, network->name);
    buffer_append(out, (TextView){(const char *)bytes, size});
    memory_release(bytes);
}

Status network_save(const Network *network, const char *path) {
    TextBuffer bytes = {0};
    network_serialise(network, &bytes);
    Status status =
        bytes.failed ? status_no_memory("%.200s", path) : file_write(path, bytes.data, bytes.length);
    buffer_release(&bytes);
    return status;
}

uint64_t network_hash(const Network *network) { return network->hash; }
const char *network_name(const Network *network) { return network->name; }
int network_width(const Network *network) { return network->file_width; }
NetworkShape network_shape(const Network *network) {
    NetworkShape shape = shape_of(&network->weights);
    shape.width = network->file_width;
    return shape;
}
const NetworkWeights *network_weights(const Network *network) { return &network->weights; }

int network_value(const Network *network, int bucket, int32_t sum) {
    if (network->layers != NULL) {
        const int64_t value = (int64_t)sum * VALUE_ONE / LAYER3_ONE;
        return int_clamp((int)value, -VALUE_MAX, VALUE_MAX);
    }
    return int_clamp((sum + network->output_bias[bucket]) / OUTPUT_DIVISOR, -VALUE_MAX, VALUE_MAX);
}
