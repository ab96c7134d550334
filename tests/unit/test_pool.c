/* The search pool, controlled from other threads. Also runs under the thread sanitizer. */
#include "search/pool.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/sync.h"
#include "test_support.h"

#include <stdatomic.h>
#include <stdlib.h>

static const char MIDDLEGAME[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10";
static const char MATE_IN_ONE[] = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

/* The reports of a pool. The test reads the counters while the pool writes them. */
typedef struct Report {
    atomic_int infos, best_moves;
    Move line; /* first move of the last line */
    Move best, ponder;
    int depth;
    int64_t best_move_time;
    uint64_t nodes;
} Report;

static void note_info(void *context, const SearchInfo *info) {
    Report *report = context;
    report->depth = info->depth;
    report->line = info->pv[0];
    report->nodes = info->nodes;
    atomic_fetch_add(&report->infos, 1);
}

static void note_best_move(void *context, Move best, Move ponder) {
    Report *report = context;
    report->best = best;
    report->ponder = ponder;
    report->best_move_time = clock_microseconds();
    atomic_fetch_add(&report->best_moves, 1);
}

typedef struct Fixture {
    SearchPool *pool;
    int threads;
    Report report;
} Fixture;

static int set_up(void **state) {
    static Fixture fixture;
    test_set_up_chess(state);
    fixture = (Fixture){.threads = 1};
    Status status;
    const SearchListener listener = {
        .context = &fixture.report, .info = note_info, .best_move = note_best_move};
    fixture.pool = pool_create(&listener, 2, NULL, &status);
    *state = &fixture;
    return fixture.pool == NULL;
}

static int set_up_three_threads(void **state) {
    if (set_up(state) != 0) return 1;
    Fixture *fixture = *state;
    fixture->threads = 3;
    const Status status = pool_set_threads(fixture->pool, fixture->threads);
    return !status_is_ok(&status);
}

static int tear_down(void **state) {
    pool_destroy(((Fixture *)*state)->pool);
    return 0;
}

static void start(Fixture *fixture, const char *fen, SearchLimits limits) {
    const Position pos = test_position(fen);
    limits.start = clock_microseconds();
    limits.multi_pv = 1;
    pool_start(fixture->pool, &pos, &limits);
}

/* Waits for the pool, but not forever. */
static bool answers_within(Fixture *fixture, int64_t milliseconds) {
    const int64_t end = clock_milliseconds() + milliseconds;
    while (pool_is_searching(fixture->pool) && clock_milliseconds() < end) clock_sleep_milliseconds(1);
    return !pool_is_searching(fixture->pool);
}

static void memory_is_for_table_and_threads_together(void **state) {
    (void)state;
    assert_ok(pool_check_memory(16, 1, 300));
    assert_fails(pool_check_memory(295, 1, 300),
                 "Hash 295 and 1 thread need 326 MiB of memory, 300 MiB are there");
    assert_fails(pool_check_memory(16, 256, 1024), "256 threads");
    assert_ok(pool_check_memory(HASH_MAX, THREADS_MAX, UINT64_MAX));
    SearchPool *pool = ((Fixture *)*state)->pool;
    const size_t physical = (size_t)(memory_physical() >> 20);
    if (physical > 8 && physical <= HASH_MAX) assert_fails(pool_set_hash(pool, physical - 8), "of memory");
}

static void a_limited_search_answers_by_itself(void **state) {
    Fixture *fixture = *state;
    for (int i = 1; i <= 5; i++) {
        start(fixture, MIDDLEGAME, (SearchLimits){.depth = i});
        pool_wait(fixture->pool);
        assert_false(pool_is_searching(fixture->pool));
        assert_int_equal(fixture->report.best_moves, i);
        /* A thread with a lower depth may be elected. */
        assert_in_range(fixture->report.depth, fixture->threads == 1 ? i : 1, i);
        const Position pos = test_position(MIDDLEGAME);
        assert_true(movegen_is_legal(&pos, fixture->report.best));
    }
}

static int64_t stopped_after(Fixture *fixture, int64_t milliseconds) {
    const int before = fixture->report.best_moves;
    start(fixture, MIDDLEGAME, (SearchLimits){.infinite = true});
    clock_sleep_milliseconds(milliseconds);
    const int64_t asked = clock_microseconds();
    pool_stop(fixture->pool);
    pool_wait(fixture->pool);
    assert_int_equal(fixture->report.best_moves, before + 1);
    assert_int_not_equal(fixture->report.best, MOVE_NONE);
    return fixture->report.best_move_time - asked;
}

static void stop_is_obeyed_at_once(void **state) {
    for (int i = 0; i < 10; i++) assert_in_range(stopped_after(*state, i * 4), 0, 1000 * test_within(100));
}

/* If a search ends early, infinite and ponder hold bestmove back while the thread sleeps. */
static void assert_is_held(Fixture *fixture, const char *fen, SearchLimits limits) {
    const int before = fixture->report.best_moves, infos = fixture->report.infos;
    start(fixture, fen, limits);
    const int64_t end = clock_milliseconds() + 3000;
    int seen = infos;
    while (clock_milliseconds() < end) { /* until no line has been reported for a while */
        clock_sleep_milliseconds(60);
        if (fixture->report.infos == seen && seen > infos) break;
        seen = fixture->report.infos;
    }
    const int64_t used = clock_cpu_microseconds();
    clock_sleep_milliseconds(60);
    assert_true(clock_cpu_microseconds() - used < 30000);
    assert_int_equal(fixture->report.best_moves, before);
    assert_true(pool_is_searching(fixture->pool));
}

static void infinite_holds_bestmove_without_work(void **state) {
    Fixture *fixture = *state;
    const SearchLimits early_ends[] = {{.infinite = true, .depth = 2},
                                       {.infinite = true, .nodes = 500},
                                       {.infinite = true, .mate = 1},
                                       {.infinite = true, .has_move_time = true, .move_time = 20}};
    for (size_t i = 0; i < sizeof early_ends / sizeof *early_ends; i++) {
        assert_is_held(fixture, MATE_IN_ONE, early_ends[i]);
        pool_stop(fixture->pool);
        assert_true(answers_within(fixture, test_within(1000)));
        assert_int_equal(fixture->report.best_moves, (int)i + 1);
    }
}

static void ponder_holds_bestmove_until_the_hit(void **state) {
    Fixture *fixture = *state;
    const SearchLimits early_ends[] = {{.ponder = true, .depth = 2}, {.ponder = true, .nodes = 500}};
    for (size_t i = 0; i < sizeof early_ends / sizeof *early_ends; i++) {
        assert_is_held(fixture, MIDDLEGAME, early_ends[i]);
        pool_ponderhit(fixture->pool);
        assert_true(answers_within(fixture, test_within(1000)));
        assert_int_equal(fixture->report.best_moves, (int)i + 1);
    }
}

static int64_t moved_after_hit(Fixture *fixture, int64_t milliseconds) {
    start(fixture, MIDDLEGAME,
          (SearchLimits){.ponder = true, .has_move_time = true, .move_time = milliseconds});
    assert_false(answers_within(fixture, 2 * milliseconds + 20));
    const int64_t hit = clock_microseconds();
    pool_ponderhit(fixture->pool);
    assert_true(answers_within(fixture, test_within(5000)));
    const int64_t took = fixture->report.best_move_time - hit;
    assert_true(took >= 900 * milliseconds);
    return took;
}

static void the_clock_runs_from_the_hit(void **state) {
    assert_in_range(moved_after_hit(*state, 50), 0, 1000 * test_within(90));
}

static int64_t answered_by_clock(Fixture *fixture, int64_t clock) {
    SearchLimits limits = {.has_clock = {true, true}, .move_overhead = 10};
    limits.clock[WHITE] = clock;
    const int64_t begin = clock_microseconds();
    start(fixture, MIDDLEGAME, limits);
    pool_wait(fixture->pool);
    return fixture->report.best_move_time - begin;
}

/* Allows some milliseconds for the first iteration and for threads to wake. */
static void a_clock_is_kept(void **state) {
    for (int64_t clock = 0; clock <= 200; clock += 40)
        assert_in_range(answered_by_clock(*state, clock), 0, 1000 * test_within(clock + 20));
}

static void no_legal_move_gives_none(void **state) {
    Fixture *fixture = *state;
    const char *const ends[] = {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"};
    for (int i = 0; i < 2; i++) {
        start(fixture, ends[i], (SearchLimits){.depth = 5});
        pool_wait(fixture->pool);
        assert_int_equal(fixture->report.best_moves, i + 1);
        assert_int_equal(fixture->report.best, MOVE_NONE);
        assert_int_equal(fixture->report.ponder, MOVE_NONE);
    }
    start(fixture, ends[0], (SearchLimits){.infinite = true});
    assert_false(answers_within(fixture, 50));
    pool_stop(fixture->pool);
    assert_true(answers_within(fixture, test_within(1000)));
}

static void the_ponder_move_answers_the_best(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 6});
    pool_wait(fixture->pool);
    Position pos = test_position(MIDDLEGAME);
    Undo undo;
    position_make_move(&pos, fixture->report.best, &undo);
    assert_true(movegen_is_legal(&pos, fixture->report.ponder));
}

