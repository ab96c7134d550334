/* One thread of a match: it plays pair after pair, with two engines that it keeps running from game to game.
 */
#ifndef LUFT_MATCH_PLAYER_H
#define LUFT_MATCH_PLAYER_H

#include "lab/match/match_state.h"

/* An engine that a player keeps running from game to game. */
typedef struct Seat {
    int engine; /* -1: empty */
    UciClient *client;
    bool broken; /* must be restarted before its next game */
} Seat;

/* One thread that plays pair after pair. */
typedef struct Player {
    Match *match;
    Thread thread;
    int number;
    const int *cpus; /* its processors when pinned */
    Seat seats[2];   /* for the first and the second engine of the pair */
    MatchGame game;
    TextBuffer pgn; /* the pair's games */
    int64_t plies, replays, wall, cpu, delay;
} Player;

/* The body of a player's thread. */
void player_run(void *player);

#endif
