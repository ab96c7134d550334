#include "lab/train/trainer.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "lab/kit/console.h"
#include "lab/kit/line_journal.h"
#include "lab/kit/ownership.h"
#include "lab/train/checkpoint.h"
#include "lab/train/epoch.h"
#include "lab/train/export.h"
#include "lab/train/optim.h"
#include "lab/train/pairs.h"
#include "lab/train/ranks.h"
#include "lab/train/weights.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    REPORTS = 100,             /* rows of the log over the whole training */
    CHECKPOINT_INTERVAL = 300, /* seconds */
    VALIDATION_MAX = 200000,   /* positions looked at for each row */
    CHECK_POSITIONS = 10000,
    PATH_CAPACITY = 512,
    PART_MAX = 1024 /* positions worked on at a time: their hidden sums stay in the cache */
};

#define FIELD_STRUCT TrainSettings
#define RESULT_EACH  .flags = FIELD_RESULT | FIELD_EACH
const Field TRAIN_FIELDS[] = {
    {FIELD_WORDS("FILE", data, 1, "a file of recorded games")},
    {FIELD_HEADING("The network:")},
    {FIELD_TEXT("out", "NET", out, NULL, "the network file to write"), .flags = FIELD_REQUIRED},
    {FIELD_TEXT("name", "TEXT", name, "luft", "name of the network"), .flags = FIELD_RESULT},
    {FIELD_TEXT(
        "start", "NET", start, NULL,
        "begin with this network or its .floats, which may be narrower, in another --out; then lower the "
        "rate, to 0.0003 for instance")},
    {NETWORK_WIDTH(shape, "64"), RESULT_EACH},
    {NETWORK_BUCKETS(shape, "1"), RESULT_EACH},
    {NETWORK_KING_BUCKETS(shape, "1"), RESULT_EACH},
    {NETWORK_LAYERS(shape, "0"), RESULT_EACH},
    {FIELD_HEADING("Training:")},
    {FIELD_WHOLE("epochs", "N", epochs, 1, 1e6, "10",
                 "passes over the data; a finished training goes on by --start"),
     RESULT_EACH},
    {FIELD_WHOLE("batch", "N", batch, 1, 1 << 20, "1024", "positions in a step, of all computers together"),
     RESULT_EACH},
    {FIELD_REAL("rate", "X", rate, 1e-9, 1, "0.001", "learning rate at the beginning"), RESULT_EACH},
    {FIELD_REAL("rate-end", "X", rate_end, 0, 1, "5e-6", "learning rate at the end of its cosine"),
     RESULT_EACH},
    {FIELD_WHOLE("warm-up", "N", warm_up, 0, 1e9, "1000",
                 "steps over which the rate rises, at most a tenth of all"),
     RESULT_EACH},
    {FIELD_REAL("decay", "X", decay, 0, 100, "0.1", "weight decay of a step, times the rate"), RESULT_EACH},
    {FIELD_REAL("decay-buckets", "X", decay_buckets, -1, 100, "-1",
                "decay of what each king bucket adds to the common part; below 0: the same"),
     RESULT_EACH},
    {FIELD_REAL("epsilon", "X", epsilon, 1e-12, 1, "1e-8",
                "of AdamW: the greater, the smaller the steps of weights that are seldom used"),
     RESULT_EACH},
    {FIELD_REAL("average", "X", average, 0, 1, "0",
                "last part of the training, whose weights are averaged; there the rate stays at rate-end"),
     RESULT_EACH},
    {FIELD_REAL("share", "X", share, 0, 1, "0", "share of the game's result in the target"), RESULT_EACH},
    {FIELD_REAL("share-end", "X", share_end, -1, 1, "-1", "share at the end of training; below 0: the same"),
     RESULT_EACH},
    {FIELD_WHOLE("seed", "N", seed, 0, 1e15, "1", "of the first weights and the order of positions"),
     .flags = FIELD_RESULT},
    {FIELD_GROUP(filter, LOADER_FIELDS)},
    {FIELD_TEXT("tablebases", "DIR", tablebases, NULL,
                "folders of Syzygy tablebases: where they know the result, it is the label"),
     .flags = FIELD_RESULT},
    {FIELD_HEADING("The run:")},
    {FIELD_WHOLE("threads", "N", threads, 0, 1024, "0", "threads; 0: one for each core")},
    {FIELD_WHOLE("average-every", "H", average_every, 0, 1e6, "0",
                 "several computers, each with its share of the games, average their weights every H steps: "
                 "mpirun luft-lab train ..., of a build with MPI=1 (docs/nnue.md)")},
    {FIELD_TEXT("checkpoint", "FILE", checkpoint, NULL,
                "file written every five minutes (default NET.checkpoint)")},
    {FIELD_FLAG("again", again, "start over, and keep the old files as NET.old and so on")},
    {FIELD_TEXT("log", "FILE", log, NULL, "table of the losses (default NET.tsv)")},
    {FIELD_TEXT("plot", "FILE", plot, NULL, "SVG of the losses, drawn by gnuplot")},
    {FIELD_FLAG("quiet", quiet, "print no progress")},
    /* Of nnue-pytorch; docs/nnue.md has a table. */
    {FIELD_ANSWERED("lr", "--rate X, which falls to --rate-end along a cosine")},
    {FIELD_ANSWERED("gamma", "the rate falls from --rate to --rate-end along a cosine")},
    {FIELD_ANSWERED("batch-size", "--batch N")},
    {FIELD_ANSWERED("max_epochs", "--epochs N, passes over the data")},
    {FIELD_ANSWERED("epoch-size", "an epoch is a pass over the data")},
    {FIELD_ANSWERED("start-lambda", "--share X, of the result: 1 minus that lambda")},
    {FIELD_ANSWERED("end-lambda", "--share-end X, of the result: 1 minus that lambda")},
    {FIELD_ANSWERED("features", "--width, --king-buckets, --buckets and --layers are the network's shape")},
    {FIELD_ANSWERED("resume-from-model",
                    "--start NET; what was interrupted carries on with the same command")},
    {FIELD_ANSWERED("no-smart-fen-skipping", "--keep-checks and --keep-noisy")},
    {0}};

