/* Drawings by gnuplot, where it is installed. No shell is involved, and a name in a script is never run. */
#ifndef LUFT_KIT_PLOT_H
#define LUFT_KIT_PLOT_H

#include "base/status.h"
#include "base/text.h"

/* The head of a script that draws an image to the file; `terminal` is "svg" or "png". */
void plot_begin(const char *terminal, const char *image, int width, int height, TextBuffer *script);

/* Appends a text in quotes, whatever is in it. Control characters become question marks. */
void plot_quote(TextBuffer *script, const char *text);

/* The same for the name of a file: gnuplot would run the text after a leading '|' or '<'. */
void plot_quote_file(TextBuffer *script, const char *path);

/* Runs the script with gnuplot. The reason says that gnuplot is missing, or how it ended. */
Status plot_run(const TextBuffer *script);

/* The words of an option --plot, and the name of the one chosen: NULL for none. */
#define PLOT_KINDS "svg png none"
const char *plot_kind(int choice);

#endif
