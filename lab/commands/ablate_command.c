/* luft-lab ablate: what is each technique of the search worth? The engine without it against the full one. */
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "lab/command.h"
#include "lab/kit/console.h"
#include "lab/kit/plot.h"
#include "lab/kit/process.h"
#include "lab/match/sprt.h"
#include "lab/tune/ablation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char ABOUT[] =
    "Measures what each technique of the search is worth: the full engine plays against the engine without "
    "it, and both "
    "run bench. The engine must be built with LAB=1, which has a switch `Use TECHNIQUE` for each; without "
    "names, all are "
    "measured. Writes ablation.md, ablation.csv and a plot, again after each technique; the same command "
    "carries on after "
    "an interruption.\n"
    "\n"
    "Techniques whose name begins with time_ do nothing in fixed nodes and are not played there.\n";
static const char EXAMPLES[] = "  the pruning of quiet moves, in fixed nodes\n"
                               "  luft-lab ablate futility late_move_pruning history_pruning \\\n"
                               "      --nodes 10000 --games 400 --concurrency 2\n";

typedef struct AblateArguments {
    const char *engine, *book, *folder, *results;
    WordList names; /* of techniques */
    uint64_t nodes; /* 0: not in fixed nodes */
    const char *tc; /* NULL: not on the clock */
    int games, depth, runs, hash, concurrency, plot;
    uint64_t seed;
    SprtTest test; /* without one, its elo0 is no number */
    bool adjudicate, quiet;
} AblateArguments;

typedef struct Ablation {
    const AblateArguments *arguments;
    AblationTable table;
    PlayLimits limits[ABLATION_MODES];
    OpeningOptions openings;
    OpeningBook *book;
    uint64_t full_nodes; /* bench of the full engine; 0: not yet known */
    bool stopped;
} Ablation;

/* --- the techniques --- */

/* Asks the engine for its options and keeps the names of its switches. */
static Status list_techniques(const char *engine, AblationTable *table) {
    Process *process = NULL;
    Status status = process_start(&(ProcessOptions){.arguments = (const char *[]){engine, NULL}}, &process);
    if (!status_is_ok(&status)) return status;
    const int64_t deadline = clock_microseconds() + 10 * 1000000;
    bool answered = false;
    TextView line;
    if (process_write(process, text_view("uci\n"), deadline)) {
        while (!answered && process_read_line(process, deadline, &line) == PROCESS_LINE) {
            answered = text_equals(text_trim(line), "uciok");
            if (table->row_count < ABLATION_ROWS_MAX &&
                ablation_parse_option(line, table->row[table->row_count].name))
                table->row_count++;
        }
        process_write(process, text_view("quit\n"), deadline);
    }
    process_stop(process, 1000);
    if (!answered) return status_error("%s does not answer `uci`: is it an engine?", engine);
    if (table->row_count == 0)
        return status_error("%s has no option `Use ...`: build it with make LAB=1 EXE=%s", engine, engine);
    return status;
}

static bool has_test(const AblateArguments *arguments) { return !isnan(arguments->test.elo0); }

static int find_technique(const AblationTable *table, const char *name) {
    for (int i = 0; i < table->row_count; i++)
        if (strcmp(table->row[i].name, name) == 0) return i;
    return -1;
}

/* Keeps the techniques that were named, in the order they were. */
static Status select_techniques(const AblateArguments *arguments, AblationTable *table) {
    if (arguments->names.count == 0) return status_ok();
    for (int i = 0; i < arguments->names.count; i++) {
        const int at = find_technique(table, arguments->names.word[i]);
        if (at < 0)
            return status_error("%s has no technique '%s'; the first is '%s'", arguments->engine,
                                arguments->names.word[i], table->row[0].name);
        if (at < i) return status_error("'%s' is named twice", arguments->names.word[i]);
        AblationRow row = table->row[at];
        table->row[at] = table->row[i];
        table->row[i] = row;
    }
    table->row_count = arguments->names.count; /* none twice, so no more than there are */
    return status_ok();
}

/* --- bench --- */

