/* The transposition table. */
#include "search/tt.h"

#include "base/memory.h"
#include "base/sync.h"
#include "test_support.h"

#include <stdlib.h>

/* The high bits of the key select a bucket: 14 of them with 1 MiB. */
enum { BUCKET_ENTRIES = 6 };

static int set_up(void **state) {
    static TranspositionTable table;
    *state = &table;
    Status status = tt_resize(&table, 1);
    return !status_is_ok(&status);
}

static int tear_down(void **state) {
    tt_release(*state);
    return 0;
}

static HashKey key_in_bucket(HashKey bucket, unsigned low) { return bucket << 50 | low; }

static void store(const TranspositionTable *table, HashKey key, Move move, int score, int depth,
                  Bound bound) {
    TtSlot slot;
    tt_probe(table, key, 0, 0, &slot);
    tt_store(table, slot, move, score, 17, depth, bound, false, 0);
}

static TtEntry probe(const TranspositionTable *table, HashKey key) {
    TtSlot slot;
    return tt_probe(table, key, 0, 0, &slot);
}

static void a_fresh_table_knows_nothing(void **state) {
    const TranspositionTable *table = *state;
    Rng rng = rng_seed(1);
    for (int i = 0; i < 1000; i++) {
        const TtEntry entry = probe(table, i < 2 ? (HashKey)-i : rng_next(&rng));
        assert_false(entry.hit || entry.pv);
        assert_int_equal(entry.move, MOVE_NONE);
        assert_int_equal(entry.score, SCORE_NONE);
        assert_int_equal(entry.eval, SCORE_NONE);
        assert_int_equal(entry.bound, BOUND_NONE);
        assert_int_equal(entry.depth, -1);
    }
    assert_int_equal(tt_full_permille(table), 0);
}

static void every_field_comes_back(void **state) {
    const TranspositionTable *table = *state;
    Rng rng = rng_seed(2);
    for (int i = 0; i < 20000; i++) {
        const HashKey key = rng_next(&rng);
        const Move move = (Move)(1 + rng_below(&rng, 65535));
        const int score = (int)rng_below(&rng, 2 * SCORE_DECIDED - 1) - SCORE_DECIDED + 1;
        const int eval = i % 5 == 0 ? SCORE_NONE : (int)rng_below(&rng, 60000) - 30000;
        const int depth = (int)rng_below(&rng, MAX_PLY);
        const bool pv = rng_below(&rng, 2) != 0;
        TtSlot slot;
        tt_probe(table, key, 3, 0, &slot);
        tt_store(table, slot, move, score, eval, depth, BOUND_EXACT, pv, 3);
        const TtEntry entry = tt_probe(table, key, 200, 99, &slot);
        assert_true(entry.hit);
        assert_int_equal(entry.move, move);
        assert_int_equal(entry.score, score);
        assert_int_equal(entry.eval, eval);
        assert_int_equal(entry.depth, depth);
        assert_int_equal(entry.bound, BOUND_EXACT);
        assert_int_equal(entry.pv, pv);
    }
}

/* An entry with only a static value is found at any ply and proves no bound. */
static void a_value_without_a_score_proves_nothing(void **state) {
    const TranspositionTable *table = *state;
    TtSlot slot;
    tt_probe(table, 78, 100, 0, &slot);
    tt_store(table, slot, MOVE_NONE, SCORE_NONE, -321, -1, BOUND_NONE, false, 100);
    const TtEntry entry = tt_probe(table, 78, 7, 99, &slot);
    assert_true(entry.hit);
    assert_int_equal(entry.eval, -321);
    assert_int_equal(entry.score, SCORE_NONE);
    assert_int_equal(entry.bound, BOUND_NONE);
    assert_int_equal(entry.depth, -1);
    assert_int_equal(entry.move, MOVE_NONE);
}

/* A mate in N plies from the node remains one at any ply. */
static void mates_are_counted_from_the_node(void **state) {
    const TranspositionTable *table = *state;
    HashKey key = 1;
    for (int stored_at = 0; stored_at <= 120; stored_at += 7) {
        for (int found_at = 0; found_at <= 120; found_at += 9) {
            for (int plies = 0; plies <= 80; plies += 5) {
                TtSlot slot;
                key += 0x9E3779B97F4A7C15u;
                tt_probe(table, key, stored_at, 0, &slot);
                tt_store(table, slot, 5, score_mate_in(stored_at + plies), 0, 9, BOUND_EXACT, true,
                         stored_at);
                assert_int_equal(tt_probe(table, key, found_at, 0, &slot).score,
                                 score_mate_in(found_at + plies));
                tt_store(table, slot, 5, score_mated_in(stored_at + plies), 0, 9, BOUND_EXACT, true,
                         stored_at);
                assert_int_equal(tt_probe(table, key, found_at, 0, &slot).score,
                                 score_mated_in(found_at + plies));
            }
        }
    }
}

