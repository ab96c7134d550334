/* What people see of a match, into a pipe. */
#include "lab/match/report.h"

#include "test_support.h"

static EngineConfig engines[3]; /* large */

static PairResult pair_of(int index, int first, int second, int outcome) {
    static const GameResult WHITE_GAME[] = {RESULT_BLACK_WINS, RESULT_DRAW, RESULT_DRAW, RESULT_WHITE_WINS,
                                            RESULT_WHITE_WINS};
    static const GameResult BLACK_GAME[] = {RESULT_WHITE_WINS, RESULT_WHITE_WINS, RESULT_DRAW, RESULT_DRAW,
                                            RESULT_BLACK_WINS};
    PairResult pair = {.index = index, .first = first, .second = second, .outcome = outcome};
    pair.game[0] = (GameSummary){.result = WHITE_GAME[outcome], .ending = ENDING_CHECKMATE};
    pair.game[1] = (GameSummary){.result = BLACK_GAME[outcome], .ending = ENDING_CHECKMATE};
    return pair;
}

/* The whole output of a match of `engine_count` engines in which these pairs were played. */
static char *show(int engine_count, const PairResult *pairs, int count, const ReportSprt *sprt) {
    static char output[8192];
    FILE *file = tmpfile();
    assert_non_null(file);
    for (int i = 0; i < 3; i++) text_format(engines[i].name, sizeof engines[i].name, "Engine%d", i);
    MatchSetup setup = {.engines = engines, .engine_count = engine_count, .pairs = 4};
    Report *report =
        report_create(&(ReportOptions){.out = file, .setup = &setup, .sprt = sprt, .interval = 2});
    assert_non_null(report);
    MatchTotals totals = {
        .plies = 1000, .own_cpu = 25000, .engine_wall = 100, .engine_cpu = 90, .engine_delay = 10};
    assert_true(tally_table_create(&totals.table, engine_count));
    MatchListener listener = report_listener(report);
    for (int i = 0; i < count; i++) {
        tally_table_add(&totals.table, &pairs[i]);
        totals.pairs_played++;
        assert_true(listener.pair_finished(listener.context, &pairs[i], &totals.table));
        listener.tick(listener.context);
    }
    listener.notice(listener.context, "something happened");
    report_finish(report, &totals);
    report_destroy(report);
    match_totals_release(&totals);
    rewind(file);
    output[fread(output, 1, sizeof output - 1, file)] = '\0';
    fclose(file);
    return output;
}

static void expect(const char *output, const char *part) {
    if (strstr(output, part) == NULL) fail_msg("no '%s' in:\n%s", part, output);
}

static void test_duel(void **state) {
    (void)state;
    PairResult pairs[4] = {pair_of(0, 0, 1, 4), pair_of(1, 0, 1, 2), pair_of(2, 0, 1, 3),
                           pair_of(3, 0, 1, 1)};
    pairs[1].game[0].ending = ENDING_FAULT;
    pairs[1].game[0].fault = FAULT_STALL;
    pairs[1].game[0].guilty = BLACK;
    const char *output = show(2, pairs, 4, NULL);
    expect(output, "4/8 games: +2 -0 =2  75.0%");
    expect(output, "8/8 games: +3 -1 =4  62.5%");
    expect(output, "something happened\n");
    expect(output, "Engine0 against Engine1  +3 -1 =4  62.5%\nElo ");
    expect(output, "Pairs [0, 1, 1, 1, 1]\n");
    expect(output, "Faults of Engine1: 1 stall\n");
    expect(output, "Endings: 7 mate, 1 fault\n");
    expect(output, "Runner: 25.0 us of processor time a ply (1000 plies, 3.12 ms a game)\n");
    expect(output, "Engines: 90.0% of their thinking time on a processor, 10.00% waiting for one\n");
    expect(output, "warning: the machine was loaded");
    assert_null(strstr(output, "Faults of Engine0"));
    assert_null(strstr(output, "\033"));
}

static void test_sprt(void **state) {
    (void)state;
    ReportSprt sprt = {.llr = 1.5, .lower = -2.25, .upper = 2.89, .elo0 = 0, .elo1 = 5};
    PairResult pairs[2] = {pair_of(0, 0, 1, 4), pair_of(1, 0, 1, 2)};
    const char *output = show(2, pairs, 2, &sprt);
    expect(output, "4 games: ");
    expect(output, "LLR 1.50 (-2.25, 2.89) [0.00, 5.00]\n");
}

static void test_standings(void **state) {
    (void)state;
    PairResult pairs[3] = {pair_of(0, 0, 1, 0), pair_of(1, 0, 2, 1), pair_of(2, 1, 2, 4)};
    const char *output = show(3, pairs, 3, NULL);
    const char *first = strstr(output, "   1  Engine1"), *second = strstr(output, "   2  Engine2"),
               *third = strstr(output, "   3  Engine0");
    if (first == NULL || second == NULL || third == NULL) fail_msg("%s", output);
    assert_true(first < second && second < third);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_duel), cmocka_unit_test(test_sprt),
                                       cmocka_unit_test(test_standings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
