#include "lab/train/handover.h"

#include "base/file.h"
#include "base/memory.h"
#include "lab/kit/crew.h"
#include "lab/kit/ownership.h"
#include "lab/train/export.h"
#include "lab/train/model.h"
#include "lab/train/weights.h"
#include "nnue/network.h"

static Status read_positions(Crew *crew, const HandoverPositions *settings, TrainingSet *set) {
    LoaderFilter filter = settings->filter;
    Syzygy tables = {0};
    long long torn;
    Status status = crew_keep_threads(crew, crew_threads(0));
    if (status_is_ok(&status) && settings->tablebases != NULL) {
        status = syzygy_load(&tables, text_view(settings->tablebases));
        filter.tables = &tables;
    }
    if (status_is_ok(&status))
        status = loader_read(crew, settings->data.word, settings->data.count, &filter, set, &torn);
    syzygy_load(&tables, text_view(""));
    return status;
}

Status handover_write_positions(HandoverPositions *settings) {
    Status status =
        ownership_check_inputs(settings->out, (const char *const *)settings->data.word, settings->data.count);
    if (status_is_ok(&status)) status = ownership_check_new(settings->out, settings->again);
    if (!status_is_ok(&status)) return status;
    Crew crew = {0};
    TrainingSet set = {0};
    crew_begin(&crew);
    status = read_positions(&crew, settings, &set);
    crew_end(&crew);
    if (status_is_ok(&status)) status = ownership_make_room(settings->out, settings->again);
    if (status_is_ok(&status))
        status =
            file_write(settings->out, set.positions, (set.training + set.validation) * sizeof *set.positions);
    settings->training = set.training;
    settings->validation = set.validation;
    loader_release(&set);
    return status;
}

static Status begin_with(const char *start, const ModelShape *shape, uint64_t seed, float *parameters) {
    if (start == NULL) {
        model_initialise(shape, parameters, seed);
        return status_ok();
    }
    Weights weights;
    Status status = weights_read(start, &weights);
    if (status_is_ok(&status)) status = weights_begin(&weights, shape, seed, parameters);
    weights_release(&weights);
    return status;
}

Status handover_write_weights(const char *start, NetworkShape network, uint64_t seed, const char *out,
                              bool again) {
    const ModelShape shape = model_shape(network);
    Status status = ownership_check_new(out, again);
    if (status_is_ok(&status) && start != NULL) status = ownership_check_inputs(out, &start, 1);
    if (!status_is_ok(&status)) return status;
    float *parameters = memory_allocate_aligned(shape.count * sizeof(float), 64);
    if (parameters == NULL) return status_no_memory("the weights");
    status = begin_with(start, &shape, seed, parameters);
    if (status_is_ok(&status)) status = ownership_make_room(out, again);
    if (status_is_ok(&status)) status = weights_write(out, &shape, parameters);
    memory_release_aligned(parameters);
    return status;
}

static Status save_network(const Weights *weights, const char *name, const char *out, bool again,
                           uint64_t *hash) {
    const ModelShape *shape = &weights->shape;
    float *parameters = memory_allocate_aligned(shape->count * sizeof(float), 64);
    float *exact = memory_allocate(export_output_count(shape) * sizeof(float));
    Status status = status_no_memory("the network");
    if (parameters != NULL && exact != NULL) status = weights_begin(weights, shape, 0, parameters);
    if (status_is_ok(&status)) {
        export_round_outputs(shape, parameters, exact);
        Network *network = export_network(shape, parameters, name, &status);
        if (network != NULL) {
            status = ownership_make_room(out, again);
            if (status_is_ok(&status)) status = network_save(network, out);
            *hash = network_hash(network);
        }
        network_destroy(network);
    }
    memory_release_aligned(parameters);
    memory_release(exact);
    return status;
}

Status handover_write_network(const char *weights_path, const char *name, const char *out, bool again,
                              uint64_t *hash) {
    Weights weights = {0};
    Status status = ownership_check_new(out, again);
    if (status_is_ok(&status)) status = ownership_check_inputs(out, &weights_path, 1);
    if (status_is_ok(&status)) status = weights_read(weights_path, &weights);
    if (status_is_ok(&status)) status = save_network(&weights, name, out, again, hash);
    weights_release(&weights);
    return status;
}
