#include "lab/command.h"
#include "lab/kit/arguments.h"
#include "lab/train/trainer.h"
#include "lab/kit/console.h"

#include "base/memory.h"
#include "search/score.h"

#include <math.h>
#include <stdio.h>

static void print_report(const TrainSettings *settings, const TrainReport *report) {
    char games[NUMBER_TEXT_CAPACITY], plies[NUMBER_TEXT_CAPACITY], positions[NUMBER_TEXT_CAPACITY];
    char time[NUMBER_TEXT_CAPACITY], speed[NUMBER_TEXT_CAPACITY];
    printf("data        %s games, %s plies, %s positions to train on\n",
           console_thousands(report->games, games), console_thousands(report->plies, plies),
           console_thousands(report->training, positions));
    printf("agreement   %.1f %% of the scores beyond +-%d have the winner's sign\n", 100 * report->agreement,
           LOADER_DECIDED_SCORE);
    if (report->torn > 0) printf("            a torn end of %lld bytes was left out\n", report->torn);
    printf("training    %llu steps in %s, %s positions a second\n", (unsigned long long)report->steps,
           console_duration((int64_t)(report->seconds * 1000), time),
           console_thousands((uint64_t)report->speed, speed));
    printf("loss        %.6f, validation %.6f (%llu positions)\n", report->loss, report->validation_loss,
           (unsigned long long)report->validation);
    if (report->interrupted) {
        printf("stopped     go on with --resume\n");
        return;
    }
    printf("quantised   differs by %.2f on average, %.1f at most, of %d units a pawn (%zu positions)\n",
           report->check.mean, report->check.largest, SCORE_UNITS_PER_PAWN, report->check.positions);
    printf("network     %s, %016llx\n", settings->out, (unsigned long long)report->network_hash);
}

