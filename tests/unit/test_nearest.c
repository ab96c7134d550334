/* The nearest name. */
#include "base/nearest.h"

#include "test_support.h"

static const char *nearest_of(const char *word) {
    static const char *const NAMES[] = {"nodes", "games", "analyse", "selftest", "go", "d"};
    Nearest nearest = nearest_to(text_view(word));
    for (int i = 0; i < 6; i++) nearest_consider(&nearest, NAMES[i]);
    return nearest.name != NULL ? nearest.name : "";
}

static void test_typing_errors(void **state) {
    (void)state;
    assert_string_equal(nearest_of("noes"), "nodes");
    assert_string_equal(nearest_of("nodse"), "nodes");
    assert_string_equal(nearest_of("Games"), "games");
    assert_string_equal(nearest_of("gammes"), "games");
    assert_string_equal(nearest_of("annalise"), "analyse");
    assert_string_equal(nearest_of("self"), "selftest");
}

static void test_what_is_far_is_not_named(void **state) {
    (void)state;
    assert_string_equal(nearest_of("frobnicate"), "");
    assert_string_equal(nearest_of("x"), "");
    assert_string_equal(nearest_of(""), "");
    assert_string_equal(nearest_of("a word that is much longer than any name could ever be"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_typing_errors),
                                       cmocka_unit_test(test_what_is_far_is_not_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
