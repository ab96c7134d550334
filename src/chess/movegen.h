/* Legal moves. All functions generate strictly legal moves: pins and checks are masks, not trials. */
#ifndef LUFT_CHESS_MOVEGEN_H
#define LUFT_CHESS_MOVEGEN_H

#include "chess/position.h"

typedef struct MoveList {
    int count;
    Move move[MAX_MOVES];
} MoveList;

/* All legal moves, the captures and promotions alone, and all others alone. Each returns the number of moves
 * written to `moves`, which has room for MAX_MOVES. Who wants the quiet moves mostly has position_threats at
 * hand. */
int movegen_legal(const Position *pos, Move *moves);
int movegen_noisy(const Position *pos, Move *moves);
int movegen_quiet(const Position *pos, Bitboard threats, Move *moves);

/* The number of legal moves, without writing them. */
int movegen_count(const Position *pos);

/* Whether there is any legal move (mate and stalemate tests). */
bool movegen_has_legal(const Position *pos);

/* Whether `move`, any 16 bits at all (from a hash table, say), is legal here. */
bool movegen_is_legal(const Position *pos, Move move);

#endif
