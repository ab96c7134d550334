/* Time management: never uses more than the clock has. */
#include "search/timeman.h"

#include "search/params.h"
#include "test_support.h"

enum { MILLISECOND = 1000 };

static SearchLimits clock_of(int64_t clock, int64_t increment, int moves_to_go, int overhead) {
    SearchLimits limits = {.moves_to_go = moves_to_go, .move_overhead = overhead};
    limits.has_clock[WHITE] = true;
    limits.clock[WHITE] = clock;
    limits.increment[WHITE] = increment;
    return limits;
}

/* Random numbers of all sizes, also negative. */
static int64_t random_milliseconds(Rng *rng) {
    const int64_t value = (int64_t)(rng_next(rng) >> (1 + rng_below(rng, 63)));
    return rng_below(rng, 8) == 0 ? -value : value;
}

static void assert_is_sane(const TimeManager *time, int64_t clock, int64_t overhead) {
    assert_true(time->limited);
    assert_true(time->soft > 0 && time->hard >= time->soft);
    const int64_t shown = clock < 0 ? 0 : clock > 1000000000 ? 1000000000 : clock, left = shown - overhead;
    const int64_t most = left > 1 ? left * MILLISECOND : MILLISECOND;
    if (time->hard > most)
        fail_msg("%lld microseconds of a clock of %lld ms", (long long)time->hard, (long long)clock);
}

static void never_more_than_the_clock_less_the_overhead(void **state) {
    (void)state;
    Rng rng = rng_seed(5);
    for (int i = 0; i < 100000; i++) {
        const int64_t clock = i % 3 ? random_milliseconds(&rng) : (int64_t)rng_below(&rng, 3000) - 200;
        const int overhead = i % 2 ? 10 : (int)rng_below(&rng, 5001);
        const int moves_to_go = i % 4 ? 0 : (int)rng_below(&rng, 100);
        const SearchLimits limits = clock_of(clock, random_milliseconds(&rng), moves_to_go, overhead);
        const TimeManager time = timeman_plan(&limits, WHITE);
        assert_is_sane(&time, clock, overhead);
    }
}

static void extreme_clocks_are_legal(void **state) {
    (void)state;
    static const int64_t CLOCKS[] = {INT64_MIN, -1, 0, 1, 9, 10, 11, INT32_MAX, INT64_MAX};
    for (size_t i = 0; i < sizeof CLOCKS / sizeof *CLOCKS; i++) {
        for (int moves = -1; moves <= 2; moves++) {
            const SearchLimits limits = clock_of(CLOCKS[i], INT64_MAX, moves, 10);
            const TimeManager time = timeman_plan(&limits, WHITE);
            assert_is_sane(&time, CLOCKS[i], 10);
        }
        const SearchLimits limits = {.has_move_time = true, .move_time = CLOCKS[i], .move_overhead = 5000};
        const TimeManager time = timeman_plan(&limits, BLACK);
        const int64_t half = CLOCKS[i] < 0 ? 0 : CLOCKS[i] > 1000000000 ? 500000000 : CLOCKS[i] / 2;
        if (half > 1 && CLOCKS[i] < 2 * 5000)
            assert_int_equal(time.hard, half * MILLISECOND); /* the overhead never takes more */
        else
            assert_is_sane(&time, CLOCKS[i], 5000);
    }
}

/* Reserving the overhead of all later moves once took all of a short clock: each move had a millisecond. */
static void the_overhead_of_later_moves_leaves_something(void **state) {
    (void)state;
    static const int64_t CASES[][3] = {/* clock, moves to go, overhead: milliseconds */
                                       {29000, 0, 1000}, {14000, 0, 500}, {2900, 0, 100},
                                       {300, 0, 10},     {100, 10, 10},   {5000, 40, 1000}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const SearchLimits limits = clock_of(CASES[i][0], 0, (int)CASES[i][1], (int)CASES[i][2]);
        const TimeManager time = timeman_plan(&limits, WHITE);
        assert_true(time.soft >= CASES[i][0] * MILLISECOND / 200);
        assert_true(time.hard <= CASES[i][0] * MILLISECOND / 5);
    }
}

static void an_empty_clock_leaves_a_millisecond(void **state) {
    (void)state;
    const SearchLimits limits = clock_of(0, 0, 0, 10);
    const TimeManager time = timeman_plan(&limits, WHITE);
    assert_int_equal(time.hard, MILLISECOND);
}

