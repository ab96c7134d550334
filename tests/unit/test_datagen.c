/* Self-play games: how they begin and end, and that they are reproducible. */
#include "chess/game.h"
#include "lab/selfplay/datagen.h"

#include "base/file.h"
#include "lab/selfplay/duel.h"
#include "record_support.h"

#include <stdlib.h>

static DatagenSettings small_run(const char *path) {
    DatagenSettings settings = {0};
    fields_reset(DATAGEN_FIELDS, &settings);
    settings.out = path;
    settings.network = "random:8:3";
    settings.budget = (MoveBudget){30, 60};
    settings.hash = 1;
    settings.threads = 1;
    settings.quiet = true;
    settings.first_generation = true;
    settings.opening.check = settings.adjudication.by_score = false;
    settings.adjudication.plies_max = 60;
    return settings;
}

static void test_adjudication(void **state) {
    (void)state;
    Adjudication rules = {0};
    fields_reset(ADJUDICATION_FIELDS, &rules);
    GameResult result = DRAWN;
    Adjudicator agreement = {0};
    Position pos = test_position(FEN_START);
    for (int i = 0; i < 3; i++)
        assert_int_equal(adjudicate(&rules, &agreement, &pos, 1000, 20 + i, &result), GAME_GOES_ON);
    assert_int_not_equal(adjudicate(&rules, &agreement, &pos, 2500, 23, &result), GAME_GOES_ON);
    assert_int_equal(result, WHITE_WINS);
    agreement = (Adjudicator){0};
    for (int i = 0; i < 3; i++)
        assert_int_equal(adjudicate(&rules, &agreement, &pos, -1200, 20 + i, &result), GAME_GOES_ON);
    assert_int_equal(adjudicate(&rules, &agreement, &pos, -599, 23, &result),
                     GAME_GOES_ON); /* starts again */
    for (int i = 0; i < 3; i++)
        assert_int_equal(adjudicate(&rules, &agreement, &pos, -1200, 24 + i, &result), GAME_GOES_ON);
    assert_int_not_equal(adjudicate(&rules, &agreement, &pos, -1200, 27, &result), GAME_GOES_ON);
    assert_int_equal(result, BLACK_WINS);
    agreement = (Adjudicator){0};
    for (int ply = 50; ply < 67; ply++)
        assert_int_equal(adjudicate(&rules, &agreement, &pos, ply % 2 ? 8 : -8, ply, &result), GAME_GOES_ON);
    assert_int_not_equal(adjudicate(&rules, &agreement, &pos, 0, 67, &result),
                         GAME_GOES_ON); /* the eighth since ply 60 */
    assert_int_equal(result, DRAWN);
    /* A bishop and the wrong rook pawn: the score says five pawns ahead, the pieces say draw. */
    pos = test_position("6k1/8/6K1/7P/4B3/8/8/8 b - - 8 79");
    agreement = (Adjudicator){0};
    for (int ply = 0; ply < 200; ply++)
        assert_int_equal(adjudicate(&rules, &agreement, &pos, 1400, ply, &result), GAME_GOES_ON);
    for (int i = 0; i < 3; i++)
        assert_int_equal(adjudicate(&rules, &agreement, &pos, 1500, 200 + i, &result), GAME_GOES_ON);
    assert_int_not_equal(adjudicate(&rules, &agreement, &pos, 1500, 203, &result), GAME_GOES_ON);
    assert_int_equal(result, WHITE_WINS);
    rules.by_score = false;
    agreement = (Adjudicator){0};
    for (int ply = 0; ply < 200; ply++)
        assert_int_equal(adjudicate(&rules, &agreement, &pos, 30000, ply, &result), GAME_GOES_ON);
}

static void test_networks_by_their_word(void **state) {
    (void)state;
    Status status;
    Network *a = selfplay_open_network("random:8:3", &status),
            *b = selfplay_open_network("random:8:3", &status);
    Network *c = selfplay_open_network("random:8:4", &status), *d = selfplay_open_network("random", &status);
    assert_true(network_hash(a) == network_hash(b) && network_hash(a) != network_hash(c));
    assert_int_equal(network_width(a), 8);
    assert_int_equal(network_width(d), 32);
    network_destroy(a);
    network_destroy(b);
    network_destroy(c);
    network_destroy(d);
    assert_null(selfplay_open_network("random:x", &status));
    assert_fails(status, "random:WIDTH:SEED");
    assert_null(selfplay_open_network("/nowhere/net.nnue", &status));
    assert_fails(status, "/nowhere/net.nnue");
}

