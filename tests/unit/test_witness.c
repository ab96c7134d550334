/* The loss that most points and lines speak for is told. */
#include "explain/witness.h"

#include "test_support.h"

/* A line that rests once, on board 2, with so much lost by the side that asks. */
static Witness line_losing(int points, PieceType lost, PieceType gained) {
    Witness witness = {.length = 2, .rest_count = 1};
    witness.rest[0].ply = 2;
    witness.rest[0].net = points;
    witness.rest[0].lost = lost;
    witness.rest[0].gained = gained;
    return witness;
}

static void the_loss_that_most_lines_show_is_told(void **state) {
    (void)state;
    Witnesses played = {.count = 4}, better = {.count = 1};
    played.witness[0] = line_losing(3, KNIGHT, KING);
    played.witness[1] = line_losing(5, ROOK, KING);
    played.witness[2] = line_losing(2, BISHOP, PAWN); /* as dear as the knight */
    played.witness[3] = line_losing(1, PAWN, KING);
    better.witness[0] = line_losing(0, KING, KING);
    Agreement agreement;
    assert_true(witness_agree(&played, &better, 9, &agreement));
    assert_int_equal(0, agreement.played); /* of two alike the one that weighs more */
    assert_int_equal(0, agreement.better);
    assert_false(agreement.is_missed);
}

static void a_rook_in_half_of_the_lines_outweighs_a_pawn_that_all_better_ones_win(void **state) {
    (void)state;
    Witnesses played = {.count = 2}, better = {.count = 1};
    played.witness[0] = line_losing(5, ROOK, KING);
    played.witness[1] = line_losing(0, KING, KING);
    better.witness[0] = line_losing(-1, KING, PAWN);
    Agreement agreement;
    assert_true(witness_agree(&played, &better, 9, &agreement));
    assert_false(agreement.is_missed);
    assert_int_equal(0, agreement.played);
}

static void lines_that_never_rest_do_not_weigh(void **state) {
    (void)state;
    Witnesses played = {.count = 3}, better = {.count = 1};
    played.witness[0] = line_losing(3, KNIGHT, KING);
    played.witness[1] = played.witness[2] = (Witness){.length = 2};
    better.witness[0] = line_losing(-2, KING, BISHOP);
    Agreement agreement;
    assert_true(witness_agree(&played, &better, 9, &agreement));
    assert_false(agreement.is_missed);
    assert_int_equal(0, agreement.played);
}

static void what_the_better_line_loses_too_is_no_loss(void **state) {
    (void)state;
    Witnesses played = {.count = 1}, better = {.count = 1};
    played.witness[0] = better.witness[0] = line_losing(3, KNIGHT, KING);
    Agreement agreement;
    assert_false(witness_agree(&played, &better, 9, &agreement));
}

static void what_most_better_lines_win_is_missed(void **state) {
    (void)state;
    Witnesses played = {.count = 2}, better = {.count = 1};
    played.witness[0] = played.witness[1] = line_losing(0, KING, KING);
    better.witness[0] = line_losing(-5, KING, ROOK);
    Agreement agreement;
    assert_true(witness_agree(&played, &better, 9, &agreement));
    assert_true(agreement.is_missed);
    assert_int_equal(1, agreement.played);
    const Claim claim = witness_claim(&better.witness[0], &played.witness[1], false, 9);
    assert_int_equal(5, claim.points);
    assert_int_equal(ROOK, claim.dearest);
    assert_int_equal(2, claim.ply);
}

static void more_than_the_scores_agree_with_is_not_told(void **state) {
    (void)state;
    Witnesses played = {.count = 1}, better = {.count = 1};
    played.witness[0] = line_losing(9, QUEEN, KING);
    better.witness[0] = line_losing(0, KING, KING);
    Agreement agreement;
    assert_false(witness_agree(&played, &better, 8, &agreement));
    assert_true(witness_agree(&played, &better, 9, &agreement));
}

static void a_line_is_read_where_it_rests(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/3q4/8/4N3/8/4K3 b - - 0 1");
    const Position start = pos;
    Move moves[2];
    Undo undo;
    assert_ok(lan_parse(&pos, text_view("d5d8"), &moves[0]));
    position_make_move(&pos, moves[0], &undo);
    assert_ok(lan_parse(&pos, text_view("e3f5"), &moves[1]));
    Line *line = line_create(&start, moves, 2);
    assert_non_null(line);
    Witness witness;
    witness_read(line, &witness);
    line_destroy(line);
    assert_int_equal(2, witness.length);
    assert_int_equal(moves[1], witness.move[1]);
    assert_true(witness.rest_count >= 1);
    assert_int_equal(0, witness.rest[0].net);
    assert_int_equal(KING, witness.rest[0].lost);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_that_most_lines_show_is_told),
        cmocka_unit_test(a_rook_in_half_of_the_lines_outweighs_a_pawn_that_all_better_ones_win),
        cmocka_unit_test(lines_that_never_rest_do_not_weigh),
        cmocka_unit_test(what_the_better_line_loses_too_is_no_loss),
        cmocka_unit_test(what_most_better_lines_win_is_missed),
        cmocka_unit_test(more_than_the_scores_agree_with_is_not_told),
        cmocka_unit_test(a_line_is_read_where_it_rests),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
