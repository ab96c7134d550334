#include "lab/train/export.h"

#include "base/memory.h"
#include "lab/kit/ownership.h"
#include "nnue/evaluate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct Quantised {
    int16_t *feature, *feature_bias, *output;
    int32_t *output_bias;
    LayerWeights *layers;
} Quantised;

static_assert((int)OUTPUT_WEIGHT_MAX == (int)LAYER1_WEIGHT_MAX, "both are rounded alike");

static int16_t quantise(float value, float one, int limit) {
    long rounded = lrintf(value * one);
    return (int16_t)(rounded > limit ? limit : rounded < -limit ? -limit : rounded);
}

static size_t outputs_of_block(const ModelShape *shape) {
    return (shape->factor_row - shape->output_row) * MODEL_COLUMNS;
}

size_t export_output_count(const ModelShape *shape) {
    return (size_t)shape->blocks * outputs_of_block(shape);
}

static float output_one(const ModelShape *shape) {
    return shape->layers > 0 ? LAYER1_WEIGHT_ONE : OUTPUT_ONE;
}

static float rounded_output(float value, float one) {
    const float steps = rintf(value * one), most = OUTPUT_WEIGHT_MAX;
    return (steps > most ? most : steps < -most ? -most : steps) / one;
}

void export_round_outputs(const ModelShape *shape, float *parameters, float *exact) {
    const size_t count = outputs_of_block(shape);
    const float one = output_one(shape);
    for (int block = 0; block < shape->blocks; block++, exact += count) {
        float *outputs = parameters + model_row(shape, block, shape->output_row);
        memcpy(exact, outputs, count * sizeof *exact);
        for (size_t i = 0; i < count; i++) outputs[i] = rounded_output(outputs[i], one);
    }
}

void export_restore_outputs(const ModelShape *shape, float *parameters, const float *exact) {
    const size_t count = outputs_of_block(shape);
    for (int block = 0; block < shape->blocks; block++, exact += count)
        memcpy(parameters + model_row(shape, block, shape->output_row), exact, count * sizeof *exact);
}

static void fill_inputs(const ModelShape *shape, const float *parameters, Quantised *out) {
    const size_t width = (size_t)shape->width;
    for (int unit = 0; unit < shape->width; unit++) {
        for (size_t input = 0; input < shape->inputs; input++)
            out->feature[input * width + (size_t)unit] =
                quantise(parameters[model_unit(shape, unit, input)], HIDDEN_ONE, INT16_MAX);
        out->feature_bias[unit] =
            quantise(parameters[model_unit(shape, unit, shape->bias_row)], HIDDEN_ONE, INT16_MAX);
    }
}

static void fill_outputs(const ModelShape *shape, const float *parameters, Quantised *out) {
    const size_t width = (size_t)shape->width, halves = 2 * (size_t)shape->buckets;
    for (int unit = 0; unit < shape->width; unit++)
        for (size_t half = 0; half < halves; half++)
            out->output[half * width + (size_t)unit] = quantise(
                parameters[model_unit(shape, unit, shape->output_row + half)], OUTPUT_ONE, OUTPUT_WEIGHT_MAX);
    for (int bucket = 0; bucket < shape->buckets; bucket++)
        out->output_bias[bucket] =
            (int32_t)lrint((double)parameters[model_output_bias(shape, bucket)] * OUTPUT_BIAS_ONE);
}

static void fill_layers(const ModelShape *shape, const float *parameters, LayerWeights *layers) {
    for (size_t row = shape->output_row; row < shape->factor_row; row++) {
        int8_t *first = layers[(row - shape->output_row) / (2 * shape->half_rows)].first;
        for (int unit = 0; unit < shape->width; unit++) {
            const int at =
                layer1_index(model_layer1_input(shape, unit, row), model_layer1_unit(shape, unit, row));
            first[at] = (int8_t)quantise(parameters[model_unit(shape, unit, row)], LAYER1_WEIGHT_ONE,
                                         LAYER1_WEIGHT_MAX);
        }
    }
    for (int bucket = 0; bucket < shape->buckets; bucket++, layers++) {
        const float *from = parameters + model_tail(shape, bucket);
        for (int unit = 0; unit < LAYER1_UNITS; unit++)
            layers->first_bias[unit] = (int32_t)lrintf(from[STACK_FIRST_BIAS + unit] * LAYER1_ONE);
        for (int input = 0; input < LAYER2_INPUTS; input++)
            for (int unit = 0; unit < LAYER2_UNITS; unit++)
                layers->second[layer2_index(input, unit)] =
                    quantise(from[STACK_SECOND + input * LAYER2_UNITS + unit], LAYER2_WEIGHT_ONE, INT16_MAX);
        for (int unit = 0; unit < LAYER2_UNITS; unit++) {
            layers->second_bias[unit] = (int32_t)lrintf(from[STACK_SECOND_BIAS + unit] * LAYER2_ONE);
            layers->third[unit] = quantise(from[STACK_THIRD + unit], LAYER3_WEIGHT_ONE, INT16_MAX);
        }
        layers->third_bias = (int32_t)lrintf(from[STACK_THIRD_BIAS] * LAYER3_ONE);
    }
}

