#include "lab/tune/speed.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "lab/kit/console.h"
#include "lab/kit/process.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- bench --- */

/* The slowest single position of a deep bench; longer silence is taken for a hang. */
static const int64_t SILENCE_LIMIT = 600 * INT64_C(1000000);
static const int64_t LOOK = 100 * INT64_C(1000); /* for signals, where the caller holds them back */

/* Lines in a row that are no part of a bench: then it is none. */
enum { IDLE_LINES_MAX = 100000 };

double bench_output_seconds(const BenchOutput *result) {
    return result->nps > 0 ? (double)result->nodes / (double)result->nps : 0;
}

/* The value after `key` ("nodes=") in the line, up to white space; empty when there is none. */
static TextView value_of(TextView line, const char *key) {
    for (TextView word = text_next_word(&line); !text_is_empty(word); word = text_next_word(&line)) {
        if (!text_starts_with(word, key)) continue;
        const size_t skip = strlen(key);
        return (TextView){word.data + skip, word.length - skip};
    }
    return text_view("");
}

static void parse_position(TextView line, BenchOutput *result) {
    TextView nodes = value_of(line, "nodes="), time = value_of(line, "time=");
    if (!text_is_empty(time) && time.data[time.length - 1] == 's') time.length--;
    BenchLine position = {0};
    if (result->lines == BENCH_LINES_MAX) return;
    if (!text_parse_uint64(nodes, &position.nodes) || !text_parse_double(time, &position.seconds)) return;
    result->line[result->lines++] = position;
}

void bench_output_parse_line(TextView line, BenchOutput *result) {
    if (text_starts_with(line, "Position ")) {
        parse_position(line, result);
        return;
    }
    TextView rest = line, nodes = text_next_word(&rest), nodes_word = text_next_word(&rest);
    TextView nps = text_next_word(&rest), nps_word = text_next_word(&rest);
    uint64_t node_count, speed;
    if (!text_equals(nodes_word, "nodes") || !text_equals(nps_word, "nps")) return;
    if (!text_parse_uint64(nodes, &node_count) || !text_parse_uint64(nps, &speed)) return;
    result->nodes = node_count;
    result->nps = speed;
}

static Status check_result(const char *command, const BenchOutput *result) {
    uint64_t sum = 0;
    for (int i = 0; i < result->lines; i++) sum += result->line[i].nodes;
    if (result->nodes == 0) return status_error("%s bench printed no last line 'N nodes M nps'", command);
    if (result->lines > 0 && sum != result->nodes)
        return status_error("%s bench contradicts itself: %" PRIu64
                            " nodes in all, but its positions add up to %" PRIu64,
                            command, result->nodes, sum);
    return status_ok();
}

static Status read_output(Process *process, const char *command, BenchOutput *result) {
    int64_t deadline = clock_microseconds() + SILENCE_LIMIT;
    for (int idle = 0;;) {
        TextView line;
        if (interrupt_requested()) {
            *result = (BenchOutput){0};
            return status_ok();
        }
        const int known = result->lines;
        const int64_t look = clock_microseconds() + LOOK;
        switch (process_read_line(process, look < deadline ? look : deadline, &line)) {
        case PROCESS_LINE:
            bench_output_parse_line(line, result);
            idle = result->lines > known ? 0 : idle + 1;
            if (idle == 0) deadline = clock_microseconds() + SILENCE_LIMIT;
            if (idle == IDLE_LINES_MAX)
                return status_error("%s printed %d lines that are no part of a bench", command, idle);
            break;
        case PROCESS_TIMEOUT:
            if (clock_microseconds() < deadline) break;
            return status_error("%s bench said nothing of a position for ten minutes", command);
        case PROCESS_TOO_LONG: return status_error("%s bench printed a line over 1 MiB", command);
        default: return check_result(command, result);
        }
    }
}

