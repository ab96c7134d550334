/* What can be saved of a damaged file of games: every block that is whole, wherever it stands. */
#ifndef LUFT_DATA_SALVAGE_H
#define LUFT_DATA_SALVAGE_H

#include "base/status.h"

#include <stdint.h>

enum { SALVAGE_GAPS_MAX = 16 };

/* Bytes that are no whole block. */
typedef struct SalvageGap {
    uint64_t offset, bytes;
    uint64_t games, plies; /* that were in it, as far as the headers in it still say */
} SalvageGap;

typedef struct SalvageReport {
    uint64_t blocks, games, plies; /* saved */
    uint64_t lost_bytes, lost_games, lost_plies;
    int gaps; /* all of them; the first SALVAGE_GAPS_MAX are reported */
    SalvageGap gap[SALVAGE_GAPS_MAX];
} SalvageReport;

/* Writes the whole blocks of `in` to `out`, which must be another file and no foreign one; `in` stays as it
 * is. An error when no block is whole. */
Status salvage_games(const char *in, const char *out, SalvageReport *report);

#endif
