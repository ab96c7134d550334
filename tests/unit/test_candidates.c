/* The loss with the greatest weight is reported. */
#include "explain/candidates.h"

#include "line_support.h"

static const LossLimits ANY = {.least = 1, .most = 20, .ply = 8};

/* A line that rests once, on board `ply`, where the side that moved first has lost and taken a piece; KING:
 * none. */
static Candidate line_losing(PieceType lost, PieceType gained, int ply) {
    Candidate candidate = {.length = ply, .rest_count = 1};
    LineLoss *loss = &candidate.rest[0].loss;
    candidate.rest[0].ply = ply;
    if (lost < KING) loss->lost[lost] = 1;
    if (gained < KING) loss->gained[gained] = 1;
    loss->net = loss_lost(loss) - loss_gained(loss);
    return candidate;
}

static void the_loss_of_most_lines_is_reported(void **state) {
    (void)state;
    Candidates played = {.count = 4}, better = {.count = 1};
    played.line[0] = line_losing(KNIGHT, KING, 2);
    played.line[1] = line_losing(ROOK, KING, 2);
    played.line[2] = line_losing(BISHOP, PAWN, 2); /* as valuable as the knight */
    played.line[3] = line_losing(PAWN, KING, 2);
    better.line[0] = line_losing(KING, KING, 2);
    CandidatePair pair;
    assert_true(candidates_vote(&played, &better, true, &ANY, &pair));
    assert_int_equal(0, pair.line); /* of two equal losses, the one with more weight */
    assert_int_equal(0, pair.other);
}

static void lines_that_never_rest_show_no_loss(void **state) {
    (void)state;
    Candidates played = {.count = 2}, better = {.count = 1};
    played.line[0] = line_losing(KNIGHT, KING, 2);
    played.line[1] = better.line[0] = (Candidate){.length = 2};
    CandidatePair pair;
    assert_true(candidates_vote(&played, &better, true, &ANY, &pair));
    assert_int_equal(0, pair.line);
}

static void losses_of_the_better_line_do_not_count(void **state) {
    (void)state;
    Candidates played = {.count = 1}, better = {.count = 1};
    played.line[0] = better.line[0] = line_losing(KNIGHT, KING, 2);
    CandidatePair pair;
    assert_false(candidates_vote(&played, &better, true, &ANY, &pair));
}

static void a_gain_of_both_lines_is_not_missed(void **state) {
    (void)state;
    Candidate played = line_losing(PAWN, BISHOP, 3), better = line_losing(KING, BISHOP, 1);
    played.early = better.rest[0].loss;
    assert_int_equal(0, candidate_loss(&better, &played, false, &ANY).loss.net);
    const PairLoss lost = candidate_loss(&played, &better, true, &ANY);
    assert_int_equal(1, lost.loss.net);
    assert_int_equal(PAWN, loss_dearest(&lost.loss));
}

/* Both lines lose a rook for a minor piece, and one of them wins another minor piece. */
static void what_both_lines_lose_is_lost_by_neither(void **state) {
    (void)state;
    Candidate played = line_losing(ROOK, KNIGHT, 6), better = line_losing(ROOK, KNIGHT, 4);
    better.rest[0].loss.gained[BISHOP] = 1;
    better.rest[0].loss.net -= 3;
    played.early.gained[KNIGHT] = better.early.gained[KNIGHT] = 1;
    assert_int_equal(0, candidate_loss(&played, &better, true, &ANY).loss.net);
    const PairLoss missed = candidate_loss(&better, &played, false, &ANY);
    assert_int_equal(3, missed.loss.net);
    assert_int_equal(1, missed.loss.lost[KNIGHT]); /* the first to fall */
    assert_int_equal(0, missed.loss.lost[BISHOP]);
    played = line_losing(KING, KING, 2);
    better = (Candidate){.length = 5, .end = {.lost_by_promotion = 8, .gained_by_promotion = 8}};
    played.rest[0].loss = (LineLoss){.lost_by_promotion = 8, .net = 8};
    assert_int_equal(0, candidate_loss(&played, &better, true, &ANY).loss.net); /* it never rests */
}

