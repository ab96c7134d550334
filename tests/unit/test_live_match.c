/* Games of two players, and matches against the engine without a technique, which need switches (LAB=1). */
#include "lab/selfplay/live_match.h"

#include "chess/fen.h"
#include "test_support.h"

enum { NODES = 60 };

static Network *network;
static Position start;

static int set_up(void **state) {
    Status status;
    if (test_set_up_chess(state) != 0) return -1;
    start = test_position(FEN_START);
    network = selfplay_open_network(NULL, &status);
    return network != NULL ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    network_destroy(network);
    return 0;
}

static void count_turn(void *context, int mover) { ((int *)context)[mover]++; }

static void test_equal_players_share_a_pair(void **state) {
    (void)state;
    Player *players[2];
    Status status;
    int turns[2] = {0};
    const Adjudication adjudication = {.plies_max = 60};
    const PairRules rules = {
        .budget = {.hard = NODES}, .adjudication = &adjudication, .turn = count_turn, .context = turns};
    for (int i = 0; i < 2; i++) players[i] = player_create(network, 1, &status);
    const int with_white = players_play_game(&rules, players, &start, 0);
    const int with_black = players_play_game(&rules, players, &start, 1);
    assert_int_equal(with_white + with_black, 2);
    assert_int_equal(turns[0], turns[1]);
    assert_true(turns[0] > 10);
    for (int i = 0; i < 2; i++) player_destroy(players[i]);
}

static void test_a_technique_must_exist(void **state) {
    (void)state;
    Status status;
    assert_null(live_match_create(network, text_view("nul_move"), NODES, &status));
    assert_fails(status, "there is no technique 'nul_move'");
}

static void test_a_match_needs_switches(void **state) {
    (void)state;
    Status status;
    LiveMatch *match = live_match_create(network, text_view("null_move"), NODES, &status);
#ifdef LUFT_LAB
    live_match_play_pair(match, &start);
    assert_int_equal(stats_pair_total(live_match_pairs(match)), 1);
    assert_int_equal(stats_game_total(live_match_games(match)), 2);
#else
    assert_null(match);
    assert_fails(status, "this build has no switches");
#endif
    live_match_destroy(match);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal_players_share_a_pair),
                                       cmocka_unit_test(test_a_technique_must_exist),
                                       cmocka_unit_test(test_a_match_needs_switches)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
