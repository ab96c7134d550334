/* Moves judged by a longer search: what they are worth, that no judgement is made twice or lost, and what
 * goes wrong. The engines are scripts. */
#include "lab/tune/judge.h"

#include "base/file.h"
#include "engine/chances.h"
#include "lab/match/line_journal.h"
#include "search/score.h"
#include "shell_engine.h"
#include "test_support.h"

#include <math.h>
#include <unistd.h>

/* Twenty plies: the stretch begins at the eighth, where the initial position is there again. */
#define SHUFFLE   "Nf3 Nf6 Ng1 Ng8 "
#define LONG_GAME SHUFFLE SHUFFLE SHUFFLE SHUFFLE SHUFFLE

static const char PLAYED[] = "e2e4 f3g1 e2e4 f3g1 e2e4 d2d4";
/* After 1. d4 the other side mates, after Ng1 it is better off, after e4 worse. */
static const char REFEREE[] = "case $POS in *d2d4) s='mate 3';; *f3g1) s='cp 20';; *) s='cp -50';; esac; "
                              "echo info depth 9 score $s nodes 5 pv a7a6; echo bestmove a7a6";

typedef struct Fixture {
    char games[64], journal[64];
    EngineConfig config[2];
    JudgeSeats seats;
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
                              .referee = "a script",
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
    fixture->seats = (JudgeSeats){.player = start(&fixture->config[0], moves, SHELL_PLAY), .nodes = 10};
    if (referee != NULL) fixture->seats.referee = start(&fixture->config[1], "", referee);
    assert_ok(judge_pass(fixture->judge, 0, &fixture->seats, &passage));
    uci_client_stop(fixture->seats.player);
    uci_client_stop(fixture->seats.referee);
    return passage;
}

static void close_all(Fixture *fixture) {
    judge_close(fixture->judge);
    unlink(fixture->games);
    unlink(fixture->journal);
}

static double expected(double centipawns) {
    Chances chances =
        chances_by_model(chances_model(), CHANCE_MATERIAL_HIGH, centipawns * SCORE_UNITS_PER_PAWN / 100);
    return chances.win + chances.draw / 2;
}

static void expect_worth(const JudgePassage *passage, double worth) {
    assert_int_equal(passage->fault, FAULT_NONE);
    if (!(fabs(passage->worth - worth) < 1e-9)) fail_msg("%.12g instead of %.12g", passage->worth, worth);
}

