/* Files of games made from other files of games: joined, filtered, split, salvaged. Called from one thread.
 */
#ifndef LUFT_DATA_SORTING_H
#define LUFT_DATA_SORTING_H

#include "base/file.h"
#include "lab/data/record.h"

/* A file of games that gets its name when it is complete. */
typedef struct RecordOutput {
    NewFile file;
    const char *path;
    bool again; /* see record_check_output */
    RecordWriter *writer;
    uint64_t games, plies;
} RecordOutput;

Status sorting_open(RecordOutput *output, const char *path, bool again);
Status sorting_add(RecordOutput *output, const RecordOrigin *origin, RecordedGame *game);

/* Renames and prints what is in it; after a failure (`status` so far) removes what was written. An output
 * that was never opened ({0}) is fine. */
Status sorting_close(RecordOutput *output, Status status);

typedef struct SortingSettings {
    WordList in;
    const char *out;  /* the games that pass all that follows */
    const char *rest; /* the others; NULL: nowhere */
    double share;     /* chance to pass */
    uint64_t seed;    /* of that choice */
    int64_t nodes;    /* node limit of the games; 0: any */
    int min_plies, max_plies;
    int result;          /* White's half points, or -1: any */
    int start;           /* 0 standard, 1 Chess960, -1 any */
    const char *network; /* its hash in hexadecimal; NULL: any */
    const char *player;  /* White or Black; NULL: any */
    const char *tag;     /* "NAME=VALUE", a tag of the game; NULL: any */
    const char *not_tag; /* one that it does not have; NULL: none */
    bool again;          /* replaces files that are there, and sets them aside */
    bool unique;         /* a game passes once */
    bool coarse;         /* scores become coarse, see RecordOrigin */
} SortingSettings;

Status sorting_run(const SortingSettings *settings);

/* --- salvage --- */

enum {
    SALVAGE_GAPS_MAX = 16,
    SALVAGE_WORK = 4 /* how often a byte may be read for false headers, which may all claim the rest: on
                        average, beyond one block of the largest size */
};

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

/* What can be saved of a damaged file of games, every block that is whole, wherever it stands: writes the
 * blocks of `in` to `out`, which record_check_output checks; `in` stays as it is. An error when no block is
 * whole. */
Status salvage_games(const char *in, const char *out, bool again, SalvageReport *report);

#endif
