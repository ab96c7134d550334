/* The material lost in a line: pieces by type, promotions, and promoted pawns. */
#include "explain/line.h"

#include "line_support.h"

static void a_capture_and_a_promotion_are_counted(void **state) {
    (void)state;
    Line *line = test_line("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q e8e7");
    const LineLoss loss = line_loss(line, 0, line->length, BLACK);
    assert_int_equal(1, loss.lost[KNIGHT]);
    assert_int_equal(8, loss.lost_by_promotion);
    assert_int_equal(11, loss.net);
    line_destroy(line);
}

static void a_lost_new_queen_counts_as_a_pawn(void **state) {
    (void)state;
    Line *line = test_line("8/8/8/8/6k1/8/p2K4/7R b - - 0 1", "a2a1q d2e2 a1b1 h1b1");
    LineLoss loss = line_loss(line, 0, line->length, WHITE);
    assert_int_equal(1, loss.gained[PAWN]);
    assert_int_equal(0, loss.gained[QUEEN]);
    assert_int_equal(0, loss.lost_by_promotion);
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

static void a_piece_is_followed_through_a_line(void **state) {
    (void)state;
    Line *line = test_line("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1 e8e7 f1f7 e7f7");
    assert_int_equal(F1, line_place(line, 1, H1));
    assert_int_equal(F7, line_place(line, 3, H1));
    assert_int_equal(NO_SQUARE, line_place(line, 4, H1));
    assert_int_equal(G1, line_place(line, 4, E1));
    line_destroy(line);
}

static void checks_are_no_rest(void **state) {
    (void)state;
    /* Seven plies without a capture, but five of them give or answer a check: then the queen falls. */
    Line *line = test_line("6k1/8/8/8/8/8/q7/4R1K1 b - - 0 1", "a2a7 g1h1 a7h7 h1g1 h7g7 g1f1 g7g1 f1g1");
    assert_int_equal(8, line_settled(line, 0));
    line_destroy(line);
}

static void a_difference_cancels_what_both_lines_lose(void **state) {
    (void)state;
    const LineLoss one = {.lost = {[PAWN] = 1}, .gained = {[BISHOP] = 1}, .net = -2};
    const LineLoss other = {.gained = {[KNIGHT] = 1}, .net = -3};
    const LineLoss beyond = loss_beyond(&one, &other), mirrored = loss_mirrored(&beyond);
    assert_int_equal(1, beyond.net);
    assert_int_equal(1, beyond.lost[PAWN]);
    assert_int_equal(0, beyond.lost[KNIGHT] + beyond.gained[BISHOP]);
    assert_int_equal(1, mirrored.gained[PAWN]);
    assert_int_equal(-1, mirrored.net);
}

/* The guard, the shield, and what cuts off a guard: the first move is put back on the board of the capture.
 */
static void what_falls_later_has_a_cause(void **state) {
    (void)state;
    static const struct {
        CauseKind cause;
        const char *fen, *line;
    } ROWS[] = {{CAUSE_UNGUARDED, "8/8/pB4rp/P5r1/7K/5Rp1/3k2P1/8 b - - 19 66", "h6h5 b6e3 d2e2 e3g5"},
                {CAUSE_OPENED_LINE, "4k3/8/8/3b4/8/5N2/8/4K2R w - - 0 1", "f3g5 e8d7 e1d2 d5h1"},
                {CAUSE_UNGUARDED, "8/5pk1/6p1/1r1pP3/3P3p/R4P1P/6PK/8 b - - 0 40", "b5b2 a3a5 g7f8 a5d5"},
                {CAUSE_CLOSED_LINE, "3r2k1/8/8/3N4/8/8/8/3RB1K1 w - - 0 1", "e1d2 g8h7 g1g2 d8d5"}};
    for (int i = 0; i < 4; i++) {
        Line *line = test_line(ROWS[i].fen, ROWS[i].line);
        assert_int_equal(ROWS[i].cause, line_cause(line, line->length - 1));
        line_destroy(line);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capture_and_a_promotion_are_counted),
        cmocka_unit_test(a_lost_new_queen_counts_as_a_pawn),
        cmocka_unit_test(what_moves_to_a_square_of_a_new_piece_is_not_new),
        cmocka_unit_test(a_piece_is_followed_through_a_line),
        cmocka_unit_test(checks_are_no_rest),
        cmocka_unit_test(a_difference_cancels_what_both_lines_lose),
        cmocka_unit_test(what_falls_later_has_a_cause),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
