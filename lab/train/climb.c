#include "lab/train/climb.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "lab/kit/line_journal.h"
#include "lab/kit/ownership.h"
#include "lab/selfplay/datagen.h"
#include "lab/selfplay/duel.h"
#include "lab/train/trainer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the plan --- */

#define FIELD_STRUCT ClimbStep
static const Field STEP_FIELDS[] = {{FIELD_GROUP(play, DATAGEN_FIELDS)},
                                    {FIELD_GROUP(train, TRAIN_FIELDS)},
                                    {FIELD_WHOLE("window", "N", window, 1, CLIMB_GENERATIONS_MAX, "1",
                                                 "number of last generations whose games are used"),
                                     .flags = FIELD_EACH},
                                    {0}};
#undef FIELD_STRUCT

#define FIELD_STRUCT ClimbPlan
const Field CLIMB_PLAN_FIELDS[] = {
    {FIELD_TEXT("folder", "DIR", folder, "climb", "folder of games, networks and the table")},
    {FIELD_TEXT("tablebases", "DIR", tablebases, NULL,
                "folders of Syzygy tablebases, for play and for labels (default: none)")},
    {FIELD_WHOLE("generations", "N", generations, 1, CLIMB_GENERATIONS_MAX, "4", "number of generations")},
    {FIELD_WHOLE("threads", "N", threads, 0, 1024, "0", "threads; 0: one for each core")},
    {FIELD_WHOLE("train-threads", "N", train_threads, 0, 1024, "0",
                 "threads of training, which wait for each other; 0: as threads")},
    {FIELD_WHOLE("seed", "N", seed, 0, 1e12, "1", "of everything")},
    {FIELD_WHOLE("hash", "MiB", hash, 1, 1024, "2", "MiB of each player's table")},
    {FIELD_WHOLE("random-width", "N", random_width, WIDTH_MIN, WIDTH_MAX, "32",
                 "width of the random network")},
    {FIELD_WHOLE("match-pairs", "N", match_pairs, 1, 1e6, "250",
                 "pairs of games against the best network so far")},
    {FIELD_WHOLE("match-nodes", "N", match_nodes, 1, 1e9, "10k", "nodes of a move in that match")},
    {FIELD_REAL("promote-elo", "X", promote_elo, -1000, 1000, "0",
                "promote a network that is surely better by this much")},
    {FIELD_HEADING("One value for each generation (200, 200, 500), the last for all further:")},
    {FIELD_GROUP(step, STEP_FIELDS), .length = CLIMB_GENERATIONS_MAX, .stride = sizeof(ClimbStep)},
    {0}};
#undef FIELD_STRUCT

static Status read_default_plan(ClimbPlan *plan) {
    TextBuffer text = {0};
    buffer_append_string(&text, CLIMB_DEFAULT_PLAN);
    Status status =
        text.failed ? status_no_memory("the plan") : fields_read_settings(CLIMB_PLAN_FIELDS, plan, &text);
    buffer_release(&text); /* no text among its values */
    return status;
}

Status climb_read_plan(TextBuffer *text, ClimbPlan *plan) {
    *plan = (ClimbPlan){0};
    fields_reset(CLIMB_PLAN_FIELDS, plan);
    if (text_is_empty(text_trim(buffer_view(text))))
        return status_error("it is empty; 'generations = 4' alone would do, and --help has all settings");
    Status status = read_default_plan(plan);
    if (status_is_ok(&status)) status = fields_read_settings(CLIMB_PLAN_FIELDS, plan, text);
    for (int i = 0; i < CLIMB_GENERATIONS_MAX && status_is_ok(&status); i++)
        status = train_settings_check(&plan->step[i].train);
    return status;
}

enum {
    RANDOM_NETWORK = -1,
    PATH_CAPACITY = 1024,
};

