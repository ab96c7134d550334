/* Tables of settings: command lines, files of settings, fingerprints. */
#include "base/field.h"

#include "base/rng.h"
#include "test_support.h"

#include <math.h>
#include <string.h>

typedef struct Taken {
    char words[8][32];
    int count, options;
} Taken;

typedef enum Plot { PLOT_SVG, PLOT_PNG, PLOT_NONE } Plot;

typedef struct Book {
    const char *file;
    int order, plies;
} Book;

typedef struct Output {
    const char *out;
} Output;

typedef struct Settings {
    bool quiet, check;
    int depth;
    Plot plot;
    int64_t games;
    uint64_t seed;
    double rate, seconds, bounds[2];
    Book book;
    Output output;
    Taken taken;
} Settings;

typedef struct Words {
    const char *first, *second;
    WordList rest;
    Settings settings;
} Words;

static Status take(void *member, const char *word) {
    Taken *taken = member;
    if (word == NULL)
        taken->options++;
    else if (strcmp(word, "bad=1") == 0)
        return status_error("no such key");
    else
        text_copy(text_view(word), taken->words[taken->count++], sizeof taken->words[0]);
    return status_ok();
}

#define FIELD_STRUCT Book
static const Field BOOK[] = {{FIELD_TEXT("file", "BOOK", file, NULL, "")},
                             {FIELD_CHOICE("order", "sequential random", order, NULL, "")},
                             {FIELD_WHOLE("plies", "N", plies, 0, 100, "8", "")},
                             {0}};
#undef FIELD_STRUCT
#define FIELD_STRUCT Output
static const Field OUTPUT[] = {
    {FIELD_HEADING("output")}, {FIELD_TEXT("out", "FILE", out, "out.txt", ""), .flags = FIELD_RESULT}, {0}};
#undef FIELD_STRUCT
#define FIELD_STRUCT Settings
static const Field OPTIONS[] = {
    {FIELD_FLAG("quiet", quiet, ""), .flags = FIELD_RESULT},
    {FIELD_NO("no-check", check, "")},
    {FIELD_WHOLE("depth", "N", depth, -5, 200, NULL, ""), .flags = FIELD_RESULT},
    {FIELD_WHOLE("games", "N", games, 0, 1e10, "2k", ""), .flags = FIELD_RESULT},
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, NULL, "")},
    {FIELD_REAL("rate", "X", rate, 0, 1, "0.1", ""), .flags = FIELD_RESULT},
    {FIELD_SECONDS("time", seconds, 0.001, 1e6, "1m", "")},
    {FIELD_CHOICE("plot", "svg png/PNG none", plot, "none", ""), .flags = FIELD_RESULT},
    {FIELD_REAL("bounds", "LOW,HIGH", bounds[0], -100, 100, "0,5", ""), .length = 2,
     .stride = sizeof(double)},
    {FIELD_TAKEN("engine", "cmd=PROGRAM...", taken, take, "")},
    {FIELD_KEYS("openings", book, BOOK, "")},
    {FIELD_GROUP(output, OUTPUT)},
    {0}};
#undef FIELD_STRUCT
#define FIELD_STRUCT Words
static const Field WORDS[] = {
    {FIELD_TEXT("FIRST", NULL, first, NULL, "the first"), .flags = FIELD_WORD},
    {FIELD_TEXT("SECOND", NULL, second, NULL, ""), .flags = FIELD_WORD | FIELD_OPTIONAL},
    {FIELD_WORDS("MORE", rest, 0, "")},
    {FIELD_GROUP(settings, OPTIONS)},
    {0}};
#undef FIELD_STRUCT

/* Words separated by single spaces. The values point to them, so they are kept until the next call. */
static Status read_as(const Field *fields, void *base, const char *line, bool *help) {
    static char words[512];
    static char *argv[32];
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) argv[argc++] = word;
    return fields_read_arguments(fields, base, argc, argv, help);
}

