/* The help that a table makes. */
#include "base/usage.h"

#include "test_support.h"

#include <math.h>
#include <string.h>

static void test_page(void **state) {
    (void)state;
    const char *suite = NULL, *engine = "./luft";
    int depth = 9, plot = 1, games = 0, plies = 8;
    double rate = NAN, share = 0.1;
    int64_t plies_each[4] = {3000000, 20000000, 20000000, 20000000};
    bool quiet = false;
    const Argument keys[] = {option_int("plies", "N", &plies, 0, 100, "of a PGN")};
    const Argument table[] = {
        argument_word(option_text("SUITE.epd", NULL, &suite, "the positions")),
        option_text("engine", "PROGRAM", &engine,
                    "the engine, with an explanation that is longer than a line of a terminal has room for"),
        option_int("depth", "N", &depth, 1, 200, "of bench"),
        option_int("games", "N", &games, 1, 10, "out of its range, so without a default"),
        option_real("rate", "X", &rate, 0, 1, "not said"),
        option_real("share", "X", &share, 0, 1, "of games"),
        argument_series(option_whole("each", "N", plies_each, 1, 1e13, "to play"), 4, sizeof *plies_each),
        argument_heading("More:"),
        option_choice("plot", "svg/SVG png none", &plot, "drawn"),
        option_keys("openings", ARGUMENTS(keys), "a book"),
        option_flag("quiet", &quiet, "no progress"),
    };
    const Syntax syntax = {"luft-lab test", NULL, "What it does.\n  kept as it is\n", "  luft-lab test x\n",
                           ARGUMENTS(table)};
    TextBuffer out = {0};
    usage_write(&syntax, &out);
    assert_string_equal(buffer_string(&out),
                        "Usage: luft-lab test SUITE.epd [options]\n"
                        "\n"
                        "What it does.\n"
                        "  kept as it is\n"
                        "\n"
                        "  SUITE.epd            the positions\n"
                        "\n"
                        "Options:\n"
                        "  --engine PROGRAM     the engine, with an explanation that is longer than a\n"
                        "                       line of a terminal has room for (default ./luft)\n"
                        "  --depth N            of bench (default 9)\n"
                        "  --games N            out of its range, so without a default\n"
                        "  --rate X             not said\n"
                        "  --share X            of games (default 0.1)\n"
                        "  --each N             to play (default 3M, 20M)\n"
                        "\n"
                        "More:\n"
                        "  --plot svg|png|none  drawn (default png)\n"
                        "  --openings           a book\n"
                        "    plies=N            of a PGN (default 8)\n"
                        "  --quiet              no progress\n"
                        "\n"
                        "Examples:\n"
                        "  luft-lab test x\n");
    for (const char *line = buffer_string(&out); line != NULL;) {
        const char *end = strchr(line, '\n');
        assert_true(end != NULL ? end - line < 80 : strlen(line) < 80);
        line = end != NULL ? end + 1 : NULL;
    }
    buffer_release(&out);
}

static void test_settings(void **state) {
    (void)state;
    int64_t plies = 5;
    const Argument table[] = {option_whole("plies", "N", &plies, 1, 10, "to play")};
    TextBuffer out = {0};
    usage_write_settings(ARGUMENTS(table), &out);
    assert_string_equal(buffer_string(&out), "  plies = N  to play (default 5)\n");
    buffer_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_page), cmocka_unit_test(test_settings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
