/* The arithmetic of matches: Elo with its error, normalised Elo, sequential tests. Pure functions of counts;
 * no state, no printing; any thread may call.
 *
 * Games are played in pairs: one opening, colours reversed. The two games of a pair are not independent (a
 * lopsided opening gives one win each), so errors and tests rest on the five outcomes of a pair, not on
 * single games. The three outcomes of single games are the fallback for results that have no pairs; they
 * claim too large an error.
 *
 * Normalised Elo is the mean score above one half, divided by the standard deviation of one game, times
 * 800 / ln 10: its scale does not depend on openings or the share of draws, so that a test of given bounds
 * takes about the same number of games everywhere. Source of it, and of the generalised likelihood ratio
 * under a constraint on mean / deviation: Michel Van den Bergh, "Normalized Elo" and "A practical
 * introduction to normalized Elo", as used by Fishtest, OpenBench and fastchess. */
#ifndef LUFT_MATCH_STATS_H
#define LUFT_MATCH_STATS_H

#include "base/rng.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* How a pair of games can end for the player looked at, in half points: two losses (0), loss and draw (1),
 * two draws or one win each (2), draw and win (3), two wins (4). */
enum { PAIR_OUTCOMES = 5 };

typedef struct PairCounts {
    int64_t count[PAIR_OUTCOMES];
} PairCounts;

typedef struct GameCounts {
    int64_t wins, losses, draws;
} GameCounts;

static inline int64_t stats_pair_total(const PairCounts *pairs) {
    return pairs->count[0] + pairs->count[1] + pairs->count[2] + pairs->count[3] + pairs->count[4];
}
static inline int64_t stats_game_total(const GameCounts *games) {
    return games->wins + games->losses + games->draws;
}

static inline void stats_count_game(GameCounts *games, int half_points) {
    games->wins += half_points == 2;
    games->draws += half_points == 1;
    games->losses += half_points == 0;
}

/* What a result says of the difference in strength. Errors are half the width of the 95 % interval (the
 * larger side where the logistic curve makes it lopsided), in the unit of their value. With no games all is 0
 * and every error infinite. A clean sweep is an infinite Elo; where the counts show no spread at all, the
 * error is infinite. */
typedef struct EloEstimate {
    double score; /* mean points a game, 0 to 1 */
    double elo, elo_error;
    double elo_low, elo_high; /* ends of the 95 % interval */
    double normalized, normalized_error;
    double los; /* likelihood of superiority: probability that the player is the stronger, 0 to 1 */
} EloEstimate;

/* Whether `los` says something: not without games, nor where all pairs ended alike. */
bool stats_has_los(const EloEstimate *estimate);

EloEstimate stats_estimate_pairs(const PairCounts *pairs);
EloEstimate stats_estimate_games(const GameCounts *games);

/* Expected score of a logistic Elo difference, and back (infinite at 0 and 1). */
double stats_elo_to_score(double elo);
double stats_score_to_elo(double score);

/* The probability below `z` of the standard normal distribution. */
double stats_normal_below(double z);

/* In which unit the bounds of a test are given. */
typedef enum EloModel { ELO_NORMALIZED, ELO_LOGISTIC } EloModel;

/* A sequential test of "the difference is elo0" against "it is elo1". `alpha` is the chance to accept elo1
 * when elo0 is true, `beta` that to accept elo0 when elo1 is true. */
typedef struct SprtTest {
    double elo0, elo1;
    double alpha, beta;
    EloModel model;
} SprtTest;

typedef enum SprtVerdict { SPRT_CONTINUES, SPRT_ACCEPTS_H0, SPRT_ACCEPTS_H1 } SprtVerdict;

/* The customary test: bounds [0, 5] in normalised Elo, alpha 0.05, beta 0.10. */
SprtTest stats_sprt_default(void);

/* Why the test makes no sense: bounds in the wrong order, an error rate outside (0, 0.5). */
Status stats_sprt_check(const SprtTest *test);

/* A ratio to be printed with two decimals, never as -0.00. */
double stats_shown_llr(double llr);

/* The test ends when the log-likelihood ratio leaves (lower, upper): Wald's bounds ln(beta / (1 - alpha)) and
 * ln((1 - beta) / alpha). */
double stats_sprt_lower(const SprtTest *test);
double stats_sprt_upper(const SprtTest *test);
SprtVerdict stats_sprt_verdict(const SprtTest *test, double llr);

/* Log-likelihood ratio of elo1 to elo0, each with the likeliest distribution that has that strength. Outcomes
 * not yet seen count as a thousandth of one, so that the ratio exists from the first pair on. 0 without
 * results. */
double stats_llr_pairs(const SprtTest *test, const PairCounts *pairs);
double stats_llr_games(const SprtTest *test, const GameCounts *games);

/* Moves the distribution of pair outcomes (probabilities that add up to 1, none of them 0) to the nearest
 * one, in the sense of likelihood, that has the given strength in the model's unit. For simulations. */
void stats_shift_pairs(double probability[PAIR_OUTCOMES], EloModel model, double elo);

/* Plays one test of pairs drawn from `probability` until it ends or `pair_limit` is reached; the pairs it
 * took are in `*taken`. */
SprtVerdict stats_simulate_sprt(const SprtTest *test, const double probability[PAIR_OUTCOMES], Rng *rng,
                                int64_t pair_limit, PairCounts *taken);

/* Reads "18,207,494,314,28" (brackets and spaces allowed), or "wins,losses,draws" for three numbers. */
Status stats_parse_pairs(TextView text, PairCounts *pairs);
Status stats_parse_games(TextView text, GameCounts *games);

/* "18, 207, 494, 314, 28", with ", " for `between`. */
void stats_append_pairs(const PairCounts *pairs, const char *between, TextBuffer *out);

/* "20.82 +- 8.48", or what is known where the error has no bound: "708.34, above 402.11", "0.00, error
 * unknown" where all pairs ended alike, "won all games". */
enum { ELO_TEXT_CAPACITY = 64 };
size_t stats_format_elo(const EloEstimate *estimate, char out[ELO_TEXT_CAPACITY]);

#endif
