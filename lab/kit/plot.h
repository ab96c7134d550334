/* Drawings by gnuplot, where it is installed. */
#ifndef LUFT_KIT_PLOT_H
#define LUFT_KIT_PLOT_H

#include "base/status.h"
#include "base/text.h"

/* The head of a script that draws an image to the file; `terminal` is "svg" or "png". */
void plot_begin(const char *terminal, const char *image, int width, int height, TextBuffer *script);

/* Writes the script to the file `path` and lets gnuplot run it. That gnuplot is missing or fails is worth a
 * line for `command`, no error: the results stand in other files too. */
Status plot_draw(const char *command, const char *path, const TextBuffer *script);

/* Whether --plot may be so: svg, png or none. */
Status plot_check(const char *kind);

#endif
