/* Network files: round trips, refusals with reasons, and the proof that no sum overflows. */
#include "nnue/network.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "nnue/embedded.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static Network *random_network(int width, int buckets) {
    Status status;
    Network *network = network_create_random(1, (NetworkShape){width, buckets, 1, 0}, &status);
    if (network == NULL) fail_msg("%s", status.reason);
    return network;
}

static TextBuffer bytes_of(const Network *network) {
    TextBuffer bytes = {0};
    network_serialise(network, &bytes);
    assert_false(bytes.failed);
    return bytes;
}

static Network *parse(const TextBuffer *bytes) {
    Status status;
    Network *network = network_parse(bytes->data, bytes->length, &status);
    if (network == NULL) fail_msg("%s", status.reason);
    return network;
}

static void test_round_trip(void **state) {
    (void)state;
    static const int SHAPES[][2] = {{1, 1}, {8, 8}, {32, 1}, {33, 8}, {64, 1}, {256, 8}, {512, 8}};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        Network *first = random_network(SHAPES[i][0], SHAPES[i][1]);
        TextBuffer bytes = bytes_of(first);
        assert_int_equal(network_file_size(&(NetworkShape){SHAPES[i][0], SHAPES[i][1], 1, 0}), bytes.length);
        Network *second = parse(&bytes);
        TextBuffer again = bytes_of(second);
        assert_int_equal(bytes.length, again.length);
        assert_memory_equal(bytes.data, again.data, bytes.length);
        assert_true(network_hash(first) == network_hash(second));
        assert_int_equal(SHAPES[i][0], network_width(second));
        assert_int_equal(SHAPES[i][1], network_shape(second).buckets);
        assert_string_equal("random, seed 1", network_name(second));
        buffer_release(&bytes);
        buffer_release(&again);
        network_destroy(first);
        network_destroy(second);
    }
}

/* Data generation needs the same random network on every machine. */
static void test_random_is_reproducible(void **state) {
    (void)state;
    Network *a = random_network(32, 1), *b = random_network(32, 1);
    assert_true(network_hash(a) == network_hash(b));
    Status status;
    Network *c = network_create_random(2, (NetworkShape){32, 1, 1, 0}, &status);
    assert_true(network_hash(a) != network_hash(c));
    assert_true(network_hash(a) == 0x9E89D8F94B1F4929u);
    network_destroy(a);
    network_destroy(b);
    network_destroy(c);
}

static void test_rows_are_aligned_and_padded(void **state) {
    (void)state;
    Network *network = random_network(40, 8);
    const NetworkWeights *weights = network_weights(network);
    assert_int_equal(64, weights->width);
    assert_int_equal(0, (uintptr_t)weights->feature % 64);
    assert_int_equal(0, (uintptr_t)weights->feature_bias % 64);
    assert_int_equal(0, (uintptr_t)weights->output % 64);
    for (int row = 0; row < INPUT_COUNT; row++)
        for (int unit = 40; unit < 64; unit++) assert_int_equal(0, weights->feature[row * 64 + unit]);
    for (int unit = 40; unit < 64; unit++) assert_int_equal(0, weights->feature_bias[unit]);
    for (int row = 0; row < 16; row++)
        for (int unit = 40; unit < 64; unit++) assert_int_equal(0, weights->output[row * 64 + unit]);
    network_destroy(network);
}

/* --- refusals --- */

static void assert_refused(const TextBuffer *bytes, size_t size, const char *reason) {
    Status status;
    assert_null(network_parse(bytes->data, size, &status));
    if (strstr(status.reason, reason) == NULL) fail_msg("\"%s\" does not say \"%s\"", status.reason, reason);
}

/* Corrects the checksum after a change. */
static void fix_hash(TextBuffer *bytes) {
    uint8_t *field = (uint8_t *)bytes->data + NETWORK_HASH_OFFSET;
    memset(field, 0, 8);
    bytes_put(field, bytes_hash(bytes->data, bytes->length), 8);
}

static void refuse_changed(const TextBuffer *bytes, size_t offset, char value, const char *reason) {
    char old = bytes->data[offset];
    bytes->data[offset] = value;
    assert_refused(bytes, bytes->length, reason);
    bytes->data[offset] = old;
}