static void the_gain_of_the_better_line_is_missed(void **state) {
    (void)state;
    const Candidate played = line_losing(KING, KING, 2), better = line_losing(KING, ROOK, 2);
    const PairLoss lost = candidate_loss(&better, &played, false, &ANY);
    assert_int_equal(5, lost.loss.net);
    assert_int_equal(1, lost.loss.lost[ROOK]);
    assert_int_equal(2, lost.ply);
    assert_int_equal(0, candidate_loss(&played, &better, true, &ANY).loss.net); /* nothing of its own */
}

/* A pawn that is lost here and a pawn that is won there are not two pawns. */
static void each_line_counts_what_falls_on_it(void **state) {
    (void)state;
    const Candidate played = line_losing(PAWN, KING, 2), better = line_losing(KING, PAWN, 2);
    const PairLoss lost = candidate_loss(&played, &better, true, &ANY),
                   missed = candidate_loss(&better, &played, false, &ANY);
    assert_int_equal(2, lost.whole);
    assert_int_equal(1, lost.loss.net);
    assert_int_equal(1, missed.loss.net);
}

static void what_comes_back_is_counted_though_the_other_line_wins_as_much(void **state) {
    (void)state;
    const Candidate played = line_losing(QUEEN, KNIGHT, 4), better = line_losing(KING, KNIGHT, 3);
    const PairLoss lost = candidate_loss(&played, &better, true, &ANY);
    assert_int_equal(6, lost.loss.net);
    assert_int_equal(1, lost.loss.gained[KNIGHT]);
}

static void a_loss_that_comes_back_is_none(void **state) {
    (void)state;
    Candidate played = line_losing(ROOK, KING, 2);
    const Candidate better = line_losing(KING, KING, 2);
    assert_int_equal(5, candidate_loss(&played, &better, true, &ANY).loss.net);
    const Candidate later = line_losing(ROOK, ROOK, 7);
    played.rest[played.rest_count++] = later.rest[0];
    assert_int_equal(0, candidate_loss(&played, &better, true, &ANY).loss.net);
}

static void a_loss_must_fit_its_limits(void **state) {
    (void)state;
    const Candidate played = line_losing(QUEEN, KING, 9), better = line_losing(KING, KING, 2);
    assert_int_equal(0, candidate_loss(&played, &better, true, &ANY).loss.net); /* late */
    assert_int_equal(
        9, candidate_loss(&played, &better, true, &(LossLimits){.least = 1, .most = 9, .ply = 9}).loss.net);
    assert_int_equal(
        0, candidate_loss(&played, &better, true, &(LossLimits){.least = 1, .most = 8, .ply = 9}).loss.net);
    assert_int_equal(
        0, candidate_loss(&played, &better, true, &(LossLimits){.least = 10, .most = 12, .ply = 9}).loss.net);
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
    assert_int_equal(0, candidate.rest[0].loss.net);
}

static void a_loss_is_complete_when_the_last_piece_of_it_falls(void **state) {
    (void)state;
    Line *line = test_line("4k3/p7/8/3q4/8/4N3/P7/4K3 b - - 0 1", "d5d8 e3f5 d8d4 f5d4 e8d7 e1d2 d7d6 d2d3");
    Candidate candidate;
    candidate_read(line, &candidate);
    line_destroy(line);
    const int last = candidate.rest_count - 1;
    assert_int_equal(4, candidate.rest[last].ply);
    assert_int_equal(9, candidate.rest[last].loss.net);
}

