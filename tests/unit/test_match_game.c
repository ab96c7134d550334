/* Single games of engines that play given moves: ends by rule, adjudication and fault; clocks; PGN. */
#include "chess/game.h"
#include "lab/match/match_game.h"

#include "shell_engine.h"
#include "test_support.h"

/* Two engines and the game between them. */
typedef struct Fixture {
    EngineConfig configs[COLOR_COUNT];
    UciClient *clients[COLOR_COUNT];
    GameRules rules;
    PlayLimits limits[COLOR_COUNT];
    const char *fen;
    bool chess960, reproducible;
    MatchGame game;
} Fixture;

static Fixture *new_fixture(void) {
    static Fixture fixture;
    match_game_release(&fixture.game);
    memset(&fixture, 0, sizeof fixture);
    fixture.fen = FEN_START;
    fixture.limits[WHITE].depth = fixture.limits[BLACK].depth = 1;
    return &fixture;
}

static MatchGame *play_scripts(Fixture *fixture, const char *white, const char *white_go, const char *black,
                               const char *black_go) {
    shell_engine_set_up(&fixture->configs[WHITE], "W", white, white_go);
    shell_engine_set_up(&fixture->configs[BLACK], "B", black, black_go);
    GameSetup setup = {.opening = {.fen = fixture->fen},
                       .chess960 = fixture->chess960,
                       .reproducible = fixture->reproducible,
                       .rules = &fixture->rules};
    for (int color = WHITE; color <= BLACK; color++) {
        UciClientOptions options = {
            .config = &fixture->configs[color], .chess960 = fixture->chess960, .stall_timeout = 300};
        assert_ok(uci_client_start(&options, &fixture->clients[color]));
        setup.players[color] = fixture->clients[color];
        setup.limits[color] = fixture->limits[color];
    }
    match_game_release(&fixture->game);
    assert_ok(match_game_play(&setup, &fixture->game));
    uci_client_stop(fixture->clients[WHITE]);
    uci_client_stop(fixture->clients[BLACK]);
    return &fixture->game;
}

static MatchGame *play(Fixture *fixture, const char *white, const char *black) {
    return play_scripts(fixture, white, SHELL_PLAY, black, SHELL_PLAY);
}

static void expect_end(const MatchGame *game, GameResult result, GameEnd ending, int plies,
                       const char *words) {
    char text[96];
    assert_int_equal(game->played.result, result);
    assert_int_equal(game->played.end, ending);
    assert_int_equal(game->played.move_count, plies);
    match_game_describe_end(game, text, sizeof text);
    assert_string_equal(text, words);
}

static void test_ends_by_rule(void **state) {
    (void)state;
    Fixture *fixture = new_fixture();
    expect_end(play(fixture, "f2f3 g2g4", "e7e5 d8h4"), BLACK_WINS, CHECKMATE, 4, "Black mates");
    assert_int_equal(fixture->game.searches, 4);
    expect_end(play(fixture, "g1f3 f3g1 g1f3 f3g1", "g8f6 f6g8 g8f6 f6g8"), DRAWN, THREEFOLD_REPETITION, 8,
               "draw: threefold repetition");
    fixture->fen = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
    expect_end(play(fixture, "f1f7", ""), DRAWN, STALEMATE, 1, "draw: stalemate");
    fixture->fen = "7k/8/6K1/8/8/8/8/5Q2 w - - 98 80";
    expect_end(play(fixture, "g6g5", "h8h7"), DRAWN, FIFTY_MOVES, 2, "draw: fifty moves");
    fixture->fen = "7k/8/8/8/8/8/5q2/6K1 w - - 0 1";
    expect_end(play(fixture, "g1f2", ""), DRAWN, DEAD_POSITION, 1, "draw: dead position");
}

static void test_adjudication(void **state) {
    (void)state;
    Fixture *fixture = new_fixture();
    const char *white = "e2e3 d2d3 a2a3 h2h3 b2b3 g2g3", *black = "e7e6 d7d6 a7a6 h7h6 b7b6 g7g6";
    fixture->rules = (GameRules){.draw_from_move = 3, .draw_moves = 2, .draw_score = 10};
    expect_end(play(fixture, white, black), DRAWN, DRAW_ADJUDICATED, 6, "draw: draw adjudicated");
    fixture->rules.draw_score = 9;
    fixture->rules.max_moves = 4;
    expect_end(play(fixture, white, black), DRAWN, LENGTH_LIMIT, 8, "draw: maximum length");
    static const char lost[] = "echo info depth 1 score cp -500 pv $1; echo bestmove $1; shift";
    static const char won[] = "echo info depth 1 score mate 9 pv $1; echo bestmove $1; shift";
    static const char mute[] = "echo bestmove $1; shift";
    fixture->rules = (GameRules){.resign_moves = 3, .resign_score = 500};
    expect_end(play_scripts(fixture, white, SHELL_PLAY, black, lost), WHITE_WINS, WIN_ADJUDICATED, 6,
               "White wins by adjudication");
    fixture->rules.resign_twosided = true;
    fixture->rules.max_moves = 6;
    expect_end(play_scripts(fixture, white, SHELL_PLAY, black, lost), DRAWN, LENGTH_LIMIT, 12,
               "draw: maximum length");
    expect_end(play_scripts(fixture, white, lost, black, won), BLACK_WINS, WIN_ADJUDICATED, 6,
               "Black wins by adjudication");
    fixture->rules = (GameRules){.draw_moves = 1, .draw_score = 100, .max_moves = 3};
    expect_end(play_scripts(fixture, white, SHELL_PLAY, black, mute), DRAWN, LENGTH_LIMIT, 6,
               "draw: maximum length");
}

