/* The plan of a climb: what each generation does, read from a configuration file. */
#ifndef LUFT_TRAIN_CLIMB_PLAN_H
#define LUFT_TRAIN_CLIMB_PLAN_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { CLIMB_GENERATIONS_MAX = 64 };

/* What one generation does. */
typedef struct ClimbStep {
    int64_t plies; /* to play */
    int64_t nodes; /* a move */
    int64_t width, buckets, king_buckets, layers;
    int64_t epochs;
    int64_t window;          /* train on the games of this many last generations */
    double share, share_end; /* of the result in the target */
    double draw_share;       /* of a draw in scores that the result contradicts, with few pieces */
    double scale;            /* of the target, see model.h */
    double lambda;           /* weight of a game's next score next to a position's own */
    double chess960;         /* share of Chess960 starts */
    double endings;          /* share of games that begin with few pieces */
    double rate;             /* of learning, at the beginning */
} ClimbStep;

typedef struct ClimbPlan {
    const char *folder;
    const char *tablebases; /* folders of Syzygy tables for play and labels; NULL: none */
    int64_t generations;
    int64_t threads, train_threads, seed, hash;
    int64_t random_width;
    int64_t batch;
    double decay;
    int64_t match_pairs, match_nodes;
    double promote_elo; /* a network is promoted when the match says with 95 % that it is better by more than
                           this */
    bool quiet;
    ClimbStep step[CLIMB_GENERATIONS_MAX];
} ClimbPlan;

/* Reads a configuration; `text` is cut up and must outlive the plan. */
Status climb_read_plan(TextBuffer *text, ClimbPlan *plan);

/* The settings and their defaults as lines of help. */
void climb_write_settings(TextBuffer *out);

#endif
