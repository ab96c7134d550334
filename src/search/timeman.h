/* How long to think. The soft limit is checked between iterations and depends on what the search has found;
 * the hard limit ends it. */
#ifndef LUFT_SEARCH_TIMEMAN_H
#define LUFT_SEARCH_TIMEMAN_H

#include "search/limits.h"

typedef struct TimeManager {
    bool limited; /* whether the clock matters at all */
    bool fixed;   /* a given time for this move: soft is hard */
    int64_t soft; /* microseconds from the start */
    int64_t hard;
} TimeManager;

/* What the search reports to the clock after each iteration. */
typedef struct TimeSigns {
    int stable_iterations;  /* how long the best move has been the same */
    int best_move_permille; /* share of all nodes spent on it */
    int score_drop;         /* units by which the score fell in the last iterations; negative if it rose */
    int game_drop;          /* and since the search for our last move */
    int iteration;          /* that has ended */
    bool only_move;         /* there is no choice */
} TimeSigns;

/* Limits for a move of `side`. Any numbers are legal: a clock at or below zero still leaves a millisecond. */
TimeManager timeman_plan(const SearchLimits *limits, Color side);

/* Whether no further iteration should begin after `elapsed` microseconds. */
bool timeman_is_enough(const TimeManager *time, int64_t elapsed, const TimeSigns *signs);

#endif
