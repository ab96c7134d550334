/* luft-lab train: a network from recorded games. */
#include "base/progress.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/train/trainer.h"
#include "search/score.h"

#include <inttypes.h>
#include <stdio.h>

static void print_report(const TrainSettings *settings, const TrainReport *report) {
    char games[NUMBER_TEXT_CAPACITY], plies[NUMBER_TEXT_CAPACITY], positions[NUMBER_TEXT_CAPACITY];
    char time[NUMBER_TEXT_CAPACITY], speed[NUMBER_TEXT_CAPACITY];
    text_printf(stdout, "data        %s games, %s plies, %s positions to train on\n",
                console_thousands(report->games, games), console_thousands(report->plies, plies),
                console_thousands(report->training, positions));
    text_printf(stdout, "agreement   %.1f %% of the scores beyond +-%d have the winner's sign\n",
                100 * report->agreement, LOADER_DECIDED_SCORE);
    if (report->torn > 0)
        text_printf(stdout, "            a torn end of %lld bytes was ignored\n", report->torn);
    text_printf(stdout, "training    %" PRIu64 " steps in %s, %s positions a second\n", report->steps,
                duration_write((int64_t)(report->seconds * 1000), time),
                console_thousands((uint64_t)report->speed, speed));
    if (report->exchanged > 0)
        text_printf(stdout, "ranks       %d, of which each gave %s bytes to the means\n", report->ranks,
                    console_thousands(report->exchanged, positions));
    text_printf(stdout, "loss        %.6f", report->loss);
    if (report->validation > 0 && report->validation_games == 0)
        text_printf(stdout, ", validation %.6f (%" PRIu64 " positions)\n", report->validation_loss,
                    report->validation);
    else if (report->validation > 0)
        text_printf(stdout, ", validation %.6f (%" PRIu64 " positions of %s%s)\n", report->validation_loss,
                    report->validation, console_count(report->validation_games, "game").text,
                    report->validation_games < TRAIN_VALIDATION_GAMES
                        ? ": too few, and the loss is noise; --validation keeps more"
                        : "");
    else
        text_printf(stdout, "; no game is kept for validation: there are too few for --validation\n");
    if (report->interrupted) return;
    text_printf(stdout,
                "quantised   differs by %.2f on average, %.1f at most, of %d units a pawn (%" PRIu64
                " positions)\n",
                report->check.mean, report->check.largest, SCORE_UNITS_PER_PAWN, report->check.positions);
    text_printf(stdout, "network     %s, %016" PRIx64 "\n", settings->out, report->network_hash);
    if (report->was_finished) text_printf(stdout, "finished    it was trained before; --again starts over\n");
}

static Status check(void *settings) { return train_settings_check(settings); }

static Status run(void *context) {
    const TrainSettings *settings = context;
    TrainReport report;
    Status status = trainer_run(settings, &report);
    if (report.rank > 0) return status_ok(); /* rank 0 says it all */
    if (status_is_ok(&status)) print_report(settings, &report);
    return status_is_ok(&status) && report.interrupted
               ? status_unfinished("stopped; the same command carries on")
               : status;
}

int command_train(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft-lab train",
        .usage = "--out NET FILE... [options]",
        .about = "Trains a network from recorded games. The same settings and data give the same network. "
                 "The same command carries on after an interruption.\n",
        .examples = "  luft-lab train --out new.nnue --width 256 --buckets 8 1.games 2.games\n",
        .fields = TRAIN_FIELDS,
        .check = check,
        .run = run};
    TrainSettings settings = {0};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
