/* From the trained floating-point model to the network that the engine loads, and back. Called from one
 * thread. */
#ifndef LUFT_TRAIN_EXPORT_H
#define LUFT_TRAIN_EXPORT_H

#include "base/status.h"
#include "lab/train/model.h"
#include "nnue/network.h"

/* The parameters as the network will hold them: each rounded to its step of quantisation, still in floating
 * point. */
void export_round(const ModelShape *shape, const float *parameters, float *rounded);

/* The quantised network. NULL with the reason. */
Network *export_network(const ModelShape *shape, const float *parameters, const char *name, Status *status);

/* The other way: the parameters that this network was rounded from, as nearly as it tells; of the same shape.
 */
Status export_parameters(const ModelShape *shape, const Network *network, float *parameters);

/* How far the engine's integers are from the model's floats. */
typedef struct ExportCheck {
    size_t positions;
    double mean, largest; /* absolute difference in internal units */
} ExportCheck;

/* Compares both on the given positions, through the engine's own evaluator. */
Status export_check(const ModelShape *shape, const float *parameters, const Network *network,
                    const TrainingPosition *positions, size_t count, ExportCheck *check);

#endif