/* So is a tablebase win. */
static void tablebase_wins_are_counted_from_the_node(void **state) {
    const TranspositionTable *table = *state;
    TtSlot slot;
    tt_probe(table, 79, 4, 0, &slot);
    tt_store(table, slot, 5, SCORE_TABLEBASE - (4 + 11), 0, 9, BOUND_LOWER, false, 4);
    assert_int_equal(tt_probe(table, 79, 2, 89, &slot).score, SCORE_TABLEBASE - (2 + 11));
    assert_int_equal(tt_probe(table, 79, 2, 90, &slot).score, SCORE_DECIDED - 1);
    tt_store(table, slot, 5, -SCORE_TABLEBASE + (4 + 11), 0, 9, BOUND_EXACT, false, 4);
    assert_int_equal(tt_probe(table, 79, 30, 0, &slot).score, -SCORE_TABLEBASE + (30 + 11));
}

/* A mate in 11 plies can be reached with a halfmove clock of 89, not of 90. */
static void mates_beyond_fifty_moves_only_look_good(void **state) {
    const TranspositionTable *table = *state;
    TtSlot slot;
    tt_probe(table, 77, 4, 0, &slot);
    tt_store(table, slot, 5, score_mate_in(4 + 11), 0, 9, BOUND_LOWER, false, 4);
    assert_int_equal(tt_probe(table, 77, 2, 89, &slot).score, score_mate_in(2 + 11));
    assert_int_equal(tt_probe(table, 77, 2, 90, &slot).score, SCORE_DECIDED - 1);
    tt_store(table, slot, 5, score_mated_in(4 + 11), 0, 9, BOUND_EXACT, false, 4);
    assert_int_equal(tt_probe(table, 77, 2, 89, &slot).score, score_mated_in(2 + 11));
    assert_int_equal(tt_probe(table, 77, 2, 90, &slot).score, 1 - SCORE_DECIDED);
}

static void a_full_bucket_replaces_the_shallowest(void **state) {
    const TranspositionTable *table = *state;
    for (unsigned i = 1; i <= BUCKET_ENTRIES; i++)
        store(table, key_in_bucket(99, i), (Move)i, (int)i, i == 4 ? 3 : 20 + (int)i, BOUND_LOWER);
    for (unsigned i = 1; i <= BUCKET_ENTRIES; i++) {
        const TtEntry entry = probe(table, key_in_bucket(99, i));
        assert_true(entry.hit);
        assert_int_equal(entry.move, i);
    }
    store(table, key_in_bucket(99, 50), 50, 50, 1, BOUND_LOWER);
    assert_true(probe(table, key_in_bucket(99, 50)).hit);
    for (unsigned i = 1; i <= BUCKET_ENTRIES; i++)
        assert_int_equal(probe(table, key_in_bucket(99, i)).hit, i != 4);
    assert_false(probe(table, key_in_bucket(98, 1)).hit);
}

/* Older entries are replaced first, even if deeper, and when the generation counter wraps around. */
static void older_entries_go_first(void **state) {
    TranspositionTable *table = *state;
    for (int searches = 0; searches < 70; searches++) {
        const HashKey bucket = 1000 + (HashKey)searches;
        for (unsigned i = 1; i <= BUCKET_ENTRIES; i++)
            store(table, key_in_bucket(bucket, i), 1, 0, i == 2 ? 24 : 12, BOUND_LOWER);
        tt_new_search(table);
        tt_new_search(table);
        for (unsigned i = 1; i <= BUCKET_ENTRIES; i++)
            if (i != 2) store(table, key_in_bucket(bucket, i), 1, 0, 12, BOUND_EXACT);
        /* 24 plies two searches ago against 12 plies now: the old one is worth less. */
        store(table, key_in_bucket(bucket, 60), 1, 0, 1, BOUND_LOWER);
        assert_false(probe(table, key_in_bucket(bucket, 2)).hit);
        assert_true(probe(table, key_in_bucket(bucket, 1)).hit);
        tt_new_search(table);
    }
}

