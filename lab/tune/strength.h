/* How strong an engine is against Stockfish at low Skill Levels, as Markdown. Called from one thread. */
#ifndef LUFT_TUNE_STRENGTH_H
#define LUFT_TUNE_STRENGTH_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { STRENGTH_LEVELS_MAX = 21 };

typedef struct StrengthSettings {
    int levels[STRENGTH_LEVELS_MAX], level_count; /* Skill Levels, 0 to 20 */
    int games;                                    /* at each level, an even number */
    int hash, concurrency;
    double seconds; /* for each move */
    uint64_t seed;
    const char *engine, *opponent, *book;
    const char *folder; /* keeps games, logs and journals: matches found there are carried on. NULL: nothing
                           is kept */
    bool quiet;
} StrengthSettings;

/* Plays, and appends the report of what was played, after a failure too. */
Status strength_run(const StrengthSettings *settings, TextBuffer *out);

#endif
