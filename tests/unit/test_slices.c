/* Searches in slices: wherever they pause, they end like a search without slices, and can be stopped between.
 */
#include "search/pool.h"

#include "base/clock.h"
#include "base/sync.h"
#include "test_support.h"

static const char MIDDLEGAME[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10";
static const char MATE_IN_TWO[] = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

typedef struct Fixture {
    SearchPool *pool;
    int depth, best_moves, polls;
    int stops_at;    /* the poll that requests a stop; 0: none */
    bool in_threads; /* then the last line may be another thread's */
    uint64_t nodes;
    Move best;
} Fixture;

static void note_info(void *context, const SearchInfo *info) {
    Fixture *fixture = context;
    if (!fixture->in_threads) {
        assert_true(info->depth >= fixture->depth);
        assert_true(info->nodes >= fixture->nodes);
    }
    fixture->depth = info->depth;
    fixture->nodes = info->nodes;
}

static void note_best_move(void *context, Move best, Move ponder) {
    Fixture *fixture = context;
    (void)ponder;
    fixture->best = best;
    fixture->best_moves++;
}

static bool poll(void *context) {
    Fixture *fixture = context;
    return ++fixture->polls == fixture->stops_at;
}

static int set_up(void **state) {
    static Fixture fixture;
    test_set_up_chess(state);
    fixture = (Fixture){.depth = 0};
    Status status;
    const SearchListener listener = {
        .context = &fixture, .info = note_info, .poll = poll, .best_move = note_best_move};
    fixture.pool = pool_create(&listener, 4, NULL, &status);
    *state = &fixture;
    return fixture.pool == NULL;
}

static int tear_down(void **state) {
    pool_destroy(((Fixture *)*state)->pool);
    return 0;
}

static void start(Fixture *fixture, const char *fen, SearchLimits limits) {
    const Position pos = test_position(fen);
    fixture->depth = fixture->best_moves = fixture->polls = 0;
    fixture->nodes = 0;
    limits.start = clock_microseconds();
    if (limits.multi_pv == 0) limits.multi_pv = 1;
    limits.in_slices = true;
    pool_start(fixture->pool, &pos, &limits);
}

/* Returns the number of slices. */
static int search_in_slices(Fixture *fixture, uint64_t nodes) {
    int count = 1;
    while (pool_slice(fixture->pool, &(Slice){.nodes = nodes}) == SLICE_PAUSED) {
        assert_true(pool_is_searching(fixture->pool));
        assert_int_equal(fixture->best_moves, 0);
        count++;
    }
    assert_int_equal(fixture->best_moves, 1);
    assert_false(pool_is_searching(fixture->pool));
    return count;
}

static void one_slice_is_the_search_of_a_thread(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 9});
    assert_int_equal(search_in_slices(fixture, 0), 1);
    const uint64_t nodes = fixture->nodes;
    const Move best = fixture->best;
    if (!THREADS_EXIST) return;
    const Position pos = test_position(MIDDLEGAME);
    pool_clear(fixture->pool);
    fixture->depth = 0;
    fixture->nodes = 0;
    pool_start(fixture->pool, &pos,
               &(SearchLimits){.depth = 9, .multi_pv = 1, .start = clock_microseconds()});
    pool_wait(fixture->pool);
    assert_int_equal(fixture->nodes, nodes);
    assert_int_equal(fixture->best, best);
}

static void many_slices_reach_the_same_depth(void **state) {
    Fixture *fixture = *state;
    for (int lines = 1; lines <= 3; lines += 2) {
        pool_clear(fixture->pool);
        start(fixture, MIDDLEGAME, (SearchLimits){.depth = 10, .multi_pv = lines});
        assert_true(search_in_slices(fixture, 2000) > 5);
        assert_int_equal(fixture->depth, 10);
        assert_true(fixture->best != MOVE_NONE);
    }
}

/* A slice of a few nodes ends before it is back where the last one ended. */
static void slices_too_short_to_get_anywhere_get_longer(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 8});
    search_in_slices(fixture, 1);
    assert_int_equal(fixture->depth, 8);
}

static void a_node_limit_binds_all_slices_together(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.nodes = 20000});
    assert_true(search_in_slices(fixture, 1000) >= 5);
    assert_in_range(fixture->nodes, 1, 20000);
}

