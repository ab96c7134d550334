/* SPSA: schedule, convergence under noise, bounds, and resuming. */
#include "lab/tune/spsa.h"

#include "base/memory.h"
#include "test_support.h"

#include <math.h>
#include <stdlib.h>

enum { DIMENSIONS = 5 };

static const SpsaParam PARAMS[DIMENSIONS] = {
    {"first", 100, 0, 300, 10}, {"second", 20, 0, 100, 4},     {"third", 1000, 200, 4000, 120},
    {"fourth", 5, 1, 12, 1},    {"fifth", -50, -200, 200, 12},
};
/* Offsets in steps from the start values. */
static const double SUMMIT[DIMENSIONS] = {6, -4, 8, 3, 5};

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.12g instead of %.12g", value, expected);
}

static SpsaSettings settings_of(int64_t pairs) {
    return (SpsaSettings){pairs, 1, 0.002, 0.602, 0.101, 0.1, 1, 1};
}

static Spsa *new_spsa(const SpsaSettings *settings) {
    Spsa *spsa = memory_allocate(sizeof *spsa);
    assert_non_null(spsa);
    assert_ok(spsa_begin(spsa, settings, PARAMS, DIMENSIONS));
    return spsa;
}

static void delete_spsa(Spsa *spsa) {
    spsa_release(spsa);
    memory_release(spsa);
}

/* The squared distance of a player from the optimum, in steps. */
static double depth_below(const int values[]) {
    double sum = 0;
    for (int i = 0; i < DIMENSIONS; i++) {
        const double off = (values[i] - PARAMS[i].start) / PARAMS[i].step - SUMMIT[i];
        sum += off * off;
    }
    return sum;
}

/* A pair of games: the better player wins a little more often. */
static int play(const Spsa *spsa, int64_t pair, Rng *rng) {
    int upper[SPSA_PARAMS_MAX], lower[SPSA_PARAMS_MAX], result = 0;
    spsa_get_values(spsa, pair, upper, lower);
    const double wins = 1 / (1 + exp(-0.03 * (depth_below(lower) - depth_below(upper))));
    for (int game = 0; game < 2; game++) result += rng_unit(rng) < wins ? SPSA_WIN : -SPSA_WIN;
    return result;
}

/* Plays until the given number of pairs is finished; each result depends on its pair alone. */
static void run_until(Spsa *spsa, int64_t finished) {
    while (spsa->finished < finished) {
        const int64_t pair = spsa_take(spsa);
        assert_true(pair >= 0);
        Rng rng = rng_stream(99, (uint64_t)pair);
        spsa_finish(spsa, pair, play(spsa, pair, &rng));
    }
}

static void test_schedule(void **state) {
    (void)state;
    SpsaSettings settings = settings_of(10000);
    /* At the end the values of the settings; at the beginning computed by hand: 10000^0.101, and
     * 0.002 * (11000 / 1001)^0.602 / 10000^0.202. */
    SpsaGains end = spsa_gains(&settings, 10000), begin = spsa_gains(&settings, 1);
    assert_near(end.spread, 1, 1e-12);
    assert_near(end.rate, 0.002, 1e-12);
    assert_near(begin.spread, 2.53513, 1e-5);
    assert_near(begin.rate, 0.00131731, 1e-8);
    settings.spread = 3;
    assert_near(spsa_gains(&settings, 1).spread, 3 * begin.spread, 1e-12);
    assert_near(spsa_gains(&settings, 1).rate, begin.rate, 0);
    settings.spread = 1;
    settings.alpha = settings.gamma = 0;
    assert_near(spsa_gains(&settings, 1).spread, 1, 1e-12);
    assert_near(spsa_gains(&settings, 1).rate, 0.002, 1e-12);
}

static void test_first_step(void **state) {
    (void)state;
    SpsaSettings settings = settings_of(10000);
    Spsa *spsa = new_spsa(&settings);
    SpsaGains gains = spsa_gains(&settings, 1);
    int upper[SPSA_PARAMS_MAX], lower[SPSA_PARAMS_MAX];
    assert_int_equal(spsa_take(spsa), 0);
    assert_int_equal(spsa->steps_begun, 1);
    spsa_get_values(spsa, 0, upper, lower);
    spsa_finish(spsa, 0, 2 * SPSA_WIN);
    for (int i = 0; i < DIMENSIONS; i++) {
        const double move = gains.spread * PARAMS[i].step, start = PARAMS[i].start;
        assert_true(fabs(fabs(upper[i] - start) - move) < 1);
        assert_true(fabs(fabs(lower[i] - start) - move) < 1);
        assert_true((upper[i] > start) == (lower[i] < start));
        const double change = gains.rate * move * 2 * (upper[i] > start ? 1 : -1);
        assert_near(spsa->value[i], start + change, 1e-9);
    }
    delete_spsa(spsa);
}

