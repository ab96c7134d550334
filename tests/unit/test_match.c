/* Counting pairs from both sides. */
#include "chess/game.h"
#include "lab/match/match.h"

#include "test_support.h"

static PairResult pair_of(int first, int second, GameResult white_first, GameResult black_first) {
    PairResult pair = {.first = first, .second = second};
    pair.game[0] = (GameSummary){.result = white_first, .end = CHECKMATE};
    pair.game[1] = (GameSummary){.result = black_first, .end = CHECKMATE};
    int points[] = {[WHITE_WINS] = 2, [BLACK_WINS] = 0, [DRAWN] = 1};
    pair.outcome = points[white_first] + 2 - points[black_first];
    return pair;
}

static void test_both_sides(void **state) {
    (void)state;
    Tally first = {0}, second = {0};
    PairResult pairs[] = {pair_of(0, 1, WHITE_WINS, DRAWN), pair_of(0, 1, WHITE_WINS, WHITE_WINS),
                          pair_of(0, 1, BLACK_WINS, WHITE_WINS)};
    for (int i = 0; i < 3; i++) {
        tally_add(&first, &pairs[i], false);
        tally_add(&second, &pairs[i], true);
    }
    assert_int_equal(first.penta.count[3], 1);
    assert_int_equal(first.penta.count[2], 1);
    assert_int_equal(first.penta.count[0], 1);
    assert_int_equal(second.penta.count[4], 1);
    assert_int_equal(first.wins[WHITE], 2);
    assert_int_equal(first.losses[WHITE], 1);
    assert_int_equal(first.draws[BLACK], 1);
    assert_int_equal(first.losses[BLACK], 2);
    assert_int_equal(second.wins[WHITE], 2);
    assert_int_equal(second.wins[BLACK], 1);
    assert_int_equal(second.draws[WHITE], 1);
    const GameCounts of_first = tally_games(&first), of_second = tally_games(&second);
    assert_int_equal(of_first.wins, of_second.losses);
    assert_int_equal(of_first.losses, of_second.wins);
    assert_int_equal(of_first.draws, 1);
    assert_int_equal(first.endings[CHECKMATE], 6);
}

static void test_table(void **state) {
    (void)state;
    TallyTable table;
    assert_true(tally_table_create(&table, 3));
    PairResult pair = pair_of(0, 2, WHITE_WINS, DRAWN);
    pair.game[0].end = ENGINE_FAULT;
    pair.game[0].fault = FAULT_CRASH;
    pair.game[0].at_fault = BLACK;
    pair.game[1].warnings[WHITE][FAULT_ILLEGAL_PV] = 2; /* by the second engine, which has White there */
    tally_table_add(&table, &pair);
    pair = pair_of(1, 2, WHITE_WINS, BLACK_WINS);
    tally_table_add(&table, &pair);
    assert_int_equal(tally_table_cell(&table, 0, 2)->penta.count[3], 1);
    assert_int_equal(tally_table_cell(&table, 2, 0)->penta.count[1], 1);
    assert_int_equal(tally_table_faults(&table, 2, FAULT_CRASH), 1);
    assert_int_equal(tally_table_faults(&table, 2, FAULT_ILLEGAL_PV), 2);
    assert_int_equal(tally_table_faults(&table, 0, FAULT_CRASH), 0);
    Tally total = tally_table_total(&table, 2);
    assert_int_equal(stats_pair_total(&total.penta), 2);
    assert_int_equal(tally_games(&total).losses, 3);
    tally_table_release(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_sides), cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
