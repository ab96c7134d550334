/* A match of two engines that ends when a sequential test says so. */
#ifndef LUFT_MATCH_SPRT_H
#define LUFT_MATCH_SPRT_H
#include "base/status.h"
#include "base/text.h"
#include "lab/match/match.h"
#include "lab/match/report.h"
#include "lab/match/stats.h"

/* Results as the first engine sees them. */
typedef struct SprtOutcome {
    PairCounts pairs;
    GameCounts games;
    double llr;          /* 0 without a test */
    SprtVerdict verdict; /* SPRT_CONTINUES: undecided, or no test */
} SprtOutcome;

/* Plays the set-up of two engines until `test` is decided, all pairs are played or a signal stops it; with
 * `test` NULL there is nothing but the number of pairs. Progress goes to the report. On an error the outcome
 * and the totals hold what was played. Release the totals. */
Status sprt_play(const MatchSetup *setup, const SprtTest *test, ReportOptions report, SprtOutcome *outcome,
                 MatchTotals *totals);

/* The customary lines: Elo, SPRT (the conditions; no such line when NULL), LLR, Games, Penta. `games` may be
 * NULL where only pairs are known, `pairs` where only games are. */
void sprt_write_block(const SprtTest *test, const char *conditions, const PairCounts *pairs,
                      const GameCounts *games, TextBuffer *out);

/* "8.0+0.08s Threads=1 Hash=32MB" */
enum { CONDITIONS_CAPACITY = 160 };
void sprt_describe_conditions(const EngineConfig *engine, char out[CONDITIONS_CAPACITY]);

/* How often the test errs and how many games it takes, as a table in Markdown: at each hypothesis and in the
 * middle, `tests` tests each. The distribution of pairs is that of the counts, moved to the strength.
 * Progress on standard error. */
void sprt_write_simulation(const SprtTest *test, const PairCounts *shape, int64_t tests, TextBuffer *out);

#endif
