#include "lab/tune/ablation.h"

#include "lab/kit/console.h"
#include "lab/kit/plot.h"

#include <assert.h>
#include <math.h>

/* Elo that the full engine is stronger by: what is lost without the technique. */
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
        markdown_table_cell(table, "-");
        markdown_table_cell(table, "-");
        return;
    }
    EloEstimate worth = worth_of(games);
    char elo[ELO_TEXT_CAPACITY];
    stats_format_elo(worth.elo, worth.elo_error, elo);
    markdown_table_cell(table, "%s", elo);
    markdown_table_cell(table, "%lld", (long long)stats_game_total(&games->games));
}

static void write_bench_cells(MarkdownTable *table, const AblationRow *row) {
    if (!row->has_bench) {
        markdown_table_cell(table, "-");
        markdown_table_cell(table, "-");
        return;
    }
    markdown_table_cell(table, "%.3f", row->node_ratio);
    if (isfinite(row->time_ratio.error))
        markdown_table_cell(table, "%.3f +- %.3f", row->time_ratio.ratio, row->time_ratio.error);
    else
        markdown_table_cell(table, "%.3f", row->time_ratio.ratio);
}

void ablation_write_markdown(const AblationTable *table, TextBuffer *out) {
    MarkdownTable markdown = markdown_table_begin(table->mode_count == 2 ? "lrrrrrr" : "lrrrr");
    markdown_table_cell(&markdown, "technique");
    for (int mode = 0; mode < table->mode_count; mode++) {
        markdown_table_cell(&markdown, "Elo lost without it, %s", table->mode_name[mode]);
        markdown_table_cell(&markdown, "games");
    }
    markdown.columns = 1 + 2 * table->mode_count + 2;
    markdown_table_cell(&markdown, "bench nodes");
    markdown_table_cell(&markdown, "time to depth");
    int order[ABLATION_ROWS_MAX] = {0};
    ablation_order(table, order);
    for (int i = 0; i < table->row_count; i++) {
        const AblationRow *row = &table->row[order[i]];
        markdown_table_cell(&markdown, "%s", row->name);
        for (int mode = 0; mode < table->mode_count; mode++) write_games_cells(&markdown, &row->mode[mode]);
        write_bench_cells(&markdown, row);
    }
    markdown_table_write(&markdown, out);
    buffer_append_format(
        out,
        "\n%s Errors are 95 %%; bench nodes and time to depth are ratios, without the technique to with "
        "it.\n",
        table->conditions);
}

/* --- CSV --- */

static void write_csv_games(const char *mode, const AblationGames *games, TextBuffer *out) {
    EloEstimate worth = worth_of(games);
    const int64_t *count = games->pairs.count;
    buffer_append_format(out, ",%s,%.2f,%.2f,%.2f,%.2f,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld", mode,
                         worth.elo, worth.elo_error, worth.normalized, worth.normalized_error,
                         (long long)stats_game_total(&games->games), (long long)games->games.wins,
                         (long long)games->games.losses, (long long)games->games.draws, (long long)count[0],
                         (long long)count[1], (long long)count[2], (long long)count[3], (long long)count[4]);
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

void ablation_write_plot(const AblationTable *table, const char *terminal, const char *image,
                         TextBuffer *out) {
    int order[ABLATION_ROWS_MAX] = {0};
    ablation_order(table, order);
    assert(table->mode_count <= ABLATION_MODES);
    plot_begin(terminal, image, 900, 120 + 28 * table->row_count, out);
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

/* --- the engine's list --- */

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
