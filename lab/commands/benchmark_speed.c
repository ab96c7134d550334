#include "lab/commands/benchmark_speed.h"

#include "base/commands.h"
#include "base/memory.h"
#include "base/progress.h"
#include "lab/client/bench_output.h"
#include "lab/kit/console.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char ABOUT[] = "Runs the engine's bench and shows nodes, time and speed, in all and for each "
                            "position. The node count is the "
                            "search's signature: if it changed, the search changed, and that is the "
                            "headline. Speed is shown as the ratio of "
                            "paired runs, because a machine's speed drifts.\n";
static const char EXAMPLES[] = "  before and after a change\n"
                               "  cp luft luft-before; edit, make\n"
                               "  luft-lab benchmark speed --against ./luft-before\n";

enum { RUNS_MAX = 1000 };

/* Positions quicker than this say nothing of speed: the clock's grain and noise are as large. */
static const double SHORTEST_TIMED = 0.005;

typedef struct SpeedArguments {
    const char *engine, *against, *baseline, *save, *output;
    int depth, runs;
    bool quiet;
} SpeedArguments;

/* Several runs of one program, added up. */
typedef struct SpeedSum {
    BenchOutput sum; /* nodes of one run; seconds and nps of their mean */
    double seconds;  /* of a mean run */
} SpeedSum;

typedef struct SpeedReport {
    const SpeedArguments *arguments;
    SpeedSum now, before;
    bool compared;
    SpeedRatio ratio;
    const char *pairing; /* what the pairs are */
    double *log_ratios;
    int depth;
} SpeedReport;

/* --- measuring --- */

static Status add_run(const char *command, const BenchOutput *run, int runs, bool first, SpeedSum *into) {
    if (first) {
        into->sum = *run;
        for (int i = 0; i < run->lines; i++) into->sum.line[i].seconds = 0;
    } else if (run->nodes != into->sum.nodes || run->lines != into->sum.lines) {
        return status_error("%s bench is not reproducible: %llu nodes in one run, %llu in another", command,
                            (unsigned long long)into->sum.nodes, (unsigned long long)run->nodes);
    }
    for (int i = 0; i < run->lines; i++) into->sum.line[i].seconds += run->line[i].seconds / runs;
    into->seconds += bench_output_seconds(run) / runs;
    into->sum.nps = into->seconds > 0 ? (uint64_t)((double)run->nodes / into->seconds) : 0;
    return status_ok();
}

/* Runs the engine and, where there is one, the earlier build, in turn; the one that begins changes every
 * time, so that warming up and cooling down hit both alike. */
static Status measure(SpeedReport *report) {
    const SpeedArguments *arguments = report->arguments;
    const char *commands[2] = {arguments->engine, arguments->against};
    SpeedSum *sums[2] = {&report->now, &report->before};
    const int programs = arguments->against != NULL ? 2 : 1;
    Progress progress = progress_begin("runs of bench", programs * arguments->runs, arguments->quiet);
    Status status = status_ok();
    for (int run = 0; run < arguments->runs && status_is_ok(&status); run++) {
        BenchOutput output[2];
        for (int turn = 0; turn < programs && status_is_ok(&status); turn++) {
            const int program = programs == 2 ? (turn + run) % 2 : 0;
            status = bench_output_run(commands[program], NULL, report->depth, &output[program]);
            if (status_is_ok(&status))
                status =
                    add_run(commands[program], &output[program], arguments->runs, run == 0, sums[program]);
            progress_update(&progress, run * programs + turn + 1, NULL);
        }
        if (status_is_ok(&status) && programs == 2)
            report->log_ratios[run] = log((double)(output[0].nps + 1) / (double)(output[1].nps + 1));
    }
    progress_end(&progress);
    return status;
}

/* Compares with a saved run: there are no runs to pair, so the positions are. */
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
    const SpeedArguments *arguments = report->arguments;
    int depth = 0;
    Status status = bench_output_read(arguments->baseline, &report->before.sum, &depth);
    if (!status_is_ok(&status)) return status;
    if (arguments->depth != 0 && arguments->depth != depth)
        return status_error("%s was made at depth %d, not %d: nothing to compare", arguments->baseline, depth,
                            arguments->depth);
    report->depth = depth;
    report->before.seconds = bench_output_seconds(&report->before.sum);
    return status;
}