/* The mean of the rounded values is the exact value. */
static void test_rounding(void **state) {
    (void)state;
    enum { ROUNDS = 20000 };
    SpsaSettings settings = settings_of(ROUNDS);
    settings.gamma = 0;
    Spsa *spsa = new_spsa(&settings);
    const double value = spsa->value[3] = 5.3;
    double sum = 0, difference = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int upper[SPSA_PARAMS_MAX], lower[SPSA_PARAMS_MAX];
        const int64_t pair = spsa_take(spsa);
        spsa_get_values(spsa, pair, upper, lower);
        sum += upper[3] + lower[3];
        difference += abs(upper[3] - lower[3]);
        spsa_discard(spsa, pair);
    }
    assert_near(sum / (2.0 * ROUNDS), value, 0.02);
    assert_near(difference / ROUNDS, 2 * PARAMS[3].step, 0.01);
    assert_near(spsa->value[3], value, 0);
    assert_int_equal(spsa->discarded, ROUNDS);
    assert_int_equal(spsa_take(spsa), -1);
    delete_spsa(spsa);
}

static double worst_error(const Spsa *spsa) {
    double worst = 0;
    for (int i = 0; i < DIMENSIONS; i++)
        worst = fmax(worst, fabs((spsa->value[i] - PARAMS[i].start) / PARAMS[i].step - SUMMIT[i]));
    return worst;
}

static void test_convergence(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        SpsaSettings settings = settings_of(40000);
        settings.seed = seed;
        Spsa *spsa = new_spsa(&settings);
        assert_near(worst_error(spsa), 8, 1e-9);
        run_until(spsa, settings.pairs);
        if (worst_error(spsa) > 0.8) fail_msg("seed %d ends %g steps away", (int)seed, worst_error(spsa));
        assert_int_equal(spsa_take(spsa), -1);
        delete_spsa(spsa);
    }
}

/* The higher value always wins, so every number reaches its upper bound and stays there. */
static void test_bounds(void **state) {
    (void)state;
    SpsaSettings settings = settings_of(3000);
    settings.rate = 0.5;
    Spsa *spsa = new_spsa(&settings);
    for (int64_t pair; (pair = spsa_take(spsa)) >= 0;) {
        int upper[SPSA_PARAMS_MAX], lower[SPSA_PARAMS_MAX];
        spsa_get_values(spsa, pair, upper, lower);
        for (int i = 0; i < DIMENSIONS; i++) {
            assert_in_range(upper[i] + 1000, PARAMS[i].low + 1000, PARAMS[i].high + 1000);
            assert_in_range(lower[i] + 1000, PARAMS[i].low + 1000, PARAMS[i].high + 1000);
            assert_true(spsa->value[i] >= PARAMS[i].low && spsa->value[i] <= PARAMS[i].high);
        }
        spsa_finish(spsa, pair, upper[4] > lower[4] ? 2 * SPSA_WIN : -2 * SPSA_WIN);
    }
    assert_near(spsa->value[4], PARAMS[4].high, 0);
    delete_spsa(spsa);
}

static void test_seed_decides(void **state) {
    (void)state;
    SpsaSettings settings = settings_of(500);
    Spsa *one = new_spsa(&settings), *same = new_spsa(&settings);
    settings.seed = 2;
    Spsa *other = new_spsa(&settings);
    run_until(one, 500);
    run_until(same, 500);
    run_until(other, 500);
    assert_memory_equal(one->value, same->value, sizeof one->value);
    assert_memory_not_equal(one->value, other->value, sizeof one->value);
    delete_spsa(one);
    delete_spsa(same);
    delete_spsa(other);
}

