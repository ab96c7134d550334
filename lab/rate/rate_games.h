/* The games that are rated: counts by player and colour, read from files of games. One thread. */
#ifndef LUFT_RATE_RATE_GAMES_H
#define LUFT_RATE_RATE_GAMES_H

#include "base/field.h"
#include "chess/game.h"
#include "lab/rate/rating.h"

/* Starts as {0}; rate_games_release frees. */
typedef struct RateGames {
    RatingPlayer *players; /* in the order of their first games */
    int player_count;
    RatingPair *pairs;
    int pair_count;
    int64_t rated, undecided; /* games */
} RateGames;

/* Bytes of a player's name. The reader cuts longer tags than it can hold, and two names that are cut may have
 * become one. */
enum { RATE_NAME_MAX = 200 };

/* Adds a game between the players that its tags White and Black name; one without a result is only counted.
 * Fails without a name, with one that is too long, or when both are the same. */
Status rate_games_add(RateGames *games, const char *white, const char *black, GameResult result);

/* Adds all games of the files. What cannot be read is reported on standard error. */
Status rate_games_read(RateGames *games, const WordList *files, bool skip_faults);
void rate_games_release(RateGames *games);

/* The player of this name, or -1. */
int rate_games_find(const RateGames *games, TextView name);

#endif
