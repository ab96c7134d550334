/* How likely each legal move is the one that was played, learned while coding. The chance of a move is the
 * exponential of a sum of weights, one from each of several tables: what kind of move it is, where its piece
 * goes, what it attacks, what the moves before it were, how the pawns stand. After each move the weights
 * follow the gradient. Integers only, and no rule that the search may change: a file reads back the same
 * everywhere and always. */
#ifndef LUFT_DATA_MOVEMODEL_H
#define LUFT_DATA_MOVEMODEL_H
#include "chess/movegen.h"
#include "lab/data/rangecoder.h"

typedef struct MoveModel MoveModel;

MoveModel *movemodel_create(void); /* some 4 MiB; NULL when there is no memory */
void movemodel_destroy(MoveModel *model);
/* Forgets everything. Whether it sees what a move attacks; earlier versions of the file format did not. */
void movemodel_reset(MoveModel *model, bool sees_targets);

typedef struct MoveClues {
    Move previous, own_last; /* the last two moves of the game; MOVE_NONE: there is none */
    int rise;                /* of the score since the ply before, side to move */
} MoveClues;

/* Writes and returns `move`, or ignores it and returns the one read: one of the `count` legal moves, which
 * must come in the order of their numbers. */
Move movemodel_code(MoveModel *model, RangeCoder *coder, const Position *pos, const MoveClues *clues,
                    const Move *legal, int count, Move move);

#endif
