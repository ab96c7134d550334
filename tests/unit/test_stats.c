/* Match statistics, compared with published results, definitions and simulations. */
#include "lab/match/stats.h"

#include "test_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ASSERT_NEAR(value, expected, tolerance) assert_near((value), (expected), (tolerance), __LINE__)

static void assert_near(double value, double expected, double tolerance, int line) {
    if (fabs(value - expected) <= tolerance) return;
    fail_msg("line %d: %.6f is not %.6f +- %g", line, value, expected, tolerance);
}

/* Results printed by OpenBench instances for tests with bounds [0, 5]. */
static void test_published_results(void **state) {
    (void)state;
    static const struct {
        PairCounts pairs;
        double elo, error, llr;
    } published[] = {
        {{{702, 3526, 7016, 3700, 754}}, 3.08, 2.48, 2.95},
        {{{28, 858, 1839, 983, 33}}, 6.27, 4.15, 2.91},
        {{{78, 681, 1461, 804, 89}}, 8.09, 5.07, 2.90},
        {{{18, 207, 494, 314, 28}}, 20.82, 8.48, 2.94},
    };
    SprtTest test = stats_sprt_default();
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        EloEstimate estimate = stats_estimate_pairs(&published[i].pairs);
        ASSERT_NEAR(estimate.elo, published[i].elo, 0.01);
        ASSERT_NEAR(estimate.elo_error, published[i].error, 0.05);
        ASSERT_NEAR(stats_llr_pairs(&test, &published[i].pairs), published[i].llr, 0.01);
    }
    ASSERT_NEAR(stats_sprt_lower(&test), -2.25, 0.005);
    ASSERT_NEAR(stats_sprt_upper(&test), 2.89, 0.005);
}

static void test_estimate_of_known_counts(void **state) {
    (void)state;
    /* Score 0.75, variance of a pair's mean score 1/32 by hand: (0.5, 1) evenly has deviation 0.25. */
    PairCounts pairs = {{0, 0, 50, 0, 50}};
    EloEstimate estimate = stats_estimate_pairs(&pairs);
    ASSERT_NEAR(estimate.score, 0.75, 1e-12);
    ASSERT_NEAR(estimate.elo, 190.848, 0.001);
    ASSERT_NEAR(estimate.elo_low, stats_score_to_elo(0.75 - 1.96 * 0.025), 0.01);
    ASSERT_NEAR(estimate.normalized, 800 / log(10) * 0.25 / (0.25 * sqrt(2)), 1e-9);
    ASSERT_NEAR(estimate.normalized_error, 800 / log(10) * 1.959964 / sqrt(200), 1e-3);
    ASSERT_NEAR(estimate.los, 1, 1e-6);

    /* The binomial case: 60 wins of 100 without draws has deviation sqrt(0.24). */
    GameCounts games = {.wins = 60, .losses = 40};
    estimate = stats_estimate_games(&games);
    ASSERT_NEAR(estimate.elo, 70.437, 0.001);
    ASSERT_NEAR(estimate.los, stats_normal_below(0.1 / sqrt(0.24 / 100)), 1e-12);
    ASSERT_NEAR(estimate.normalized, 800 / log(10) * 0.1 / sqrt(0.24), 1e-9);
}

static void test_estimate_at_the_edges(void **state) {
    (void)state;
    PairCounts none = {{0}}, won = {{0, 0, 0, 0, 10}}, lost = {{10, 0, 0, 0, 0}}, drawn = {{0, 0, 10, 0, 0}};
    EloEstimate estimate = stats_estimate_pairs(&none);
    ASSERT_NEAR(estimate.elo, 0, 0);
    ASSERT_NEAR(estimate.los, 0.5, 0);
    assert_true(isinf(estimate.elo_error));
    estimate = stats_estimate_pairs(&won);
    assert_true(isinf(estimate.elo) && estimate.elo > 0 && isinf(estimate.elo_error));
    estimate = stats_estimate_pairs(&lost);
    assert_true(isinf(estimate.elo) && estimate.elo < 0);
    estimate = stats_estimate_pairs(&drawn);
    ASSERT_NEAR(estimate.elo, 0, 0);
    assert_true(isinf(estimate.elo_error));

    char text[ELO_TEXT_CAPACITY];
    stats_format_elo(&(EloEstimate){.elo = -0.0001, .elo_error = 3.456}, text);
    assert_string_equal(text, "0.00 +- 3.46");
    stats_format_elo(&estimate, text);
    assert_string_equal(text, "0.00, error unknown");
    estimate = stats_estimate_pairs(&won);
    stats_format_elo(&estimate, text);
    assert_string_equal(text, "won all games");
    estimate = stats_estimate_pairs(&(PairCounts){{0, 0, 0, 1, 5}});
    stats_format_elo(&estimate, text);
    assert_non_null(strstr(text, ", above "));
}

