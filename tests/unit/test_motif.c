/* Motifs and causes in lines: positions where each applies, and where only the geometry looks like it. */
#include "explain/motif.h"

#include "base/memory.h"
#include "line_support.h"

static Motif motif_of(const char *fen, const char *moves) {
    Line *line = test_line(fen, moves);
    Motif found[MOTIF_KINDS], best = {.kind = MOTIF_NONE};
    const int count = motif_find(line, 0, line->length, found);
    for (int i = 0; i < count; i++)
        if (best.kind == MOTIF_NONE || found[i].kind < best.kind) best = found[i];
    line_destroy(line);
    return best;
}

#define assert_motif(expected, fen, moves) \
    assert_string_equal(motif_name(expected), motif_name(motif_of(fen, moves).kind))

static void a_knight_forks_king_and_queen(void **state) {
    (void)state;
    const Motif motif = motif_of("3qk3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7 c7d5");
    assert_int_not_equal(MOTIF_FORK, motif.kind); /* this line wins nothing */
    const Motif fork = motif_of("q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7 c7a8");
    assert_int_equal(MOTIF_FORK, fork.kind);
    assert_int_equal(2, fork.victim_count);
    assert_int_equal(C7, fork.piece);
    assert_true(fork.forced && fork.check);
}

static void a_fork_by_a_piece_that_can_be_taken_does_not_count(void **state) {
    (void)state;
    assert_motif(MOTIF_NONE, "q3k3/8/1b6/3N4/8/8/8/4K3 w - - 0 1", "d5c7 b6c7");
    /* The pawn on b6 does not take, but the bishop could have taken the knight. */
    assert_motif(MOTIF_NONE, "q3k3/8/1b6/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7");
}

static void a_victim_that_only_another_one_guards_is_forked(void **state) {
    (void)state;
    const Motif motif = motif_of("3r2k1/8/3b4/2N5/8/8/8/6K1 w - - 0 1", "c5b7 d8e8 b7d6");
    assert_int_equal(MOTIF_FORK, motif.kind);
    assert_int_equal(2, motif.victim_count);
    assert_motif(MOTIF_NONE, "3r2k1/4p3/3b4/2N5/8/8/8/6K1 w - - 0 1", "c5b7 d8e8 b7d6");
}

static void a_check_before_taking_back_is_an_intermezzo(void **state) {
    (void)state;
    Line *line = test_line("6k1/5p1p/6p1/8/8/2b5/3N4/R2K4 b - - 0 1", "c3d2 a1a8 g8g7 d1d2");
    Motif found[MOTIF_KINDS];
    const int count = motif_find(line, 1, line->length, found);
    assert_true(count > 0);
    assert_int_equal(MOTIF_INTERMEZZO, found[0].kind);
    assert_int_equal(D2, found[0].victim[0]);
    assert_int_equal(0, motif_find(line, 3, line->length, found)); /* it only takes back */
    line_destroy(line);
}

static void a_piece_pinned_to_the_queen_is_attacked_again(void **state) {
    (void)state;
    const Motif motif = motif_of("3qk3/5p2/5n2/6B1/8/2N5/8/4K3 w - - 0 1", "c3d5 e8f8 d5f6");
    assert_int_equal(MOTIF_ATTACKS_PINNED, motif.kind);
    assert_int_equal(F6, motif.victim[0]);
    assert_int_equal(D8, motif.victim[1]);
}

/* Checks that answer nothing come between. */
static void a_piece_that_the_move_pins_is_attacked(void **state) {
    (void)state;
    const Motif motif = motif_of("6rk/4R2p/3p3p/2pNb3/4P3/2P4P/PP2KQP1/7q b - - 0 1",
                                 "g8g2 e7e8 h8g7 e8e7 g7g6 e7e6 g6h5 a2a4 g2f2");
    assert_int_equal(MOTIF_ATTACKS_PINNED, motif.kind);
    assert_int_equal(F2, motif.victim[0]);
    assert_int_equal(8, motif.won_at);
}

static void a_pawn_that_shields_a_rook_is_drawn_away(void **state) {
    (void)state;
    const Motif motif = motif_of("6k1/8/6r1/8/7q/6N1/5K1P/7R b - - 0 1", "g6g3 h2g3 h4h1");
    assert_int_equal(MOTIF_DEFLECTION, motif.kind);
    assert_int_equal(H2, motif.victim[0]);
    assert_int_equal(H1, motif.victim[1]);
    /* The knight stands in the way as well. */
    assert_motif(MOTIF_NONE, "6k1/8/6r1/8/7q/6NN/5K1P/7R b - - 0 1", "g6g3 h2g3");
}

