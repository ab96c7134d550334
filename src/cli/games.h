/* The games of a PGN file, reviewed one after the other. */
#ifndef LUFT_CLI_GAMES_H
#define LUFT_CLI_GAMES_H

#include "review/review.h"

#include <stdio.h>

typedef enum GamesForm { GAMES_ANNOTATED, GAMES_REPORT, GAMES_JSON } GamesForm;

/* What to do with them. */
typedef struct GamesTask {
    SearchLimits limits; /* of the search of each position */
    GamesForm form;
    bool ascii;      /* of a report: no other characters */
    const char *svg; /* the graph of the first game; of the others with -2, -3 ... in the name. NULL: none */
    FILE *out;       /* the games in their form */
    FILE *progress;  /* how far it is, on a terminal with a bar; what went wrong */
} GamesTask;

/* Reviews every game of `pgn` and writes it in its form to `out`. A faulty game is reported and skipped; the
 * result is then a failure. So it is when a signal ends it (see base/interrupt.h; the caller holds them
 * back): the game at hand is written with what is judged, the games behind it are left out. */
Status games_review(Reviewer *reviewer, TextView pgn, const GamesTask *task);

#endif
