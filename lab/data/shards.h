/* Shards: parts of one run of datagen, which machines play without knowing of each other. A run of N games
 * has the numbers 0 to N - 1, and what happens in a game follows from its number and the seed. Numbers are
 * cut into groups of SHARD_GAMES, each of which is one block of a file, so that a shard has the same bytes
 * wherever and however often interrupted it is played, and the shards together are the file of the whole run.
 *
 * Two shapes were weighed. Games dealt out one by one (number modulo shards) need no groups, but then nobody
 * can join files without coding every game again in another order. So a shard is a row of whole blocks. */
#ifndef LUFT_DATA_SHARDS_H
#define LUFT_DATA_SHARDS_H

#include "base/field.h"
#include "base/status.h"

#include <stdint.h>

enum { SHARD_GAMES = 64 };

typedef struct Shard {
    int64_t number, count; /* from 1 */
    uint64_t first, end;   /* its games: from `first` on, before `end` */
} Shard;

/* Reads "3/64" for a run of that many games. */
Status shard_parse(const char *text, int64_t games, Shard *shard);

/* The number after a block whose last kept game has the number before `next`: games may be dropped. */
uint64_t shard_block_end(uint64_t next, uint64_t end);

typedef struct CollectSettings {
    WordList in;
    const char *out;
    int64_t games; /* of the whole run; 0: up to the last one that there is */
    bool gaps;     /* write the file though games are missing */
    bool again;    /* replace the file, and keep the old one under another name */
} CollectSettings;

/* Joins shards of one run, in the order of their games. Reports blocks that came twice, which are kept once;
 * fails when two of the same numbers differ, or when games are missing, and then prints the commands that
 * play them, as the shards' journals know them. */
Status collect_run(const CollectSettings *settings);

#endif