static void deep_entries_are_not_overwritten_by_shallow_ones(void **state) {
    TranspositionTable *table = *state;
    const HashKey key = 0xABCDEF0123456789u;
    store(table, key, 11, 100, 20, BOUND_LOWER);
    store(table, key, 12, 50, 5, BOUND_UPPER);
    assert_int_equal(probe(table, key).depth, 20);
    assert_int_equal(probe(table, key).move, 11);
    store(table, key, 12, 50, 18, BOUND_UPPER); /* nearly as deep: newer is better */
    assert_int_equal(probe(table, key).score, 50);
    store(table, key, 13, 60, 2, BOUND_EXACT); /* exact always */
    assert_int_equal(probe(table, key).depth, 2);
    store(table, key, 14, 70, 30, BOUND_LOWER);
    tt_new_search(table);
    store(table, key, 15, 80, 1, BOUND_UPPER); /* from an earlier search */
    assert_int_equal(probe(table, key).move, 15);
}

static void no_move_leaves_the_known_one(void **state) {
    const TranspositionTable *table = *state;
    const HashKey key = 0x123456789ABCDEFu;
    store(table, key, 321, 10, 4, BOUND_LOWER);
    store(table, key, MOVE_NONE, -5, 6, BOUND_UPPER);
    assert_int_equal(probe(table, key).move, 321);
    assert_int_equal(probe(table, key).score, -5);
    /* But another position's move is not kept. */
    for (unsigned i = 0; i < BUCKET_ENTRIES; i++) store(table, key_in_bucket(7, i), 400, 0, 10, BOUND_LOWER);
    store(table, key_in_bucket(7, 70), MOVE_NONE, 0, 10, BOUND_LOWER);
    assert_int_equal(probe(table, key_in_bucket(7, 70)).move, MOVE_NONE);
}

/* Each of the sixteen compared bits of the key must count. */
static void keys_of_one_bucket_are_distinguished(void **state) {
    const TranspositionTable *table = *state;
    store(table, key_in_bucket(55, 0x5A5A), 9, 9, 9, BOUND_EXACT);
    for (unsigned bit = 0; bit < 16; bit++)
        assert_false(probe(table, key_in_bucket(55, 0x5A5A ^ 1u << bit)).hit);
    assert_true(probe(table, key_in_bucket(55, 0x5A5A)).hit);
}

static void clearing_forgets(void **state) {
    TranspositionTable *table = *state;
    store(table, 42, 1, 2, 3, BOUND_EXACT);
    tt_new_search(table);
    tt_clear(table, 0, 1);
    assert_false(probe(table, 42).hit);
    assert_int_equal(table->generation, 0);
}

static void parts_cleared_make_the_whole(void **state) {
    TranspositionTable *table = *state;
    enum { PARTS = 7, KEYS = 2000 };
    Rng rng = rng_seed(5);
    HashKey keys[KEYS];
    for (int i = 0; i < KEYS; i++) store(table, keys[i] = rng_next(&rng), 1, 2, 3, BOUND_EXACT);
    for (int part = 0; part < PARTS; part++) tt_clear(table, part, PARTS);
    for (int i = 0; i < KEYS; i++) assert_false(probe(table, keys[i]).hit);
}

static void resizing_empties_and_a_refusal_changes_nothing(void **state) {
    TranspositionTable *table = *state;
    store(table, 42, 1, 2, 3, BOUND_EXACT);
    const TranspositionTable before = *table;
    assert_fails(tt_resize(table, (size_t)(memory_physical() >> 20) + 1), "does not fit");
    assert_fails(tt_resize(table, SIZE_MAX >> 20), "");
#if SIZE_MAX == UINT32_MAX
    assert_fails(tt_resize(table, 4096), ""); /* its number of bytes overflows to 0 */
#endif
    assert_memory_equal(&before, table, sizeof before);
    assert_true(probe(table, 42).hit);
    assert_ok(tt_resize(table, 2));
    assert_int_equal(table->bucket_count, 2 * before.bucket_count);
    assert_false(probe(table, 42).hit);
    Rng rng = rng_seed(3);
    for (int i = 0; i < 10000; i++) tt_prefetch(table, rng_next(&rng), (int)rng_below(&rng, 100));
}

static void fullness_counts_this_search_alone(void **state) {
    TranspositionTable *table = *state;
    Rng rng = rng_seed(4);
    const int entries = (int)table->bucket_count * BUCKET_ENTRIES;
    for (int i = 0; i < entries / 2; i++) store(table, rng_next(&rng), 1, 0, 1, BOUND_LOWER);
    const int half = tt_full_permille(table);
    assert_in_range(half, 400, 540);
    for (int i = 0; i < 4 * entries; i++) store(table, rng_next(&rng), 1, 0, 1, BOUND_LOWER);
    assert_in_range(tt_full_permille(table), 950, 1000);
    tt_new_search(table);
    assert_int_equal(tt_full_permille(table), 0);
}

