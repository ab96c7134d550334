/* The loss with the greatest weight is reported. */
#include "explain/candidates.h"

#include "test_support.h"

/* A line that rests once, on board 2, where the side that moved first has lost `points`. */
static Candidate line_losing(int points, PieceType lost, PieceType gained) {
    Candidate candidate = {.length = 2, .rest_count = 1};
    candidate.rest[0].ply = 2;
    candidate.rest[0].net = points;
    candidate.rest[0].lost = lost;
    candidate.rest[0].gained = gained;
    return candidate;
}

static void the_loss_of_most_lines_is_reported(void **state) {
    (void)state;
    Candidates played = {.count = 4}, better = {.count = 1};
    played.line[0] = line_losing(3, KNIGHT, KING);
    played.line[1] = line_losing(5, ROOK, KING);
    played.line[2] = line_losing(2, BISHOP, PAWN); /* as valuable as the knight */
    played.line[3] = line_losing(1, PAWN, KING);
    better.line[0] = line_losing(0, KING, KING);
    CandidatePair pair;
    assert_true(candidates_vote(&played, &better, 9, &pair));
    assert_int_equal(0, pair.played); /* of two equal losses, the one with more weight */
    assert_int_equal(0, pair.better);
    assert_false(pair.is_missed);
}

static void a_rook_in_half_of_the_lines_outweighs_a_pawn_that_all_better_ones_win(void **state) {
    (void)state;
    Candidates played = {.count = 2}, better = {.count = 1};
    played.line[0] = line_losing(5, ROOK, KING);
    played.line[1] = line_losing(0, KING, KING);
    better.line[0] = line_losing(-1, KING, PAWN);
    CandidatePair pair;
    assert_true(candidates_vote(&played, &better, 9, &pair));
    assert_false(pair.is_missed);
    assert_int_equal(0, pair.played);
}

static void lines_that_never_rest_do_not_count(void **state) {
    (void)state;
    Candidates played = {.count = 3}, better = {.count = 1};
    played.line[0] = line_losing(3, KNIGHT, KING);
    played.line[1] = played.line[2] = (Candidate){.length = 2};
    better.line[0] = line_losing(-2, KING, BISHOP);
    CandidatePair pair;
    assert_true(candidates_vote(&played, &better, 9, &pair));
    assert_false(pair.is_missed);
    assert_int_equal(0, pair.played);
}

static void losses_of_the_better_line_do_not_count(void **state) {
    (void)state;
    Candidates played = {.count = 1}, better = {.count = 1};
    played.line[0] = better.line[0] = line_losing(3, KNIGHT, KING);
    CandidatePair pair;
    assert_false(candidates_vote(&played, &better, 9, &pair));
}

static void the_gain_of_most_better_lines_is_missed(void **state) {
    (void)state;
    Candidates played = {.count = 2}, better = {.count = 1};
    played.line[0] = played.line[1] = line_losing(0, KING, KING);
    better.line[0] = line_losing(-5, KING, ROOK);
    CandidatePair pair;
    assert_true(candidates_vote(&played, &better, 9, &pair));
    assert_true(pair.is_missed);
    assert_int_equal(1, pair.played);
    const PairLoss loss = candidate_loss(&better.line[0], &played.line[1], false, 9);
    assert_int_equal(5, loss.points);
    assert_int_equal(ROOK, loss.dearest);
    assert_int_equal(2, loss.ply);
}

static void a_loss_that_contradicts_the_scores_is_not_reported(void **state) {
    (void)state;
    Candidates played = {.count = 1}, better = {.count = 1};
    played.line[0] = line_losing(9, QUEEN, KING);
    better.line[0] = line_losing(0, KING, KING);
    CandidatePair pair;
    assert_false(candidates_vote(&played, &better, 8, &pair));
    assert_true(candidates_vote(&played, &better, 9, &pair));
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
    Candidate candidate;
    candidate_read(line, &candidate);
    line_destroy(line);
    assert_int_equal(2, candidate.length);
    assert_int_equal(moves[1], candidate.move[1]);
    assert_true(candidate.rest_count >= 1);
    assert_int_equal(0, candidate.rest[0].net);
    assert_int_equal(KING, candidate.rest[0].lost);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_of_most_lines_is_reported),
        cmocka_unit_test(a_rook_in_half_of_the_lines_outweighs_a_pawn_that_all_better_ones_win),
        cmocka_unit_test(lines_that_never_rest_do_not_count),
        cmocka_unit_test(losses_of_the_better_line_do_not_count),
        cmocka_unit_test(the_gain_of_most_better_lines_is_missed),
        cmocka_unit_test(a_loss_that_contradicts_the_scores_is_not_reported),
        cmocka_unit_test(a_line_is_read_where_it_rests),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
