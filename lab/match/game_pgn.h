/* A game that was played, as PGN: each engine move with its evaluation, depth and times. */
#ifndef LUFT_MATCH_GAME_PGN_H
#define LUFT_MATCH_GAME_PGN_H

#include "lab/match/match_game.h"

#include <time.h>

typedef struct GameTags {
    const char *event, *site;
    const char *players[COLOR_COUNT];
    PlayLimits limits[COLOR_COUNT];
    int round, game;   /* round.game, both from 1 */
    int opening;       /* its number in the book; 0: none */
    time_t start;      /* when it began */
    bool reproducible; /* no date, no times */
} GameTags;

/* Appends the game to `out`. A comment reads {+0.31/14 0.052s, cpu 0.050s}: the mover's view, depth, wall
 * time, processor time; with ", wait 0.004s" when the move was delayed by a millisecond or more for want of a
 * processor. */
Status game_pgn_write(const MatchGame *game, const GameTags *tags, TextBuffer *out);

/* The score at the front of such a comment (or of one like it: "+0.31/14", "-M5/9", "0.31"), the mover's
 * view; mates without their number of moves. SCORE_NOT_GIVEN when there is none; NULL is fine. */
UciScore game_pgn_read_score(const char *comment);

#endif
