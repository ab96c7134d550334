#include "lab/rate/rating.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double ELO = 173.71779276130073; /* 400 / ln 10 */
static const double Z_95 = 1.959963984540054;

/* --- one game --- */

/* The logarithm of a chance and its derivatives by the difference x and the draw parameter t, which is ln(nu)
 * or ln(theta). */
typedef struct Term {
    double value, dx, dt, dxx, dxt, dtt;
} Term;

static double logistic(double x) { return 1 / (1 + exp(-x)); }

/* ln(1 / (1 + exp(-x))) */
static double log_logistic(double x) { return x > 0 ? -log1p(exp(-x)) : x - log1p(exp(x)); }

static Term half_points_term(int outcome, double x) {
    const double score = outcome / 2.0, p = logistic(x);
    return (Term){.value = score * log_logistic(x) + (1 - score) * log_logistic(-x),
                  .dx = score - p,
                  .dxx = -p * (1 - p)};
}

static Term davidson_term(int outcome, double x, double t) {
    const double win = exp(x / 2), draw = exp(t), loss = exp(-x / 2), sum = win + draw + loss;
    const double half = (outcome - 1) / 2.0, is_draw = outcome == RATING_DRAW;
    const double mean = (win - loss) / 2 / sum, drawn = draw / sum;
    return (Term){.value = half * x + is_draw * t - log(sum),
                  .dx = half - mean,
                  .dt = is_draw - drawn,
                  .dxx = mean * mean - (win + loss) / 4 / sum,
                  .dxt = mean * drawn,
                  .dtt = drawn * drawn - drawn};
}

static Term rao_kupper_term(int outcome, double x, double t) {
    const double win = logistic(x - t), loss = logistic(-x - t);
    const Term won = {log_logistic(x - t), 1 - win,         win - 1,
                      -win * (1 - win),    win * (1 - win), -win * (1 - win)};
    const Term lost = {log_logistic(-x - t), loss - 1,           loss - 1,
                       -loss * (1 - loss),   -loss * (1 - loss), -loss * (1 - loss)};
    if (outcome == RATING_WIN) return won;
    if (outcome == RATING_LOSS) return lost;
    /* draw = (theta^2 - 1) win loss */
    const double square = exp(2 * t), more = square - 1;
    return (Term){won.value + lost.value + log(more),
                  won.dx + lost.dx,
                  won.dt + lost.dt + 2 * square / more,
                  won.dxx + lost.dxx,
                  won.dxt + lost.dxt,
                  won.dtt + lost.dtt - 4 * square / (more * more)};
}

static Term term_of(RatingModel model, int outcome, double x, double t) {
    switch (model) {
    case RATING_DAVIDSON: return davidson_term(outcome, x, t);
    case RATING_RAO_KUPPER: return rao_kupper_term(outcome, x, t);
    default: return half_points_term(outcome, x);
    }
}

/* All games of a pair. */
static Term pair_term(RatingModel model, const RatingPair *pair, double x, double t) {
    Term sum = {0};
    for (int outcome = RATING_LOSS; outcome < RATING_OUTCOMES; outcome++) {
        const double n = pair->count[outcome];
        if (n == 0) continue;
        const Term term = term_of(model, outcome, x, t);
        sum.value += n * term.value;
        sum.dx += n * term.dx;
        sum.dt += n * term.dt;
        sum.dxx += n * term.dxx;
        sum.dxt += n * term.dxt;
        sum.dtt += n * term.dtt;
    }
    return sum;
}

static double pair_games(const RatingPair *pair) {
    return pair->count[RATING_LOSS] + pair->count[RATING_DRAW] + pair->count[RATING_WIN];
}

/* --- groups --- */

/* Adds to `reached` whoever can be reached from a player in it by results of at least half a point against
 * the next one (or by losing, `backward`), and from one fixed player all others. */