static void test_refuses_other_files(void **state) {
    (void)state;
    Network *network = random_network(32, 1);
    TextBuffer bytes = bytes_of(network);
    assert_refused(&bytes, 0, "0 bytes");
    assert_refused(&bytes, 127, "127 bytes");
    assert_refused(&bytes, 128, "cut short at byte 128");
    assert_refused(&bytes, bytes.length - 1, "cut short");
    refuse_changed(&bytes, 0, 'X', "byte 0");
    refuse_changed(&bytes, 8, 4, "byte 8: the version is 4, this program reads 1 to 3");
    refuse_changed(&bytes, 8, 3, "a network of width 32 cannot have layers");
    refuse_changed(&bytes, 12, 1, "byte 12: the number of inputs");
    refuse_changed(&bytes, 16, 0, "width 0");
    refuse_changed(&bytes, 18, 1, "width 65568");
    refuse_changed(&bytes, 19, (char)0x80, "width 2147483680");
    refuse_changed(&bytes, 16, 33, "cut short");
    refuse_changed(&bytes, 16, 31, "too long");
    refuse_changed(&bytes, 20, 2, "2 output buckets");
    refuse_changed(&bytes, 20, 8, "cut short");
    refuse_changed(&bytes, 24, 1, "byte 24");
    refuse_changed(&bytes, 28, 1, "byte 28");
    refuse_changed(&bytes, 32, (char)(bytes.data[32] + 1), "checksum");
    refuse_changed(&bytes, 40, 'R', "checksum");
    refuse_changed(&bytes, NETWORK_HEADER_SIZE - 1, 1,
                   "byte 127: something comes after the name"); /* fuzzed */
    refuse_changed(&bytes, bytes.length - 1, 1, "checksum");
    buffer_append_char(&bytes, 0);
    assert_refused(&bytes, bytes.length, "too long");
    buffer_release(&bytes);
    network_destroy(network);
}

/* Programs print the name and write it back. */
static void test_refuses_bad_names(void **state) {
    (void)state;
    static const struct {
        size_t at;
        char value;
        const char *reason;
    } FAULTS[] = {{2, '\n', "byte 42: a control"}, {50, 'x', "byte 90: something"}, {87, 1, "byte 127"}};
    Network *network = random_network(8, 1);
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        TextBuffer bytes = bytes_of(network);
        bytes.data[NETWORK_NAME_OFFSET + FAULTS[i].at] = FAULTS[i].value;
        fix_hash(&bytes);
        assert_refused(&bytes, bytes.length, FAULTS[i].reason);
        buffer_release(&bytes);
    }
    TextBuffer bytes = bytes_of(network);
    memset(bytes.data + NETWORK_NAME_OFFSET, 'n', NETWORK_NAME_CAPACITY);
    fix_hash(&bytes);
    assert_refused(&bytes, bytes.length, "byte 40: the name has no end");
    buffer_release(&bytes);
    network_destroy(network);
}

/* Every flipped bit is detected. */
static void test_refuses_any_flipped_bit(void **state) {
    (void)state;
    Network *network = random_network(1, 1);
    TextBuffer bytes = bytes_of(network);
    for (size_t bit = 0; bit < 8 * bytes.length; bit++) {
        bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ (1 << bit % 8));
        Status status;
        assert_null(network_parse(bytes.data, bytes.length, &status));
        assert_string_not_equal("", status.reason);
        bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ (1 << bit % 8));
    }
    buffer_release(&bytes);
    network_destroy(network);
}

static void test_files(void **state) {
    (void)state;
    Network *network = random_network(16, 8);
    char path[64];
    text_format(path, sizeof path, "/tmp/luft-test-network-%ld", (long)getpid());
    Status status = network_save(network, path);
    assert_string_equal("", status.reason);
    Network *loaded = network_load(path, &status);
    assert_non_null(loaded);
    assert_string_equal("", status.reason);
    assert_true(network_hash(network) == network_hash(loaded));
    status = file_write(path, "no network", 10);
    assert_string_equal("", status.reason);
    assert_null(network_load(path, &status));
    assert_non_null(strstr(status.reason, path));
    assert_non_null(strstr(status.reason, "10 bytes"));
    remove(path);
    assert_null(network_load(path, &status));
    assert_non_null(strstr(status.reason, path));
    network_destroy(network);
    network_destroy(loaded);
}

/* --- proofs --- */

enum { WIDTH = 300, BUCKETS = 8 };

typedef struct Numbers {
    int16_t feature[INPUT_COUNT * WIDTH], feature_bias[WIDTH], output[BUCKETS * 2 * WIDTH];
    int32_t output_bias[BUCKETS];
} Numbers;

