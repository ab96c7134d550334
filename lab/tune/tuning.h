/* A tuning under way: its numbers, the course they took, the journal from which it is carried on, and the
 * files that show it. The journal has the steps begun and the pairs finished, in their order; the numbers
 * follow from them. One thread at a time. */
#ifndef LUFT_TUNE_TUNING_H
#define LUFT_TUNE_TUNING_H

#include "lab/kit/line_journal.h"
#include "lab/tune/spsa.h"

#include <limits.h>

enum { TUNING_DISCARDED = INT_MIN /* the outcome of a pair without a result */ };

typedef struct Tuning {
    Spsa spsa;
    const char *unit;     /* what is counted: "pairs of games" */
    char conditions[256]; /* one line about how they are played */
    int64_t every;        /* of these between two rows of the course */
    int row_count;
    double *course;      /* each row: pairs finished, then the values */
    LineJournal journal; /* handle -1: none */
    TextBuffer events;   /* steps begun, but not yet written: without a finished pair they are useless */
} Tuning;

/* As spsa_begin. Release in any case. */
Status tuning_begin(Tuning *tuning, const SpsaSettings *settings, const SpsaParam *numbers, int count);
void tuning_release(Tuning *tuning);

/* Opens or begins the journal `path`, which must outlive the tuning, and brings a fresh tuning to where the
 * journal ends. A journal of other numbers, another schedule or other `conditions` (lines about how the games
 * are played) is refused, with what differs. */
Status tuning_open_journal(Tuning *tuning, const char *path, const char *conditions);

/* As spsa_take, with the values for both players. */
int64_t tuning_take(Tuning *tuning, int upper[SPSA_PARAMS_MAX], int lower[SPSA_PARAMS_MAX]);

/* Counts a pair: wins - losses of the upper player in 1/SPSA_WIN, or as discarded. It is on the disk when
 * this returns. On an error nothing has changed. */
Status tuning_finish(Tuning *tuning, int64_t pair, int outcome);

/* The numbers as a table: where they began, where they stand, in Markdown. */
void tuning_write_markdown(const Tuning *tuning, TextBuffer *out);

/* The numbers as rows of results/tunes.tsv, appended to a file (lab/kit/results.h); `once`: only those that
 * it does not have. `commit` is the version of the engine, "" where it is unknown. */
Status tuning_append_rows(const Tuning *tuning, const char *commit, bool once, const char *path);

/* The course: a column for each number. */
void tuning_write_csv(const Tuning *tuning, TextBuffer *out);

/* The numbers, rounded, as lines of params.def. */
void tuning_write_params(const Tuning *tuning, TextBuffer *out);

/* Appends the text of params.def with the numbers, rounded, in the place of their values; all else stays.
 * Fails when a number is not in it, or has a value there that is neither the one at the start nor the new
 * one. */
Status tuning_apply(const Tuning *tuning, TextView text, TextBuffer *out);

/* Whether a number, rounded, is another one than at the start. */
bool tuning_changes_a_number(const Tuning *tuning);

/* Commands of gnuplot that draw the course, in steps from the start. */
void tuning_write_plot(const Tuning *tuning, TextBuffer *out);

/* What OpenBench needs to tune the same parameters: "name, int, start, min, max, c_end, r_end". */
void tuning_write_openbench(const Tuning *tuning, TextBuffer *out);

#endif
