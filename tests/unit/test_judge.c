/* Judging moves by a deeper search: their value, that no judgement is repeated or lost, and failures. The
 * engines are scripts. */
#include "lab/tune/judge.h"

#include "base/file.h"
#include "engine/chances.h"
#include "lab/kit/line_journal.h"
#include "search/score.h"
#include "shell_engine.h"
#include "test_support.h"

#include <math.h>
#include <unistd.h>

#define SHUFFLE "Nf3 Nf6 Ng1 Ng8 "

/* Twenty plies, no position twice: the stretch begins at the eighth. */
#define EIGHT_PLIES "1. a3 a6 b3 b6 c3 c6 d3 d6 "
#define LONG_GAME   EIGHT_PLIES "e3 e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 "

static const char PLAYED[] = "e2e4 f2f4 g2g4 h2h4 a3a4 b3b4";
/* After b4 the other side mates, after f4 and h4 it is better off, after the others worse. */
static const char REFEREE[] =
    "case $POS in *b3b4) s='mate 3';; *f2f4|*h2h4) s='cp 20';; *) s='cp -50';; esac; "
    "echo info depth 9 score $s nodes 5 pv a7a6; echo bestmove a7a6";

typedef struct Fixture {
    char games[64], journal[64];
    EngineConfig config[2];
    JudgeEngines engines;
    Judge *judge;
} Fixture;

static Fixture *new_fixture(const char *games) {
    static Fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    text_format(fixture.games, sizeof fixture.games, "/tmp/luft-judge-%d.pgn", (int)getpid());
    text_format(fixture.journal, sizeof fixture.journal, "/tmp/luft-judge-%d", (int)getpid());
    unlink(fixture.journal);
    assert_ok(file_write(fixture.games, games, strlen(games)));
    return &fixture;
}

static Status open_judge(Fixture *fixture, uint64_t nodes, int64_t stretches) {
    JudgeSettings settings = {.games = fixture->games,
                              .journal = fixture->journal,
                              .referee = nodes == 1000 ? "a script" : "another script",
                              .stretches = stretches,
                              .nodes = nodes,
                              .seed = 1};
    return judge_open(&settings, &fixture->judge);
}

static UciClient *start(EngineConfig *config, const char *moves, const char *on_go) {
    UciClient *client;
    shell_engine_set_up(config, "Shell", moves, on_go);
    assert_ok(uci_client_start(&(UciClientOptions){.config = config, .stall_timeout = 2000}, &client));
    return client;
}

static JudgePassage pass(Fixture *fixture, const char *moves, const char *referee) {
    JudgePassage passage;
    fixture->engines = (JudgeEngines){.player = start(&fixture->config[0], moves, SHELL_PLAY), .nodes = 10};
    if (referee != NULL) fixture->engines.referee = start(&fixture->config[1], "", referee);
    assert_ok(judge_pass(fixture->judge, 0, &fixture->engines, &passage));
    uci_client_stop(fixture->engines.player);
    uci_client_stop(fixture->engines.referee);
    return passage;
}

static void close_all(Fixture *fixture) {
    judge_close(fixture->judge);
    unlink(fixture->games);
    unlink(fixture->journal);
}

static double expected(int material, double centipawns) {
    Chances chances = chances_by_model(chances_model(), material, centipawns * SCORE_UNITS_PER_PAWN / 100);
    return chances.win + chances.draw / 2;
}

static void expect_worth(const JudgePassage *passage, double worth) {
    assert_int_equal(passage->fault, FAULT_NONE);
    if (!(fabs(passage->worth - worth) < 1e-9)) fail_msg("%.12g instead of %.12g", passage->worth, worth);
}