Status bench_output_run(const char *command, const char *line, int depth, BenchOutput *result) {
    char bench[32] = "bench", depth_text[16];
    const char *const alone[] = {command, bench, depth > 0 ? depth_text : NULL, NULL};
    const char *const after_line[] = {command, line, bench, NULL};
    text_format(depth_text, sizeof depth_text, "%d", depth);
    /* After another line bench is a line, too, and its depth is in the same argument. */
    if (line != NULL && depth > 0) text_format(bench, sizeof bench, "bench %d", depth);
    *result = (BenchOutput){0};
    Process *process = NULL;
    Status status =
        process_start(&(ProcessOptions){.arguments = line != NULL ? after_line : alone}, &process);
    if (!status_is_ok(&status)) return status;
    status = read_output(process, command, result);
    process_stop(process, 1000);
    return status;
}

/* --- baselines --- */

static const char FIRST_LINE[] = "luft-lab bench baseline 1";

void bench_output_write(const BenchOutput *result, int depth, TextBuffer *out) {
    buffer_append_format(out, "%s\ndepth %d\n", FIRST_LINE, depth);
    for (int i = 0; i < result->lines; i++)
        buffer_append_format(out, "Position %d/%d: nodes=%" PRIu64 " time=%.6fs\n", i + 1, result->lines,
                             result->line[i].nodes, result->line[i].seconds);
    buffer_append_format(out, "%" PRIu64 " nodes %" PRIu64 " nps\n", result->nodes, result->nps);
}

static Status parse_baseline(const char *path, TextView content, BenchOutput *result, int *depth) {
    TextView line, word;
    int64_t value = -1;
    if (!text_next_line(&content, &line) || !text_equals(line, FIRST_LINE))
        return status_error("%s is no bench baseline: its first line is not '%s'", path, FIRST_LINE);
    if (text_next_line(&content, &line)) {
        word = text_next_word(&line);
        if (!text_equals(word, "depth") || !text_parse_int64(text_trim(line), &value)) value = -1;
    }
    if (value < 0 || value > 1000) return status_error("%s line 2: 'depth N' expected", path);
    *depth = (int)value;
    while (text_next_line(&content, &line)) bench_output_parse_line(line, result);
    return check_result(path, result);
}

Status bench_output_read(const char *path, BenchOutput *result, int *depth) {
    TextBuffer content = {0};
    *result = (BenchOutput){0};
    Status status = file_read(path, &content);
    if (status_is_ok(&status)) status = parse_baseline(path, buffer_view(&content), result, depth);
    buffer_release(&content);
    return status;
}

SpeedRatio bench_output_ratio(const double *log_ratios, int count) {
    SpeedRatio ratio = {.ratio = 1, .error = INFINITY, .pairs = count};
    if (count == 0) return ratio;
    double mean = 0, squares = 0;
    for (int i = 0; i < count; i++) mean += log_ratios[i] / count;
    for (int i = 0; i < count; i++) squares += (log_ratios[i] - mean) * (log_ratios[i] - mean);
    ratio.ratio = exp(mean);
    if (count > 1) ratio.error = ratio.ratio * 1.96 * sqrt(squares / (count - 1) / count);
    return ratio;
}

/* --- speed --- */

/* Positions with shorter times say nothing about speed: resolution and noise of the clock are as large. */
static const double SHORTEST_TIMED = 0.005;

/* Several runs of one program, added up. */
typedef struct SpeedSum {
    BenchOutput sum; /* nodes of one run; seconds and nps of their mean */
    double seconds;  /* of a mean run */
} SpeedSum;

typedef struct SpeedReport {
    const SpeedSettings *settings;
    SpeedSum now, before;
    bool compared;
    SpeedRatio ratio;
    const char *pairing;               /* what the pairs are */
    double log_ratios[SPEED_RUNS_MAX]; /* of runs, or of positions */
    int depth;
} SpeedReport;

/* --- measuring --- */

static Status add_run(const char *command, const BenchOutput *run, int runs, bool first, SpeedSum *into) {
    if (first) {
        into->sum = *run;
        for (int i = 0; i < run->lines; i++) into->sum.line[i].seconds = 0;
    } else if (run->nodes != into->sum.nodes || run->lines != into->sum.lines) {
        return status_error("%s bench is not reproducible: %" PRIu64 " nodes in one run, %" PRIu64
                            " in another",
                            command, into->sum.nodes, run->nodes);
    }
    for (int i = 0; i < run->lines; i++) into->sum.line[i].seconds += run->line[i].seconds / runs;
    into->seconds += bench_output_seconds(run) / runs;
    into->sum.nps = into->seconds > 0 ? (uint64_t)((double)run->nodes / into->seconds) : 0;
    return status_ok();
}