static Status read_words(Words *words, const char *line, bool *help) {
    *words = (Words){0};
    return read_as(WORDS, words, line, help);
}

static Status read_line(Settings *settings, const char *line) {
    bool help;
    *settings = (Settings){0};
    return read_as(OPTIONS, settings, line, &help);
}

static void test_standard_values(void **state) {
    (void)state;
    Words words = {.settings.depth = 3, .first = "kept"};
    fields_reset(WORDS, &words);
    const Settings *s = &words.settings;
    assert_true(s->games == 2000 && s->rate == 0.1 && s->seconds == 60 && s->plot == PLOT_NONE);
    assert_true(s->bounds[0] == 0 && s->bounds[1] == 5 && s->book.plies == 8 && s->check && !s->quiet);
    assert_string_equal(s->output.out, "out.txt");
    assert_int_equal(s->depth, 3); /* no standard value */
    assert_string_equal(words.first, "kept");
}

static void test_one_or_two_dashes_with_a_space_or_an_equals_sign(void **state) {
    (void)state;
    static const char *const LINES[] = {"-depth 7 -quiet -out=a=b", "--depth 7 --quiet --out a=b",
                                        "-depth=7 -quiet=yes -out a=b", "--depth=7 --quiet=on --out=a=b"};
    for (int i = 0; i < 4; i++) {
        Settings s;
        assert_ok(read_line(&s, LINES[i]));
        assert_int_equal(s.depth, 7);
        assert_true(s.quiet);
        assert_string_equal(s.output.out, "a=b");
    }
}

static void test_numbers(void **state) {
    (void)state;
    Settings s;
    assert_ok(
        read_line(&s, "-games 1.5M -depth -5 -seed 9000000000000000001 -rate 0.25 -time 90s -bounds -5,0.5"));
    assert_int_equal(s.games, 1500000);
    assert_int_equal(s.depth, -5);
    assert_true(s.seed == UINT64_C(9000000000000000001) && s.rate == 0.25 && s.seconds == 90);
    assert_true(s.bounds[0] == -5 && s.bounds[1] == 0.5);
    assert_ok(read_line(&s, "-games 20k -time 250ms -bounds 3"));
    assert_int_equal(s.games, 20000);
    assert_true(s.seconds == 0.25 && s.bounds[1] == 3);
    assert_ok(read_line(&s, "-games 2G -time 1.5h"));
    assert_true(s.games == 2000000000 && s.seconds == 5400);
    assert_fails(read_line(&s, "-depth x"), "--depth must be a whole number from -5 to 200, not 'x'");
    assert_fails(read_line(&s, "-depth 201"), "from -5 to 200, not '201'");
    assert_fails(read_line(&s, "-depth 1.5"), "whole number");
    assert_fails(read_line(&s, "-seed -1"), "--seed must be a whole number from 0, not '-1'");
    assert_fails(read_line(&s, "-rate nan"), "--rate must be a number from 0 to 1, not 'nan'");
    assert_fails(read_line(&s, "-bounds 1,,2"), "--bounds");
    assert_fails(read_line(&s, "-bounds 0..5"),
                 "--bounds must be LOW,HIGH, each a number from -100 to 100, not '0..5'");
    assert_fails(read_line(&s, "-bounds 1,2,3"), "--bounds takes 2 values at most");
    assert_fails(read_line(&s, "-time 0"), "a number of seconds from 0.001");
}

static void test_choices_and_flags(void **state) {
    (void)state;
    Settings s;
    assert_ok(read_line(&s, "-plot PNG --quiet=no"));
    assert_int_equal(s.plot, PLOT_PNG);
    assert_false(s.quiet);
    assert_ok(read_line(&s, "--no-check=no"));
    assert_true(s.check);
    assert_ok(read_line(&s, "-no-check"));
    assert_false(s.check);
    assert_fails(read_line(&s, "-plot gif"), "--plot must be svg, png or none, not 'gif'");
    assert_fails(read_line(&s, "--quiet=maybe"), "--quiet must be yes or no, not 'maybe'");
}

