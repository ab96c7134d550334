/* A tuning under way: its numbers, the course they took, and the files that show them. Pure but for the
 * memory it holds; one thread at a time. */
#ifndef LUFT_TUNE_TUNING_H
#define LUFT_TUNE_TUNING_H

#include "base/text.h"
#include "lab/tune/spsa.h"

#include <limits.h>

enum { TUNING_DISCARDED = INT_MIN /* the outcome of a pair without a result */ };

typedef struct Tuning {
    Spsa spsa;
    const char *unit;     /* what is counted: "pairs of games" */
    char conditions[256]; /* one line about how they are played */
    int64_t every;        /* of these between two rows of the course */
    int row_count;
    double *course; /* each row: pairs finished, then the values */
} Tuning;

/* As spsa_begin. Release in any case. */
Status tuning_begin(Tuning *tuning, const SpsaSettings *settings, const SpsaParam *params, int count);
void tuning_release(Tuning *tuning);

/* Counts a pair: wins - losses of the upper player in 1/SPSA_WIN, or as discarded. */
void tuning_finish(Tuning *tuning, int64_t pair, int outcome);

/* The numbers as a table: where they began, where they stand, in Markdown. */
void tuning_write_markdown(const Tuning *tuning, TextBuffer *out);

/* The numbers as rows of results/tunes.tsv, appended to a file (lab/kit/results.h). */
Status tuning_append_rows(const Tuning *tuning, const char *path);

/* The course: a column for each number. */
void tuning_write_csv(const Tuning *tuning, TextBuffer *out);

/* The numbers, rounded, as lines of params.def. */
void tuning_write_params(const Tuning *tuning, TextBuffer *out);

/* A gnuplot script that draws the course to `image`, in steps from the start; `terminal` is "svg" or "png".
 */
void tuning_write_plot(const Tuning *tuning, const char *terminal, const char *image, TextBuffer *out);

/* What OpenBench needs to tune the same parameters: "name, int, start, min, max, c_end, r_end". */
void tuning_write_openbench(const Tuning *tuning, TextBuffer *out);

#endif
