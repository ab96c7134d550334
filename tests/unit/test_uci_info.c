/* Output of engines: info lines in many forms, scores, principal variations, options and valid values. */
#include "lab/client/uci_info.h"

#include "test_support.h"

static UciInfo parse(const char *line) {
    UciInfo info;
    assert_true(uci_parse_info(text_view(line), &info));
    return info;
}

static void expect_text(TextView text, const char *expected) {
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.data, expected, text.length);
}

static void test_complete_line(void **state) {
    (void)state;
    UciInfo info =
        parse("info depth 12 seldepth 18 multipv 2 score cp -25 upperbound wdl 80 850 70 nodes 123456789012 "
              "nps 1000 hashfull 17 tbhits 3 time 45 pv e2e4 e7e5 g1f3");
    assert_int_equal(info.depth, 12);
    assert_int_equal(info.multi_pv, 2);
    assert_int_equal(info.score.kind, SCORE_CENTIPAWNS);
    assert_int_equal(info.score.bound, SCORE_IS_UPPER);
    assert_int_equal(info.score.value, -25);
    expect_text(info.pv, "e2e4 e7e5 g1f3");
}

static void test_variants(void **state) {
    (void)state;
    UciInfo info = parse("info\tscore   mate -3 depth 5   pv e2e4");
    assert_int_equal(info.score.kind, SCORE_MATE_IN);
    assert_int_equal(info.score.value, -3);
    assert_int_equal(info.multi_pv, 1);
    expect_text(info.pv, "e2e4");
    info = parse("info depth 3 pv e2e4 e7e5 score cp 7 nodes 9 time 1");
    expect_text(info.pv, "e2e4 e7e5");
    assert_int_equal(info.score.value, 7);
    info = parse("info unknown 5 score lowerbound cp 5 score cp 8 lowerbound pv");
    assert_int_equal(info.score.value, 8);
    assert_int_equal(info.score.bound, SCORE_IS_LOWER);
    assert_int_equal(info.pv.length, 0);
    info = parse("info depth 99999999999999999999 score cp 99999999999 nodes x");
    assert_int_equal(info.depth, 0);
    assert_int_equal(info.score.value, INT32_MAX);
}

static void test_lines_without_score(void **state) {
    (void)state;
    UciInfo info;
    assert_false(uci_parse_info(text_view("info currmove e2e4 currmovenumber 1"), &info));
    assert_false(uci_parse_info(text_view("info string score cp 5"), &info));
    assert_false(uci_parse_info(text_view("bestmove e2e4"), &info));
    assert_false(uci_parse_info(text_view("info"), &info));
    assert_false(uci_parse_info(text_view(""), &info));
    assert_false(uci_parse_info(text_view("info score"), &info));
}

