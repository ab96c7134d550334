#include "lab/tune/experiment.h"

#include "base/file.h"
#include "lab/kit/console.h"
#include "lab/kit/plot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ExperimentPath experiment_path(const char *folder, const char *format, ...) {
    ExperimentPath path;
    const size_t length = text_format(path.text, sizeof path.text, "%.900s/", folder);
    va_list arguments;
    va_start(arguments, format);
    text_format_arguments(path.text + length, sizeof path.text - length, format, arguments);
    va_end(arguments);
    return path;
}

Status experiment_check_program(const char *program) {
    if (strchr(program, '/') == NULL || file_size(program) >= 0) return status_ok();
    return status_error("there is no %.120s: make LAB=1 EXE=%.120s builds it", program, program);
}

Status experiment_load_book(const char *path, uint64_t seed, OpeningBook **book) {
    const OpeningOptions openings = {.path = path, .order = OPENINGS_RANDOM, .seed = seed};
    if (file_size(path) < 0)
        return status_error(
            "there is no %.120s here: run this in the folder of Luft's source, or name another "
            "book with --book",
            path);
    return openings_load(&openings, book);
}

Status experiment_play(const ExperimentMatch *match, SprtOutcome *outcome, MatchTotals *totals) {
    MatchSetup setup = {.engines = match->engines->engines,
                        .engine_count = match->engines->count,
                        .pairs = match->games / 2,
                        .restore_only = match->restore_only,
                        .concurrency = match->concurrency,
                        .book = match->book,
                        .openings = *openings_options(match->book),
                        .rules = match->adjudicate ? game_rules_customary() : (GameRules){0},
                        .event = match->event};
    ExperimentPath pgn, journal, logs;
    if (match->folder != NULL) {
        pgn = experiment_path(match->folder, "%s.pgn", match->name);
        journal = experiment_path(match->folder, "%s.journal", match->name);
        logs = experiment_path(match->folder, "logs");
        setup.pgn_path = pgn.text;
        setup.journal_path = journal.text;
        setup.log_folder = logs.text;
    }
    const ReportOptions options = {.out = stderr, .test = match->test, .quiet = match->quiet};
    Status status = report_match(&setup, &options, outcome, totals);
    const bool complete = totals->completed || outcome->verdict != SPRT_CONTINUES;
    if (!status_is_ok(&status) || !complete || match->restore_only || match->results == NULL) return status;
    TextBuffer conditions = {0};
    report_describe_conditions(&setup, &conditions);
    ReportRow row = match->row;
    row.version = report_version(&setup, totals, 0);
    row.conditions = buffer_string(&conditions);
    row.once = totals->pairs_played == 0;
    row.pairs = outcome->pairs;
    row.games = outcome->games;
    status = report_append_row(&row, match->results);
    buffer_release(&conditions);
    return status;
}

Status experiment_write(const char *folder, const char *name, TextBuffer *text) {
    const Status status = console_write_result(experiment_path(folder, "%s", name).text, text);
    buffer_release(text);
    return status;
}

Status experiment_draw(const char *folder, const char *name, int kind, int width, int height,
                       const TextBuffer *commands) {
    const char *terminal = plot_kind(kind);
    if (terminal == NULL) return status_ok();
    TextBuffer script = {0};
    plot_begin(terminal, width, height, &script);
    buffer_append(&script, buffer_view(commands));
    script.failed |= commands->failed;
    const Status drawn = plot_run(&script, experiment_path(folder, "%s.%s", name, terminal).text);
    if (!status_is_ok(&drawn)) text_printf(stderr, "luft-lab: no plot: %s\n", drawn.reason);
    char file[STATUS_CAPACITY];
    text_format(file, sizeof file, "%s.gp", name);
    return experiment_write(folder, file, &script);
}
