/* What a training keeps on disk while it runs: its state, from which it can be resumed, and the table of its
 * losses. Both are written next to their place and renamed, so that there is always a complete one. */
#ifndef LUFT_TRAIN_CHECKPOINT_H
#define LUFT_TRAIN_CHECKPOINT_H

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

/* --- the state: floats as this machine has them, to be resumed on the same kind of machine --- */

enum { CHECKPOINT_ARRAYS = 4 };

typedef struct Checkpoint {
    uint64_t fingerprint; /* of the settings: the checkpoint of another training is refused */
    uint64_t step;
    uint64_t interval_positions; /* since the last row of the table of losses */
    uint64_t floats;             /* in each of the arrays */
    uint64_t averaged;           /* states that the mean of the last weights has */
    double interval_loss;
} Checkpoint;

/* Refuses to overwrite a file that is no checkpoint. */
Status checkpoint_check_output(const char *path);

Status checkpoint_write(const char *path, const Checkpoint *checkpoint,
                        float *const arrays[CHECKPOINT_ARRAYS]);

/* Fills the checkpoint, whose fingerprint and number of floats must match, and the arrays. */
Status checkpoint_read(const char *path, Checkpoint *checkpoint, float *const arrays[CHECKPOINT_ARRAYS]);

/* --- the losses over time: a tab-separated table, and a curve by gnuplot --- */

typedef struct LossRow {
    uint64_t step;
    double epoch;           /* passes over the data so far */
    double loss;            /* mean squared error since the row before, in training */
    double validation_loss; /* on games kept out of it; NaN without any */
    double rate;            /* of learning */
} LossRow;

/* Begins as {0}; release the table. */
typedef struct LossLog {
    TextBuffer table;
    LossRow last; /* its step is 0 while there is none */
} LossLog;

void losslog_add(LossLog *log, const LossRow *row);

/* Refuses to overwrite a file that is no such table. */
Status losslog_check_output(const char *path);

Status losslog_write(const LossLog *log, const char *path);

/* Appends the rows of the table up to a step; no file, no rows. */
Status losslog_read(LossLog *log, const char *path, uint64_t last_step);

/* Draws a table as SVG. Fails, with the reason, without gnuplot. */
Status losslog_plot(const char *table, const char *svg, const char *title);

#endif