static void spread(const Rating *rating, bool backward, bool *reached) {
    bool grows = true, fixed = false;
    while (grows) {
        grows = false;
        for (int i = 0; i < rating->pair_count; i++) {
            const RatingPair *pair = &rating->pairs[i];
            const double *n = pair->count;
            const bool white_gains = n[RATING_WIN] + n[RATING_DRAW] > 0;
            const bool black_gains = n[RATING_LOSS] + n[RATING_DRAW] > 0;
            const bool to_black = backward ? black_gains : white_gains;
            const bool to_white = backward ? white_gains : black_gains;
            if (to_black && reached[pair->white] && !reached[pair->black])
                grows = reached[pair->black] = true;
            if (to_white && reached[pair->black] && !reached[pair->white])
                grows = reached[pair->white] = true;
        }
        for (int i = 0; i < rating->player_count; i++)
            if (rating->players[i].is_fixed && reached[i]) fixed = true;
        for (int i = 0; i < rating->player_count && fixed; i++)
            if (rating->players[i].is_fixed && !reached[i]) grows = reached[i] = true;
    }
}

static int count_in_group(const Rating *rating, int group) {
    int count = 0;
    for (int i = 0; i < rating->player_count; i++) count += rating->players[i].group == group;
    return count;
}

/* Numbers the groups: the largest is 0. */
static void order_groups(Rating *rating) {
    for (int to = 0; to < rating->group_count; to++) {
        int largest = to;
        for (int i = to + 1; i < rating->group_count; i++)
            if (count_in_group(rating, i) > count_in_group(rating, largest)) largest = i;
        for (int i = 0; i < rating->player_count; i++) {
            int *group = &rating->players[i].group;
            *group = *group == to ? largest : *group == largest ? to : *group;
        }
    }
}

/* A group is all players that can be reached from one of them in both directions. */
static Status find_groups(Rating *rating) {
    const size_t count = (size_t)rating->player_count;
    bool *ahead = memory_allocate(2 * count + 1);
    if (ahead == NULL) return status_no_memory("the ratings");
    bool *behind = ahead + count;
    rating->group_count = 0;
    for (int i = 0; i < rating->player_count; i++) rating->players[i].group = -1;
    for (int i = 0; i < rating->player_count; i++) {
        if (rating->players[i].group >= 0) continue;
        memset(ahead, 0, 2 * count);
        ahead[i] = behind[i] = true;
        spread(rating, false, ahead);
        spread(rating, true, behind);
        for (int j = 0; j < rating->player_count; j++)
            if (ahead[j] && behind[j]) rating->players[j].group = rating->group_count;
        rating->group_count++;
    }
    memory_release(ahead);
    order_groups(rating);
    return status_ok();
}

/* --- the likelihood --- */

/* The parameters are the ratings of all players, then the draw parameter, then the advantage. */
typedef struct Solver {
    Rating *rating;
    RatingModel model;
    int size, draw_at, advantage_at;
    double *value, *step, *gradient;
    double *information; /* size * size: minus the second derivatives */
    double *factor, *variance;
    bool *is_free;
} Solver;

static void release(Solver *solver) {
    memory_release(solver->value);
    memory_release(solver->information);
    memory_release(solver->is_free);
}

static bool is_within_group(const Rating *rating, const RatingPair *pair) {
    return rating->players[pair->white].group == rating->players[pair->black].group;
}

static double difference(const Solver *solver, const RatingPair *pair) {
    const double *value = solver->value;
    return value[pair->white] - value[pair->black] + value[solver->advantage_at];
}

static double log_likelihood(const Solver *solver) {
    const Rating *rating = solver->rating;
    double sum = 0;
    for (int i = 0; i < rating->pair_count; i++)
        if (is_within_group(rating, &rating->pairs[i]))
            sum += pair_term(solver->model, &rating->pairs[i], difference(solver, &rating->pairs[i]),
                             solver->value[solver->draw_at])
                       .value;
    return sum;
}

/* Adds `amount` times the square of the gradient of the difference x to a matrix. */
static void add_square(const Solver *solver, double *matrix, const RatingPair *pair, double amount) {
    const int at[] = {pair->white, pair->black, solver->advantage_at}, sign[] = {1, -1, 1};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) matrix[at[i] * solver->size + at[j]] += amount * sign[i] * sign[j];
}

