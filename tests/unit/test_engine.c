#include "chess/game.h"
#include "engine/engine.h"

#include "base/clock.h"
#include "test_support.h"

/* The reports of a search: written by the search thread, read after engine_wait. */
typedef struct Report {
    int infos, best_moves;
    uint64_t nodes;
    Move best;
} Report;

static void on_info(void *context, const SearchInfo *info) {
    Report *report = context;
    report->infos++;
    report->nodes = info->nodes;
}

static void on_best_move(void *context, Move best, Move ponder) {
    (void)ponder;
    Report *report = context;
    report->best_moves++;
    report->best = best;
}

static Engine *create(Report *report) {
    Status status;
    Engine *engine = engine_create(
        &(SearchListener){.context = report, .info = on_info, .best_move = on_best_move}, &status);
    assert_ok(status);
    assert_non_null(engine);
    return engine;
}

static Status set_position(Engine *engine, const char *fen, const char *moves) {
    return engine_set_position(engine, text_view(fen), text_view(moves));
}

static Status set_option(Engine *engine, const char *name, const char *value) {
    return engine_set_option(engine, text_view(name), text_view(value));
}

static uint64_t search(Engine *engine, Report *report, SearchLimits limits) {
    *report = (Report){0};
    limits.start = clock_microseconds();
    engine_go(engine, &limits);
    engine_wait(engine);
    assert_int_equal(report->best_moves, 1);
    return report->nodes;
}

static void test_starts_at_the_initial_position(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    Position start = test_position(FEN_START);
    assert_true(position_equals(engine_position(engine), &start));
    engine_destroy(engine);
    engine_destroy(NULL);
}

static void test_position_with_moves_keeps_the_history(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    assert_ok(set_position(engine, "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"));
    assert_int_equal(game_end(engine_position(engine)), THREEFOLD_REPETITION);
    engine_destroy(engine);
}

static void test_a_bad_position_keeps_the_old_one(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    assert_ok(set_position(engine, "", "e2e4"));
    Position before = *engine_position(engine);
    assert_fails(set_position(engine, "nonsense", ""), "FEN");
    assert_fails(set_position(engine, "", "d2d4 d7d5 d4d5"), "move 3: illegal move 'd4d5'");
    assert_fails(set_position(engine, "", "d2d4 e7e5x"), "move 2");
    assert_true(position_equals(engine_position(engine), &before));
    engine_destroy(engine);
}

static void test_chess960_option_decides_how_castling_is_written(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    assert_false(engine_position(engine)->chess960);
    assert_ok(set_option(engine, "UCI_Chess960", "true"));
    assert_true(engine_position(engine)->chess960);
    assert_ok(set_option(engine, "UCI_Chess960", "false"));
    assert_ok(set_position(engine, "", ""));
    assert_false(engine_position(engine)->chess960);
    engine_destroy(engine);
}

static void test_a_refused_hash_keeps_the_old_one(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    assert_ok(set_option(engine, "Hash", "2"));
    assert_fails(set_option(engine, "Hash", "1048576"), "");
    assert_int_equal(engine_options(engine)->hash, 2);
    assert_true(search(engine, &report, (SearchLimits){.depth = 3}) > 0);
    engine_destroy(engine);
}

static void test_a_refused_network_keeps_the_old_one(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    const Network *before = engine_network(engine);
    assert_fails(set_option(engine, "EvalFile", "/does/not/exist.nnue"), "/does/not/exist.nnue");
    assert_ptr_equal(engine_network(engine), before);
    assert_true(search(engine, &report, (SearchLimits){.depth = 3}) > 0);
    engine_destroy(engine);
}

static void test_search_is_the_same_after_a_new_game(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    const uint64_t first = search(engine, &report, (SearchLimits){.depth = 6});
    assert_true(first > 0);
    assert_true(search(engine, &report, (SearchLimits){.depth = 6}) != first);
    engine_new_game(engine);
    assert_true(search(engine, &report, (SearchLimits){.depth = 6}) == first);
    engine_destroy(engine);
}

static void test_no_legal_move(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    assert_ok(set_position(engine, "7k/8/6Q1/8/8/8/8/K7 b - - 0 1", ""));
    search(engine, &report, (SearchLimits){.depth = 4});
    assert_int_equal(report.best, MOVE_NONE);
    engine_destroy(engine);
}

static void test_one_clock_counts_for_both(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    search(engine, &report, (SearchLimits){.has_clock = {false, true}, .clock = {0, 50}});
    assert_int_not_equal(report.best, MOVE_NONE);
    engine_destroy(engine);
}

static void test_ponder_without_limits_ends_at_the_hit(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    engine_go(engine, &(SearchLimits){.ponder = true, .start = clock_microseconds()});
    engine_ponderhit(engine);
    engine_wait(engine);
    assert_int_equal(report.best_moves, 1);
    engine_destroy(engine);
}

static void test_without_limits_the_best_move_is_held(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    assert_ok(set_position(engine, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "")); /* nothing to search */
    engine_go(engine, &(SearchLimits){.in_slices = true, .start = clock_microseconds()});
    assert_int_equal(engine_slice(engine, &(Slice){0}), SLICE_HELD);
    engine_stop(engine);
    assert_int_equal(engine_slice(engine, &(Slice){0}), SLICE_FINISHED);
    assert_int_equal(report.best_moves, 1);
    engine_destroy(engine);
}

static void test_stop_without_a_search_is_harmless(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    engine_stop(engine);
    engine_wait(engine);
    search(engine, &report, (SearchLimits){.depth = 4});
    assert_true(report.infos >= 4);
    engine_destroy(engine);
}

static void test_destroy_stops_the_search(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    engine_go(engine, &(SearchLimits){.infinite = true, .start = clock_microseconds()});
    engine_destroy(engine);
    assert_int_equal(report.best_moves, 1);
}

static void test_evaluation_is_of_the_position(void **state) {
    (void)state;
    Report report = {0};
    Engine *engine = create(&report);
    Inspection white, black;
    assert_ok(set_position(engine, "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", ""));
    assert_ok(engine_evaluate(engine, &white));
    assert_ok(set_position(engine, "qq2k3/8/8/8/8/8/8/4K3 b - - 0 1", ""));
    assert_ok(engine_evaluate(engine, &black));
    assert_int_equal(white.value, black.value);
    engine_destroy(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_at_the_initial_position),
        cmocka_unit_test(test_position_with_moves_keeps_the_history),
        cmocka_unit_test(test_a_bad_position_keeps_the_old_one),
        cmocka_unit_test(test_chess960_option_decides_how_castling_is_written),
        cmocka_unit_test(test_a_refused_hash_keeps_the_old_one),
        cmocka_unit_test(test_a_refused_network_keeps_the_old_one),
        cmocka_unit_test(test_search_is_the_same_after_a_new_game),
        cmocka_unit_test(test_no_legal_move),
        cmocka_unit_test(test_one_clock_counts_for_both),
        cmocka_unit_test(test_ponder_without_limits_ends_at_the_hit),
        cmocka_unit_test(test_without_limits_the_best_move_is_held),
        cmocka_unit_test(test_stop_without_a_search_is_harmless),
        cmocka_unit_test(test_destroy_stops_the_search),
        cmocka_unit_test(test_evaluation_is_of_the_position),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
