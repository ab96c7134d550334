/* What the other end of standard output can show. */
#ifndef LUFT_CLI_TERMINAL_H
#define LUFT_CLI_TERMINAL_H

#include "engine/document.h"

#include <stdbool.h>

bool terminal_wants_color(void); /* false when NO_COLOR is set (https://no-color.org) or TERM is "dumb" */

/* The window, as it is now: it may change at any time. */
typedef struct TerminalSize {
    int columns, rows; /* 80 and 24 when unknown */
} TerminalSize;
TerminalSize terminal_size(void);
bool terminal_was_resized(TerminalSize before);

/* A document to be printed: JSON, or text of the width of the window (80 columns where there is none), in
 * colours if it shows them. `language` is the place of its words in language.h. */
Document terminal_document(TextBuffer *out, bool json, int language);

#endif