/* Swapping the players mirrors all results. */
static void test_mirror(void **state) {
    (void)state;
    PairCounts pairs = {{18, 207, 494, 314, 28}}, mirror = {{28, 314, 494, 207, 18}};
    EloEstimate a = stats_estimate_pairs(&pairs), b = stats_estimate_pairs(&mirror);
    ASSERT_NEAR(a.elo, -b.elo, 1e-9);
    ASSERT_NEAR(a.elo_error, b.elo_error, 1e-9);
    ASSERT_NEAR(a.los, 1 - b.los, 1e-9);
    for (int model = ELO_NORMALIZED; model <= ELO_LOGISTIC; model++) {
        SprtTest up = {0, 5, 0.05, 0.1, (EloModel)model}, down = {-5, 0, 0.05, 0.1, (EloModel)model};
        ASSERT_NEAR(stats_llr_pairs(&up, &pairs), -stats_llr_pairs(&down, &mirror), 1e-6);
    }
}

/* Bounds far from zero, where the uniform start distribution fails. The expected values were found by
 * Newton's method on the dual problem. */
static void test_llr_of_distant_bounds(void **state) {
    (void)state;
    PairCounts pairs = {{5, 20, 60, 200, 215}}, won = {{0, 0, 0, 0, 100}}, lost = {{100, 0, 0, 0, 0}};
    const SprtTest near = {150, 225, 0.05, 0.1, ELO_NORMALIZED}, far = {200, 250, 0.05, 0.1, ELO_NORMALIZED};
    ASSERT_NEAR(stats_llr_pairs(&near, &pairs), 29.52, 0.01);
    ASSERT_NEAR(stats_llr_pairs(&far, &pairs), 13.4, 0.05);
    double before = 0;
    for (double bound = 200; bound <= 260; bound += 5) { /* no jump on the way */
        const SprtTest test = {0, bound, 0.05, 0.1, ELO_NORMALIZED};
        const double llr = stats_llr_pairs(&test, &pairs);
        if (before > 0) assert_true(fabs(llr - before) < 15);
        before = llr;
    }
    const SprtTest sure = {0, 300, 0.05, 0.1, ELO_NORMALIZED},
                   mirrored = {-300, 0, 0.05, 0.1, ELO_NORMALIZED};
    assert_int_equal(stats_sprt_verdict(&sure, stats_llr_pairs(&sure, &won)), SPRT_ACCEPTS_H1);
    ASSERT_NEAR(stats_llr_pairs(&sure, &won), -stats_llr_pairs(&mirrored, &lost), 1e-6);
}

static double distribution_mean(const double p[PAIR_OUTCOMES]) {
    return p[1] * 0.25 + p[2] * 0.5 + p[3] * 0.75 + p[4];
}

static double distribution_normalized(const double p[PAIR_OUTCOMES]) {
    double mean = distribution_mean(p), variance = 0;
    for (int i = 0; i < PAIR_OUTCOMES; i++) variance += p[i] * (i / 4.0 - mean) * (i / 4.0 - mean);
    return 800 / log(10) * (mean - 0.5) / sqrt(2 * variance);
}

static double likelihood(const double observed[PAIR_OUTCOMES], const double p[PAIR_OUTCOMES]) {
    double sum = 0;
    for (int i = 0; i < PAIR_OUTCOMES; i++) sum += observed[i] * log(p[i]);
    return sum;
}

/* The shifted distribution has the requested strength, and no near one of that strength is likelier. */
static void test_shift_is_the_likeliest(void **state) {
    (void)state;
    static const double observed[PAIR_OUTCOMES] = {0.03, 0.21, 0.46, 0.26, 0.04};
    double shifted[PAIR_OUTCOMES], mean_shifted[PAIR_OUTCOMES];
    memcpy(shifted, observed, sizeof shifted);
    memcpy(mean_shifted, observed, sizeof mean_shifted);
    stats_shift_pairs(shifted, ELO_NORMALIZED, 40);
    stats_shift_pairs(mean_shifted, ELO_LOGISTIC, 40);
    ASSERT_NEAR(distribution_normalized(shifted), 40, 1e-4);
    ASSERT_NEAR(distribution_mean(mean_shifted), stats_elo_to_score(40), 1e-9);

    Rng rng = rng_seed(1);
    for (int trial = 0; trial < 200; trial++) {
        double other[PAIR_OUTCOMES], sum = 0;
        for (int i = 0; i < PAIR_OUTCOMES; i++)
            sum += other[i] = shifted[i] * (1 + 0.02 * (rng_unit(&rng) - 0.5));
        for (int i = 0; i < PAIR_OUTCOMES; i++) other[i] /= sum;
        stats_shift_pairs(other, ELO_NORMALIZED, 40);
        ASSERT_NEAR(distribution_normalized(other), 40, 1e-4);
        assert_true(likelihood(observed, other) <= likelihood(observed, shifted) + 1e-9);
    }
}

