/* Positions to measure networks on: one of each game, judged by a search far deeper than those of the game.
 * A network reports its error there (`luft-lab net gold`), and no network learns from them. */
#ifndef LUFT_SELFPLAY_GOLD_H
#define LUFT_SELFPLAY_GOLD_H

#include "lab/selfplay/selfplay.h"

enum { GOLD_MIN_PLY = 16 };

/* Picks a position of a finished game at random, such as a search asks the network about (not in check, the
 * best move quiet, neither king alone, no mate found), and searches it with exactly `nodes` nodes. The game
 * then ends with this ply: its move and score are those of the search, no other ply keeps its score, and the
 * result is that of the whole game. False when the game has no such position: it is of no use then. Adds to
 * `*searched`. */
bool gold_keep_one(RecordedGame *game, Player *player, Rng *rng, uint64_t nodes, uint64_t *searched);

#endif
