/* luft-lab sprt: is a change worth having? Plays until it is known, or computes it from given counts. */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/match/match_options.h"
#include "lab/match/sprt.h"

#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: luft-lab sprt -engine cmd=NEW -engine cmd=OLD -each tc=8+0.08 [options]\n"
    "       luft-lab sprt --from LL,LD,DD,DW,WW [--bounds LOW,HIGH]\n"
    "       luft-lab sprt --simulate TESTS [--bounds LOW,HIGH] [--from LL,LD,DD,DW,WW]\n"
    "\n"
    "Plays the first engine against the second until a sequential test decides between two hypotheses: that "
    "the\n"
    "first is stronger by LOW (H0), or by HIGH (H1). Games come in pairs, one opening with colours reversed, "
    "and\n"
    "the test counts pairs, so that unequal openings do no harm.\n"
    "\n"
    "The test:\n"
    "  --bounds LOW,HIGH   the hypotheses (default 0,5). For a change that should gain: 0,5; for one that "
    "must\n"
    "                      not lose (a simplification): -5,0. Wide bounds decide soon, narrow ones see "
    "more.\n"
    "  --alpha A           chance to accept H1 when H0 is true (default 0.05)\n"
    "  --beta B            chance to accept H0 when H1 is true (default 0.10)\n"
    "  --model M           the unit of the bounds: normalized (default; as OpenBench and fastchess) or "
    "logistic\n"
    "\n"
    "Without playing:\n"
    "  --from COUNTS       the block for results obtained elsewhere: five counts of pairs by points of the "
    "first\n"
    "                      engine (0, 0.5, 1, 1.5, 2), or three of games: wins,losses,draws\n"
    "  --simulate TESTS    how often the test errs and how many games it takes, at each hypothesis and "
    "between\n"
    "\n"
    "Example: is ./luft-new better than ./luft, two games at a time?\n"
    "  luft-lab sprt -engine cmd=./luft-new -engine cmd=./luft -each tc=8+0.08 option.Hash=32 \\\n"
    "      -openings file=books/standard.epd order=random -concurrency 2\n"
    "\n"
    "Without -rounds it plays until the test is decided.\n"
    "\n";

/* More pairs than any test needs: the test ends it, not the count. */
enum { UNLIMITED_ROUNDS = 1000000 };

typedef struct SprtArguments {
    SprtTest test;
    const char *from; /* NULL: play */
    int64_t simulate; /* tests; 0: none */
    bool help;
} SprtArguments;

static Status parse_bounds(const char *text, SprtTest *test) {
    const char *comma = strchr(text, ',');
    if (comma != NULL && text_parse_double((TextView){text, (size_t)(comma - text)}, &test->elo0) &&
        text_parse_double(text_view(comma + 1), &test->elo1))
        return status_ok();
    return status_error("--bounds '%s': two numbers such as 0,5 expected", text);
}

static Status parse_model(const char *text, SprtTest *test) {
    if (strcmp(text, "normalized") == 0 || strcmp(text, "normalised") == 0)
        test->model = ELO_NORMALIZED;
    else if (strcmp(text, "logistic") == 0)
        test->model = ELO_LOGISTIC;
    else
        return status_error("--model '%s': normalized or logistic expected", text);
    return status_ok();
}

/* Reads an option of this command alone. */
static Status read_own(SprtArguments *arguments, int argc, char **argv, int *index, bool *taken) {
    const char *word = argv[*index], *value = NULL;
    Status status = status_ok();
    *taken = true;
    if (option_is(word, "bounds")) {
        status = option_value(argc, argv, index, &value);
        if (status_is_ok(&status)) status = parse_bounds(value, &arguments->test);
    } else if (option_is(word, "model")) {
        status = option_value(argc, argv, index, &value);
        if (status_is_ok(&status)) status = parse_model(value, &arguments->test);
    } else if (option_is(word, "alpha")) {
        status = option_number(argc, argv, index, 0, 1, &arguments->test.alpha);
    } else if (option_is(word, "beta")) {
        status = option_number(argc, argv, index, 0, 1, &arguments->test.beta);
    } else if (option_is(word, "from")) {
        status = option_value(argc, argv, index, &arguments->from);
    } else if (option_is(word, "simulate")) {
        status = option_integer(argc, argv, index, 1, 1000000, &arguments->simulate);
    } else {
        *taken = false;
    }
    return status;
}