static bool never(void *context) {
    (void)context;
    return false;
}

static void test_a_game_is_legal_and_reproducible(void **state) {
    (void)state;
    static RecordedGame first, second;
    DatagenSettings settings = small_run("");
    settings.opening.chess960 = 0.5;
    Status status;
    Network *network = selfplay_open_network(settings.network, &status);
    Player *player = player_create(network, 1, &status);
    assert_ok(status);
    int fischer = 0, odd = 0;
    for (uint64_t number = 0; number < 12; number++) {
        GameCost cost = {0};
        assert_true(datagen_play_game(&settings, player, number, &first, &cost, never, NULL));
        Position pos = first.start;
        int opening = 0;
        for (int i = 0; i < first.ply_count; i++) {
            Undo undo;
            assert_true(movegen_is_legal(&pos, first.ply[i].move));
            if (first.ply[i].score == RECORD_NO_SCORE) assert_int_equal(i, opening++);
            position_make_move(&pos, first.ply[i].move, &undo);
        }
        assert_in_range(opening, 8, 9);
        assert_int_equal(cost.moves, first.ply_count - opening);
        fischer += first.start.chess960;
        odd += opening == 9;
        const GameEnd end = game_end(&pos);
        assert_int_equal(first.end, end == GAME_GOES_ON ? LENGTH_LIMIT : end);
        assert_int_equal(first.result, end == GAME_GOES_ON ? DRAWN : game_end_result(end, &pos));
        assert_true(datagen_play_game(&settings, player, number, &second, &cost, never, NULL));
        record_assert_same(&first, &second);
    }
    assert_in_range(fischer, 1, 11);
    assert_in_range(odd, 1, 11);
    player_destroy(player);
    network_destroy(network);
}

static uint64_t games_in(const char *path, uint64_t *plies) {
    Status status;
    uint64_t games = 0;
    RecordReader *reader = record_reader_open(path, &status);
    RecordBlock block;
    assert_ok(status);
    *plies = 0;
    while (record_reader_next_block(reader, &block, &status)) {
        games += block.games;
        *plies += block.plies;
        assert_int_equal(block.origin.nodes, 30);
    }
    assert_ok(status);
    record_reader_close(reader);
    return games;
}

static void remove_run(const char *path) {
    char journal[300];
    text_format(journal, sizeof journal, "%s.journal", path);
    remove(journal);
    remove(path);
}

static void test_a_stopped_run_resumes(void **state) {
    (void)state;
    char path[256], straight[256];
    record_path("datagen", path);
    record_path("straight", straight);
    DatagenSettings settings = small_run(path);
    DatagenReport report;
    uint64_t plies;
    settings.games = 6;
    assert_ok(datagen_run(&settings, &report));
    assert_int_equal(report.new_games, 6);
    assert_int_equal(games_in(path, &plies), 6);
    assert_int_equal(plies, report.plies);
    assert_int_equal(report.bytes, file_size(path));
    settings.games = 10;
    assert_ok(datagen_run(&settings, &report));
    assert_int_equal(report.games, 10);
    assert_int_equal(report.new_games, 4);
    assert_ok(datagen_run(&settings, &report));
    assert_int_equal(report.new_games, 0);

    settings.out = straight; /* the same games with more threads and without a stop */
    settings.threads = 3;
    assert_ok(datagen_run(&settings, &report));
    static RecordedGame a, b;
    Status status;
    RecordBlock block;
    RecordReader *first = record_reader_open(path, &status), *second = record_reader_open(straight, &status);
    assert_true(record_reader_next_block(second, &block, &status));
    for (int i = 0; i < 10; i++) {
        assert_true(record_reader_next_game(second, &b, &status));
        if (i == 0 || i == 6) assert_true(record_reader_next_block(first, &block, &status));
        assert_true(record_reader_next_game(first, &a, &status));
        record_assert_same(&a, &b);
    }
    record_reader_close(first);
    record_reader_close(second);

    settings.random_moves = 0.25;
    assert_fails(datagen_run(&settings, &report),
                 "is of another file of games: 'random-moves=0' there, now 'random-moves=0.25'; --again");
    settings.random_moves = 0;
    settings.network = "random:8:4";
    assert_fails(datagen_run(&settings, &report), "holds games of another network");
    assert_int_equal(games_in(straight, &plies), 10);
    settings.again = true;
    assert_ok(datagen_run(&settings, &report));
    assert_int_equal(report.new_games, 10);
    char aside[300];
    text_format(aside, sizeof aside, "%s.old", straight);
    assert_int_equal(games_in(aside, &plies), 10);
    remove(aside);
    remove_run(path);
    remove_run(straight);
}

