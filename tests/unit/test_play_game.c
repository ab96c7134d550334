/* A game against the engine: moves, clocks, taking back, ends, odds; saved as PGN and read again. */
#include "chess/game.h"
#include "cli/play_game.h"
#include "test_support.h"

static PlaySettings settings_of(const char *fen, Color person) {
    return (PlaySettings){.start = test_position(fen), .person = person, .date = "2026.11.23", .name = "A"};
}

static void play(PlayGame *game, const char *moves, int64_t spent) {
    TextView rest = text_view(moves);
    for (TextView word = text_next_word(&rest); !text_is_empty(word); word = text_next_word(&rest)) {
        Move move = MOVE_NONE;
        assert_ok(lan_parse(&game->now, word, &move));
        assert_ok(play_game_move(game, move, spent));
    }
}

static void assert_end(const PlayGame *game, const char *result, const char *words) {
    TextBuffer text = {0};
    play_game_describe_end(game, &text);
    assert_string_equal(buffer_string(&text), words);
    assert_string_equal(game_result_text(game->played.result), result);
    buffer_release(&text);
}

static void the_sides_move_in_turn(void **state) {
    (void)state;
    PlayGame game;
    const PlaySettings settings = settings_of(FEN_START, WHITE);
    play_game_begin(&game, &settings);
    assert_true(play_game_waits_for_person(&game));
    play(&game, "e2e4", 0);
    assert_false(play_game_waits_for_person(&game));
    play(&game, "e7e5", 0);
    assert_int_equal(game.played.move_count, 2);
    assert_end(&game, "*", "");
    const Position after_one = game_position(&game.played, 1);
    assert_int_equal(after_one.side, BLACK);
    play_game_release(&game);
}

static void undo_takes_back_the_players_move_and_the_reply(void **state) {
    (void)state;
    PlayGame game;
    const PlaySettings settings = settings_of(FEN_START, WHITE);
    play_game_begin(&game, &settings);
    assert_false(play_game_undo(&game));
    play(&game, "e2e4 e7e5 g1f3", 0);
    assert_true(play_game_undo(&game)); /* the engine has not answered */
    assert_int_equal(game.played.move_count, 2);
    assert_true(play_game_undo(&game));
    assert_int_equal(game.played.move_count, 0);
    assert_true(position_equals(&game.now, &settings.start));
    play_game_release(&game);
}

static void undo_leaves_the_engines_first_move(void **state) {
    (void)state;
    PlayGame game;
    const PlaySettings settings = settings_of(FEN_START, BLACK);
    play_game_begin(&game, &settings);
    play(&game, "e2e4", 0);
    assert_false(play_game_undo(&game));
    play(&game, "e7e5 g1f3", 0);
    assert_true(play_game_undo(&game));
    assert_int_equal(game.played.move_count, 1);
    play_game_release(&game);
}

static void clocks_run_gain_and_are_taken_back(void **state) {
    (void)state;
    PlayGame game;
    PlaySettings settings = settings_of(FEN_START, WHITE);
    settings.has_clock = true;
    settings.base = 60000;
    settings.increment = 1000;
    play_game_begin(&game, &settings);
    play(&game, "e2e4", 5000);
    assert_int_equal(game.clock[WHITE], 56000);
    play(&game, "e7e5", 2000);
    assert_int_equal(game.clock[BLACK], 59000);
    play(&game, "g1f3", 1000);
    assert_true(play_game_undo(&game));
    assert_int_equal(game.clock[WHITE], 56000);
    assert_int_equal(game.clock[BLACK], 59000);
    assert_true(play_game_undo(&game));
    assert_int_equal(game.clock[WHITE], 60000);
    assert_int_equal(game.clock[BLACK], 60000);
    play_game_release(&game);
}

static void a_move_after_time_is_not_made(void **state) {
    (void)state;
    PlayGame game;
    PlaySettings settings = settings_of(FEN_START, WHITE);
    settings.has_clock = true;
    settings.base = 1000;
    play_game_begin(&game, &settings);
    play(&game, "e2e4", 1000);
    assert_int_equal(game.played.move_count, 0);
    assert_end(&game, "0-1", "White is out of time: Black has won.");
    play_game_release(&game);
}

static void out_of_time_against_a_lone_king_is_a_draw(void **state) {
    (void)state;
    PlayGame game;
    const PlaySettings settings = settings_of("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", WHITE);
    play_game_begin(&game, &settings);
    play_game_run_out_of_time(&game);
    assert_end(&game, "1/2-1/2", "White is out of time, but Black has only a king: a draw.");
    play_game_release(&game);
}

static void the_rules_end_the_game(void **state) {
    (void)state;
    static const struct {
        const char *fen, *moves, *result, *words;
    } CASES[] = {
        {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "1-0", "Checkmate: White has won."},
        {"k7/8/1K6/8/8/8/7Q/8 w - - 0 1", "h2c7", "1/2-1/2", "Stalemate: a draw."},
        {FEN_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "1/2-1/2", "A draw by threefold repetition."},
        {"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", "1/2-1/2",
         "A draw: neither side has enough pieces to mate."},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", "1/2-1/2", "A draw by the fifty-move rule."},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        PlayGame game;
        const PlaySettings settings = settings_of(CASES[i].fen, WHITE);
        play_game_begin(&game, &settings);
        play(&game, CASES[i].moves, 0);
        assert_end(&game, CASES[i].result, CASES[i].words);
        if (game.played.end != GAME_GOES_ON) {
            assert_true(play_game_undo(&game)); /* and the game goes on */
            assert_int_equal(game.played.end, GAME_GOES_ON);
        }
        play_game_release(&game);
    }
}

