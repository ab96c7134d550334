/* The losses of a training over time: a tab-separated table and a curve by gnuplot. */
#ifndef LUFT_TRAIN_LOSSLOG_H
#define LUFT_TRAIN_LOSSLOG_H

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

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