static void test_bounds_by_plies_and_on_two_threads(void **state) {
    (void)state;
    char path[256];
    record_path("bounds", path);
    DatagenSettings settings = small_run(path);
    DatagenReport report;
    settings.plies = 500;
    settings.threads = 2;
    assert_ok(datagen_run(&settings, &report));
    assert_in_range(report.plies, 500, 500 + 61);
    assert_int_equal(report.ends[END_BY_SCORE], 0);
    assert_true(report.nodes / report.moves >= 20);
    remove_run(path);
}

/* Counts how many of 40 openings exceed the limit by a search with an empty table. */
static int count_lopsided(Player *player, const OpeningSettings *settings) {
    static RecordedGame game;
    int count = 0;
    for (int i = 0; i < 40; i++) {
        Position pos;
        player_new_game(player);
        (void)selfplay_opening(settings, player, 1, (uint64_t)i, &game, &pos);
        assert_int_equal(game_end(&pos), GAME_GOES_ON);
        assert_in_range(pos.game_ply, 6, 7);
        player_new_game(player);
        PlayerMove choice = player_choose(player, &pos, (MoveBudget){50, 50});
        count += abs(choice.score) > settings->score_limit;
    }
    return count;
}

/* The search of the check may know more from earlier openings than one with an empty table, so a few
 * exceptions are allowed. */
static void test_openings_are_checked(void **state) {
    (void)state;
    Status status;
    Network *network = selfplay_open_network("random:8:3", &status);
    Player *player = player_create(network, 1, &status);
    OpeningSettings settings = {.plies = 6, .check = true, .score_limit = 40, .check_nodes = 50};
    const int checked = count_lopsided(player, &settings);
    settings.check = false;
    const int unchecked = count_lopsided(player, &settings);
    print_message("beyond the limit: %d of 40 checked, %d unchecked\n", checked, unchecked);
    assert_true(checked <= 4 && unchecked >= 3 * checked + 10);
    player_destroy(player);
    network_destroy(network);
}

/* Games that begin in an ending: no random moves, six to ten pieces, one king for each side, within the limit
 * for endings. Both won and drawn ones occur. */
static void test_openings_with_few_pieces(void **state) {
    (void)state;
    static RecordedGame game;
    Status status;
    Network *network = selfplay_open_network("", &status);
    Player *player = player_create(network, 1, &status);
    const OpeningSettings settings = {.plies = 6,
                                      .endings = 1,
                                      .check = true,
                                      .score_limit = 10,
                                      .endings_score_limit = 400,
                                      .check_nodes = 50};
    int sizes[32 + 1] = {0}, lopsided = 0, black_to_move = 0;
    for (int i = 0; i < 60; i++) {
        Position pos;
        player_new_game(player);
        (void)selfplay_opening(&settings, player, 1, (uint64_t)i, &game, &pos);
        assert_int_equal(game_end(&pos), GAME_GOES_ON);
        assert_int_equal(game.ply_count, 0);
        assert_int_equal(game.start_white, RECORD_CUSTOM_START);
        sizes[bits_count(position_occupied(&pos))]++;
        black_to_move += pos.side == BLACK;
        lopsided += abs(player_choose(player, &pos, (MoveBudget){50, 50}).score) > 100;
    }
    for (int pieces = 6; pieces <= 10; pieces++) assert_in_range(sizes[pieces], 1, 59);
    assert_int_equal(sizes[6] + sizes[7] + sizes[8] + sizes[9] + sizes[10], 60);
    assert_in_range(black_to_move, 10, 50);
    assert_in_range(lopsided, 10, 50);
    player_destroy(player);
    network_destroy(network);
}

static void test_a_duel_is_fair_and_repeats(void **state) {
    (void)state;
    Status status;
    Network *a = selfplay_open_network("random:8:3", &status),
            *b = selfplay_open_network("random:8:4", &status);
    DuelSettings settings = duel_settings_default();
    settings.pairs = 4;
    settings.hash = 1;
    settings.budget = (MoveBudget){0, 60};
    settings.opening.check = false;
    settings.adjudication.plies_max = 80;
    settings.quiet = true;
    DuelResult one, two, reversed, self;
    settings.threads = 1;
    assert_ok(duel_play(&settings, a, b, &one));
    settings.threads = 2;
    assert_ok(duel_play(&settings, a, b, &two));
    assert_memory_equal(&one, &two, sizeof one);
    assert_int_equal(stats_pair_total(&one.pairs), 4);
    assert_ok(duel_play(&settings, b, a, &reversed));
    for (int i = 0; i < PAIR_OUTCOMES; i++) assert_int_equal(one.pairs.count[i], reversed.pairs.count[4 - i]);
    assert_ok(duel_play(&settings, a, a, &self)); /* a network scores even in every pair against itself */
    assert_int_equal(self.pairs.count[2], 4);
    network_destroy(a);
    network_destroy(b);
}

