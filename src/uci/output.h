/* Lines to a program that listens: whole, flushed, never interleaved. Any thread may call. A reader that has
 * gone away is no error here: its end of the input tells. */
#ifndef LUFT_UCI_OUTPUT_H
#define LUFT_UCI_OUTPUT_H

#include "base/status.h"
#include "base/sync.h"
#include "base/text.h"

#include <stdio.h>

typedef struct Output {
    FILE *file;
    Mutex mutex;
} Output;

void output_open(Output *output, FILE *file);
void output_close(Output *output); /* leaves the file open */

/* Writes the text and a line feed. Text that has line feeds of its own stays together. */
void output_text(Output *output, TextView text);
void output_line(Output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "info string error: <where>: <reason>", everything unprintable in it replaced. Says nothing of a success.
 */
void output_error(Output *output, const char *where, const Status *status);

#endif