static void move_time_is_used_but_for_the_overhead(void **state) {
    (void)state;
    SearchLimits limits = {.has_move_time = true, .move_time = 500, .move_overhead = 30};
    const TimeManager time = timeman_plan(&limits, WHITE);
    assert_true(time.limited && time.fixed);
    assert_int_equal(time.hard, 470 * MILLISECOND);
    const TimeSigns signs = {.stable_iterations = 100, .best_move_permille = 1000};
    assert_false(timeman_is_enough(&time, 469 * MILLISECOND, &signs));
    assert_true(timeman_is_enough(&time, 470 * MILLISECOND, &signs));
}

static void without_a_clock_there_is_no_limit(void **state) {
    (void)state;
    const SearchLimits limits = clock_of(1000, 0, 0, 10);
    const TimeManager time = timeman_plan(&limits, BLACK); /* White's clock */
    assert_false(time.limited);
    assert_false(timeman_is_enough(&time, INT64_MAX, &(TimeSigns){0}));
}

static void the_last_move_before_the_control_may_use_nearly_all(void **state) {
    (void)state;
    SearchLimits limits = clock_of(60000, 0, 1, 100);
    const TimeManager last = timeman_plan(&limits, WHITE);
    assert_in_range(last.hard, 50000 * MILLISECOND, 59900 * MILLISECOND);
    limits.moves_to_go = 40;
    const TimeManager first = timeman_plan(&limits, WHITE);
    assert_true(first.soft < last.soft && first.hard < last.hard);
    assert_in_range(first.soft, 60000 * MILLISECOND / 200, 60000 * MILLISECOND / 20);
}

/* With an increment of a millisecond and a clock below the overhead, moves once took more than the increment
 * until time ran out. */
static void a_nearly_empty_clock_fills_again(void **state) {
    (void)state;
    for (int64_t clock = 0; clock <= 14; clock++) {
        const SearchLimits limits = clock_of(clock, 1, 0, 10);
        const TimeManager time = timeman_plan(&limits, WHITE);
        assert_true(time.soft <= MILLISECOND / 3);
    }
    const SearchLimits limits = clock_of(100, 1, 0, 10);
    assert_true(timeman_plan(&limits, WHITE).soft >=
                MILLISECOND); /* a clock that is not nearly empty is used */
}

/* Before the time control no move uses all time, even with an increment as long as the clock. */
static void a_reserve_stays(void **state) {
    (void)state;
    for (int64_t clock = 20; clock < 20000; clock += 20)
        for (int moves = 0; moves < 40; moves = moves ? moves * 2 : 2) {
            const SearchLimits limits = clock_of(clock, clock, moves, 5);
            const TimeManager time = timeman_plan(&limits, WHITE);
            assert_true(time.hard <= clock * MILLISECOND * 3 / 4);
        }
}

/* Complete games at difficult time controls. Every move uses all of its hard limit and half of the overhead:
 * time must not run out. */
static void no_game_is_lost_on_time(void **state) {
    (void)state;
    static const int CONTROLS[][4] = {/* clock, increment, moves, overhead: milliseconds */
                                      {1000, 10, 0, 10},  {1000, 0, 0, 10}, {8000, 80, 0, 10},
                                      {60000, 0, 40, 10}, {1000, 0, 1, 10}, {10000, 0, 40, 50},
                                      {1000, 100, 0, 90}, {30, 10, 0, 5}};
    for (size_t i = 0; i < sizeof CONTROLS / sizeof *CONTROLS; i++) {
        const int period = CONTROLS[i][2], overhead = CONTROLS[i][3];
        int64_t clock = CONTROLS[i][0] * MILLISECOND;
        for (int move = 0; move < 300; move++) {
            const int to_go = period ? period - move % period : 0;
            const SearchLimits limits = clock_of(clock / MILLISECOND, CONTROLS[i][1], to_go, overhead);
            const TimeManager time = timeman_plan(&limits, WHITE);
            const bool added = CONTROLS[i][1] || period;
            clock -= time.hard;
            /* Without increments the overhead alone uses up any clock, so it is small then. */
            clock -= added ? overhead * MILLISECOND / 2 : 0;
            if (clock < 0) {
                if (!added && move > 80) break;
                fail_msg("control %zu: flag at move %d", i, move + 1);
            }
            clock += CONTROLS[i][1] * MILLISECOND;
            if (to_go == 1) clock += CONTROLS[i][0] * MILLISECOND;
        }
    }
}

static void more_clock_never_gives_less_time(void **state) {
    (void)state;
    for (int moves = 0; moves <= 40; moves += 8) {
        TimeManager before = {.soft = 0, .hard = 0};
        for (int64_t clock = 0; clock < 100000; clock += 37) {
            const SearchLimits limits = clock_of(clock, 100, moves, 20);
            const TimeManager time = timeman_plan(&limits, WHITE);
            assert_true(time.soft >= before.soft && time.hard >= before.hard);
            before = time;
        }
    }
}

