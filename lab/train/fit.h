/* Fits the model of chances (engine/chances.h) to our own games. The model is the cumulative logit; its
 * likelihood has one summit, found by Fisher scoring. */
#ifndef LUFT_TRAIN_FIT_H
#define LUFT_TRAIN_FIT_H

#include "base/field.h"
#include "base/status.h"
#include "engine/chances.h"
#include "lab/data/recorded.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FIT_SCORE_MAX = 2000, /* positions beyond are skipped */
    FIT_SCORE_STEP = 10
};

/* How often each result followed, by score (side to move) and material. */
typedef struct FitCounts {
    uint64_t count[CHANCE_MATERIAL_HIGH - CHANCE_MATERIAL_LOW + 1][2 * FIT_SCORE_MAX / FIT_SCORE_STEP + 1][3];
    uint64_t total;
} FitCounts;

/* Counts a position; scores that say mate or lie outside the range are ignored. `result` is the side to
 * move's: 0 lost, 1 drawn, 2 won. */
void fit_count(FitCounts *counts, int material, int score, int result);

/* Counts the positions with a score of files of games, from ply `min_ply` on; with `played_out` only games
 * that were not adjudicated. */
Status fit_count_files(const WordList *files, int64_t min_ply, bool played_out, FitCounts *counts);

/* Fails when there are too few positions, or all results are alike. */
Status fit_solve(const FitCounts *counts, ChanceModel *model);

/* Mean logarithmic loss of the model, in nats a position. */
double fit_loss(const ChanceModel *model, const FitCounts *counts);

/* Whether, at any material, a higher score is a better chance and it takes an advantage to win half the
 * games. Of too few games a model comes out that is not. */
bool fit_is_plausible(const ChanceModel *model);

#endif
