/* The material lost in a line: pieces by type, promotions, and promoted pawns. */
#include "explain/line.h"

#include "line_support.h"

static void a_capture_and_a_promotion_are_counted(void **state) {
    (void)state;
    Line *line = test_line("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q e8e7");
    const LineLoss loss = line_loss(line, 0, line->length, BLACK);
    assert_int_equal(1, loss.lost[KNIGHT]);
    assert_int_equal(8, loss.promoted[WHITE]);
    assert_int_equal(11, loss.net);
    line_destroy(line);
}

static void a_lost_new_queen_counts_as_a_pawn(void **state) {
    (void)state;
    Line *line = test_line("8/8/8/8/6k1/8/p2K4/7R b - - 0 1", "a2a1q d2e2 a1b1 h1b1");
    LineLoss loss = line_loss(line, 0, line->length, WHITE);
    assert_int_equal(1, loss.gained[PAWN]);
    assert_int_equal(0, loss.gained[QUEEN]);
    assert_int_equal(0, loss.promoted[BLACK]);
    assert_int_equal(-1, loss.net);
    loss = line_loss(line, 1, line->length, WHITE); /* it was there from the beginning */
    assert_int_equal(1, loss.gained[QUEEN]);
    assert_int_equal(-9, loss.net);
    line_destroy(line);
}

static void what_moves_to_a_square_of_a_new_piece_is_not_new(void **state) {
    (void)state;
    /* The rook takes the new queen and is taken on its square: a rook is lost. */
    Line *line = test_line("8/8/5b2/8/6k1/8/p3K3/7R b - - 0 1", "a2a1q h1a1 f6a1");
    const LineLoss loss = line_loss(line, 0, line->length, WHITE);
    assert_int_equal(1, loss.lost[ROOK]);
    assert_int_equal(1, loss.gained[PAWN]);
    assert_int_equal(4, loss.net);
    line_destroy(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capture_and_a_promotion_are_counted),
        cmocka_unit_test(a_lost_new_queen_counts_as_a_pawn),
        cmocka_unit_test(what_moves_to_a_square_of_a_new_piece_is_not_new),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
