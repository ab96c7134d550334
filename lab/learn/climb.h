/* The climb from a random network: generation after generation of games, training, a match against the last.
 * All of its state is in one folder, so that it goes on where it was stopped. Called from one thread. */
#ifndef LUFT_LEARN_CLIMB_H
#define LUFT_LEARN_CLIMB_H

#include "base/status.h"
#include "base/text.h"
#include "lab/match/stats.h"

#include <stdbool.h>
#include <stdint.h>

enum { CLIMB_GENERATIONS_MAX = 64 };

/* What one generation does. */
typedef struct ClimbStep {
    int64_t plies; /* to play */
    int64_t nodes; /* a move */
    int64_t width, buckets;
    int64_t epochs;
    int64_t window;          /* train on the games of so many last generations */
    double share, share_end; /* of the result in the target */
    double draw_share;       /* of a draw in scores that the result belies, with few men */
    double lambda;           /* weight of a game's next score beside a position's own */
    double chess960;         /* share of Chess960 starts */
    double rate;             /* of learning, at the beginning */
} ClimbStep;

typedef struct ClimbPlan {
    const char *folder;
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
 * in the folder, with generation-N.games, .nnue and .nnue.tsv beside it. */
Status climb_run(const ClimbPlan *plan, ClimbReport *report, void *context, bool *interrupted);

/* The number of the best network after these rows, -1 for the random one. */
int climb_best(const ClimbRow *rows, int count);

/* The settings as lines of help. */
void climb_print_settings(void);

#endif
