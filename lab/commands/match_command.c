#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/match/match_options.h"
#include "lab/match/report.h"
#include "lab/match/schedule.h"

#include <stdio.h>

static const char HELP[] =
    "luft-lab match: plays UCI engines against each other.\n"
    "\n"
    "  luft-lab match -engine cmd=./luft -engine cmd=./luft-old -each tc=8+0.08 option.Hash=16 \\\n"
    "      -rounds 500 -concurrency 2 -openings file=books/standard.epd order=random -pgnout games.pgn\n"
    "  luft-lab match -engine cmd=./luft tc=10+0.1 -engine cmd=stockfish st=0.1 option.\"Skill Level\"=3 "
    "-rounds 50\n"
    "  luft-lab match -tournament gauntlet -engine cmd=./luft -engine cmd=a -engine cmd=b -each nodes=20000\n"
    "  luft-lab match ... --resume     after an interruption, even kill -9: the same line with --resume\n"
    "\n";

static Status read_arguments(MatchOptions *options, int argc, char **argv) {
    for (int i = 1; i < argc;) {
        bool taken;
        Status status = match_options_read(options, argc, argv, &i, &taken);
        if (!status_is_ok(&status)) return status;
        if (!taken) return status_error("unknown option %s", argv[i]);
    }
    return status_ok();
}

static int play(MatchOptions *options) {
    Status status = match_options_finish(options);
    if (!status_is_ok(&status)) return console_fail("match", &status);
    ReportOptions report_options = {.out = stdout,
                                    .setup = &options->setup,
                                    .interval = options->interval,
                                    .quiet = options->quiet,
                                    .results = true};
    Report *report = report_create(&report_options);
    if (report == NULL) {
        status = status_no_memory("the report");
        return console_fail("match", &status);
    }
    MatchListener listener = report_listener(report);
    MatchTotals totals;
    status = match_run(&options->setup, &listener, &totals);
    if (status_is_ok(&status) || totals.pairs_played > 0) report_finish(report, &totals);
    if (status_is_ok(&status) && !totals.completed)
        printf("Stopped before the end; the same command with --resume carries on\n");
    report_destroy(report);
    match_totals_release(&totals);
    return status_is_ok(&status) ? COMMAND_OK : console_fail("match", &status);
}

int command_match(int argc, char **argv) {
    MatchOptions options;
    match_options_init(&options);
    Status status = read_arguments(&options, argc, argv);
    int result;
    if (options.help || argc < 2) {
        printf("%s%s", HELP, MATCH_OPTIONS_HELP);
        result = options.help ? COMMAND_OK : COMMAND_USAGE;
    } else if (!status_is_ok(&status)) {
        result = console_fail_usage("match", &status);
    } else {
        result = play(&options);
    }
    match_options_release(&options);
    return result;
}
