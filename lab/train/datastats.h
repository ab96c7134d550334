/* What files of game records contain, counted in one pass. Called from one thread. */
#ifndef LUFT_TRAIN_DATASTATS_H
#define LUFT_TRAIN_DATASTATS_H
#include "base/status.h"
#include "base/text.h"
#include "lab/data/record.h"
#include "lab/train/loader.h"
#include "nnue/arch.h"

#include <stdint.h>

enum {
    STATS_ORIGINS_MAX = 256,
    STATS_SCORE_BINS = 17, /* of 200 units, the middle one around 0, the outer ones open */
    STATS_SCORE_STEP = 200,
    STATS_KEYS_MAX = 1 << 24 /* distinct positions remembered for duplicates */
};

typedef struct OriginStats {
    RecordOrigin origin;
    uint64_t blocks, games, plies;
} OriginStats;

typedef struct DataStats {
    uint64_t bytes, torn, blocks, games, plies, chess960_games;
    uint64_t results[GAME_RESULTS], ends[END_KINDS], cut_short; /* not by the rules, and not adjudicated */
    OriginStats origins[STATS_ORIGINS_MAX];
    int origin_count;
    uint64_t uses[PLY_USES];                 /* plies */
    uint64_t score_count[STATS_SCORE_BINS];  /* of usable plies, White's view */
    uint64_t score_points[STATS_SCORE_BINS]; /* half points that White made from there */
    uint64_t decided,
        agreeing; /* usable plies beyond +-100 in games with a winner; those with the winner's sign */
    uint64_t pieces[PIECES_MAX + 1]; /* usable plies by number of pieces, pawns and kings included */
    uint64_t compared, duplicates;   /* usable positions looked up among those before */
    uint64_t *keys;                  /* a hash table of their keys; 0 is an empty place */
    Status damage;                   /* the first damaged place; everything before it was counted */
} DataStats;

/* Counts another file. Fails only when nothing could be read or memory runs out; damage is in stats->damage.
 */
Status datastats_add(DataStats *stats, const char *path, const LoaderFilter *filter);
void datastats_release(DataStats *stats);

/* For people. */
void datastats_print(const DataStats *stats, TextBuffer *out);

#endif
