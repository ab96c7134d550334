/* What the other end of a stream can show. */
#ifndef LUFT_CLI_TERMINAL_H
#define LUFT_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

bool terminal_wants_color(void); /* false when NO_COLOR is set (https://no-color.org) or TERM is "dumb" */

/* The window, as it is now: it may change at any time. */
typedef struct TerminalSize {
    int columns, rows; /* 80 and 24 when unknown */
} TerminalSize;
TerminalSize terminal_size(FILE *stream);
int terminal_width(FILE *stream); /* columns alone */

#endif