/* The ratio must exist even if both bounds are far on one side of a short result. */
static void test_llr_always_exists(void **state) {
    (void)state;
    static const PairCounts extreme[] = {{{0, 0, 0, 0, 500}},   {{500, 0, 0, 0, 0}}, {{0, 0, 500, 0, 0}},
                                         {{250, 0, 0, 0, 250}}, {{0, 1, 0, 0, 0}},   {{0, 0, 2, 0, 37}}};
    static const double bounds[][2] = {{0, 5}, {-5, 0}, {0, 20}, {0, 200}, {-100, 100}};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        for (int model = ELO_NORMALIZED; model <= ELO_LOGISTIC; model++) {
            SprtTest test = {bounds[b][0], bounds[b][1], 0.05, 0.05, (EloModel)model};
            for (size_t i = 0; i < sizeof extreme / sizeof *extreme; i++)
                assert_true(isfinite(stats_llr_pairs(&test, &extreme[i])));
            assert_true(stats_llr_pairs(&test, &extreme[0]) > stats_llr_pairs(&test, &extreme[1]));
        }
    }
    SprtTest test = stats_sprt_default();
    PairCounts none = {{0}};
    ASSERT_NEAR(stats_llr_pairs(&test, &none), 0, 0);
    GameCounts games = {.wins = 556, .losses = 429, .draws = 1137};
    assert_true(stats_llr_games(&test, &games) > 0);
}

static void test_check_and_verdict(void **state) {
    (void)state;
    SprtTest test = stats_sprt_default();
    Status status = stats_sprt_check(&test);
    assert_true(status_is_ok(&status));
    assert_int_equal(stats_sprt_verdict(&test, 2.9), SPRT_ACCEPTS_H1);
    assert_int_equal(stats_sprt_verdict(&test, 2.88), SPRT_CONTINUES);
    assert_int_equal(stats_sprt_verdict(&test, -2.3), SPRT_ACCEPTS_H0);
    SprtTest wrong[] = {test, test, test, test};
    wrong[0].elo1 = wrong[0].elo0;
    wrong[1].alpha = 0;
    wrong[2].beta = 0.5;
    wrong[3].elo1 = NAN;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        status = stats_sprt_check(&wrong[i]);
        assert_false(status_is_ok(&status));
    }
}

static void test_parse(void **state) {
    (void)state;
    PairCounts pairs;
    Status status = stats_parse_pairs(text_view("[18, 207, 494, 314, 28]"), &pairs);
    assert_true(status_is_ok(&status));
    assert_int_equal(pairs.count[0], 18);
    assert_int_equal(pairs.count[4], 28);
    assert_int_equal(stats_pair_total(&pairs), 1061);
    static const char *const wrong[] = {"",
                                        "1,2,3,4",
                                        "1,2,3,4,5,6",
                                        "1,2,x,4,5",
                                        "1,2,-3,4,5",
                                        "1,2,3.5,4,5",
                                        "1,2,3,4,99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        status = stats_parse_pairs(text_view(wrong[i]), &pairs);
        assert_false(status_is_ok(&status));
        assert_int_equal(pairs.count[0], 18);
    }
    GameCounts games;
    status = stats_parse_games(text_view("556,429,1137"), &games);
    assert_true(status_is_ok(&status));
    assert_int_equal(games.draws, 1137);
}

/* If the true strength is at a bound, the error rate must be as promised, within three standard errors, over
 * many simulated tests at [0, 20]. LUFT_TEST_FULL=1 runs 10,000 of each, as for a release. */
static void simulate_at(double truth, SprtVerdict error, double promised, int tests) {
    SprtTest test = {.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.10, .model = ELO_NORMALIZED};
    double probability[PAIR_OUTCOMES] = {0.03, 0.21, 0.49, 0.23, 0.04};
    stats_shift_pairs(probability, ELO_NORMALIZED, truth);
    int errors = 0, unfinished = 0;
    double pairs = 0;
    for (int i = 0; i < tests; i++) {
        Rng rng = rng_stream(20 + (uint64_t)truth, (uint64_t)i);
        PairCounts taken;
        const SprtVerdict verdict = stats_simulate_sprt(&test, probability, &rng, 100000, &taken);
        errors += verdict == error;
        unfinished += verdict == SPRT_CONTINUES;
        pairs += (double)stats_pair_total(&taken);
    }
    const double rate = (double)errors / tests, allowance = 3 * sqrt(promised * (1 - promised) / tests);
    print_message("truth %g: %d tests, %.1f pairs each, error rate %.4f (promised %.2f)\n", truth, tests,
                  pairs / tests, rate, promised);
    assert_int_equal(unfinished, 0);
    assert_true(rate <= promised + allowance);
    /* A much lower error rate is wrong, too: the test would play too long. */
    assert_true(rate >= promised / 3);
}

static void test_simulated_error_rates(void **state) {
    (void)state;
    const int tests = getenv("LUFT_TEST_FULL") != NULL ? 10000 : 1000;
    simulate_at(0, SPRT_ACCEPTS_H1, 0.05, tests);
    simulate_at(20, SPRT_ACCEPTS_H0, 0.10, tests);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_results),
        cmocka_unit_test(test_estimate_of_known_counts),
        cmocka_unit_test(test_estimate_at_the_edges),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_shift_is_the_likeliest),
        cmocka_unit_test(test_llr_always_exists),
        cmocka_unit_test(test_llr_of_distant_bounds),
        cmocka_unit_test(test_check_and_verdict),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_simulated_error_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