typedef struct Climb {
    const ClimbPlan *plan;
    char table_path[PATH_CAPACITY], journal_path[PATH_CAPACITY];
    LineJournal table;
    LineJournal journal; /* a line for each generation begun: its settings */
    ClimbRow rows[CLIMB_GENERATIONS_MAX];
    int count;
} Climb;

static void path_of(const ClimbPlan *plan, int generation, const char *ending, char out[PATH_CAPACITY]) {
    text_format(out, PATH_CAPACITY, "%s/generation-%d.%s", plan->folder, generation, ending);
}

/* A name for selfplay_open_network. */
static void network_word(const ClimbPlan *plan, int generation, char out[PATH_CAPACITY]) {
    if (generation == RANDOM_NETWORK)
        text_format(out, PATH_CAPACITY, "random:%d:%" PRId64, (int)plan->random_width, plan->seed);
    else
        path_of(plan, generation, "nnue", out);
}

int climb_best(const ClimbRow *rows, int count) {
    for (int i = count - 1; i >= 0; i--)
        if (rows[i].promoted) return rows[i].generation;
    return RANDOM_NETWORK;
}

/* --- the table on disk --- */

/* After the number of the generation and before the checksum, which the journal writes. */
#define FIELD_STRUCT ClimbRow
static const Field COLUMNS[] = {{FIELD_COLUMN("player", best)},
                                {FIELD_COLUMN("nodes", nodes)},
                                {FIELD_COLUMN("width", width)},
                                {FIELD_COLUMN("buckets", buckets)},
                                {FIELD_COLUMN("plies", plies)},
                                {FIELD_COLUMN("positions", positions)},
                                {FIELD_COLUMN("share", share)},
                                {FIELD_COLUMN("play_hours", play_hours)},
                                {FIELD_COLUMN("train_hours", train_hours)},
                                {FIELD_COLUMN("loss", loss)},
                                {FIELD_COLUMN("validation", validation_loss)},
                                {FIELD_COLUMN("rival", best)},
                                {FIELD_COLUMN("pairs", pairs)},
                                {FIELD_COLUMN("elo", elo.elo)},
                                {FIELD_COLUMN("elo_error", elo.elo_error)},
                                {FIELD_COLUMN("elo_low", elo.elo_low)},
                                {FIELD_COLUMN("elo_high", elo.elo_high)},
                                {FIELD_COLUMN("score", elo.score)},
                                {FIELD_COLUMN("los", elo.los)},
                                {FIELD_COLUMN("promoted", promoted)},
                                {FIELD_COLUMN("network", network_hash)},
                                {0}};
#undef FIELD_STRUCT

/* The hours and the games of the match were kept in case the generation was interrupted. */
static Status forget_parts(const ClimbPlan *plan, const ClimbRow *row) {
    char path[PATH_CAPACITY];
    path_of(plan, row->generation, "match", path);
    const Status status = file_remove(path);
    path_of(plan, row->generation, "hours", path);
    return status_is_ok(&status) ? file_remove(path) : status;
}

static Status add_row(Climb *climb, const ClimbRow *row) {
    TextBuffer line = {0};
    fields_append_row(COLUMNS, row, &line);
    buffer_append_char(&line, '\n');
    Status status = line_journal_add(&climb->table, &line);
    buffer_release(&line);
    return status_is_ok(&status) ? forget_parts(climb->plan, row) : status;
}

/* The network of a finished generation, if it is still there, must be the one that was tested. */
static Status check_network(const ClimbPlan *plan, const ClimbRow *row) {
    char path[PATH_CAPACITY];
    Status status;
    path_of(plan, row->generation, "nnue", path);
    if (file_size(path) < 0) return status_ok();
    Network *network = network_load(path, &status);
    if (network != NULL && network_hash(network) != row->network_hash)
        status = status_error("%s is not the network that generation %d made: climb.tsv says %016" PRIx64,
                              path, row->generation, row->network_hash);
    network_destroy(network);
    return status;
}