static void test_worth(void **state) {
    (void)state;
    Fixture *fixture = new_fixture("1. " LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    assert_int_equal(judge_stretches(fixture->judge), 1);
    double worth = 3 * expected(50) + 2 * expected(-20) + 0;
    assert_true(expected(50) > 0.5 && expected(-20) < 0.5);
    JudgePassage passage = pass(fixture, PLAYED, REFEREE);
    expect_worth(&passage, worth);
    assert_int_equal(judge_judgements(fixture->judge), 6);
    /* Known by now: nobody has to be asked. Another move is another matter. */
    passage = pass(fixture, PLAYED, NULL);
    expect_worth(&passage, worth);
    passage = pass(fixture, "e2e4 f3g1 e2e4 f3g1 e2e3 d2d4", REFEREE);
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

/* A move that ends the game needs no judge. */
static void test_end_of_game(void **state) {
    (void)state;
    Fixture *fixture = new_fixture("[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n"
                                   "1. Ra2 Kf8 Ra1 Kg8 Ra2 Kf8 Ra1 Kg8 Ra2 Kf8 Ra1 Kg8 Ra2 Kf8 Ra1 Kg8 "
                                   "Ra2 Kf8 Ra1 Kg8 *\n");
    assert_ok(open_judge(fixture, 1000, 10));
    JudgePassage passage = pass(fixture, "a1a8 a2a1 a1a8 a2a1 a1a8 a2a1",
                                "echo info depth 1 score mate 1 pv a7a6; echo bestmove a7a6");
    expect_worth(&passage, 3);
    close_all(fixture);
}

static void test_choice_of_games(void **state) {
    (void)state;
    static const char *const GAMES[] = {
        "1. " LONG_GAME "*\n\n",
        "1. " LONG_GAME "Nf3 Nf6 *\n\n",
        "1. " SHUFFLE "*\n\n",                                                           /* too short */
        "1. " SHUFFLE SHUFFLE "Nf3 {+4.60/9 0.1s} Nf6 Ng1 Ng8 " SHUFFLE SHUFFLE "*\n\n", /* decided */
        "1. " SHUFFLE SHUFFLE "Nf3 {-M12/9} Nf6 Ng1 Ng8 " SHUFFLE SHUFFLE "*\n\n",
        "1. " SHUFFLE SHUFFLE "Nf3 {-4.40/9, cpu 1s} Nf6 Ng1 Ng8 " SHUFFLE SHUFFLE "*\n\n",
        "1. " SHUFFLE SHUFFLE "Nf3 {a comment} Nf6 Ng1 Ng8 " SHUFFLE SHUFFLE "*\n\n",
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n"
        "[FEN \"nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w FBfb - 0 1\"]\n\n"
        "1. Nb3 Nb6 Na1 Na8 Nb3 Nb6 Na1 Na8 Nb3 Nb6 Na1 Na8 Nb3 Nb6 Na1 Na8 Nb3 Nb6 Na1 Na8 *\n"};
    TextBuffer all = {0};
    for (size_t i = 0; i < sizeof GAMES / sizeof GAMES[0]; i++) buffer_append_string(&all, GAMES[i]);
    Fixture *fixture = new_fixture(buffer_string(&all));
    assert_ok(open_judge(fixture, 1000, 10));
    assert_int_equal(judge_stretches(fixture->judge), 4);
    judge_close(fixture->judge);
    unlink(fixture->journal);
    assert_ok(open_judge(fixture, 1000, 3));
    assert_int_equal(judge_stretches(fixture->judge), 3);
    close_all(fixture);
    buffer_release(&all);
    for (int i = 2; i <= 4; i++) {
        fixture = new_fixture(GAMES[i]);
        assert_fails(open_judge(fixture, 1000, 10), "no game of at least 20 plies that is not decided");
        assert_null(fixture->judge);
        close_all(fixture);
    }
    fixture = new_fixture("1. e4 e5 2. Ke3 *\n");
    assert_fails(open_judge(fixture, 1000, 10), ".pgn: ");
    close_all(fixture);
}

static void test_others_are_refused(void **state) {
    (void)state;
    Fixture *fixture = new_fixture("1. " LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    pass(fixture, PLAYED, REFEREE);
    judge_close(fixture->judge);
    assert_fails(open_judge(fixture, 2000, 10),
                 "is of another judge: \"nodes: 1000\" there, now \"nodes: 2000\"");
    static const char OTHER[] = "1. " SHUFFLE SHUFFLE SHUFFLE SHUFFLE "Nf3 Nf6 Ng1 d6 *\n";
    assert_ok(file_write(fixture->games, OTHER, strlen(OTHER)));
    assert_ok(open_judge(fixture, 1000, 10)); /* the last move is in no stretch */
    judge_close(fixture->judge);
    static const char ANOTHER[] = "1. " SHUFFLE SHUFFLE SHUFFLE SHUFFLE "Nf3 d6 Ng1 Nf6 *\n";
    assert_ok(file_write(fixture->games, ANOTHER, strlen(ANOTHER)));
    assert_fails(open_judge(fixture, 1000, 10), "is of another judge: \"stretches: 1 of ");
    close_all(fixture);
}

/* A line that cannot be, with its checksum, and another behind it. */
static void expect_damage(const char *text) {
    Fixture *fixture = new_fixture("1. " LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    judge_close(fixture->judge);
    AppendFile file;
    TextBuffer lines = {0};
    assert_ok(append_file_open(&file, fixture->journal));
    buffer_append_string(&lines, text);
    line_journal_seal(&lines);
    buffer_append_string(&lines, "0 0 e2e4 50");
    line_journal_seal(&lines);
    assert_ok(line_journal_add(&file, &lines));
    append_file_close(&file);
    buffer_release(&lines);
    assert_fails(open_judge(fixture, 1000, 10), "is damaged at byte");
    close_all(fixture);
}

static void test_damage(void **state) {
    (void)state;
    static const char *const LINES[] = {"1 0 e2e4 5", "-1 0 e2e4 5", "0 6 e2e4 5", "0 0 e2e5 5",
                                        "0 0 e2e4 x", "0 0 e2e4",    "0 0",        "0 0 e2e4 99999"};
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) expect_damage(LINES[i]);
}

static void test_faults(void **state) {
    (void)state;
    Fixture *fixture = new_fixture("1. " LONG_GAME "*\n");
    assert_ok(open_judge(fixture, 1000, 10));
    JudgePassage passage = pass(fixture, "e2e4 f3g1 e2e5", REFEREE);
    assert_int_equal(passage.fault, FAULT_ILLEGAL_MOVE);
    assert_false(passage.by_referee);
    assert_string_equal(passage.detail,
                        "bestmove e2e5 in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 12 7");
    assert_int_equal(judge_judgements(fixture->judge), 2);
    passage = pass(fixture, "e2e3", "exit 3");
    assert_int_equal(passage.fault, FAULT_CRASH);
    assert_true(passage.by_referee);
    assert_int_equal(judge_judgements(fixture->judge), 2);
    close_all(fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worth),           cmocka_unit_test(test_end_of_game),
        cmocka_unit_test(test_choice_of_games), cmocka_unit_test(test_others_are_refused),
        cmocka_unit_test(test_damage),          cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
