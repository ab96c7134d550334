/* Games that were played, judged move by move: Luft searches each position with the same nodes, and the
 * losses of each player are added up. The games are the units of the error bars, because the moves of one
 * game are not independent. */
#ifndef LUFT_TUNE_PLAYED_H
#define LUFT_TUNE_PLAYED_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLAYED_WORST = 10 /* moves of each player that are listed */ };

typedef struct PlayedSettings {
    const char *games;   /* a PGN file */
    const char *player;  /* judges this one alone, and no other games; NULL: all players */
    const char *journal; /* keeps the searches: the same command carries on. NULL: none */
    uint64_t nodes;      /* of a search */
    int concurrency;     /* games at once */
    bool skip_faults;    /* go on without what cannot be read */
    bool quiet;
} PlayedSettings;

/* Appends, as Markdown, a row for each player and its worst moves. Called from the main thread. */
Status played_judge(const PlayedSettings *settings, TextBuffer *out);

#endif
