/* The small sub-commands of the command line. Each takes the words behind its name, prints on `out`, and
 * returns the reason when it cannot do what was asked. */
#ifndef LUFT_CLI_TOOLS_H
#define LUFT_CLI_TOOLS_H

#include "base/status.h"

#include <stdio.h>

Status tool_bench(int argc, char *const *argv, FILE *out);    /* [depth] */
Status tool_perft(int argc, char *const *argv, FILE *out);    /* depth [FEN] [--divide] */
Status tool_eval(int argc, char *const *argv, FILE *out);     /* [FEN] */
Status tool_selftest(int argc, char *const *argv, FILE *out); /* fails if any check fails */

#endif
