/* Plays a match: several games at once, results kept on disk after every pair, a stop on request.
 *
 * The journal (see journal.h) remembers each finished pair: written and synchronised after its games have
 * been appended to the PGN file, so that a match goes on after a kill with nothing lost or counted twice. */
#ifndef LUFT_MATCH_SCHEDULE_H
#define LUFT_MATCH_SCHEDULE_H

#include "lab/match/match.h"

/* Plays. First checks everything that can be checked before a game is lost: engines answer, files can be
 * written. On an error the results so far are in *totals and on disk. SIGINT and SIGTERM end the match in
 * good order. Release the totals. */
Status match_run(const MatchSetup *setup, const MatchListener *listener, MatchTotals *totals);

#endif