static void test_worth(void **state) {
    (void)state;
    Fixture *fixture = new_fixture(LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    assert_int_equal(judge_stretches(fixture->judge), 1);
    const double good = expected(CHANCE_MATERIAL_HIGH, 50), bad = expected(CHANCE_MATERIAL_HIGH, -20);
    assert_true(good > 0.5 && bad < 0.5);
    const double worth = 3 * good + 2 * bad + 0;
    JudgePassage passage = pass(fixture, PLAYED, REFEREE);
    expect_worth(&passage, worth);
    assert_int_equal(passage.moves[0], move_make(E2, E4));
    assert_int_equal(judge_judgements(fixture->judge), 6);
    /* Already known, so no engine is asked; for another move one is. */
    passage = pass(fixture, PLAYED, NULL);
    expect_worth(&passage, worth);
    passage = pass(fixture, "e2e3 f2f4 g2g4 h2h4 a3a4 b3b4", REFEREE);
    expect_worth(&passage, worth);
    assert_int_equal(judge_judgements(fixture->judge), 7);
    /* A later run knows it too. */
    judge_close(fixture->judge);
    assert_ok(open_judge(fixture, 1000, 10));
    assert_int_equal(judge_judgements(fixture->judge), 7);
    passage = pass(fixture, PLAYED, NULL);
    expect_worth(&passage, worth);
    close_all(fixture);
}

/* A move that ends the game needs no judge. The value of a score depends on the material. The black king is
 * mated on e8, where it is in every second position. */
static void test_mates(void **state) {
    (void)state;
    Fixture *fixture =
        new_fixture("[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n"
                    "1. Kd1 Kf8 Kd2 Kg8 Kd3 Kf8 Kd4 Kg8 Kd5 Kf8 Kc5 Kg8 Kc4 Kf8 Kc3 Kg8 Kc2 Kf8 "
                    "Kb2 Kg8 *\n");
    assert_ok(open_judge(fixture, 1000, 10));
    JudgePassage passage = pass(fixture, "a1a8 d5e5 a1a8 c4d4 a1a8 c2d2",
                                "echo info depth 1 score cp -100 pv a7a6; echo bestmove a7a6");
    const double few = expected(CHANCE_MATERIAL_LOW, 100);
    expect_worth(&passage, 3 + 3 * few);
    assert_true(fabs(few - expected(CHANCE_MATERIAL_HIGH, 100)) > 0.01);
    assert_int_equal(judge_judgements(fixture->judge), 3);
    close_all(fixture);
}

/* A move to a third repetition ends the game, too: earlier moves of the game count. */
static void test_repetition(void **state) {
    (void)state;
    Fixture *fixture = new_fixture("1. " SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    JudgePassage passage = pass(fixture, "e2e4 f3g1 e2e4 f3g1 e2e4 f3g1", REFEREE);
    expect_worth(&passage, 3 * expected(CHANCE_MATERIAL_HIGH, 50) + 3 * 0.5);
    assert_int_equal(judge_judgements(fixture->judge), 3);
    close_all(fixture);
}

static void test_choice_of_games(void **state) {
    (void)state;
    static const char *const GAMES[] = {
        LONG_GAME "*\n\n",
        LONG_GAME "Nd2 Nd7 *\n\n",
        EIGHT_PLIES "*\n\n",                                                    /* too short */
        EIGHT_PLIES "e3 {+4.60/9 0.1s} e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 *\n\n", /* decided */
        EIGHT_PLIES "e3 {-M12/9} e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 *\n\n",
        EIGHT_PLIES "e3 {-4.40/9, cpu 1s} e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 *\n\n",
        EIGHT_PLIES "e3 {a comment} e6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 *\n\n",
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n"
        "[FEN \"nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w FBfb - 0 1\"]\n\n" LONG_GAME "*\n"};
    TextBuffer all = {0};
    for (size_t i = 0; i < sizeof GAMES / sizeof GAMES[0]; i++) buffer_append_string(&all, GAMES[i]);
    Fixture *fixture = new_fixture(buffer_string(&all));
    assert_ok(open_judge(fixture, 1000, 10));
    assert_int_equal(judge_stretches(fixture->judge), 4);
    TextBuffer four = {0}, three = {0};
    judge_describe(fixture->judge, &four);
    judge_close(fixture->judge);
    assert_ok(open_judge(fixture, 1000, 3));
    assert_int_equal(judge_stretches(fixture->judge), 3);
    judge_describe(fixture->judge, &three);
    assert_non_null(strstr(buffer_string(&three), "stretches: 3, "));
    assert_non_null(strstr(buffer_string(&three), "\nreferee: a script\n"));
    assert_string_not_equal(strchr(buffer_string(&three), ','), strchr(buffer_string(&four), ','));
    close_all(fixture);
    buffer_release(&four);
    buffer_release(&three);
    buffer_release(&all);
    for (int i = 2; i < 8; i++) {
        if (i == 5 || i == 6) continue;
        fixture = new_fixture(GAMES[i]);
        assert_fails(open_judge(fixture, 1000, 10), "no game of standard chess, at least 20 plies long");
        assert_null(fixture->judge);
        close_all(fixture);
    }
    fixture = new_fixture("1. e4 e5 2. Ke3 *\n");
    assert_fails(open_judge(fixture, 1000, 10), ".pgn: ");
    close_all(fixture);
}

/* Judgements belong to a move and a referee, whatever the game. */
static void test_journal(void **state) {
    (void)state;
    Fixture *fixture = new_fixture(LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    JudgePassage first = pass(fixture, PLAYED, REFEREE);
    judge_close(fixture->judge);
    assert_fails(open_judge(fixture, 2000, 10),
                 "is of another referee: 'a script' there, now 'another script'");
    static const char OTHER[] = EIGHT_PLIES "e3 e6 f3 f6 g3 g6 h3 h6 a4 a5 Nd2 Nd7 *\n\n" LONG_GAME "*\n";
    assert_ok(file_write(fixture->games, OTHER, strlen(OTHER)));
    assert_ok(open_judge(fixture, 1000, 10));
    assert_int_equal(judge_stretches(fixture->judge), 2);
    JudgePassage again = pass(fixture, PLAYED, NULL); /* the last move of a game is in no stretch */
    expect_worth(&again, first.worth);
    close_all(fixture);
}

/* The identity of a referee. */
static void test_referees(void **state) {
    (void)state;
    static const char *const SCORES[] = {"cp 5", "cp 5", "cp 6", "mate 6"};
    TextBuffer known[4] = {{0}};
    for (int i = 0; i < 4; i++) {
        EngineConfig config;
        char go[128];
        text_format(go, sizeof go, "echo info depth 1 score %s pv a2a3; echo bestmove a2a3", SCORES[i]);
        UciClient *client = start(&config, "", go);
        assert_ok(judge_identify_referee(client, 500, &known[i]));
        uci_client_stop(client);
    }
    assert_non_null(strstr(buffer_string(&known[0]), "Shell, 500 nodes, answers "));
    assert_string_equal(buffer_string(&known[0]), buffer_string(&known[1]));
    assert_string_not_equal(buffer_string(&known[0]), buffer_string(&known[2]));
    assert_string_not_equal(buffer_string(&known[0]), buffer_string(&known[3]));
    for (int i = 0; i < 4; i++) buffer_release(&known[i]);
    EngineConfig config;
    UciClient *client = start(&config, "", "exit 3");
    assert_fails(judge_identify_referee(client, 500, &known[0]), "the referee: crash: ");
    uci_client_stop(client);
    /* Without memory for its name there is no journal of a referee without one. */
    TextBuffer full = {.failed = true};
    client = start(&config, "", "echo bestmove a2a3");
    assert_fails(judge_identify_referee(client, 500, &full), "not enough memory for the referee");
    uci_client_stop(client);
}

/* An impossible line with a correct checksum, and another line after it. */
static void expect_damage(const char *text) {
    Fixture *fixture = new_fixture(LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    judge_close(fixture->judge);
    LineJournal journal = {.lines = 0};
    TextBuffer lines = {0};
    assert_ok(append_file_open(&journal.file, fixture->journal, NAME_GIVEN));
    buffer_append_format(&lines, "%s\n17 50\n", text);
    assert_ok(line_journal_add(&journal, &lines));
    line_journal_close(&journal);
    buffer_release(&lines);
    assert_fails(open_judge(fixture, 1000, 10), "is damaged at byte");
    close_all(fixture);
}

static void test_damage(void **state) {
    (void)state;
    static const char *const LINES[] = {"0 5", "-1 5", "x 5", "17 x", "17", "17 5 5", "17 99999"};
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) expect_damage(LINES[i]);
}

/* More judgements than the table's initial size. */
static void test_many_judgements(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    Fixture *fixture = new_fixture(LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    JudgePassage first = pass(fixture, PLAYED, REFEREE);
    judge_close(fixture->judge);
    LineJournal journal = {.lines = JUDGE_POSITIONS};
    TextBuffer lines = {0};
    assert_ok(append_file_open(&journal.file, fixture->journal, NAME_GIVEN));
    Rng rng = rng_seed(3);
    for (int i = 0; i < COUNT; i++)
        buffer_append_format(&lines, "%llu %d\n", (unsigned long long)rng_next(&rng), i % 100);
    assert_ok(line_journal_add(&journal, &lines));
    line_journal_close(&journal);
    buffer_release(&lines);
    assert_ok(open_judge(fixture, 1000, 10));
    assert_int_equal(judge_judgements(fixture->judge), COUNT + 6);
    JudgePassage again = pass(fixture, PLAYED, NULL);
    expect_worth(&again, first.worth);
    close_all(fixture);
}

static void test_faults(void **state) {
    (void)state;
    Fixture *fixture = new_fixture(LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    JudgePassage passage = pass(fixture, "e2e4 f2f4 e2e5", REFEREE);
    assert_int_equal(passage.fault, FAULT_ILLEGAL_MOVE);
    assert_false(passage.by_referee);
    assert_string_equal(passage.detail,
                        "bestmove e2e5 in rnbqkbnr/6pp/pppppp2/8/8/PPPPPP2/6PP/RNBQKBNR w KQkq - 0 7");
    assert_int_equal(judge_judgements(fixture->judge), 2);
    passage = pass(fixture, "e2e3", "exit 3"); /* not known yet */
    assert_int_equal(passage.fault, FAULT_CRASH);
    assert_true(passage.by_referee);
    assert_int_equal(judge_judgements(fixture->judge), 2);
    /* A referee without scores is refused, and no judgement is invented. */
    fixture->engines = (JudgeEngines){.player = start(&fixture->config[0], "e2e3", SHELL_PLAY),
                                      .referee = start(&fixture->config[1], "", "echo bestmove a7a6"),
                                      .nodes = 10};
    assert_fails(judge_pass(fixture->judge, 0, &fixture->engines, &passage),
                 "gives no score within 1000 nodes");
    uci_client_stop(fixture->engines.player);
    uci_client_stop(fixture->engines.referee);
    assert_int_equal(judge_judgements(fixture->judge), 2);
    close_all(fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worth),      cmocka_unit_test(test_mates),
        cmocka_unit_test(test_repetition), cmocka_unit_test(test_choice_of_games),
        cmocka_unit_test(test_journal),    cmocka_unit_test(test_referees),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_many_judgements),
        cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
