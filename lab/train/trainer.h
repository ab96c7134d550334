/* A whole training: from files of games to a network file. Called from one thread; it uses all cores itself.
 * The same settings and data give the same network, byte for byte, for any number of threads, and after an
 * interruption, too. */
#ifndef LUFT_TRAIN_TRAINER_H
#define LUFT_TRAIN_TRAINER_H

#include "base/status.h"
#include "lab/train/export.h"
#include "lab/train/loader.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct TrainSettings {
    WordList data;     /* files of game records */
    const char *out;   /* the network; `out` and ".floats" gets its weights before rounding */
    const char *name;  /* that it bears */
    const char *start; /* network or file of weights to begin with, see weights_begin; NULL: random ones */
    const char *checkpoint; /* NULL: `out` and ".checkpoint" */
    const char *log;        /* table of the losses, tab-separated; NULL: `out` and ".tsv" */
    const char *plot;       /* SVG of the losses, drawn by gnuplot; NULL: none */
    NetworkShape shape;
    int64_t epochs, batch, threads; /* threads 0: all */
    int64_t seed;
    int64_t warm_up; /* steps over which the rate rises; never more than a tenth of all */
    double rate, rate_end;
    double decay;         /* of the weights, a step: rate * decay */
    double decay_buckets; /* the same for what each king bucket adds to the common part; below 0: `decay` */
    double epsilon;       /* see OptimPlan */
    double average;       /* share of the training at whose end the weights are averaged, at `rate_end` */
    double share, share_end; /* of the result in the target, first and last; last below 0: as first */
    LoaderFilter filter;
    const char *tablebases; /* folders of Syzygy tables, which know labels with few pieces; NULL: none */
    int64_t average_every;  /* steps after which several ranks take the mean of their weights; 0: no ranks */
    bool again;             /* start over, and keep the old files under other names */
    bool quiet;
} TrainSettings;

extern const Field TRAIN_FIELDS[];

/* What stands in the braces of the rows that describe a NetworkShape. */
#define NETWORK_WIDTH(shape, standard)                                     \
    FIELD_WHOLE("width", "N", shape.width, WIDTH_MIN, WIDTH_MAX, standard, \
                "hidden units a side; computed as the next of 32, 64, 128, 256, 512, 768, 1024")
#define NETWORK_BUCKETS(shape, standard) \
    FIELD_WHOLE("buckets", "N", shape.buckets, 1, BUCKETS_MAX, standard, "output buckets, 1 or 8")
#define NETWORK_KING_BUCKETS(shape, standard)                                           \
    FIELD_WHOLE("king-buckets", "N", shape.king_buckets, 1, KING_BUCKETS_MAX, standard, \
                "input tables by the square of the own king: 1, 4 or 8")
#define NETWORK_LAYERS(shape, standard)                                \
    FIELD_WHOLE("layers", "N", shape.layers, 0, LAYER_COUNT, standard, \
                "between hidden units and output: 0, or 2 (16 and 32 units, after products of pairs)")

/* Refuses a network that cannot be trained. */
Status train_settings_check(const TrainSettings *settings);

typedef struct TrainReport {
    uint64_t games, plies;         /* read */
    uint64_t training, validation; /* positions, of all ranks */
    uint64_t validation_games;     /* of the latter; 0 with positions: not known */
    double agreement;              /* share of decided positions whose score has the winner's sign, 0 to 1 */
    uint64_t steps;
    double loss, validation_loss; /* mean squared error, at the end */
    double seconds;               /* of training, this run */
    double speed;                 /* positions a second */
    ExportCheck check;
    uint64_t network_hash;
    int rank, ranks; /* own number and how many; 0 of 1 without --average-every. Only rank 0 has the rest */
    uint64_t exchanged; /* bytes of numbers that each rank gave to means, this run */
    long long torn;     /* bytes of torn ends that were ignored */
    bool interrupted;   /* a checkpoint was written, no network */
    bool was_finished;  /* by an earlier run, whose report this is */
} TrainReport;

/* With fewer games for validation its loss is noise: positions of a game are alike, so games count. */
enum { TRAIN_VALIDATION_GAMES = 50 };

/* Carries on from the checkpoint of an interrupted run of the same settings and data; does nothing where the
 * network is finished already. Other settings are refused, with what differs: OUT.journal has them. */
Status trainer_run(const TrainSettings *settings, TrainReport *report);

#endif