/* If the nodes run out during an iteration, the score is still the result of a search. */
static void test_a_choice_has_a_score(void **state) {
    (void)state;
    Status status;
    Player *player = player_create(NULL, 1, &status);
    assert_ok(status);
    const Position pos = test_position(FEN_START);
    for (uint64_t nodes = 1; nodes < 2000; nodes += 7) {
        player_new_game(player);
        const PlayerMove choice = player_choose(player, &pos, (MoveBudget){0, nodes});
        if (abs(choice.score) > 200) fail_msg("%d after %d nodes", choice.score, (int)nodes);
    }
    player_destroy(player);
}

static void test_relabelling_changes_scores_alone(void **state) {
    (void)state;
    char path[256], out[256];
    record_path("relabel", path);
    record_path("relabelled", out);
    DatagenSettings settings = small_run(path);
    DatagenReport report;
    settings.games = 5;
    assert_ok(datagen_run(&settings, &report));
    char *in[] = {path};
    RelabelSettings relabel = {.in = {in, 1},
                               .out = out,
                               .network = "random:8:4",
                               .budget = {20, 40},
                               .threads = 2,
                               .hash = 1,
                               .quiet = true};
    RelabelReport done;
    assert_ok(relabel_run(&relabel, &done));
    assert_int_equal(done.games, 5);
    static RecordedGame a, b;
    Status status;
    RecordBlock block;
    RecordReader *first = record_reader_open(path, &status), *second = record_reader_open(out, &status);
    assert_true(record_reader_next_block(first, &block, &status));
    assert_true(record_reader_next_block(second, &block, &status));
    assert_int_equal(block.origin.flags, RECORD_RELABELLED);
    assert_int_equal(block.origin.nodes, 20);
    int different = 0;
    for (int i = 0; i < 5; i++) {
        assert_true(record_reader_next_game(first, &a, &status));
        assert_true(record_reader_next_game(second, &b, &status));
        for (int k = 0; k < a.ply_count; k++) {
            assert_int_equal(a.ply[k].score == RECORD_NO_SCORE, b.ply[k].score == RECORD_NO_SCORE);
            different += a.ply[k].score != b.ply[k].score;
            b.ply[k].score = a.ply[k].score;
        }
        record_assert_same(&a, &b);
    }
    assert_true(different > 50);
    record_reader_close(first);
    record_reader_close(second);
    remove_run(path);
    remove(out);
}

static void test_some_later_moves_are_random(void **state) {
    (void)state;
    static RecordedGame game;
    DatagenSettings settings = small_run("");
    settings.random_moves = 0.25;
    Status status;
    Network *network = selfplay_open_network(settings.network, &status);
    Player *player = player_create(network, 1, &status);
    assert_ok(status);
    int random = 0, plies = 0;
    for (uint64_t number = 0; number < 12; number++) {
        GameCost cost = {0};
        assert_true(datagen_play_game(&settings, player, number, &game, &cost, never, NULL));
        Position pos = game.start;
        uint64_t unscored = 0;
        for (int i = 0; i < game.ply_count; i++) {
            Undo undo;
            assert_true(movegen_is_legal(&pos, game.ply[i].move));
            unscored += game.ply[i].score == RECORD_NO_SCORE;
            random += i > 9 && game.ply[i].score == RECORD_NO_SCORE;
            position_make_move(&pos, game.ply[i].move, &undo);
        }
        assert_int_equal(cost.moves + unscored, game.ply_count);
        plies += int_max(game.ply_count - 10, 0);
    }
    assert_in_range(random, plies / 6, plies / 3);
    player_destroy(player);
    network_destroy(network);
}

