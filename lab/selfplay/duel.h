/* Two networks against each other inside one process: a fixed number of nodes a move, pairs of games with
 * colours reversed. The same arguments give the same games, whatever the threads. */
#ifndef LUFT_SELFPLAY_DUEL_H
#define LUFT_SELFPLAY_DUEL_H
#include "lab/match/stats.h"
#include "lab/selfplay/selfplay.h"

typedef struct DuelSettings {
    int64_t pairs;
    int64_t threads; /* 0: one for each core */
    int64_t hash;    /* MiB of each player's table */
    uint64_t seed;
    MoveBudget budget;
    OpeningSettings opening;   /* its check is made by the first player */
    Adjudication adjudication; /* on the scores of both */
    bool quiet;
    const char *journal; /* keeps each finished pair, and carries on from those that it has; NULL: none */
} DuelSettings;

extern const Field DUEL_FIELDS[];

DuelSettings duel_settings_default(void);

typedef struct DuelResult {
    PairCounts pairs; /* those of the journal included, from the first player's side; fewer than asked after
                         an interruption */
    GameCounts games;
} DuelResult;

/* A journal of other networks or settings is refused; fewer or more pairs are no other settings. */
Status duel_play(const DuelSettings *settings, const Network *first, const Network *second,
                 DuelResult *result);

#endif