static void test_scores(void **state) {
    (void)state;
    char text[UCI_SCORE_CAPACITY];
    struct {
        UciScore score;
        int value;
        const char *text;
    } cases[] = {
        {{SCORE_CENTIPAWNS, SCORE_IS_EXACT, 31}, 31, "+0.31"},
        {{SCORE_CENTIPAWNS, SCORE_IS_EXACT, -5}, -5, "-0.05"},
        {{SCORE_CENTIPAWNS, SCORE_IS_EXACT, -1234}, -1234, "-12.34"},
        {{SCORE_CENTIPAWNS, SCORE_IS_EXACT, 1000000}, 31000, "+310.00"},
        {{SCORE_MATE_IN, SCORE_IS_EXACT, 3}, 31997, "+M3"},
        {{SCORE_MATE_IN, SCORE_IS_EXACT, -12}, -31988, "-M12"},
        {{SCORE_MATE_IN, SCORE_IS_EXACT, 0}, -32000, "-M0"},
        {{SCORE_NOT_GIVEN, SCORE_IS_EXACT, 0}, 0, "+0.00"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(uci_score_value(cases[i].score), cases[i].value);
        uci_score_write(cases[i].score, text);
        assert_string_equal(text, cases[i].text);
    }
}

static Fault check(const char *fen, const char *pv, char detail[FAULT_DETAIL_CAPACITY]) {
    Position pos;
    assert_ok(fen_parse(&pos, text_view(fen), false));
    return uci_check_pv(&pos, text_view(pv), detail);
}

static void test_principal_variations(void **state) {
    (void)state;
    char detail[FAULT_DETAIL_CAPACITY];
    assert_int_equal(check(FEN_START, "", detail), FAULT_NONE);
    assert_int_equal(check(FEN_START, "e2e4 e7e5 e1e2 e8e7", detail), FAULT_NONE);
    assert_int_equal(check(FEN_START, "f2f3 e7e5 g2g4 d8h4", detail), FAULT_NONE);
    assert_string_equal(detail, "");
    assert_int_equal(check(FEN_START, "e2e4 e7e5 e1e3", detail), FAULT_ILLEGAL_PV);
    assert_string_equal(detail, "move 3 (e1e3) of the PV is illegal");
    assert_int_equal(check(FEN_START, "nonsense-without-end-at-all", detail), FAULT_ILLEGAL_PV);
    /* mate */
    assert_int_equal(check(FEN_START, "f2f3 e7e5 g2g4 d8h4 e1f2", detail), FAULT_LONG_PV);
    assert_string_equal(detail, "move 5 (e1f2) of the PV comes after the end of the game");
    /* threefold repetition; the first move of a PV is never checked for it */
    assert_int_equal(check(FEN_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", detail), FAULT_NONE);
    assert_int_equal(check(FEN_START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4", detail), FAULT_LONG_PV);
    /* fifty moves */
    assert_int_equal(check("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "a1a2 e8e7", detail), FAULT_NONE);
    assert_int_equal(check("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "a1a2 e8e7 a2a3", detail), FAULT_LONG_PV);
}

static const char OFFERED[] =
    "option name Hash type spin default 16 min 1 max 1024\n"
    "option name Skill Level type spin default 20 min 0 max 20\n"
    "option name Ponder type check default false\n"
    "option name Style type combo default Solid var Solid var Very Risky var Normal\n"
    "option name Clear Hash type button\n"
    "option name EvalFile type string default <empty>\n"
    "option name Free type spin default 0\n"
    "option name Odd type spin default 5 min 7 max 9\n"
    "option name Margin type spin default -20 min -100 max 50\n";

static Status check_option(const char *name, const char *value, bool expect_button) {
    bool button;
    Status status = uci_option_check(text_view(OFFERED), name, value, &button);
    if (status_is_ok(&status)) assert_int_equal(button, expect_button);
    return status;
}

static void test_option_existence(void **state) {
    (void)state;
    assert_true(uci_option_exists(text_view(OFFERED), "Hash"));
    assert_true(uci_option_exists(text_view(OFFERED), "skill LEVEL"));
    assert_false(uci_option_exists(text_view(OFFERED), "Skill"));
    assert_false(uci_option_exists(text_view(""), "Hash"));
}

static void test_option_values(void **state) {
    (void)state;
    assert_ok(check_option("Hash", "1", false));
    assert_ok(check_option("hash", "1024", false));
    assert_ok(check_option("Free", "-99999999", false));
    assert_ok(check_option("Ponder", "true", false));
    assert_ok(check_option("Style", "very risky", false));
    assert_ok(check_option("EvalFile", "/some/path with blanks", false));
    assert_ok(check_option("EvalFile", "", false));
    assert_ok(check_option("Clear Hash", "", true));
    assert_fails(check_option("Hahs", "1", false), "there is no option Hahs; did you mean Hash?");
    assert_fails(check_option("Skil Level", "1", false), "did you mean Skill Level?");
    assert_fails(check_option("Contempt", "1", false), "there is no option Contempt");
    assert_fails(check_option("Hash", "0", false), "option Hash is 0, but must be from 1 to 1024");
    assert_fails(check_option("Hash", "1025", false), "1025");
    assert_fails(check_option("Hash", "1.5", false), "whole number");
    assert_fails(check_option("Ponder", "yes", false), "true or false");
    assert_fails(check_option("Style", "Risky", false), "no choice 'Risky'");
    assert_fails(check_option("Has", "1", false), "no option Has");
}

static void test_option_numbers(void **state) {
    (void)state;
    UciSpin spin;
    assert_true(uci_option_spin(text_view(OFFERED), "Margin", &spin));
    assert_int_equal(spin.initial, -20);
    assert_int_equal(spin.low, -100);
    assert_int_equal(spin.high, 50);
    assert_true(uci_option_spin(text_view(OFFERED), "skill level", &spin));
    assert_int_equal(spin.initial, 20);
    assert_false(uci_option_spin(text_view(OFFERED), "Ponder", &spin));
    assert_false(uci_option_spin(text_view(OFFERED), "Free", &spin));
    assert_false(uci_option_spin(text_view(OFFERED), "Odd", &spin));
    assert_false(uci_option_spin(text_view(OFFERED), "Marg", &spin));
}

static void test_names_and_moves(void **state) {
    (void)state;
    TextView text;
    assert_true(uci_parse_name(text_view("id name  Toy  1.0 \t"), &text));
    expect_text(text, "Toy  1.0");
    assert_true(uci_parse_name(text_view(" id\tname"), &text));
    expect_text(text, "");
    assert_false(uci_parse_name(text_view("id author Toy"), &text));
    assert_false(uci_parse_name(text_view("idname Toy"), &text));
    assert_true(uci_parse_best_move(text_view("bestmove e7e8q ponder e2e4"), &text));
    expect_text(text, "e7e8q");
    assert_true(uci_parse_best_move(text_view("\tbestmove  (none)"), &text));
    expect_text(text, "(none)");
    assert_true(uci_parse_best_move(text_view("bestmove"), &text));
    expect_text(text, "");
    assert_false(uci_parse_best_move(text_view("bestmovee2e4"), &text));
    assert_false(uci_parse_best_move(text_view("info bestmove e2e4"), &text));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete_line),        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_lines_without_score),  cmocka_unit_test(test_scores),
        cmocka_unit_test(test_principal_variations), cmocka_unit_test(test_option_existence),
        cmocka_unit_test(test_option_values),        cmocka_unit_test(test_option_numbers),
        cmocka_unit_test(test_names_and_moves),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