static void test_faults(void **state) {
    (void)state;
    Fixture *fixture = new_fixture();
    const MatchGame *game = play(fixture, "e2e4 e4e6", "e7e5");
    expect_end(game, BLACK_WINS, ENGINE_FAULT, 2, "White loses by illegal move");
    assert_int_equal(game->fault, FAULT_ILLEGAL_MOVE);
    assert_int_equal(game->at_fault, WHITE);
    assert_non_null(strstr(game->detail, "e4e6"));
    expect_end(play_scripts(fixture, "e2e4", SHELL_PLAY, "", "exit 1"), WHITE_WINS, ENGINE_FAULT, 1,
               "Black loses by crash");
    fixture->limits[WHITE] = (PlayLimits){.has_clock = true, .base = 100000};
    game = play_scripts(fixture, "e2e4", "sleep 0.3; echo bestmove $1", "e7e5", SHELL_PLAY);
    expect_end(game, BLACK_WINS, ENGINE_FAULT, 0, "White loses by time loss");
    fixture->limits[WHITE].margin = 10000000;
    expect_end(
        play_scripts(fixture, "f2f3 g2g4", "sleep 0.3; echo bestmove $1; shift", "e7e5 d8h4", SHELL_PLAY),
        BLACK_WINS, CHECKMATE, 4, "Black mates");
}

static void test_illegal_pv_is_a_warning(void **state) {
    (void)state;
    Fixture *fixture = new_fixture();
    static const char odd[] = "echo info depth 1 score cp 1 pv $1 a1a8; echo info depth 2 score cp 1 pv $1; "
                              "echo bestmove $1; shift";
    const MatchGame *game = play_scripts(fixture, "f2f3 g2g4", SHELL_PLAY, "e7e5 d8h4", odd);
    assert_int_equal(game->warnings[BLACK][FAULT_ILLEGAL_PV], 0);
    fixture->rules.check_every_pv = true;
    game = play_scripts(fixture, "f2f3 g2g4", SHELL_PLAY, "e7e5 d8h4", odd);
    assert_int_equal(game->played.end, CHECKMATE);
    assert_int_equal(game->warnings[BLACK][FAULT_ILLEGAL_PV], 1); /* nothing after the mate is checked */
    assert_int_equal(game->warnings[BLACK][FAULT_LONG_PV], 1);
    assert_int_equal(game->warnings[WHITE][FAULT_ILLEGAL_PV], 0);
    assert_string_equal(game->warning_detail, "Black, move 1: move 2 (a1a8) of the PV is illegal");
}

/* The `go` command that the engine receives; it repeats it in the PV of its info line for the test. */
static void expect_go(PlayLimits white, PlayLimits black, const char *expected) {
    Fixture *fixture = new_fixture();
    fixture->limits[WHITE] = white;
    fixture->limits[BLACK] = black;
    char script[160];
    text_format(script, sizeof script, "[ \"$rest\" = \"%s\" ] && echo bestmove e2e4 || echo bestmove a1a1",
                expected);
    const MatchGame *game = play_scripts(fixture, "", script, "", "exit");
    assert_int_equal(game->at_fault, BLACK);
}

static void test_what_is_sent(void **state) {
    (void)state;
    PlayLimits depth = {.depth = 1}, clock = {.has_clock = true, .base = 5000000, .increment = 100000};
    expect_go((PlayLimits){.depth = 9, .nodes = 1000}, clock, "depth 9 nodes 1000");
    expect_go((PlayLimits){.move_time = 250000, .margin = 9000000}, depth, "movetime 250");
    expect_go(clock, depth, "wtime 5000 btime 5000 winc 100 binc 100");
    expect_go((PlayLimits){.has_clock = true, .base = 60000000, .moves = 40}, clock,
              "wtime 60000 btime 5000 winc 0 binc 100 movestogo 40");
    expect_go((PlayLimits){.has_clock = true, .base = 9000000, .nodes = 5}, depth,
              "wtime 9000 btime 9000 nodes 5");
}

static void test_chess960(void **state) {
    (void)state;
    Fixture *fixture = new_fixture();
    fixture->chess960 = true;
    fixture->fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    fixture->rules.max_moves = 1;
    const MatchGame *game = play(fixture, "e1g1", "e8b8");
    assert_int_equal(game->played.end, LENGTH_LIMIT);
    assert_int_equal(move_kind(game->played.moves[0]), CASTLING);
    assert_int_equal(move_kind(game->played.moves[1]), CASTLING);
}

