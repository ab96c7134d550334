/* What people see of a match: a live table on a terminal, plain lines into a pipe. Called under the match's
 * lock. */
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
    bool results;           /* for a caller that does not tell them itself */
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

#endif