Status export_check_output(const char *path) {
    static const char START[] = "LuftNNUE"; /* of each network file, see network.c */
    return ownership_check_kind(path, START, sizeof START - 1, "a network");
}

static Network *quantise_network(const ModelShape *shape, const float *parameters, Quantised *weights,
                                 const char *name, Status *status) {
    fill_inputs(shape, parameters, weights);
    if (shape->layers > 0)
        fill_layers(shape, parameters, weights->layers);
    else
        fill_outputs(shape, parameters, weights);
    const NetworkWeights view = {.width = shape->width,
                                 .buckets = shape->buckets,
                                 .feature = weights->feature,
                                 .feature_bias = weights->feature_bias,
                                 .output = weights->output,
                                 .output_bias = weights->output_bias,
                                 .king_buckets = shape->king_buckets,
                                 .king_bucket = shape->king_bucket,
                                 .layers = weights->layers};
    return network_create(&view, name, status);
}

Network *export_network(const ModelShape *shape, const float *parameters, const char *name, Status *status) {
    const size_t width = (size_t)shape->width, buckets = (size_t)shape->buckets;
    const bool layers = shape->layers > 0;
    Quantised weights = {.feature = memory_allocate(shape->inputs * width * sizeof(int16_t)),
                         .feature_bias = memory_allocate(width * sizeof(int16_t))};
    if (layers) {
        weights.layers = memory_allocate_aligned(buckets * sizeof *weights.layers, 64);
    } else {
        weights.output = memory_allocate(buckets * 2 * width * sizeof(int16_t));
        weights.output_bias = memory_allocate(buckets * sizeof(int32_t));
    }
    const bool complete =
        layers ? weights.layers != NULL : weights.output != NULL && weights.output_bias != NULL;
    Network *network = NULL;
    if (weights.feature != NULL && weights.feature_bias != NULL && complete)
        network = quantise_network(shape, parameters, &weights, name, status);
    else
        *status = status_no_memory("the network's weights");
    memory_release(weights.feature);
    memory_release(weights.feature_bias);
    memory_release(weights.output);
    memory_release(weights.output_bias);
    memory_release_aligned(weights.layers);
    return network;
}

static void compare(Evaluator *evaluator, const TrainingPosition *positions, const float *outputs,
                    size_t count, ExportCheck *check) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        Position pos;
        loader_unpack(&positions[i], &pos);
        evaluator_reset(evaluator, &pos);
        double difference = fabs((double)outputs[i] * VALUE_ONE - evaluator_value(evaluator, &pos));
        sum += difference;
        if (difference > check->largest) check->largest = difference;
    }
    check->mean = count ? sum / (double)count : 0;
}

Status export_check(const ModelShape *shape, const float *parameters, const Network *network,
                    const TrainingPosition *positions, size_t count, ExportCheck *check) {
    *check = (ExportCheck){.positions = count};
    Status status = status_ok();
    ModelWorkspace *workspace = model_workspace_create(NULL, shape, count);
    const TrainingPosition **list = memory_allocate((count + 1) * sizeof *list);
    float *outputs = memory_allocate((count + 1) * sizeof *outputs);
    Evaluator *evaluator = evaluator_create(network);
    if (workspace != NULL && list != NULL && outputs != NULL && evaluator != NULL) {
        for (size_t i = 0; i < count; i++) list[i] = &positions[i];
        model_evaluate(workspace, parameters, list, count, outputs);
        compare(evaluator, positions, outputs, count, check);
    } else {
        status = status_no_memory("the check of a network");
    }
    evaluator_destroy(evaluator);
    memory_release(outputs);
    memory_release(list);
    model_workspace_destroy(workspace);
    return status;
}
