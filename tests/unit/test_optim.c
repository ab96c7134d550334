/* AdamW compared with the formula, and the schedule of the learning rate. */
#include "lab/train/optim.h"

#include "test_support.h"

#include <math.h>

static void test_steps_are_those_of_the_formula(void **state) {
    (void)state;
    const OptimPlan plan = {.rate = 0.01f, .decay = 0.1f, .epsilon = 0.3f};
    float parameters[3] = {0.5f, -1.0f, 1.97f}, mean[3] = {0}, square[3] = {0};
    double p[3] = {0.5, -1.0, 1.97}, m[3] = {0}, v[3] = {0};
    const double rate = 0.01;
    for (int step = 1; step <= 50; step++) {
        float gradient[3] = {0.3f * (float)step, (float)sin(step), -5.0f};
        for (int i = 0; i < 3; i++) {
            const double g = gradient[i];
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.999 * v[i] + 0.001 * g * g;
            const double mean_hat = m[i] / (1 - pow(0.9, step)), square_hat = v[i] / (1 - pow(0.999, step));
            p[i] = p[i] * (1 - rate * 0.1) - rate * mean_hat / (sqrt(square_hat) + 0.3);
            p[i] = fmin(fmax(p[i], -1.98), 1.98);
        }
        optim_step(NULL, plan, (uint64_t)step, 3, parameters, gradient, mean, square);
        for (int i = 0; i < 3; i++) {
            assert_true(gradient[i] == 0);
            assert_true(fabs(parameters[i] - p[i]) < 1e-4);
        }
    }
    assert_true(parameters[2] == 1.98f); /* clamped */
}

static void test_it_finds_the_minimum(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    static float parameters[COUNT], gradient[COUNT], mean[COUNT], square[COUNT];
    for (int step = 1; step <= 600; step++) {
        for (int i = 0; i < COUNT; i++) gradient[i] = parameters[i] - (float)(i % 100) / 100;
        const float rate = optim_rate(&(OptimRate){0.01f, 1e-5f, 0, 600}, (uint64_t)step);
        optim_step(NULL, (OptimPlan){rate, 0, 1e-8f}, (uint64_t)step, COUNT, parameters, gradient, mean,
                   square);
    }
    for (int i = 0; i < COUNT; i++) assert_true(fabsf(parameters[i] - (float)(i % 100) / 100) < 1e-3f);
}

static void test_the_rate_falls_along_a_cosine(void **state) {
    (void)state;
    const OptimRate rate = {1e-3f, 5e-6f, 0, 100}, constant = {1.0f, 0.25f, 0, 0};
    assert_true(fabsf(optim_rate(&rate, 0) - 1e-3f) < 1e-9f);
    assert_true(fabsf(optim_rate(&rate, 100) - 5e-6f) < 1e-9f);
    assert_true(fabsf(optim_rate(&rate, 50) - 5.025e-4f) < 1e-6f);
    assert_true(optim_rate(&rate, 200) == 5e-6f); /* and stays there */
    for (uint64_t step = 1; step <= 100; step++)
        assert_true(optim_rate(&rate, step) < optim_rate(&rate, step - 1));
    assert_true(optim_rate(&constant, 0) == 0.25f);
}

static void test_the_rate_rises_first(void **state) {
    (void)state;
    const OptimRate rate = {1.0f, 0.0f, 10, 110};
    assert_true(fabsf(optim_rate(&rate, 0) - 1.0f / 11) < 1e-6f);
    for (uint64_t step = 1; step <= 10; step++)
        assert_true(optim_rate(&rate, step) > optim_rate(&rate, step - 1));
    assert_true(optim_rate(&rate, 10) == 1.0f);
    assert_true(fabsf(optim_rate(&rate, 60) - 0.5f) < 1e-6f);
    assert_true(optim_rate(&rate, 110) == 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_are_those_of_the_formula),
        cmocka_unit_test(test_it_finds_the_minimum),
        cmocka_unit_test(test_the_rate_falls_along_a_cosine),
        cmocka_unit_test(test_the_rate_rises_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