Status train_settings_check(const TrainSettings *settings) {
    const Status status = network_check_shape(settings->shape);
    if (status_is_ok(&status) && !model_knows_king_buckets(settings->shape.king_buckets))
        return status_error("king-buckets must be 1, 4 or 8");
    return status;
}

typedef struct Trainer {
    const TrainSettings *settings;
    TrainReport *report;
    Crew crew;
    Ranks ranks;
    TrainingSet set; /* of this rank */
    ModelShape shape;
    ModelWorkspace *workspace;
    float *parameters, *gradient, *mean, *square;
    float *average;       /* of the parameters, see add_to_average */
    float *exact_outputs; /* while the output weights are rounded */
    OptimRate rate;
    const TrainingPosition **batch;
    LossLog log;
    char checkpoint_path[PATH_CAPACITY], log_path[PATH_CAPACITY], floats_path[PATH_CAPACITY];
    char journal_path[PATH_CAPACITY];
    bool is_new;         /* there was no journal before */
    LineJournal journal; /* its header has the settings, its last line the report of the finished training */
    uint64_t start_hash;
    int tables; /* of tablebases that the labels come from */
    uint64_t total_steps;
    Checkpoint state;
} Trainer;

/* --- one step --- */

static double way_of(const Trainer *trainer) {
    return trainer->total_steps > 1 ? (double)trainer->state.step / (double)(trainer->total_steps - 1) : 1.0;
}

static ModelTarget target_of(const Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    const double first = settings->share, last = settings->share_end < 0 ? first : settings->share_end;
    const double share = first + (last - first) * way_of(trainer);
    return (ModelTarget){.share = (float)share, .scale = (float)settings->filter.scale};
}

static float learning_rate(const Trainer *trainer) { return optim_rate(&trainer->rate, trainer->state.step); }

/* In the second half of the training the model uses the rounded output weights that it will have, while the
 * steps go on in full precision: the other weights learn to compensate the rounding. */
static void see_rounded(Trainer *trainer) {
    if (way_of(trainer) >= 0.5)
        export_round_outputs(&trainer->shape, trainer->parameters, trainer->exact_outputs);
}

static void see_exact(Trainer *trainer) {
    if (way_of(trainer) >= 0.5)
        export_restore_outputs(&trainer->shape, trainer->parameters, trainer->exact_outputs);
}

