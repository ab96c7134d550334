/* Analysis for people: positions on the terminal, games annotated move by move. */
#ifndef LUFT_CLI_ANALYSE_H
#define LUFT_CLI_ANALYSE_H

#include "base/status.h"

#include <stdio.h>

/* `luft analyse [FEN | file | -] [--time S] [--depth N] [--lines N] [--hash MiB] [--ascii]`. Positions: the
 * board and the best lines on `out`, updated in place if that is a terminal. A PGN file: each game annotated
 * on `out`, progress on `progress`. "-" reads either from standard input. */
Status analyse_run(int argc, char *const *argv, FILE *out, FILE *progress);

#endif