static void test_pgn(void **state) {
    (void)state;
    Fixture *fixture = new_fixture();
    fixture->reproducible = true;
    MatchGame *game = play(fixture, "f2f3 g2g4", "e7e5 d8h4");
    GameSetup setup = {.event = "E",
                       .site = "S",
                       .names = {"W", "B"},
                       .limits = {{.depth = 1}, {.depth = 2}},
                       .round = 3,
                       .number = 2,
                       .reproducible = true};
    TextBuffer out = {0};
    assert_ok(match_game_write_pgn(game, &setup, &out));
    assert_string_equal(buffer_string(&out),
                        "[Event \"E\"]\n[Site \"S\"]\n[Date \"????.??.??\"]\n[Round \"3.2\"]\n"
                        "[White \"W\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[PlyCount \"4\"]\n"
                        "[Termination \"normal\"]\n[WhiteTimeControl \"depth=1\"]\n"
                        "[BlackTimeControl \"depth=2\"]\n\n"
                        "1. f3 {+0.10/3} 1... e5 {+0.10/3} 2. g4 {+0.10/3} 2... Qh4# {+0.10/3, Black\n"
                        "mates} 0-1\n\n");
    fixture->reproducible = false;
    game = play(fixture, "f2f3 g2g4", "e7e5 d8h4");
    buffer_clear(&out);
    game->start = 0;
    setup.reproducible = false;
    setup.opening.number = 7;
    assert_ok(match_game_write_pgn(game, &setup, &out));
    assert_non_null(strstr(buffer_string(&out), "[Date \"1970.01.01\"]\n"));
    assert_non_null(strstr(buffer_string(&out), "[UTCTime \"00:00:00\"]\n"));
    assert_non_null(strstr(buffer_string(&out), "[BookLine \"7\"]\n"));
    assert_non_null(strstr(buffer_string(&out), "1. f3 {+0.10/3 0."));
    buffer_release(&out);
}

static void test_comment_of_a_move(void **state) {
    (void)state;
    TextBuffer out = {0};
    SearchReport report = {
        .has_info = true, .wall = 52000, .cpu = 50400, .engine_delay = 1500, .runner_delay = 500};
    report.info.score = (UciScore){SCORE_CENTIPAWNS, SCORE_IS_EXACT, 31};
    report.info.depth = 14;
    match_game_append_comment(&report, false, &(PgnDetails){0}, 0, &out);
    assert_string_equal(buffer_string(&out), "+0.31/14 0.052s, cpu 0.050s, wait 0.002s");
    buffer_clear(&out);
    match_game_append_comment(&report, true, &(PgnDetails){0}, 0, &out);
    assert_string_equal(buffer_string(&out), "+0.31/14");
    buffer_clear(&out);
    report = (SearchReport){.wall = 1000};
    match_game_append_comment(&report, false, &(PgnDetails){0}, 0, &out);
    assert_string_equal(buffer_string(&out), "0.001s, cpu 0.000s");
    buffer_release(&out);
}

static void test_scores_in_comments(void **state) {
    (void)state;
    static const struct {
        const char *comment;
        ScoreKind kind;
        int value;
    } CASES[] = {{"+0.31/14 0.052s, cpu 0.050s", SCORE_CENTIPAWNS, 31},
                 {"-12.07/9", SCORE_CENTIPAWNS, -1207},
                 {" 0.00/12 1.3s, n=5", SCORE_CENTIPAWNS, 0},
                 {"-M5/9 0.1s", SCORE_MATE_IN, -1},
                 {"+M12/30", SCORE_MATE_IN, 1},
                 {"-0.28/11, line=1.5/20 of another", SCORE_CENTIPAWNS, -28}, /* of OpenBench's archives */
                 {"unknown", SCORE_NOT_GIVEN, 0},
                 {"book", SCORE_NOT_GIVEN, 0},
                 {"", SCORE_NOT_GIVEN, 0},
                 {"/", SCORE_NOT_GIVEN, 0},
                 {"0.5 is enough", SCORE_NOT_GIVEN, 0},
                 {"1/2 offered", SCORE_NOT_GIVEN, 0},
                 {"11. Nb3 is prevented.", SCORE_NOT_GIVEN, 0},
                 {"+400.00/3", SCORE_NOT_GIVEN, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Game game = {.start = test_position(FEN_START)};
        Move move;
        assert_ok(lan_parse(&game.start, text_view("e2e4"), &move));
        assert_ok(game_add_move(&game, move, CASES[i].comment));
        const UciScore score = match_game_score_before(&game, 0);
        assert_int_equal(score.kind, CASES[i].kind);
        assert_int_equal(score.value, CASES[i].value);
        game_release(&game);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_by_rule),
        cmocka_unit_test(test_adjudication),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_illegal_pv_is_a_warning),
        cmocka_unit_test(test_what_is_sent),
        cmocka_unit_test(test_chess960),
        cmocka_unit_test(test_pgn),
        cmocka_unit_test(test_comment_of_a_move),
        cmocka_unit_test(test_scores_in_comments),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
