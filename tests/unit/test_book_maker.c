/* Opening books: the candidates and which scores fit. (Whole books are made in tests/e2e/test_openings.py.)
 */
#include "chess/game.h"
#include "lab/match/book_maker.h"

#include "test_support.h"

static void test_candidates_are_reproducible(void **state) {
    (void)state;
    int usable = 0, black_to_move = 0, different = 0;
    for (uint64_t i = 0; i < 200; i++) {
        Position pos, again, other;
        const bool good = book_random_position(5, i, 8, 9, false, &pos);
        assert_int_equal(good, book_random_position(5, i, 8, 9, false, &again));
        if (!good) continue;
        usable++;
        assert_true(position_equals(&pos, &again));
        assert_false(position_in_check(&pos));
        assert_int_equal(game_end(&pos), GAME_GOES_ON);
        assert_int_equal(pos.game_ply == 8 || pos.game_ply == 9, 1);
        black_to_move += pos.side == BLACK;
        if (book_random_position(6, i, 8, 9, false, &other)) different += pos.state.key != other.state.key;
    }
    assert_true(usable > 120);
    assert_in_range(black_to_move, usable / 4, usable * 3 / 4);
    assert_true(different > 100);
}

static void test_chess960_arrays_differ(void **state) {
    (void)state;
    Position a, b;
    assert_true(book_random_position(1, 0, 0, 0, true, &a));
    assert_true(book_random_position(1, 1, 0, 0, true, &b));
    assert_true(a.chess960);
    assert_true(a.state.key != b.state.key);
}

static UciScore centipawns(int value) { return (UciScore){SCORE_CENTIPAWNS, SCORE_IS_EXACT, value}; }

static void test_scores(void **state) {
    (void)state;
    BookRequest balanced = {.window = 60}, unbalanced = {.margin = 100, .window = 20};
    assert_true(book_accepts_score(&balanced, centipawns(60)));
    assert_true(book_accepts_score(&balanced, centipawns(-60)));
    assert_false(book_accepts_score(&balanced, centipawns(61)));
    assert_true(book_accepts_score(&unbalanced, centipawns(80)));
    assert_true(book_accepts_score(&unbalanced, centipawns(-120)));
    assert_false(book_accepts_score(&unbalanced, centipawns(79)));
    assert_false(book_accepts_score(&unbalanced, centipawns(0)));
    assert_false(book_accepts_score(&unbalanced, centipawns(-121)));
    assert_false(book_accepts_score(&balanced, (UciScore){SCORE_MATE_IN, SCORE_IS_EXACT, 5}));
    assert_false(book_accepts_score(&balanced, (UciScore){SCORE_CENTIPAWNS, SCORE_IS_LOWER, 5}));
    assert_false(book_accepts_score(&balanced, (UciScore){SCORE_NOT_GIVEN, SCORE_IS_EXACT, 0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_candidates_are_reproducible),
        cmocka_unit_test(test_chess960_arrays_differ),
        cmocka_unit_test(test_scores),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