/* The smallest sufficient time, to a millisecond. */
static int64_t time_to_enough(const TimeManager *time, const TimeSigns *signs) {
    int64_t elapsed = 0;
    while (!timeman_is_enough(time, elapsed, signs)) elapsed += MILLISECOND;
    return elapsed;
}

static void a_stable_and_obvious_move_is_played_sooner(void **state) {
    (void)state;
    const SearchLimits limits = clock_of(60000, 600, 0, 10);
    const TimeManager time = timeman_plan(&limits, WHITE);
    int64_t previous = INT64_MAX;
    for (int stable = 0; stable <= 10; stable++) {
        const TimeSigns signs = {
            .stable_iterations = stable, .best_move_permille = 100 * stable, .iteration = 12};
        const int64_t elapsed = time_to_enough(&time, &signs);
        assert_true(elapsed <= previous);
        assert_true(elapsed <= time.hard + MILLISECOND);
        if (stable == 0) assert_true(elapsed > time.soft);
        if (stable == 10) assert_true(elapsed < time.soft);
        previous = elapsed;
    }
}

static void a_falling_score_earns_time(void **state) {
    (void)state;
    const SearchLimits limits = clock_of(60000, 600, 0, 10);
    const TimeManager time = timeman_plan(&limits, WHITE);
    int64_t previous = 0;
    for (int drop = -300; drop <= 300; drop += 20) {
        const TimeSigns signs = {.stable_iterations = 4, .best_move_permille = 500, .score_drop = drop};
        const int64_t elapsed = time_to_enough(&time, &signs);
        assert_true(elapsed >= previous);
        assert_true(elapsed <= time.hard + MILLISECOND);
        previous = elapsed;
    }
}

static void a_score_below_that_of_our_last_move_earns_time(void **state) {
    (void)state;
    const SearchLimits limits = clock_of(60000, 600, 0, 10);
    const TimeManager time = timeman_plan(&limits, WHITE);
    const TimeSigns calm = {.stable_iterations = 4, .best_move_permille = 500};
    TimeSigns worse = calm, better = calm;
    worse.game_drop = 60;
    better.game_drop = -60;
    assert_true(time_to_enough(&time, &worse) > time_to_enough(&time, &calm));
    assert_true(time_to_enough(&time, &better) < time_to_enough(&time, &calm));
}

static void the_nodes_of_the_first_iterations_do_not_count(void **state) {
    (void)state;
    const SearchLimits limits = clock_of(60000, 600, 0, 10);
    const TimeManager time = timeman_plan(&limits, WHITE);
    TimeSigns one_sided = {.best_move_permille = 990, .iteration = params.time_iteration - 1};
    TimeSigns even = {.best_move_permille = 300, .iteration = params.time_iteration - 1};
    assert_int_equal(time_to_enough(&time, &one_sided), time_to_enough(&time, &even));
    one_sided.iteration = even.iteration = params.time_iteration;
    assert_true(time_to_enough(&time, &one_sided) < time_to_enough(&time, &even));
}

/* A falling score may need several times the usual time: the hard limit must allow it. */
static void the_hard_limit_leaves_time_for_a_falling_score(void **state) {
    (void)state;
    const SearchLimits limits = clock_of(60000, 600, 0, 10);
    const TimeManager time = timeman_plan(&limits, WHITE);
    assert_true(time.hard >= 3 * time.soft);
    assert_true(time.hard <= 60000 * MILLISECOND * 3 / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_more_than_the_clock_less_the_overhead),
        cmocka_unit_test(extreme_clocks_are_legal),
        cmocka_unit_test(the_overhead_of_later_moves_leaves_something),
        cmocka_unit_test(an_empty_clock_leaves_a_millisecond),
        cmocka_unit_test(move_time_is_used_but_for_the_overhead),
        cmocka_unit_test(without_a_clock_there_is_no_limit),
        cmocka_unit_test(the_last_move_before_the_control_may_use_nearly_all),
        cmocka_unit_test(a_falling_score_earns_time),
        cmocka_unit_test(a_score_below_that_of_our_last_move_earns_time),
        cmocka_unit_test(the_nodes_of_the_first_iterations_do_not_count),
        cmocka_unit_test(the_hard_limit_leaves_time_for_a_falling_score),
        cmocka_unit_test(a_nearly_empty_clock_fills_again),
        cmocka_unit_test(a_reserve_stays),
        cmocka_unit_test(no_game_is_lost_on_time),
        cmocka_unit_test(more_clock_never_gives_less_time),
        cmocka_unit_test(a_stable_and_obvious_move_is_played_sooner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