/* Returns how many plies of a gold set's game are those of the whole game, the scored one excepted. */
static int assert_is_gold(Player *player, const RecordedGame *gold, const RecordedGame *whole) {
    const int last = gold->ply_count - 1;
    Position pos = gold->start;
    int common = 0;
    for (int i = 0; i < last; i++) {
        Undo undo;
        common += common == i && i < whole->ply_count && gold->ply[i].move == whole->ply[i].move;
        assert_int_equal(gold->ply[i].score, RECORD_NO_SCORE);
        assert_true(movegen_is_legal(&pos, gold->ply[i].move));
        position_make_move(&pos, gold->ply[i].move, &undo);
    }
    assert_true(common >= 16 && common < whole->ply_count && gold->result == whole->result);
    assert_true(movegen_is_legal(&pos, gold->ply[last].move));
    assert_false(position_in_check(&pos) || position_is_noisy(&pos, gold->ply[last].move));
    player_new_game(player);
    const PlayerMove choice = player_choose(player, &pos, (MoveBudget){400, 400});
    assert_int_equal(gold->ply[last].score, record_round_score(choice.score));
    return common;
}

static void test_a_gold_set_keeps_one_deep_position_of_a_game(void **state) {
    (void)state;
    static RecordedGame whole, gold, again;
    DatagenSettings settings = small_run(""), deep = settings, inside;
    deep.gold_nodes = 400;
    inside = deep;
    inside.gold_inside = 1;
    Status status;
    Network *network = selfplay_open_network(settings.network, &status);
    Player *player = player_create(network, 1, &status);
    assert_ok(status);
    int kept = 0, kept_inside = 0;
    for (uint64_t number = 0; number < 8; number++) {
        GameCost cost = {0}, more = {0}, line = {0};
        assert_true(datagen_play_game(&settings, player, number, &whole, &cost, never, NULL));
        if (datagen_play_game(&deep, player, number, &gold, &more, never, NULL)) {
            assert_int_equal(assert_is_gold(player, &gold, &whole), gold.ply_count - 1);
            assert_true(more.nodes >= cost.nodes + 400 && more.moves == cost.moves);
            assert_true(datagen_play_game(&deep, player, number, &again, &more, never, NULL));
            record_assert_same(&gold, &again);
            kept++;
        }
        if (datagen_play_game(&inside, player, number, &gold, &line, never, NULL)) {
            kept_inside += assert_is_gold(player, &gold, &whole) < gold.ply_count - 1;
            assert_true(line.nodes >= cost.nodes + 440);
        }
    }
    assert_in_range(kept, 4, 8);
    assert_in_range(kept_inside, 3, 8);
    player_destroy(player);
    network_destroy(network);
}

static int choose(Player *player, const char *fen) {
    const Position pos = test_position(fen);
    player_new_game(player);
    return player_choose(player, &pos, (MoveBudget){100, 400}).score;
}

static void test_players_ask_tablebases(void **state) {
    (void)state;
    static const char WON[] = "3k4/8/3K4/4P3/8/8/8/8 w - - 1 2", LEVEL[] = "7k/8/7K/7P/8/8/8/8 b - - 0 1";
    Status status;
    DatagenSettings settings = small_run("/nowhere/games");
    DatagenReport report;
    settings.tablebases = "/nowhere/tables";
    assert_fails(datagen_run(&settings, &report), "/nowhere/tables");
    Syzygy tables = {0};
    assert_ok(syzygy_load(&tables, text_view("tests/syzygy")));
    Network *network = selfplay_open_network(settings.network, &status);
    Player *player = player_create(network, 1, &status);
    assert_ok(status);
    assert_false(score_is_decided(choose(player, WON)));
    player_use_tables(player, &tables);
    assert_true(score_is_decided(choose(player, WON)));
    assert_int_equal(choose(player, LEVEL), 0);
    player_destroy(player);
    network_destroy(network);
    assert_ok(syzygy_load(&tables, text_view("")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjudication),
        cmocka_unit_test(test_networks_by_their_word),
        cmocka_unit_test(test_a_game_is_legal_and_reproducible),
        cmocka_unit_test(test_a_stopped_run_resumes),
        cmocka_unit_test(test_bounds_by_plies_and_on_two_threads),
        cmocka_unit_test(test_openings_are_checked),
        cmocka_unit_test(test_openings_with_few_pieces),
        cmocka_unit_test(test_a_duel_is_fair_and_repeats),
        cmocka_unit_test(test_a_choice_has_a_score),
        cmocka_unit_test(test_relabelling_changes_scores_alone),
        cmocka_unit_test(test_some_later_moves_are_random),
        cmocka_unit_test(test_players_ask_tablebases),
        cmocka_unit_test(test_a_gold_set_keeps_one_deep_position_of_a_game),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
