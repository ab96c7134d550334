/* What a game of datagen leaves to chance: the start, the random moves and where they are played. All of it
 * follows from the seed of the run, the number of the game and of the attempt at its opening: a file keeps
 * these numbers in place of the moves. So everything here is part of the file format, and nothing depends on
 * rules that the search may change. Pure. */
#ifndef LUFT_DATA_SEEDED_H
#define LUFT_DATA_SEEDED_H

#include "chess/fen.h"
#include "chess/position.h"

#include <stdbool.h>
#include <stdint.h>

/* Whoever changes a number that follows from a key raises the version of the files. `attempt` counts from 1.
 */
uint64_t seeded_key(uint64_t seed, uint64_t number, uint32_t attempt);

/* In [0, 1): a game begins with few pieces, or from Chess960 arrays, when it is below the share of those. */
double seeded_few_pieces_chance(uint64_t key);
double seeded_chess960_chance(uint64_t key);

/* Whether the opening has one ply more than others: then the other side comes to move first. */
bool seeded_is_longer(uint64_t key);

/* The arrays of White and Black. */
void seeded_chess960(uint64_t key, int *white, int *black);

/* A position of six to ten pieces and pawns, with no king in check that is not to move. */
void seeded_few_pieces(uint64_t key, char fen[FEN_CAPACITY]);

/* In [0, 1): after the opening a random move is played at a ply when it is below the share of those. */
double seeded_random_move_chance(uint64_t key, int ply);

/* One of the legal moves, which must come in the order of their numbers: one that does not simply lose the
 * piece that moves, or any if all do. */
Move seeded_move(uint64_t key, int ply, const Position *pos, const Move *legal, int count);

/* Brings legal moves into that order: the order of generation is no part of the format. */
void seeded_sort_moves(Move *moves, int count);

#endif
