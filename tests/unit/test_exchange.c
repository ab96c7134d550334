/* Exchanges in points, played out with legal moves. */
#include "explain/exchange.h"

#include "test_support.h"

static int gain_of(const char *fen, const char *text) {
    const Position pos = test_position(fen);
    Move move = MOVE_NONE;
    assert_ok(lan_parse(&pos, text_view(text), &move));
    return exchange_gain(&pos, move);
}

static void undefended_pieces_are_worth_their_points(void **state) {
    (void)state;
    assert_int_equal(3, gain_of("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5"));
    assert_int_equal(9, gain_of("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"));
    assert_int_equal(1, gain_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6")); /* en passant */
}

static void each_side_stops_when_it_would_lose(void **state) {
    (void)state;
    assert_int_equal(-2, gain_of("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "d1d5"));
    assert_int_equal(1, gain_of("4k3/8/4p3/3p4/4P3/2N5/8/4K3 w - - 0 1", "e4d5"));
    assert_int_equal(0, gain_of("4k3/8/4p3/3n4/8/4N3/8/4K3 w - - 0 1", "e3d5"));
    assert_int_equal(-6, gain_of("4k3/8/4p3/3n4/8/8/8/3QK3 w - - 0 1", "d1d5"));
}

static void pinned_defenders_do_not_count(void **state) {
    (void)state;
    /* The knight on e6 guards d4, but is pinned to its king on e8. */
    assert_int_equal(1, gain_of("4k3/8/4n3/8/3p4/5N2/8/4RK2 w - - 0 1", "f3d4"));
    assert_int_equal(-2, gain_of("3k4/8/4n3/8/3p4/5N2/8/4RK2 w - - 0 1", "f3d4"));
}

static void a_king_takes_back_only_what_is_unguarded(void **state) {
    (void)state;
    assert_int_equal(-4, gain_of("8/8/3k4/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"));
    assert_int_equal(1, gain_of("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"));
}

static void quiet_moves_lose_what_stands_en_prise(void **state) {
    (void)state;
    assert_int_equal(-3, gain_of("4k3/8/4p3/8/8/4N3/8/4K3 w - - 0 1", "e3d5"));
    assert_int_equal(0, gain_of("4k3/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3d5"));
}

static void promotions_add_the_new_piece(void **state) {
    (void)state;
    assert_int_equal(8, gain_of("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q"));
    assert_int_equal(-1, gain_of("4r3/P5k1/8/8/8/8/8/3K4 w - - 0 1", "a7a8q")); /* the rook takes the queen */
}

static void the_best_capture_on_a_square_is_found(void **state) {
    (void)state;
    const Position pos = test_position("4k3/8/8/3q4/2P1P3/8/8/3RK3 w - - 0 1");
    assert_int_equal(9, exchange_best_on(&pos, D5));
    assert_int_equal(EXCHANGE_NOTHING, exchange_best_on(&pos, D4));
}

static void a_threat_is_what_a_pass_would_allow(void **state) {
    (void)state;
    const Position pos = test_position("4k3/8/8/3q4/4P3/8/8/3RK3 b - - 0 1");
    assert_int_equal(9, exchange_threat_on(&pos, D5));
    const Position check = test_position("4k3/8/8/3q4/4P3/8/8/3RK3 b - - 0 1");
    assert_int_equal(EXCHANGE_NOTHING, exchange_threat_on(&check, A1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undefended_pieces_are_worth_their_points),
        cmocka_unit_test(each_side_stops_when_it_would_lose),
        cmocka_unit_test(pinned_defenders_do_not_count),
        cmocka_unit_test(a_king_takes_back_only_what_is_unguarded),
        cmocka_unit_test(quiet_moves_lose_what_stands_en_prise),
        cmocka_unit_test(promotions_add_the_new_piece),
        cmocka_unit_test(the_best_capture_on_a_square_is_found),
        cmocka_unit_test(a_threat_is_what_a_pass_would_allow),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
