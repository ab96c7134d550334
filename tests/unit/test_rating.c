/* Ratings from games: published results, and the cases in which there is no rating. */
#include "lab/rate/rating.h"

#include "lab/rate/anchors.h"
#include "lab/rate/rate_games.h"
#include "test_support.h"

#include <math.h>

static const double ELO = 173.71779276130073;

static Rating solve(RateGames *games, RatingModel model, bool advantage) {
    Rating rating = {.model = model,
                     .has_advantage = advantage,
                     .players = games->players,
                     .player_count = games->player_count,
                     .pairs = games->pairs,
                     .pair_count = games->pair_count};
    assert_ok(rating_solve(&rating));
    return rating;
}

static void add(RateGames *games, const char *white, const char *black, GameResult result, int count) {
    for (int i = 0; i < count; i++) assert_ok(rate_games_add(games, white, black, result));
}

static const RatingPlayer *player(const RateGames *games, const char *name) {
    const int found = rate_games_find(games, text_view(name));
    assert_true(found >= 0);
    return &games->players[found];
}

static Status anchor(RateGames *games, const char *text) {
    return anchors_fix(&(Anchors){{text}, 1}, games->players, games->player_count);
}

static void assert_near(double value, double wanted, double within) {
    if (!(fabs(value - wanted) <= within)) fail_msg("%.6f is not %.6f", value, wanted);
}

/* --- baseball in 1987 (Agresti, Categorical Data Analysis): home wins and losses of each row --- */

static const char *const TEAMS[] = {"Mil", "Det", "Tor", "NY", "Bos", "Cle", "Bal"};
enum { TEAM_COUNT = 7 };

static RateGames baseball(void) {
    static const int HOME[TEAM_COUNT][TEAM_COUNT][2] = {
        {{0, 0}, {4, 3}, {4, 2}, {4, 3}, {6, 1}, {4, 2}, {6, 0}},
        {{3, 3}, {0, 0}, {4, 2}, {4, 3}, {6, 0}, {6, 1}, {4, 3}},
        {{2, 5}, {4, 3}, {0, 0}, {2, 4}, {4, 3}, {4, 2}, {6, 0}},
        {{3, 3}, {5, 1}, {2, 5}, {0, 0}, {4, 3}, {4, 2}, {6, 1}},
        {{5, 1}, {2, 5}, {3, 3}, {4, 2}, {0, 0}, {5, 2}, {6, 0}},
        {{2, 5}, {3, 3}, {3, 4}, {4, 3}, {4, 2}, {0, 0}, {2, 4}},
        {{2, 5}, {1, 5}, {1, 6}, {2, 4}, {1, 6}, {3, 4}, {0, 0}}};
    RateGames games = {0};
    for (int i = 0; i < TEAM_COUNT; i++) {
        for (int j = 0; j < TEAM_COUNT; j++) {
            add(&games, TEAMS[i], TEAMS[j], WHITE_WINS, HOME[i][j][0]);
            add(&games, TEAMS[i], TEAMS[j], BLACK_WINS, HOME[i][j][1]);
        }
    }
    assert_ok(anchor(&games, "Bal=0"));
    return games;
}

static void test_baseball(void **state) {
    (void)state;
    static const double STRENGTH[] = {1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0};
    RateGames games = baseball();
    Rating rating = solve(&games, RATING_HALF_POINTS, false);
    for (int i = 0; i < TEAM_COUNT; i++) {
        const RatingPlayer *team = player(&games, TEAMS[i]);
        assert_near(team->rating / ELO, STRENGTH[i], 5e-5);
        if (!team->is_fixed)
            assert_near(team->error / ELO / 1.959964, 0.3375, 0.0060);
        else
            assert_near(team->error, 0, 0);
    }
    assert_near(rating.deviance, 344.496, 1e-3);
    assert_int_equal(rating.group_count, 1);
    rating_release(&rating);
    rate_games_release(&games);
}

