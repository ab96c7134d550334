/* What people see of a match: a live table on a terminal, plain lines into a pipe (called under the match's
 * lock); afterwards its row in a file of results. */
#ifndef LUFT_MATCH_REPORT_H
#define LUFT_MATCH_REPORT_H

#include "lab/match/match.h"

#include <stdio.h>

/* A sequential test under way: kept up to date by its owner. */
typedef struct ReportSprt {
    double llr, lower, upper; /* log-likelihood ratio and where it stops */
    double elo0, elo1;        /* the hypotheses, in their own unit */
} ReportSprt;

typedef struct ReportOptions {
    FILE *out;
    const MatchSetup *setup;
    const ReportSprt *sprt; /* NULL: none. Read whenever the report is drawn */
    int interval;           /* plain lines: one every N pairs; 0: chosen */
    bool quiet;             /* nothing but notices and, with `results`, the final score */
    bool results;           /* for a caller that does not print them itself */
} ReportOptions;

typedef struct Report Report;

/* Decides by isatty(out) between table and lines. NULL when memory runs out. */
Report *report_create(const ReportOptions *options);
void report_destroy(Report *report);

void report_pair(Report *report, const PairResult *pair, const TallyTable *table);
void report_notice(Report *report, const char *text);
void report_tick(Report *report);

/* The end: standings, endings, faults, the runner's own cost, waiting for processors. */
void report_finish(Report *report, const MatchTotals *totals);

/* The three functions above as a listener that never stops the match. */
MatchListener report_listener(Report *report);

/* A row of results/matches.tsv and the files of the same columns (results/README.md), as `subject` sees the
 * games. Texts that are NULL are unknown. */
typedef struct ReportRow {
    const char *subject, *opponent, *limit, *conditions, *verdict;
    uint64_t bench; /* 0: unknown */
    PairCounts pairs;
    GameCounts games;
    bool has_nodes_ratio; /* a row of results/ablation.tsv: one column more */
    double nodes_ratio;   /* no number: unknown */
} ReportRow;

/* On the disk when this returns. Without games nothing is appended. */
Status report_append_row(const ReportRow *row, const char *path);

/* A row for each pairing that has games. */
Status report_append_rows(const MatchSetup *setup, const TallyTable *table, const char *verdict,
                          const char *path);

/* "16 MB, books/standard.epd, concurrency 2, adjudicated" */
void report_describe_conditions(const MatchSetup *setup, TextBuffer *out);

#endif
