/* The state of a search thread: root, frames, make and unmake, stopping. */
#include "search/worker.h"

#include "search_support.h"
#include "walk.h"

static void assert_same_evaluation(Worker *worker) {
    Evaluator *fresh = evaluator_create(NULL);
    assert_non_null(fresh);
    evaluator_reset(fresh, &worker->pos);
    assert_int_equal(evaluator_value(worker->evaluator, &worker->pos), evaluator_value(fresh, &worker->pos));
    evaluator_destroy(fresh);
}

static void the_root_holds_every_legal_move(void **state) {
    Bed *bed = *state;
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        const Position pos = bed_bench_position(i);
        bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
        assert_int_equal(bed->worker->root_count, movegen_count(&pos));
        for (int j = 0; j < bed->worker->root_count; j++) {
            const RootMove *root = &bed->worker->root[j];
            assert_true(movegen_is_legal(&pos, root->move));
            assert_int_equal(root->pv_length, 1);
            assert_int_equal(root->pv[0], root->move);
            assert_int_equal(root->score, -SCORE_INFINITE);
            for (int k = 0; k < j; k++) assert_int_not_equal(root->move, bed->worker->root[k].move);
        }
        assert_int_equal(worker_nodes(bed->worker), 0);
    }
}

static void the_root_holds_only_wanted_moves(void **state) {
    Bed *bed = *state;
    const Position pos = test_position(FEN_START);
    SearchLimits limits = {.depth = 1, .search_move_count = 2};
    assert_ok(lan_parse(&pos, text_view("a2a3"), &limits.search_moves[0]));
    assert_ok(lan_parse(&pos, text_view("h2h4"), &limits.search_moves[1]));
    bed_prepare(bed, &pos, &limits);
    assert_int_equal(bed->worker->root_count, 2);
    /* Only illegal moves leave an empty list. */
    const Position other = test_position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    bed_prepare(bed, &other, &limits);
    assert_int_equal(bed->worker->root_count, 0);
}

static void unmaking_restores_position_and_evaluation(void **state) {
    Bed *bed = *state;
    Worker *worker = bed->worker;
    Rng rng = rng_seed(17);
    for (int game = 0; game < 9; game++) {
        const Position start = walk_start(&rng, game);
        bed_prepare(bed, &start, &(SearchLimits){.depth = 1});
        Position before[60];
        int ply = 0;
        for (; ply < 60; ply++) {
            before[ply] = worker->pos;
            const Move move = walk_move(&worker->pos, &rng);
            if (move == MOVE_NONE) break;
            if (ply % 9 == 4 && !position_in_check(&worker->pos)) {
                worker_make_null(worker, ply);
                assert_int_equal(worker_frame(worker, ply)->move, MOVE_NULL);
                assert_same_evaluation(worker);
                worker_unmake_null(worker, ply);
                assert_true(position_equals(&worker->pos, &before[ply]));
            }
            worker_make_move(worker, ply, move);
            assert_int_equal(worker_nodes(worker), ply + 1);
            if (ply % 3 == 0) assert_same_evaluation(worker);
        }
        while (--ply >= 0) {
            worker_unmake_move(worker, ply);
            assert_true(position_equals(&worker->pos, &before[ply]));
            if (ply % 3 == 0) assert_same_evaluation(worker);
        }
    }
}

static void lines_grow_from_the_leaf(void **state) {
    Bed *bed = *state;
    Worker *worker = bed->worker;
    const Position pos = test_position(FEN_START);
    bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
    for (int ply = MAX_PLY - 1; ply >= 0; ply--) worker_update_pv(worker, ply, (Move)(ply + 1));
    assert_int_equal(worker_frame(worker, 0)->pv_length, MAX_PLY);
    for (int i = 0; i < MAX_PLY; i++) assert_int_equal(worker_frame(worker, 0)->pv[i], i + 1);
}

static void continuation_histories_belong_to_the_last_moves(void **state) {
    Bed *bed = *state;
    Worker *worker = bed->worker;
    const Position pos = test_position(FEN_START);
    bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
    Path path = worker_path(worker, 0);
    for (int i = 0; i < CONTINUATIONS; i++)
        assert_ptr_equal(path.continuation[i], &worker->histories.nothing);
    Move move;
    assert_ok(lan_parse(&worker->pos, text_view("g1f3"), &move));
    worker_make_move(worker, 0, move);
    worker_make_null(worker, 1);
    path = worker_path(worker, 2);
    assert_ptr_equal(path.continuation[0], &worker->histories.nothing);
    assert_ptr_equal(path.continuation[1], &worker->histories.continuation[WHITE_KNIGHT][F3]);
}

static void the_first_iteration_never_stops(void **state) {
    Bed *bed = *state;
    Worker *worker = bed->worker;
    const Position pos = test_position(FEN_START);
    bed_prepare(bed, &pos, &(SearchLimits){.nodes = 1});
    atomic_store(&bed->shared.stop, true);
    atomic_store(&worker->nodes, 1000);
    assert_false(worker_must_stop(worker));
    worker->completed_depth = 1;
    assert_true(worker_must_stop(worker));
    assert_true(worker->stopped);
}

static void nodes_stop_exactly_and_only_this_worker(void **state) {
    Bed *bed = *state;
    Worker *worker = bed->worker;
    const Position pos = test_position(FEN_START);
    bed_prepare(bed, &pos, &(SearchLimits){.nodes = 1000});
    worker->completed_depth = 1;
    atomic_store(&worker->nodes, 999);
    assert_false(worker_must_stop(worker));
    atomic_store(&worker->nodes, 1000);
    assert_true(worker_must_stop(worker));
    assert_false(shared_stopped(&bed->shared)); /* bestmove may still be held back */
}

static void the_clock_stops_unless_pondering(void **state) {
    Bed *bed = *state;
    Worker *worker = bed->worker;
    const Position pos = test_position(FEN_START);
    const SearchLimits limits = {.has_move_time = true, .move_time = 5};
    for (int pondering = 0; pondering < 2; pondering++) {
        bed_prepare(bed, &pos, &limits);
        worker->completed_depth = 1;
        atomic_store(&bed->shared.pondering, pondering);
        atomic_store(&bed->shared.clock_start, clock_microseconds() - 6000);
        bool stopped = false;
        for (int i = 0; i < 2000; i++) stopped = stopped || worker_must_stop(worker);
        assert_int_equal(stopped, !pondering);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_root_holds_every_legal_move),
        cmocka_unit_test(the_root_holds_only_wanted_moves),
        cmocka_unit_test(unmaking_restores_position_and_evaluation),
        cmocka_unit_test(lines_grow_from_the_leaf),
        cmocka_unit_test(continuation_histories_belong_to_the_last_moves),
        cmocka_unit_test(the_first_iteration_never_stops),
        cmocka_unit_test(nodes_stop_exactly_and_only_this_worker),
        cmocka_unit_test(the_clock_stops_unless_pondering),
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
