/* Games annotated by the engine. */
#ifndef LUFT_CLI_ANNOTATE_H
#define LUFT_CLI_ANNOTATE_H

#include "base/status.h"
#include "base/text.h"
#include "search/limits.h"

#include <stdio.h>

/* Searches every position of every game in `pgn` within `limits`, and writes the games to `out` with a
 * comment behind each move: score as White sees it and depth ("+0.31/14"), and the better move where much was
 * given away. A bar on `progress` while it lasts. A faulty game is reported there and skipped; the result is
 * then a failure. */
Status annotate_games(TextView pgn, const SearchLimits *limits, int hash, FILE *out, FILE *progress);

#endif
