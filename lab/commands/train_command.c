/* luft-lab train: a network from recorded games. */
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/train/trainer.h"
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
    if (report->torn > 0) printf("            a torn end of %lld bytes was ignored\n", report->torn);
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

typedef struct TrainArguments {
    TrainSettings settings;
    ArgumentList files;
} TrainArguments;

static Status check(void *context) {
    TrainArguments *arguments = context;
    TrainSettings *settings = &arguments->settings;
    if (settings->out == NULL) return status_error("needs --out");
    if (settings->buckets != 1 && settings->buckets != BUCKETS_MAX)
        return status_error("--buckets must be 1 or %d", BUCKETS_MAX);
    if (!model_knows_king_buckets(settings->king_buckets))
        return status_error("--king-buckets must be 1, 4 or 8");
    if (settings->layers == 1) return status_error("--layers must be 0 or %d", LAYER_COUNT);
    if (settings->layers > 0 && !network_layers_fit((int)settings->width))
        return status_error("--layers needs a --width of 128, 256, 512, 768 or 1024");
    if (isnan(settings->share_end)) settings->share_end = settings->share;
    settings->filter.seed = (uint64_t)settings->seed;
    settings->data = arguments->files.word;
    settings->data_count = arguments->files.count;
    return status_ok();
}

static Status run(void *context) {
    const TrainSettings *settings = &((TrainArguments *)context)->settings;
    TrainReport report;
    Status status = trainer_run(settings, &report);
    if (status_is_ok(&status)) print_report(settings, &report);
    return status;
}

int command_train(int argc, char **argv) {
    TrainArguments arguments = {.settings = train_settings_default()};
    TrainSettings *settings = &arguments.settings;
    LoaderFilter *filter = &settings->filter;
    settings->share_end = NAN;
    const Argument table[] = {
        argument_words("FILE", &arguments.files, 1, "a file of recorded games"),
        argument_heading("The network:"),
        option_text("out", "NET", &settings->out, "the network file to write"),
        option_text("name", "TEXT", &settings->name, "the name it bears"),
        option_text("start", "NET", &settings->start,
                    "network or its .floats to begin with, may be narrower; lower the rate then, say 0.0003"),
        option_whole("width", "N", &settings->width, WIDTH_MIN, WIDTH_MAX, "hidden units a side"),
        option_whole("buckets", "N", &settings->buckets, 1, BUCKETS_MAX, "output buckets, 1 or 8"),
        option_whole("king-buckets", "N", &settings->king_buckets, 1, KING_BUCKETS_MAX,
                     "input tables by the place of the own king: 1, 4 or 8"),
        option_whole("layers", "N", &settings->layers, 0, LAYER_COUNT,
                     "between hidden units and output: 0, or 2 (16 and 32 units, behind products of pairs)"),
        argument_heading("Training:"),
        option_whole("epochs", "N", &settings->epochs, 1, 1e6, "passes over the data"),
        option_whole("batch", "N", &settings->batch, 1, 1 << 20, "positions a step"),
        option_real("rate", "X", &settings->rate, 1e-9, 1, "learning rate at the beginning"),
        option_real("rate-end", "X", &settings->rate_end, 0, 1, "and at the end of its cosine"),
        option_whole("warm-up", "N", &settings->warm_up, 0, 1e9,
                     "steps over which the rate rises, at most a tenth of all"),
        option_real(
            "scale", "X", &filter->scale, 10, 10000,
            "units in the exponent of a winning chance: the smaller, the less decided positions count"),
        option_real("decay", "X", &settings->decay, 0, 100, "of the weights, a step: this times the rate"),
        option_real("share", "X", &settings->share, 0, 1, "share of the game's result in the target"),
        option_real("share-end", "X", &settings->share_end, 0, 1, "its share at the end, if another"),
        option_real("lambda", "X", &filter->lambda, 0, 1,
                    "weight of the game's next score next to a position's own, and so on"),
        option_real(
            "draw-share", "X", &filter->draw_share, 0, 1,
            "how far a score that the result contradicts is drawn to zero with four pieces and pawns or "
            "fewer; less with more, nothing from 14 on"),
        option_whole("seed", "N", &settings->seed, 0, 1e15, "of first weights and order"),
        argument_heading("Positions:"),
        option_real("validation", "X", &filter->validation, 0, 0.5,
                    "share of games kept apart, always the same ones"),
        option_int("min-ply", "N", &filter->min_ply, 0, RECORD_PLIES_MAX, "skip plies before this one"),
        option_int("max-score", "N", &filter->max_score, 1, SCORE_WIN - 1, "skip scores beyond"),
        option_text("tablebases", "DIR", &settings->tablebases,
                    "folders of Syzygy tables: where they know who wins, that is the label"),
        option_flag("keep-checks", &filter->keep_checks, "positions in check too"),
        option_flag("keep-noisy", &filter->keep_noisy, "best moves that take or promote too"),
        option_count("max-positions", "N", &filter->max_positions, 1, 1e12, "train on N at most"),
        argument_heading("The run:"),
        option_whole("threads", "N", &settings->threads, 0, 1024, "0: one for each core"),
        option_text("checkpoint", "FILE", &settings->checkpoint,
                    "written every five minutes (default NET.checkpoint)"),
        option_flag("resume", &settings->resume, "go on from the checkpoint, if there is one"),
        option_text("log", "FILE", &settings->log, "table of the losses (default NET.tsv)"),
        option_text("plot", "FILE", &settings->plot, "SVG of the losses, by gnuplot"),
        option_flag("quiet", &settings->quiet, "no progress"),
    };
    const Syntax syntax = {"luft-lab train", "--out NET FILE... [options]",
                           "Trains a network from recorded games. The same settings and data give the same "
                           "network.\n",
                           "  luft-lab train --out new.nnue --width 256 --buckets 8 1.games 2.games\n",
                           ARGUMENTS(table)};
    return commands_run(&syntax, argc, argv, check, run, &arguments);
}
