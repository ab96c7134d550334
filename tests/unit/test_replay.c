#include "search/replay.h"

#include "base/memory.h"
#include "test_support.h"

static int set_up(void **state) {
    test_set_up_chess(state);
    Worker *worker = memory_allocate(sizeof *worker);
    assert_non_null(worker);
    worker->pos = test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10");
    worker->replay = replay_create();
    assert_non_null(worker->replay);
    replay_begin_window(worker->replay);
    *state = worker;
    return 0;
}

static int tear_down(void **state) {
    Worker *worker = *state;
    replay_destroy(worker->replay);
    memory_release(worker);
    return 0;
}

static bool knows(Worker *worker, int ply, Move excluded, int alpha, int depth) {
    worker_frame(worker, ply)->excluded = excluded;
    return replay_knows(worker, ply, alpha, alpha + 1, depth, false);
}

static void a_slice_uses_results_of_earlier_slices(void **state) {
    Worker *worker = *state;
    assert_int_equal(replay_note(worker, 3, 20, 21, 6, false, 35), 35);
    assert_false(knows(worker, 3, MOVE_NONE, 20, 6)); /* one slice alone is a search like any other */
    replay_begin_slice(worker->replay);
    assert_true(knows(worker, 3, MOVE_NONE, 20, 6));
    assert_int_equal(replay_score(worker->replay), 35);
    replay_begin_window(worker->replay);
    replay_begin_slice(worker->replay);
    assert_false(knows(worker, 3, MOVE_NONE, 20, 6));
}

static void a_result_fits_its_node_only(void **state) {
    Worker *worker = *state;
    replay_note(worker, 3, 20, 21, 6, false, 35);
    replay_begin_slice(worker->replay);
    assert_true(knows(worker, 3, MOVE_NONE, 20, 7));
    assert_false(knows(worker, 3, MOVE_NONE, 20, 8));
    assert_false(knows(worker, 5, MOVE_NONE, 20, 6));
    assert_false(knows(worker, 3, 77, 20, 6));
    assert_true(knows(worker, 3, MOVE_NONE, 34, 6)); /* at least 35 */
    assert_false(knows(worker, 3, MOVE_NONE, 35, 6));
}

static void a_line_is_returned_with_its_score(void **state) {
    Worker *worker = *state;
    Frame *frame = worker_frame(worker, 1);
    const Move line[] = {11, 22, 33};
    memcpy(frame->pv, line, sizeof line);
    frame->pv_length = 3;
    replay_note(worker, 1, 0, 50, 9, true, 25);
    replay_begin_slice(worker->replay);
    frame->pv_length = frame->pv[0] = 0;
    assert_false(replay_knows(worker, 1, 0, 25, 9, true)); /* outside these windows */
    assert_false(replay_knows(worker, 1, 30, 60, 9, true));
    assert_true(replay_knows(worker, 1, 0, 40, 9, true));
    assert_int_equal(replay_score(worker->replay), 25);
    assert_int_equal(frame->pv_length, 3);
    assert_memory_equal(frame->pv, line, sizeof line);
}

static void stopped_or_shallow_results_and_the_root_are_not_kept(void **state) {
    Worker *worker = *state;
    replay_note(worker, 3, 20, 21, REPLAY_DEPTH - 1, false, 35);
    replay_note(worker, 0, 20, 40, 9, true, 35);
    worker->stopped = true;
    replay_note(worker, 4, 20, 21, 9, false, 35);
    replay_begin_slice(worker->replay);
    assert_false(knows(worker, 3, MOVE_NONE, 20, REPLAY_DEPTH - 1));
    assert_false(replay_knows(worker, 0, 20, 40, 9, true));
    assert_false(knows(worker, 4, MOVE_NONE, 20, 9));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_slice_uses_results_of_earlier_slices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_result_fits_its_node_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_is_returned_with_its_score, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stopped_or_shallow_results_and_the_root_are_not_kept, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
