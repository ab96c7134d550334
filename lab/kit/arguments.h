/* Settings of the learning commands: one table says what there is, reads the command line or a configuration
 * file, and prints the help. On the command line "--name value" or "--name=value"; in a file "name = value",
 * # to the end of the line a comment. Called from one thread. */
#ifndef LUFT_KIT_ARGUMENTS_H
#define LUFT_KIT_ARGUMENTS_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ArgumentKind {
    ARGUMENT_FLAG,   /* bool; no value on the command line, yes or no in a file */
    ARGUMENT_WHOLE,  /* int64_t within [low, high]; k, M and G multiply by 1000 and so on */
    ARGUMENT_REAL,   /* double within [low, high] */
    ARGUMENT_TEXT,   /* const char *, pointing into argv or the file's text */
    ARGUMENT_FILE,   /* the same, a path */
    ARGUMENT_HEADING /* only a line in the help */
} ArgumentKind;

typedef struct Argument {
    const char *name; /* without dashes */
    ArgumentKind kind;
    void *target;
    double low, high;
    const char *help; /* one line, with the default if it matters */
} Argument;

/* Reads argv[1] and on. Words that are no options are put into `rest` (room for argc pointers), in order.
 * `*help` becomes true at --help. */
Status arguments_parse(const Argument *table, size_t count, int argc, char **argv, char **rest,
                       int *rest_count, bool *help);

/* Reads a configuration; the text is cut into pieces in place and must outlive the settings. The reason names
 * the line. */
Status arguments_read_file(const Argument *table, size_t count, TextBuffer *text);

/* One line for each argument, to standard output: as options, or as settings of a file. */
void arguments_print_help(const Argument *table, size_t count);
void arguments_print_settings(const Argument *table, size_t count);

#endif