/* Black wins a pawn at ply 2, gives it back at once, and wins another one at ply 10. */
static void what_is_taken_back_is_not_complete(void **state) {
    (void)state;
    Line *line = test_line("8/p7/4Kp2/2p2Pk1/8/2P5/P1P5/8 b - - 0 39",
                           "c5c4 e6d5 g5f5 d5c4 f5e4 a2a4 e4e3 a4a5 e3d2 c4d4 d2c2 c3c4 c2b3 c4c5 f6f5 d4e5");
    Candidate candidate;
    candidate_read(line, &candidate);
    line_destroy(line);
    const int last = candidate.rest_count - 1;
    assert_int_equal(11, candidate.rest[last].ply);
    assert_int_equal(-1, candidate.rest[last].loss.net);
}

static void a_gift_is_no_gain(void **state) {
    (void)state;
    Line *line =
        test_line("4k3/8/3p4/8/4P3/8/8/4K3 b - - 0 1", "e8e7 e4e5 d6e5 e1e2 e7e6 e2e3 e6d5 e3e2 d5d4");
    Candidate candidate;
    const Candidate nothing = {.length = 0};
    candidate_read(line, &candidate);
    line_destroy(line);
    assert_int_equal(0, candidate_loss(&candidate, &nothing, false, &ANY).loss.net);
    candidate.gifts = 0;
    assert_int_equal(1, candidate_loss(&candidate, &nothing, false, &ANY).loss.net);
    assert_int_equal(1, candidate_loss_alone(&candidate, false).loss.net);
}

/* Black queens on both lines; that White queens as well on the other one, later, is a queen for a queen: the
 * pawn that it is worth more, and no queen, is what this one misses. */
static void a_queen_for_a_queen_is_a_trade(void **state) {
    (void)state;
    static const char *FEN = "8/7p/2p5/1p1k2KP/p1p5/8/P7/B7 w - - 0 42";
    Line *line = test_line(FEN, "g5h6 b5b4 h6h7 c4c3 h5h6 c3c2 a1b2 a4a3 b2c1 b4b3 a2b3 a3a2 c1b2 a2a1q "
                                "b2a1 c2c1q a1g7 c1e1 h7g6 e1e8 g6g5 e8f7 b3b4 d5e6 g5g4 f7f5 g4h4 e6f7");
    Line *other = test_line(FEN, "a2a3 c6c5 g5h6 b5b4 h6h7 c4c3 h5h6 d5c4 h7g6 c4b3 h6h7 c3c2 a3b4 c2c1q "
                                 "h7h8q c5b4 a1f6 c1c2 g6f7 c2c4 f7e7 c4c7 e7e6 c7c6 e6e7");
    Candidate played, better;
    candidate_read(line, &played);
    candidate_read(other, &better);
    line_destroy(line);
    line_destroy(other);
    const LossLimits limits = {.least = 1, .most = 20, .ply = LINE_PLIES_MAX};
    assert_true(candidate_loss(&better, &played, false, &limits).loss.net <= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_of_most_lines_is_reported),
        cmocka_unit_test(lines_that_never_rest_show_no_loss),
        cmocka_unit_test(losses_of_the_better_line_do_not_count),
        cmocka_unit_test(a_gain_of_both_lines_is_not_missed),
        cmocka_unit_test(what_both_lines_lose_is_lost_by_neither),
        cmocka_unit_test(the_gain_of_the_better_line_is_missed),
        cmocka_unit_test(each_line_counts_what_falls_on_it),
        cmocka_unit_test(what_comes_back_is_counted_though_the_other_line_wins_as_much),
        cmocka_unit_test(a_loss_that_comes_back_is_none),
        cmocka_unit_test(a_loss_must_fit_its_limits),
        cmocka_unit_test(a_line_is_read_where_it_rests),
        cmocka_unit_test(a_loss_is_complete_when_the_last_piece_of_it_falls),
        cmocka_unit_test(what_is_taken_back_is_not_complete),
        cmocka_unit_test(a_gift_is_no_gain),
        cmocka_unit_test(a_queen_for_a_queen_is_a_trade),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
