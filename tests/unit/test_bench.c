#include "engine/bench.h"

#include "test_support.h"

typedef struct Seen {
    int reports, questions, patience, enough;
    uint64_t nodes, last_two;
} Seen;

static bool on_position(void *context, int number, const BenchResult *result) {
    Seen *seen = context;
    assert_int_equal(number, ++seen->reports);
    assert_true(result->time >= 0);
    seen->nodes += result->nodes;
    if (number > BENCH_POSITIONS - 2) seen->last_two += result->nodes;
    return seen->reports != seen->enough;
}

static bool ask(void *context) {
    Seen *seen = context;
    return ++seen->questions < seen->patience;
}

static void test_reports_add_up(void **state) {
    (void)state;
    Seen seen = {0};
    BenchResult total;
    assert_ok(bench_run(3, &(BenchWatcher){&seen, on_position, NULL}, &total));
    assert_int_equal(seen.reports, BENCH_POSITIONS);
    assert_int_equal(seen.nodes, total.nodes);
    assert_true(total.nodes > 48);
}

static void test_positions_without_a_move_count_nothing(void **state) {
    (void)state;
    Seen seen = {0};
    BenchResult total;
    assert_ok(bench_run(2, &(BenchWatcher){&seen, on_position, NULL}, &total));
    assert_int_equal(seen.last_two, 0);
}

static void test_same_count_watched_or_not(void **state) {
    (void)state;
    Seen seen = {.patience = INT32_MAX};
    BenchResult first, second;
    assert_ok(bench_run(4, &(BenchWatcher){0}, &first));
    assert_ok(bench_run(4, &(BenchWatcher){&seen, NULL, ask}, &second));
    assert_int_equal(first.nodes, second.nodes);
    assert_true(seen.questions > 0);
}

static void test_can_be_stopped(void **state) {
    (void)state;
    Seen seen = {.patience = 10};
    BenchResult total;
    assert_fails(bench_run(100, &(BenchWatcher){&seen, on_position, ask}, &total), "stopped");
    assert_int_equal(seen.reports, 0);
    assert_int_equal(seen.questions, 10);
}

static void test_ends_with_the_reports(void **state) {
    (void)state;
    Seen seen = {.enough = 3};
    BenchResult total;
    assert_fails(bench_run(1, &(BenchWatcher){&seen, on_position, NULL}, &total), "stopped");
    assert_int_equal(seen.reports, 3);
}

static void test_every_position_can_be_set_up(void **state) {
    (void)state;
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        Position pos;
        assert_ok(bench_set_up(&pos, i));
        assert_true(position_is_consistent(&pos));
        assert_int_equal(movegen_has_legal(&pos), i < BENCH_POSITIONS - 2);
    }
}

static void test_moves_are_played_first(void **state) {
    (void)state;
    Position pos, expected = test_position("2K5/p7/7P/5pR1/8/5k2/r7/8 w - - 4 3");
    assert_ok(bench_set_up(&pos, 18));
    assert_int_equal(pos.state.key, expected.state.key);
    assert_int_equal(pos.game_ply, 4);
}

static void test_speed(void **state) {
    (void)state;
    assert_int_equal(bench_speed(&(BenchResult){3000000, 2000000}), 1500000);
    assert_int_equal(bench_speed(&(BenchResult){7, 0}), 7000000);
}

static void note_check(void *context, const char *check, const char *reason) {
    assert_true(check[0] != '\0');
    assert_string_equal(reason, "");
    ++*(int *)context;
}

static void test_selftest_passes(void **state) {
    (void)state;
    int checks = 0;
    assert_int_equal(selftest_run(note_check, &checks), 0);
    assert_true(checks >= 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports_add_up),
        cmocka_unit_test(test_positions_without_a_move_count_nothing),
        cmocka_unit_test(test_same_count_watched_or_not),
        cmocka_unit_test(test_can_be_stopped),
        cmocka_unit_test(test_ends_with_the_reports),
        cmocka_unit_test(test_every_position_can_be_set_up),
        cmocka_unit_test(test_moves_are_played_first),
        cmocka_unit_test(test_speed),
        cmocka_unit_test(test_selftest_passes),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
