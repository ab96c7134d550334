/* Which positions of recorded games teach a network anything: training reads these, data stats counts them,
 * and an export to another trainer may leave out the rest. Any thread may call. */
#ifndef LUFT_DATA_PLYUSE_H
#define LUFT_DATA_PLYUSE_H

#include "chess/position.h"
#include "lab/data/recorded.h"

#include <stdbool.h>

typedef struct PlyFilter {
    int min_ply;      /* plies before this one are skipped, see plyuse_number_ply */
    int max_score;    /* scores beyond it, either way, are skipped; mate scores always */
    bool keep_checks; /* positions in check too */
    bool keep_noisy;  /* positions whose best move takes or promotes too */
} PlyFilter;

/* Whether a ply is used, or the first reason against it. A score is decided beyond `max_score` or with a lone
 * king: the search knows such endings without the network. */
typedef enum PlyUse {
    PLY_USED,
    PLY_UNSCORED,
    PLY_EARLY,
    PLY_IN_CHECK,
    PLY_NOISY,
    PLY_DECIDED,
    PLY_USES
} PlyUse;

/* `pos` is the position before the ply. MOVE_NONE: the last position of a game. */
PlyUse plyuse_find(const PlyFilter *filter, const Position *pos, const RecordPly *ply, int ply_number);

/* The number that `min_ply` is compared with: that of the ply in the record. A game from a set-up position
 * has no opening to skip: all its plies are late enough. */
static inline int plyuse_number_ply(const PlyFilter *filter, const RecordedGame *game, int ply) {
    return game->start_white == RECORD_CUSTOM_START ? filter->min_ply + ply : ply;
}

#endif
