/* Lines to a program that listens: whole, flushed, never interleaved. Any thread may call. In a UCI session
 * it is no error when the reader has gone: the input ends then, too. Everything else checks output_failed. */
#ifndef LUFT_UCI_OUTPUT_H
#define LUFT_UCI_OUTPUT_H

#include "base/status.h"
#include "base/sync.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdio.h>

typedef struct Output {
    FILE *file;
    Mutex mutex;
    atomic_bool failed; /* a line was lost; the stream keeps its error flag, too */
} Output;

void output_open(Output *output, FILE *file);
void output_close(Output *output); /* leaves the file open */

/* Writes the text and a line feed. Text with line feeds inside stays together. */
void output_text(Output *output, TextView text);

/* output_text of a buffer. Without memory for all of it nothing is written, and the reason names `what`. */
Status output_buffer(Output *output, const TextBuffer *text, const char *what);

void output_line(Output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool output_failed(const Output *output);

/* "info string error: <where>: <reason>"; a warning without "error: ". They print nothing for a success. */
void output_error(Output *output, const char *where, const Status *status);
void output_warning(Output *output, const char *where, const Status *warning);

#endif