static bool accepted(const Numbers *numbers, const char *reason) {
    NetworkWeights weights = {
        WIDTH, BUCKETS, numbers->feature, numbers->feature_bias, numbers->output, numbers->output_bias, 1,
        NULL,  NULL};
    Status status;
    Network *network = network_create(&weights, "test", &status);
    if (network == NULL && strstr(status.reason, reason) == NULL) fail_msg("%s", status.reason);
    bool made = network != NULL;
    network_destroy(network);
    return made;
}

static void test_hidden_sums_are_proved(void **state) {
    (void)state;
    Numbers *numbers = calloc(1, sizeof *numbers);
    assert_true(accepted(numbers, ""));
    int16_t *weight = &numbers->feature[500 * WIDTH + 77], *bias = &numbers->feature_bias[77];
    *weight = 1000, *bias = INT16_MAX - 32000;
    assert_true(accepted(numbers, ""));
    *bias += 1;
    assert_false(accepted(numbers, "hidden unit 77 could sum to 32768"));
    *weight = -1000, *bias = INT16_MIN + 32000;
    assert_true(accepted(numbers, ""));
    *bias -= 1;
    assert_false(accepted(numbers, "hidden unit 77 could sum to -32769"));
    free(numbers);
}

static void test_output_sums_are_proved(void **state) {
    (void)state;
    Numbers *numbers = calloc(1, sizeof *numbers);
    int16_t *row = numbers->output + 5 * 2 * WIDTH;
    row[3] = OUTPUT_WEIGHT_MAX + 1;
    assert_false(accepted(numbers, "output weight 3 of bucket 5 is 128"));
    row[3] = -OUTPUT_WEIGHT_MAX - 1;
    assert_false(accepted(numbers, "output weight 3 of bucket 5 is -128"));
    for (int sign = -1; sign <= 1; sign += 2) {
        /* 260 * 127 * 255^2 = 2147127... is just inside 32 bits; the bias takes it out. */
        for (int i = 0; i < 2 * WIDTH; i++) row[i] = (int16_t)(i < 260 ? sign * OUTPUT_WEIGHT_MAX : 0);
        numbers->output_bias[5] = sign * 350000;
        assert_true(accepted(numbers, ""));
        numbers->output_bias[5] = sign * 400000;
        assert_false(accepted(numbers, "bucket 5"));
        for (int i = 260; i < 520; i++) row[i] = (int16_t)(-sign * OUTPUT_WEIGHT_MAX);
        numbers->output_bias[5] = 0;
        assert_true(accepted(numbers, "")); /* weights of both signs do not add up */
    }
    free(numbers);
}

static void test_shapes_are_checked(void **state) {
    (void)state;
    Status status;
    assert_null(network_create_random(1, (NetworkShape){0, 1, 1, 0}, &status));
    assert_null(network_create_random(1, (NetworkShape){1025, 1, 1, 0}, &status));
    assert_null(network_create_random(1, (NetworkShape){-1, 1, 1, 0}, &status));
    assert_null(network_create_random(1, (NetworkShape){32, 0, 1, 0}, &status));
    assert_null(network_create_random(1, (NetworkShape){32, 4, 1, 0}, &status));
    assert_non_null(strstr(status.reason, "4 output buckets"));
    assert_null(network_create_random(1, (NetworkShape){128, 1, 1, 1}, &status));
    assert_non_null(strstr(status.reason, "1 layers after"));
    assert_null(network_create_random(1, (NetworkShape){384, 1, 1, LAYER_COUNT}, &status));
    assert_non_null(strstr(status.reason, "width 384 cannot have layers"));
}

