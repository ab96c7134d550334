/* The block that an SPRT prints, and its conditions. */
#include "lab/match/sprt.h"

#include "test_support.h"

static void test_whole_block(void **state) {
    (void)state;
    SprtTest test = stats_sprt_default();
    PairCounts pairs = {{18, 207, 494, 314, 28}};
    GameCounts games = {.wins = 556, .losses = 429, .draws = 1137};
    TextBuffer out = {0};
    sprt_write_block(&test, "8.0+0.08s Threads=1 Hash=32MB", &pairs, &games, &out);
    assert_string_equal(buffer_string(&out), "Elo   | 20.82 +- 8.47 (95%)\n"
                                             "SPRT  | 8.0+0.08s Threads=1 Hash=32MB\n"
                                             "LLR   | 2.94 (-2.25, 2.89) [0.00, 5.00]\n"
                                             "Games | N: 2122 W: 556 L: 429 D: 1137\n"
                                             "Penta | [18, 207, 494, 314, 28]\n");
    buffer_clear(&out);
    sprt_write_block(&test, NULL, &(PairCounts){{0, 0, 1, 0, 0}}, NULL, &out);
    assert_non_null(strstr(buffer_string(&out), "LLR   | 0.00 (")); /* never -0.00 */
    buffer_clear(&out);
    sprt_write_block(&test, NULL, &pairs, NULL, &out);
    assert_non_null(strstr(buffer_string(&out), "Games | N: 2122\n"));
    assert_null(strstr(buffer_string(&out), "SPRT"));
    buffer_clear(&out);
    sprt_write_block(&test, NULL, NULL, &games, &out);
    assert_non_null(strstr(buffer_string(&out), "Games | N: 2122 W: 556"));
    assert_null(strstr(buffer_string(&out), "Penta"));
    buffer_release(&out);
}

static void check_conditions(const char *limit, const char *expected) {
    EngineList list = {0};
    Status status = engine_list_add(&list);
    if (status_is_ok(&status)) status = engine_config_apply(&list.engines[0], text_view(limit));
    if (status_is_ok(&status)) status = engine_config_set_option(&list.engines[0], "Hash", "32");
    assert_true(status_is_ok(&status));
    char text[CONDITIONS_CAPACITY];
    sprt_describe_conditions(&list.engines[0], text);
    assert_string_equal(text, expected);
    engine_list_release(&list);
}

static void test_conditions(void **state) {
    (void)state;
    check_conditions("tc=8+0.08", "8.0+0.08s Threads=1 Hash=32MB");
    check_conditions("tc=10+0.1", "10.0+0.10s Threads=1 Hash=32MB");
    check_conditions("tc=0.5+0.005", "0.5+0.005s Threads=1 Hash=32MB");
    check_conditions("tc=10.25+0.125", "10.25+0.125s Threads=1 Hash=32MB");
    check_conditions("tc=0.05", "0.05+0.00s Threads=1 Hash=32MB");
    check_conditions("nodes=5000", "nodes=5000 Threads=1 Hash=32MB");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_block), cmocka_unit_test(test_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