static void test_baseball_at_home(void **state) {
    (void)state;
    static const double STRENGTH[] = {1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047, 0};
    RateGames games = baseball();
    Rating rating = solve(&games, RATING_HALF_POINTS, true);
    for (int i = 0; i < TEAM_COUNT; i++)
        assert_near(player(&games, TEAMS[i])->rating / ELO, STRENGTH[i], 5e-5);
    assert_near(rating.deviance, 339.086, 1e-3);
    assert_near(rating.advantage / ELO, 0.3023, 5e-5);
    assert_near(rating.advantage_error / ELO / 1.959964, 0.1309, 5e-5);
    rating_release(&rating);
    rate_games_release(&games);
}

/* --- chocolate puddings (Davidson 1970): wins of i, wins of j, ties --- */

static RateGames puddings(void) {
    static const int ROWS[][5] = {
        {1, 2, 19, 22, 16}, {1, 3, 16, 19, 12}, {2, 3, 19, 19, 10}, {1, 4, 18, 23, 13}, {2, 4, 23, 19, 9},
        {3, 4, 19, 20, 15}, {1, 5, 13, 19, 18}, {2, 5, 16, 20, 12}, {3, 5, 16, 15, 17}, {4, 5, 17, 14, 16},
        {1, 6, 18, 21, 12}, {2, 6, 22, 20, 12}, {3, 6, 13, 18, 10}, {4, 6, 14, 19, 18}, {5, 6, 11, 21, 12}};
    RateGames games = {0};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        char one[8], other[8];
        text_format(one, sizeof one, "%d", ROWS[i][0]);
        text_format(other, sizeof other, "%d", ROWS[i][1]);
        add(&games, one, other, WHITE_WINS, ROWS[i][2]);
        add(&games, one, other, BLACK_WINS, ROWS[i][3]);
        add(&games, one, other, DRAWN, ROWS[i][4]);
    }
    assert_ok(anchor(&games, "1=0"));
    return games;
}

static void test_puddings(void **state) {
    (void)state;
    static const struct {
        RatingModel model;
        double draw, deviance, elo[6];
    } CASES[] = {{RATING_DAVIDSON, 0.74682, 1619.4190, {0, 38.26, 26.57, 30.43, 23.25, 65.52}},
                 {RATING_RAO_KUPPER, 1.74846, 1619.3943, {0, 30.18, 20.85, 24.30, 18.24, 51.77}},
                 {RATING_HALF_POINTS, 0, 0, {0, 27.85, 19.34, 22.15, 16.93, 47.68}}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        RateGames games = puddings();
        Rating rating = solve(&games, CASES[i].model, false);
        for (int j = 0; j < 6; j++) {
            const char name[] = {(char)('1' + j), '\0'};
            assert_near(player(&games, name)->rating, CASES[i].elo[j], 6e-3);
        }
        assert_near(rating.draw, CASES[i].draw, 6e-6);
        if (CASES[i].deviance > 0) assert_near(rating.deviance, CASES[i].deviance, 6e-5);
        rating_release(&rating);
        rate_games_release(&games);
    }
}

static void test_the_scale_of_labels(void **state) {
    (void)state;
    static const int GAMES[][3] = {{60, 20, 20}, {30, 60, 10}};
    static const double HALF_POINTS[] = {147.2, 70.4}, DAVIDSON[] = {190.8, 190.8};
    for (int i = 0; i < 2; i++) {
        for (int model = RATING_HALF_POINTS; model <= RATING_DAVIDSON; model++) {
            RateGames games = {0};
            add(&games, "a", "b", WHITE_WINS, GAMES[i][0]);
            add(&games, "a", "b", DRAWN, GAMES[i][1]);
            add(&games, "a", "b", BLACK_WINS, GAMES[i][2]);
            Rating rating = solve(&games, (RatingModel)model, false);
            assert_near(player(&games, "a")->rating - player(&games, "b")->rating,
                        model == RATING_HALF_POINTS ? HALF_POINTS[i] : DAVIDSON[i], 0.1);
            rating_release(&rating);
            rate_games_release(&games);
        }
    }
}

static void test_superiority(void **state) {
    (void)state;
    assert_near(rating_superiority_of_games(30, 10), 0.9992, 5e-5);
    assert_near(rating_superiority_of_games(0, 0), 0.5, 0);
    assert_near(rating_superiority_of_games(10, 30), 0.0008, 5e-5);
    RateGames games = puddings();
    Rating rating = solve(&games, RATING_HALF_POINTS, false);
    const int best = rate_games_find(&games, text_view("6")), worst = rate_games_find(&games, text_view("1"));
    const double chance = rating_superiority(&rating, best, worst);
    assert_true(chance > 0.9 && chance < 1);
    assert_near(rating_superiority(&rating, worst, best), 1 - chance, 1e-9);
    rating_release(&rating);
    rate_games_release(&games);
}

