/* What the lines of a search speak for. A search tells a line for each iteration. How much is lost hangs by
 * one move of a line: whether a pawn is taken on the way, where captures rest. So each line of the answer is
 * held against each better line, and the loss is told that the most points speak for: those of the loss,
 * times the share of the pairs that show it. Pure. */
#ifndef LUFT_EXPLAIN_WITNESS_H
#define LUFT_EXPLAIN_WITNESS_H

#include "explain/line.h"

enum { WITNESSES_MAX = 12 };

/* A line, and what it has cost on each board where captures rest. */
typedef struct Witness {
    int length, rest_count;
    Move move[LINE_PLIES_MAX];
    struct {
        int ply, net;           /* points that the side to move at the root has lost */
        PieceType lost, gained; /* the dearest of each; KING: none */
    } rest[LINE_PLIES_MAX + 1];
} Witness;

typedef struct Witnesses {
    int count;
    Witness witness[WITNESSES_MAX]; /* the last one is the deepest */
} Witnesses;

void witness_read(const Line *line, Witness *witness);

/* What is lost in a line, and not as much in another one. */
typedef struct Claim {
    int points; /* 0: nothing */
    PieceType dearest;
    int blame; /* points more than on the other line */
    int ply;   /* of the board at rest */
} Claim;

/* The first board at rest by which a side (`by_us`: the one to move at the root) has lost at least a point
 * more than on the other line, and at most `most` more. */
Claim witness_claim(const Witness *line, const Witness *other, bool by_us, int most);

/* The pair of lines that shows the loss which is told; of several as heavy the deepest. False when no pair
 * shows any loss. `is_missed`: the opponent's loss on the better line. */
typedef struct Agreement {
    int played, better; /* witnesses */
    bool is_missed;
} Agreement;
bool witness_agree(const Witnesses *played, const Witnesses *better, int most, Agreement *agreement);

#endif
