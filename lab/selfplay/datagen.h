/* Data to train on: games of the engine against itself, written to a file of records, on all cores; and new
 * scores for the games of such files. */
#ifndef LUFT_SELFPLAY_DATAGEN_H
#define LUFT_SELFPLAY_DATAGEN_H

#include "base/field.h"
#include "lab/selfplay/selfplay.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct DatagenSettings {
    const char *out;
    const char *network;    /* see selfplay_open_network */
    const char *tablebases; /* folders of Syzygy tables that the search asks; NULL: none */
    int64_t threads;        /* 0: one for each core */
    int64_t hash;           /* MiB of each thread's table */
    int64_t seed;
    int64_t games, plies; /* bounds, also of what the file has already; 0: none */
    const char *shard;    /* "K/N": only this part of `games` (lab/data/shards.h); NULL: all */
    double seconds;       /* bound of this run; 0: none */
    MoveBudget budget;
    OpeningSettings opening;
    Adjudication adjudication;
    double random_moves;   /* share of plies after the opening that are random, without a score */
    double played_out;     /* share of the games that are not adjudicated by score */
    int64_t gold_nodes;    /* keep one position of each game, searched with this many nodes; 0: games */
    double gold_inside;    /* share of these positions that are leaves of a search from the game */
    int64_t flush_seconds; /* a block is written at least so often */
    bool first_generation; /* no adjudication, no check of openings: a random network's scores mean nothing */
    bool again;            /* start over, and keep the old file under another name */
    bool quiet;
} DatagenSettings;

extern const Field DATAGEN_FIELDS[];

typedef struct DatagenReport {
    uint64_t games, plies;         /* in the file now */
    uint64_t new_games, new_plies; /* of this run */
    uint64_t results[GAME_RESULTS];
    uint64_t ends[END_KINDS];
    uint64_t nodes, moves; /* searched in this run */
    double seconds;
    long long bytes;
    long long torn; /* cut off the end of the file at the beginning */
    uint64_t network_hash;
    bool interrupted;
} DatagenReport;

/* Plays until a bound is reached or an interruption is requested. Goes on with an existing file, which must
 * come from the same network and settings: OUT.journal has them. Games are kept in the order of their
 * numbers: a seed gives the same games, with any number of threads and after interruptions, too. */
Status datagen_run(const DatagenSettings *settings, DatagenReport *report);

/* One game, the one that has this number in the run of this seed: the same each time. False when *stop became
 * true, or when a game gives no position for the gold set. */
typedef struct GameCost {
    uint64_t nodes, moves;
} GameCost;
typedef bool StopQuery(void *context);
bool datagen_play_game(const DatagenSettings *settings, Player *player, uint64_t number, RecordedGame *game,
                       GameCost *cost, StopQuery *stop, void *context);

/* --- new scores for old games --- */

typedef struct RelabelSettings {
    WordList in;
    const char *out;     /* the work in progress is OUT.relabelling; the same command goes on with it */
    const char *network; /* see selfplay_open_network */
    MoveBudget budget;
    int64_t threads, hash; /* 0: one for each core; MiB of each player's table */
    bool quiet, again;     /* again: replaces `out`, and sets the old file aside */
} RelabelSettings;

typedef struct RelabelReport {
    uint64_t games, plies; /* plies searched in this run */
    bool interrupted;
} RelabelReport;

/* Every scored ply is searched again by another network, on all cores; in imported games, which no network
 * played, every position is. */
Status relabel_run(const RelabelSettings *settings, RelabelReport *report);

#endif