static void differentiate(Solver *solver) {
    const Rating *rating = solver->rating;
    const int size = solver->size, draw = solver->draw_at;
    memset(solver->gradient, 0, (size_t)size * sizeof *solver->gradient);
    memset(solver->information, 0, (size_t)size * (size_t)size * sizeof *solver->information);
    for (int i = 0; i < rating->pair_count; i++) {
        const RatingPair *pair = &rating->pairs[i];
        if (!is_within_group(rating, pair)) continue;
        const Term term = pair_term(solver->model, pair, difference(solver, pair), solver->value[draw]);
        const int at[] = {pair->white, pair->black, solver->advantage_at}, sign[] = {1, -1, 1};
        for (int j = 0; j < 3; j++) {
            solver->gradient[at[j]] += sign[j] * term.dx;
            solver->information[at[j] * size + draw] -= sign[j] * term.dxt;
            solver->information[draw * size + at[j]] -= sign[j] * term.dxt;
        }
        solver->gradient[draw] += term.dt;
        solver->information[draw * size + draw] -= term.dtt;
        add_square(solver, solver->information, pair, -term.dxx);
    }
}

/* Cholesky's factor of the information about the free parameters. A parameter about which the games say
 * nothing is no longer free. */
static void factorize(Solver *solver) {
    const int size = solver->size;
    double *factor = solver->factor;
    memcpy(factor, solver->information, (size_t)size * (size_t)size * sizeof *factor);
    for (int i = 0; i < size; i++) {
        const double whole = factor[i * size + i];
        for (int j = 0; j <= i; j++) {
            double sum = factor[i * size + j];
            for (int k = 0; k < j; k++) sum -= factor[i * size + k] * factor[j * size + k];
            if (j == i && sum <= 1e-9 * whole + 1e-12) solver->is_free[i] = false;
            if (!solver->is_free[i] || !solver->is_free[j])
                factor[i * size + j] = 0;
            else
                factor[i * size + j] = j == i ? sqrt(sum) : sum / factor[j * size + j];
        }
    }
}

/* Solves information * x = right, in place; 0 where a parameter is not free. */
static void solve(const Solver *solver, double *right) {
    const int size = solver->size;
    const double *factor = solver->factor;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < i; j++) right[i] -= factor[i * size + j] * right[j];
        right[i] = solver->is_free[i] ? right[i] / factor[i * size + i] : 0;
    }
    for (int i = size - 1; i >= 0; i--) {
        for (int j = i + 1; j < size; j++) right[i] -= factor[j * size + i] * right[j];
        right[i] = solver->is_free[i] ? right[i] / factor[i * size + i] : 0;
    }
}

/* Newton's method; a step that does not raise the likelihood is halved. Far from the maximum the games say
 * almost nothing and a step would go anywhere, so it is bounded. */
static void maximize(Solver *solver) {
    enum { ROUNDS = 100, HALVINGS = 40 };
    static const double SMALL = 1e-12, LONGEST = 2;
    const size_t bytes = (size_t)solver->size * sizeof *solver->step;
    for (int round = 0; round < ROUNDS; round++) {
        const double before = log_likelihood(solver);
        differentiate(solver);
        factorize(solver);
        memcpy(solver->step, solver->gradient, bytes);
        solve(solver, solver->step);
        double largest = 0;
        for (int i = 0; i < solver->size; i++) largest = fmax(largest, fabs(solver->step[i]));
        double share = fmin(1, LONGEST / fmax(largest, SMALL));
        for (int i = 0; i < solver->size; i++) solver->value[i] += share * solver->step[i];
        for (int i = 0; i < HALVINGS && !(log_likelihood(solver) >= before); i++) {
            share /= 2;
            for (int j = 0; j < solver->size; j++) solver->value[j] -= share * solver->step[j];
        }
        if (largest * share < SMALL) return;
    }
}

/* --- errors --- */

/* Of half points the chance of a draw is not in the model, so the variance of a score is taken from the
 * pair's draws: the errors follow by the sandwich estimator. Of the other models the information says all.
 * Elo squared. */
static void fill_covariance(Solver *solver) {
    const Rating *rating = solver->rating;
    const int size = solver->size;
    double *spread_of = solver->variance;
    memcpy(spread_of, solver->information, (size_t)size * (size_t)size * sizeof *spread_of);
    if (solver->model == RATING_HALF_POINTS) {
        memset(spread_of, 0, (size_t)size * (size_t)size * sizeof *spread_of);
        for (int i = 0; i < rating->pair_count; i++) {
            const RatingPair *pair = &rating->pairs[i];
            if (!is_within_group(rating, pair)) continue;
            const double p = logistic(difference(solver, pair));
            const double variance = pair_games(pair) * p * (1 - p) - pair->count[RATING_DRAW] / 4;
            add_square(solver, spread_of, pair, fmax(variance, 0));
        }
    }
    /* inverse * spread * inverse, where `inverse` is applied to rows, then to columns */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < size; i++) solve(solver, spread_of + i * size);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < i; j++) {
                const double kept = spread_of[i * size + j];
                spread_of[i * size + j] = spread_of[j * size + i];
                spread_of[j * size + i] = kept;
            }
        }
    }
    for (int i = 0; i < size * size; i++) spread_of[i] *= ELO * ELO;
}