int command_train(int argc, char **argv) {
    TrainSettings settings = train_settings_default();
    int64_t min_ply = settings.filter.min_ply, max_score = settings.filter.max_score, max_positions = 0;
    double share_end = NAN;
    const Argument table[] = {
        {NULL, ARGUMENT_HEADING, NULL, 0, 0, "usage: luft-lab train --out NET [options] FILE...\n"},
        {"out", ARGUMENT_FILE, &settings.out, 0, 0, "the network file to write"},
        {"name", ARGUMENT_TEXT, &settings.name, 0, 0, "the name it bears"},
        {"start", ARGUMENT_FILE, &settings.start, 0, 0,
         "network or its .floats to begin with, may be narrower; lower the rate then, say 0.0003"},
        {"width", ARGUMENT_WHOLE, &settings.width, 1, WIDTH_MAX, "hidden units a side (64)"},
        {"buckets", ARGUMENT_WHOLE, &settings.buckets, 1, BUCKETS_MAX, "output buckets, 1 or 8 (1)"},
        {"king-buckets", ARGUMENT_WHOLE, &settings.king_buckets, 1, KING_BUCKETS_MAX,
         "input tables by the place of the own king: 1, 4 or 8 (1)"},
        {"epochs", ARGUMENT_WHOLE, &settings.epochs, 1, 1e6, "passes over the data (10)"},
        {"batch", ARGUMENT_WHOLE, &settings.batch, 1, 1 << 20, "positions a step (1024)"},
        {"rate", ARGUMENT_REAL, &settings.rate, 1e-9, 1, "learning rate at the beginning (0.001)"},
        {"rate-end", ARGUMENT_REAL, &settings.rate_end, 0, 1, "and at the end of its cosine (0.000005)"},
        {"warm-up", ARGUMENT_WHOLE, &settings.warm_up, 0, 1e9,
         "steps over which the rate rises, at most a tenth of all (1000)"},
        {"scale", ARGUMENT_REAL, &settings.filter.scale, 10, 10000,
         "units in the exponent of a winning chance: the smaller, the less decided positions count (400)"},
        {"decay", ARGUMENT_REAL, &settings.decay, 0, 100,
         "of the weights, a step: this times the rate (0.1)"},
        {"share", ARGUMENT_REAL, &settings.share, 0, 1, "share of the game's result in the target (0)"},
        {"share-end", ARGUMENT_REAL, &share_end, 0, 1, "its share at the end, if another"},
        {"lambda", ARGUMENT_REAL, &settings.filter.lambda, 0, 1,
         "weight of the game's next score beside one's own, and so on (0.7)"},
        {"draw-share", ARGUMENT_REAL, &settings.filter.draw_share, 0, 1,
         "how far a score that the result belies is drawn to zero with four men or fewer; less with more, "
         "not with 14 (0)"},
        {"validation", ARGUMENT_REAL, &settings.filter.validation, 0, 0.5,
         "share of games kept apart, always the same ones (0.01)"},
        {"min-ply", ARGUMENT_WHOLE, &min_ply, 0, RECORD_PLIES_MAX, "skip plies before this one (16)"},
        {"max-score", ARGUMENT_WHOLE, &max_score, 1, SCORE_WIN - 1, "skip scores beyond (2000)"},
        {"keep-checks", ARGUMENT_FLAG, &settings.filter.keep_checks, 0, 0, "positions in check too"},
        {"keep-noisy", ARGUMENT_FLAG, &settings.filter.keep_noisy, 0, 0,
         "best moves that take or promote too"},
        {"max-positions", ARGUMENT_WHOLE, &max_positions, 0, 1e12, "train on so many at most"},
        {"threads", ARGUMENT_WHOLE, &settings.threads, 0, 1024, "0: one for each core (0)"},
        {"seed", ARGUMENT_WHOLE, &settings.seed, 0, 1e15, "of first weights and order (1)"},
        {"checkpoint", ARGUMENT_FILE, &settings.checkpoint, 0, 0, "every five minutes (NET.checkpoint)"},
        {"resume", ARGUMENT_FLAG, &settings.resume, 0, 0, "go on from the checkpoint, if there is one"},
        {"log", ARGUMENT_FILE, &settings.log, 0, 0, "table of the losses (NET.tsv)"},
        {"plot", ARGUMENT_FILE, &settings.plot, 0, 0, "SVG of the losses, by gnuplot"},
        {"quiet", ARGUMENT_FLAG, &settings.quiet, 0, 0, "no progress"},
    };
    enum { COUNT = sizeof table / sizeof table[0] };
    bool help;
    char **files = memory_allocate((size_t)(argc + 1) * sizeof *files);
    if (!files) return COMMAND_FAILED;
    Status status = arguments_parse(table, COUNT, argc, argv, files, &settings.data_count, &help);
    int result = COMMAND_OK;
    if (help) {
        arguments_print_help(table, COUNT);
    } else if (status_is_ok(&status) && (!settings.out || settings.data_count == 0)) {
        status = status_error("needs --out and at least one file of games");
    } else if (status_is_ok(&status) && settings.buckets != 1 && settings.buckets != BUCKETS_MAX) {
        status = status_error("buckets must be 1 or %d", BUCKETS_MAX);
    } else if (status_is_ok(&status) && !model_knows_king_buckets(settings.king_buckets)) {
        status = status_error("king-buckets must be 1, 4 or 8");
    }
    if (!status_is_ok(&status)) result = console_fail_usage(argv[0], &status);
    if (!help && result == COMMAND_OK) {
        settings.data = files;
        settings.share_end = isnan(share_end) ? settings.share : share_end;
        settings.filter.min_ply = (int)min_ply;
        settings.filter.max_score = (int)max_score;
        settings.filter.max_positions = (uint64_t)max_positions;
        settings.filter.seed = (uint64_t)settings.seed;
        TrainReport report;
        status = trainer_run(&settings, &report);
        if (status_is_ok(&status))
            print_report(&settings, &report);
        else
            result = console_fail(argv[0], &status);
    }
    memory_release(files);
    return result;
}
