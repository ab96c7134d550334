/* How far long work is, on standard error, so that standard output holds results only: a bar with the time
 * left, redrawn in place on a terminal; elsewhere a line at every tenth of the way. One thread at a time. */
#ifndef LUFT_BASE_PROGRESS_H
#define LUFT_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

bool stream_is_terminal(FILE *stream);

typedef struct Progress {
    const char *what; /* what is counted: "positions" */
    int64_t total;    /* 0: unknown; then there is no bar, and elsewhere than on a terminal a line a minute */
    int64_t before;   /* done before it began, not counted in the pace; may be set */
    int64_t start, drawn; /* clock_milliseconds */
    int tenth;            /* of the way, at the last line */
    bool terminal;
    bool quiet; /* prints nothing */
} Progress;

Progress progress_begin(const char *what, int64_t total, bool quiet);

/* `note` follows the bar ("31 solved"); NULL: nothing. Cheap when called often. */
void progress_update(Progress *progress, int64_t done, const char *note);

/* Removes the bar. */
void progress_end(const Progress *progress);

/* "7 s", "3:05", "1:02:30" */
enum { DURATION_CAPACITY = 32 };
const char *duration_write(int64_t milliseconds, char out[DURATION_CAPACITY]);

#endif
