/* luft-lab sprt: is a change worth having? Plays until it is known, or computes it from given counts. */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/match/match_options.h"
#include "lab/match/report.h"
#include "lab/match/sprt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char USAGE[] = "-engine cmd=NEW -engine cmd=OLD -each tc=8+0.08 [options]\n"
                            "--from LL,LD,DD,DW,WW [--bounds LOW,HIGH]\n"
                            "--simulate TESTS [--bounds LOW,HIGH] [--from LL,LD,DD,DW,WW]";
static const char ABOUT[] =
    "Plays the first engine against the second until a sequential test decides "
    "between two hypotheses: the first is stronger by LOW (H0) or by HIGH (H1). "
    "Games come in pairs, one opening with colours reversed, and the test counts "
    "pairs, so unequal openings do no harm. "
    "Without -rounds it plays until the test is decided. "
    "The exit status is 0 when H1 is accepted, 3 when H0 is, 4 when the test is not decided, and "
    "1 when it failed.\n";
static const char EXAMPLES[] = "  is ./luft-new better than ./luft, two games at a time?\n"
                               "  luft-lab sprt -engine cmd=./luft-new -engine cmd=./luft \\\n"
                               "      -each tc=8+0.08 option.Hash=32 -concurrency 2 \\\n"
                               "      -openings generate=1\n";

/* More pairs than any test needs: the test ends it, not the count. */
enum { UNLIMITED_ROUNDS = 1000000 };

typedef struct SprtArguments {
    SprtTest test;
    const char *from;  /* NULL: play */
    int64_t simulate;  /* tests; 0: none */
    bool is_trinomial; /* `from` counts games */
    PairCounts pairs;  /* from `from` */
    GameCounts games;
    MatchOptions match;
    int exit_status; /* of a test, played or given */
} SprtArguments;

/* What a script wants to know: H1 is COMMAND_OK, without a verdict the test is COMMAND_UNFINISHED. */
enum { EXIT_H0 = 3 };

static bool has_two_commas(const char *counts) {
    int commas = 0;
    for (; *counts != '\0'; counts++) commas += *counts == ',';
    return commas == 2;
}

enum { MODEL_BAYESIAN = ELO_LOGISTIC + 1 }; /* only refused, with what to say instead */

static Status check(void *context) {
    SprtArguments *arguments = context;
    const MatchOptions *match = &arguments->match;
    if ((int)arguments->test.model == MODEL_BAYESIAN)
        return status_error(
            "model=bayesian: BayesElo is another strength for each share of draws, and knows no "
            "pairs of games; model=logistic has its bounds in Elo, model=normalized in what "
            "Fishtest and OpenBench use");
    Status status = stats_sprt_check(&arguments->test);
    if (!status_is_ok(&status)) return status;
    if (arguments->from != NULL) {
        TextView counts = text_view(arguments->from);
        arguments->is_trinomial = arguments->simulate == 0 && has_two_commas(arguments->from);
        return arguments->is_trinomial ? stats_parse_games(counts, &arguments->games)
                                       : stats_parse_pairs(counts, &arguments->pairs);
    }
    if (arguments->simulate > 0) return status;
    if (match->engines.count != 2)
        return status_error("a test needs two engines, not %d: the new one first", match->engines.count);
    return match_options_check(match);
}

static void write_verdict(SprtArguments *arguments, SprtVerdict verdict, TextBuffer *out) {
    const SprtTest *test = &arguments->test;
    const char *unit = test->model == ELO_NORMALIZED ? "normalised Elo" : "Elo";
    if (verdict == SPRT_ACCEPTS_H1)
        buffer_append_format(out,
                             "\nH1 is accepted: passed. A gain of %.2f %s is likelier than one of %.2f.\n",
                             test->elo1, unit, test->elo0);
    else if (verdict == SPRT_ACCEPTS_H0)
        buffer_append_format(out,
                             "\nH0 is accepted: failed. A gain of %.2f %s is likelier than one of %.2f.\n",
                             test->elo0, unit, test->elo1);
    else
        buffer_append_string(out, "\nNot decided yet.\n");
    arguments->exit_status = verdict == SPRT_ACCEPTS_H1   ? COMMAND_OK
                             : verdict == SPRT_ACCEPTS_H0 ? EXIT_H0
                                                          : COMMAND_UNFINISHED;
}

/* --- without playing --- */

static void write_block_from(SprtArguments *arguments, TextBuffer *out) {
    const SprtTest *test = &arguments->test;
    const PairCounts *pairs = arguments->is_trinomial ? NULL : &arguments->pairs;
    const GameCounts *games = arguments->is_trinomial ? &arguments->games : NULL;
    sprt_write_block(test, NULL, pairs, games, out);
    const double llr = pairs != NULL ? stats_llr_pairs(test, pairs) : stats_llr_games(test, games);
    write_verdict(arguments, stats_sprt_verdict(test, llr), out);
}