static void a_clock_runs_between_slices_too(void **state) {
    Fixture *fixture = *state;
    /* Long enough for emulators, where the first slice takes too long. */
    start(fixture, MIDDLEGAME, (SearchLimits){.has_move_time = true, .move_time = 1500});
    assert_int_equal(pool_slice(fixture->pool, &(Slice){.time = 1000}), SLICE_PAUSED);
    clock_sleep_milliseconds(1520);
    assert_int_equal(pool_slice(fixture->pool, &(Slice){.time = 1000}), SLICE_FINISHED);
    assert_int_equal(fixture->best_moves, 1);
}

static void a_stop_between_slices_ends_the_search(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.infinite = true});
    assert_int_equal(pool_slice(fixture->pool, &(Slice){.nodes = 5000}), SLICE_PAUSED);
    pool_stop(fixture->pool);
    assert_int_equal(pool_slice(fixture->pool, &(Slice){.nodes = 5000}), SLICE_FINISHED);
    assert_int_equal(fixture->best_moves, 1);
    assert_int_equal(pool_slice(fixture->pool, &(Slice){.nodes = 5000}), SLICE_FINISHED);
    assert_int_equal(fixture->best_moves, 1);
}

static void a_held_search_does_no_work(void **state) {
    Fixture *fixture = *state;
    start(fixture, MATE_IN_TWO, (SearchLimits){.infinite = true});
    SliceEnd end;
    while ((end = pool_slice(fixture->pool, &(Slice){.nodes = 20000})) == SLICE_PAUSED) {
    }
    assert_int_equal(end, SLICE_HELD);
    assert_int_equal(fixture->best_moves, 0);
    pool_stop(fixture->pool);
    assert_int_equal(pool_slice(fixture->pool, &(Slice){0}), SLICE_FINISHED);
    assert_int_equal(fixture->best_moves, 1);
}

static void waiting_runs_the_slices(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 7});
    pool_slice(fixture->pool, &(Slice){.nodes = 1000});
    pool_wait(fixture->pool);
    assert_int_equal(fixture->depth, 7);
    assert_int_equal(fixture->best_moves, 1);
}

static void the_host_is_asked_and_can_stop(void **state) {
    Fixture *fixture = *state;
    fixture->stops_at = 20;
    start(fixture, MIDDLEGAME, (SearchLimits){.infinite = true});
    pool_wait(fixture->pool);
    assert_int_equal(fixture->polls, 20);
    assert_int_equal(fixture->best_moves, 1);
    assert_in_range(fixture->nodes, 2000, 20000);
}

static void helpers_sleep_and_are_not_counted(void **state) {
    Fixture *fixture = *state;
    if (!THREADS_EXIST) return;
    const Position pos = test_position(MIDDLEGAME);
    fixture->in_threads = true;
    assert_ok(pool_set_threads(fixture->pool, 3));
    pool_start(fixture->pool, &pos,
               &(SearchLimits){.depth = 8, .multi_pv = 1, .start = clock_microseconds()});
    pool_wait(fixture->pool);
    start(fixture, MIDDLEGAME, (SearchLimits){.nodes = 3000});
    search_in_slices(fixture, 0);
    assert_in_range(fixture->nodes, 1, 3000);
    pool_start(fixture->pool, &pos,
               &(SearchLimits){.depth = 8, .multi_pv = 1, .start = clock_microseconds()});
    pool_wait(fixture->pool);
    assert_int_equal(fixture->best_moves, 2);
}

static void destroying_ends_it(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.infinite = true});
    pool_slice(fixture->pool, &(Slice){.nodes = 5000});
    pool_destroy(fixture->pool);
    fixture->pool = NULL;
    assert_int_equal(fixture->best_moves, 1);
}

int main(void) {
#define SLICE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        SLICE_TEST(one_slice_is_the_search_of_a_thread),
        SLICE_TEST(many_slices_reach_the_same_depth),
        SLICE_TEST(slices_too_short_to_get_anywhere_get_longer),
        SLICE_TEST(a_node_limit_binds_all_slices_together),
        SLICE_TEST(a_clock_runs_between_slices_too),
        SLICE_TEST(a_stop_between_slices_ends_the_search),
        SLICE_TEST(a_held_search_does_no_work),
        SLICE_TEST(waiting_runs_the_slices),
        SLICE_TEST(the_host_is_asked_and_can_stop),
        SLICE_TEST(helpers_sleep_and_are_not_counted),
        SLICE_TEST(destroying_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
