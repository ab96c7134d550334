/* How fast an engine is, next to an earlier build or a saved result, as Markdown. Called from one thread. */
#ifndef LUFT_TUNE_SPEED_H
#define LUFT_TUNE_SPEED_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

enum { SPEED_RUNS_MAX = 1000 };

typedef struct SpeedSettings {
    const char *engine;
    const char *against;  /* an earlier build, run in turn; NULL: none */
    const char *baseline; /* a saved result; NULL: none. Not both */
    const char *save;     /* where the result is saved; NULL: nowhere */
    int depth, runs;      /* depth 0: the engine's own, or that of the baseline */
    bool quiet;
} SpeedSettings;

Status speed_run(const SpeedSettings *settings, TextBuffer *out);

#endif
