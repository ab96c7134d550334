/* The fit recovers the parameters that generated the data. */
#include "lab/train/fit.h"

#include "base/memory.h"
#include "test_support.h"

#include <math.h>

static const ChanceModel TRUTH = {.alpha = {0.4, 1.5, 0.3, -0.2}, .beta = {0.012, -0.004, 0.001, 0}};

static FitCounts *counts_from(const ChanceModel *model, double weight, int score_max) {
    FitCounts *counts = memory_allocate(sizeof *counts);
    for (int material = CHANCE_MATERIAL_LOW; material <= CHANCE_MATERIAL_HIGH; material++) {
        for (int score = -score_max; score <= score_max; score += FIT_SCORE_STEP) {
            Chances chances = chances_by_model(model, material, score);
            uint64_t *n =
                counts->count[material - CHANCE_MATERIAL_LOW][(score + FIT_SCORE_MAX) / FIT_SCORE_STEP];
            n[0] = (uint64_t)(weight * chances.loss + 0.5);
            n[1] = (uint64_t)(weight * chances.draw + 0.5);
            n[2] = (uint64_t)(weight * chances.win + 0.5);
            counts->total += n[0] + n[1] + n[2];
        }
    }
    return counts;
}

/* So steep that the probability of draws becomes 0 long before the highest scores. */
static const ChanceModel STEEP = {.alpha = {3.5, -2, 0.5, 0}, .beta = {0.05, -0.02, 0, 0}};

static void finds(const ChanceModel *truth, int score_max) {
    FitCounts *counts = counts_from(truth, 1e6, score_max);
    ChanceModel model;
    assert_ok(fit_solve(counts, &model));
    for (int material = CHANCE_MATERIAL_LOW; material <= CHANCE_MATERIAL_HIGH; material += 7) {
        assert_true(fabs(chances_even_score(&model, material) / chances_even_score(truth, material) - 1) <
                    0.01);
        assert_true(fabs(chances_spread(&model, material) / chances_spread(truth, material) - 1) < 0.01);
    }
    assert_true(fit_loss(&model, counts) <= fit_loss(truth, counts) + 1e-9);
    memory_release(counts);
}

static void test_finds_the_model_of_the_data(void **state) {
    (void)state;
    finds(&TRUTH, 800);
    finds(&STEEP, FIT_SCORE_MAX);
}

static void test_too_little_or_one_sided_data_are_refused(void **state) {
    (void)state;
    FitCounts *counts = memory_allocate(sizeof *counts);
    ChanceModel model;
    assert_fails(fit_solve(counts, &model), "positions");
    for (int i = 0; i < 5000; i++) fit_count(counts, 40, i % 100, 2);
    assert_fails(fit_solve(counts, &model), "won, drawn and lost");
    const uint64_t total = counts->total;
    fit_count(counts, 40, 32000, 2); /* a mate */
    fit_count(counts, 40, FIT_SCORE_MAX + 1, 2);
    assert_true(counts->total == total);
    fit_count(counts, 0, FIT_SCORE_MAX, 0);
    fit_count(counts, 99, -FIT_SCORE_MAX, 1);
    assert_true(counts->total == total + 2);
    memory_release(counts);
}

static void a_model_of_too_few_games_is_not_plausible(void **state) {
    (void)state;
    ChanceModel model = *chances_model();
    assert_true(fit_is_plausible(&model));
    for (int i = 0; i < CHANCE_TERMS; i++) model.beta[i] = -model.beta[i];
    assert_false(fit_is_plausible(&model)); /* a higher score is a worse chance */
    model = *chances_model();
    model.alpha[0] -= 2; /* few pieces: who is behind wins half the games */
    assert_false(fit_is_plausible(&model));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_of_too_few_games_is_not_plausible),
        cmocka_unit_test(test_finds_the_model_of_the_data),
        cmocka_unit_test(test_too_little_or_one_sided_data_are_refused),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
