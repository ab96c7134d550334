/* Plays the games of a tuning: several pairs at once, between two players of the same engine whose numbers
 * differ. The engines are kept running and told new numbers before each pair. Or has their moves judged
 * instead: a pair then is a stretch of a game that both go through. */
#ifndef LUFT_TUNE_TUNER_H
#define LUFT_TUNE_TUNER_H

#include "lab/client/engine_config.h"
#include "lab/match/openings.h"
#include "lab/tune/judge.h"
#include "lab/tune/tune_journal.h"

enum { TUNER_CONCURRENCY_MAX = SPSA_STEPS_MAX };

typedef struct TunerSettings {
    const EngineConfig *engine; /* of both players; its limits too */
    const OpeningBook *book;    /* for games */
    Judge *judge;               /* NULL: games */
    int concurrency;            /* pairs at once */
    const char *error_log;      /* the engines' standard error */
    bool quiet;                 /* no progress */
    /* Called now and then, when pairs have been finished, and not while the tuning changes. An error ends it.
     */
    Status (*save)(void *context, const Tuning *tuning);
    void *context;
} TunerSettings;

/* Plays the pairs that are missing. What goes wrong with an engine is reported on standard error, the engine
 * is started again and the pair discarded; engines that cannot be started again, or fail again and again, end
 * the tuning with an error. SIGINT, SIGTERM and SIGHUP end it in an orderly way: `*stopped` then is true, and
 * the pairs under way are abandoned. All finished pairs are in the journal in any case. */
Status tuner_run(const TunerSettings *settings, Tuning *tuning, TuneJournal *journal, bool *stopped);

#endif