static void a_hash_too_large_is_refused_and_the_old_one_works(void **state) {
    Fixture *fixture = *state;
    assert_fails(pool_set_hash(fixture->pool, (size_t)(memory_physical() >> 20) + 1), "memory");
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 4});
    pool_wait(fixture->pool);
    assert_int_equal(fixture->report.best_moves, 1);
    assert_ok(pool_set_hash(fixture->pool, 1));
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 4});
    pool_wait(fixture->pool);
    assert_int_equal(fixture->report.best_moves, 2);
    assert_fails(pool_set_threads(fixture->pool, THREADS_MAX + 1), "");
    assert_ok(pool_set_threads(fixture->pool, 1));
}

static void clearing_makes_searches_equal(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 7});
    pool_wait(fixture->pool);
    const uint64_t nodes = fixture->report.nodes;
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 7});
    pool_wait(fixture->pool);
    assert_int_not_equal(fixture->report.nodes, nodes); /* the table helps */
    pool_clear(fixture->pool);
    start(fixture, MIDDLEGAME, (SearchLimits){.depth = 7});
    pool_wait(fixture->pool);
    assert_int_equal(fixture->report.nodes, nodes);
}

static uint64_t nodes_on_node_clock(Fixture *fixture, int64_t clock) {
    start(fixture, MIDDLEGAME,
          (SearchLimits){
              .has_clock = {true, true}, .clock = {clock, clock}, .increment = {10, 10}, .node_time = 100});
    pool_wait(fixture->pool);
    return fixture->report.nodes;
}