/* A technique's bench as it is kept in the folder: depth, runs, nodes of both, ratio of times, its error. */
static void save_bench(const Ablation *ablation, const AblationRow *row, const char *path) {
    TextBuffer text = {0};
    buffer_append_format(&text, "%d %d %llu %.9g %.9g %.9g\n", ablation->arguments->depth,
                         ablation->arguments->runs, (unsigned long long)ablation->full_nodes, row->node_ratio,
                         row->time_ratio.ratio,
                         isfinite(row->time_ratio.error) ? row->time_ratio.error : -1.0);
    /* Lost, it costs nothing but a new bench. */
    Status status = file_write(path, text.data, text.length);
    if (!status_is_ok(&status)) fprintf(stderr, "luft-lab ablate: %s\n", status.reason);
    buffer_release(&text);
}

/* Whether a bench of the same depth, runs and engine was kept. */
static bool load_bench(const Ablation *ablation, AblationRow *row, const char *path) {
    if (file_size(path) <= 0) return false;
    TextBuffer text = {0};
    Status status = file_read(path, &text);
    TextView rest = buffer_view(&text);
    double value[6];
    int found = 0;
    while (status_is_ok(&status) && found < 6) {
        TextView word = text_next_word(&rest);
        if (!text_parse_double(word, &value[found])) break;
        found++;
    }
    buffer_release(&text);
    const AblateArguments *arguments = ablation->arguments;
    if (found < 6 || (int)value[0] != arguments->depth || (int)value[1] != arguments->runs ||
        (uint64_t)value[2] != ablation->full_nodes)
        return false;
    row->node_ratio = value[3];
    row->time_ratio = (SpeedRatio){value[4], value[5] < 0 ? INFINITY : value[5], arguments->runs};
    return row->has_bench = true;
}

static Status bench_full(Ablation *ablation) {
    BenchOutput output;
    Status status = bench_output_run(ablation->arguments->engine, NULL, ablation->arguments->depth, &output);
    ablation->full_nodes = output.nodes;
    return status;
}

/* Full and without in turn, so that both meet the same moods of the machine. */
static Status bench_technique(Ablation *ablation, AblationRow *row) {
    const AblateArguments *arguments = ablation->arguments;
    char path[1024], setting[128];
    text_format(path, sizeof path, "%.900s/%s.bench", arguments->folder, row->name);
    if (load_bench(ablation, row, path)) return status_ok();
    text_format(setting, sizeof setting, "setoption name Use %s value false", row->name);
    const char *settings[] = {setting, NULL};
    double *log_ratios = memory_allocate((size_t)arguments->runs * sizeof *log_ratios);
    if (log_ratios == NULL) return status_no_memory("the runs of bench");
    Status status = status_ok();
    Progress progress = progress_begin("runs of bench", 2 * arguments->runs, arguments->quiet);
    for (int run = 0; run < arguments->runs && status_is_ok(&status); run++) {
        BenchOutput full, without;
        progress_update(&progress, 2 * run, row->name);
        status = bench_output_run(arguments->engine, NULL, arguments->depth, &full);
        progress_update(&progress, 2 * run + 1, row->name);
        if (status_is_ok(&status))
            status = bench_output_run(arguments->engine, settings, arguments->depth, &without);
        if (!status_is_ok(&status)) break;
        row->node_ratio = (double)without.nodes / (double)full.nodes;
        log_ratios[run] = log(bench_output_seconds(&without) / bench_output_seconds(&full));
    }
    progress_end(&progress);
    if (status_is_ok(&status)) {
        row->time_ratio = bench_output_ratio(log_ratios, arguments->runs);
        row->has_bench = true;
        save_bench(ablation, row, path);
    }
    memory_release(log_ratios);
    return status;
}

/* --- games --- */