static Status restore_row(void *context, TextView line, bool *whole) {
    Climb *climb = context;
    ClimbRow *row = &climb->rows[climb->count];
    *whole = climb->count < CLIMB_GENERATIONS_MAX && fields_read_row(COLUMNS, row, line);
    if (!*whole) return status_ok();
    row->generation = climb->count++;
    Status status = check_network(climb->plan, row);
    return status_is_ok(&status) ? forget_parts(climb->plan, row) : status;
}

/* The table is a journal: its lines are numbered by generation, and it is ours until it is closed. */
static Status open_table(Climb *climb) {
    text_format(climb->table_path, sizeof climb->table_path, "%s/climb.tsv", climb->plan->folder);
    TextBuffer heading = {0};
    buffer_append_string(&heading, "generation\t");
    fields_append_names(COLUMNS, &heading);
    buffer_append_string(&heading, "\tchecksum\n");
    LineJournalPlan plan = {climb->table_path, "climb", buffer_view(&heading), "--again starts over", NULL};
    const Status status = heading.failed ? status_no_memory("the table")
                                         : line_journal_open(&climb->table, &plan, restore_row, climb);
    buffer_release(&heading);
    return status;
}

/* --- the settings of each generation --- */

/* The words of a line: "seed=1 nodes=200 width=32 ...". */
static void describe_generation(const ClimbPlan *plan, int64_t generation, TextBuffer *out) {
    const ClimbStep *step = &plan->step[generation];
    buffer_append_format(out, "seed=%" PRId64 "\nhash=%" PRId64 "\nplies=%" PRId64 "\nwindow=%" PRId64 "\n",
                         plan->seed, plan->hash, step->play.plies, step->window);
    buffer_append_format(out, "random-width=%" PRId64 "\ntablebases=%s\n", plan->random_width,
                         plan->tablebases != NULL ? plan->tablebases : "");
    fields_append_results(DATAGEN_FIELDS, &step->play, out);
    fields_append_results(TRAIN_FIELDS, &step->train, out);
    for (size_t i = 0; i < out->length; i++)
        if (out->data[i] == '\n') out->data[i] = i + 1 == out->length ? '\n' : ' ';
}

static Status compare_generation(void *context, TextView line, bool *whole) {
    const Climb *climb = context;
    TextBuffer wanted = {0};
    const int64_t generation = climb->journal.lines;
    Status status = status_ok();
    *whole = generation < CLIMB_GENERATIONS_MAX;
    if (*whole) describe_generation(climb->plan, generation, &wanted);
    TextView now = buffer_view(&wanted);
    while (*whole && status_is_ok(&status) && !(text_is_empty(line) && text_is_empty(text_trim(now)))) {
        const TextView old_word = text_next_word(&line), new_word = text_next_word(&now);
        char old_text[80], new_text[80];
        text_copy_printable(old_word, old_text, sizeof old_text);
        text_copy_printable(new_word, new_text, sizeof new_text);
        if (strcmp(old_text, new_text) != 0)
            status = status_error("generation %" PRId64 " of %.200s was begun with '%s', now '%s'",
                                  generation, climb->journal_path, old_text, new_text);
    }
    if (wanted.failed) status = status_no_memory("the settings of a generation");
    buffer_release(&wanted);
    return status;
}

static Status open_journal(Climb *climb) {
    text_format(climb->journal_path, sizeof climb->journal_path, "%s/climb.journal", climb->plan->folder);
    const LineJournalPlan plan = {climb->journal_path, "climb", text_view("luft-lab evolve journal 1\n"),
                                  "--again starts over", NULL};
    return line_journal_open(&climb->journal, &plan, compare_generation, climb);
}

/* Keeps the settings before the first game; also those of generations that an older version made. */
static Status begin_generation(Climb *climb) {
    Status status = status_ok();
    while (climb->journal.lines <= climb->count && status_is_ok(&status)) {
        TextBuffer line = {0};
        describe_generation(climb->plan, climb->journal.lines, &line);
        status = line_journal_add(&climb->journal, &line);
        buffer_release(&line);
    }
    return status;
}