static void take_step(Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    const size_t size = (size_t)(settings->batch / trainer->ranks.count);
    /* The gradient of a share of the batch has more noise, for which AdamW makes shorter steps. */
    const float longer = sqrtf((float)trainer->ranks.count);
    const OptimPlan plan = {longer * learning_rate(trainer), (float)settings->decay / longer,
                            (float)settings->epsilon};
    see_rounded(trainer);
    for (size_t done = 0; done < size;) {
        const size_t part = size - done < PART_MAX ? size - done : PART_MAX;
        epoch_choose(&trainer->set, (uint64_t)settings->seed, trainer->state.step * size + done, part,
                     trainer->batch);
        trainer->state.interval_loss +=
            model_add_gradient(trainer->workspace, trainer->parameters, trainer->batch, part,
                               target_of(trainer), (float)size, trainer->gradient);
        done += part;
    }
    see_exact(trainer);
    trainer->state.interval_positions += size;
    /* The step of the optimiser has the decay of all; this is the rest. */
    const float buckets = settings->decay_buckets < 0 ? plan.decay : (float)settings->decay_buckets / longer;
    const float keep = (1 - plan.rate * buckets) / (1 - plan.rate * plan.decay);
    model_split(&trainer->crew, &trainer->shape, keep, trainer->parameters, trainer->gradient);
    optim_step(&trainer->crew, plan, trainer->state.step + 1, trainer->shape.count, trainer->parameters,
               trainer->gradient, trainer->mean, trainer->square);
    model_join(&trainer->crew, &trainer->shape, trainer->parameters);
    trainer->state.step++;
}

/* The mean of the weights at the end of each interval of the averaged part. At the end of the training it
 * replaces the weights: they wander around a better place ("stochastic weight averaging", Izmailov and others
 * 2018). */
static void add_to_average(Trainer *trainer) {
    Checkpoint *state = &trainer->state;
    if (state->step <= trainer->rate.total || trainer->settings->average == 0) return;
    const float weight = 1.0f / (float)++state->averaged;
    for (size_t i = 0; i < trainer->shape.count; i++)
        trainer->average[i] += weight * (trainer->parameters[i] - trainer->average[i]);
    if (state->step == trainer->total_steps)
        memcpy(trainer->parameters, trainer->average, trainer->shape.count * sizeof *trainer->average);
}

static double validation_loss(Trainer *trainer) {
    size_t count = trainer->set.validation < VALIDATION_MAX ? trainer->set.validation : VALIDATION_MAX;
    double loss = 0;
    if (count == 0) return NAN;
    see_rounded(trainer);
    for (size_t done = 0; done < count;) {
        size_t part = count - done < PART_MAX ? count - done : PART_MAX;
        for (size_t i = 0; i < part; i++)
            trainer->batch[i] = &trainer->set.positions[trainer->set.training + done + i];
        loss += model_loss(trainer->workspace, trainer->parameters, trainer->batch, part, target_of(trainer));
        done += part;
    }
    see_exact(trainer);
    return loss / (double)count;
}

/* --- the whole run --- */

static Status save_checkpoint(const Trainer *trainer) {
    float *const arrays[] = {trainer->parameters, trainer->mean, trainer->square, trainer->average};
    return checkpoint_write(trainer->checkpoint_path, &trainer->state, arrays);
}

/* From the checkpoint, if there is one. Ranks have the same state after each meeting, so that of rank 0 will
 * do for all. */
static Status resume(Trainer *trainer) {
    float *const arrays[] = {trainer->parameters, trainer->mean, trainer->square, trainer->average};
    const bool is_first = ranks_is_first(&trainer->ranks);
    bool is_begun = is_first && file_size(trainer->checkpoint_path) >= 0;
    ranks_share(&trainer->ranks, &is_begun, sizeof is_begun);
    if (!is_begun) return status_ok();
    Status status = status_ok();
    if (is_first) status = checkpoint_read(trainer->checkpoint_path, &trainer->state, arrays);
    if (is_first && status_is_ok(&status))
        status = losslog_read(&trainer->log, trainer->log_path, trainer->state.step);
    status = ranks_agree(&trainer->ranks, status);
    if (!status_is_ok(&status)) return status;
    ranks_share(&trainer->ranks, &trainer->state, sizeof trainer->state);
    for (int i = 0; i < CHECKPOINT_ARRAYS; i++)
        ranks_share(&trainer->ranks, arrays[i], trainer->shape.count * sizeof(float));
    if (is_first) return status;
    trainer->state.interval_loss = 0;
    trainer->state.interval_positions = 0;
    return status;
}