/* --- no rating --- */

static void test_a_player_with_only_wins_is_a_group_alone(void **state) {
    (void)state;
    RateGames games = {0};
    add(&games, "a", "b", WHITE_WINS, 3);
    add(&games, "b", "a", DRAWN, 1);
    add(&games, "king", "a", WHITE_WINS, 5);
    add(&games, "b", "king", BLACK_WINS, 5);
    Rating rating = solve(&games, RATING_HALF_POINTS, false);
    assert_int_equal(rating.group_count, 2);
    assert_int_equal(player(&games, "a")->group, player(&games, "b")->group);
    assert_int_not_equal(player(&games, "a")->group, player(&games, "king")->group);
    /* 3.5 of 4 */
    assert_near(player(&games, "a")->rating - player(&games, "b")->rating, 400 * log10(7), 1e-6);
    rating_release(&rating);
    rate_games_release(&games);
}

static void test_two_groups_without_a_game_between_them(void **state) {
    (void)state;
    RateGames games = {0};
    add(&games, "a", "b", WHITE_WINS, 2), add(&games, "a", "b", BLACK_WINS, 1);
    add(&games, "c", "d", WHITE_WINS, 1), add(&games, "c", "d", BLACK_WINS, 1);
    Rating rating = solve(&games, RATING_HALF_POINTS, false);
    assert_int_equal(rating.group_count, 2);
    assert_near(player(&games, "a")->rating, 200 * log10(2), 1e-6);
    assert_near(player(&games, "b")->rating, -200 * log10(2), 1e-6);
    assert_near(player(&games, "c")->rating, 0, 1e-6);
    rating_release(&rating);
    /* Two anchors link them. */
    assert_ok(anchor(&games, "b=1000"));
    assert_ok(anchor(&games, "d=500.5"));
    rating = solve(&games, RATING_HALF_POINTS, false);
    assert_int_equal(rating.group_count, 1);
    assert_near(player(&games, "a")->rating, 1000 + 400 * log10(2), 1e-6);
    assert_near(player(&games, "c")->rating, 500.5, 1e-6);
    assert_near(player(&games, "d")->error, 0, 0);
    rating_release(&rating);
    rate_games_release(&games);
}

static void test_one_game(void **state) {
    (void)state;
    for (int result = BLACK_WINS; result <= WHITE_WINS; result++) {
        for (int model = RATING_HALF_POINTS; model <= RATING_RAO_KUPPER; model++) {
            RateGames games = {0};
            add(&games, "a", "b", (GameResult)result, 1);
            Rating rating = solve(&games, (RatingModel)model, true);
            assert_int_equal(rating.group_count, result == DRAWN ? 1 : 2);
            assert_near(player(&games, "a")->rating, 0, 1e-9);
            assert_near(rating.advantage, 0, 1e-9);
            rating_release(&rating);
            rate_games_release(&games);
        }
    }
}

static void test_colours_all_one_way(void **state) {
    (void)state;
    RateGames games = {0};
    add(&games, "a", "b", WHITE_WINS, 3), add(&games, "a", "b", BLACK_WINS, 1);
    Rating rating = solve(&games, RATING_HALF_POINTS, true);
    assert_true(rating.advantage_unknown);
    assert_near(rating.advantage, 0, 0);
    assert_near(player(&games, "a")->rating - player(&games, "b")->rating, 400 * log10(3), 1e-6);
    rating_release(&rating);
    rate_games_release(&games);
}

/* With an advantage beyond all numbers, these games would be likeliest, and the strengths infinite, too. */
static void test_advantage_without_a_maximum(void **state) {
    (void)state;
    RateGames games = {0};
    add(&games, "a", "b", WHITE_WINS, 10);
    add(&games, "b", "a", WHITE_WINS, 3), add(&games, "b", "a", DRAWN, 4),
        add(&games, "b", "a", BLACK_WINS, 3);
    Rating rating = solve(&games, RATING_HALF_POINTS, true);
    assert_true(rating.advantage_unknown);
    assert_near(player(&games, "a")->rating - player(&games, "b")->rating, 400 * log10(3), 1e-6);
    rating_release(&rating);
    rate_games_release(&games);
}

