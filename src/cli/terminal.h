/* What the other end of a stream can show. */
#ifndef LUFT_CLI_TERMINAL_H
#define LUFT_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

bool terminal_is(FILE *stream);
bool terminal_wants_color(void);  /* false when NO_COLOR is set (https://no-color.org) or TERM is "dumb" */
int terminal_width(FILE *stream); /* columns; 80 when unknown */

#endif