/* Version 2: with king buckets. */
static void test_king_buckets_are_kept_and_checked(void **state) {
    (void)state;
    enum { SMALL = 9, KINGS = 4 };
    static int16_t feature[KINGS * INPUT_COUNT * SMALL], rest[3 * SMALL];
    static const int32_t no_bias[1] = {0};
    uint8_t bucket[KING_PLACES];
    for (int i = 0; i < KINGS * INPUT_COUNT * SMALL; i++) feature[i] = (int16_t)(i % 201 - 100);
    for (int i = 0; i < KING_PLACES; i++) bucket[i] = (uint8_t)(i / 8);
    const NetworkWeights weights = {SMALL, 1, feature, rest, rest + SMALL, no_bias, KINGS, bucket, NULL};
    Status status;
    Network *network = network_create(&weights, "kings", &status), *again;
    assert_non_null(network);
    TextBuffer bytes = bytes_of(network);
    assert_int_equal(network_file_size(&(NetworkShape){SMALL, 1, KINGS, 0}), bytes.length);
    again = parse(&bytes);
    assert_int_equal(network_shape(again).king_buckets, KINGS);
    const NetworkWeights *read = network_weights(again);
    assert_memory_equal(read->king_bucket, bucket, sizeof bucket);
    for (int input = 0; input < KINGS * INPUT_COUNT; input++)
        assert_memory_equal(read->feature + input * read->width, feature + input * SMALL, SMALL * 2);
    assert_true(network_feature(read, WHITE, H8) == read->feature + 3 * INPUT_COUNT * read->width);
    assert_true(network_feature(read, BLACK, H8) == read->feature);
    assert_true(network_hash(again) == network_hash(network));

    refuse_changed(&bytes, 128, 1, "there cannot be 1 king buckets");
    refuse_changed(&bytes, 128, 9, "there cannot be 9 king buckets");
    refuse_changed(&bytes, 128, 3, "king bucket 3 of 3");
    refuse_changed(&bytes, 132, 4, "byte 132: king bucket 4 of 4");
    refuse_changed(&bytes, 140, 2, "checksum");
    assert_null(network_parse(bytes.data, 140, &status));
    assert_non_null(strstr(status.reason, "cut short at byte 140, in the king buckets"));
    buffer_release(&bytes);
    network_destroy(network);
    network_destroy(again);
}

/* Version 3: two layers instead of the output weights, with and without king buckets. */
static void test_layers_are_kept_and_checked(void **state) {
    (void)state;
    for (int kings = 1; kings <= 4; kings += 3) {
        const NetworkShape shape = {128, kings == 1 ? 8 : 1, kings, LAYER_COUNT};
        Status status;
        Network *network = network_create_random(5, shape, &status), *again;
        if (network == NULL) fail_msg("%s", status.reason);
        TextBuffer bytes = bytes_of(network);
        assert_int_equal(network_file_size(&shape), bytes.length);
        again = parse(&bytes);
        assert_true(network_hash(again) == network_hash(network));
        const NetworkShape read = network_shape(again);
        assert_memory_equal(&read, &shape, sizeof shape);
        const NetworkWeights *weights = network_weights(again);
        assert_null(weights->output);
        assert_int_equal(0, (uintptr_t)weights->layers % 64);
        for (int bucket = 0; bucket < shape.buckets; bucket++) {
            const LayerWeights *a = &weights->layers[bucket], *b = &network_weights(network)->layers[bucket];
            assert_memory_equal(a, b, sizeof *a);
            assert_true(a->first[0] != 0 || a->first[1] != 0);
        }
        refuse_changed(&bytes, 128, 9, "there cannot be 9 king buckets, but 1 to 8");
        refuse_changed(&bytes, 164, 8,
                       "byte 164: the number of units in layer 1 is 8, this program reads 16");
        refuse_changed(&bytes, 168, 16, "byte 168: the number of units in layer 2 is 16");
        refuse_changed(&bytes, 16, 64, "width 64 cannot have layers");
        refuse_changed(&bytes, bytes.length - 1, 1, "checksum");
        assert_refused(&bytes, 170, "cut short at byte 170, in the layers");
        assert_refused(&bytes, bytes.length - 1, "cut short");
        buffer_release(&bytes);
        network_destroy(network);
        network_destroy(again);
    }
}

typedef struct LayeredNumbers {
    int16_t feature[INPUT_COUNT * LAYER_WIDTH_MIN], feature_bias[LAYER_WIDTH_MIN];
    LayerWeights layers;
} LayeredNumbers;

static bool layers_accepted(const LayeredNumbers *numbers, const char *reason) {
    const NetworkWeights weights = {.width = LAYER_WIDTH_MIN,
                                    .buckets = 1,
                                    .feature = numbers->feature,
                                    .feature_bias = numbers->feature_bias,
                                    .king_buckets = 1,
                                    .layers = &numbers->layers};
    Status status;
    Network *network = network_create(&weights, "test", &status);
    if (network == NULL && strstr(status.reason, reason) == NULL) fail_msg("%s", status.reason);
    const bool made = network != NULL;
    network_destroy(network);
    return made;
}