/* As on any machine: the same nodes each time, by a clock that is the engine's own during a game. */
static void a_clock_of_nodes_does_not_run_with_time(void **state) {
    Fixture *fixture = *state;
    const uint64_t first = nodes_on_node_clock(fixture, 1000);
    assert_in_range(first, 1000, 60000);
    const uint64_t second = nodes_on_node_clock(fixture, 1), third = nodes_on_node_clock(fixture, 5);
    assert_in_range(second, 1000, 60000); /* not those of a millisecond */
    for (int i = 0; i < 3; i++) {
        pool_clear(fixture->pool);
        assert_int_equal(nodes_on_node_clock(fixture, 1000), first);
        assert_int_equal(nodes_on_node_clock(fixture, 1000), second);
        assert_int_equal(nodes_on_node_clock(fixture, 100000), third);
    }
    pool_clear(fixture->pool);
    assert_in_range(nodes_on_node_clock(fixture, 1), 1, 1000);
}

/* A clock that only loses runs out, and the moves come at once then. */
static void a_clock_of_nodes_runs_out(void **state) {
    Fixture *fixture = *state;
    const SearchLimits limits = {.has_clock = {true, true}, .clock = {100, 100}, .node_time = 100};
    uint64_t first = 0;
    for (int i = 0; i < 100; i++) {
        start(fixture, MIDDLEGAME, limits);
        pool_wait(fixture->pool);
        if (i == 0) first = fixture->report.nodes;
    }
    assert_in_range(fixture->report.nodes, 1, first / 2);
}

/* The node limit counts all threads. */
static void a_node_limit_binds_all_threads_together(void **state) {
    enum { TRIES = 8 };
    Fixture *fixture = *state;
    const uint64_t limit = 300000;
    uint64_t nodes = UINT64_MAX;
    /* More: the others go on while the main thread, which counts, waits for a processor, on a busy machine
     * for long. Less: an iteration that ends before its first move has a score reports no line, so the last
     * line may be much older than the end. */
    for (int i = 0; i < TRIES && (nodes < limit / 2 || nodes > limit + limit / 2); i++) {
        pool_clear(fixture->pool);
        start(fixture, MIDDLEGAME, (SearchLimits){.nodes = limit});
        pool_wait(fixture->pool);
        nodes = fixture->report.nodes;
    }
    assert_in_range(nodes, limit / 2, limit + limit / 2);
}

/* A helper may wake late: its nodes of the last search must not count. */
static void helpers_begin_without_nodes(void **state) {
    const int tries = test_share(10);
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.nodes = 400000});
    pool_wait(fixture->pool);
    for (int i = 0; i < tries; i++) {
        start(fixture, MIDDLEGAME, (SearchLimits){.depth = 1});
        pool_wait(fixture->pool);
        assert_in_range(fixture->report.nodes, 1, 100000);
        start(fixture, MIDDLEGAME, (SearchLimits){.nodes = 400000});
        pool_wait(fixture->pool);
    }
}

