/* What each technique of the search is worth: the engine without it plays against the full one, and both run
 * bench. Results are a table, a CSV file and a plot. */
#ifndef LUFT_TUNE_ABLATION_H
#define LUFT_TUNE_ABLATION_H

#include "base/field.h"
#include "lab/match/stats.h"
#include "lab/tune/speed.h"

enum { ABLATION_NAME_CAPACITY = 64, ABLATION_ROWS_MAX = 128, ABLATION_MODES = 2 };

/* Games of the full engine against the one without the technique, under one limit. */
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
    char conditions[256];               /* how it was measured; the games stand before it */
} AblationTable;

typedef struct AblationSettings {
    const char *engine; /* a LAB=1 build: it has a switch "Use TECHNIQUE" for each technique */
    const char *book, *folder;
    bool again;          /* start over, and keep the old folder under another name */
    const char *results; /* a row for each match is appended to this file; NULL: none */
    WordList names;      /* of techniques; none: all */
    uint64_t nodes;      /* 0: not in fixed nodes */
    const char *tc;      /* NULL: not on the clock */
    int games;           /* for each technique and limit, an even number; 0: none */
    int depth, runs;     /* of bench; runs 0: no bench */
    int hash, concurrency, plot;
    uint64_t seed;
    SprtTest test; /* ends a match early; without one, its elo0 is no number */
    bool adjudicate, quiet;
    bool list; /* only the names of the engine's techniques, one a line */
} AblationSettings;

/* Measures and writes the results to the folder after each technique; what the folder has already is not
 * measured again. Appends the table in Markdown. A signal ends it before all is measured. */
Status ablation_run(const AblationSettings *settings, TextBuffer *markdown);

/* Row indices, the dearest technique first (by the first mode in which it was played); those without games
 * last, in their own order. */
void ablation_order(const AblationTable *table, int order[ABLATION_ROWS_MAX]);

void ablation_write_markdown(const AblationTable *table, TextBuffer *out);
void ablation_write_csv(const AblationTable *table, TextBuffer *out);

/* Commands of gnuplot that draw the table. */
void ablation_write_plot(const AblationTable *table, TextBuffer *out);

/* "option name Use null_move type check default true" holds a technique: its name goes to `name`. */
bool ablation_parse_option(TextView line, char name[ABLATION_NAME_CAPACITY]);

#endif