static void describe_ranks(const Trainer *trainer, TextBuffer *out) {
    if (!ranks_is_alone(&trainer->ranks))
        buffer_append_format(out, "ranks=%d\naverage-every=%" PRId64 "\n", trainer->ranks.count,
                             trainer->settings->average_every);
}

/* Of everything that the result depends on, except the content of the data. */
static Status take_fingerprint(Trainer *trainer) {
    TextBuffer text = {0};
    fields_append_results(TRAIN_FIELDS, trainer->settings, &text);
    buffer_append_format(&text, "training=%zu validation=%zu tables=%d start=%" PRIx64 "\n",
                         (size_t)trainer->report->training, (size_t)trainer->report->validation,
                         trainer->tables, trainer->start_hash);
    describe_ranks(trainer, &text);
    trainer->state.fingerprint = text_hash(buffer_view(&text));
    const Status status = text.failed ? status_no_memory("the fingerprint of the settings") : status_ok();
    buffer_release(&text);
    return status;
}

static Status close_interval(Trainer *trainer) {
    if (!ranks_is_first(&trainer->ranks)) return status_ok();
    LossRow row = {.step = trainer->state.step,
                   .epoch = (double)trainer->state.step * (double)trainer->settings->batch /
                            (double)trainer->report->training,
                   .loss = trainer->state.interval_loss / (double)trainer->state.interval_positions,
                   .validation_loss = validation_loss(trainer),
                   .rate = learning_rate(trainer)};
    losslog_add(&trainer->log, &row);
    trainer->state.interval_loss = 0;
    trainer->state.interval_positions = 0;
    return losslog_write(&trainer->log, trainer->log_path);
}

/* The mean of all that a step changes: the moments of the optimiser, too. So all ranks are in the same state
 * and a checkpoint of one is enough. */
static void meet(Trainer *trainer) {
    Checkpoint *state = &trainer->state;
    Ranks *ranks = &trainer->ranks;
    float *const arrays[] = {trainer->parameters, trainer->mean, trainer->square};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        ranks_average(ranks, trainer->shape.count, arrays[i]);
    double positions = (double)state->interval_positions;
    ranks_hand_in(ranks, &positions);
    ranks_hand_in(ranks, &state->interval_loss);
    state->interval_positions = (uint64_t)positions;
}

/* What follows some steps; alone, each. `*saved` is when the last checkpoint was written. */
static Status end_round(Trainer *trainer, bool closes_interval, int64_t *saved) {
    enum { FAILED = 1, STOP = 2, SAVE = 4 };
    const int64_t now = clock_milliseconds();
    Status status = status_ok();
    meet(trainer);
    if (closes_interval) {
        add_to_average(trainer);
        status = close_interval(trainer);
    }
    const unsigned flags = ranks_join(
        &trainer->ranks, (status_is_ok(&status) ? 0 : FAILED) | (interrupt_requested() ? STOP : 0) |
                             (now - *saved > CHECKPOINT_INTERVAL * 1000 ? SAVE : 0));
    if (flags == 0) return status;
    trainer->report->interrupted = (flags & STOP) != 0;
    if (!(flags & FAILED) && ranks_is_first(&trainer->ranks)) status = save_checkpoint(trainer);
    *saved = now;
    return ranks_agree(&trainer->ranks, status);
}

static void describe(const Trainer *trainer, double speed, char *out, size_t capacity) {
    const LossRow *row = &trainer->log.last;
    size_t length = 0;
    if (row->step > 0) length = text_format(out, capacity, "loss %.6f ", row->loss);
    if (row->step > 0 && trainer->set.validation > 0)
        length += text_format(out + length, capacity - length, "valid %.6f ", row->validation_loss);
    text_format(out + length, capacity - length, "rate %.1e %.0fk/s", (double)learning_rate(trainer),
                speed / 1000);
}

