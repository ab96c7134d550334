#include "lab/train/export.h"

#include "base/memory.h"
#include "lab/kit/ownership.h"
#include "nnue/evaluate.h"

#include <math.h>
#include <string.h>

typedef struct Quantised {
    int16_t *feature, *feature_bias, *output;
    int32_t *output_bias;
} Quantised;

static int16_t quantise(float value, int one, int limit) {
    long rounded = lrintf(value * (float)one);
    return (int16_t)(rounded > limit ? limit : rounded < -limit ? -limit : rounded);
}

static size_t outputs_of_block(const ModelShape *shape) {
    return 2 * (size_t)shape->buckets * (size_t)shape->columns;
}

size_t export_output_count(const ModelShape *shape) {
    return (size_t)shape->blocks * outputs_of_block(shape);
}

void export_round_outputs(const ModelShape *shape, float *parameters, float *exact) {
    const size_t count = outputs_of_block(shape);
    for (int block = 0; block < shape->blocks; block++, exact += count) {
        float *outputs = parameters + model_row(shape, block, shape->output_row);
        memcpy(exact, outputs, count * sizeof *exact);
        for (size_t i = 0; i < count; i++) outputs[i] = rintf(outputs[i] * OUTPUT_ONE) / OUTPUT_ONE;
    }
}

void export_restore_outputs(const ModelShape *shape, float *parameters, const float *exact) {
    const size_t count = outputs_of_block(shape);
    for (int block = 0; block < shape->blocks; block++, exact += count)
        memcpy(parameters + model_row(shape, block, shape->output_row), exact, count * sizeof *exact);
}

static void fill(const ModelShape *shape, const float *parameters, Quantised *out) {
    size_t width = (size_t)shape->width, buckets = (size_t)shape->buckets;
    for (int unit = 0; unit < shape->width; unit++) {
        for (size_t input = 0; input < shape->inputs; input++)
            out->feature[input * width + (size_t)unit] =
                quantise(parameters[model_unit(shape, unit, input)], HIDDEN_ONE, INT16_MAX);
        out->feature_bias[unit] =
            quantise(parameters[model_unit(shape, unit, shape->bias_row)], HIDDEN_ONE, INT16_MAX);
        for (size_t half = 0; half < 2 * buckets; half++)
            out->output[half * width + (size_t)unit] = quantise(
                parameters[model_unit(shape, unit, shape->output_row + half)], OUTPUT_ONE, OUTPUT_WEIGHT_MAX);
    }
    for (int bucket = 0; bucket < shape->buckets; bucket++)
        out->output_bias[bucket] =
            (int32_t)lrint((double)parameters[model_output_bias(shape, bucket)] * OUTPUT_BIAS_ONE);
}

Status export_check_output(const char *path) {
    static const char START[] = "LuftNNUE"; /* of each network file, see network.c */
    return ownership_check_kind(path, START, sizeof START - 1, "a network");
}

Network *export_network(const ModelShape *shape, const float *parameters, const char *name, Status *status) {
    size_t width = (size_t)shape->width, buckets = (size_t)shape->buckets;
    Quantised weights = {.feature = memory_allocate(shape->inputs * width * sizeof(int16_t)),
                         .feature_bias = memory_allocate(width * sizeof(int16_t)),
                         .output = memory_allocate(buckets * 2 * width * sizeof(int16_t)),
                         .output_bias = memory_allocate(buckets * sizeof(int32_t))};
    Network *network = NULL;
    if (weights.feature != NULL && weights.feature_bias != NULL && weights.output != NULL &&
        weights.output_bias != NULL) {
        fill(shape, parameters, &weights);
        NetworkWeights view = {.width = shape->width,
                               .buckets = shape->buckets,
                               .feature = weights.feature,
                               .feature_bias = weights.feature_bias,
                               .output = weights.output,
                               .output_bias = weights.output_bias,
                               .king_buckets = shape->king_buckets,
                               .king_bucket = shape->king_bucket};
        network = network_create(&view, name, status);
    } else {
        *status = status_no_memory("the network's weights");
    }
    memory_release(weights.feature);
    memory_release(weights.feature_bias);
    memory_release(weights.output);
    memory_release(weights.output_bias);
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
    ModelWorkspace *workspace = model_workspace_create(shape, count);
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
    if (evaluator != NULL) evaluator_destroy(evaluator);
    memory_release(outputs);
    memory_release(list);
    model_workspace_destroy(workspace);
    return status;
}
