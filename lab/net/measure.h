/* What a finished network is measured by: how far it is from a gold set, and how long an evaluation takes.
 * Called from one thread. */
#ifndef LUFT_NET_MEASURE_H
#define LUFT_NET_MEASURE_H

#include "base/status.h"
#include "lab/train/loader.h"
#include "nnue/network.h"

/* --- errors on a gold set (lab/selfplay/datagen.h), whose labels never change --- */

enum {
    /* Units in the exponent of the expected score 1 / (1 + exp(-value / scale)): about what the games say, so
     * that an error counts as much as it costs in points. Fixed, so that losses of years compare. */
    GOLD_SCALE = 140,
    GOLD_NETWORKS_MAX = 8
};

/* Every position of this file that has a score. */
Status goldset_read(char *path, TrainingSet *set);

enum { GOLD_COLUMN = 10 /* characters of a network's name that are printed above its column */ };

typedef struct GoldErrors {
    const char *name;
    double *error; /* of each position: expected score by the network less that of the label */
    double loss;   /* mean squared error */
    double factor; /* the network's values times this fit the labels best */
    double fitted; /* the loss then */
} GoldErrors;

/* Judges all positions; release `error` with memory_release. */
Status goldset_measure(const TrainingSet *set, const Network *network, GoldErrors *errors);

/* A table: root of the mean squared error by number of pieces and by score, one column for each network; the
 * difference of each from the first one, with its 95 % error. */
void goldset_print(const TrainingSet *set, const GoldErrors *errors, int networks, TextBuffer *out);

/* The same numbers as rows of results/errors.tsv, appended to a file (lab/kit/results.h). There the set has
 * the name of its file, without folder and ending. */
Status goldset_append_rows(const char *file, const TrainingSet *set, const GoldErrors *errors, int networks,
                           const char *path);

/* --- time, without the search around it: over the positions of bench and every legal move in them --- */

/* Average nanoseconds of one evaluation. */
typedef struct EvalSpeed {
    double refreshed;   /* every piece added again, for both sides */
    double incremental; /* after one move, from the accumulators of the position before */
    double unchanged;   /* accumulators ready: clamp, square and weigh */
    long long evaluations;
} EvalSpeed;

/* Measures for about `seconds` in all. */
Status evalspeed_measure(const Network *network, double seconds, EvalSpeed *speed);

#endif