static void test_games_that_cannot_be_rated(void **state) {
    (void)state;
    RateGames games = {0};
    assert_fails(rate_games_add(&games, "a", NULL, DRAWN), "does not name its players");
    assert_fails(rate_games_add(&games, "a", "", DRAWN), "does not name its players");
    assert_fails(rate_games_add(&games, "a", "a", DRAWN), "plays against itself");
    assert_ok(rate_games_add(&games, "a", "b", UNDECIDED));
    assert_int_equal(games.undecided, 1);
    assert_fails(anchor(&games, "nobody=3"), "no player is called 'nobody'");
    assert_fails(anchor(&games, "a=high"), "is not NAME=ELO");
    assert_ok(rate_games_add(&games, "stockfish", "a", DRAWN));
    assert_fails(anchor(&games, "stokfish=3000"), "called 'stokfish'; did you mean 'stockfish'?");
    rate_games_release(&games);
}

/* --- simulated tournaments --- */

static bool is_strong(const void *context, const RatingPlayer *other) {
    (void)context;
    return other->name[0] == 's';
}

static void test_a_simulated_tournament(void **state) {
    (void)state;
    enum { PLAYERS = 8, GAMES = 400 };
    static const double TRUE_ELO[PLAYERS] = {0, 60, 150, 200, 320, 400, 480, 610};
    static const double ADVANTAGE = 35, NU = 0.8;
    Rng rng = rng_seed(3);
    RateGames games = {0};
    for (int i = 0; i < PLAYERS; i++) {
        for (int j = 0; j < PLAYERS; j++) {
            char white[8], black[8];
            text_format(white, sizeof white, "%c%d", i < 4 ? 'w' : 's', i);
            text_format(black, sizeof black, "%c%d", j < 4 ? 'w' : 's', j);
            const double x = (TRUE_ELO[i] - TRUE_ELO[j] + ADVANTAGE) / ELO;
            const double win = exp(x / 2), loss = exp(-x / 2), sum = win + loss + NU;
            for (int game = 0; game < GAMES && i != j; game++) {
                const double drawn = rng_unit(&rng) * sum;
                add(&games, white, black,
                    drawn < win          ? WHITE_WINS
                    : drawn < win + loss ? BLACK_WINS
                                         : DRAWN,
                    1);
            }
        }
    }
    assert_ok(anchor(&games, "w0=0"));
    Rating rating = solve(&games, RATING_DAVIDSON, true);
    for (int i = 1; i < PLAYERS; i++) {
        const char name[] = {i < 4 ? 'w' : 's', (char)('0' + i), '\0'};
        const RatingPlayer *found = player(&games, name);
        assert_true(found->error > 5 && found->error < 30);
        assert_near(found->rating, TRUE_ELO[i], 1.8 * found->error);
        double elo;
        assert_true(rating_against(&rating, i, is_strong, NULL, &elo));
        assert_near(elo, TRUE_ELO[i], 60); /* nobody suits anybody */
    }
    assert_near(rating.advantage, ADVANTAGE, 2 * rating.advantage_error);
    assert_near(rating.draw, NU, 0.1);
    assert_near(rating_expected(&rating, 0), 0.5, 1e-9);
    rating_release(&rating);
    rate_games_release(&games);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_baseball),
        cmocka_unit_test(test_baseball_at_home),
        cmocka_unit_test(test_puddings),
        cmocka_unit_test(test_the_scale_of_labels),
        cmocka_unit_test(test_superiority),
        cmocka_unit_test(test_a_player_with_only_wins_is_a_group_alone),
        cmocka_unit_test(test_two_groups_without_a_game_between_them),
        cmocka_unit_test(test_one_game),
        cmocka_unit_test(test_colours_all_one_way),
        cmocka_unit_test(test_advantage_without_a_maximum),
        cmocka_unit_test(test_games_that_cannot_be_rated),
        cmocka_unit_test(test_a_simulated_tournament),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
