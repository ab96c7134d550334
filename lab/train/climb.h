/* The climb from a random network: generation after generation of games, training, a match against the last.
 * All of its state is in one folder, so that it goes on where it was stopped. Called from one thread. */
#ifndef LUFT_TRAIN_CLIMB_H
#define LUFT_TRAIN_CLIMB_H

#include "base/status.h"
#include "lab/match/stats.h"
#include "lab/train/climb_plan.h"

#include <stdbool.h>
#include <stdint.h>

/* What is known of a finished generation. */
typedef struct ClimbRow {
    int generation;
    int player; /* whose network played the games: a generation, or -1 for the random one */
    int rival;  /* of the match, as `player` */
    bool promoted;
    int64_t nodes, width, buckets;
    uint64_t plies, positions;
    double share;
    double play_hours, train_hours;
    double loss, validation_loss;
    EloEstimate elo;
    int64_t pairs;
    uint64_t network_hash;
} ClimbRow;

/* Told after each finished generation, restored ones included. */
typedef void ClimbReport(void *context, const ClimbRow *row);

/* Runs the plan to its end or to an interruption (then *interrupted). The table of rows is kept as climb.tsv
 * in the folder, with generation-N.games, .nnue and .nnue.tsv next to it. */
Status climb_run(const ClimbPlan *plan, ClimbReport *report, void *context, bool *interrupted);

/* The number of the best network after these rows, -1 for the random one. */
int climb_best(const ClimbRow *rows, int count);

#endif
