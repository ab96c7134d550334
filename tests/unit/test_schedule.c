/* Pairings, and matches of engines that play given moves. */
#include "lab/match/schedule.h"

#include "base/file.h"
#include "shell_engine.h"
#include "test_support.h"

#include <unistd.h>

static void test_pairings(void **state) {
    (void)state;
    for (int n = 2; n <= 7; n++) {
        MatchSetup setup = {.engine_count = n, .pairs = 3};
        int count = match_pair_count(&setup), seen[7][7] = {0};
        assert_int_equal(count, 3 * n * (n - 1) / 2);
        for (int i = 0; i < count; i++) {
            int first, second, round;
            match_pairing(&setup, i, &first, &second, &round);
            assert_true(first < second && second < n);
            assert_int_equal(round, i / (count / 3));
            seen[first][second]++;
        }
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) assert_int_equal(seen[a][b], 3);
        setup.kind = MATCH_GAUNTLET;
        assert_int_equal(match_pair_count(&setup), 3 * (n - 1));
        for (int i = 0; i < match_pair_count(&setup); i++) {
            int first, second, round;
            match_pairing(&setup, i, &first, &second, &round);
            assert_int_equal(first, 0);
            assert_int_equal(second, 1 + i % (n - 1));
        }
        for (setup.seeds = 2; setup.seeds < n; setup.seeds++) {
            assert_int_equal(match_pair_count(&setup), 3 * setup.seeds * (n - setup.seeds));
            for (int i = 0; i < match_pair_count(&setup); i++) {
                int first, second, round;
                match_pairing(&setup, i, &first, &second, &round);
                assert_int_equal(first * (n - setup.seeds) + second - setup.seeds,
                                 i % match_pairings(&setup));
                assert_true(first < setup.seeds && second >= setup.seeds && second < n);
            }
        }
        setup.seeds = 0;
    }
}

static EngineConfig engines[2]; /* large; the tests run one after the other */

typedef struct Listener {
    int pairs, notices, stop_after;
    int64_t total;
    char last_notice[256];
} Listener;

static bool see_pair(void *context, const PairResult *pair, const TallyTable *table) {
    Listener *listener = context;
    (void)pair;
    listener->pairs++;
    listener->total = stats_pair_total(&tally_table_cell(table, 0, 1)->penta);
    return listener->stop_after == 0 || listener->pairs < listener->stop_after;
}

static void see_notice(void *context, const char *text) {
    Listener *listener = context;
    if (strncmp(text, "warning: the machine", 20) == 0) return;
    if (strstr(text, "times will not be fair") != NULL) return;
    listener->notices++;
    text_copy(text_view(text), listener->last_notice, sizeof listener->last_notice);
}

/* White mates after four plies, unless `go` gives the second engine another behaviour. */
static Status run(MatchSetup setup, const char *go, Listener *listener, MatchTotals *totals) {
    OpeningBook *book = NULL;
    assert_ok(openings_load(&setup.openings, &book));
    shell_engine_set_up(&engines[0], "A", "e2e4 d1h5 f1c4 h5f7", SHELL_PLAY);
    shell_engine_set_up(&engines[1], "B", "e7e5 b8c6 g8f6", go);
    setup.engines = engines;
    setup.engine_count = 2;
    setup.book = book;
    setup.stall_timeout = 300;
    MatchListener functions = {.context = listener, .pair_finished = see_pair, .notice = see_notice};
    Status status = match_run(&setup, &functions, totals);
    openings_release(book);
    return status;
}

static void test_match(void **state) {
    (void)state;
    Listener listener = {0};
    MatchTotals totals;
    /* B's moves are illegal as White: A wins both games of each pair. */
    assert_ok(run((MatchSetup){.pairs = 3, .concurrency = 2}, SHELL_PLAY, &listener, &totals));
    assert_int_equal(listener.pairs, 3);
    assert_int_equal(listener.total, 1); /* the second pair and the third are the same games again */
    assert_int_equal(listener.notices, 4);
    assert_non_null(strstr(listener.last_notice, "illegal move by B, move 1: bestmove e7e5"));
    assert_true(totals.completed && !totals.stopped);
    const Tally *tally = tally_table_cell(&totals.table, 0, 1);
    assert_int_equal(totals.table.repeated, 2);
    assert_int_equal(tally->penta.count[4], 1);
    assert_int_equal(tally->wins[WHITE], 1);
    assert_int_equal(tally->endings[CHECKMATE], 1);
    assert_int_equal(tally_table_faults(&totals.table, 1, FAULT_ILLEGAL_MOVE), 3);
    assert_int_equal(totals.plies, 3 * (7 + 1));
    assert_true(totals.own_cpu > 0 && totals.wall > 0);
    match_totals_release(&totals);
}

static void test_stop(void **state) {
    (void)state;
    Listener listener = {.stop_after = 2};
    MatchTotals totals;
    assert_ok(run((MatchSetup){.pairs = 1000, .concurrency = 2}, SHELL_PLAY, &listener, &totals));
    assert_int_equal(listener.pairs, 2);
    assert_int_equal(listener.total, 1);
    assert_int_equal(totals.table.repeated, 1);
    assert_true(totals.stopped && !totals.completed);
    match_totals_release(&totals);
}

static void test_engine_that_does_not_come_back(void **state) {
    (void)state;
    Listener listener = {0};
    MatchTotals totals;
    char marker[64], script[160];
    text_format(marker, sizeof marker, "/tmp/luft-schedule-%d", (int)getpid());
    text_format(script, sizeof script, "mv %s %s.moved; exit 1", marker, marker);
    assert_ok(file_make_folder(marker));
    OpeningBook *book = NULL;
    assert_ok(openings_load(&(OpeningOptions){.path = NULL}, &book));
    shell_engine_set_up(&engines[0], "A", "e2e4", SHELL_PLAY);
    shell_engine_set_up(&engines[1], "B", "e7e5", script);
    text_copy(text_view(marker), engines[1].folder, sizeof engines[1].folder);
    MatchSetup setup = {.engines = engines, .engine_count = 2, .book = book, .pairs = 5, .concurrency = 1};
    MatchListener functions = {.context = &listener, .pair_finished = see_pair, .notice = see_notice};
    assert_fails(match_run(&setup, &functions, &totals), "engine B (env): cannot start env: No such file");
    assert_int_equal(listener.pairs, 0);
    match_totals_release(&totals);
    openings_release(book);
    char moved[80];
    text_format(moved, sizeof moved, "%s.moved", marker);
    rmdir(moved);
}

static void test_a_bad_engine_prevents_the_match(void **state) {
    (void)state;
    Listener listener = {0};
    MatchTotals totals;
    OpeningBook *book = NULL;
    assert_ok(openings_load(&(OpeningOptions){.path = NULL}, &book));
    shell_engine_set_up(&engines[0], "A", "e2e4", SHELL_PLAY);
    shell_engine_set_up(&engines[1], "B", "e7e5", SHELL_PLAY);
    text_copy(text_view("/no/such/engine"), engines[1].command, sizeof engines[1].command);
    MatchSetup setup = {.engines = engines, .engine_count = 2, .book = book, .pairs = 5, .concurrency = 1};
    MatchListener functions = {.context = &listener, .pair_finished = see_pair};
    assert_fails(match_run(&setup, &functions, &totals), "/no/such/engine");
    assert_int_equal(totals.plies, 0);
    match_totals_release(&totals);
    openings_release(book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairings),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_engine_that_does_not_come_back),
        cmocka_unit_test(test_a_bad_engine_prevents_the_match),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
