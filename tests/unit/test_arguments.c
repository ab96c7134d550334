/* Command lines and files of settings. */
#include "base/arguments.h"

#include "base/rng.h"
#include "test_support.h"

#include <math.h>
#include <string.h>

typedef struct Taken {
    char words[8][32];
    int count, options;
} Taken;

typedef struct Settings {
    bool quiet;
    int depth, choice, order, plies;
    int64_t games;
    uint64_t seed;
    double rate, seconds, bounds[2];
    const char *out, *file, *first, *second;
    ArgumentList rest;
    Taken taken;
} Settings;

static Status take(void *context, const char *word) {
    Taken *taken = context;
    if (word == NULL)
        taken->options++;
    else if (strcmp(word, "bad=1") == 0)
        return status_error("no such key");
    else
        text_copy(text_view(word), taken->words[taken->count++], sizeof taken->words[0]);
    return status_ok();
}

/* Words separated by single blanks; `positional`: rows for words, too. */
static Status read_as(Settings *settings, const char *line, bool positional, bool *help) {
    static char words[512];
    char *argv[32] = {words};
    int argc = 1;
    *settings = (Settings){.choice = -1, .rate = NAN};
    const Argument keys[] = {option_text("file", "BOOK", &settings->file, ""),
                             option_choice("order", "sequential random", &settings->order, ""),
                             option_int("plies", "N", &settings->plies, 0, 100, "")};
    const Argument inner[] = {argument_heading("inner"), option_text("out", "FILE", &settings->out, "")};
    const Argument table[] = {
        option_flag("quiet", &settings->quiet, ""),
        option_int("depth", "N", &settings->depth, -5, 200, ""),
        option_whole("games", "N", &settings->games, 0, 1e10, ""),
        option_count("seed", "N", &settings->seed, 0, ARGUMENT_UNLIMITED, ""),
        option_real("rate", "X", &settings->rate, 0, 1, ""),
        option_seconds("time", &settings->seconds, 0.001, 1e6, ""),
        option_choice("plot", "svg png/PNG none", &settings->choice, ""),
        argument_series(option_real("bounds", "LOW,HIGH", &settings->bounds[0], -100, 100, ""), 2,
                        sizeof(double)),
        option_words("engine", "cmd=PROGRAM...", take, &settings->taken, ""),
        option_keys("openings", ARGUMENTS(keys), ""),
        options_of(ARGUMENTS(inner)),
        argument_word(option_text("FIRST", NULL, &settings->first, "the first")),
        argument_optional(option_text("SECOND", NULL, &settings->second, "")),
        argument_words("MORE", &settings->rest, 0, ""),
    };
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) argv[argc++] = word;
    /* The words point into argv: kept until the next call. */
    static char *kept[32];
    memcpy(kept, argv, sizeof kept);
    return arguments_read(table, sizeof table / sizeof *table - (positional ? 0 : 3), argc, kept, help);
}

static Status read_line(Settings *settings, const char *line) {
    bool help;
    return read_as(settings, line, false, &help);
}

static void test_one_dash_or_two_with_a_blank_or_an_equals_sign(void **state) {
    (void)state;
    static const char *const LINES[] = {"-depth 7 -quiet -out=a=b", "--depth 7 --quiet --out a=b",
                                        "-depth=7 -quiet=yes -out a=b", "--depth=7 --quiet=on --out=a=b"};
    for (int i = 0; i < 4; i++) {
        Settings s;
        assert_ok(read_line(&s, LINES[i]));
        assert_int_equal(s.depth, 7);
        assert_true(s.quiet);
        assert_string_equal(s.out, "a=b");
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
    assert_fails(read_line(&s, "-bounds 1,2,3"), "--bounds takes 2 values at most");
    assert_fails(read_line(&s, "-time 0"), "a number of seconds from 0.001");
}

static void test_choices_and_flags(void **state) {
    (void)state;
    Settings s;
    assert_ok(read_line(&s, "-plot PNG --quiet=no"));
    assert_int_equal(s.choice, 1);
    assert_false(s.quiet);
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
    assert_string_equal(s.file, "x=y");
    assert_int_equal(s.order, 1);
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
    Settings s;
    bool help;
    assert_ok(read_as(&s, "one -depth 3 two - four", true, &help));
    assert_string_equal(s.first, "one");
    assert_string_equal(s.second, "two");
    assert_int_equal(s.rest.count, 2);
    assert_string_equal(s.rest.word[0], "-");
    assert_string_equal(s.rest.word[1], "four");
    assert_ok(read_as(&s, "-engine cmd=a one", true, &help));
    assert_string_equal(s.first, "one");
    assert_null(s.second);
    assert_ok(read_as(&s, "-- -depth --help", true, &help));
    assert_false(help);
    assert_string_equal(s.first, "-depth");
    assert_fails(read_as(&s, "-depth 3", true, &help), "FIRST is missing: the first");
    assert_fails(read_line(&s, "stray"), "unexpected word 'stray'");
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
        Settings s;
        bool help = false;
        assert_ok(read_as(&s, LINES[i], true, &help));
        assert_true(help);
        assert_int_equal(s.depth, 0);
    }
}

