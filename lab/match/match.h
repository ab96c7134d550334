/* A match: who plays whom and how, what it reports, and what it cost. */
#ifndef LUFT_MATCH_MATCH_H
#define LUFT_MATCH_MATCH_H

#include "lab/match/openings.h"
#include "lab/match/tally.h"

typedef enum MatchKind { MATCH_ROUND_ROBIN, MATCH_GAUNTLET } MatchKind; /* for two engines the same */

typedef struct MatchSetup {
    const EngineConfig *engines;
    int engine_count;
    MatchKind kind; /* gauntlet: the first engine against each other */
    int pairs;      /* of each pairing */
    int concurrency;
    const OpeningBook *book;
    OpeningOptions openings;
    GameRules rules;
    bool chess960;
    bool pin;          /* keep each game on its own processors */
    bool reproducible; /* no times, dates, or speeds in the PGN */
    bool resume;
    const char *pgn_path;                 /* NULL: none */
    const char *journal_path;             /* NULL: none */
    const char *log_folder;               /* engines' standard error; NULL: thrown away */
    const char *event, *site;             /* PGN tags; NULL: defaults */
    int64_t start_timeout, stall_timeout; /* milliseconds; 0: see uci_client.h */
} MatchSetup;

/* Called under the match's lock, one at a time, from its threads. */
typedef struct MatchListener {
    void *context;
    /* After each finished pair, also for each one restored from the journal. False: stop the match; pairs
     * under way are abandoned and not counted. */
    bool (*pair_finished)(void *context, const PairResult *pair, const TallyTable *table);
    /* A line worth showing: a fault by name, a warning. */
    void (*notice)(void *context, const char *text);
    /* About twice a second while games go on. */
    void (*tick)(void *context);
} MatchListener;

/* What the match cost and met. */
typedef struct MatchTotals {
    TallyTable table;
    int64_t pairs_played, pairs_restored; /* now; before */
    int64_t plies;                        /* played by engines now */
    int64_t replays;                      /* of games that the machine had decided */
    int64_t wall;                         /* microseconds */
    int64_t own_cpu;       /* microseconds of our own processor time, engines and heartbeat not included */
    int64_t heartbeat_cpu; /* microseconds of processor time that watching the machine took */
    int64_t engine_wall, engine_cpu, engine_delay; /* of all searches */
    bool stopped;                                  /* by the listener or a signal */
    bool completed;                                /* all pairs are played */
} MatchTotals;

/* The number of pairs that the set-up means in all. */
int match_pair_count(const MatchSetup *setup);

/* Pair `index`: which engines, which pair between them. */
void match_pairing(const MatchSetup *setup, int index, int *first, int *second, int *round);

void match_totals_release(MatchTotals *totals);

#endif
