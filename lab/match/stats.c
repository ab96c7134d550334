#include "lab/match/stats.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

/* Half the width of a two-sided 95 % interval of the normal distribution, in standard deviations. */
static const double Z_95 = 1.959963984540054;

/* Normalised Elo per unit of mean / deviation: makes one normalised Elo about one logistic Elo where all
 * games are decided. It is 800 / ln 10. */
static const double NORMALIZED_ELO_UNIT = 347.43558552260146;

/* What an outcome never seen counts for. */
static const double UNSEEN = 1e-3;

/* A distribution over the outcomes of a trial, whose scores are spread evenly from 0 to 1: five for a pair of
 * games, three for a game. */
typedef struct Distribution {
    int size;
    double probability[PAIR_OUTCOMES];
} Distribution;

typedef struct Moments {
    double mean, deviation;
} Moments;

static double outcome_score(const Distribution *d, int outcome) { return (double)outcome / (d->size - 1); }

static Moments distribution_moments(const Distribution *d) {
    double mean = 0, variance = 0;
    for (int i = 0; i < d->size; i++) mean += d->probability[i] * outcome_score(d, i);
    for (int i = 0; i < d->size; i++) {
        const double off = outcome_score(d, i) - mean;
        variance += d->probability[i] * off * off;
    }
    return (Moments){mean, sqrt(variance)};
}

/* Trials of a kind and how often each outcome was seen. */
typedef struct Sample {
    int size;
    double games; /* in one trial */
    double total;
    double count[PAIR_OUTCOMES];
} Sample;

static Sample sample_of_pairs(const PairCounts *pairs) {
    Sample sample = {.size = PAIR_OUTCOMES, .games = 2};
    for (int i = 0; i < PAIR_OUTCOMES; i++) sample.total += sample.count[i] = (double)pairs->count[i];
    return sample;
}

static Sample sample_of_games(const GameCounts *games) {
    Sample sample = {.size = 3, .games = 1};
    sample.count[0] = (double)games->losses;
    sample.count[1] = (double)games->draws;
    sample.count[2] = (double)games->wins;
    sample.total = (double)stats_game_total(games);
    return sample;
}

/* --- Elo --- */

