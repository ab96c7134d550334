/* What each technique of the search is worth: results as a table, a CSV file and a plot. Pure. */
#ifndef LUFT_TUNE_ABLATION_H
#define LUFT_TUNE_ABLATION_H

#include "base/text.h"
#include "lab/client/bench_output.h"
#include "lab/match/stats.h"

#include <stdbool.h>

enum { ABLATION_NAME_CAPACITY = 64, ABLATION_ROWS_MAX = 128, ABLATION_MODES = 2 };

/* The full engine against the one without the technique, under one limit. */
typedef struct AblationGames {
    PairCounts pairs; /* as the full engine sees them; none: not played */
    GameCounts games;
} AblationGames;

typedef struct AblationRow {
    char name[ABLATION_NAME_CAPACITY]; /* the technique */
    bool has_bench;
    double node_ratio;     /* bench nodes without it, to those with it */
    SpeedRatio time_ratio; /* time to depth without it, to that with it */
    AblationGames mode[ABLATION_MODES];
} AblationRow;

typedef struct AblationTable {
    int row_count, mode_count;
    AblationRow row[ABLATION_ROWS_MAX];
    char mode_name[ABLATION_MODES][48]; /* "nodes=10000", "1+0.01": the limits */
    char conditions[256];               /* one line about how it was measured */
} AblationTable;

/* Row indices, the dearest technique first (by the first mode in which it was played); those without games
 * last, in their own order. */
void ablation_order(const AblationTable *table, int order[ABLATION_ROWS_MAX]);

void ablation_write_markdown(const AblationTable *table, TextBuffer *out);
void ablation_write_csv(const AblationTable *table, TextBuffer *out);

/* A gnuplot script that draws the table to `image`; `terminal` is "svg" or "png". */
void ablation_write_plot(const AblationTable *table, const char *terminal, const char *image,
                         TextBuffer *out);

/* "option name Use null_move type check default true" holds a technique: its name goes to `name`. */
bool ablation_parse_option(TextView line, char name[ABLATION_NAME_CAPACITY]);

#endif
