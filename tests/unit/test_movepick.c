/* The move picker: every legal move once, in the promised order. */
#include "search/movepick.h"

#include "base/memory.h"
#include "search/see.h"
#include "test_support.h"
#include "walk.h"

static int set_up(void **state) {
    test_set_up_chess(state);
    *state = memory_allocate_aligned(sizeof(Histories), 64);
    return *state == NULL;
}

static int tear_down(void **state) {
    memory_release_aligned(*state);
    return 0;
}

static void fill_with_noise(Histories *histories, Rng *rng) {
    int16_t *counters = (int16_t *)(void *)histories;
    for (size_t i = 0; i < sizeof *histories / sizeof *counters; i++)
        counters[i] = (int16_t)((int)rng_below(rng, 2 * HISTORY_MAX) - HISTORY_MAX);
}

static void set_path(Histories *histories, const Position *pos, Path *path, Rng *rng) {
    for (int i = 0; i < CONTINUATIONS; i++)
        path->continuation[i] =
            &histories->continuation[rng_below(rng, PIECE_COUNT)][rng_below(rng, SQUARE_COUNT)];
    path->threats = position_threats(pos);
}

/* A move as the table or another node may supply it: legal here, one bit from a legal move, or anything. */
static Move any_move(const Position *pos, Rng *rng) {
    const Move move = test_random_move(pos, rng);
    switch (rng_below(rng, 4)) {
    case 0: return MOVE_NONE;
    case 1: return move;
    case 2: return (Move)(move ^ 1u << rng_below(rng, 16));
    default: return (Move)rng_next(rng);
    }
}

static int find(const Move *moves, int count, Move move) {
    for (int i = 0; i < count; i++)
        if (moves[i] == move) return i;
    return -1;
}

/* The moves of a picker; quiet moves are skipped from move number `skip_from` on. */
static int pick_all(MovePicker *picker, Move *picked, int skip_from) {
    int count = 0;
    Move move;
    while ((move = picker_next(picker, count >= skip_from)) != MOVE_NONE) {
        assert_true(count < MAX_MOVES);
        picked[count++] = move;
    }
    assert_int_equal(picker_next(picker, false), MOVE_NONE);
    return count;
}

typedef void Check(Histories *histories, const Position *pos, Rng *rng);

/* Calls a check at every position of random games. */
static void walk(Histories *histories, int games, Check *check) {
    Rng rng = rng_seed(11);
    for (int game = 0; game < games; game++) {
        Position pos = walk_start(&rng, game);
        fill_with_noise(histories, &rng);
        for (int ply = 0; ply < 120; ply++) {
            check(histories, &pos, &rng);
            Undo undo;
            const Move move = walk_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            position_make_move(&pos, move, &undo);
        }
    }
}

static void check_all(Histories *histories, const Position *pos, Rng *rng) {
    Move legal[MAX_MOVES], picked[MAX_MOVES];
    MovePicker picker;
    Path path;
    set_path(histories, pos, &path, rng);
    Move killer[KILLERS] = {any_move(pos, rng), any_move(pos, rng)};
    if (rng_below(rng, 4) == 0) killer[1] = killer[0];
    const Move hash_move = any_move(pos, rng);
    picker_begin(&picker, pos, histories, &path, hash_move, killer);
    const int count = movegen_legal(pos, legal);
    assert_int_equal(pick_all(&picker, picked, MAX_MOVES), count);
    for (int i = 0; i < count; i++) {
        assert_true(find(legal, count, picked[i]) >= 0);
        assert_int_equal(find(picked, count, picked[i]), i);
    }
    if (find(legal, count, hash_move) >= 0) assert_int_equal(picked[0], hash_move);
}

static void every_legal_move_comes_once(void **state) { walk(*state, 30, check_all); }

/* The classes in which moves come. */
enum { CLASS_HASH, CLASS_GOOD, CLASS_KILLER, CLASS_QUIET, CLASS_BAD };

static int class_of(Histories *histories, const Position *pos, Move move, Move hash_move,
                    const Move *killer) {
    if (move == hash_move) return CLASS_HASH;
    if (position_is_noisy(pos, move)) {
        const int history = history_capture_score(histories, pos, move);
        return see_at_least(pos, move, -history / params.capture_see_divisor) ? CLASS_GOOD : CLASS_BAD;
    }
    return find(killer, KILLERS, move) >= 0 ? CLASS_KILLER : CLASS_QUIET;
}

