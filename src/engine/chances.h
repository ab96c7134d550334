/* From scores to chances: a logistic model of win, draw and loss, fitted to our own games by `luft-lab fit`.
 *
 *   P(win)  = 1 / (1 + exp(alpha - beta * score))
 *   P(loss) = 1 / (1 + exp(alpha + beta * score)),  the rest is drawn
 *
 * alpha and beta are polynomials in x = material / 58, where material counts both sides' pawns 1, knights and
 * bishops 3, rooks 5, queens 9, held within 17 to 78. The customary form (as in Stockfish's WDL model, whose
 * measure of material this is) follows with a = alpha / beta, the score at which half the games are won, and
 * b = 1 / beta; a at the usual material, rounded, is SCORE_UNITS_PER_PAWN. Floating point, and therefore for
 * output only, never for a search. Pure. */
#ifndef LUFT_ENGINE_CHANCES_H
#define LUFT_ENGINE_CHANCES_H

#include "chess/position.h"

enum {
    CHANCE_TERMS = 4, /* of each polynomial: degree 3 */
    CHANCE_MATERIAL_LOW = 17,
    CHANCE_MATERIAL_HIGH = 78,
    CHANCE_MATERIAL_USUAL = 58
};

typedef struct ChanceModel {
    double alpha[CHANCE_TERMS], beta[CHANCE_TERMS]; /* of 1, x, x^2, x^3; beta a unit of score */
} ChanceModel;

/* Of the side whose score it is; they add up to 1. */
typedef struct Chances {
    double win, draw, loss;
} Chances;

/* The expected score: wins and half the draws. */
static inline double chances_expected(Chances chances) { return chances.win + chances.draw / 2; }

/* 1 / (1 + exp(-value / scale)): the expected score in training and on gold sets, where it needs no material.
 */
double chances_logistic(double value, double scale);

/* Chances in whole parts. */
typedef struct ChanceParts {
    int win, draw, loss;
} ChanceParts;

/* The model of this engine, which belongs to its network. */
const ChanceModel *chances_model(void);

int chances_material(const Position *pos);

/* `score` in internal units, no mate. */
Chances chances_by_model(const ChanceModel *model, int material, double score);

/* The score at which half the games are won, and how slowly the chance rises there. */
double chances_even_score(const ChanceModel *model, int material);
double chances_spread(const ChanceModel *model, int material);

/* The chances of the side to move in `root`, given the score of a search; a mate is certain. */
Chances chances_of_search(const Position *root, int score);

/* Rounded to parts that add up to `whole`: 1000 for permille. */
ChanceParts chances_round(Chances chances, int whole);

#endif
