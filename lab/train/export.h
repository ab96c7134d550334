/* From the trained floating-point model to the network that the engine loads. Called from one thread. */
#ifndef LUFT_TRAIN_EXPORT_H
#define LUFT_TRAIN_EXPORT_H

#include "base/status.h"
#include "lab/train/model.h"
#include "nnue/network.h"

/* Rounds the output weights, with layers those of layer 1, to the steps of their quantisation, in place;
 * `exact` keeps the exact ones and has room for export_output_count floats. Their steps of 1/64 are coarse;
 * those of the other weights are not. */
size_t export_output_count(const ModelShape *shape);
void export_round_outputs(const ModelShape *shape, float *parameters, float *exact);
void export_restore_outputs(const ModelShape *shape, float *parameters, const float *exact);

/* The quantised network. NULL with the reason. */
Network *export_network(const ModelShape *shape, const float *parameters, const char *name, Status *status);

/* Refuses to overwrite a file that is no network. */
Status export_check_output(const char *path);

/* How far the engine's integers are from the model's floats. */
typedef struct ExportCheck {
    uint64_t positions;
    double mean, largest; /* absolute difference in internal units */
} ExportCheck;

/* Compares both on the given positions, through the engine's own evaluator. */
Status export_check(const ModelShape *shape, const float *parameters, const Network *network,
                    const TrainingPosition *positions, size_t count, ExportCheck *check);

#endif