static void keys_change_near_the_fifty_move_limit(void **state) {
    (void)state;
    HashKey keys[101];
    for (int clock = 0; clock <= 100; clock++) {
        Position pos = test_position("4k3/8/8/8/8/8/8/R3K3 w - - 0 90");
        pos.state.halfmove_clock = (int16_t)clock;
        keys[clock] = tt_key(&pos);
    }
    assert_true(keys[0] == keys[10]);
    assert_true(keys[50] != keys[0] && keys[99] != keys[50] && keys[99] != keys[80]);
    int changes = 0;
    for (int clock = 1; clock <= 100; clock++) changes += keys[clock] != keys[clock - 1];
    assert_in_range(changes, 4, 20);
}

static void bounds_prove_on_their_side_only(void **state) {
    (void)state;
    for (int score = -50; score <= 50; score += 10) {
        const TtEntry exact = {.hit = true, .bound = BOUND_EXACT, .score = score};
        const TtEntry lower = {.hit = true, .bound = BOUND_LOWER, .score = score};
        const TtEntry upper = {.hit = true, .bound = BOUND_UPPER, .score = score};
        for (int beta = -50; beta <= 50; beta += 10) {
            assert_true(tt_entry_proves(&exact, beta));
            assert_int_equal(tt_entry_proves(&lower, beta), score >= beta);
            assert_int_equal(tt_entry_proves(&upper, beta), score < beta);
            assert_false(tt_entry_proves(&TT_MISS, beta));
            assert_int_equal(tt_entry_refine(&exact, beta), score);
            assert_int_equal(tt_entry_refine(&lower, beta), score > beta ? score : beta);
            assert_int_equal(tt_entry_refine(&upper, beta), score < beta ? score : beta);
            assert_int_equal(tt_entry_refine(&TT_MISS, beta), beta);
        }
    }
    const TtEntry mate = {.hit = true, .bound = BOUND_EXACT, .score = score_mate_in(9)};
    assert_int_equal(tt_entry_refine(&mate, 20), 20); /* a static value is not a mate */
}

/* Threads write and read one bucket at the same time: entries must not mix. All parts follow from the key, so
 * a mixed entry is detected; one in 65,536 may pass, with keys as random as those of positions. */
typedef struct Racer {
    const TranspositionTable *table;
    uint64_t seed;
    int mixed, hits;
} Racer;

static void race(void *argument) {
    Racer *racer = argument;
    Rng rng = rng_seed(racer->seed);
    for (int i = 0; i < 100000; i++) {
        const unsigned low = 1 + (unsigned)rng_below(&rng, 12);
        TtSlot slot;
        const HashKey key = key_in_bucket(5, low * 0x9E37u & 0xFFFF);
        const TtEntry entry = tt_probe(racer->table, key, 0, 0, &slot);
        racer->hits += entry.hit;
        racer->mixed += entry.hit && (entry.move != low * 1000 || entry.score != (int)low * 7 - 40 ||
                                      entry.eval != -(int)low);
        tt_store(racer->table, slot, (Move)(low * 1000), (int)low * 7 - 40, -(int)low,
                 (int)rng_below(&rng, 30), BOUND_EXACT, false, 0);
    }
}

static void races_do_not_mix_entries(void **state) {
    enum { THREADS = 3 };
    Racer racers[THREADS];
    Thread threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        racers[i] = (Racer){.table = *state, .seed = (uint64_t)i};
        assert_ok(thread_start(&threads[i], race, &racers[i]));
    }
    for (int i = 0; i < THREADS; i++) {
        thread_join(&threads[i]);
        assert_true(racers[i].hits > 1000);
        assert_true(racers[i].mixed < 10);
    }
}

int main(void) {
#define TABLE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TABLE_TEST(a_fresh_table_knows_nothing),
        TABLE_TEST(every_field_comes_back),
        TABLE_TEST(a_value_without_a_score_proves_nothing),
        TABLE_TEST(mates_are_counted_from_the_node),
        TABLE_TEST(tablebase_wins_are_counted_from_the_node),
        TABLE_TEST(mates_beyond_fifty_moves_only_look_good),
        TABLE_TEST(a_full_bucket_replaces_the_shallowest),
        TABLE_TEST(older_entries_go_first),
        TABLE_TEST(deep_entries_are_not_overwritten_by_shallow_ones),
        TABLE_TEST(no_move_leaves_the_known_one),
        TABLE_TEST(keys_of_one_bucket_are_distinguished),
        TABLE_TEST(clearing_forgets),
        TABLE_TEST(parts_cleared_make_the_whole),
        TABLE_TEST(resizing_empties_and_a_refusal_changes_nothing),
        TABLE_TEST(fullness_counts_this_search_alone),
        TABLE_TEST(keys_change_near_the_fifty_move_limit),
        TABLE_TEST(bounds_prove_on_their_side_only),
        TABLE_TEST(races_do_not_mix_entries),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
