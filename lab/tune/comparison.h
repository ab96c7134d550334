/* Engines compared by the worth of their moves: all search the same stretches of games, and a referee judges
 * what they choose (judge.h). Called from one thread. */
#ifndef LUFT_TUNE_COMPARISON_H
#define LUFT_TUNE_COMPARISON_H

#include "lab/tune/judge.h"

typedef struct ComparisonSettings {
    EngineList engines;  /* two or more, complete, with a limit of nodes */
    EngineList referee;  /* one; none: the first of the engines judges */
    JudgeSettings judge; /* without its `referee` */
    int concurrency;
    bool quiet;
} ComparisonSettings;

/* Appends a table in Markdown, of the stretches that all engines finished. Reports faults on standard error;
 * ten of one engine in a row end the comparison. */
Status comparison_run(const ComparisonSettings *settings, TextBuffer *table);

#endif
