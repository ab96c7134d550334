/* The words after the UCI command `explain`. */
#include "uci/parse.h"
#include "test_support.h"

static Question ask(const char *fen, const char *words) {
    const Position pos = test_position(fen);
    Question question;
    assert_ok(question_parse(&pos, text_view(words), &question));
    return question;
}

static void the_move_is_read_in_both_notations(void **state) {
    (void)state;
    assert_int_equal(ask(FEN_START, "Nf3").move, move_make(G1, F3));
    assert_int_equal(ask(FEN_START, "  g1f3 ").move, move_make(G1, F3));
    assert_int_equal(ask("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1").move, move_make_kind(E1, H1, CASTLING));
}

static void limits_are_read_in_any_order(void **state) {
    (void)state;
    Question question = ask(FEN_START, "a4");
    assert_int_equal(question.depth, 0);
    assert_int_equal(question.nodes, 400000);
    assert_false(question.json);
    question = ask(FEN_START, "a4 json depth 12");
    assert_int_equal(question.depth, 12);
    assert_true(question.nodes > 1000000000); /* the depth alone counts */
    assert_true(question.json);
    assert_int_equal(question.move, move_make(A2, A4));
    question = ask(FEN_START, "json nodes 5000");
    assert_int_equal(question.move, MOVE_NONE);
    assert_true(question.json);
    assert_int_equal(ask(FEN_START, "").move, MOVE_NONE);
    question = ask(FEN_START, "a4 nodes 5000 depth 3");
    assert_int_equal(question.depth, 3);
    assert_int_equal(question.nodes, 5000);
}

static void wrong_questions_are_refused_with_a_reason(void **state) {
    (void)state;
    static const char *const CASES[][3] = {
        {FEN_START, "jsn", "unreadable move 'jsn'"},
        {FEN_START, "e5", "illegal move 'e5'"},
        {"4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2", "ambiguous move 'Nd2'"},
        {FEN_START, "a4 depth", "depth must be a whole number from 1 to 239, not ''"},
        {FEN_START, "a4 depth 0", "not '0'"},
        {FEN_START, "a4 depth 240", "not '240'"},
        {FEN_START, "a4 nodes 99", "from 100 to"},
        {FEN_START, "a4 dept 3", "unknown word 'dept'"},
        {"R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "h6", "the game is over"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const Position pos = test_position(CASES[i][0]);
        Question question;
        assert_fails(question_parse(&pos, text_view(CASES[i][1]), &question), CASES[i][2]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_move_is_read_in_both_notations),
        cmocka_unit_test(limits_are_read_in_any_order),
        cmocka_unit_test(wrong_questions_are_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