static Status run_steps(Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    uint64_t interval = (trainer->total_steps + REPORTS - 1) / REPORTS, first_step = trainer->state.step;
    int64_t begin = clock_milliseconds(), saved = begin;
    ProgressBar progress = progress_begin("positions", (int64_t)trainer->total_steps * settings->batch,
                                          settings->quiet || !ranks_is_first(&trainer->ranks));
    progress.before = (int64_t)first_step * settings->batch;
    Status status = status_ok();
    double speed = 0;
    while (trainer->state.step < trainer->total_steps && status_is_ok(&status) &&
           !trainer->report->interrupted) {
        take_step(trainer);
        const uint64_t step = trainer->state.step;
        speed = (double)(step - first_step) * (double)settings->batch * 1000 /
                (double)(clock_milliseconds() - begin + 1);
        const bool closes_interval = step % interval == 0 || step == trainer->total_steps;
        if (closes_interval || ranks_is_alone(&trainer->ranks) ||
            step % (uint64_t)settings->average_every == 0)
            status = end_round(trainer, closes_interval, &saved);
        char note[128];
        describe(trainer, speed, note, sizeof note);
        progress_update(&progress, (int64_t)step * settings->batch, note);
    }
    progress_end(&progress);
    trainer->report->seconds = (double)(clock_milliseconds() - begin) / 1000;
    trainer->report->speed = speed;
    return status;
}

/* A network that came to the name while this one was trained. The same one may be there: of a run that was
 * killed before it wrote its report. */
static Status keep_other_network(const Trainer *trainer) {
    const char *path = trainer->settings->out;
    if (file_size(path) <= 0) return status_ok();
    Status unused;
    Network *there = network_load(path, &unused);
    const bool is_same = there != NULL && network_hash(there) == trainer->report->network_hash;
    network_destroy(there);
    return is_same ? status_ok() : ownership_set_aside(path);
}

/* Writes the network only after it was compared with the model. */
static Status export_result(Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    TrainReport *report = trainer->report;
    Status status = weights_write(trainer->floats_path, &trainer->shape, trainer->parameters);
    if (!status_is_ok(&status)) return status;
    export_round_outputs(&trainer->shape, trainer->parameters, trainer->exact_outputs);
    Network *network = export_network(&trainer->shape, trainer->parameters, settings->name, &status);
    if (network == NULL) return status;
    bool enough = trainer->set.validation >= CHECK_POSITIONS;
    size_t first = enough ? trainer->set.training : 0;
    size_t known = enough ? trainer->set.validation : trainer->set.training;
    const TrainingPosition *positions = trainer->set.positions + first;
    const size_t count = known < CHECK_POSITIONS ? known : CHECK_POSITIONS;
    if (trainer->shape.layers > 0) {
        Network *sorted = pairs_sort(network, positions, count, &status);
        network_destroy(network);
        if (sorted == NULL) return status;
        network = sorted;
    }
    status = export_check(&trainer->shape, trainer->parameters, network, positions, count, &report->check);
    report->network_hash = network_hash(network);
    if (status_is_ok(&status)) status = keep_other_network(trainer);
    if (status_is_ok(&status)) status = network_save(network, settings->out);
    network_destroy(network);
    return status;
}

/* --- the journal --- */

#undef FIELD_STRUCT
#define FIELD_STRUCT TrainReport
static const Field REPORT_COLUMNS[] = {{FIELD_COLUMN("games", games)},
                                       {FIELD_COLUMN("plies", plies)},
                                       {FIELD_COLUMN("training", training)},
                                       {FIELD_COLUMN("validation", validation)},
                                       {FIELD_COLUMN("agreement", agreement)},
                                       {FIELD_COLUMN("steps", steps)},
                                       {FIELD_COLUMN("loss", loss)},
                                       {FIELD_COLUMN("validation_loss", validation_loss)},
                                       {FIELD_COLUMN("seconds", seconds)},
                                       {FIELD_COLUMN("speed", speed)},
                                       {FIELD_COLUMN("checked", check.positions)},
                                       {FIELD_COLUMN("mean", check.mean)},
                                       {FIELD_COLUMN("largest", check.largest)},
                                       {FIELD_COLUMN("network", network_hash)},
                                       {FIELD_COLUMN("validation_games", validation_games)},
                                       {0}};

#define JOURNAL_START "luft-lab train journal "

static Status restore_report(void *context, TextView line, bool *whole) {
    Trainer *trainer = context;
    /* A report of an older version ends with the network. */
    *whole = fields_read_row(REPORT_COLUMNS, trainer->report, line) || trainer->report->network_hash != 0;
    trainer->report->was_finished = *whole;
    return status_ok();
}

static void describe_file(const char *what, const char *path, TextBuffer *out) {
    buffer_append_format(out, "%s %s: %lld bytes\n", what, path, (long long)file_size(path));
}