static void a_mate_has_a_cause(void **state) {
    (void)state;
    static const struct {
        CauseKind cause;
        const char *fen, *moves;
    } ROWS[] = {
        {CAUSE_CUT_OFF_SQUARE, "1k3q2/1p3r2/p3pPK1/8/P1P3P1/2N1P3/2Q5/8 w - - 3 39", "c3e4 f8g8 g6h5 f7h7"},
        {CAUSE_UNGUARDED_SQUARE, "4r1k1/5ppp/8/8/8/8/4RPPP/6K1 w - - 0 1", "e2a2 e8e1"},
        {CAUSE_BLOCKED_FLIGHT, "4r1k1/5ppp/8/8/5B2/8/5PP1/6K1 w - - 0 1", "f4h2 e8e1"},
        {CAUSE_UNGUARDED_SQUARE, "r4bk1/3R3p/6p1/p2Np2n/4P1P1/1P5P/P4P2/6K1 b - - 0 26",
         "h5f4 d5f6 g8h8 d7h7"},
        {CAUSE_OPENED_LINE, "3r2k1/5ppp/8/8/8/3N4/5PPP/6K1 w - - 0 1", "d3b4 d8d1"},
        {CAUSE_NONE, "4r1k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1", "a2a3 e8e1"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        Line *line = test_line(ROWS[i].fen, ROWS[i].moves);
        assert_true(line_is_mate(line, line->length));
        int ply;
        assert_string_equal(cause_name(ROWS[i].cause), cause_name(line_mate_cause(line, &ply)));
        line_destroy(line);
    }
}

static void two_guarded_equals_are_not_forked(void **state) {
    (void)state;
    assert_motif(MOTIF_NONE, "4k3/2p1p3/1n3n2/3N4/8/8/8/4K3 w - - 0 1", "d5b6 c7b6");
}

static void a_rook_skewers_king_and_queen(void **state) {
    (void)state;
    const Motif motif = motif_of("8/8/8/q2k4/8/8/8/1K5R w - - 0 1", "h1h5 d5d6 h5a5");
    assert_int_equal(MOTIF_SKEWER, motif.kind);
    assert_int_equal(D5, motif.victim[0]);
    assert_int_equal(A5, motif.victim[1]);
    assert_true(motif.forced);
}

static void the_cheaper_piece_in_front_makes_no_skewer(void **state) {
    (void)state;
    /* The queen behind it guards the knight. */
    assert_motif(MOTIF_NONE, "8/8/8/q2n3k/8/8/8/1K2R3 w - - 0 1", "e1e5 h5g4 e5d5");
}

static void a_bishop_moves_away_and_uncovers_a_rook(void **state) {
    (void)state;
    const Motif motif = motif_of("3q2k1/5ppp/8/8/8/3B4/8/3R2K1 w - - 0 1", "d3h7 g8h7 d1d8");
    assert_int_equal(MOTIF_DISCOVERED_ATTACK, motif.kind);
    assert_int_equal(D1, motif.piece);
    assert_int_equal(D8, motif.victim[0]);
}

static void a_move_along_the_line_uncovers_nothing(void **state) {
    (void)state;
    assert_motif(MOTIF_NONE, "3q2k1/8/8/8/8/3Q4/8/3R2K1 w - - 0 1", "d3d4 g8h7");
}

static void a_discovered_check_wins_what_the_mover_attacks(void **state) {
    (void)state;
    const Motif motif = motif_of("4k3/8/8/q7/4N3/8/8/4R1K1 w - - 0 1", "e4c3 e8d7 c3d5");
    assert_int_equal(MOTIF_NONE, motif.kind);
    const Motif won = motif_of("4k3/8/8/8/q3N3/8/8/4R1K1 w - - 0 1", "e4c3 e8d7 c3a4");
    assert_int_equal(MOTIF_DISCOVERED_CHECK, won.kind);
    assert_int_equal(E1, won.piece);
    assert_int_equal(A4, won.victim[0]);
}

static void a_bishop_behind_pawns_is_trapped(void **state) {
    (void)state;
    /* Bxa2 b3: the bishop has no way back, and Ra1 or Kb2 takes it. */
    const Motif motif = motif_of("6k1/5ppp/8/8/8/8/bPP5/1K6 w - - 0 1", "b1a2 g8f8");
    assert_int_equal(MOTIF_UNDEFENDED, motif.kind);
    const Motif trapped = motif_of("6k1/5ppp/8/8/8/1P6/b1P5/2K5 w - - 0 1", "c1b2 a2b1 b2b1");
    assert_int_equal(MOTIF_TRAPPED, trapped.kind);
}

static void a_guard_is_taken_first(void **state) {
    (void)state;
    /* The bishop on d5 is guarded by the knight on f6 alone, and the bishop on g5 takes that knight. */
    const char *fen = "6k1/6pp/5n2/3b2B1/8/8/8/3R2K1 w - - 0 1";
    const Motif motif = motif_of(fen, "g5f6 g7f6 d1d5");
    assert_int_equal(MOTIF_REMOVED_GUARD, motif.kind);
    assert_int_equal(F6, motif.victim[0]);
    assert_int_equal(D5, motif.victim[1]);
    /* A second guard on e6: then nothing is won. */
    assert_motif(MOTIF_NONE, "6k1/6pp/4pn2/3b2B1/8/8/8/3R2K1 w - - 0 1", "g5f6 g7f6 d1d5 e6d5");
}

static void a_guard_of_two_is_overloaded(void **state) {
    (void)state;
    /* The queen on d6 guards both bishops. */
    const Motif overloaded = motif_of("6k1/5ppp/3q4/3b4/1b6/8/2B2PPP/1R1R2K1 w - - 0 1", "d1d5 d6d5 b1b4");
    assert_int_equal(MOTIF_OVERLOADED, overloaded.kind);
    assert_int_equal(D6, overloaded.victim[0]);
    /* A knight on d5 guards the bishop as well: taking it removes a guard. */
    assert_motif(MOTIF_REMOVED_GUARD, "6k1/5ppp/3q4/3n4/1b6/8/2B2PPP/1R1R2K1 w - - 0 1", "d1d5 d6d5 b1b4");
}

static void a_pinned_piece_cannot_take_back(void **state) {
    (void)state;
    const Motif motif = motif_of("4k3/8/4n3/8/3p4/5N2/8/4RK2 w - - 0 1", "f3d4 e8d7");
    assert_int_equal(MOTIF_PINNED_GUARD, motif.kind);
    assert_int_equal(D4, motif.victim[0]);
    assert_int_equal(E6, motif.victim[1]);
    assert_int_equal(E1, motif.piece);
}

/* Whether the motif is found for the line's first move, or for pieces of the opponent that its second move
 * takes. */
static bool has_motif(MotifKind kind, int ply, const char *fen, const char *moves) {
    Line *line = test_line(fen, moves);
    Motif found[MOTIF_KINDS];
    const int count = motif_find(line, ply, line->length, found);
    bool has = false;
    for (int i = 0; i < count; i++) has |= found[i].kind == kind;
    line_destroy(line);
    return has;
}

static void a_king_is_drawn_into_a_fork(void **state) {
    (void)state;
    static const char OFFER[] = "6r1/1p1bqk2/p4n1r/3p4/3Q4/1P1B3P/P1P2PP1/4R1K1 w - - 0 1";
    assert_true(has_motif(MOTIF_ATTRACTION, 0, OFFER, "e1e7 f7e7 d4e3 f6e4 e3h6 e4c5"));
    /* The king does not take. */
    assert_false(has_motif(MOTIF_ATTRACTION, 0, OFFER, "e1e7 f7f8 e7d7 f6d7 d4d5"));
}

static void a_guard_is_drawn_away(void **state) {
    (void)state;
    static const char OFFER[] = "6k1/1b6/8/3q4/8/8/4B3/3Q2K1 w - - 0 1";
    assert_true(has_motif(MOTIF_DEFLECTION, 0, OFFER, "e2a6 b7a6 d1d5"));
    assert_false(has_motif(MOTIF_DEFLECTION, 0, OFFER, "e2a6 b7c6 d1d5"));
    /* The king still looks at the queen's square; the rook keeps it from taking back. */
    assert_false(has_motif(MOTIF_DEFLECTION, 0, "3qk3/8/8/8/8/8/8/3QK2R w - - 0 1", "h1h8 e8e7 d1d8"));
}

static void a_bishop_cuts_off_a_guard(void **state) {
    (void)state;
    static const char CUT[] = "r2q1rk1/ppp1b1pp/2n5/4pp2/2P5/PN1n1B2/1P3PPP/R1BQ1RK1 w - - 0 1";
    assert_true(has_motif(MOTIF_INTERFERENCE, 0, CUT, "f3d5 g8h8 d1d3"));
    assert_false(has_motif(MOTIF_INTERFERENCE, 0, CUT, "f3c6 b7c6 d1d3"));
}

static void a_knight_before_its_queen_may_not_leave(void **state) {
    (void)state;
    static const char PINNED[] = "3q2k1/5p1p/5n2/6B1/8/5Q2/5PPP/6K1 b - - 0 1";
    assert_true(has_motif(MOTIF_PINNED_TO, 1, PINNED, "h7h6 g5f6"));
    /* The knight moves with check (as in Legal's mate), so the queen is not lost. */
    assert_false(has_motif(MOTIF_PINNED_TO, 1, "3q2k1/5p1p/5n2/6B1/8/5QK1/5PPP/8 b - - 0 1", "h7h6 g5f6"));
}

static void a_check_between_saves_nothing(void **state) {
    (void)state;
    /* The bishop's check on f2 only delays the loss of the queen on h4. */
    const Motif motif =
        motif_of("1r3r1k/ppp2ppp/1bn1p1b1/8/Q3N2q/3P4/PP2BPPP/R1B2RK1 w - - 0 1", "c1g5 h4g5 e4g5");
    assert_int_equal(MOTIF_TRAPPED, motif.kind);
    assert_true(motif.forced);
}

static void nothing_stops_a_far_pawn(void **state) {
    (void)state;
    const Motif motif = motif_of("8/8/P7/8/8/6k1/8/4K3 w - - 0 1", "a6a7 g3g2 a7a8q");
    assert_int_equal(MOTIF_PROMOTION, motif.kind);
    assert_true(motif.forced);
    /* The king is near enough to take the new queen. */
    assert_motif(MOTIF_NONE, "8/2k5/P7/8/8/8/8/4K3 w - - 0 1", "a6a7 c7b7 a7a8q b7a8");
}

static void defended_and_undefended_are_distinguished(void **state) {
    (void)state;
    assert_motif(MOTIF_UNDEFENDED, "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5 e8e7");
    assert_motif(MOTIF_OUTNUMBERED, "4k3/8/4p3/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5 e6d5");
    /* A trade of equals wins nothing. */
    assert_motif(MOTIF_NONE, "4k3/8/4p3/3n4/8/4N3/8/4K3 w - - 0 1", "e3d5 e6d5");
}

/* --- causes: the first move of the line loses what the second takes --- */

static CauseKind cause_of(const char *fen, const char *moves) {
    Line *line = test_line(fen, moves);
    const CauseKind cause = line_cause(line, 1);
    line_destroy(line);
    return cause;
}

#define assert_cause(expected, fen, moves) \
    assert_string_equal(cause_name(expected), cause_name(cause_of(fen, moves)))

static void causes_are_distinguished(void **state) {
    (void)state;
    assert_cause(CAUSE_POISONED, "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", "d2d6 c7d6");
    assert_cause(CAUSE_MOVED_INTO, "4k3/2p5/8/8/8/8/3Q4/4K3 w - - 0 1", "d2d6 c7d6");
    assert_cause(CAUSE_IGNORED, "4k3/2p5/3Q4/8/8/8/7P/4K3 w - - 0 1", "h2h3 c7d6");
    assert_cause(CAUSE_UNGUARDED, "3r2k1/8/8/8/3N4/4Q3/8/6K1 w - - 0 1", "e3a3 d8d4");
    assert_cause(CAUSE_OPENED_LINE, "3rk3/8/8/3N4/8/8/3Q4/6K1 w - - 0 1", "d5f4 d8d2");
    assert_cause(CAUSE_CLOSED_LINE, "3rk3/8/8/8/3N2N1/8/5Q2/6K1 w - - 0 1", "g4e3 d8d4");
    /* The queen still guards the pawn, but in front of the bishop it may not take back. */
    assert_cause(CAUSE_CLOSED_LINE, "4r1k1/8/5n2/8/4P3/4Q3/6B1/6K1 w - - 0 1", "e3f3 f6e4");
}

static void a_piece_that_was_lost_already_has_no_cause(void **state) {
    (void)state;
    /* The queen is attacked on both squares. */
    assert_cause(CAUSE_NONE, "4k3/2p5/3Q4/1p6/8/8/8/4K3 w - - 0 1", "d6c5 b5b4");
}

static void a_mate_reports_discovered_checks_and_pins(void **state) {
    (void)state;
    Motif found[MOTIF_KINDS];
    Line *line = test_line("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9",
                           "d3d8 e8d8 d2g5 d8c7 g5d8"); /* Reti against Tartakower, 1910 */
    assert_int_equal(0, motif_find_mating(line, 0, found));
    assert_int_equal(1, motif_find_mating(line, 2, found));
    assert_int_equal(MOTIF_DOUBLE_CHECK, found[0].kind);
    assert_int_equal(D1, found[0].piece);
    assert_int_equal(4, found[0].won_at);
    assert_int_equal(0, motif_find_mating(line, 4, found));
    line_destroy(line);

    line = test_line("5rk1/5p2/8/8/2B5/3Q4/1B6/4K3 w - - 0 1", "d3g6");
    assert_int_equal(1, motif_find_mating(line, 0, found));
    assert_int_equal(MOTIF_PINNED_GUARD, found[0].kind);
    assert_int_equal(C4, found[0].piece);
    assert_int_equal(G6, found[0].victim[0]);
    assert_int_equal(F7, found[0].victim[1]);
    line_destroy(line);

    line = test_line("5r1k/p5pp/8/5N2/8/3Q4/8/K6R w - - 0 1", "f5e7 a7a6 d3h7");
    assert_int_equal(1, motif_find_mating(line, 0, found));
    assert_int_equal(MOTIF_DISCOVERED_ATTACK, found[0].kind);
    assert_int_equal(D3, found[0].piece);
    assert_int_equal(H7, found[0].victim[0]);
    assert_int_equal(0, motif_find_mating(line, 2, found));
    line_destroy(line);

    /* The pawn on f7 is pinned, but could not have helped. */
    line = test_line("6k1/5ppp/8/8/8/1B6/8/K2R4 w - - 0 1", "d1d8");
    assert_int_equal(0, motif_find_mating(line, 0, found));
    line_destroy(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_knight_forks_king_and_queen),
        cmocka_unit_test(a_fork_by_a_piece_that_can_be_taken_does_not_count),
        cmocka_unit_test(a_victim_that_only_another_one_guards_is_forked),
        cmocka_unit_test(a_check_before_taking_back_is_an_intermezzo),
        cmocka_unit_test(a_piece_pinned_to_the_queen_is_attacked_again),
        cmocka_unit_test(a_mate_has_a_cause),
        cmocka_unit_test(a_piece_that_the_move_pins_is_attacked),
        cmocka_unit_test(a_pawn_that_shields_a_rook_is_drawn_away),
        cmocka_unit_test(two_guarded_equals_are_not_forked),
        cmocka_unit_test(a_rook_skewers_king_and_queen),
        cmocka_unit_test(the_cheaper_piece_in_front_makes_no_skewer),
        cmocka_unit_test(a_bishop_moves_away_and_uncovers_a_rook),
        cmocka_unit_test(a_move_along_the_line_uncovers_nothing),
        cmocka_unit_test(a_discovered_check_wins_what_the_mover_attacks),
        cmocka_unit_test(a_bishop_behind_pawns_is_trapped),
        cmocka_unit_test(a_guard_is_taken_first),
        cmocka_unit_test(a_guard_of_two_is_overloaded),
        cmocka_unit_test(a_pinned_piece_cannot_take_back),
        cmocka_unit_test(a_king_is_drawn_into_a_fork),
        cmocka_unit_test(a_guard_is_drawn_away),
        cmocka_unit_test(a_bishop_cuts_off_a_guard),
        cmocka_unit_test(a_knight_before_its_queen_may_not_leave),
        cmocka_unit_test(a_check_between_saves_nothing),
        cmocka_unit_test(nothing_stops_a_far_pawn),
        cmocka_unit_test(defended_and_undefended_are_distinguished),
        cmocka_unit_test(causes_are_distinguished),
        cmocka_unit_test(a_piece_that_was_lost_already_has_no_cause),
        cmocka_unit_test(a_mate_reports_discovered_checks_and_pins),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
