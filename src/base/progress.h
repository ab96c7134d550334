/* Shows the progress of long work on standard error: on a terminal a bar with the time left, redrawn in
 * place; elsewhere a line after every tenth of the work. One thread at a time. */
#ifndef LUFT_BASE_PROGRESS_H
#define LUFT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

bool stream_is_terminal(FILE *stream);

typedef struct ProgressBar {
    const char *what;     /* the unit: "positions" */
    int64_t total;        /* 0: unknown; then no bar, and without a terminal a line a minute */
    int64_t before;       /* done by earlier runs, does not count for the pace; may be set */
    int64_t start, drawn; /* clock_milliseconds */
    int tenth;            /* number of tenths at the last line */
    bool terminal;
    bool quiet; /* prints nothing */
} ProgressBar;

ProgressBar progress_begin(const char *what, int64_t total, bool quiet);

/* Updates the bar and the note after it ("31 solved"; may be NULL). May be called often. */
void progress_update(ProgressBar *progress, int64_t done, const char *note);

/* On a terminal shows a text instead of a bar. */
void progress_say(const ProgressBar *progress, const char *text);

/* Removes the bar. */
void progress_end(const ProgressBar *progress);

/* "7 s", "3:05", "1:02:30" */
enum { DURATION_CAPACITY = 32 };
const char *duration_write(int64_t milliseconds, char out[DURATION_CAPACITY]);

#endif