double stats_elo_to_score(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

double stats_score_to_elo(double score) {
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return 400 * log10(score / (1 - score));
}

double stats_normal_below(double z) { return erfc(-z / sqrt(2)) / 2; }

static EloEstimate estimate_sample(const Sample *sample) {
    EloEstimate estimate = {.score = 0.5,
                            .elo_error = INFINITY,
                            .elo_low = -INFINITY,
                            .elo_high = INFINITY,
                            .normalized_error = INFINITY,
                            .los = 0.5};
    if (sample->total <= 0) return estimate;
    Distribution d = {.size = sample->size};
    for (int i = 0; i < d.size; i++) d.probability[i] = sample->count[i] / sample->total;
    Moments m = distribution_moments(&d);
    estimate.score = m.mean;
    estimate.elo = stats_score_to_elo(m.mean);
    if (m.deviation <= 0) {
        estimate.normalized = m.mean > 0.5 ? INFINITY : m.mean < 0.5 ? -INFINITY : 0;
        estimate.los = m.mean > 0.5 ? 1 : m.mean < 0.5 ? 0 : 0.5;
        return estimate;
    }
    const double mean_error = m.deviation / sqrt(sample->total);
    estimate.elo_low = stats_score_to_elo(m.mean - Z_95 * mean_error);
    estimate.elo_high = stats_score_to_elo(m.mean + Z_95 * mean_error);
    estimate.elo_error = fmax(estimate.elo - estimate.elo_low, estimate.elo_high - estimate.elo);
    estimate.normalized = NORMALIZED_ELO_UNIT * (m.mean - 0.5) / (m.deviation * sqrt(sample->games));
    estimate.normalized_error = NORMALIZED_ELO_UNIT * Z_95 / sqrt(sample->total * sample->games);
    estimate.los = stats_normal_below((m.mean - 0.5) / mean_error);
    return estimate;
}

EloEstimate stats_estimate_pairs(const PairCounts *pairs) {
    Sample sample = sample_of_pairs(pairs);
    return estimate_sample(&sample);
}

EloEstimate stats_estimate_games(const GameCounts *games) {
    Sample sample = sample_of_games(games);
    return estimate_sample(&sample);
}

/* --- the likeliest distribution of a given strength --- */

/* Given the observed probabilities p, the distribution nearest to them in likelihood under the linear
 * constraint sum(q[i] * a[i]) = 0 is q[i] = p[i] / (1 + x * a[i]), where x solves sum(p[i] * a[i] / (1 + x *
 * a[i])) = 0. The sum falls steadily between its poles -1 / max(a) and -1 / min(a), so that Newton's steps,
 * kept inside the bracket, find its only root. False when no distribution meets the constraint (all a of one
 * sign). */
static bool constrain_linearly(const Distribution *observed, const double a[PAIR_OUTCOMES],
                               Distribution *nearest) {
    double smallest = a[0], largest = a[0];
    for (int i = 1; i < observed->size; i++) {
        smallest = fmin(smallest, a[i]);
        largest = fmax(largest, a[i]);
    }
    if (!(smallest < 0 && largest > 0)) return false;
    double low = -1 / largest, high = -1 / smallest, x = 0;
    for (int step = 0; step < 100; step++) {
        double value = 0, slope = 0;
        for (int i = 0; i < observed->size; i++) {
            const double term = a[i] / (1 + x * a[i]);
            value += observed->probability[i] * term;
            slope -= observed->probability[i] * term * term;
        }
        if (value > 0)
            low = x;
        else
            high = x;
        double next = x - value / slope;
        if (!(next > low && next < high)) next = (low + high) / 2;
        const bool settled = fabs(next - x) <= 1e-12 * (1 + fabs(x));
        x = next;
        if (settled) break;
    }
    nearest->size = observed->size;
    for (int i = 0; i < observed->size; i++)
        nearest->probability[i] = observed->probability[i] / (1 + x * a[i]);
    return true;
}

/* The likeliest distribution with the given mean. */
static Distribution likeliest_with_mean(const Distribution *observed, double mean) {
    double a[PAIR_OUTCOMES] = {0};
    for (int i = 0; i < observed->size; i++) a[i] = outcome_score(observed, i) - mean;
    Distribution nearest = *observed;
    constrain_linearly(observed, a, &nearest);
    return nearest;
}

/* The even distribution with so much of it moved to one end that (mean - 1/2) / deviation = t. With a share w
 * moved and v the variance of the even one, t^2 = (w^2 / 4) / ((1 - w) (v + w / 4)), which is quadratic. */
static Distribution even_with_ratio(int size, double t) {
    const double v = (size + 1) / (12.0 * (size - 1)), square = t * t;
    const double half = square * (0.25 - v) / 2, a = (1 + square) / 4;
    const double share = (half + sqrt(half * half + a * square * v)) / a;
    Distribution d = {.size = size};
    for (int i = 0; i < size; i++) d.probability[i] = (1 - share) / size;
    d.probability[t < 0 ? 0 : size - 1] += share;
    return d;
}

/* The likeliest distribution with (mean - 1/2) / deviation = t. The constraint is not linear: it is replaced
 * by its tangent at the last solution until that no longer changes. It begins at a distribution of that
 * ratio, where the tangent has solutions on both sides, however large t is. */
static Distribution likeliest_with_ratio(const Distribution *observed, double t) {
    Distribution nearest = even_with_ratio(observed->size, t);
    for (int step = 0; step < 50; step++) {
        Moments m = distribution_moments(&nearest);
        double a[PAIR_OUTCOMES] = {0};
        for (int i = 0; i < nearest.size; i++) {
            const double off = (m.mean - outcome_score(&nearest, i)) / m.deviation;
            a[i] = outcome_score(&nearest, i) - 0.5 - t * m.deviation * (1 + off * off) / 2;
        }
        Distribution before = nearest;
        if (!constrain_linearly(observed, a, &nearest)) return before;
        double change = 0;
        for (int i = 0; i < nearest.size; i++)
            change = fmax(change, fabs(nearest.probability[i] - before.probability[i]));
        if (change < 1e-10) break;
    }
    return nearest;
}

static Distribution likeliest_with_elo(const Distribution *observed, double games, EloModel model,
                                       double elo) {
    if (model == ELO_LOGISTIC) return likeliest_with_mean(observed, stats_elo_to_score(elo));
    /* A trial of two games has a deviation smaller by the root of two, a ratio larger by it. */
    return likeliest_with_ratio(observed, elo / NORMALIZED_ELO_UNIT * sqrt(games));
}

/* --- the sequential test --- */

SprtTest stats_sprt_default(void) {
    return (SprtTest){.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.10, .model = ELO_NORMALIZED};
}

Status stats_sprt_check(const SprtTest *test) {
    if (!(isfinite(test->elo0) && isfinite(test->elo1) && test->elo0 < test->elo1))
        return status_error("bounds LOW,HIGH: the first, %g, must be below the second, %g", test->elo0,
                            test->elo1);
    if (!(test->alpha > 0 && test->alpha < 0.5))
        return status_error("alpha %g: an error rate lies between 0 and 0.5", test->alpha);
    if (!(test->beta > 0 && test->beta < 0.5))
        return status_error("beta %g: an error rate lies between 0 and 0.5", test->beta);
    return status_ok();
}

double stats_shown_llr(double llr) { return fabs(llr) < 0.005 ? 0 : llr; }

double stats_sprt_lower(const SprtTest *test) { return log(test->beta / (1 - test->alpha)); }
double stats_sprt_upper(const SprtTest *test) { return log((1 - test->beta) / test->alpha); }

SprtVerdict stats_sprt_verdict(const SprtTest *test, double llr) {
    if (llr >= stats_sprt_upper(test)) return SPRT_ACCEPTS_H1;
    if (llr <= stats_sprt_lower(test)) return SPRT_ACCEPTS_H0;
    return SPRT_CONTINUES;
}

static double sample_llr(const SprtTest *test, const Sample *sample) {
    if (sample->total <= 0) return 0;
    double total = 0;
    Distribution observed = {.size = sample->size};
    for (int i = 0; i < observed.size; i++) {
        observed.probability[i] = fmax(sample->count[i], UNSEEN);
        total += observed.probability[i];
    }
    for (int i = 0; i < observed.size; i++) observed.probability[i] /= total;
    Distribution h0 = likeliest_with_elo(&observed, sample->games, test->model, test->elo0);
    Distribution h1 = likeliest_with_elo(&observed, sample->games, test->model, test->elo1);
    double llr = 0;
    for (int i = 0; i < observed.size; i++)
        llr += observed.probability[i] * log(h1.probability[i] / h0.probability[i]);
    return total * llr;
}

double stats_llr_pairs(const SprtTest *test, const PairCounts *pairs) {
    Sample sample = sample_of_pairs(pairs);
    return sample_llr(test, &sample);
}

double stats_llr_games(const SprtTest *test, const GameCounts *games) {
    Sample sample = sample_of_games(games);
    return sample_llr(test, &sample);
}

void stats_shift_pairs(double probability[PAIR_OUTCOMES], EloModel model, double elo) {
    Distribution shape = {.size = PAIR_OUTCOMES};
    for (int i = 0; i < PAIR_OUTCOMES; i++) shape.probability[i] = probability[i];
    Distribution shifted = likeliest_with_elo(&shape, 2, model, elo);
    for (int i = 0; i < PAIR_OUTCOMES; i++) probability[i] = shifted.probability[i];
}

SprtVerdict stats_simulate_sprt(const SprtTest *test, const double probability[PAIR_OUTCOMES], Rng *rng,
                                int64_t pair_limit, PairCounts *taken) {
    *taken = (PairCounts){{0}};
    for (int64_t pair = 0; pair < pair_limit; pair++) {
        double rest = rng_unit(rng);
        int outcome = 0;
        while (outcome < PAIR_OUTCOMES - 1 && rest >= probability[outcome]) rest -= probability[outcome++];
        taken->count[outcome]++;
        const SprtVerdict verdict = stats_sprt_verdict(test, stats_llr_pairs(test, taken));
        if (verdict != SPRT_CONTINUES) return verdict;
    }
    return SPRT_CONTINUES;
}

/* --- text --- */

static bool is_separator(char character) {
    return character == ',' || character == ' ' || character == '[' || character == ']' || character == '\t';
}

/* Reads exactly `wanted` counts; false on anything else. */
static bool parse_counts(TextView text, int64_t *counts, int wanted) {
    int found = 0;
    size_t at = 0;
    while (at < text.length) {
        if (is_separator(text.data[at])) {
            at++;
            continue;
        }
        size_t end = at;
        while (end < text.length && !is_separator(text.data[end])) end++;
        int64_t value;
        if (found == wanted || !text_parse_int64((TextView){text.data + at, end - at}, &value)) return false;
        if (value < 0 || value > INT64_C(1000000000000)) return false;
        counts[found++] = value;
        at = end;
    }
    return found == wanted;
}

Status stats_parse_pairs(TextView text, PairCounts *pairs) {
    PairCounts parsed;
    if (!parse_counts(text, parsed.count, PAIR_OUTCOMES))
        return status_error(
            "'%.*s' is not five counts of pairs, as in 18,207,494,314,28, nor three of games: wins,losses,draws",
            (int)text.length, text.data);
    *pairs = parsed;
    return status_ok();
}

Status stats_parse_games(TextView text, GameCounts *games) {
    int64_t counts[3];
    if (!parse_counts(text, counts, 3))
        return status_error("'%.*s' is not wins, losses and draws such as 556,429,1137", (int)text.length,
                            text.data);
    *games = (GameCounts){.wins = counts[0], .losses = counts[1], .draws = counts[2]};
    return status_ok();
}

void stats_append_pairs(const PairCounts *pairs, const char *between, TextBuffer *out) {
    for (int i = 0; i < PAIR_OUTCOMES; i++)
        buffer_append_format(out, "%s%" PRId64, i > 0 ? between : "", pairs->count[i]);
}

bool stats_has_los(const EloEstimate *estimate) {
    return isfinite(estimate->elo_low) || isfinite(estimate->elo_high);
}

size_t stats_format_elo(const EloEstimate *estimate, char out[ELO_TEXT_CAPACITY]) {
    /* Without this, a tiny loss would print as "-0.00". */
    const double elo = fabs(estimate->elo) < 0.005 ? 0 : estimate->elo;
    if (isinf(elo)) return text_format(out, ELO_TEXT_CAPACITY, "%s all games", elo > 0 ? "won" : "lost");
    if (isfinite(estimate->elo_error))
        return text_format(out, ELO_TEXT_CAPACITY, "%.2f +- %.2f", elo, estimate->elo_error);
    if (isfinite(estimate->elo_low))
        return text_format(out, ELO_TEXT_CAPACITY, "%.2f, above %.2f", elo, estimate->elo_low);
    if (isfinite(estimate->elo_high))
        return text_format(out, ELO_TEXT_CAPACITY, "%.2f, below %.2f", elo, estimate->elo_high);
    return text_format(out, ELO_TEXT_CAPACITY, "%.2f, error unknown", elo);
}
