/* luft-lab datagen: games of the engine against itself. */
#include "base/progress.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/selfplay/datagen.h"

#include <inttypes.h>
#include <stdio.h>

static void print_report(const DatagenSettings *settings, const DatagenReport *report) {
    char games[NUMBER_TEXT_CAPACITY], plies[NUMBER_TEXT_CAPACITY], rate[NUMBER_TEXT_CAPACITY];
    char time[NUMBER_TEXT_CAPACITY];
    double per_hour = report->seconds > 0 ? (double)report->new_plies / report->seconds * 3600 : 0;
    text_printf(stdout, "file        %s: %s games, %s plies, %.3f bytes a ply\n", settings->out,
                console_thousands(report->games, games), console_thousands(report->plies, plies),
                report->plies ? (double)report->bytes / (double)report->plies : 0.0);
    if (report->torn > 0)
        text_printf(stdout, "            a torn end of %lld bytes was moved to %s.tail first\n", report->torn,
                    settings->out);
    if (report->new_games > 0) {
        double count = (double)report->new_games;
        text_printf(stdout, "this run    %s games, %s plies in %s: %s plies an hour, %.0f nodes a move%s\n",
                    console_thousands(report->new_games, games), console_thousands(report->new_plies, plies),
                    duration_write((int64_t)(report->seconds * 1000), time),
                    console_thousands((uint64_t)per_hour, rate),
                    report->moves ? (double)report->nodes / (double)report->moves : 0.0,
                    (double)report->nodes > (double)report->moves * (double)settings->budget.soft
                        ? " (the iteration that has begun is finished)"
                        : "");
        text_printf(
            stdout,
            "results     White won %.1f %%, drawn %.1f %%, Black won %.1f %%; ended by rules %.1f %%, by "
            "score "
            "%.1f %%, by length %.1f %%\n",
            100 * (double)report->results[WHITE_WINS] / count, 100 * (double)report->results[DRAWN] / count,
            100 * (double)report->results[BLACK_WINS] / count,
            100 * (double)report->ends[END_BY_RULES] / count,
            100 * (double)report->ends[END_BY_SCORE] / count,
            100 * (double)report->ends[END_BY_LENGTH] / count);
    }
    text_printf(stdout, "network     %016" PRIx64 "\n", report->network_hash);
    if (!report->interrupted && report->new_games == 0)
        text_printf(stdout, "finished    all games were played before; --again starts over\n");
}

static Status run(void *context) {
    const DatagenSettings *settings = context;
    DatagenReport report;
    Status status = datagen_run(settings, &report);
    if (status_is_ok(&status) || report.new_games > 0) print_report(settings, &report);
    /* Without a bound nothing else ends it. */
    const bool has_bound = settings->games > 0 || settings->plies > 0 || settings->seconds > 0;
    if (!status_is_ok(&status) || !report.interrupted) return status;
    if (has_bound) return status_unfinished("stopped; the same command carries on");
    text_printf(stdout, "stopped     the same command carries on\n");
    return status;
}

int command_datagen(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft-lab datagen",
        .usage = "--out FILE [options]",
        .about = "Plays games of the engine against itself and keeps them for training. Without --games, "
                 "--plies or --seconds it goes on until it is interrupted. The same command carries on.\n",
        .examples = "  luft-lab datagen --out 1.games --net 0.nnue --nodes 5k --plies 20M\n",
        .fields = DATAGEN_FIELDS,
        .run = run};
    DatagenSettings settings = {0};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
