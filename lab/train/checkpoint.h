/* The state of an unfinished training on disk: written aside and renamed, so that there is always a whole
 * one. Floats are stored as this machine has them: a checkpoint goes on where it began. */
#ifndef LUFT_TRAIN_CHECKPOINT_H
#define LUFT_TRAIN_CHECKPOINT_H

#include "base/status.h"
#include "lab/train/model.h"

#include <stdint.h>

enum { CHECKPOINT_ARRAYS = 3 };

typedef struct Checkpoint {
    uint64_t fingerprint; /* of the settings: another training's checkpoint is refused */
    uint64_t step;
    double interval_loss;
    uint64_t interval_positions;
    ModelShape shape;
    float *arrays[CHECKPOINT_ARRAYS]; /* parameters and the optimizer's averages, shape.count floats each */
} Checkpoint;

/* Refuses a path where something else is that a checkpoint would destroy. */
Status checkpoint_check_output(const char *path);

Status checkpoint_write(const char *path, const Checkpoint *checkpoint);

/* Fills step, interval and arrays; fingerprint and shape are given and must fit. */
Status checkpoint_read(const char *path, Checkpoint *checkpoint);

#endif