static Status add_engine(const Ablation *ablation, EngineList *list, int mode, const char *without) {
    Status status = engine_list_add(list, NULL);
    if (!status_is_ok(&status)) return status;
    EngineConfig *config = &list->engines[list->count - 1];
    char text[ENGINE_PATH_CAPACITY + 8], hash[16];
    text_format(text, sizeof text, "cmd=%s", ablation->arguments->engine);
    status = engine_config_apply(config, text_view(text));
    if (!status_is_ok(&status)) return status;
    text_format(config->name, sizeof config->name, without != NULL ? "no %.56s" : "full", without);
    const int64_t margin = config->limits.margin; /* unset: chosen by the list */
    config->limits = ablation->limits[mode];
    config->limits.margin = margin;
    text_format(hash, sizeof hash, "%d", ablation->arguments->hash);
    status = engine_config_set_option(config, "Hash", hash);
    if (without == NULL || !status_is_ok(&status)) return status;
    text_format(text, sizeof text, "Use %s", without);
    return engine_config_set_option(config, text, "false");
}

static Status append_row(const Ablation *ablation, const MatchSetup *setup, int mode,
                         const AblationRow *row) {
    TextBuffer conditions = {0};
    report_describe_conditions(setup, &conditions);
    const ReportRow result = {.subject = row->name,
                              .limit = ablation->table.mode_name[mode],
                              .conditions = buffer_string(&conditions),
                              .bench = ablation->full_nodes,
                              .pairs = row->mode[mode].pairs,
                              .games = row->mode[mode].games,
                              .has_nodes_ratio = true,
                              .nodes_ratio = row->has_bench ? row->node_ratio : NAN};
    Status status = report_append_row(&result, ablation->arguments->results);
    buffer_release(&conditions);
    return status;
}

static Status play_match(Ablation *ablation, const EngineList *list, int mode, AblationRow *row) {
    const AblateArguments *arguments = ablation->arguments;
    static const char *const KIND[ABLATION_MODES] = {"nodes", "clock"};
    const char *kind = ablation->limits[mode].has_clock ? KIND[1] : KIND[0];
    char pgn[1024], journal[1024], logs[1024];
    text_format(pgn, sizeof pgn, "%.900s/%s-%s.pgn", arguments->folder, row->name, kind);
    text_format(journal, sizeof journal, "%.900s/%s-%s.journal", arguments->folder, row->name, kind);
    text_format(logs, sizeof logs, "%.900s/logs", arguments->folder);
    MatchSetup setup = {.engines = list->engines,
                        .engine_count = 2,
                        .pairs = arguments->games / 2,
                        .concurrency = arguments->concurrency,
                        .book = ablation->book,
                        .openings = ablation->openings,
                        .rules = arguments->adjudicate ? game_rules_customary() : (GameRules){0},
                        .resume = true,
                        .pgn_path = pgn,
                        .journal_path = journal,
                        .log_folder = logs,
                        .event = "Ablation"};
    SprtOutcome outcome;
    MatchTotals totals;
    ReportOptions report = {.out = stderr, .quiet = arguments->quiet};
    Status status =
        sprt_play(&setup, has_test(arguments) ? &arguments->test : NULL, report, &outcome, &totals);
    row->mode[mode] = (AblationGames){outcome.pairs, outcome.games};
    const bool finished = totals.completed || outcome.verdict != SPRT_CONTINUES;
    if (status_is_ok(&status) && finished && totals.pairs_played > 0 && arguments->results != NULL)
        status = append_row(ablation, &setup, mode, row);
    ablation->stopped = totals.stopped && outcome.verdict == SPRT_CONTINUES;
    match_totals_release(&totals);
    return status;
}

static Status play_technique(Ablation *ablation, int mode, AblationRow *row) {
    /* A fixed number of nodes leaves nothing to manage: both engines would be the same. */
    if (!ablation->limits[mode].has_clock && strncmp(row->name, "time_", 5) == 0) return status_ok();
    EngineList list = {0};
    Status status = add_engine(ablation, &list, mode, NULL);
    if (status_is_ok(&status)) status = add_engine(ablation, &list, mode, row->name);
    if (status_is_ok(&status)) status = engine_list_finish(&list);
    if (status_is_ok(&status)) status = play_match(ablation, &list, mode, row);
    engine_list_release(&list);
    return status;
}

/* --- results --- */

