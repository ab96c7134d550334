/* luft-lab match: engines play against each other. */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/match/match_options.h"
#include "lab/match/report.h"

#include <stdio.h>

static const char ABOUT[] =
    "Plays UCI engines against each other. "
    "After an interruption, even kill -9, the same command carries on; --again starts over.\n";
static const char EXAMPLES[] = "  luft-lab match -engine cmd=./luft -engine cmd=./luft-old \\\n"
                               "      -each tc=8+0.08 option.Hash=16 -rounds 500 -concurrency 2 \\\n"
                               "      -openings file=books/standard.epd order=random -pgnout games.pgn\n"
                               "  luft-lab match -engine cmd=./luft tc=10+0.1 \\\n"
                               "      -engine cmd=stockfish st=0.1 option.\"Skill Level\"=3 -rounds 50\n"
                               "  luft-lab match -tournament gauntlet -each nodes=20000 \\\n"
                               "      -engine cmd=./luft -engine cmd=a -engine cmd=b\n";

static Status check(void *context) { return match_options_check(context); }

static Status play(void *context) {
    MatchOptions *options = context;
    Status status = match_options_finish(options);
    if (!status_is_ok(&status)) return status;
    const ReportOptions report = {
        .out = stdout, .interval = options->interval, .quiet = options->quiet, .results = true};
    SprtOutcome outcome;
    MatchTotals totals;
    status = report_match(&options->setup, &report, &outcome, &totals);
    if (status_is_ok(&status) && !totals.completed)
        text_printf(stdout, "Stopped before the end; the same command carries on\n");
    if (status_is_ok(&status) && totals.completed && totals.pairs_played == 0)
        text_printf(stdout, "All games were played before; --again starts over\n");
    if (status_is_ok(&status) && totals.completed && totals.pairs_played > 0 && options->results != NULL)
        status = report_append_rows(&options->setup, &totals.table, NULL, options->results);
    match_totals_release(&totals);
    return status;
}

int command_match(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab match",
                                  .usage = "-engine cmd=PROGRAM... -engine cmd=PROGRAM... [options]",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = MATCH_FIELDS,
                                  .check = check,
                                  .run = play};
    MatchOptions options = {.rounds = 1};
    const int result = commands_run(&SYNTAX, argc, argv, &options);
    match_options_release(&options);
    return result;
}
