/* Ratings of many players from their games, by maximum likelihood. Pure arithmetic on counts; no printing.
 * Any thread may call on its own data.
 *
 * The chance of a result depends on x, the difference of two ratings plus White's advantage (natural
 * logarithms inside, 400 / ln 10 Elo each):
 *   half points  a win with chance 1 / (1 + exp(-x)); a draw is half a win and half a loss. Published ratings
 *                of engines are mostly of this kind.
 *   Davidson     win : draw : loss = exp(x / 2) : nu : exp(-x / 2) (Davidson 1970)
 *   Rao-Kupper   win 1 / (1 + theta exp(-x)), loss 1 / (1 + theta exp(x)) (Rao and Kupper 1967; BayesElo)
 * Labels can be compared only where the model is the same: 60 wins, 20 draws and 20 losses are 147 Elo by
 * half points and 191 by Davidson.
 *
 * Ratings of two players can be compared only if each of them is linked to the other by results that are not
 * one-sided. Players so linked are a group; fixed players are linked by their ratings. Each group is rated by
 * itself. A player who has won all games is a group alone. */
#ifndef LUFT_RATE_RATING_H
#define LUFT_RATE_RATING_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum RatingModel { RATING_HALF_POINTS, RATING_DAVIDSON, RATING_RAO_KUPPER } RatingModel;

/* Results from White's point of view. */
typedef enum RatingOutcome { RATING_LOSS, RATING_DRAW, RATING_WIN, RATING_OUTCOMES } RatingOutcome;

/* All games of two players with these colours. */
typedef struct RatingPair {
    int white, black;
    double count[RATING_OUTCOMES];
} RatingPair;

typedef struct RatingPlayer {
    char *name;    /* the caller's */
    bool is_fixed; /* an anchor: its rating is given */
    double rating; /* Elo; of a group without an anchor the mean is 0 */
    double error;  /* half the width of the 95 % interval, relative to the anchors or that mean; 0: fixed */
    int group;     /* from 0, by size */
} RatingPlayer;

/* The games, and what they say. Fill in the first members; rating_solve fills in the others. */
typedef struct Rating {
    RatingModel model;
    bool has_advantage; /* White's advantage is estimated; else it is 0 */
    RatingPlayer *players;
    int player_count;
    RatingPair *pairs;
    int pair_count;

    bool advantage_unknown;            /* it is wanted, but colours and players cannot be told apart: 0 */
    double advantage, advantage_error; /* Elo */
    double draw;                       /* nu, or theta; 0 with half points */
    double deviance;                   /* -2 ln(likelihood) of the games within groups */
    int group_count;
    double *covariance; /* of the ratings, Elo squared, player_count rows; within a group */
} Rating;

/* Rates all players. Without draws, or with draws alone, the model is half points. Fails for want of memory
 * only. rating_release frees what it has made. */
Status rating_solve(Rating *rating);
void rating_release(Rating *rating);

/* The expected score of White at a difference of ratings, the advantage included; Elo. */
double rating_expected(const Rating *rating, double difference);

/* The chance that `player` is stronger than `other`, of the same group. */
double rating_superiority(const Rating *rating, int player, int other);

/* The same of two players by their own games: the chance that the difference of wins and losses is no luck.
 */
double rating_superiority_of_games(double wins, double losses);

/* The rating of a player from its games against those players alone for which `counts` is true, whose
 * ratings stay; false when it has only won, only lost, or not played. */
typedef bool RatingFilter(const void *context, const RatingPlayer *player);
bool rating_against(const Rating *rating, int player, RatingFilter *counts, const void *context, double *elo);

#endif