static Status write_file(const Ablation *ablation, const char *name,
                         void (*write)(const AblationTable *table, TextBuffer *out)) {
    char path[1024];
    TextBuffer text = {0};
    text_format(path, sizeof path, "%.900s/%s", ablation->arguments->folder, name);
    write(&ablation->table, &text);
    Status status = console_write_result(path, &text);
    buffer_release(&text);
    return status;
}

static Status draw_plot(const Ablation *ablation) {
    const AblateArguments *arguments = ablation->arguments;
    const char *kind = plot_kind(arguments->plot);
    if (kind == NULL) return status_ok();
    char script[1024], image[1024];
    TextBuffer text = {0};
    text_format(script, sizeof script, "%.900s/ablation.gp", arguments->folder);
    text_format(image, sizeof image, "%.900s/ablation.%s", arguments->folder, kind);
    ablation_write_plot(&ablation->table, kind, image, &text);
    Status status = plot_draw("ablate", script, &text);
    buffer_release(&text);
    return status;
}

static Status write_results(const Ablation *ablation) {
    Status status = write_file(ablation, "ablation.md", ablation_write_markdown);
    if (status_is_ok(&status)) status = write_file(ablation, "ablation.csv", ablation_write_csv);
    return status_is_ok(&status) ? draw_plot(ablation) : status;
}

/* --- the command --- */

static Status set_modes(Ablation *ablation) {
    const AblateArguments *arguments = ablation->arguments;
    AblationTable *table = &ablation->table;
    if (arguments->nodes > 0) ablation->limits[table->mode_count++].nodes = arguments->nodes;
    if (arguments->tc != NULL) {
        Status status =
            play_limits_parse_clock(&ablation->limits[table->mode_count], text_view(arguments->tc));
        if (!status_is_ok(&status)) return status_error("--tc: %s", status.reason);
        if (!ablation->limits[table->mode_count].has_clock) return status_error("--tc inf is no limit");
        table->mode_count++;
    }
    if (arguments->games == 0) table->mode_count = 0;
    for (int i = 0; i < table->mode_count; i++)
        play_limits_describe(&ablation->limits[i], table->mode_name[i], (int)sizeof table->mode_name[i]);
    if (table->mode_count == 0)
        text_format(table->conditions, sizeof table->conditions, "Bench at depth %d.", arguments->depth);
    else
        text_format(table->conditions, sizeof table->conditions,
                    "%s %d games each%s, %d MB of hash, openings from %s; bench at depth %d.",
                    has_test(arguments) ? "At most" : "", arguments->games,
                    arguments->adjudicate ? ", adjudicated" : "", arguments->hash, arguments->book,
                    arguments->depth);
    TextView trimmed = text_trim(text_view(table->conditions));
    memmove(table->conditions, trimmed.data, trimmed.length + 1);
    return status_ok();
}

static Status prepare(Ablation *ablation) {
    const AblateArguments *arguments = ablation->arguments;
    Status status = set_modes(ablation);
    if (status_is_ok(&status)) status = list_techniques(arguments->engine, &ablation->table);
    if (status_is_ok(&status)) status = select_techniques(arguments, &ablation->table);
    if (status_is_ok(&status) && ablation->table.mode_count > 0) {
        ablation->openings =
            (OpeningOptions){.path = arguments->book, .order = OPENINGS_RANDOM, .seed = arguments->seed};
        status = openings_load(&ablation->openings, &ablation->book);
    }
    if (status_is_ok(&status)) status = file_make_folder(arguments->folder);
    if (status_is_ok(&status) && arguments->runs > 0) status = bench_full(ablation);
    return status;
}

static Status measure_all(Ablation *ablation) {
    Status status = status_ok();
    for (int i = 0; i < ablation->table.row_count && status_is_ok(&status) && !ablation->stopped; i++) {
        AblationRow *row = &ablation->table.row[i];
        if (!ablation->arguments->quiet)
            fprintf(stderr, "%s (%d of %d)\n", row->name, i + 1, ablation->table.row_count);
        if (ablation->arguments->runs > 0) status = bench_technique(ablation, row);
        for (int mode = 0; mode < ablation->table.mode_count && status_is_ok(&status) && !ablation->stopped;
             mode++)
            status = play_technique(ablation, mode, row);
        Status written = write_results(ablation);
        if (status_is_ok(&status)) status = written;
    }
    return status;
}

