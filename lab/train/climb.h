/* The climb from a random network: generation after generation of games, training, and a match against the
 * best one. All of its state is in one folder, so that it carries on after an interruption. Called from one
 * thread. */
#ifndef LUFT_TRAIN_CLIMB_H
#define LUFT_TRAIN_CLIMB_H

#include "base/status.h"
#include "lab/match/stats.h"
#include "lab/selfplay/datagen.h"
#include "lab/train/trainer.h"

#include <stdbool.h>
#include <stdint.h>

enum { CLIMB_GENERATIONS_MAX = 64 };

/* The settings of one generation: those with FIELD_EACH, and the window. */
typedef struct ClimbStep {
    DatagenSettings play;
    TrainSettings train;
    int64_t window; /* train on the games of this many last generations */
} ClimbStep;

typedef struct ClimbPlan {
    const char *folder;
    const char *tablebases; /* folders of Syzygy tables for play and labels; NULL: none */
    int64_t generations;
    int64_t threads, train_threads, seed, hash;
    int64_t random_width;
    int64_t match_pairs, match_nodes;
    double promote_elo; /* a network is promoted when it is better by more than this, with 95 % confidence */
    bool again;         /* start over, and keep the old folder under another name */
    bool quiet;
    ClimbStep step[CLIMB_GENERATIONS_MAX];
} ClimbPlan;

extern const Field CLIMB_PLAN_FIELDS[];

/* The plan where nothing is set. */
#define CLIMB_DEFAULT_PLAN         \
    "  plies = 3M, 20M, 40M\n"     \
    "  nodes = 200\n"              \
    "  width = 32, 64, 128, 256\n" \
    "  epochs = 5, 5, 8, 10\n"     \
    "  window = 1, 1, 2\n"         \
    "  share = 1, 0.2, 0.2, 0\n"   \
    "  lambda = 0, 0, 0, 0.7\n"

/* Reads a plan; `text` is modified and must outlive the plan. */
Status climb_read_plan(TextBuffer *text, ClimbPlan *plan);

/* A finished generation. */
typedef struct ClimbRow {
    int generation;
    int best; /* so far: its network played the games and the match against the new one; -1: the random one */
    bool promoted;
    int64_t nodes, width, buckets;
    uint64_t plies, positions;
    double share;
    double play_hours, train_hours;
    double loss, validation_loss;
    uint64_t validation_games; /* of validation_loss; 0 in a row of an earlier run */
    EloEstimate elo;
    int64_t pairs;
    uint64_t network_hash;
} ClimbRow;

/* Called after each finished generation, restored ones included. */
typedef void ClimbReport(void *context, const ClimbRow *row);

/* Runs the plan to its end or to an interruption (then *interrupted). The table of rows is kept as climb.tsv
 * in the folder, with generation-N.games, .nnue and .nnue.tsv next to it. A plan that changes a generation
 * that was begun is refused, with what differs: climb.journal has the settings of each. */
Status climb_run(const ClimbPlan *plan, ClimbReport *report, void *context, bool *interrupted);

/* The number of the best network after these rows, -1 for the random one. */
int climb_best(const ClimbRow *rows, int count);

#endif