/* Reads the report of a finished training, or begins the journal of a new one. */
static Status open_journal(Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    TextBuffer header = {0};
    buffer_append_string(&header, JOURNAL_START "2\n");
    fields_append_results(TRAIN_FIELDS, settings, &header);
    for (int i = 0; i < settings->data.count; i++) describe_file("data", settings->data.word[i], &header);
    if (settings->start != NULL) describe_file("start", settings->start, &header);
    describe_ranks(trainer, &header);
    const LineJournalPlan plan = {trainer->journal_path, "training", buffer_view(&header),
                                  "--again starts over", NULL};
    const Status status = header.failed
                              ? status_no_memory("the journal of the training")
                              : line_journal_open(&trainer->journal, &plan, restore_report, trainer);
    buffer_release(&header);
    return status;
}

static Status add_report(Trainer *trainer) {
    TextBuffer line = {0};
    fields_append_row(REPORT_COLUMNS, trainer->report, &line);
    buffer_append_char(&line, '\n');
    const Status status = line_journal_add(&trainer->journal, &line);
    buffer_release(&line);
    return status;
}

/* The network of the report must be the one that is there. */
static Status check_network(const Trainer *trainer) {
    const char *path = trainer->settings->out;
    Status status;
    Network *network = network_load(path, &status);
    if (network != NULL && network_hash(network) != trainer->report->network_hash)
        status = status_error("%.200s is not the network that %.200s tells of; --again starts over", path,
                              trainer->journal_path);
    network_destroy(network);
    return status;
}

/* The checkpoint is removed last. */
static Status finish(Trainer *trainer) {
    Status status = export_result(trainer);
    if (status_is_ok(&status)) status = add_report(trainer);
    return status_is_ok(&status) ? file_remove(trainer->checkpoint_path) : status;
}

/* Opens the journal after the files of an earlier training were set aside, or where they are gone. */
static Status open_files(Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    const char *const files[] = {settings->out, trainer->checkpoint_path, trainer->log_path,
                                 trainer->floats_path, trainer->journal_path};
    Status status = status_ok();
    for (size_t i = 0; settings->again && i < sizeof files / sizeof files[0] && status_is_ok(&status); i++)
        status = ownership_set_aside(files[i]);
    const bool is_gone = file_size(settings->out) < 0 && file_size(trainer->checkpoint_path) < 0;
    const bool has_journal = file_size(trainer->journal_path) > 0;
    if (status_is_ok(&status)) status = ownership_check_free(trainer->journal_path);
    /* Without a journal the network and its weights are of another training, or of another command. */
    if (status_is_ok(&status) && !has_journal) status = ownership_check_new(settings->out, false);
    if (status_is_ok(&status) && is_gone) status = ownership_set_aside(trainer->floats_path);
    if (status_is_ok(&status) && is_gone) status = file_remove(trainer->journal_path);
    if (status_is_ok(&status)) status = open_journal(trainer);
    trainer->is_new = is_gone || !has_journal;
    if (!status_is_ok(&status) || !trainer->report->was_finished) return status;
    status = check_network(trainer);
    return status_is_ok(&status) ? file_remove(trainer->checkpoint_path) : status;
}

static Status set_first_weights(Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    if (settings->start == NULL) {
        model_initialise(&trainer->shape, trainer->parameters, (uint64_t)settings->seed);
        return status_ok();
    }
    Weights weights;
    Status status = weights_read(settings->start, &weights);
    trainer->start_hash = weights.source;
    if (status_is_ok(&status))
        status = weights_begin(&weights, &trainer->shape, (uint64_t)settings->seed, trainer->parameters);
    weights_release(&weights);
    return status;
}

static Status read_positions(Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    LoaderFilter filter = settings->filter;
    filter.seed = (uint64_t)settings->seed;
    const uint64_t ranks = (uint64_t)trainer->ranks.count;
    if (!ranks_is_alone(&trainer->ranks)) {
        filter.part = (uint64_t)trainer->ranks.number;
        filter.parts = ranks;
        filter.max_positions = (filter.max_positions + ranks - 1) / ranks;
    }
    Syzygy tables = {0};
    Status status = status_ok();
    if (settings->tablebases != NULL) {
        status = syzygy_load(&tables, text_view(settings->tablebases));
        filter.tables = &tables;
        trainer->tables = tables.tables;
    }
    if (status_is_ok(&status))
        status = loader_read(&trainer->crew, settings->data.word, settings->data.count, &filter,
                             &trainer->set, &trainer->report->torn);
    syzygy_load(&tables, text_view(""));
    return status;
}

