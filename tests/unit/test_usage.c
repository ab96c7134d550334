/* The help that a table makes. */
#include "base/usage.h"

#include "test_support.h"

#include <string.h>

typedef struct Step {
    int64_t plies;
    int other;
} Step;

typedef struct Book {
    int plies;
} Book;

typedef struct Settings {
    const char *suite, *engine;
    int depth, plot, games;
    double share;
    bool quiet, check;
    Book book;
    Step step[4];
} Settings;

#define FIELD_STRUCT Step
static const Field STEP[] = {{FIELD_HEADING("not shown")},
                             {FIELD_WHOLE("plies", "N", plies, 1, 10, "3", "to play"), .flags = FIELD_EACH},
                             {FIELD_WHOLE("other-than-those", "N", other, 1, 10, "3", "not shown")},
                             {0}};
#undef FIELD_STRUCT
#define FIELD_STRUCT Book
static const Field BOOK[] = {{FIELD_WHOLE("plies", "N", plies, 0, 100, "8", "of a PGN")}, {0}};
#undef FIELD_STRUCT
#define FIELD_STRUCT Settings
static const Field PLAN[] = {{FIELD_WHOLE("games", "N", games, 1, 10, "2", "to play")},
                             {FIELD_HEADING("Each:")},
                             {FIELD_GROUP(step, STEP), .length = 4, .stride = sizeof(Step)},
                             {0}};
static const Field SHARED[] = {{FIELD_TEXT("engine", "PROGRAM", engine, NULL, "the player")},
                               {FIELD_OPTIONS_OF("luft-lab read", book, BOOK)},
                               {0}};
static const Field BOOK_OPTIONS[] = {{FIELD_KEYS("openings", book, BOOK, "a book")},
                                     {FIELD_HEADING("More:")},
                                     {FIELD_FLAG("quiet", quiet, "no progress")},
                                     {0}};
static const Field FIELDS[] = {
    {FIELD_TEXT("SUITE.epd", NULL, suite, NULL, "the positions"), .flags = FIELD_WORD},
    {FIELD_TEXT("engine", "PROGRAM", engine, "./luft",
                "the engine, with an explanation that is longer than a line of a terminal has room for")},
    {FIELD_WHOLE("depth", "N", depth, 1, 200, "9", "of bench")},
    {FIELD_WHOLE("games", "N", games, 1, 10, NULL, "without a default")},
    {FIELD_REAL("share", "X", share, 0, 1, "0.1", "of games")},
    {FIELD_HEADING("More:")},
    {FIELD_CHOICE("plot", "svg/SVG png none", plot, "png", "drawn")},
    {FIELD_KEYS("openings", book, BOOK, "a book")},
    {FIELD_FLAG("quiet", quiet, "no progress")},
    {FIELD_NO("no-check", check, "any will do")},
    {0}};
#undef FIELD_STRUCT

static void test_page(void **state) {
    (void)state;
    static const Syntax SYNTAX = {.command = "luft-lab test",
                                  .about = "What it does.\n  kept as it is\n",
                                  .examples = "  luft-lab test x\n",
                                  .fields = FIELDS,
                                  .settings = PLAN};
    TextBuffer out = {0};
    usage_write(&SYNTAX, &out);
    assert_string_equal(buffer_string(&out),
                        "Usage: luft-lab test SUITE.epd [options]\n"
                        "\n"
                        "What it does.\n"
                        "  kept as it is\n"
                        "  games = N  to play (default 2)\n"
                        "\n"
                        "Each:\n"
                        "  plies = N  to play\n"
                        "\n"
                        "  SUITE.epd            the positions\n"
                        "\n"
                        "Options:\n"
                        "  --engine PROGRAM     the engine, with an explanation that is longer than a\n"
                        "                       line of a terminal has room for (default ./luft)\n"
                        "  --depth N            of bench (default 9)\n"
                        "  --games N            without a default\n"
                        "  --share X            of games (default 0.1)\n"
                        "\n"
                        "More:\n"
                        "  --plot svg|png|none  drawn (default png)\n"
                        "  --openings           a book\n"
                        "    plies=N            of a PGN (default 8)\n"
                        "  --quiet              no progress\n"
                        "  --no-check           any will do\n"
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

/* The help lists them, the man page refers to the other command. */
static void test_options_of_another_command(void **state) {
    (void)state;
    static const Syntax SYNTAX = {.command = "luft-lab test", .about = "One.\n", .fields = SHARED};
    TextBuffer help = {0}, manual = {0};
    usage_write(&SYNTAX, &help);
    assert_non_null(strstr(buffer_string(&help), "--plies N"));
    usage_write_manual(&SYNTAX, &manual);
    assert_string_equal(strstr(buffer_string(&manual), ".TP"), ".TP\n"
                                                               ".B \\-\\-engine PROGRAM\n"
                                                               "the player\n"
                                                               ".PP\n"
                                                               "And all options of luft\\-lab read.\n");
    buffer_release(&help);
    buffer_release(&manual);
}

static void test_section_of_the_man_page(void **state) {
    (void)state;
    static const Syntax SYNTAX = {.command = "luft-lab test",
                                  .usage = "-x [options]",
                                  .about = "One sentence.\n\n'Quoted'.\n  kept -\\\n",
                                  .examples = "  luft-lab test x\n",
                                  .fields = BOOK_OPTIONS};
    TextBuffer out = {0};
    usage_write_manual(&SYNTAX, &out);
    assert_string_equal(buffer_string(&out), ".SS luft-lab test\n"
                                             ".B luft\\-lab test \\-x [options]\n"
                                             ".br\n"
                                             ".PP\n"
                                             "One sentence.\n"
                                             ".PP\n"
                                             "\\&'Quoted'.\n"
                                             ".nf\n"
                                             "  kept \\-\\e\n"
                                             ".fi\n"
                                             ".TP\n"
                                             ".B \\-\\-openings\n"
                                             "a book\n"
                                             ".RS\n"
                                             ".TP\n"
                                             ".B plies=N\n"
                                             "of a PGN (default 8)\n"
                                             ".RE\n"
                                             ".PP\n"
                                             "More:\n"
                                             ".TP\n"
                                             ".B \\-\\-quiet\n"
                                             "no progress\n"
                                             ".PP\n"
                                             ".nf\n"
                                             "  luft\\-lab test x\n"
                                             ".fi\n");
    buffer_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_page),
                                       cmocka_unit_test(test_options_of_another_command),
                                       cmocka_unit_test(test_section_of_the_man_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
