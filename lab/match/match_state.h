/* A match under way: what its main thread (schedule.c) and its playing threads (pairs.c) share, and what
 * either may do with it. Private to them. */
#ifndef LUFT_MATCH_MATCH_STATE_H
#define LUFT_MATCH_MATCH_STATE_H

#include "lab/client/heartbeat.h"
#include "lab/client/seat.h"
#include "lab/kit/crew.h"
#include "lab/kit/machine.h"
#include "lab/match/journal.h"
#include "lab/match/match.h"

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
    bool has_logs;     /* the folder of logs is this match's own */
    AppendFile pgn;    /* handle -1: none */
    Journal journal;   /* lines.file.handle -1: none; knows what the PGN file holds */
    Heartbeat heartbeat;
    Crew crew;  /* its lock is for all that follows, for the totals and for the listener */
    bool *done; /* by index of the pair: finished before or being played */
    int next;   /* no pair below is open */
};

/* How to start an engine; `number` and `log` are for the file of its standard error. */
UciClientOptions match_client_options(Match *match, int engine, int number, const int *cpus,
                                      char log[MATCH_LOG_PATH_CAPACITY]);

/* Takes the next open pair; -1 when there is none or the match ends. */
int match_take_pair(Match *match);

/* Adds a pair to the totals and tells the listener; false when the listener stops the match. The lock must be
 * held. */
bool match_count_pair(Match *match, const PairResult *pair);

/* Saves a finished pair and tells the listener; false when the match ends. */
bool match_finish_pair(Match *match, const PairResult *pair, TextView pgn);

/* The file for the standard error of engine `engine` as started by thread `number` (from 1; 0: the check). */
void match_log_path(const Match *match, int engine, int number, char out[MATCH_LOG_PATH_CAPACITY]);

/* Tells the listener something worth a line. */
void match_notice(Match *match, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