/* Whichever thread is elected, the last reported line must be the one that is played. */
static void the_last_line_is_the_one_that_is_played(void **state) {
    Fixture *fixture = *state;
    assert_ok(pool_set_threads(fixture->pool, 4));
    for (uint64_t i = 0; i < (uint64_t)test_share(100); i++) {
        start(fixture, MIDDLEGAME, (SearchLimits){.nodes = 3000 + 500 * i});
        pool_wait(fixture->pool);
        assert_int_equal(fixture->report.line, fixture->report.best);
        if (i % 10 == 0) pool_clear(fixture->pool);
    }
}

static void every_number_of_threads_finds_the_mate(void **state) {
    Fixture *fixture = *state;
    static const int COUNTS[] = {2, 7, 1, 16, 3};
    const Position pos = test_position(MATE_IN_ONE);
    Move mate = MOVE_NONE;
    assert_ok(lan_parse(&pos, text_view("a1a8"), &mate));
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        assert_ok(pool_set_threads(fixture->pool, COUNTS[i]));
        start(fixture, MATE_IN_ONE, (SearchLimits){.has_move_time = true, .move_time = 20});
        pool_wait(fixture->pool);
        assert_int_equal(fixture->report.best, mate);
        pool_clear(fixture->pool);
    }
}

static int64_t stopped_with_many_threads(Fixture *fixture, int64_t milliseconds) {
    start(fixture, MIDDLEGAME, (SearchLimits){.infinite = true});
    clock_sleep_milliseconds(milliseconds);
    const int64_t asked = clock_microseconds();
    pool_stop(fixture->pool);
    assert_true(answers_within(fixture, test_within(5000)));
    const int64_t took = fixture->report.best_move_time - asked;
    print_message("64 threads stopped within %lld us\n", (long long)took);
    return took;
}

static void sixty_four_threads_on_a_large_table_stop_at_once(void **state) {
    Fixture *fixture = *state;
    if (memory_physical() < (uint64_t)3 << 30) skip();
    assert_ok(pool_set_threads(fixture->pool, 64));
    assert_ok(pool_set_hash(fixture->pool, 1024));
    assert_in_range(stopped_with_many_threads(fixture, 200), 0, 1000 * test_within(100));
}

static int64_t answered_after_hit(Fixture *fixture, int64_t clock) {
    start(fixture, MIDDLEGAME,
          (SearchLimits){.ponder = true, .has_clock = {true, true}, .clock = {clock, clock}});
    assert_false(answers_within(fixture, clock / 5));
    const int64_t hit = clock_microseconds();
    pool_ponderhit(fixture->pool);
    assert_true(answers_within(fixture, test_within(5000)));
    return fixture->report.best_move_time - hit;
}

/* Pondering took longer than the clock allows, so the answer comes immediately. */
static void time_spent_pondering_counts(void **state) {
    assert_in_range(answered_after_hit(*state, 2000), 0, 1000 * test_within(30));
}

static int64_t moved_in_spite_of_hit(Fixture *fixture, int64_t milliseconds) {
    const int64_t begin = clock_microseconds();
    start(fixture, MIDDLEGAME, (SearchLimits){.has_move_time = true, .move_time = milliseconds});
    clock_sleep_milliseconds(milliseconds * 5 / 6);
    pool_ponderhit(fixture->pool);
    assert_true(answers_within(fixture, test_within(5000)));
    return fixture->report.best_move_time - begin;
}

static void a_hit_without_pondering_changes_nothing(void **state) {
    assert_in_range(moved_in_spite_of_hit(*state, 600), 0, 1000 * test_within(900));
}

/* Also after a stop at a fail high, when the move has no line yet: the table supplies the reply. */
static void there_is_nearly_always_a_ponder_move(void **state) {
    Fixture *fixture = *state;
    const int searches = test_share(60);
    int without = 0;
    for (int i = 0; i < searches; i++) {
        start(fixture, MIDDLEGAME, (SearchLimits){.nodes = (uint64_t)(1000 + 700 * i)});
        pool_wait(fixture->pool);
        without += fixture->report.ponder == MOVE_NONE;
        pool_clear(fixture->pool);
    }
    print_message("%d of %d searches without a ponder move\n", without, searches);
    assert_true(without <= 1);
}

/* Several threads call stop and ponderhit at random moments during many searches. */
typedef struct Meddler {
    SearchPool *pool;
    atomic_bool *done;
    uint64_t seed;
} Meddler;