/* The pairs of a step count as one result for the values at its start, whatever else has ended since. */
static void test_pairs_of_a_step(void **state) {
    (void)state;
    SpsaSettings settings = settings_of(7);
    settings.pairs_per_step = 3;
    Spsa *spsa = new_spsa(&settings);
    int upper[2][SPSA_PARAMS_MAX], lower[2][SPSA_PARAMS_MAX];
    for (int i = 0; i < 6; i++) assert_int_equal(spsa_take(spsa), i);
    assert_int_equal(spsa->step_count, 2);
    spsa_get_values(spsa, 0, upper[0], lower[0]);
    spsa_finish(spsa, 1, 2 * SPSA_WIN);
    spsa_finish(spsa, 0, -SPSA_WIN);
    assert_near(spsa->value[2], PARAMS[2].start, 0);
    for (int i = 3; i < 6; i++) spsa_finish(spsa, i, 2 * SPSA_WIN);
    double between = spsa->value[2], start = PARAMS[2].start;
    SpsaGains gains = spsa_gains(&settings, 4);
    assert_near(fabs(between - start), gains.rate * gains.spread * PARAMS[2].step * 6, 1e-9);
    spsa->value[2] = between += 50; /* more than rounding hides */
    spsa_get_values(spsa, 2, upper[1], lower[1]);
    assert_memory_equal(upper[0], upper[1], DIMENSIONS * sizeof upper[0][0]);
    assert_memory_equal(lower[0], lower[1], DIMENSIONS * sizeof lower[0][0]);
    assert_false(spsa_awaits(spsa, 1));
    assert_true(spsa_awaits(spsa, 2));
    spsa_finish(spsa, 2, 2 * SPSA_WIN);
    gains = spsa_gains(&settings, 1);
    assert_near(fabs(spsa->value[2] - between), gains.rate * gains.spread * PARAMS[2].step * 3, 1e-9);
    assert_int_equal(spsa_take(spsa), 6);
    assert_int_equal(spsa->steps_begun, 3);
    assert_int_equal(spsa_take(spsa), -1);
    spsa_discard(spsa, 6); /* the last step has one pair only */
    assert_int_equal(spsa->step_count, 0);
    delete_spsa(spsa);
}

/* Pairs that were interrupted are played again; the rest is restored from the events. */
static void test_resuming(void **state) {
    (void)state;
    SpsaSettings settings = settings_of(300);
    settings.pairs_per_step = 4;
    Spsa *whole = new_spsa(&settings), *broken = new_spsa(&settings), *resumed = new_spsa(&settings);
    run_until(whole, 300);
    int64_t results[300];
    for (int pair = 0; pair < 150; pair++) { /* stops in the middle of a step, with two pairs taken */
        assert_int_equal(spsa_take(broken), pair);
        Rng rng = rng_stream(99, (uint64_t)pair);
        results[pair] = play(broken, pair, &rng);
        spsa_finish(broken, pair, (int)results[pair]);
    }
    spsa_take(broken);
    spsa_take(broken);
    for (int pair = 0; pair < 150; pair++) {
        if (pair % 4 == 0) assert_true(spsa_begin_step(resumed, pair / 4));
        assert_true(spsa_awaits(resumed, pair));
        spsa_finish(resumed, pair, (int)results[pair]);
        assert_false(spsa_awaits(resumed, pair));
    }
    assert_false(spsa_begin_step(resumed, 37));
    assert_false(spsa_begin_step(resumed, 39));
    assert_false(spsa_awaits(resumed, 152));
    assert_false(spsa_awaits(resumed, 300));
    assert_false(spsa_awaits(resumed, -1));
    assert_memory_equal(broken->value, resumed->value, sizeof broken->value);
    run_until(resumed, 300);
    assert_memory_equal(whole->value, resumed->value, sizeof whole->value);
    delete_spsa(whole);
    delete_spsa(broken);
    delete_spsa(resumed);
}

static void expect_refusal(SpsaSettings settings, SpsaParam param, const char *reason) {
    Spsa *spsa = memory_allocate(sizeof *spsa);
    assert_non_null(spsa);
    assert_fails(spsa_begin(spsa, &settings, &param, 1), reason);
    delete_spsa(spsa);
}

static void test_refusals(void **state) {
    (void)state;
    SpsaSettings good = settings_of(100), bad[4] = {good, good, good, good};
    static const char *const REASONS[] = {"number of pairs", "a step", "rate", "gamma"};
    bad[0].pairs = 0;
    bad[1].pairs_per_step = 101;
    bad[2].rate = 0;
    bad[3].gamma = (double)NAN;
    for (int i = 0; i < 4; i++) expect_refusal(bad[i], PARAMS[0], REASONS[i]);
    expect_refusal(good, (SpsaParam){"x", 3, 3, 3, 1}, "x leaves nothing to tune");
    expect_refusal(good, (SpsaParam){"x", 3, 0, 9, 0}, "x leaves nothing to tune");
    expect_refusal(good, (SpsaParam){"x", 10, 0, 9, 1}, "x starts at 10");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule),        cmocka_unit_test(test_first_step),
        cmocka_unit_test(test_rounding),        cmocka_unit_test(test_convergence),
        cmocka_unit_test(test_bounds),          cmocka_unit_test(test_seed_decides),
        cmocka_unit_test(test_pairs_of_a_step), cmocka_unit_test(test_resuming),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