/* The mean of a group without an anchor becomes 0, and its errors relative to that. */
static void centre(Rating *rating, int group) {
    const int players = rating->player_count, count = count_in_group(rating, group);
    double *covariance = rating->covariance, mean = 0;
    for (int i = 0; i < players; i++) {
        if (rating->players[i].group != group) continue;
        if (rating->players[i].is_fixed) return;
        mean += rating->players[i].rating / count;
    }
    for (int i = 0; i < players; i++)
        if (rating->players[i].group == group) rating->players[i].rating -= mean;
    for (int axis = 0; axis < 2; axis++) {
        for (int i = 0; i < players; i++) {
            double sum = 0;
            const int stride = axis == 0 ? 1 : players;
            double *row = covariance + (axis == 0 ? i * players : i);
            if (rating->players[i].group != group) continue;
            for (int j = 0; j < players; j++)
                if (rating->players[j].group == group) sum += row[j * stride] / count;
            for (int j = 0; j < players; j++)
                if (rating->players[j].group == group) row[j * stride] -= sum;
        }
    }
}

static void take_results(Solver *solver) {
    Rating *rating = solver->rating;
    const int players = rating->player_count, size = solver->size;
    for (int i = 0; i < players; i++) {
        rating->players[i].rating = solver->value[i] * ELO;
        for (int j = 0; j < players; j++)
            rating->covariance[i * players + j] = solver->variance[i * size + j];
    }
    for (int group = 0; group < rating->group_count; group++) centre(rating, group);
    for (int i = 0; i < players; i++)
        rating->players[i].error = Z_95 * sqrt(fmax(rating->covariance[i * players + i], 0));
    const int at = solver->advantage_at;
    rating->advantage = solver->value[at] * ELO;
    rating->advantage_error = Z_95 * sqrt(fmax(solver->variance[at * size + at], 0));
    rating->advantage_unknown = rating->has_advantage && !solver->is_free[at];
    rating->draw = solver->model == RATING_HALF_POINTS ? 0 : exp(solver->value[solver->draw_at]);
    rating->deviance = -2 * log_likelihood(solver);
}

/* In each group the fixed players, or the first one, stay where they are; the others begin at the mean of the
 * fixed ones. */
static void choose_free(Solver *solver, bool with_advantage) {
    const Rating *rating = solver->rating;
    for (int i = 0; i < rating->player_count; i++) {
        const RatingPlayer *player = &rating->players[i];
        bool is_first = true;
        double fixed = 0, sum = 0;
        for (int j = 0; j < rating->player_count; j++) {
            if (rating->players[j].group != player->group) continue;
            if (j < i) is_first = false;
            if (!rating->players[j].is_fixed) continue;
            fixed++;
            sum += rating->players[j].rating;
        }
        solver->is_free[i] = !player->is_fixed && (fixed > 0 || !is_first);
        solver->value[i] = (player->is_fixed ? player->rating : fixed > 0 ? sum / fixed : 0) / ELO;
    }
    solver->is_free[solver->draw_at] = solver->model != RATING_HALF_POINTS;
    solver->is_free[solver->advantage_at] = with_advantage;
    solver->value[solver->advantage_at] = 0;
    /* Rao and Kupper's theta is above 1. */
    solver->value[solver->draw_at] = solver->model == RATING_RAO_KUPPER ? 0.5 : 0;
}

static RatingModel model_for(const Rating *rating) {
    double draws = 0, decided = 0;
    for (int i = 0; i < rating->pair_count; i++) {
        const RatingPair *pair = &rating->pairs[i];
        if (!is_within_group(rating, pair)) continue;
        draws += pair->count[RATING_DRAW];
        decided += pair->count[RATING_LOSS] + pair->count[RATING_WIN];
    }
    return draws > 0 && decided > 0 ? rating->model : RATING_HALF_POINTS;
}