static void resignation_and_agreement_end_the_game(void **state) {
    (void)state;
    PlayGame game;
    const PlaySettings settings = settings_of(FEN_START, BLACK);
    play_game_begin(&game, &settings);
    play_game_resign(&game, BLACK);
    assert_end(&game, "1-0", "Black resigns: White has won.");
    play_game_release(&game);
    play_game_begin(&game, &settings);
    play_game_agree(&game);
    assert_end(&game, "1/2-1/2", "A draw by agreement.");
    play_game_release(&game);
}

static void a_draw_is_accepted_after_nine_moves_if_not_better(void **state) {
    (void)state;
    PlayGame game;
    const PlaySettings settings = settings_of(FEN_START, WHITE);
    play_game_begin(&game, &settings);
    play(&game, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3", 0);
    assert_false(play_game_accepts_draw(&game, 0.1));
    play(&game, "c6a5", 0);
    assert_true(play_game_accepts_draw(&game, 0.5));
    assert_false(play_game_accepts_draw(&game, 0.51));
    play_game_release(&game);
}

static void odds_are_positions_of_chess(void **state) {
    (void)state;
    static const char *const FENS[][COLOR_COUNT] = {
        [ODDS_NONE] = {FEN_START, FEN_START},
        [ODDS_QUEEN] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
                        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
        [ODDS_ROOK] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1",
                       "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1"},
        [ODDS_KNIGHT] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
                         "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
        [ODDS_PAWN] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR w KQkq - 0 1",
                       "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
    };
    for (int odds = ODDS_NONE; odds <= ODDS_PAWN; odds++) {
        for (Color giver = WHITE; giver < COLOR_COUNT; giver++) {
            char fen[FEN_CAPACITY];
            Position pos;
            play_game_write_odds((PlayOdds)odds, giver, fen);
            assert_string_equal(fen, FENS[odds][giver]);
            assert_ok(fen_parse(&pos, text_view(fen), false));
        }
    }
}

/* --- as PGN --- */

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

static void a_saved_game_is_read_again(void **state) {
    (void)state;
    static const char *const FENS[] = {FEN_START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
                                       "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"};
    static const char *const MOVES[] = {"e2e4 e7e5 g1f3", "e2e4 e7e5 g1f3", "g2g3 b7b6"};
    for (int i = 0; i < 3; i++) {
        PlayGame game = game_of(FENS[i], MOVES[i]), again;
        TextBuffer text = {0};
        assert_ok(play_game_write(&game, &text));
        assert_ok(play_game_read(&again, buffer_view(&text)));
        assert_int_equal(again.played.move_count, game.played.move_count);
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
    assert_ok(play_game_write(&game, &text));
    assert_ok(play_game_read(&again, buffer_view(&text)));
    assert_int_equal(again.played.end, GAME_GOES_ON);
    buffer_release(&text);
    play_game_release(&game);
    play_game_release(&again);
}

static void the_end_is_in_result_and_comment(void **state) {
    (void)state;
    PlayGame game = game_of(FEN_START, "e2e4 e7e5");
    TextBuffer text = {0};
    play_game_resign(&game, BLACK);
    assert_ok(play_game_write(&game, &text));
    assert_non_null(strstr(buffer_string(&text), "[Result \"1-0\"]"));
    assert_non_null(strstr(buffer_string(&text), "[TimeControl \"90.5+2.25\"]"));
    assert_non_null(
        strstr(buffer_string(&text), "1. e4 {[%clk 0:01:31.6]} 1... e5 {[%clk 0:01:31.6]} {Black"));
    buffer_release(&text);
    play_game_release(&game);
}

static void long_clocks_are_restored_exactly(void **state) {
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
    assert_ok(play_game_write(&game, &text));
    assert_ok(play_game_read(&again, buffer_view(&text)));
    assert_int_equal(again.settings.base, settings.base);
    buffer_release(&text);
    play_game_release(&game);
    play_game_release(&again);
}

static void damage_is_reported(void **state) {
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
        assert_fails(play_game_read(&game, text_view(CASES[i][0])), CASES[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sides_move_in_turn),
        cmocka_unit_test(undo_takes_back_the_players_move_and_the_reply),
        cmocka_unit_test(undo_leaves_the_engines_first_move),
        cmocka_unit_test(clocks_run_gain_and_are_taken_back),
        cmocka_unit_test(a_move_after_time_is_not_made),
        cmocka_unit_test(out_of_time_against_a_lone_king_is_a_draw),
        cmocka_unit_test(the_rules_end_the_game),
        cmocka_unit_test(resignation_and_agreement_end_the_game),
        cmocka_unit_test(a_draw_is_accepted_after_nine_moves_if_not_better),
        cmocka_unit_test(odds_are_positions_of_chess),
        cmocka_unit_test(a_saved_game_is_read_again),
        cmocka_unit_test(a_clock_that_is_nearly_empty_survives),
        cmocka_unit_test(long_clocks_are_restored_exactly),
        cmocka_unit_test(the_end_is_in_result_and_comment),
        cmocka_unit_test(damage_is_reported),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