static Status read_arguments(SprtArguments *arguments, MatchOptions *match, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        bool taken = false;
        Status status = read_own(arguments, argc, argv, &i, &taken);
        if (status_is_ok(&status) && !taken) {
            status = match_options_read(match, argc, argv, &i, &taken);
            i -= taken; /* it stands behind its words already */
        }
        if (!status_is_ok(&status)) return status;
        if (!taken) return status_error("unknown option '%s'", argv[i]);
    }
    return stats_sprt_check(&arguments->test);
}

/* --- without playing --- */

static bool is_trinomial(const char *counts) {
    int commas = 0;
    for (; *counts != '\0'; counts++) commas += *counts == ',';
    return commas == 2;
}

static int print_block_from(const SprtArguments *arguments) {
    PairCounts pairs;
    GameCounts games;
    bool trinomial = is_trinomial(arguments->from);
    Status status = trinomial ? stats_parse_games(text_view(arguments->from), &games)
                              : stats_parse_pairs(text_view(arguments->from), &pairs);
    if (!status_is_ok(&status)) return console_fail_usage("sprt", &status);
    TextBuffer out = {0};
    sprt_write_block(&arguments->test, NULL, trinomial ? NULL : &pairs, trinomial ? &games : NULL, &out);
    status = console_write_result(NULL, &out);
    buffer_release(&out);
    return status_is_ok(&status) ? COMMAND_OK : console_fail("sprt", &status);
}

typedef struct Simulated {
    int64_t passed;
    double pairs; /* on average */
} Simulated;

static Simulated simulate(const SprtArguments *arguments, const double shape[PAIR_OUTCOMES], double truth,
                          Progress *progress, int64_t done) {
    double probability[PAIR_OUTCOMES];
    memcpy(probability, shape, sizeof probability);
    stats_shift_pairs(probability, arguments->test.model, truth);
    Simulated simulated = {0};
    for (int64_t i = 0; i < arguments->simulate; i++) {
        Rng rng = rng_stream((uint64_t)done, (uint64_t)i);
        PairCounts taken;
        SprtVerdict verdict =
            stats_simulate_sprt(&arguments->test, probability, &rng, UNLIMITED_ROUNDS, &taken);
        simulated.passed += verdict == SPRT_ACCEPTS_H1;
        simulated.pairs += (double)stats_pair_total(&taken) / (double)arguments->simulate;
        progress_update(progress, done + i + 1, NULL);
    }
    return simulated;
}

static int print_simulation(const SprtArguments *arguments) {
    /* Where no result is given to take the shape from: fast games from quiet openings. */
    PairCounts pairs = {{30, 210, 490, 230, 40}};
    if (arguments->from != NULL) {
        Status status = stats_parse_pairs(text_view(arguments->from), &pairs);
        if (!status_is_ok(&status)) return console_fail_usage("sprt", &status);
    }
    double shape[PAIR_OUTCOMES], total = (double)stats_pair_total(&pairs) + PAIR_OUTCOMES;
    for (int i = 0; i < PAIR_OUTCOMES; i++) shape[i] = ((double)pairs.count[i] + 1) / total;

    const SprtTest *test = &arguments->test;
    const double truths[] = {test->elo0, (test->elo0 + test->elo1) / 2, test->elo1};
    enum { TRUTHS = sizeof truths / sizeof *truths };
    MarkdownTable table = markdown_table_begin("rrr");
    markdown_table_cell(&table, "true strength");
    markdown_table_cell(&table, "H1 accepted");
    markdown_table_cell(&table, "games on average");
    Progress progress = progress_begin("tests", TRUTHS * arguments->simulate, false);
    for (int i = 0; i < TRUTHS; i++) {
        Simulated simulated = simulate(arguments, shape, truths[i], &progress, i * arguments->simulate);
        markdown_table_cell(&table, "%.2f", truths[i]);
        markdown_table_cell(&table, "%.2f %%",
                            100.0 * (double)simulated.passed / (double)arguments->simulate);
        markdown_table_cell(&table, "%.0f", 2 * simulated.pairs);
    }
    progress_end(&progress);
    TextBuffer out = {0};
    markdown_table_write(&table, &out);
    Status status = console_write_result(NULL, &out);
    buffer_release(&out);
    return status_is_ok(&status) ? COMMAND_OK : console_fail("sprt", &status);
}