static void meddle(void *argument) {
    const Meddler *meddler = argument;
    Rng rng = rng_seed(meddler->seed);
    while (!atomic_load(meddler->done)) {
        if (rng_below(&rng, 2))
            pool_stop(meddler->pool);
        else
            pool_ponderhit(meddler->pool);
        if (rng_below(&rng, 3) == 0) clock_sleep_milliseconds(1);
    }
}

static void any_thread_may_stop_at_any_moment(void **state) {
    enum { MEDDLERS = 2 };
    const int searches = test_share(100);
    Fixture *fixture = *state;
    atomic_bool done = false;
    Thread threads[MEDDLERS];
    Meddler meddlers[MEDDLERS];
    for (int i = 0; i < MEDDLERS; i++) {
        meddlers[i] = (Meddler){fixture->pool, &done, (uint64_t)i};
        assert_ok(thread_start(&threads[i], meddle, &meddlers[i]));
    }
    for (int i = 0; i < searches; i++) {
        start(fixture, MIDDLEGAME, (SearchLimits){.infinite = i % 2 == 0, .ponder = i % 3 == 0, .depth = 3});
        pool_wait(fixture->pool);
        assert_int_equal(fixture->report.best_moves, i + 1);
    }
    atomic_store(&done, true);
    for (int i = 0; i < MEDDLERS; i++) thread_join(&threads[i]);
}

static void destroying_ends_a_search(void **state) {
    Fixture *fixture = *state;
    start(fixture, MIDDLEGAME, (SearchLimits){.infinite = true});
    pool_destroy(fixture->pool);
    fixture->pool = NULL;
    assert_int_equal(fixture->report.best_moves, 1);
}

static void creation_fails_with_a_reason(void **state) {
    (void)state;
    Status status;
    const SearchListener silent = {.context = NULL};
    assert_null(pool_create(&silent, (size_t)(memory_physical() >> 20) + 1, NULL, &status));
    assert_false(status_is_ok(&status));
    /* A listener is optional. */
    SearchPool *pool = pool_create(&silent, 1, NULL, &status);
    assert_ok(status);
    const Position pos = test_position(MIDDLEGAME);
    pool_start(pool, &pos, &(SearchLimits){.depth = 3, .multi_pv = 1, .start = clock_microseconds()});
    pool_wait(pool);
    pool_destroy(pool);
    pool_destroy(NULL);
}

int main(void) {
#define POOL_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define THREADS_TEST(name) \
    { #name " by three threads", name, set_up_three_threads, tear_down, NULL }
    const struct CMUnitTest tests[] = {
        POOL_TEST(memory_is_for_table_and_threads_together),
        POOL_TEST(a_limited_search_answers_by_itself),
        POOL_TEST(stop_is_obeyed_at_once),
        POOL_TEST(infinite_holds_bestmove_without_work),
        POOL_TEST(ponder_holds_bestmove_until_the_hit),
        POOL_TEST(the_clock_runs_from_the_hit),
        POOL_TEST(a_clock_is_kept),
        POOL_TEST(no_legal_move_gives_none),
        POOL_TEST(the_ponder_move_answers_the_best),
        POOL_TEST(a_hash_too_large_is_refused_and_the_old_one_works),
        POOL_TEST(clearing_makes_searches_equal),
        POOL_TEST(a_clock_of_nodes_does_not_run_with_time),
        POOL_TEST(a_clock_of_nodes_runs_out),
        POOL_TEST(any_thread_may_stop_at_any_moment),
        POOL_TEST(destroying_ends_a_search),
        POOL_TEST(the_last_line_is_the_one_that_is_played),
        POOL_TEST(every_number_of_threads_finds_the_mate),
        POOL_TEST(sixty_four_threads_on_a_large_table_stop_at_once),
        POOL_TEST(time_spent_pondering_counts),
        POOL_TEST(a_hit_without_pondering_changes_nothing),
        POOL_TEST(there_is_nearly_always_a_ponder_move),
        THREADS_TEST(a_limited_search_answers_by_itself),
        THREADS_TEST(stop_is_obeyed_at_once),
        THREADS_TEST(infinite_holds_bestmove_without_work),
        THREADS_TEST(ponder_holds_bestmove_until_the_hit),
        THREADS_TEST(the_clock_runs_from_the_hit),
        THREADS_TEST(a_clock_is_kept),
        THREADS_TEST(no_legal_move_gives_none),
        THREADS_TEST(the_ponder_move_answers_the_best),
        THREADS_TEST(a_node_limit_binds_all_threads_together),
        THREADS_TEST(helpers_begin_without_nodes),
        THREADS_TEST(any_thread_may_stop_at_any_moment),
        THREADS_TEST(destroying_ends_a_search),
        cmocka_unit_test(creation_fails_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
