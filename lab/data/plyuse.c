#include "lab/data/plyuse.h"

#include "chess/makemove.h"
#include "search/score.h"

#include <stdlib.h>

PlyUse plyuse_find(const PlyFilter *filter, const Position *pos, const RecordPly *ply, int ply_number) {
    if (ply->score == RECORD_NO_SCORE) return PLY_UNSCORED;
    if (ply_number < filter->min_ply) return PLY_EARLY;
    if (!filter->keep_checks && position_in_check(pos)) return PLY_IN_CHECK;
    if (!filter->keep_noisy && ply->move != MOVE_NONE && position_is_noisy(pos, ply->move)) return PLY_NOISY;
    const bool decided = score_is_mate(ply->score) || abs(ply->score) > filter->max_score;
    return decided || position_has_lone_king(pos) ? PLY_DECIDED : PLY_USED;
}
