/* The plan of a climb: what each generation does, read from a configuration file. */
#ifndef LUFT_TRAIN_CLIMB_PLAN_H
#define LUFT_TRAIN_CLIMB_PLAN_H

#include "lab/selfplay/datagen.h"
#include "lab/train/trainer.h"

enum { CLIMB_GENERATIONS_MAX = 64 };

/* What one generation does: of its settings those with FIELD_EACH, and the window. */
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
    double promote_elo; /* a network is promoted when the match says with 95 % that it is better by more than
                           this */
    bool quiet;
    ClimbStep step[CLIMB_GENERATIONS_MAX];
} ClimbPlan;

extern const Field CLIMB_PLAN_FIELDS[];

/* What a plan says that says nothing else. */
#define CLIMB_DEFAULT_PLAN         \
    "  plies = 3M, 20M, 40M\n"     \
    "  nodes = 200\n"              \
    "  width = 32, 64, 128, 256\n" \
    "  epochs = 5, 5, 8, 10\n"     \
    "  window = 1, 1, 2\n"         \
    "  share = 1, 0.2, 0.2, 0\n"   \
    "  lambda = 0, 0, 0, 0.7\n"

/* Reads a configuration; `text` is cut up and must outlive the plan. */
Status climb_read_plan(TextBuffer *text, ClimbPlan *plan);

#endif
