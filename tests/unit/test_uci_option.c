/* Options that engines offer, and valid values. */
#include "lab/client/uci_option.h"

#include "test_support.h"

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

static Status check(const char *name, const char *value, bool expect_button) {
    bool button;
    Status status = uci_option_check(text_view(OFFERED), name, value, &button);
    if (status_is_ok(&status)) assert_int_equal(button, expect_button);
    return status;
}

static void test_existence(void **state) {
    (void)state;
    assert_true(uci_option_exists(text_view(OFFERED), "Hash"));
    assert_true(uci_option_exists(text_view(OFFERED), "skill LEVEL"));
    assert_false(uci_option_exists(text_view(OFFERED), "Skill"));
    assert_false(uci_option_exists(text_view(""), "Hash"));
}

static void test_values(void **state) {
    (void)state;
    assert_ok(check("Hash", "1", false));
    assert_ok(check("hash", "1024", false));
    assert_ok(check("Free", "-99999999", false));
    assert_ok(check("Ponder", "true", false));
    assert_ok(check("Style", "very risky", false));
    assert_ok(check("EvalFile", "/some/path with blanks", false));
    assert_ok(check("EvalFile", "", false));
    assert_ok(check("Clear Hash", "", true));
    assert_fails(check("Hash", "0", false), "option Hash is 0, but must be from 1 to 1024");
    assert_fails(check("Hash", "1025", false), "1025");
    assert_fails(check("Hash", "1.5", false), "whole number");
    assert_fails(check("Ponder", "yes", false), "true or false");
    assert_fails(check("Style", "Risky", false), "no choice 'Risky'");
    assert_fails(check("Has", "1", false), "no option Has");
}

static void test_numbers(void **state) {
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_existence), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
