/* A match under way: what its main thread (schedule.c) and its playing threads (player.c) share, and what
 * either may do with it. Private to them. */
#ifndef LUFT_MATCH_MATCH_STATE_H
#define LUFT_MATCH_MATCH_STATE_H

#include "base/sync.h"
#include "lab/client/heartbeat.h"
#include "lab/match/journal.h"
#include "lab/kit/machine.h"
#include "lab/match/match.h"
#include "lab/kit/watch.h"

typedef struct Match Match;

enum { MATCH_LOG_PATH_CAPACITY = ENGINE_PATH_CAPACITY + ENGINE_NAME_CAPACITY + 32 };

struct Match {
    const MatchSetup *setup;
    const MatchListener *listener;
    MatchTotals *totals;
    int pair_count;
    int cpus[MACHINE_PROCESSORS_MAX];
    int cpu_count;     /* of the machine */
    int cpus_per_game; /* the most threads that an engine uses */
    AppendFile pgn;    /* handle -1: none */
    Journal journal;   /* file.handle -1: none */
    Heartbeat heartbeat;
    Watch watch;        /* of the main thread, woken when the last player ends */
    atomic_bool cancel; /* abandon the games under way */
    Mutex lock;         /* for all that follows, and for the listener */
    bool *done;         /* by index of the pair: finished before or being played */
    int next;           /* no pair below is open */
    int playing;        /* threads still at work */
    Status status;      /* the first failure */
};

/* Starts an engine; `number` names the log of its standard error. */
Status match_start_engine(Match *match, int engine, int number, const int *cpus, UciClient **client);

/* Ends the match; the first reason given is kept. The lock must not be held. */
void match_fail(Match *match, const Status *status);

/* The last words of a thread of the match: the main thread may then end it. */
void match_leave(Match *match);

/* Takes the next open pair; -1 when there is none or the match ends. */
int match_take_pair(Match *match);

/* Adds a pair to the totals and tells the listener; false when the listener stops the match. The lock must be
 * held. */
bool match_count_pair(Match *match, const PairResult *pair);

/* Saves a finished pair and tells the listener; false when the match ends. */
bool match_finish_pair(Match *match, const PairResult *pair, TextView pgn);

/* The file for the standard error of engine `engine` as started by player `number`. */
void match_log_path(const Match *match, int engine, int number, char out[MATCH_LOG_PATH_CAPACITY]);

/* Tells the listener something worth a line. */
void match_notice(Match *match, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
