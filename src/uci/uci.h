/* The Universal Chess Interface: text in, engine calls; results, text out. */
#ifndef LUFT_UCI_UCI_H
#define LUFT_UCI_UCI_H

#include "base/nearest.h"
#include "base/status.h"

#include <stdio.h>

/* Talks to a GUI until `quit` or the end of the input, which first stops a search. During a search `isready`,
 * `stop`, `ponderhit` and `quit` act at once; every other line waits for the best move. Fails only at the
 * start, when memory or threads are refused. */
Status uci_serve(FILE *in, FILE *out);

/* Whether a word is a command of the protocol or one of our own. */
bool uci_is_command(TextView word);

/* Offers every command to `nearest`. */
void uci_consider_commands(Nearest *nearest);

/* Runs each line to its end, searches too, before the next; stops after a `quit`. Fails, at the end, with the
 * first fault of a line. */
Status uci_run_lines(char *const *lines, int count, FILE *out);

#endif