static Status compare(SpeedReport *report) {
    const SpeedArguments *arguments = report->arguments;
    report->depth = arguments->depth;
    report->compared = arguments->baseline != NULL || arguments->against != NULL;
    Status status = arguments->baseline != NULL ? load_baseline(report) : status_ok();
    if (status_is_ok(&status)) status = measure(report);
    if (!status_is_ok(&status) || !report->compared) return status;
    if (report->now.sum.lines != report->before.sum.lines)
        return status_error("%d positions now, %d before: nothing to compare", report->now.sum.lines,
                            report->before.sum.lines);
    if (arguments->baseline != NULL) {
        pair_positions(report);
    } else {
        report->ratio = bench_output_ratio(report->log_ratios, arguments->runs);
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
    if (report->depth > 0)
        markdown_table_cell(&table, "depth %d", report->depth);
    else
        markdown_table_cell(&table, "default depth");
    if (report->compared) markdown_table_cell(&table, "before");
    markdown_table_cell(&table, "now");
    if (report->compared) markdown_table_cell(&table, "change");
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
    if (report->compared) markdown_table_cell(table, "%llu", (unsigned long long)before->nodes);
    markdown_table_cell(table, "%llu", (unsigned long long)now->nodes);
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
    if (now->seconds >= SHORTEST_TIMED)
        markdown_table_cell(table, "%.0f", (double)now->nodes / now->seconds);
    else
        markdown_table_cell(table, "-");
}

static void write_positions(const SpeedReport *report, TextBuffer *out) {
    static const char *const ALONE[] = {"position", "nodes", "seconds", "nodes per second"};
    static const char *const COMPARED[] = {"position",       "nodes before", "nodes now",       "change",
                                           "seconds before", "seconds now",  "nodes per second"};
    MarkdownTable table = markdown_table_begin(report->compared ? "rrrrrrr" : "rrrr");
    for (int i = 0; i < table.columns; i++)
        markdown_table_cell(&table, "%s", report->compared ? COMPARED[i] : ALONE[i]);
    for (int i = 0; i < report->now.sum.lines; i++) write_position(&table, report, i);
    buffer_append_string(out, "\n<details><summary>Each position</summary>\n\n");
    markdown_table_write(&table, out);
    buffer_append_string(out, "\n</details>\n");
}

/* --- the command --- */

static Status write_report(SpeedReport *report) {
    const SpeedArguments *arguments = report->arguments;
    Status status = compare(report);
    TextBuffer text = {0};
    if (status_is_ok(&status) && arguments->save != NULL) {
        bench_output_write(&report->now.sum, report->depth, &text);
        status = console_write_result(arguments->save, &text);
        buffer_clear(&text);
    }
    if (status_is_ok(&status)) {
        write_headline(report, &text);
        write_summary(report, &text);
        write_positions(report, &text);
        status = console_write_result(arguments->output, &text);
    }
    buffer_release(&text);
    return status;
}

static Status check(void *context) {
    const SpeedArguments *arguments = context;
    if (arguments->against != NULL && arguments->baseline != NULL)
        return status_error("--against or --baseline, not both");
    return status_ok();
}

static Status run(void *context) {
    const SpeedArguments *arguments = context;
    SpeedReport report = {.arguments = arguments};
    const size_t pairs = arguments->runs > BENCH_LINES_MAX ? (size_t)arguments->runs : BENCH_LINES_MAX;
    report.log_ratios = memory_allocate(pairs * sizeof *report.log_ratios);
    Status status = report.log_ratios != NULL ? write_report(&report) : status_no_memory("the runs of bench");
    memory_release(report.log_ratios);
    return status;
}

#define FIELD_STRUCT SpeedArguments
static const Field FIELDS[] = {
    {FIELD_TEXT("engine", "PROGRAM", engine, "./luft", "the engine")},
    {FIELD_WHOLE("depth", "N", depth, 1, 200, NULL,
                 "plies (default: the engine's own; with --baseline, the baseline's)")},
    {FIELD_TEXT("against", "PROGRAM", against, NULL,
                "an earlier build, run in turn with the engine: the fair comparison of speed")},
    {FIELD_TEXT("baseline", "FILE", baseline, NULL,
                "a result saved earlier; speed is then compared position by position")},
    {FIELD_TEXT("save", "FILE", save, NULL, "save this result as a baseline")},
    {FIELD_WHOLE("runs", "N", runs, 1, RUNS_MAX, "3", "runs of each program")},
    {FIELD_TEXT("output", "FILE", output, NULL, "the report goes there instead of standard output")},
    {FIELD_FLAG("quiet", quiet, "no progress bar")},
    {0}};
#undef FIELD_STRUCT

int benchmark_speed(int argc, char **argv) {
    static const Syntax SYNTAX = {.command = "luft-lab benchmark speed",
                                  .about = ABOUT,
                                  .examples = EXAMPLES,
                                  .fields = FIELDS,
                                  .check = check,
                                  .run = run};
    SpeedArguments arguments = {0};
    return commands_run(&SYNTAX, argc, argv, &arguments);
}