static void test_key_value_words(void **state) {
    (void)state;
    Settings s;
    assert_ok(read_line(&s, "-engine cmd=a arg=-x -engine=cmd=b --openings file=x=y order=random -depth 3"));
    assert_int_equal(s.taken.options, 2);
    assert_int_equal(s.taken.count, 3);
    assert_string_equal(s.taken.words[1], "arg=-x");
    assert_string_equal(s.taken.words[2], "cmd=b");
    assert_string_equal(s.book.file, "x=y");
    assert_int_equal(s.book.order, 1);
    assert_int_equal(s.depth, 3);
    assert_fails(read_line(&s, "-openings plies=x"),
                 "--openings: plies must be a whole number from 0 to 100");
    assert_fails(read_line(&s, "-openings fiel=x"), "--openings: unknown key fiel; did you mean file?");
    assert_fails(read_line(&s, "-openings"), "--openings needs file=BOOK");
    assert_fails(read_line(&s, "-openings=order"), "--openings: order needs a value");
    assert_fails(read_line(&s, "-engine bad=1"), "--engine: no such key");
    assert_fails(read_line(&s, "-engine ./luft"), "--engine needs cmd=PROGRAM");
}

static void test_words_have_names(void **state) {
    (void)state;
    Words w;
    Settings s;
    bool help;
    assert_ok(read_words(&w, "one -depth 3 two - four", &help));
    assert_string_equal(w.first, "one");
    assert_string_equal(w.second, "two");
    assert_int_equal(w.rest.count, 2);
    assert_string_equal(w.rest.word[0], "-");
    assert_string_equal(w.rest.word[1], "four");
    assert_int_equal(w.settings.depth, 3);
    assert_ok(read_words(&w, "-engine cmd=a one", &help));
    assert_string_equal(w.first, "one");
    assert_null(w.second);
    assert_ok(read_words(&w, "-- -depth --help", &help));
    assert_false(help);
    assert_string_equal(w.first, "-depth");
    assert_fails(read_words(&w, "-depth 3", &help), "FIRST is missing: the first");
    assert_fails(read_line(&s, "stray"), "unexpected word 'stray'");
    assert_fails(read_line(&s, "-depth 3 stray -engine cmd=a"), "unexpected word 'stray'; --depth takes one");
    assert_fails(read_line(&s, "-engine cmd=a stray -depth 3"), "'stray'; --engine takes words with a '='");
}

static void test_a_required_option_must_be_there(void **state) {
    (void)state;
#define FIELD_STRUCT Words
    static const Field FIELDS[] = {{FIELD_TEXT("FIRST", NULL, first, NULL, ""), .flags = FIELD_WORD},
                                   {FIELD_TEXT("out", "FILE", second, NULL, ""), .flags = FIELD_REQUIRED},
                                   {0}};
#undef FIELD_STRUCT
    Words w = {0};
    bool help;
    assert_fails(read_as(FIELDS, &w, "", &help), "FIRST is missing");
    assert_fails(read_as(FIELDS, &w, "one", &help), "needs --out");
    assert_ok(read_as(FIELDS, &w, "one --out=x", &help));
    assert_string_equal(w.second, "x");
}

static void test_unknown_options_name_the_nearest(void **state) {
    (void)state;
    Settings s;
    assert_fails(read_line(&s, "--dept 3"), "unknown option --dept; did you mean --depth?");
    assert_fails(read_line(&s, "-otu=x"), "unknown option --otu; did you mean --out?");
    assert_fails(read_line(&s, "--frobnicate"), "unknown option --frobnicate");
    assert_fails(read_line(&s, "--out"), "--out needs a value");
    assert_fails(read_line(&s, "--out --depth 3"), "--out needs a value");
}

