#include "nnue/layers.h"

#include "base/bytes.h"

/* --- bytes --- */

static uint8_t *put_16(uint8_t *bytes, const int16_t *numbers, int count) {
    for (int i = 0; i < count; i++) bytes_put(bytes + 2 * i, (uint16_t)numbers[i], 2);
    return bytes + 2 * count;
}

static uint8_t *put_32(uint8_t *bytes, const int32_t *numbers, int count) {
    for (int i = 0; i < count; i++) bytes_put(bytes + 4 * i, (uint32_t)numbers[i], 4);
    return bytes + 4 * count;
}

uint8_t *layers_encode(const LayerWeights *layers, int width, uint8_t *bytes) {
    for (int i = 0; i < width * LAYER1_UNITS; i++) *bytes++ = (uint8_t)layers->first[i];
    bytes = put_32(bytes, layers->first_bias, LAYER1_UNITS);
    bytes = put_16(bytes, layers->second, LAYER2_INPUTS * LAYER2_UNITS);
    bytes = put_32(bytes, layers->second_bias, LAYER2_UNITS);
    bytes = put_16(bytes, layers->third, LAYER2_UNITS);
    return put_32(bytes, &layers->third_bias, 1);
}

static const uint8_t *get_16(const uint8_t *bytes, int16_t *numbers, int count) {
    for (int i = 0; i < count; i++) numbers[i] = (int16_t)bytes_get(bytes + 2 * i, 2);
    return bytes + 2 * count;
}

static const uint8_t *get_32(const uint8_t *bytes, int32_t *numbers, int count) {
    for (int i = 0; i < count; i++) numbers[i] = (int32_t)bytes_get(bytes + 4 * i, 4);
    return bytes + 4 * count;
}

const uint8_t *layers_decode(LayerWeights *layers, int width, const uint8_t *bytes) {
    for (int i = 0; i < width * LAYER1_UNITS; i++) layers->first[i] = (int8_t)*bytes++;
    bytes = get_32(bytes, layers->first_bias, LAYER1_UNITS);
    bytes = get_16(bytes, layers->second, LAYER2_INPUTS * LAYER2_UNITS);
    bytes = get_32(bytes, layers->second_bias, LAYER2_UNITS);
    bytes = get_16(bytes, layers->third, LAYER2_UNITS);
    return get_32(bytes, &layers->third_bias, 1);
}

/* --- proof --- */

/* Whether a sum that begins with `bias` stays in 32 bits with any inputs from 0 to `most`, partial sums
 * included: its positive and its negative parts are summed separately. */
typedef struct Bounds {
    int64_t low, high;
} Bounds;

static void add_weight(Bounds *bounds, int weight, int most) {
    if (weight > 0) bounds->high += (int64_t)weight * most;
    if (weight < 0) bounds->low += (int64_t)weight * most;
}

static bool fits(const Bounds *bounds, int32_t bias) {
    return bounds->low + (bias < 0 ? bias : 0) >= INT32_MIN &&
           bounds->high + (bias > 0 ? bias : 0) <= INT32_MAX;
}

static Status refuse(int layer, int unit, int bucket) {
    return status_error("unit %d of layer %d of bucket %d could sum to more than 32 bits hold", unit, layer,
                        bucket);
}

Status layers_prove(const LayerWeights *layers, int width, int bucket) {
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

/* --- random ones --- */

static int random_within(Rng *rng, int limit) { return (int)rng_below(rng, 2 * (uint64_t)limit + 1) - limit; }

void layers_randomise(LayerWeights *layers, int width, Rng *rng) {
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
