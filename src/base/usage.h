/* The help of a command and its section of the man page, made from the table that reads its arguments. Pure.
 */
#ifndef LUFT_BASE_USAGE_H
#define LUFT_BASE_USAGE_H

#include "base/field.h"

/* A part of a command. `settings` is what its fields describe. */
typedef Status CommandStep(void *settings);

typedef struct Syntax {
    const char *command;   /* as it is called: "luft-lab tune" */
    const char *usage;     /* what follows the name, a line for each form; NULL: the fields show it */
    const char *about;     /* what it does; lines that begin with a blank are kept, others broken to fit */
    const char *examples;  /* whole lines; NULL: none */
    const Field *fields;   /* of the command line */
    const Field *settings; /* of the file that it reads; NULL: none */
    CommandStep *check;    /* what the fields cannot check; NULL: nothing */
    CommandStep *run;
} Syntax;

/* Usage, what it does, words and options with their defaults, examples. */
void usage_write(const Syntax *syntax, TextBuffer *out);

/* The same as a section of the man page, in roff; an entry of a list there; and a row as such an entry, which
 * has its name without dashes. */
void usage_write_manual(const Syntax *syntax, TextBuffer *out);
void usage_write_manual_entry(const char *name, const char *text, TextBuffer *out);
void usage_write_manual_row(const Field *row, TextBuffer *out);

/* Text whose lines are broken to fit; those that begin with a blank are kept. NULL: nothing. */
void usage_write_text(const char *text, TextBuffer *out);

#endif