/* Runs the engine and the earlier build, if there is one, in turn. The order alternates, so that changes of
 * the machine affect both alike. */
static Status measure(SpeedReport *report) {
    const SpeedSettings *settings = report->settings;
    const char *commands[2] = {settings->engine, settings->against};
    SpeedSum *sums[2] = {&report->now, &report->before};
    const int programs = settings->against != NULL ? 2 : 1;
    ProgressBar progress = progress_begin("runs of bench", programs * settings->runs, settings->quiet);
    Status status = status_ok();
    for (int run = 0; run < settings->runs && status_is_ok(&status); run++) {
        BenchOutput output[2];
        for (int turn = 0; turn < programs && status_is_ok(&status); turn++) {
            const int program = programs == 2 ? (turn + run) % 2 : 0;
            status = bench_output_run(commands[program], NULL, report->depth, &output[program]);
            if (status_is_ok(&status))
                status =
                    add_run(commands[program], &output[program], settings->runs, run == 0, sums[program]);
            progress_update(&progress, run * programs + turn + 1, NULL);
        }
        if (status_is_ok(&status) && programs == 2)
            report->log_ratios[run] = log((double)(output[0].nps + 1) / (double)(output[1].nps + 1));
    }
    progress_end(&progress);
    return status;
}

/* Compares with a saved result: pairs positions, because there are no runs to pair. */
static void pair_positions(SpeedReport *report) {
    const BenchOutput *now = &report->now.sum, *before = &report->before.sum;
    int pairs = 0;
    for (int i = 0; i < now->lines && i < before->lines; i++) {
        const BenchLine *a = &now->line[i], *b = &before->line[i];
        if (a->seconds < SHORTEST_TIMED || b->seconds < SHORTEST_TIMED || a->nodes == 0 || b->nodes == 0)
            continue;
        report->log_ratios[pairs++] = log((double)a->nodes / a->seconds / ((double)b->nodes / b->seconds));
    }
    report->ratio = bench_output_ratio(report->log_ratios, pairs);
    report->pairing = "positions paired with the saved ones";
}

static Status load_baseline(SpeedReport *report) {
    const SpeedSettings *settings = report->settings;
    int depth = 0;
    Status status = bench_output_read(settings->baseline, &report->before.sum, &depth);
    if (!status_is_ok(&status)) return status;
    if (settings->depth != 0 && settings->depth != depth)
        return status_error("%s was made at depth %d, not %d: nothing to compare", settings->baseline, depth,
                            settings->depth);
    report->depth = depth;
    report->before.seconds = bench_output_seconds(&report->before.sum);
    return status;
}

static Status compare(SpeedReport *report) {
    const SpeedSettings *settings = report->settings;
    report->depth = settings->depth;
    report->compared = settings->baseline != NULL || settings->against != NULL;
    Status status = settings->baseline != NULL ? load_baseline(report) : status_ok();
    if (status_is_ok(&status)) status = measure(report);
    if (!status_is_ok(&status) || !report->compared) return status;
    if (report->now.sum.lines != report->before.sum.lines)
        return status_error("%d positions now, %d before: nothing to compare", report->now.sum.lines,
                            report->before.sum.lines);
    if (settings->baseline != NULL) {
        pair_positions(report);
    } else {
        report->ratio = bench_output_ratio(report->log_ratios, settings->runs);
        report->pairing = "runs in turn";
    }
    return status;
}

/* --- the report --- */

static double percent(double now, double before) { return before > 0 ? 100 * (now - before) / before : 0; }