static void test_help_reads_nothing(void **state) {
    (void)state;
    static const char *const LINES[] = {"help", "-h", "--help", "-help", "-depth 3 --nonsense --help"};
    for (int i = 0; i < 5; i++) {
        Words w;
        bool help = false;
        assert_ok(read_words(&w, LINES[i], &help));
        assert_true(help);
        assert_int_equal(w.settings.depth, 0);
    }
}

typedef struct Step {
    int64_t number;
    bool fast;
    double other;
} Step;

typedef struct Plan {
    const char *name;
    double rate;
    Step step[3];
} Plan;

#define FIELD_STRUCT Step
static const Field STEP[] = {{FIELD_WHOLE("numbers", "N", number, 0, 1e9, "7", ""), .flags = FIELD_EACH},
                             {FIELD_FLAG("fast", fast, ""), .flags = FIELD_EACH},
                             {FIELD_REAL("other", "X", other, 0, 1, "0.5", "")},
                             {0}};
#undef FIELD_STRUCT
#define FIELD_STRUCT Plan
static const Field PLAN[] = {{FIELD_HEADING("settings")},
                             {FIELD_TEXT("name", "TEXT", name, NULL, "")},
                             {FIELD_REAL("rate", "X", rate, 0, 1, NULL, "")},
                             {FIELD_GROUP(step, STEP), .length = 3, .stride = sizeof(Step)},
                             {0}};
#undef FIELD_STRUCT

typedef struct Result {
    int64_t games;
    uint64_t hash;
    int player;
    bool passed;
    double elo, loss;
} Result;

#define FIELD_STRUCT Result
static const Field COLUMNS[] = {{FIELD_COLUMN("games", games)},
                                {FIELD_COLUMN("hash", hash)},
                                {FIELD_COLUMN("player", player)},
                                {FIELD_COLUMN("passed", passed)},
                                {FIELD_COLUMN("elo", elo)},
                                {FIELD_COLUMN("loss", loss)},
                                {0}};
#undef FIELD_STRUCT

static void check_row(const Result *result, const char *expected) {
    TextBuffer text = {0};
    Result read = {0};
    fields_append_row(COLUMNS, result, &text);
    assert_string_equal(buffer_string(&text), expected);
    assert_true(fields_read_row(COLUMNS, &read, buffer_view(&text)));
    assert_true(read.games == result->games && read.hash == result->hash && read.player == result->player);
    assert_true(read.passed == result->passed && read.elo == result->elo);
    assert_true(read.loss == result->loss || (isnan(read.loss) && isnan(result->loss)));
    buffer_release(&text);
}