static void write_simulation(const SprtArguments *arguments, TextBuffer *out) {
    /* Without results to take the shape from: fast games from quiet openings. */
    const PairCounts shape =
        arguments->from != NULL ? arguments->pairs : (PairCounts){{30, 210, 490, 230, 40}};
    sprt_write_simulation(&arguments->test, &shape, arguments->simulate, out);
}

/* --- playing --- */

/* How to go on, or why that would be of no use. */
static void write_next_step(const MatchSetup *setup, const SprtOutcome *outcome, const MatchTotals *totals,
                            bool is_used_up, TextBuffer *out) {
    const int64_t decided = stats_game_total(&outcome->games),
                  known = 2 * (totals->pairs_restored + totals->pairs_played);
    if (outcome->verdict != SPRT_CONTINUES && decided < known)
        buffer_append_format(out,
                             "The block is of the first %" PRId64
                             " games, which decide with these bounds; the "
                             "report before it has all %" PRId64 ".\n",
                             decided, known);
    if (outcome->is_exhausted)
        buffer_append_format(out,
                             "The last %" PRId64 " pairs only repeated games that were played before; "
                             "-openings generate=SEED --again starts over, with as many openings as a test "
                             "needs.\n",
                             outcome->repeats);
    else if (outcome->verdict == SPRT_CONTINUES && totals->completed && is_used_up)
        buffer_append_format(
            out,
            "The %s %s used up, and at fixed nodes or depth there would only be the same games again; "
            "-openings generate=SEED --again starts over, with as many as a test needs.\n",
            console_count((uint64_t)setup->pairs, "opening").text, setup->pairs == 1 ? "is" : "are");
    else if (outcome->verdict == SPRT_CONTINUES && totals->completed)
        buffer_append_string(out, "All rounds are played; the same command with more -rounds carries on.\n");
    else if (outcome->verdict == SPRT_CONTINUES)
        report_append_next(setup, out);
    else if (totals->pairs_played == 0)
        text_printf(stderr, "All games were played before; --again starts over\n");
}

static void append_difference(const char *option, const char *first, const char *second, TextBuffer *out) {
    const TextView name = text_view(option);
    if (text_equals_ignore_case(name, "Threads") || text_equals_ignore_case(name, "Hash")) return;
    buffer_append_format(out, ", %s=%s against %s", option, first != NULL ? first : "default",
                         second != NULL ? second : "default");
}

/* "Use null_move=false against default". Threads and Hash are in the conditions of each already. */
static void append_differences(const EngineConfig *first, const EngineConfig *second, TextBuffer *out) {
    for (int i = 0; i < first->option_count; i++) {
        const EngineOption *option = &first->options[i];
        const char *const other = engine_config_option(second, option->name);
        if (other == NULL || strcmp(other, option->value) != 0)
            append_difference(option->name, option->value, other, out);
    }
    for (int i = 0; i < second->option_count; i++)
        if (engine_config_option(first, second->options[i].name) == NULL)
            append_difference(second->options[i].name, NULL, second->options[i].value, out);
}

static void describe_conditions(const MatchSetup *setup, TextBuffer *out) {
    const EngineConfig *first = &setup->engines[0], *second = &setup->engines[1];
    char conditions[2][CONDITIONS_CAPACITY];
    sprt_describe_conditions(first, conditions[0]);
    sprt_describe_conditions(second, conditions[1]);
    buffer_append_string(out, conditions[0]);
    if (strcmp(conditions[0], conditions[1]) != 0) buffer_append_format(out, " against %s", conditions[1]);
    append_differences(first, second, out);
}

/* The word of results/README.md. */
static const char *verdict_word(SprtVerdict verdict) {
    return verdict == SPRT_ACCEPTS_H1 ? "passed" : verdict == SPRT_ACCEPTS_H0 ? "failed" : "undecided";
}