static Status run_ablation(Ablation *ablation) {
    Status status = prepare(ablation);
    if (status_is_ok(&status)) status = measure_all(ablation);
    openings_release(ablation->book);
    if (!status_is_ok(&status)) return status;
    TextBuffer text = {0};
    ablation_write_markdown(&ablation->table, &text);
    status = console_write_result(NULL, &text);
    buffer_release(&text);
    if (ablation->stopped) fprintf(stderr, "Interrupted; the same command carries on.\n");
    return status;
}

static Status run(void *context) {
    Ablation *ablation = memory_allocate(sizeof *ablation);
    if (ablation == NULL) return status_no_memory("the ablation");
    ablation->arguments = context;
    Status status = run_ablation(ablation);
    memory_release(ablation);
    return status;
}

static Status check(void *context) {
    AblateArguments *arguments = context;
    if (arguments->games % 2 != 0)
        return status_error("--games %d: an even number, since each opening is played twice",
                            arguments->games);
    if (arguments->nodes == 0 && arguments->tc == NULL) {
        arguments->nodes = 10000;
        arguments->tc = "1+0.01";
    }
    return has_test(arguments) ? stats_sprt_check(&arguments->test) : status_ok();
}

#define FIELD_STRUCT AblateArguments
static const Field FIELDS[] = {
    {FIELD_WORDS("TECHNIQUE", names, 0, "as docs/search.md names them")},
    {FIELD_TEXT("engine", "PROGRAM", engine, "build/lab/luft",
                "a LAB=1 build: make LAB=1 EXE=build/lab/luft")},
    {FIELD_WHOLE("nodes", "N", nodes, 1, 1e12, NULL,
                 "play with N nodes a move: what the technique does to the quality of a node")},
    {FIELD_TEXT("tc", "TC", tc, NULL,
                "play on the clock, 1+0.01 for instance: what it is worth in real games (neither named: "
                "both, 10000 nodes and 1+0.01)")},
    {FIELD_WHOLE("games", "N", games, 0, 10000000, "200",
                 "games for each technique and limit, an even number; 0: bench only")},
    {FIELD_REAL("sprt", "LOW,HIGH", test.elo0, -1e4, 1e4, NULL,
                "stop a match early when a sequential test, full against without, is decided"),
     .length = 2, .stride = offsetof(SprtTest, elo1) - offsetof(SprtTest, elo0)},
    {FIELD_WHOLE("depth", "N", depth, 1, 200, "9", "of bench: without a technique it can take long")},
    {FIELD_WHOLE("runs", "N", runs, 0, 1000, "3",
                 "bench runs of each, in turn, for the time to depth; 0: no bench")},
    {FIELD_FLAG("adjudicate", adjudicate,
                "end games that both engines hold decided (six pawns, four moves) or drawn (from move 40)")},
    {FIELD_WHOLE("hash", "MB", hash, 1, 1 << 20, "16", "of each engine")},
    {FIELD_TEXT("book", "FILE", book, "books/standard.epd", "openings, at random by the seed")},
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, "1", "of the openings")},
    {FIELD_WHOLE("concurrency", "N", concurrency, 1, 256, "1", "games at once")},
    {FIELD_TEXT("folder", "DIR", folder, "ablation", "where results, games and journals go")},
    {FIELD_TEXT("results", "FILE", results, NULL, "append a row for each match: results/ablation.tsv")},
    {FIELD_CHOICE("plot", PLOT_KINDS, plot, "svg", "drawn by gnuplot where it is installed")},
    {FIELD_FLAG("quiet", quiet, "no live table")},
    {0}};
#undef FIELD_STRUCT

int command_ablate(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab ablate",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = run};
    AblateArguments arguments = {.test = stats_sprt_default()};
    arguments.test.elo0 = arguments.test.elo1 = NAN;
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
