/* Tunes the numbers of an engine: several pairs of games at once, between two players of the same engine
 * whose numbers differ. The engines keep running and get new numbers before each pair. Or has their moves
 * judged instead: a pair is then a stretch of a game that both search. */
#ifndef LUFT_TUNE_TUNER_H
#define LUFT_TUNE_TUNER_H

#include "base/field.h"
#include "lab/client/engine_config.h"
#include "lab/tune/tuning.h"

enum { TUNER_CONCURRENCY_MAX = SPSA_STEPS_MAX };

/* NAME=VALUE for both players. */
typedef struct TunerOptions {
    const char *word[ENGINE_OPTIONS_MAX];
    int count;
} TunerOptions;

typedef struct TunerSettings {
    const char *engine;   /* a LAB=1 build: it has an option for each number of params.def */
    const char *book;     /* for games */
    const char *folder;   /* for results and journals: a tuning found there is carried on */
    const char *results;  /* the numbers are appended to this file at the end; NULL: none */
    const char *moves;    /* games whose moves are judged; NULL: games are played */
    int64_t stretches;    /* of these games, at most */
    uint64_t judge_nodes; /* of a judgement */
    WordList names;       /* of the numbers; none: all that do something */
    TunerOptions options;
    uint64_t nodes; /* 0: not in fixed nodes */
    const char *tc; /* NULL: not on the clock */
    int hash, concurrency, plot;
    SpsaSettings spsa;
    bool again;     /* start over, and keep the folder of an earlier tuning under another name */
    bool openbench; /* finds the numbers, and plays nothing */
    bool apply;     /* at the end of the schedule writes the values into `params` */
    const char *params;
    bool quiet; /* no progress */
} TunerSettings;

/* Asks the engine for its numbers, carries on where the journal ends, and plays the missing pairs. Writes the
 * results to the folder every minute and at the end. Appends the table of the numbers in Markdown; with
 * `openbench` only what OpenBench needs, with `apply` also the command that tests the values.
 *
 * What goes wrong with an engine is reported on standard error, the engine is started again and the pair
 * discarded; engines that cannot be started again, or fail again and again, end the tuning with an error.
 * SIGINT, SIGTERM and SIGHUP stop it cleanly: pairs that are not finished are abandoned; all finished ones
 * are in the journal in any case. */
Status tuner_run(const TunerSettings *settings, TextBuffer *out);

#endif