static Status play(SprtArguments *arguments, TextBuffer *out) {
    MatchOptions *match = &arguments->match;
    const bool ends_by_itself = match->rounds == 0;
    if (ends_by_itself) match->rounds = int_max(UNLIMITED_ROUNDS / (match->games / 2), 1);
    Status status = match_options_finish(match);
    if (!status_is_ok(&status)) return status;
    MatchSetup *setup = &match->setup;
    setup->open_ended = ends_by_itself;
    const int64_t openings = openings_count(setup->book);
    const bool has_openings = openings > 1 || setup->openings.path != NULL;
    if (match_is_fixed(setup) && !has_openings)
        return status_error("at fixed nodes or depth every pair from the initial position would be the same: "
                            "-openings file=BOOK, or generate=SEED for as many as a test needs");
    const EngineConfig *engines = setup->engines;
    if (match_is_fixed(setup) && ends_by_itself && identity_is_same(&engines[0], &engines[1]))
        return status_error(
            "%s and %s are the same program with the same settings: at fixed nodes or depth each "
            "pair is even. Was the new one built? With -rounds N such pairs are played all the "
            "same",
            engines[0].name, engines[1].name);
    const bool is_used_up = match_is_fixed(setup) && setup->pairs >= openings;
    if (is_used_up) setup->pairs = (int)openings;
    SprtOutcome outcome;
    MatchTotals totals;
    const ReportOptions report = {.out = stderr,
                                  .test = &arguments->test,
                                  .interval = match_options_interval(match),
                                  .quiet = match->quiet};
    status = report_match(&match->setup, &report, &outcome, &totals);
    /* A test without a verdict is a result, too; one that was interrupted is none yet. */
    const bool is_over = outcome.verdict != SPRT_CONTINUES || totals.completed || outcome.is_exhausted;
    if (status_is_ok(&status) && match->results != NULL && is_over)
        status = report_append_rows(&match->setup, &totals, verdict_word(outcome.verdict), match->results);
    match_totals_release(&totals);
    /* What failed before anything was played has no result. */
    if (!status_is_ok(&status) && stats_pair_total(&outcome.pairs) == 0) return status;
    TextBuffer conditions = {0};
    describe_conditions(&match->setup, &conditions);
    if (stats_pair_total(&outcome.pairs) > 0)
        sprt_write_block(&arguments->test, buffer_string(&conditions), &outcome.pairs, &outcome.games, out);
    buffer_release(&conditions);
    write_verdict(arguments, outcome.verdict, out);
    if (totals.begun_test[0] != '\0')
        buffer_append_format(out,
                             "The test was begun with %s: to change them on the way makes errors likelier.\n",
                             totals.begun_test);
    write_next_step(setup, &outcome, &totals, is_used_up, out);
    return status;
}

static Status run(void *context) {
    SprtArguments *arguments = context;
    TextBuffer out = {0};
    Status status = status_ok();
    if (arguments->simulate > 0)
        write_simulation(arguments, &out);
    else if (arguments->from != NULL)
        write_block_from(arguments, &out);
    else
        status = play(arguments, &out);
    const Status written = console_write_result(NULL, &out);
    buffer_release(&out);
    return status_is_ok(&status) ? written : status;
}

#define FIELD_STRUCT SprtTest
static const Field TEST_KEYS[] = {
    {FIELD_REAL("elo0", "LOW", elo0, -1e4, 1e4, NULL, "the hypotheses")},
    {FIELD_REAL("elo1", "HIGH", elo1, -1e4, 1e4, NULL, "")},
    {FIELD_REAL("alpha", "A", alpha, 0, 1, NULL, "")},
    {FIELD_REAL("beta", "B", beta, 0, 1, NULL, "")},
    {FIELD_CHOICE("model", "normalized/normalised logistic bayesian", model, NULL, "")},
    {0}};
#undef FIELD_STRUCT

#define FIELD_STRUCT SprtArguments
static const Field FIELDS[] = {
    {FIELD_HEADING("The test:")},
    {FIELD_REAL("bounds", "LOW,HIGH", test.elo0, -1e4, 1e4, "0,5",
                "the hypotheses. "
                "For a change that should gain: 0,5; for one that must not lose (a "
                "simplification): "
                "-5,0. "
                "Wide bounds decide soon, narrow ones see more"),
     .length = 2, .stride = offsetof(SprtTest, elo1) - offsetof(SprtTest, elo0)},
    {FIELD_REAL("alpha", "A", test.alpha, 0, 1, "0.05", "probability of accepting H1 when H0 is true")},
    {FIELD_REAL("beta", "B", test.beta, 0, 1, "0.1", "probability of accepting H0 when H1 is true")},
    {FIELD_CHOICE("model", "normalized/normalised logistic", test.model, "normalized",
                  "unit of the bounds; normalized is that of OpenBench and fastchess")},
    {FIELD_KEYS("sprt", test, TEST_KEYS, "the same as fastchess and cutechess-cli spell it")},
    {FIELD_HEADING("Without playing:")},
    {FIELD_TEXT("from", "COUNTS", from, NULL,
                "print the block of these results: five counts of pairs by points of the first "
                "engine (0, 0.5, 1, 1.5, 2), or three of games: wins,losses,draws")},
    {FIELD_WHOLE("simulate", "TESTS", simulate, 1, 1000000, NULL,
                 "print how often the test errs and how many games it takes, at each hypothesis "
                 "and between them")},
    {FIELD_OPTIONS_OF("luft-lab match", match, MATCH_FIELDS)},
    {0}};

int command_sprt(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab sprt",
                                  .usage = USAGE,
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = run};
    SprtArguments arguments = {.match = {.interval = INTERVAL_CHOSEN}};
    const Status status = match_options_expand(&arguments.match, argc, argv);
    const WordList words = arguments.match.setup.words;
    const int result = status_is_ok(&status) ? commands_run(&SYNTAX, words.count, words.word, &arguments)
                                             : commands_finish(SYNTAX.command, &status);
    match_options_release(&arguments.match);
    return result == COMMAND_OK ? arguments.exit_status : result;
}