/* --- hours of a generation that was interrupted --- */

static Status keep_hours(const ClimbPlan *plan, const ClimbRow *row) {
    char path[PATH_CAPACITY], text[96];
    path_of(plan, row->generation, "hours", path);
    const size_t length =
        text_format(text, sizeof text, "play %.9g train %.9g\n", row->play_hours, row->train_hours);
    return file_write(path, text, length);
}

/* The hours of earlier runs; none when no run has ended by itself. */
static void take_hours(const ClimbPlan *plan, ClimbRow *row) {
    char path[PATH_CAPACITY];
    TextBuffer text = {0};
    path_of(plan, row->generation, "hours", path);
    if (file_size(path) >= 0) {
        const Status status = file_read(path, &text);
        if (!status_is_ok(&status) ||
            sscanf(buffer_string(&text), "play %lf train %lf", &row->play_hours, &row->train_hours) != 2)
            row->play_hours = row->train_hours = 0;
    }
    buffer_release(&text);
}

/* --- one generation --- */

static Status play(const ClimbPlan *plan, const ClimbStep *step, ClimbRow *row, bool *interrupted) {
    char out[PATH_CAPACITY], network[PATH_CAPACITY];
    path_of(plan, row->generation, "games", out);
    network_word(plan, row->best, network);
    DatagenSettings settings = step->play;
    settings.out = out;
    settings.network = network;
    settings.tablebases = plan->tablebases;
    settings.threads = plan->threads;
    settings.hash = plan->hash;
    settings.seed = plan->seed * 1000 + row->generation;
    settings.first_generation = row->best == RANDOM_NETWORK;
    settings.quiet = plan->quiet;
    DatagenReport report = {0};
    const Status status = datagen_run(&settings, &report);
    row->plies = report.plies;
    row->play_hours += report.seconds / 3600;
    *interrupted = report.interrupted;
    return status_is_ok(&status) ? keep_hours(plan, row) : status;
}

static Status train(const ClimbPlan *plan, const ClimbStep *step, ClimbRow *row, bool *interrupted) {
    char out[PATH_CAPACITY], name[64];
    char paths[CLIMB_GENERATIONS_MAX][PATH_CAPACITY], *data[CLIMB_GENERATIONS_MAX];
    path_of(plan, row->generation, "nnue", out);
    text_format(name, sizeof name, "generation %d", row->generation);
    TrainSettings settings = step->train;
    for (int i = int_max(0, row->generation - (int)step->window + 1); i <= row->generation; i++) {
        const int at = settings.data.count++;
        path_of(plan, i, "games", paths[at]);
        data[at] = paths[at];
    }
    settings.data.word = data;
    settings.out = out;
    settings.name = name;
    settings.tablebases = plan->tablebases;
    settings.threads = plan->train_threads > 0 ? plan->train_threads : plan->threads;
    settings.seed = plan->seed + row->generation;
    settings.quiet = plan->quiet;
    TrainReport report;
    Status status = trainer_run(&settings, &report);
    row->positions = report.training;
    row->loss = report.loss;
    row->validation_loss = report.validation_loss;
    row->validation_games = report.validation_games;
    if (!report.was_finished) row->train_hours += report.seconds / 3600;
    row->network_hash = report.network_hash;
    *interrupted = report.interrupted;
    return status_is_ok(&status) ? keep_hours(plan, row) : status;
}

/* One lost pair is added: without it, a match won in every pair has no spread to estimate an error from. */
static bool is_surely_better(const PairCounts *pairs, double elo) {
    PairCounts pessimistic = *pairs;
    pessimistic.count[0]++;
    return stats_estimate_pairs(&pessimistic).elo_low > elo;
}

