/* A match as people see it: a live table on a terminal, plain lines into a pipe; the end of a match by a
 * sequential test; its row in a file of results. */
#ifndef LUFT_MATCH_REPORT_H
#define LUFT_MATCH_REPORT_H

#include "lab/match/match.h"

#include <stdio.h>

typedef struct ReportOptions {
    FILE *out;            /* gets the progress; a terminal the table */
    FILE *result;         /* gets the final score and all that is said at the end; NULL: `out`, without a
                           * final score where `quiet` */
    const SprtTest *test; /* ends the match; NULL: none */
    int interval;         /* plain lines: one every N pairs, with the standings; 0: chosen, and without */
    bool quiet;           /* no progress, and at the end no more than the score */
    /* Three engines and more: appends a table of them all, best first. Called under the match's lock. */
    void (*append_standings)(const void *context, const TallyTable *table, TextBuffer *out);
    const void *context;
} ReportOptions;

/* Results as the first engine sees them, against the second. */
typedef struct SprtOutcome {
    PairCounts pairs;
    GameCounts games;
    double llr;          /* 0 without a test */
    SprtVerdict verdict; /* SPRT_CONTINUES: undecided, or no test */
    int64_t repeats;     /* the last pairs, in a row, that only repeated games */
    bool is_exhausted;   /* the test was ended, because the openings give no new games */
} SprtOutcome;

/* Plays until the test, which is of two engines, is decided, all pairs are played or a signal stops it. On an
 * error the outcome and the totals hold what was played. At the end shows standings, endings, faults, the
 * runner's own cost, waiting for processors. Release the totals. */
Status report_match(const MatchSetup *setup, const ReportOptions *options, SprtOutcome *outcome,
                    MatchTotals *totals);

/* "+7 -3 =10  60.0%" */
void report_append_score(const Tally *tally, TextBuffer *out);

/* How an unfinished match goes on: a sentence that names its journal. */
void report_append_next(const MatchSetup *setup, TextBuffer *out);

/* A row of results/matches.tsv and the files of the same columns (results/README.md), as `subject` sees the
 * games. Texts that are NULL are unknown. */
typedef struct ReportRow {
    EngineVersion version; /* of the subject */
    const char *subject, *opponent, *limit, *conditions, *verdict;
    uint64_t bench; /* 0: unknown */
    PairCounts pairs;
    GameCounts games;
    bool has_nodes_ratio; /* a row of results/ablation.tsv: one column more */
    double nodes_ratio;   /* no number: unknown */
    bool once;            /* of games that were played before: not again where the file has the row */
} ReportRow;

/* On the disk when this returns. Without games nothing is appended. */
Status report_append_row(const ReportRow *row, const char *path);

/* A row for each pairing that has games; those that the file has already only where something was played
 * now. */
Status report_append_rows(const MatchSetup *setup, const MatchTotals *totals, const char *verdict,
                          const char *path);

/* The version of an engine that played, for its row. */
EngineVersion report_version(const MatchSetup *setup, const MatchTotals *totals, int engine);

/* "16 MB, books/standard.epd, concurrency 2, adjudicated" */
void report_describe_conditions(const MatchSetup *setup, TextBuffer *out);

#endif
