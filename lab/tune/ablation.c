#include "lab/tune/ablation.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/progress.h"
#include "lab/client/uci_client.h"
#include "lab/kit/console.h"
#include "lab/kit/ownership.h"
#include "lab/kit/plot.h"
#include "lab/tune/experiment.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The Elo that the full engine is stronger by. */
static EloEstimate worth_of(const AblationGames *games) { return stats_estimate_pairs(&games->pairs); }

static bool is_played(const AblationGames *games) { return stats_pair_total(&games->pairs) > 0; }

/* What rows are sorted by; -infinity when no game was played. */
static double sort_key(const AblationTable *table, const AblationRow *row) {
    for (int mode = 0; mode < table->mode_count; mode++)
        if (is_played(&row->mode[mode])) return worth_of(&row->mode[mode]).elo;
    return -INFINITY;
}

void ablation_order(const AblationTable *table, int order[ABLATION_ROWS_MAX]) {
    for (int i = 0; i < table->row_count; i++) {
        double key = sort_key(table, &table->row[i]);
        int at = i;
        for (; at > 0 && sort_key(table, &table->row[order[at - 1]]) < key; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

/* --- Markdown --- */

static void write_games_cells(MarkdownTable *table, const AblationGames *games) {
    if (!is_played(games)) {
        markdown_table_cells(table, "- | -");
        return;
    }
    EloEstimate worth = worth_of(games);
    char elo[ELO_TEXT_CAPACITY];
    if (isinf(worth.elo)) /* the engine without it, as the heading says */
        text_format(elo, sizeof elo, "%s all games", worth.elo > 0 ? "lost" : "won");
    else
        stats_format_elo(&worth, elo);
    const bool is_open =
        isfinite(worth.elo) && isfinite(worth.elo_error) && fabs(worth.elo) <= worth.elo_error;
    markdown_table_cells(table, "%s%s | %" PRId64, elo, is_open ? ", not resolved" : "",
                         stats_game_total(&games->games));
}

static void write_bench_cells(MarkdownTable *table, const AblationRow *row) {
    const SpeedRatio *time = &row->time_ratio;
    if (!row->has_bench)
        markdown_table_cells(table, "- | -");
    else if (isfinite(time->error))
        markdown_table_cells(table, "%.3f | %.3f +- %.3f", row->node_ratio, time->ratio, time->error);
    else
        markdown_table_cells(table, "%.3f | %.3f", row->node_ratio, time->ratio);
}

/* "8 to 12 games each": rows of an earlier run stay, and a test ends when it knows. */
static void write_games(const AblationTable *table, TextBuffer *out) {
    int64_t fewest = INT64_MAX, most = 0;
    for (int i = 0; i < table->row_count; i++)
        for (int mode = 0; mode < table->mode_count; mode++) {
            const int64_t games = stats_game_total(&table->row[i].mode[mode].games);
            if (games > 0 && games < fewest) fewest = games;
            if (games > most) most = games;
        }
    if (most == 0) return;
    if (fewest < most) buffer_append_format(out, "%" PRId64 " to ", fewest);
    buffer_append_format(out, "%" PRId64 " games each, ", most);
}

void ablation_write_markdown(const AblationTable *table, TextBuffer *out) {
    MarkdownTable markdown = markdown_table_begin(table->mode_count == 2 ? "lrrrrrr" : "lrrrr");
    markdown_table_cell(&markdown, "technique");
    for (int mode = 0; mode < table->mode_count; mode++)
        markdown_table_cells(&markdown, "Elo lost without it, %s | games", table->mode_name[mode]);
    markdown.columns = 1 + 2 * table->mode_count + 2;
    markdown_table_cells(&markdown, "bench nodes | time to depth");
    int order[ABLATION_ROWS_MAX] = {0};
    ablation_order(table, order);
    for (int i = 0; i < table->row_count; i++) {
        const AblationRow *row = &table->row[order[i]];
        markdown_table_cell(&markdown, "%s", row->name);
        for (int mode = 0; mode < table->mode_count; mode++) write_games_cells(&markdown, &row->mode[mode]);
        write_bench_cells(&markdown, row);
    }
    markdown_table_write(&markdown, out);
    buffer_append_string(out, "\nMeasured with: ");
    write_games(table, out);
    buffer_append_format(
        out,
        "%s Errors are 95 %%; bench nodes and time to depth are ratios, without the technique to with it.\n",
        table->conditions);
}

/* --- CSV --- */

static void write_csv_games(const char *mode, const AblationGames *games, TextBuffer *out) {
    EloEstimate worth = worth_of(games);
    buffer_append_format(out, ",%s,%.2f,%.2f,%.2f,%.2f", mode, worth.elo, worth.elo_error, worth.normalized,
                         worth.normalized_error);
    buffer_append_format(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
                         stats_game_total(&games->games), games->games.wins, games->games.losses,
                         games->games.draws);
    buffer_append_char(out, ',');
    stats_append_pairs(&games->pairs, ",", out);
}

void ablation_write_csv(const AblationTable *table, TextBuffer *out) {
    buffer_append_string(out,
                         "technique,limit,elo_lost,elo_error,nelo_lost,nelo_error,games,wins,losses,draws,"
                         "pairs_0,pairs_1,pairs_2,pairs_3,pairs_4,bench_node_ratio,time_to_depth_ratio\n");
    for (int i = 0; i < table->row_count; i++) {
        const AblationRow *row = &table->row[i];
        for (int mode = 0; mode < table->mode_count; mode++) {
            buffer_append_string(out, row->name);
            if (is_played(&row->mode[mode]))
                write_csv_games(table->mode_name[mode], &row->mode[mode], out);
            else
                buffer_append_format(out, ",%s,,,,,0,0,0,0,0,0,0,0,0", table->mode_name[mode]);
            if (row->has_bench)
                buffer_append_format(out, ",%.4f,%.4f\n", row->node_ratio, row->time_ratio.ratio);
            else
                buffer_append_string(out, ",,\n");
        }
    }
}

/* --- plot --- */

/* A data block of one mode: name, worth, error, place. What is infinite cannot be drawn. */
static void write_plot_data(const AblationTable *table, const int *order, int mode, TextBuffer *out) {
    buffer_append_format(out, "$mode%d << END\n", mode);
    for (int i = 0; i < table->row_count; i++) {
        const AblationRow *row = &table->row[order[i]];
        EloEstimate worth = worth_of(&row->mode[mode]);
        if (!is_played(&row->mode[mode]) || !isfinite(worth.elo) || !isfinite(worth.elo_error)) continue;
        /* Two modes share a line, one above the other. */
        double place = table->row_count - 1 - i + (table->mode_count == 2 ? 0.2 - 0.4 * mode : 0);
        buffer_append_format(out, "%s %.2f %.2f %.2f\n", row->name, worth.elo, worth.elo_error, place);
    }
    buffer_append_string(out, "END\n");
}

void ablation_write_plot(const AblationTable *table, TextBuffer *out) {
    int order[ABLATION_ROWS_MAX] = {0};
    ablation_order(table, order);
    assert(table->mode_count <= ABLATION_MODES);
    buffer_append_format(out,
                         "set title 'What each technique is worth'\n"
                         "set xlabel 'Elo lost without it (95 %% error bars)'\n"
                         "set yrange [-0.7:%.1f]\n"
                         "set style fill solid 0.8 noborder\n"
                         "set grid xtics\n"
                         "set yzeroaxis lt -1\n"
                         "set key below\n"
                         "set ytics noenhanced (",
                         table->row_count - 0.3);
    for (int i = 0; i < table->row_count; i++) {
        if (i > 0) buffer_append_string(out, ", ");
        plot_quote(out, table->row[order[i]].name);
        buffer_append_format(out, " %d", table->row_count - 1 - i);
    }
    buffer_append_string(out, ")\n");
    for (int mode = 0; mode < table->mode_count; mode++) write_plot_data(table, order, mode, out);
    double half = table->mode_count == 2 ? 0.18 : 0.32;
    /* A point at zero, unseen: gnuplot draws nothing at all where every row is infinite. */
    buffer_append_string(out, "$zero << END\n0 0\nEND\nplot $zero with dots lc rgb 'white' notitle");
    for (int mode = 0; mode < table->mode_count; mode++)
        buffer_append_format(
            out,
            ", $mode%d using ($2/2):4:(abs($2)/2):(%.2f) with boxxyerror lc rgb '%s' title '%s' "
            "noenhanced, $mode%d using 2:4:3 with xerrorbars pt 0 lc rgb 'black' notitle",
            mode, half, mode == 0 ? "#2a6f97" : "#e09f3e", table->mode_name[mode], mode);
    buffer_append_string(out, "\n");
}

/* --- the techniques --- */

typedef struct Ablation {
    const AblationSettings *settings;
    AblationTable *table;
    PlayLimits limits[ABLATION_MODES];
    OpeningBook *book;
    int wanted;          /* rows that were asked for; the others are those of the folder */
    uint64_t full_nodes; /* bench of the full engine, to the depth that was asked for */
    uint64_t signature;  /* its whole bench; 0: not asked for */
    bool has_news;       /* something was measured that the folder did not have */
} Ablation;

bool ablation_parse_option(TextView line, char name[ABLATION_NAME_CAPACITY]) {
    static const char *const WORDS[] = {"option", "name", "Use"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        TextView word = text_next_word(&line);
        if (!text_equals(word, WORDS[i])) return false;
    }
    TextView technique = text_next_word(&line);
    TextView type = text_next_word(&line), check = text_next_word(&line);
    if (!text_equals(type, "type") || !text_equals(check, "check")) return false;
    if (text_is_empty(technique) || technique.length >= ABLATION_NAME_CAPACITY) return false;
    text_copy(technique, name, ABLATION_NAME_CAPACITY);
    return true;
}

/* Takes the engine's switches into the table. */
static Status list_techniques(const EngineConfig *engine, AblationTable *table) {
    UciClient *client = NULL;
    Status status = uci_client_start(&(UciClientOptions){.config = engine}, &client);
    if (!status_is_ok(&status)) return status;
    TextView lines = uci_client_options(client), line;
    while (table->row_count < ABLATION_ROWS_MAX && text_next_line(&lines, &line))
        table->row_count += ablation_parse_option(line, table->row[table->row_count].name);
    uci_client_stop(client);
    if (table->row_count > 0) return status;
    return status_error("%s has no option `Use ...`: make LAB=1 EXE=build/lab/luft builds one that has",
                        engine->command);
}

static bool has_test(const AblationSettings *settings) { return !isnan(settings->test.elo0); }

static int find_technique(const AblationTable *table, const char *name) {
    for (int i = 0; i < table->row_count; i++)
        if (strcmp(table->row[i].name, name) == 0) return i;
    return -1;
}

static Status refuse_technique(const AblationSettings *settings, const AblationTable *table,
                               const char *name) {
    Nearest nearest = nearest_to(text_view(name));
    for (int i = 0; i < table->row_count; i++) nearest_consider(&nearest, table->row[i].name);
    if (nearest.name == NULL && nearest.word.length > 0 &&
        nearest.word.data[nearest.word.length - 1] == 's') { /* "killers" are killer_moves */
        nearest.word.length--;
        for (int i = 0; i < table->row_count; i++) nearest_consider(&nearest, table->row[i].name);
    }
    return nearest.name == NULL
               ? status_error("%s has no technique '%s'; --list prints all", settings->engine, name)
               : status_error("%s has no technique '%s'; did you mean '%s'?", settings->engine, name,
                              nearest.name);
}

static void swap_rows(AblationTable *table, int a, int b) {
    const AblationRow row = table->row[a];
    table->row[a] = table->row[b];
    table->row[b] = row;
}

/* Whether the folder has a bench or games of the technique. */
static bool is_in_folder(const char *folder, const char *name) {
    return file_size(experiment_path(folder, "%s.bench", name).text) >= 0 ||
           file_size(experiment_path(folder, "%s-nodes.journal", name).text) >= 0 ||
           file_size(experiment_path(folder, "%s-clock.journal", name).text) >= 0;
}

/* Keeps the named techniques, in the order of the names, then those that were measured before. */
static Status select_techniques(const AblationSettings *settings, AblationTable *table) {
    if (settings->names.count == 0) return status_ok();
    for (int i = 0; i < settings->names.count; i++) {
        const char *name = settings->names.word[i];
        const int at = find_technique(table, name);
        if (at < 0) return refuse_technique(settings, table, name);
        if (at < i) return status_error("'%s' is named twice", name);
        swap_rows(table, at, i);
    }
    int kept = settings->names.count;
    for (int i = kept; i < table->row_count && !settings->again; i++)
        if (is_in_folder(settings->folder, table->row[i].name)) swap_rows(table, i, kept++);
    table->row_count = kept;
    return status_ok();
}

/* --- bench --- */

/* Keeps a technique's bench in the folder: depth, runs, nodes of the full engine, ratios of nodes and times,
 * the error of the latter (-1: infinite). A row that is lost costs only a new bench. */
static void save_bench(const Ablation *ablation, const AblationRow *row) {
    TextBuffer text = {0};
    char name[ABLATION_NAME_CAPACITY + 8];
    text_format(name, sizeof name, "%s.bench", row->name);
    buffer_append_format(&text, "%d %d %" PRIu64 " %.9g %.9g %.9g\n", ablation->settings->depth,
                         ablation->settings->runs, ablation->full_nodes, row->node_ratio,
                         row->time_ratio.ratio,
                         isfinite(row->time_ratio.error) ? row->time_ratio.error : -1.0);
    Status status = experiment_write(ablation->settings->folder, name, &text);
    if (!status_is_ok(&status)) text_printf(stderr, "luft-lab ablate: %s\n", status.reason);
}

/* Whether the folder has a bench of the same depth, runs and engine. */
static bool load_bench(const Ablation *ablation, AblationRow *row) {
    const AblationSettings *settings = ablation->settings;
    const ExperimentPath path = experiment_path(settings->folder, "%s.bench", row->name);
    if (file_size(path.text) <= 0) return false;
    TextBuffer text = {0};
    const Status status = file_read(path.text, &text);
    TextView rest = buffer_view(&text);
    double value[6];
    int found = 0;
    while (status_is_ok(&status) && found < 6 && text_parse_double(text_next_word(&rest), &value[found]))
        found++;
    buffer_release(&text);
    if (found < 6 || (int)value[0] != settings->depth || (int)value[1] != settings->runs ||
        (uint64_t)value[2] != ablation->full_nodes)
        return false;
    row->node_ratio = value[3];
    row->time_ratio = (SpeedRatio){value[4], value[5] < 0 ? INFINITY : value[5], settings->runs};
    return row->has_bench = true;
}

/* The full engine and the one without in turn, so that both meet the same conditions. */
static Status bench_technique(Ablation *ablation, AblationRow *row) {
    const AblationSettings *settings = ablation->settings;
    if (load_bench(ablation, row)) return status_ok();
    char line[128];
    text_format(line, sizeof line, "setoption name Use %s value false", row->name);
    double log_ratios[SPEED_RUNS_MAX];
    Status status = status_ok();
    ProgressBar progress = progress_begin("runs of bench", 2 * settings->runs, settings->quiet);
    for (int run = 0; run < settings->runs && status_is_ok(&status); run++) {
        BenchOutput full, without;
        progress_update(&progress, 2 * run, row->name);
        status = bench_output_run(settings->engine, NULL, settings->depth, &full);
        progress_update(&progress, 2 * run + 1, row->name);
        if (status_is_ok(&status))
            status = bench_output_run(settings->engine, line, settings->depth, &without);
        if (!status_is_ok(&status) || interrupt_requested()) break;
        row->node_ratio = (double)without.nodes / (double)full.nodes;
        log_ratios[run] = log(bench_output_seconds(&without) / bench_output_seconds(&full));
    }
    progress_end(&progress);
    if (status_is_ok(&status) && !interrupt_requested()) {
        row->time_ratio = bench_output_ratio(log_ratios, settings->runs);
        row->has_bench = ablation->has_news = true;
        save_bench(ablation, row);
    }
    return status;
}

/* --- games --- */

static Status add_engine(const Ablation *ablation, EngineList *list, int mode, const char *without) {
    const AblationSettings *settings = ablation->settings;
    Status status;
    EngineConfig *config =
        engine_list_add_program(list, settings->engine, &ablation->limits[mode], settings->hash, &status);
    if (config == NULL) return status;
    text_format(config->name, sizeof config->name, without != NULL ? "no %.56s" : "full", without);
    if (without == NULL) return status;
    char option[ABLATION_NAME_CAPACITY + 8];
    text_format(option, sizeof option, "Use %s", without);
    return engine_config_set_option(config, option, "false");
}

static void name_match(const Ablation *ablation, int mode, const AblationRow *row,
                       char out[ABLATION_NAME_CAPACITY + 8]) {
    text_format(out, ABLATION_NAME_CAPACITY + 8, "%s-%s", row->name,
                ablation->limits[mode].has_clock ? "clock" : "nodes");
}

enum { RESTORE_ONLY = -1, RESTORED_GAMES_MAX = 1000000 };

/* With no games only compares the match with the one in the folder; with RESTORE_ONLY counts its games. */
static Status play_technique(Ablation *ablation, int mode, AblationRow *row, int games) {
    const AblationSettings *settings = ablation->settings;
    const bool on_clock = ablation->limits[mode].has_clock;
    /* A fixed number of nodes leaves nothing to manage: both engines would be the same. */
    if (!on_clock && strncmp(row->name, "time_", 5) == 0) return status_ok();
    EngineList list = {0};
    Status status = add_engine(ablation, &list, mode, NULL);
    if (status_is_ok(&status)) status = add_engine(ablation, &list, mode, row->name);
    if (status_is_ok(&status)) status = engine_list_finish(&list);
    if (status_is_ok(&status)) {
        char name[ABLATION_NAME_CAPACITY + 8];
        name_match(ablation, mode, row, name);
        const ExperimentMatch match = {.folder = settings->folder,
                                       .name = name,
                                       .event = "Ablation",
                                       .engines = &list,
                                       .games = games >= 0 ? games : RESTORED_GAMES_MAX,
                                       .restore_only = games < 0,
                                       .concurrency = settings->concurrency,
                                       .book = ablation->book,
                                       .test = has_test(settings) ? &settings->test : NULL,
                                       .adjudicate = settings->adjudicate,
                                       .quiet = settings->quiet || games < 0,
                                       .results = settings->results,
                                       .row = {.subject = row->name,
                                               .limit = ablation->table->mode_name[mode],
                                               .bench = ablation->signature,
                                               .has_nodes_ratio = true,
                                               .nodes_ratio = row->has_bench ? row->node_ratio : NAN}};
        SprtOutcome outcome;
        MatchTotals totals;
        status = experiment_play(&match, &outcome, &totals);
        row->mode[mode] = (AblationGames){outcome.pairs, outcome.games};
        ablation->has_news |= totals.pairs_played > 0;
        match_totals_release(&totals);
    }
    engine_list_release(&list);
    return status;
}

/* Refuses, before any bench, a folder whose games are of another engine or limit. Rows that were not asked
 * for are only left out of the table then. */
static Status check_folder(Ablation *ablation) {
    AblationTable *table = ablation->table;
    const AblationSettings *settings = ablation->settings;
    ablation->wanted = settings->names.count > 0 ? settings->names.count : table->row_count;
    int kept = 0;
    for (int i = 0; i < table->row_count; i++) {
        Status status = status_ok();
        for (int mode = 0; mode < table->mode_count && status_is_ok(&status); mode++) {
            char name[ABLATION_NAME_CAPACITY + 8];
            name_match(ablation, mode, &table->row[i], name);
            if (file_size(experiment_path(settings->folder, "%s.journal", name).text) > 0)
                status = play_technique(ablation, mode, &table->row[i], 0);
        }
        if (status.kind == STATUS_BUSY || status.kind == STATUS_NO_MEMORY) return status;
        if (!status_is_ok(&status) && i < ablation->wanted)
            return status_error("%.229s; --folder DIR keeps both", status.reason);
        if (status_is_ok(&status))
            table->row[kept++] = table->row[i];
        else
            text_printf(stderr, "%s is not in the table: %s\n", table->row[i].name, status.reason);
    }
    table->row_count = kept;
    return status_ok();
}

/* --- the whole --- */

static Status write_results(const Ablation *ablation) {
    const AblationTable *table = ablation->table;
    const char *folder = ablation->settings->folder;
    TextBuffer markdown = {0}, csv = {0}, plot = {0};
    ablation_write_markdown(table, &markdown);
    Status status = experiment_write(folder, "ablation.md", &markdown);
    if (!status_is_ok(&status)) return status;
    ablation_write_csv(table, &csv);
    status = experiment_write(folder, "ablation.csv", &csv);
    if (!status_is_ok(&status)) return status;
    ablation_write_plot(table, &plot);
    status = experiment_draw(folder, "ablation", ablation->settings->plot, 900, 120 + 28 * table->row_count,
                             &plot);
    buffer_release(&plot);
    return status;
}

static Status set_modes(Ablation *ablation) {
    const AblationSettings *settings = ablation->settings;
    AblationTable *table = ablation->table;
    if (settings->games == 0) {
        text_format(table->conditions, sizeof table->conditions, "bench at depth %d.", settings->depth);
        return status_ok();
    }
    if (settings->nodes > 0) ablation->limits[table->mode_count++].nodes = settings->nodes;
    if (settings->tc != NULL) {
        const Status status = play_limits_read_tc(&ablation->limits[table->mode_count++], settings->tc);
        if (!status_is_ok(&status)) return status;
    }
    for (int i = 0; i < table->mode_count; i++)
        play_limits_describe(&ablation->limits[i], table->mode_name[i], (int)sizeof table->mode_name[i]);
    text_format(table->conditions, sizeof table->conditions,
                "%s%d MB of hash, openings from %s; bench at depth %d.",
                settings->adjudicate ? "adjudicated, " : "", settings->hash, settings->book, settings->depth);
    return status_ok();
}

static Status prepare(Ablation *ablation) {
    const AblationSettings *settings = ablation->settings;
    EngineList list = {0};
    Status status = set_modes(ablation);
    if (status_is_ok(&status)) status = experiment_check_program(settings->engine);
    if (!status_is_ok(&status)) return status;
    EngineConfig *engine = engine_list_add_program(&list, settings->engine, &(PlayLimits){0}, 0, &status);
    if (engine != NULL) status = list_techniques(engine, ablation->table);
    engine_list_release(&list);
    if (settings->list) return status;
    if (status_is_ok(&status)) status = select_techniques(settings, ablation->table);
    if (status_is_ok(&status) && ablation->table->mode_count > 0) {
        status = experiment_load_book(settings->book, settings->seed, &ablation->book);
    }
    if (status_is_ok(&status) && settings->again) status = ownership_set_aside(settings->folder);
    if (status_is_ok(&status)) status = file_make_folder(settings->folder);
    if (status_is_ok(&status)) status = check_folder(ablation);
    if (!status_is_ok(&status) || settings->runs == 0) return status;
    if (!settings->quiet) text_printf(stderr, "bench of the full engine at depth %d\n", settings->depth);
    BenchOutput output;
    status = bench_output_run(settings->engine, NULL, settings->depth, &output);
    ablation->full_nodes = output.nodes;
    return status;
}

/* A row of results names the version by its whole bench, whatever depth is compared here. */
static Status find_signature(Ablation *ablation) {
    const AblationSettings *settings = ablation->settings;
    if (settings->results == NULL || ablation->table->mode_count == 0) return status_ok();
    if (!settings->quiet) text_printf(stderr, "bench of the full engine, for its rows of results\n");
    BenchOutput output;
    const Status status = bench_output_run(settings->engine, NULL, 0, &output);
    ablation->signature = output.nodes;
    return status;
}

/* The time left is that of the rows that were measured in this run. */
static void print_row_begins(const Ablation *ablation, int index, int64_t begun, int measured) {
    const int count = ablation->wanted;
    char left[DURATION_CAPACITY];
    text_printf(stderr, "%s (%d of %d)", ablation->table->row[index].name, index + 1, count);
    if (measured > 0)
        text_printf(stderr, "; %s left for all",
                    duration_write((clock_milliseconds() - begun) / measured * (count - index), left));
    text_printf(stderr, "\n");
}

static Status measure(Ablation *ablation, int index) {
    const AblationSettings *settings = ablation->settings;
    AblationRow *row = &ablation->table->row[index];
    const bool is_wanted = index < ablation->wanted;
    Status status = status_ok();
    if (settings->runs > 0 && is_wanted) status = bench_technique(ablation, row);
    if (settings->runs > 0 && !is_wanted) load_bench(ablation, row);
    for (int mode = 0; mode < ablation->table->mode_count && status_is_ok(&status) && !interrupt_requested();
         mode++)
        status = play_technique(ablation, mode, row, is_wanted ? settings->games : RESTORE_ONLY);
    const Status written = write_results(ablation);
    return status_is_ok(&status) ? written : status;
}

static Status measure_all(Ablation *ablation, TextBuffer *markdown) {
    const AblationTable *table = ablation->table;
    const int64_t begun = clock_milliseconds();
    Status status = status_ok();
    bool has_news = false;
    for (int i = 0, measured = 0; i < table->row_count && status_is_ok(&status) && !interrupt_requested();
         i++) {
        if (!ablation->settings->quiet && i < ablation->wanted)
            print_row_begins(ablation, i, begun, measured);
        ablation->has_news = false;
        status = measure(ablation, i);
        measured += ablation->has_news;
        has_news |= ablation->has_news;
    }
    if (status_is_ok(&status)) ablation_write_markdown(table, markdown);
    if (status_is_ok(&status) && !has_news && !interrupt_requested())
        text_printf(stderr, "All was measured before; --again starts over\n");
    return status;
}

Status ablation_run(const AblationSettings *settings, TextBuffer *markdown) {
    AblationTable *table = memory_allocate(sizeof *table);
    if (table == NULL) return status_no_memory("the table");
    Ablation ablation = {.settings = settings, .table = table};
    Interrupt interrupt;
    interrupt_begin(&interrupt); /* for all benches and matches, one after the other */
    Status status = prepare(&ablation);
    for (int i = 0; i < table->row_count && settings->list; i++)
        buffer_append_format(markdown, "%s\n", table->row[i].name);
    if (status_is_ok(&status) && !settings->list && !interrupt_requested())
        status = find_signature(&ablation);
    if (status_is_ok(&status) && !settings->list) status = measure_all(&ablation, markdown);
    if (status_is_ok(&status) && interrupt_requested())
        status = status_unfinished("interrupted; the same command carries on");
    interrupt_end(&interrupt);
    openings_release(ablation.book);
    memory_release(table);
    return status;
}
