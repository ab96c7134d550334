#include "engine/chances.h"

#include "search/score.h"
#include "test_support.h"

#include <math.h>

enum { SCORE_STEP = 7, SCORE_FAR = 3500 };

static Chances chances_at(int material, int score) {
    return chances_by_model(chances_model(), material, score);
}

static void test_add_up_and_mirror(void **state) {
    (void)state;
    for (int material = CHANCE_MATERIAL_LOW; material <= CHANCE_MATERIAL_HIGH; material++) {
        for (int score = -SCORE_FAR; score <= SCORE_FAR; score += SCORE_STEP) {
            Chances ours = chances_at(material, score), theirs = chances_at(material, -score);
            assert_true(fabs(ours.win + ours.draw + ours.loss - 1) < 1e-9);
            assert_true(fabs(ours.win - theirs.loss) < 1e-12);
            assert_true(fabs(ours.draw - theirs.draw) < 1e-12);
            assert_true(ours.win > 0 && ours.draw >= 0 && ours.loss > 0);
        }
    }
}

static void test_more_score_is_more_chance(void **state) {
    (void)state;
    for (int material = CHANCE_MATERIAL_LOW; material <= CHANCE_MATERIAL_HIGH; material++) {
        for (int score = -SCORE_FAR; score < SCORE_FAR; score += SCORE_STEP) {
            Chances less = chances_at(material, score), more = chances_at(material, score + SCORE_STEP);
            /* At the far ends the chances are 0 and 1 to the last bit. */
            assert_true(more.win > less.win || less.win > 0.999999);
            assert_true(more.loss < less.loss || less.loss < 0.000001 || more.loss > 0.999999);
        }
        assert_true(chances_at(material, SCORE_FAR).win > 0.999);
    }
}

static void test_half_the_games_are_won_at_the_even_score(void **state) {
    (void)state;
    const ChanceModel *model = chances_model();
    for (int material = CHANCE_MATERIAL_LOW; material <= CHANCE_MATERIAL_HIGH; material++) {
        const double even = chances_even_score(model, material), spread = chances_spread(model, material);
        assert_true(even > 0 && spread > 0);
        assert_true(fabs(chances_by_model(model, material, even).win - 0.5) < 1e-9);
        assert_true(fabs(chances_by_model(model, material, even + spread).win - 1 / (1 + exp(-1))) < 1e-9);
    }
}

static void test_known_values(void **state) {
    (void)state;
    const ChanceModel model = {.alpha = {1, 1}, .beta = {0.01}};
    Chances chances = chances_by_model(&model, CHANCE_MATERIAL_USUAL, 100);
    assert_true(fabs(chances.win - 0.268941421) < 1e-9);
    assert_true(fabs(chances.loss - 0.047425873) < 1e-9);
    assert_true(fabs(chances_even_score(&model, CHANCE_MATERIAL_USUAL) - 200) < 1e-9);
    assert_true(fabs(chances_even_score(&model, CHANCE_MATERIAL_USUAL / 2) - 150) < 1e-9);
    assert_true(fabs(chances_spread(&model, CHANCE_MATERIAL_USUAL) - 100) < 1e-9);
}

static void test_nothing_is_left_for_draws_where_alpha_is_negative(void **state) {
    (void)state;
    const ChanceModel model = {.alpha = {-1}, .beta = {0.01}};
    assert_true(chances_by_model(&model, CHANCE_MATERIAL_USUAL, 0).draw == 0);
}

static void test_material(void **state) {
    (void)state;
    Position start = test_position(FEN_START), bare = test_position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    Position some = test_position("4k3/8/8/3qr3/8/PP1NB3/8/Q3K3 w - - 0 1");
    assert_int_equal(chances_material(&start), CHANCE_MATERIAL_HIGH);
    assert_int_equal(chances_material(&bare), CHANCE_MATERIAL_LOW);
    assert_int_equal(chances_material(&some), 9 + 5 + 1 + 1 + 3 + 3 + 9);
}

static void test_search_counts_the_material_of_its_root(void **state) {
    (void)state;
    Position start = test_position(FEN_START), pawns = test_position("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
    assert_true(chances_of_search(&start, 60).win == chances_at(CHANCE_MATERIAL_HIGH, 60).win);
    assert_true(chances_of_search(&pawns, 60).win == chances_at(CHANCE_MATERIAL_LOW, 60).win);
    assert_true(chances_of_search(&start, 60).win != chances_of_search(&pawns, 60).win);
}

static void assert_permille(int score, int win, int draw, int loss) {
    Position start = test_position(FEN_START);
    ChanceParts parts = chances_round(chances_of_search(&start, score), 1000);
    assert_int_equal(parts.win, win);
    assert_int_equal(parts.draw, draw);
    assert_int_equal(parts.loss, loss);
}

static void test_mates_are_certain(void **state) {
    (void)state;
    assert_permille(score_mate_in(1), 1000, 0, 0);
    assert_permille(score_mate_in(MAX_PLY), 1000, 0, 0);
    assert_permille(score_mated_in(0), 0, 0, 1000);
    assert_permille(score_mated_in(MAX_PLY), 0, 0, 1000);
}

static void test_parts_add_up(void **state) {
    (void)state;
    Position start = test_position(FEN_START);
    for (int score = -SCORE_FAR; score <= SCORE_FAR; score++) {
        for (int whole = 1; whole <= 1000; whole *= 10) {
            ChanceParts parts = chances_round(chances_of_search(&start, score), whole);
            assert_int_equal(parts.win + parts.draw + parts.loss, whole);
            assert_true(parts.win >= 0 && parts.draw >= 0 && parts.loss >= 0);
        }
    }
    /* Rounded separately, both would be rounded up. */
    ChanceParts halves = chances_round((Chances){.win = 0.4995, .draw = 0, .loss = 0.5005}, 1000);
    assert_int_equal(halves.win + halves.draw + halves.loss, 1000);
    assert_true(halves.draw >= 0);
}

static void test_expected_scores(void **state) {
    (void)state;
    assert_true(chances_expected((Chances){.win = 0.5, .draw = 0.25, .loss = 0.25}) == 0.625);
    assert_true(chances_logistic(0, 140) == 0.5);
    assert_true(fabs(chances_logistic(140, 140) - 1 / (1 + exp(-1))) < 1e-12);
    assert_true(fabs(chances_logistic(-300, 200) + chances_logistic(300, 200) - 1) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected_scores),
        cmocka_unit_test(test_add_up_and_mirror),
        cmocka_unit_test(test_more_score_is_more_chance),
        cmocka_unit_test(test_half_the_games_are_won_at_the_even_score),
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_nothing_is_left_for_draws_where_alpha_is_negative),
        cmocka_unit_test(test_material),
        cmocka_unit_test(test_search_counts_the_material_of_its_root),
        cmocka_unit_test(test_mates_are_certain),
        cmocka_unit_test(test_parts_add_up),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