static void write_headline(const SpeedReport *report, TextBuffer *out) {
    char now[NUMBER_TEXT_CAPACITY], before[NUMBER_TEXT_CAPACITY];
    const uint64_t nodes = report->now.sum.nodes, old_nodes = report->before.sum.nodes;
    console_thousands(nodes, now);
    console_thousands(old_nodes, before);
    buffer_append_string(out, "## Bench\n\n");
    if (!report->compared)
        buffer_append_format(out, "**%s nodes.**\n\n", now);
    else if (nodes == old_nodes)
        buffer_append_format(out, "**Nodes unchanged: %s.** No functional change.\n\n", now);
    else
        buffer_append_format(out, "**Nodes changed: %s -> %s (%+.2f %%).** The search is another one.\n\n",
                             before, now, percent((double)nodes, (double)old_nodes));
}

static void write_row(MarkdownTable *table, const char *what, const SpeedReport *report, const char *format,
                      double now, double before) {
    markdown_table_cell(table, "%s", what);
    if (report->compared) markdown_table_cell(table, format, before);
    markdown_table_cell(table, format, now);
    if (report->compared) markdown_table_cell(table, "%+.2f %%", percent(now, before));
}

static void write_summary(const SpeedReport *report, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin(report->compared ? "lrrr" : "lr");
    markdown_table_cell(&table, report->depth > 0 ? "depth %d" : "default depth", report->depth);
    markdown_table_cells(&table, report->compared ? "before | now | change" : "now");
    const BenchOutput *now = &report->now.sum, *before = &report->before.sum;
    write_row(&table, "nodes", report, "%.0f", (double)now->nodes, (double)before->nodes);
    write_row(&table, "seconds", report, "%.3f", report->now.seconds, report->before.seconds);
    write_row(&table, "nodes per second", report, "%.0f", (double)now->nps, (double)before->nps);
    markdown_table_write(&table, out);
    if (!report->compared) return;
    if (isfinite(report->ratio.error))
        buffer_append_format(out, "\nSpeed ratio: %.4f +- %.4f (95%%; %d %s).\n", report->ratio.ratio,
                             report->ratio.error, report->ratio.pairs, report->pairing);
    else
        buffer_append_format(out, "\nSpeed ratio: %.4f (%d %s: too few for an error).\n", report->ratio.ratio,
                             report->ratio.pairs, report->pairing);
}

static void write_position(MarkdownTable *table, const SpeedReport *report, int index) {
    const BenchLine *now = &report->now.sum.line[index], *before = &report->before.sum.line[index];
    markdown_table_cell(table, "%d", index + 1);
    if (report->compared) markdown_table_cell(table, "%" PRIu64, before->nodes);
    markdown_table_cell(table, "%" PRIu64, now->nodes);
    if (report->compared) {
        if (now->nodes == before->nodes)
            markdown_table_cell(table, "=");
        else if (before->nodes == 0)
            markdown_table_cell(table, "new");
        else
            markdown_table_cell(table, "%+.1f %%", percent((double)now->nodes, (double)before->nodes));
        markdown_table_cell(table, "%.3f", before->seconds);
    }
    markdown_table_cell(table, "%.3f", now->seconds);
    markdown_table_cell(table, now->seconds >= SHORTEST_TIMED ? "%.0f" : "-",
                        (double)now->nodes / now->seconds);
}

static void write_positions(const SpeedReport *report, TextBuffer *out) {
    MarkdownTable table = markdown_table_begin(report->compared ? "rrrrrrr" : "rrrr");
    markdown_table_cells(&table, report->compared ? "position | nodes before | nodes now | change | "
                                                    "seconds before | seconds now | nodes per second"
                                                  : "position | nodes | seconds | nodes per second");
    for (int i = 0; i < report->now.sum.lines; i++) write_position(&table, report, i);
    buffer_append_string(out, "\n<details><summary>Each position</summary>\n\n");
    markdown_table_write(&table, out);
    buffer_append_string(out, "\n</details>\n");
}

Status speed_run(const SpeedSettings *settings, TextBuffer *out) {
    SpeedReport report = {.settings = settings};
    Status status = compare(&report);
    if (status_is_ok(&status) && settings->save != NULL) {
        TextBuffer saved = {0};
        bench_output_write(&report.now.sum, report.depth, &saved);
        status = console_write_result(settings->save, &saved);
        buffer_release(&saved);
    }
    if (status_is_ok(&status)) {
        write_headline(&report, out);
        write_summary(&report, out);
        write_positions(&report, out);
    }
    return status;
}
