/* The engine against the engine without a technique, inside one process, a pair of games at a time: for
 * whoever watches. The switches must be variables (LAB=1), and belong to the whole program: one match at a
 * time, and no other search meanwhile. The rules are those of luft-lab ablate --adjudicate. */
#ifndef LUFT_SELFPLAY_LIVE_MATCH_H
#define LUFT_SELFPLAY_LIVE_MATCH_H

#include "lab/match/stats.h"
#include "lab/selfplay/selfplay.h"

typedef struct LiveMatch LiveMatch;

/* NULL, with the reason in *status: there is no such technique, the switches are constants, or no memory. The
 * network must stay. */
LiveMatch *live_match_create(const Network *network, TextView technique, uint64_t nodes, Status *status);
void live_match_destroy(LiveMatch *match); /* NULL is fine */

/* Two games from `start`, colours reversed. Every technique is on afterwards. */
void live_match_play_pair(LiveMatch *match, const Position *start);

/* From the side of the engine with all techniques. */
const PairCounts *live_match_pairs(const LiveMatch *match);
const GameCounts *live_match_games(const LiveMatch *match);

#endif