static bool prepare(Solver *solver, Rating *rating) {
    const int size = rating->player_count + 2;
    const size_t row = (size_t)size, square = row * row;
    *solver = (Solver){.rating = rating,
                       .model = model_for(rating),
                       .size = size,
                       .draw_at = rating->player_count,
                       .advantage_at = rating->player_count + 1,
                       .value = memory_allocate(3 * row * sizeof(double)),
                       .information = memory_allocate(3 * square * sizeof(double)),
                       .is_free = memory_allocate(row)};
    rating->covariance = memory_allocate(square * sizeof(double));
    if (solver->value == NULL || solver->information == NULL || solver->is_free == NULL ||
        rating->covariance == NULL)
        return false;
    solver->step = solver->value + row;
    solver->gradient = solver->step + row;
    solver->factor = solver->information + square;
    solver->variance = solver->factor + square;
    return true;
}

static int count_free(const Solver *solver) {
    int count = 0;
    for (int i = 0; i < solver->size; i++) count += solver->is_free[i];
    return count;
}

/* Where the games say nothing about White's advantage, its best value is anywhere, or beyond all numbers: as
 * when a player has won all games as White and half of those as Black. Then it is 0. */
static void find_maximum(Solver *solver) {
    choose_free(solver, solver->rating->has_advantage);
    const int wanted = count_free(solver);
    maximize(solver);
    if (!solver->rating->has_advantage || count_free(solver) == wanted) return;
    choose_free(solver, false);
    maximize(solver);
}

Status rating_solve(Rating *rating) {
    Solver solver;
    Status status = find_groups(rating);
    if (!status_is_ok(&status)) return status;
    if (prepare(&solver, rating)) {
        find_maximum(&solver);
        fill_covariance(&solver);
        take_results(&solver);
        rating->model = solver.model;
    } else {
        status = status_no_memory("the ratings");
    }
    release(&solver);
    return status;
}

void rating_release(Rating *rating) {
    memory_release(rating->covariance);
    rating->covariance = NULL;
}

/* --- what follows from ratings --- */

double rating_expected(const Rating *rating, double elo) {
    const double x = elo / ELO;
    if (rating->model == RATING_HALF_POINTS) return logistic(x);
    const double t = log(rating->draw);
    return exp(term_of(rating->model, RATING_WIN, x, t).value) +
           exp(term_of(rating->model, RATING_DRAW, x, t).value) / 2;
}

double rating_superiority(const Rating *rating, int player, int other) {
    const int n = rating->player_count;
    const double *c = rating->covariance;
    const double variance = c[player * n + player] + c[other * n + other] - 2 * c[player * n + other];
    const double lead = rating->players[player].rating - rating->players[other].rating;
    if (variance <= 0) return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
    return erfc(-lead / sqrt(2 * variance)) / 2;
}

double rating_superiority_of_games(double wins, double losses) {
    return wins + losses > 0 ? erfc((losses - wins) / sqrt(2 * (wins + losses))) / 2 : 0.5;
}

bool rating_against(const Rating *rating, int player, RatingFilter *counts, const void *context,
                    double *elo) {
    enum { ROUNDS = 100 };
    const double t = rating->draw > 0 ? log(rating->draw) : 0;
    double value = rating->players[player].rating / ELO, points = 0, games = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double slope = 0, curve = 0;
        points = games = 0;
        for (int i = 0; i < rating->pair_count; i++) {
            const RatingPair *pair = &rating->pairs[i];
            if (pair->white != player && pair->black != player) continue;
            const bool is_white = pair->white == player;
            const RatingPlayer *other = &rating->players[is_white ? pair->black : pair->white];
            if (!is_within_group(rating, pair) || !counts(context, other)) continue;
            const double lead = value - other->rating / ELO;
            const Term term =
                pair_term(rating->model, pair, (is_white ? lead : -lead) + rating->advantage / ELO, t);
            slope += is_white ? term.dx : -term.dx;
            curve -= term.dxx;
            games += pair_games(pair);
            points += pair->count[is_white ? RATING_WIN : RATING_LOSS] + pair->count[RATING_DRAW] / 2;
        }
        if (points <= 0 || points >= games || curve <= 0) return false;
        const double step = slope / curve;
        value += fmax(fmin(step, 1), -1); /* far from the optimum Newton's step may be too long */
        if (fabs(step) < 1e-10) break;
    }
    *elo = value * ELO;
    return true;
}
