/* What studies share: paths, results as files, matches that are carried on. */
#include "lab/tune/experiment.h"

#include "base/file.h"
#include "shell_engine.h"
#include "test_support.h"

#include <stdlib.h>
#include <unistd.h>

static void test_paths(void **state) {
    (void)state;
    assert_string_equal(experiment_path("a folder", "%s-%d.pgn", "level", 3).text, "a folder/level-3.pgn");
}

static void test_a_result_is_written_and_released(void **state) {
    (void)state;
    char folder[] = "/tmp/luft-experiment-XXXXXX";
    assert_non_null(mkdtemp(folder));
    TextBuffer text = {0}, back = {0};
    buffer_append_string(&text, "a table\n");
    assert_ok(experiment_write(folder, "table.md", &text));
    assert_int_equal(text.length, 0);
    const ExperimentPath path = experiment_path(folder, "table.md");
    assert_ok(file_read(path.text, &back));
    assert_string_equal(buffer_string(&back), "a table\n");
    buffer_release(&back);
    buffer_append_string(&text, "lost");
    assert_fails(experiment_write("/nonexistent", "table.md", &text), "/nonexistent");
    assert_int_equal(text.length, 0);
    unlink(path.text);
    rmdir(folder);
}

static void test_a_match_is_carried_on_and_has_one_row(void **state) {
    (void)state;
    char folder[] = "/tmp/luft-experiment-XXXXXX";
    assert_non_null(mkdtemp(folder));
    static EngineConfig engines[2];
    shell_engine_set_up(&engines[0], "A", "e2e4 d1h5 f1c4 h5f7", "echo bestmove 0000");
    shell_engine_set_up(&engines[1], "B", "e7e5 b8c6 g8f6", "echo bestmove 0000");
    const EngineList list = {.engines = engines, .count = 2};
    const OpeningOptions openings = {.seed = 1};
    OpeningBook *book = NULL;
    assert_ok(openings_load(&openings, &book));
    const ExperimentPath results = experiment_path(folder, "results.tsv");
    ExperimentMatch match = {.folder = folder,
                             .name = "pair",
                             .event = "Test",
                             .engines = &list,
                             .games = 2,
                             .concurrency = 1,
                             .book = book,
                             .quiet = true,
                             .results = results.text,
                             .row = {.subject = "A", .limit = "depth=1"}};
    for (int run = 0; run < 2; run++) {
        SprtOutcome outcome;
        MatchTotals totals;
        assert_ok(experiment_play(&match, &outcome, &totals));
        assert_true(totals.completed);
        assert_int_equal(totals.pairs_played, run == 0);
        assert_int_equal(totals.pairs_restored, run);
        assert_int_equal(outcome.games.wins, 1); /* each loses with White, by an illegal move */
        assert_int_equal(outcome.games.losses, 1);
        match_totals_release(&totals);
    }
    TextBuffer back = {0};
    assert_ok(file_read(results.text, &back));
    TextView rest = buffer_view(&back), line;
    int lines = 0;
    while (text_next_line(&rest, &line)) lines++;
    assert_int_equal(lines, 2); /* the names of the columns, and one row: the second run played nothing */
    buffer_release(&back);
    openings_release(book);
    unlink(results.text);
    unlink(experiment_path(folder, "pair.pgn").text);
    unlink(experiment_path(folder, "pair.journal").text);
    rmdir(experiment_path(folder, "logs").text);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_a_result_is_written_and_released),
        cmocka_unit_test(test_a_match_is_carried_on_and_has_one_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
