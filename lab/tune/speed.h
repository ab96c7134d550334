/* How fast an engine is. Runs its `bench`, reads what it prints (a line for each position and, last, "N nodes
 * M nps"), and compares it with an earlier build or a saved result. Called from one thread. */
#ifndef LUFT_TUNE_SPEED_H
#define LUFT_TUNE_SPEED_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* --- bench --- */

enum { BENCH_LINES_MAX = 256 };

typedef struct BenchLine {
    uint64_t nodes;
    double seconds;
} BenchLine;

typedef struct BenchOutput {
    int lines;
    BenchLine line[BENCH_LINES_MAX];
    uint64_t nodes, nps; /* of the whole, as the engine's last line says */
} BenchOutput;

/* Seconds for the whole bench, from its nodes and speed. */
double bench_output_seconds(const BenchOutput *result);

/* Reads one line of output; other lines are skipped. Pure. */
void bench_output_parse_line(TextView line, BenchOutput *result);

/* Runs `command` with a UCI line ("setoption name Hash value 1"; NULL: none) and then bench, at `depth` plies
 * (0: the engine's default). Ten minutes without a position are an error, and so is an output without the
 * final line, or with a positions' total that contradicts it. Without nodes it was interrupted, where the
 * caller holds the signals back (base/interrupt.h). */
Status bench_output_run(const char *command, const char *line, int depth, BenchOutput *result);

/* The result as a file that can be read again: a baseline to compare with. */
void bench_output_write(const BenchOutput *result, int depth, TextBuffer *out);
Status bench_output_read(const char *path, BenchOutput *result, int *depth);

/* A ratio of speeds from paired measurements: their geometric mean, with half its 95 % interval as a
 * fraction. */
typedef struct SpeedRatio {
    double ratio, error;
    int pairs;
} SpeedRatio;

/* `log_ratios`: natural logarithms of the ratio in each pair. The error is infinite for fewer than two. */
SpeedRatio bench_output_ratio(const double *log_ratios, int count);

/* --- speed --- */

enum { SPEED_RUNS_MAX = 1000 };

typedef struct SpeedSettings {
    const char *engine;
    const char *against;  /* an earlier build, run in turn; NULL: none */
    const char *baseline; /* a saved result; NULL: none. Not both */
    const char *save;     /* where the result is saved; NULL: nowhere */
    int depth, runs;      /* depth 0: the engine's own, or that of the baseline */
    bool quiet;
} SpeedSettings;

/* Appends the report as Markdown. */
Status speed_run(const SpeedSettings *settings, TextBuffer *out);

#endif