static void test_tables_of_results(void **state) {
    (void)state;
    TextBuffer names = {0};
    fields_append_names(COLUMNS, &names);
    assert_string_equal(buffer_string(&names), "games\thash\tplayer\tpassed\telo\tloss");
    buffer_release(&names);
    check_row(&(Result){-5, UINT64_MAX, -1, true, 1.5, 0.0125},
              "-5\t18446744073709551615\t-1\t1\t1.5\t0.0125");
    check_row(&(Result){0, 0, 7, false, -(double)INFINITY, (double)NAN}, "0\t0\t7\t0\t-inf\t-");
    Result read;
    static const char *const BAD[] = {"",
                                      "1\t2\t3\t1\t0.5",
                                      "1\t-2\t3\t1\t0\t0",
                                      "1\t2\t3000000000\t1\t0\t0",
                                      "1\t2\t3\t2\t0\t0",
                                      "1.5\t2\t3\t1\t0\t0",
                                      "1\t2\t3\t1\tx\t0"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(fields_read_row(COLUMNS, &read, text_view(BAD[i])));
}

static Status read_bytes(TextView content, Plan *plan) {
    static TextBuffer text;
    buffer_clear(&text);
    buffer_append(&text, content);
    *plan = (Plan){0};
    fields_reset(PLAN, plan);
    return fields_read_settings(PLAN, plan, &text);
}

static Status read_settings(const char *content, Plan *plan) { return read_bytes(text_view(content), plan); }

static void test_files_of_settings(void **state) {
    (void)state;
    Plan plan;
    assert_ok(read_settings("# nothing\r\n\n numbers = 1, 2k # and more\r\nrate=0.5", &plan));
    assert_true(plan.step[0].number == 1 && plan.step[1].number == 2000 && plan.step[2].number == 2000);
    assert_true(plan.rate == 0.5);
    assert_ok(read_settings("fast = no, yes", &plan));
    assert_true(!plan.step[0].fast && plan.step[1].fast && plan.step[2].fast);
    for (int i = 0; i < 3; i++) assert_true(plan.step[i].number == 7 && plan.step[i].other == 0.5);
    assert_fails(read_settings("\nnumbers", &plan), "line 2: expected name = value");
    assert_fails(read_settings("ratte = 1", &plan), "line 1: unknown setting ratte; did you mean rate?");
    assert_fails(read_settings("numbers = 1, , 2", &plan), "line 1: numbers must be a whole number");
    assert_fails(read_settings("numbers = 1, 2, 3, 4", &plan), "line 1: numbers takes 3 values at most");
    /* Settings that may not change between steps have no name here. */
    assert_fails(read_settings("other = 1", &plan), "line 1: unknown setting other");
    assert_fails(read_bytes((TextView){"rate = 1\0\nratte = 1", 19}, &plan), "it holds zero bytes");
}

static void check_results(const Settings *settings, const char *expected) {
    TextBuffer text = {0};
    fields_append_results(OPTIONS, settings, &text);
    assert_string_equal(buffer_string(&text), expected);
    buffer_release(&text);
}

static void test_what_the_result_depends_on(void **state) {
    (void)state;
    Settings s = {0};
    fields_reset(OPTIONS, &s);
    s.quiet = true;
    s.seed = 5;
    s.rate = 0.5;
    check_results(&s, "quiet=1\ndepth=0\ngames=2000\nrate=0.5\nplot=2\nout=out.txt\n");
    s.games = -1;
    s.output.out = NULL;
    check_results(&s, "quiet=1\ndepth=0\ngames=-1\nrate=0.5\nplot=2\nout=\n");
}

/* Any text is refused or accepted, without a failing assert or a read past its end. */
static void test_any_settings(void **state) {
    (void)state;
    static const char BYTES[] = {'=', '=', ',', ' ', '\n', '\r', '#',  '-',
                                 '.', '1', '9', 'e', 'k',  'G',  '\0', (char)0xff};
    static const char *const NAMES[] = {"rate", "numbers", "name", "settings", "nan", "inf"};
    Rng rng = rng_seed(20);
    for (int i = 0; i < 20000; i++) {
        TextBuffer content = {0};
        Plan plan;
        for (uint64_t words = rng_below(&rng, 6); words > 0; words--) {
            buffer_append_string(&content, NAMES[rng_below(&rng, 6)]);
            for (uint64_t bytes = rng_below(&rng, 5); bytes > 0; bytes--)
                buffer_append_char(&content, BYTES[rng_below(&rng, sizeof BYTES)]);
        }
        (void)read_bytes((TextView){buffer_string(&content), content.length}, &plan);
        buffer_release(&content);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standard_values),
        cmocka_unit_test(test_one_or_two_dashes_with_a_space_or_an_equals_sign),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_choices_and_flags),
        cmocka_unit_test(test_key_value_words),
        cmocka_unit_test(test_words_have_names),
        cmocka_unit_test(test_a_required_option_must_be_there),
        cmocka_unit_test(test_unknown_options_name_the_nearest),
        cmocka_unit_test(test_help_reads_nothing),
        cmocka_unit_test(test_files_of_settings),
        cmocka_unit_test(test_what_the_result_depends_on),
        cmocka_unit_test(test_tables_of_results),
        cmocka_unit_test(test_any_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