/* --- playing --- */

static void write_verdict(const SprtTest *test, const SprtOutcome *outcome, TextBuffer *out) {
    const char *unit = test->model == ELO_NORMALIZED ? "normalised Elo" : "Elo";
    if (outcome->verdict == SPRT_ACCEPTS_H1)
        buffer_append_format(
            out, "\nH1 is accepted: passed. The first engine is rather %.2f than %.2f %s stronger.\n",
            test->elo1, test->elo0, unit);
    else if (outcome->verdict == SPRT_ACCEPTS_H0)
        buffer_append_format(
            out, "\nH0 is accepted: failed. The first engine is rather %.2f than %.2f %s stronger.\n",
            test->elo0, test->elo1, unit);
    else
        buffer_append_string(out, "\nNot decided yet.\n");
}

static void describe_conditions(const MatchSetup *setup, char out[2 * CONDITIONS_CAPACITY]) {
    char first[CONDITIONS_CAPACITY], second[CONDITIONS_CAPACITY];
    sprt_describe_conditions(&setup->engines[0], first);
    sprt_describe_conditions(&setup->engines[1], second);
    if (strcmp(first, second) == 0)
        text_copy(text_view(first), out, CONDITIONS_CAPACITY);
    else
        text_format(out, 2 * CONDITIONS_CAPACITY, "%s against %s", first, second);
}

static int play(const SprtArguments *arguments, MatchOptions *match) {
    if (match->rounds == 0) match->rounds = UNLIMITED_ROUNDS;
    Status status = match_options_finish(match);
    if (!status_is_ok(&status)) return console_fail("sprt", &status);
    if (match->setup.engine_count != 2) {
        status =
            status_error("a test needs two engines, not %d: the new one first", match->setup.engine_count);
        return console_fail_usage("sprt", &status);
    }
    SprtOutcome outcome;
    MatchTotals totals;
    ReportOptions report = {.out = stderr, .interval = match->interval, .quiet = match->quiet};
    status = sprt_play(&match->setup, &arguments->test, report, &outcome, &totals);
    match_totals_release(&totals);
    TextBuffer out = {0};
    char conditions[2 * CONDITIONS_CAPACITY];
    describe_conditions(&match->setup, conditions);
    sprt_write_block(&arguments->test, conditions, &outcome.pairs, &outcome.games, &out);
    write_verdict(&arguments->test, &outcome, &out);
    Status written = console_write_result(NULL, &out);
    buffer_release(&out);
    if (!status_is_ok(&status)) return console_fail("sprt", &status);
    return status_is_ok(&written) ? COMMAND_OK : console_fail("sprt", &written);
}

int command_sprt(int argc, char **argv) {
    SprtArguments arguments = {.test = stats_sprt_default()};
    MatchOptions match;
    match_options_init(&match);
    Status status = read_arguments(&arguments, &match, argc, argv);
    int result;
    if (match.help || argc < 2) {
        printf("%s%s", HELP, MATCH_OPTIONS_HELP);
        result = match.help ? COMMAND_OK : COMMAND_USAGE;
    } else if (!status_is_ok(&status)) {
        result = console_fail_usage("sprt", &status);
    } else if (arguments.simulate > 0) {
        result = print_simulation(&arguments);
    } else if (arguments.from != NULL) {
        result = print_block_from(&arguments);
    } else {
        result = play(&arguments, &match);
    }
    match_options_release(&match);
    return result;
}
