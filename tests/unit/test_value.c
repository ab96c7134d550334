/* Static values of positions. */
#include "search/value.h"

#include "search/endings.h"
#include "search_support.h"

static Value value_of(Bed *bed, const char *fen, const TtEntry *entry) {
    const Position pos = test_position(fen);
    bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
    return value_of_node(bed->worker, 0, entry);
}

static void the_value_comes_from_the_network(void **state) {
    Bed *bed = *state;
    bed_clear(bed);
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        const Position pos = bed_bench_position(i);
        if (position_in_check(&pos)) continue;
        bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
        const Value value = value_of_node(bed->worker, 0, &TT_MISS);
        if (lone_king_value(&pos) == 0)
            assert_int_equal(value.raw, drawish_value(&pos, evaluator_value(bed->worker->evaluator, &pos)));
        assert_int_equal(value.raw, value_raw(bed->worker));
        assert_int_equal(value.correction, 0); /* nothing learned yet */
        assert_int_equal(value.corrected, value.raw);
        assert_int_equal(value.refined, value.raw);
    }
}

static void a_lone_king_is_evaluated_by_rule(void **state) {
    const char *const fen = "8/8/8/4k3/8/8/8/KBN5 w - - 0 1";
    const Position pos = test_position(fen);
    assert_int_not_equal(lone_king_value(&pos), 0);
    assert_int_equal(value_of(*state, fen, &TT_MISS).raw, lone_king_value(&pos));
}

static void a_lead_that_rarely_wins_counts_less(void **state) {
    Bed *bed = *state;
    const char *const fen = "8/8/4k3/2r5/8/8/3B4/6K1 b - - 0 1";
    const Position pos = test_position(fen);
    const int value = value_of(bed, fen, &TT_MISS).raw,
              network = evaluator_value(bed->worker->evaluator, &pos);
    assert_true(network > 0); /* a good network hardly needs the rule here */
    assert_int_equal(value, network * DRAWISH_NO_PAWNS / DRAWISH_WHOLE);
}

static void values_stay_below_mates(void **state) {
    Bed *bed = *state;
    assert_false(score_is_decided(value_of(bed, "QQQQQQQQ/Q7/8/8/8/8/8/K6k b - - 0 1", &TT_MISS).raw));
    for (int sign = -1; sign <= 1; sign += 2) {
        const TtEntry entry = {
            .hit = true, .score = SCORE_NONE, .eval = sign * (SCORE_DECIDED - 1), .depth = -1};
        const Position pos = test_position(FEN_START);
        bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
        const CorrectionSlots slots = worker_correction_slots(bed->worker, 0);
        for (int i = 0; i < 200; i++) history_push_correction(&slots, sign * 2000, 20);
        const Value value = value_of_node(bed->worker, 0, &entry);
        assert_true(sign * value.correction > 0);
        assert_false(score_is_decided(value.corrected));
    }
    bed_clear(bed);
}

static void similar_positions_correct_it_and_the_table_sharpens_it(void **state) {
    Bed *bed = *state;
    const Position pos = test_position(FEN_START);
    bed_clear(bed);
    bed_prepare(bed, &pos, &(SearchLimits){.depth = 1});
    const CorrectionSlots slots = worker_correction_slots(bed->worker, 0);
    for (int i = 0; i < 20; i++) history_push_correction(&slots, 100, 10);
    const TtEntry entry = {.hit = true, .bound = BOUND_LOWER, .score = 900, .eval = 17, .depth = 3};
    const Value value = value_of_node(bed->worker, 0, &entry);
    assert_int_equal(value.raw, 17); /* from the table: the network is not evaluated again */
    assert_int_equal(value.correction, history_correction(&slots));
    assert_true(value.correction > 0);
    assert_int_equal(value.corrected, 17 + value.correction);
    assert_int_equal(value.refined, 900);
    bed_clear(bed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_comes_from_the_network),
        cmocka_unit_test(a_lone_king_is_evaluated_by_rule),
        cmocka_unit_test(a_lead_that_rarely_wins_counts_less),
        cmocka_unit_test(values_stay_below_mates),
        cmocka_unit_test(similar_positions_correct_it_and_the_table_sharpens_it),
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
