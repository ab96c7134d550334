/* New scores for old games: every scored ply is searched again by another network. Called from one thread; it
 * uses all cores itself. */
#ifndef LUFT_SELFPLAY_RELABEL_H
#define LUFT_SELFPLAY_RELABEL_H

#include "base/status.h"
#include "lab/selfplay/selfplay.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RelabelSettings {
    char *const *in;
    int in_count;
    const char *out;     /* the work in progress is OUT.relabelling; the same command goes on with it */
    const char *network; /* see selfplay_open_network */
    MoveBudget budget;
    int64_t threads, hash; /* 0: one for each core; MiB of each player's table */
    bool quiet;
} RelabelSettings;

typedef struct RelabelReport {
    uint64_t games, plies; /* plies searched in this run */
    bool interrupted;
} RelabelReport;

Status relabel_run(const RelabelSettings *settings, RelabelReport *report);

#endif
