/* The model of chances finds the numbers that made the data. */
#include "test_support.h"

#include "base/memory.h"
#include "lab/learn/fit.h"

#include <math.h>

static const FitModel TRUTH = {.alpha = {0.4, 1.5, 0.3, -0.2}, .beta = {0.012, -0.004, 0.001, 0}};

static FitCounts *counts_from(const FitModel *model, double weight) {
    FitCounts *counts = memory_allocate(sizeof *counts);
    for (int material = FIT_MATERIAL_LOW; material <= FIT_MATERIAL_HIGH; material++) {
        for (int score = -800; score <= 800; score += FIT_SCORE_STEP) {
            FitChances chances = fit_chances(model, material, score);
            uint64_t *n =
                counts->count[material - FIT_MATERIAL_LOW][(score + FIT_SCORE_MAX) / FIT_SCORE_STEP];
            n[0] = (uint64_t)(weight * chances.loss + 0.5);
            n[1] = (uint64_t)(weight * chances.draw + 0.5);
            n[2] = (uint64_t)(weight * chances.win + 0.5);
            counts->total += n[0] + n[1] + n[2];
        }
    }
    return counts;
}

static void test_finds_the_model_behind_the_data(void **state) {
    (void)state;
    FitCounts *counts = counts_from(&TRUTH, 1e6);
    FitModel model;
    assert_ok(fit_solve(counts, &model));
    for (int material = FIT_MATERIAL_LOW; material <= FIT_MATERIAL_HIGH; material += 7) {
        assert_true(fabs(fit_even_score(&model, material) / fit_even_score(&TRUTH, material) - 1) < 0.01);
        assert_true(fabs(fit_spread(&model, material) / fit_spread(&TRUTH, material) - 1) < 0.01);
    }
    assert_true(fit_loss(&model, counts) <= fit_loss(&TRUTH, counts) + 1e-9);
    memory_release(counts);
}

static void test_chances_add_up_and_mirror(void **state) {
    (void)state;
    for (int score = -3000; score <= 3000; score += 50) {
        FitChances a = fit_chances(&TRUTH, 50, score), b = fit_chances(&TRUTH, 50, -score);
        assert_true(fabs(a.win + a.draw + a.loss - 1) < 1e-6);
        assert_true(fabs(a.win - b.loss) < 1e-12);
        assert_true(a.win > 0 && a.draw > 0 && a.loss > 0);
    }
    double even = fit_even_score(&TRUTH, 58);
    assert_true(fabs(fit_chances(&TRUTH, 58, even).win - 0.5) < 1e-9);
}

static void test_too_little_or_one_sided_data_are_refused(void **state) {
    (void)state;
    FitCounts *counts = memory_allocate(sizeof *counts);
    FitModel model;
    assert_fails(fit_solve(counts, &model), "positions");
    for (int i = 0; i < 5000; i++) fit_count(counts, 40, i % 100, 2);
    assert_fails(fit_solve(counts, &model), "won, drawn and lost");
    uint64_t total = counts->total;
    fit_count(counts, 40, 32000, 2); /* a mate */
    fit_count(counts, 40, FIT_SCORE_MAX + 1, 2);
    assert_true(counts->total == total);
    fit_count(counts, 0, FIT_SCORE_MAX, 0);
    fit_count(counts, 99, -FIT_SCORE_MAX, 1);
    assert_true(counts->total == total + 2);
    memory_release(counts);
}

static void test_material(void **state) {
    (void)state;
    Position start = test_position(FEN_START), bare = test_position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    Position some = test_position("4k3/8/8/3qr3/8/PP1NB3/8/Q3K3 w - - 0 1");
    assert_int_equal(fit_material(&start), FIT_MATERIAL_HIGH);
    assert_int_equal(fit_material(&bare), FIT_MATERIAL_LOW);
    assert_int_equal(fit_material(&some), 9 + 5 + 1 + 1 + 3 + 3 + 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_the_model_behind_the_data),
        cmocka_unit_test(test_chances_add_up_and_mirror),
        cmocka_unit_test(test_too_little_or_one_sided_data_are_refused),
        cmocka_unit_test(test_material),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
