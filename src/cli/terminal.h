/* What the other end of a stream can show. */
#ifndef LUFT_CLI_TERMINAL_H
#define LUFT_CLI_TERMINAL_H

#include "engine/document.h"

#include <stdbool.h>
#include <stdio.h>

bool terminal_wants_color(void); /* false when NO_COLOR is set (https://no-color.org) or TERM is "dumb" */

/* The window, as it is now: it may change at any time. */
typedef struct TerminalSize {
    int columns, rows; /* 80 and 24 when unknown */
} TerminalSize;
TerminalSize terminal_size(FILE *stream);
int terminal_width(FILE *stream); /* columns alone */

/* A document for the stream: JSON, or text of the width of its window (80 columns where it has none), in
 * colours if it shows them. */
Document terminal_document(TextBuffer *out, FILE *stream, bool json);

#endif
