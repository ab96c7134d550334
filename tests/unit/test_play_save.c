/* A game against the engine as PGN, and back. */
#include "chess/game.h"
#include "cli/play_save.h"
#include "test_support.h"

static PlayGame game_of(const char *fen, const char *moves) {
    PlaySettings settings = {.start = test_position(fen),
                             .person = BLACK,
                             .has_clock = true,
                             .base = 90500,
                             .increment = 2250,
                             .nodes = 777,
                             .date = "2026.11.23",
                             .name = "A \"quoted\" name"};
    PlayGame game;
    TextView rest = text_view(moves);
    play_game_begin(&game, &settings);
    for (TextView word = text_next_word(&rest); !text_is_empty(word); word = text_next_word(&rest)) {
        Move move = MOVE_NONE;
        assert_ok(lan_parse(&game.now, word, &move));
        assert_ok(play_game_move(&game, move, 1234));
    }
    return game;
}

static void what_is_written_is_read_again(void **state) {
    (void)state;
    static const char *const FENS[] = {FEN_START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
                                       "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"};
    static const char *const MOVES[] = {"e2e4 e7e5 g1f3", "e2e4 e7e5 g1f3", "g2g3 b7b6"};
    for (int i = 0; i < 3; i++) {
        PlayGame game = game_of(FENS[i], MOVES[i]), again;
        TextBuffer text = {0};
        assert_ok(play_record_write(&game, &text));
        assert_ok(play_record_read(buffer_view(&text), &again));
        assert_int_equal(again.count, game.count);
        assert_true(position_equals(&again.now, &game.now));
        assert_int_equal(again.settings.person, BLACK);
        assert_int_equal(again.settings.nodes, 777);
        assert_int_equal(again.settings.base, 90500);
        assert_int_equal(again.settings.increment, 2250);
        assert_string_equal(again.settings.name, game.settings.name);
        for (Color side = WHITE; side < COLOR_COUNT; side++)
            assert_in_range(again.clock[side], game.clock[side], game.clock[side] + 250);
        buffer_release(&text);
        play_game_release(&game);
        play_game_release(&again);
    }
}

static void a_clock_that_is_nearly_empty_survives(void **state) {
    (void)state;
    PlayGame game = game_of(FEN_START, ""), again;
    Move move = MOVE_NONE;
    TextBuffer text = {0};
    assert_ok(lan_parse(&game.now, text_view("e2e4"), &move));
    assert_ok(play_game_move(&game, move, 90499)); /* a millisecond is left, and the increment */
    assert_ok(play_record_write(&game, &text));
    assert_ok(play_record_read(buffer_view(&text), &again));
    assert_int_equal(again.end, GAME_GOES_ON);
    buffer_release(&text);
    play_game_release(&game);
    play_game_release(&again);
}

static void the_end_stands_in_result_and_comment(void **state) {
    (void)state;
    PlayGame game = game_of(FEN_START, "e2e4 e7e5");
    TextBuffer text = {0};
    play_game_resign(&game, BLACK);
    assert_ok(play_record_write(&game, &text));
    assert_non_null(strstr(buffer_string(&text), "[Result \"1-0\"]"));
    assert_non_null(strstr(buffer_string(&text), "[TimeControl \"90.5+2.25\"]"));
    assert_non_null(
        strstr(buffer_string(&text), "1. e4 {[%clk 0:01:31.6]} 1... e5 {[%clk 0:01:31.6] Black resigns:"));
    buffer_release(&text);
    play_game_release(&game);
}

static void long_clocks_come_back_exactly(void **state) {
    (void)state;
    PlaySettings settings = {.start = test_position(FEN_START),
                             .has_clock = true,
                             .base = 100000500,
                             .date = "2026.11.25",
                             .name = "A"};
    PlayGame game, again;
    TextBuffer text = {0};
    Move move = MOVE_NONE;
    play_game_begin(&game, &settings);
    assert_ok(lan_parse(&game.now, text_view("e2e4"), &move));
    assert_ok(play_game_move(&game, move, 0));
    assert_ok(play_record_write(&game, &text));
    assert_ok(play_record_read(buffer_view(&text), &again));
    assert_int_equal(again.settings.base, settings.base);
    buffer_release(&text);
    play_game_release(&game);
    play_game_release(&again);
}

static void damage_is_told(void **state) {
    (void)state;
    PlayGame game;
    static const char *const CASES[][2] = {
        {"", "no game"},
        {"[Event \"x\"]\n\n1. e4 *\n", "luft play"},
        {"[LuftPerson \"white\"]\n[TimeControl \"x\"]\n\n1. e4 *\n", "time control"},
        {"[LuftPerson \"white\"]\n[LuftNodes \"many\"]\n\n1. e4 *\n", "nodes"},
        {"[LuftPerson \"white\"]\n\n1. e5 *\n", "e5"},
        {"[LuftPerson \"white\"]\n[TimeControl \"60+0\"]\n\n1. e4 {[%clk 1:00:00]} *\n", "gains time"},
        {"[LuftPerson \"white\"]\n[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# Kh7 *\n", "Kh7"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        assert_fails(play_record_read(text_view(CASES[i][0]), &game), CASES[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(a_clock_that_is_nearly_empty_survives),
        cmocka_unit_test(long_clocks_come_back_exactly),
        cmocka_unit_test(the_end_stands_in_result_and_comment),
        cmocka_unit_test(damage_is_told),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
