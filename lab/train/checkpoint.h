/* The state of an unfinished training on disk: written next to its place and renamed, so that there is always
 * a complete one. Floats are stored as this machine has them: a checkpoint can only be resumed on the same
 * kind of machine. */
#ifndef LUFT_TRAIN_CHECKPOINT_H
#define LUFT_TRAIN_CHECKPOINT_H

#include "base/status.h"

#include <stdint.h>

enum { CHECKPOINT_ARRAYS = 3 };

typedef struct Checkpoint {
    uint64_t fingerprint; /* of the settings: the checkpoint of another training is refused */
    uint64_t step;
    uint64_t interval_positions; /* since the last row of the table of losses */
    uint64_t floats;             /* in each of the arrays */
    double interval_loss;
} Checkpoint;

/* Refuses to overwrite a file that is no checkpoint. */
Status checkpoint_check_output(const char *path);

Status checkpoint_write(const char *path, const Checkpoint *checkpoint,
                        float *const arrays[CHECKPOINT_ARRAYS]);

/* Fills the checkpoint, whose fingerprint and number of floats must match, and the arrays. */
Status checkpoint_read(const char *path, Checkpoint *checkpoint, float *const arrays[CHECKPOINT_ARRAYS]);

#endif