static Status read_data(Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    TrainReport *report = trainer->report;
    trainer->shape = model_shape(settings->shape);
    trainer->state.floats = trainer->shape.count;
    /* More threads than blocks would only wait. */
    Status status =
        crew_keep_threads(&trainer->crew, int_min(crew_threads(settings->threads), trainer->shape.blocks));
    if (status_is_ok(&status)) status = read_positions(trainer);
    if (status_is_ok(&status) && trainer->set.training == 0)
        status = status_error(
            "no position passes the filter; luft-lab data stats counts those without a score and those that "
            "are skipped");
    status = ranks_agree(&trainer->ranks, status);
    if (!status_is_ok(&status)) return status;
    report->games = trainer->set.games;
    report->plies = trainer->set.plies;
    report->training = ranks_sum(&trainer->ranks, trainer->set.training);
    report->validation = ranks_sum(&trainer->ranks, trainer->set.validation);
    report->validation_games = ranks_sum(&trainer->ranks, trainer->set.validation_games);
    const uint64_t decided = ranks_sum(&trainer->ranks, trainer->set.decided);
    const uint64_t agreeing = ranks_sum(&trainer->ranks, trainer->set.agreeing);
    if (decided > 0) report->agreement = (double)agreeing / (double)decided;
    if (decided > CHECK_POSITIONS && report->agreement < 0.5 && settings->share < 1)
        return status_error(
            "only %.0f %% of the scores have the winner's sign: they would teach the contrary",
            100 * report->agreement);
    trainer->total_steps = (report->training * (uint64_t)settings->epochs + (uint64_t)settings->batch - 1) /
                           (uint64_t)settings->batch;
    const uint64_t falling =
        trainer->total_steps - (uint64_t)(settings->average * (double)trainer->total_steps);
    trainer->rate = (OptimRate){.high = (float)settings->rate,
                                .low = (float)settings->rate_end,
                                .warm_up = (uint64_t)settings->warm_up,
                                .total = falling};
    if (trainer->rate.warm_up > trainer->total_steps / 10) trainer->rate.warm_up = trainer->total_steps / 10;
    return status_ok();
}

static Status make_room(Trainer *trainer) {
    trainer->workspace = model_workspace_create(&trainer->crew, &trainer->shape, PART_MAX);
    size_t bytes = trainer->shape.count * sizeof(float);
    trainer->parameters = memory_allocate_aligned(bytes, 64);
    trainer->gradient = memory_allocate_aligned(bytes, 64);
    trainer->exact_outputs = memory_allocate(export_output_count(&trainer->shape) * sizeof(float));
    trainer->mean = memory_allocate_aligned(bytes, 64);
    trainer->square = memory_allocate_aligned(bytes, 64);
    trainer->average = memory_allocate_aligned(bytes, 64);
    trainer->batch = memory_allocate(PART_MAX * sizeof *trainer->batch);
    const bool ready = trainer->workspace != NULL && trainer->parameters != NULL &&
                       trainer->gradient != NULL && trainer->exact_outputs != NULL && trainer->mean != NULL &&
                       trainer->square != NULL && trainer->average != NULL && trainer->batch != NULL;
    return ready ? status_ok() : status_no_memory("the model");
}

static Status prepare(Trainer *trainer) {
    Status status = read_data(trainer);
    if (status_is_ok(&status)) status = make_room(trainer);
    if (status_is_ok(&status)) status = set_first_weights(trainer);
    if (status_is_ok(&status)) status = take_fingerprint(trainer);
    status = ranks_agree(&trainer->ranks, status);
    if (status_is_ok(&status))
        status = ranks_compare(&trainer->ranks,
                               trainer->state.fingerprint ^
                                   bytes_hash(&trainer->set.plies, sizeof trainer->set.plies),
                               "settings or games");
    return status_is_ok(&status) ? resume(trainer) : status;
}

static void release(Trainer *trainer) {
    loader_release(&trainer->set);
    model_workspace_destroy(trainer->workspace);
    memory_release_aligned(trainer->parameters);
    memory_release_aligned(trainer->gradient);
    memory_release(trainer->exact_outputs);
    memory_release_aligned(trainer->mean);
    memory_release_aligned(trainer->square);
    memory_release_aligned(trainer->average);
    memory_release(trainer->batch);
    buffer_release(&trainer->log.table);
}

static void name_file(char *out, size_t capacity, const char *given, const char *base, const char *ending) {
    text_format(out, capacity, "%s%s", given != NULL ? given : base, given != NULL ? "" : ending);
}