static Status read_bytes(TextView content, int64_t numbers[3], double *rate) {
    static TextBuffer text;
    const char *name;
    const Argument table[] = {
        argument_heading("settings"), option_text("name", "TEXT", &name, ""),
        argument_series(option_whole("numbers", "N", numbers, 0, 1e9, ""), 3, sizeof *numbers),
        option_real("rate", "X", rate, 0, 1, "")};
    buffer_clear(&text);
    buffer_append(&text, content);
    return arguments_read_settings(ARGUMENTS(table), &text);
}

static Status read_settings(const char *content, int64_t numbers[3], double *rate) {
    return read_bytes(text_view(content), numbers, rate);
}

static void test_files_of_settings(void **state) {
    (void)state;
    int64_t numbers[3] = {0};
    double rate = 0;
    assert_ok(read_settings("# nothing\r\n\n numbers = 1, 2k # and more\r\nrate=0.5", numbers, &rate));
    assert_true(numbers[0] == 1 && numbers[1] == 2000 && numbers[2] == 2000 && rate == 0.5);
    assert_fails(read_settings("\nnumbers", numbers, &rate), "line 2: expected name = value");
    assert_fails(read_settings("ratte = 1", numbers, &rate),
                 "line 1: unknown setting ratte; did you mean rate?");
    assert_fails(read_settings("numbers = 1, , 2", numbers, &rate), "line 1: numbers must be a whole number");
    assert_fails(read_bytes((TextView){"rate = 1\0\nratte = 1", 19}, numbers, &rate), "it holds zero bytes");
}

/* Whatever stands there, it is refused or taken: no assert, no byte beyond its end. */
static void test_any_settings(void **state) {
    (void)state;
    static const char BYTES[] = {'=', '=', ',', ' ', '\n', '\r', '#',  '-',
                                 '.', '1', '9', 'e', 'k',  'G',  '\0', (char)0xff};
    static const char *const NAMES[] = {"rate", "numbers", "name", "settings", "nan", "inf"};
    Rng rng = rng_seed(20);
    for (int i = 0; i < 20000; i++) {
        TextBuffer content = {0};
        int64_t numbers[3];
        double rate;
        for (uint64_t words = rng_below(&rng, 6); words > 0; words--) {
            buffer_append_string(&content, NAMES[rng_below(&rng, 6)]);
            for (uint64_t bytes = rng_below(&rng, 5); bytes > 0; bytes--)
                buffer_append_char(&content, BYTES[rng_below(&rng, sizeof BYTES)]);
        }
        (void)read_bytes((TextView){buffer_string(&content), content.length}, numbers, &rate);
        buffer_release(&content);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_dash_or_two_with_a_blank_or_an_equals_sign),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_choices_and_flags),
        cmocka_unit_test(test_key_value_words),
        cmocka_unit_test(test_words_have_names),
        cmocka_unit_test(test_unknown_options_name_the_nearest),
        cmocka_unit_test(test_help_reads_nothing),
        cmocka_unit_test(test_files_of_settings),
        cmocka_unit_test(test_any_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
