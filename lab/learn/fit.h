/* From scores and results to chances: a logistic model of win, draw and loss, fitted to our own games.
 *
 *   P(win)  = 1 / (1 + exp(alpha - beta * score))
 *   P(loss) = 1 / (1 + exp(alpha + beta * score)),  the rest is drawn
 *
 * alpha and beta are polynomials in x = material / 58, where material counts both sides' pawns 1, knights and
 * bishops 3, rooks 5, queens 9, held within 17 to 78. This is the cumulative logit model; its likelihood has
 * one summit, found by Fisher scoring. The customary form (as in Stockfish's WDL model, whose measure of
 * material this is) follows with a = alpha / beta, the score at which half the games are won, and b = 1 /
 * beta. */
#ifndef LUFT_LEARN_FIT_H
#define LUFT_LEARN_FIT_H

#include "base/status.h"
#include "lab/learn/recorded.h"

#include <stddef.h>
#include <stdint.h>

enum {
    FIT_TERMS = 4, /* of each polynomial: degree 3 */
    FIT_MATERIAL_LOW = 17,
    FIT_MATERIAL_HIGH = 78,
    FIT_MATERIAL_USUAL = 58,
    FIT_SCORE_MAX = 2000, /* positions beyond are left out */
    FIT_SCORE_STEP = 10
};

/* How often each result followed, by score (side to move) and material. */
typedef struct FitCounts {
    uint64_t count[FIT_MATERIAL_HIGH - FIT_MATERIAL_LOW + 1][2 * FIT_SCORE_MAX / FIT_SCORE_STEP + 1]
                  [RECORD_RESULTS];
    uint64_t total;
} FitCounts;

typedef struct FitModel {
    double alpha[FIT_TERMS], beta[FIT_TERMS]; /* beta a unit of score */
} FitModel;

int fit_material(const Position *pos);

/* Counts a position; scores that say mate or lie outside the range are ignored. `result` is the side to
 * move's: 0 lost, 1 drawn, 2 won. */
void fit_count(FitCounts *counts, int material, int score, int result);

/* Fails when there are too few positions, or all results are alike. */
Status fit_solve(const FitCounts *counts, FitModel *model);

typedef struct FitChances {
    double win, draw, loss;
} FitChances;
FitChances fit_chances(const FitModel *model, int material, double score);

/* The score at which half the games are won, and how fast the chance rises there. */
double fit_even_score(const FitModel *model, int material);
double fit_spread(const FitModel *model, int material);

/* Mean logarithmic loss of the model, in nats a position. */
double fit_loss(const FitModel *model, const FitCounts *counts);

#endif