static void check_order(Histories *histories, const Position *pos, Rng *rng) {
    Move picked[MAX_MOVES];
    MovePicker picker;
    Path path;
    set_path(histories, pos, &path, rng);
    const Move killer[KILLERS] = {any_move(pos, rng), any_move(pos, rng)}, hash_move = any_move(pos, rng);
    picker_begin(&picker, pos, histories, &path, hash_move, killer);
    const int count = pick_all(&picker, picked, MAX_MOVES);
    for (int i = 1; i < count; i++) {
        const int before = class_of(histories, pos, picked[i - 1], hash_move, killer);
        const int now = class_of(histories, pos, picked[i], hash_move, killer);
        assert_true(before <= now);
        if (before == CLASS_QUIET && now == CLASS_QUIET)
            assert_true(history_quiet_score(histories, pos, &path, picked[i - 1]) >=
                        history_quiet_score(histories, pos, &path, picked[i]));
    }
}

static void the_order_is_hash_good_killers_quiet_bad(void **state) { walk(*state, 12, check_order); }

static void check_skipping(Histories *histories, const Position *pos, Rng *rng) {
    Move noisy[MAX_MOVES], legal[MAX_MOVES], picked[MAX_MOVES];
    MovePicker picker;
    Path path;
    set_path(histories, pos, &path, rng);
    const Move killer[KILLERS] = {any_move(pos, rng), any_move(pos, rng)}, hash_move = any_move(pos, rng);
    const int noisy_count = movegen_noisy(pos, noisy), legal_count = movegen_legal(pos, legal);
    const int skip_from = (int)rng_below(rng, (uint64_t)legal_count + 1);
    picker_begin(&picker, pos, histories, &path, hash_move, killer);
    const int count = pick_all(&picker, picked, skip_from);
    for (int i = 0; i < count; i++) {
        if (i >= skip_from) assert_true(position_is_noisy(pos, picked[i]));
        assert_true(find(legal, legal_count, picked[i]) >= 0);
        assert_int_equal(find(picked, count, picked[i]), i);
    }
    for (int i = 0; i < noisy_count; i++) assert_true(find(picked, count, noisy[i]) >= 0);
}

static void skipping_affects_quiet_moves_only(void **state) { walk(*state, 12, check_skipping); }

static void check_noisy(Histories *histories, const Position *pos, Rng *rng) {
    Move noisy[MAX_MOVES], picked[MAX_MOVES];
    MovePicker picker;
    const Move hash_move = any_move(pos, rng);
    const int threshold = rng_below(rng, 3) ? (int)rng_below(rng, 1600) - 800 : SEE_ANY;
    const int noisy_count = movegen_noisy(pos, noisy);
    picker_begin_noisy(&picker, pos, histories, hash_move, threshold);
    const int count = pick_all(&picker, picked, MAX_MOVES);
    int expected = 0;
    for (int i = 0; i < noisy_count; i++) {
        const bool wanted =
            noisy[i] == hash_move || threshold == SEE_ANY || see_at_least(pos, noisy[i], threshold);
        assert_int_equal(find(picked, count, noisy[i]) >= 0, wanted);
        expected += wanted;
    }
    assert_int_equal(count, expected);
    if (find(noisy, noisy_count, hash_move) >= 0) assert_int_equal(picked[0], hash_move);
}

static void the_noisy_picker_keeps_to_its_threshold(void **state) { walk(*state, 20, check_noisy); }

/* With equal histories the larger victim comes first, and a queen before other promotions. */
static void victims_come_by_value(void **state) {
    Histories *histories = *state;
    history_clear(histories);
    const Position pos = test_position("7k/P7/8/1q1r4/2P1n3/5P2/8/7K w - - 0 1");
    MovePicker picker;
    picker_begin_noisy(&picker, &pos, histories, MOVE_NONE, SEE_ANY);
    Move picked[MAX_MOVES];
    const int count = pick_all(&picker, picked, MAX_MOVES);
    assert_int_equal(count, 7);
    assert_int_equal(move_kind(picked[0]) == PROMOTION || move_to(picked[0]) == B5, 1);
    assert_int_equal(move_kind(picked[1]) == PROMOTION || move_to(picked[1]) == B5, 1);
    assert_int_equal(move_to(picked[2]), D5);
    assert_int_equal(move_to(picked[3]), E4);
    for (int i = 4; i < 7; i++) assert_int_equal(move_kind(picked[i]), PROMOTION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_comes_once),
        cmocka_unit_test(the_order_is_hash_good_killers_quiet_bad),
        cmocka_unit_test(skipping_affects_quiet_moves_only),
        cmocka_unit_test(the_noisy_picker_keeps_to_its_threshold),
        cmocka_unit_test(victims_come_by_value),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
