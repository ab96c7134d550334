/* Drawings by gnuplot, where it is installed. No shell is involved, and a name in a script is never run. */
#ifndef LUFT_KIT_PLOT_H
#define LUFT_KIT_PLOT_H

#include "base/status.h"
#include "base/text.h"

/* The head of a script that draws an image to its standard output; `terminal` is "svg" or "png". */
void plot_begin(const char *terminal, int width, int height, TextBuffer *script);

/* Appends a text in quotes, whatever is in it, as buffer_append_foreign shows it. */
void plot_quote(TextBuffer *script, const char *text);

/* The same for the name of a file, without control characters: gnuplot would run the text after a leading '|'
 * or '<'. */
void plot_quote_file(TextBuffer *script, const char *path);

/* Runs the script with gnuplot; the file gets the image. The reason says that gnuplot is missing, or how it
 * ended. */
Status plot_run(const TextBuffer *script, const char *image);

/* The words of an option --plot, and the name of the one chosen: NULL for none. */
#define PLOT_KINDS "svg png none"
const char *plot_kind(int choice);

#endif