/* For each layer, the largest sum that fits, and one above it. */
static void test_sums_of_layers_are_proved(void **state) {
    (void)state;
    LayeredNumbers *numbers = memory_allocate_aligned(sizeof *numbers, 64);
    assert_non_null(numbers);
    LayerWeights *layers = &numbers->layers;
    assert_true(layers_accepted(numbers, ""));
    layers->first[layer1_index(70, 3)] = -128;
    assert_false(layers_accepted(numbers, "of layer 1 of bucket 0 is -128, beyond 127"));
    for (int sign = -1; sign <= 1; sign += 2) {
        layers->first[layer1_index(70, 3)] = (int8_t)(sign * 100);
        layers->first_bias[3] = sign > 0 ? INT32_MAX - 12700 : INT32_MIN + 12700;
        assert_true(layers_accepted(numbers, ""));
        layers->first_bias[3] += sign;
        assert_false(layers_accepted(numbers, "unit 3 of layer 1 of bucket 0"));
        layers->first_bias[3] = 0;
        layers->second[layer2_index(9, 31)] = (int16_t)(sign * 2000);
        layers->second_bias[31] = sign > 0 ? INT32_MAX - 2048000 : INT32_MIN + 2048000;
        assert_true(layers_accepted(numbers, ""));
        layers->second_bias[31] += sign;
        assert_false(layers_accepted(numbers, "unit 31 of layer 2 of bucket 0"));
        layers->second_bias[31] = 0;
        for (int i = 0; i < LAYER2_UNITS; i++) layers->third[i] = (int16_t)(sign * 16000);
        layers->third_bias = sign > 0 ? INT32_MAX - 2097152000 : INT32_MIN + 2097152000;
        assert_true(layers_accepted(numbers, ""));
        layers->third_bias += sign;
        assert_false(layers_accepted(numbers, "layer 3 of bucket 0"));
        layers->third_bias = 0;
    }
    memory_release_aligned(numbers);
}

static void test_long_names_are_cut(void **state) {
    (void)state;
    char name[200];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    Numbers *numbers = calloc(1, sizeof *numbers);
    NetworkWeights weights = {
        8, 1, numbers->feature, numbers->feature_bias, numbers->output, numbers->output_bias, 1, NULL, NULL};
    Status status;
    Network *network = network_create(&weights, name, &status);
    assert_int_equal(NETWORK_NAME_CAPACITY - 1, strlen(network_name(network)));
    network_destroy(network);
    free(numbers);
}

static void test_value_is_scaled_and_clamped(void **state) {
    (void)state;
    Network *network = random_network(32, 1);
    assert_int_equal(0, network_value(network, 0, 0));
    assert_int_equal(VALUE_ONE, network_value(network, 0, OUTPUT_BIAS_ONE));
    assert_int_equal(-VALUE_ONE, network_value(network, 0, -OUTPUT_BIAS_ONE));
    assert_int_equal(VALUE_MAX, network_value(network, 0, INT32_MAX));
    assert_int_equal(-VALUE_MAX, network_value(network, 0, INT32_MIN));
    network_destroy(network);
    Status status;
    network = network_create_random(1, (NetworkShape){128, 1, 1, LAYER_COUNT}, &status);
    assert_int_equal(VALUE_ONE, network_value(network, 0, LAYER3_ONE));
    assert_int_equal(-VALUE_ONE / 4, network_value(network, 0, -LAYER3_ONE / 4));
    assert_int_equal(VALUE_MAX, network_value(network, 0, INT32_MAX));
    assert_int_equal(-VALUE_MAX, network_value(network, 0, INT32_MIN));
    network_destroy(network);
}

/* The embedded network is valid. */
static void test_embedded(void **state) {
    (void)state;
    size_t size;
    const void *bytes = embedded_network(&size);
    Status status;
    Network *network = network_open_embedded(&status);
    if (network == NULL) fail_msg("%s", status.reason);
    TextBuffer again = bytes_of(network);
    assert_int_equal(size, again.length);
    assert_memory_equal(bytes, again.data, size);
    buffer_release(&again);
    network_destroy(network);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_random_is_reproducible),
        cmocka_unit_test(test_rows_are_aligned_and_padded),
        cmocka_unit_test(test_refuses_other_files),
        cmocka_unit_test(test_refuses_bad_names),
        cmocka_unit_test(test_refuses_any_flipped_bit),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_hidden_sums_are_proved),
        cmocka_unit_test(test_output_sums_are_proved),
        cmocka_unit_test(test_shapes_are_checked),
        cmocka_unit_test(test_king_buckets_are_kept_and_checked),
        cmocka_unit_test(test_layers_are_kept_and_checked),
        cmocka_unit_test(test_sums_of_layers_are_proved),
        cmocka_unit_test(test_long_names_are_cut),
        cmocka_unit_test(test_value_is_scaled_and_clamped),
        cmocka_unit_test(test_embedded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