static Status match(const ClimbPlan *plan, ClimbRow *row, bool *interrupted) {
    char word[PATH_CAPACITY], journal[PATH_CAPACITY];
    Status status;
    path_of(plan, row->generation, "match", journal);
    network_word(plan, row->generation, word);
    Network *first = selfplay_open_network(word, &status);
    if (first == NULL) return status;
    network_word(plan, row->best, word);
    Network *second = selfplay_open_network(word, &status);
    DuelResult result = {0};
    if (second != NULL) {
        DuelSettings settings = duel_settings_default();
        settings.pairs = plan->match_pairs;
        settings.threads = plan->threads;
        settings.budget = (MoveBudget){0, (uint64_t)plan->match_nodes};
        settings.seed = (uint64_t)plan->seed;
        /* The scores of a random network mean nothing, not even at the end of a game. */
        settings.adjudication.by_score = row->best != RANDOM_NETWORK;
        settings.quiet = plan->quiet;
        settings.journal = journal;
        status = duel_play(&settings, first, second, &result);
    }
    network_destroy(first);
    network_destroy(second);
    row->elo = stats_estimate_pairs(&result.pairs);
    row->pairs = stats_pair_total(&result.pairs);
    row->promoted = is_surely_better(&result.pairs, plan->promote_elo);
    *interrupted = row->pairs < plan->match_pairs;
    return status;
}

/* The progress that each part shows says only how far it is. */
static void announce(const ClimbPlan *plan, int generation, const char *part) {
    if (!plan->quiet) text_printf(stderr, "generation %d: %s\n", generation, part);
}

static Status make_generation(Climb *climb, bool *interrupted) {
    const ClimbPlan *plan = climb->plan;
    const int generation = climb->count;
    const ClimbStep *step = &plan->step[generation];
    ClimbRow row = {.generation = generation,
                    .best = climb_best(climb->rows, climb->count),
                    .nodes = (int64_t)step->play.budget.soft,
                    .width = step->train.shape.width,
                    .buckets = step->train.shape.buckets,
                    .share = step->train.share};
    take_hours(plan, &row);
    Status status = begin_generation(climb);
    announce(plan, generation, "games");
    if (status_is_ok(&status)) status = play(plan, step, &row, interrupted);
    if (!status_is_ok(&status) || *interrupted) return status;
    announce(plan, generation, "training");
    status = train(plan, step, &row, interrupted);
    if (!status_is_ok(&status) || *interrupted) return status;
    announce(plan, generation, "match against the best network so far");
    status = match(plan, &row, interrupted);
    if (!status_is_ok(&status) || *interrupted) return status;
    climb->rows[climb->count++] = row;
    return add_row(climb, &row);
}

Status climb_run(const ClimbPlan *plan, ClimbReport *report, void *context, bool *interrupted) {
    *interrupted = false;
    Status status = plan->again ? ownership_set_aside(plan->folder) : status_ok();
    if (status_is_ok(&status)) status = file_make_folder(plan->folder);
    if (!status_is_ok(&status)) return status;
    Climb *climb = memory_allocate(sizeof *climb);
    if (climb == NULL) return status_no_memory("the climb");
    climb->plan = plan;
    climb->journal.file.handle = -1;
    Interrupt interrupt;
    interrupt_begin(&interrupt); /* for the rest, one after the other */
    status = open_table(climb);
    if (status_is_ok(&status)) status = open_journal(climb);
    for (int i = 0; i < climb->count && status_is_ok(&status); i++) report(context, &climb->rows[i]);
    if (status_is_ok(&status) && climb->count >= plan->generations)
        text_printf(stderr, "All generations were made before; --again starts over\n");
    while (status_is_ok(&status) && !*interrupted && climb->count < plan->generations) {
        status = make_generation(climb, interrupted);
        if (status_is_ok(&status) && !*interrupted) report(context, &climb->rows[climb->count - 1]);
    }
    line_journal_close(&climb->journal);
    line_journal_close(&climb->table);
    interrupt_end(&interrupt);
    memory_release(climb);
    return status;
}
