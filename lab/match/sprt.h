/* What people read of a sequential test: its block for a commit message, and how often it errs. */
#ifndef LUFT_MATCH_SPRT_H
#define LUFT_MATCH_SPRT_H

#include "lab/client/engine_config.h"
#include "lab/match/match.h"

/* The customary lines: Elo, SPRT (the conditions; no such line when NULL), LLR, Games, Penta. `games` may be
 * NULL where only pairs are known, `pairs` where only games are. */
void sprt_write_block(const SprtTest *test, const char *conditions, const PairCounts *pairs,
                      const GameCounts *games, TextBuffer *out);

/* "bounds [0, 5], alpha 0.05, beta 0.1, normalized" */
void sprt_describe_test(const SprtTest *test, char out[TEST_TEXT_CAPACITY]);

/* "8.0+0.08s Threads=1 Hash=32MB" */
enum { CONDITIONS_CAPACITY = 160 };
void sprt_describe_conditions(const EngineConfig *engine, char out[CONDITIONS_CAPACITY]);

/* How often the test errs and how many games it takes, as a table in Markdown: at each hypothesis and in the
 * middle, `tests` tests each. The distribution of pairs is that of the counts, moved to the strength.
 * Progress on standard error. */
void sprt_write_simulation(const SprtTest *test, const PairCounts *shape, int64_t tests, TextBuffer *out);

#endif