/* Refuses before hours of training what would be refused after them. */
static Status check_outputs(const Trainer *trainer) {
    const TrainSettings *settings = trainer->settings;
    const char *const outputs[] = {settings->out,        trainer->checkpoint_path, trainer->log_path,
                                   trainer->floats_path, trainer->journal_path,    settings->plot};
    enum { COUNT = sizeof outputs / sizeof outputs[0] };
    for (const char *c = settings->name; c != NULL && *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127) return status_error("a control character in the name");
    Status status = export_check_output(settings->out);
    if (status_is_ok(&status)) status = checkpoint_check_output(trainer->checkpoint_path);
    if (status_is_ok(&status)) status = losslog_check_output(trainer->log_path);
    if (status_is_ok(&status)) status = weights_check_output(trainer->floats_path);
    if (status_is_ok(&status))
        status = ownership_check_kind(trainer->journal_path, JOURNAL_START, sizeof JOURNAL_START - 1,
                                      "a journal of a training");
    if (status_is_ok(&status)) status = ownership_check_kind(settings->plot, "<?xml", 5, "an SVG image");
    for (int i = 0; i < COUNT && status_is_ok(&status); i++) {
        if (outputs[i] == NULL) continue;
        for (int k = 0; k < i; k++)
            if (outputs[k] != NULL && strcmp(outputs[i], outputs[k]) == 0)
                return status_error("%s is to be written twice", outputs[i]);
        status = ownership_check_inputs(outputs[i], (const char *const *)settings->data.word,
                                        settings->data.count);
        if (status_is_ok(&status)) status = ownership_check_inputs(outputs[i], &settings->start, 1);
    }
    return status;
}

static Status run(Trainer *trainer) {
    TrainReport *report = trainer->report;
    Status status = status_ok();
    if (trainer->settings->batch % trainer->ranks.count != 0)
        status = status_error("--batch must be a multiple of the number of ranks, which is %d",
                              trainer->ranks.count);
    else if (ranks_is_first(&trainer->ranks)) {
        status = check_outputs(trainer);
        if (status_is_ok(&status)) status = open_files(trainer);
    }
    status = ranks_agree(&trainer->ranks, status);
    ranks_share(&trainer->ranks, &report->was_finished, sizeof report->was_finished);
    if (!status_is_ok(&status) || report->was_finished) return status;
    status = prepare(trainer);
    if (!status_is_ok(&status) && trainer->is_new) append_file_drop(&trainer->journal.file);
    if (status_is_ok(&status) && !trainer->settings->quiet && ranks_is_first(&trainer->ranks))
        crew_warn_if_loaded(trainer->settings->threads, "training");
    if (status_is_ok(&status)) status = run_steps(trainer);
    report->steps = trainer->state.step;
    report->loss = trainer->log.last.loss;
    report->validation_loss = trainer->log.last.validation_loss;
    report->exchanged = trainer->ranks.exchanged;
    const bool is_done = status_is_ok(&status) && !report->interrupted;
    return is_done && ranks_is_first(&trainer->ranks) ? finish(trainer) : status;
}

Status trainer_run(const TrainSettings *settings, TrainReport *report) {
    *report = (TrainReport){0};
    Trainer trainer = {.settings = settings, .report = report, .journal = {.file = {.handle = -1}}};
    name_file(trainer.checkpoint_path, sizeof trainer.checkpoint_path, settings->checkpoint, settings->out,
              ".checkpoint");
    name_file(trainer.log_path, sizeof trainer.log_path, settings->log, settings->out, ".tsv");
    name_file(trainer.floats_path, sizeof trainer.floats_path, NULL, settings->out, ".floats");
    name_file(trainer.journal_path, sizeof trainer.journal_path, NULL, settings->out, ".journal");
    crew_begin(&trainer.crew);
    Status status = ranks_begin(&trainer.ranks, settings->average_every > 0);
    report->rank = trainer.ranks.number;
    report->ranks = trainer.ranks.count;
    if (status_is_ok(&status)) status = run(&trainer);
    line_journal_close(&trainer.journal);
    ranks_end(&trainer.ranks);
    if (status_is_ok(&status) && settings->plot != NULL && report->rank == 0)
        status = losslog_plot(trainer.log_path, settings->plot, settings->name);
    crew_end(&trainer.crew);
    release(&trainer);
    return status;
}
