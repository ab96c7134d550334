/* The command line of a sub-command: --flags in any place, all other words in order. */
#ifndef LUFT_CLI_COMMAND_LINE_H
#define LUFT_CLI_COMMAND_LINE_H

#include "base/status.h"
#include "base/text.h"

typedef enum FlagKind { FLAG_SWITCH, FLAG_NUMBER, FLAG_SECONDS } FlagKind;

/* `target` is a bool *, an int * or a double *, by kind, and stays as it is where the flag is absent. */
typedef struct Flag {
    const char *name; /* with its dashes: "--depth" */
    FlagKind kind;
    void *target;
    int minimum, maximum; /* of a number */
} Flag;

/* Reads the flags; the words that are none, joined by single spaces, go to `words` (a FEN need not be
 * quoted). An unknown flag, a missing or an impossible value is refused with the reason. */
Status command_line_parse(const Flag *flags, int flag_count, int argc, char *const *argv, TextBuffer *words);

#endif
