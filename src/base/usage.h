/* The help of a command, made from the table that reads its arguments. Pure. */
#ifndef LUFT_BASE_USAGE_H
#define LUFT_BASE_USAGE_H

#include "base/arguments.h"

typedef struct Syntax {
    const char *command;  /* as it is called: "luft-lab tune" */
    const char *usage;    /* what stands behind it, a line for each form; NULL: the table says it */
    const char *about;    /* what it does; lines that begin with a blank are kept, others broken to fit */
    const char *examples; /* whole lines; NULL: none */
    const Argument *table;
    size_t count;
} Syntax;

/* Usage, what it does, words and options with their defaults, examples. To be called before anything is read:
 * the defaults are what stands in the targets. */
void usage_write(const Syntax *syntax, TextBuffer *out);

/* Text whose lines are broken to fit; those that begin with a blank are kept. NULL: nothing. */
void usage_write_text(const char *text, TextBuffer *out);

/* The table as lines "name = value" of a file of settings. */
void usage_write_settings(const Argument *table, size_t count, TextBuffer *out);

#endif
