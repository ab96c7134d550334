/* What is going on in a position, before any move: what the side to move can win and what the other one
 * threatens (proved by a pass), pieces in trouble, and the positional facts on which the network's value
 * hangs. */
#ifndef LUFT_OVERVIEW_OVERVIEW_H
#define LUFT_OVERVIEW_OVERVIEW_H

#include "explain/explain.h"
#include "overview/trouble.h"

typedef struct Overview {
    Position pos;
    Explanation best; /* of the best move: what its line achieves, compared with nothing */
    Explanation
        threat; /* of the opponent's best move after a pass, the same; no line: in check, nobody passes */
    int pass;   /* the score of the pass, for the side to move, in internal units */
    bool has_threat; /* the pass is worse than the best move, and then the opponent mates or wins material; or
                        it is worse by a pawn, whatever the opponent does */
    Trouble trouble[2 * TROUBLES_MAX]; /* the dearest piece first */
    int trouble_count;
    FactReason
        fact[FACTS_TRIED]; /* that stand on the board, those that are proved first; `line`: of `best` */
    int fact_count;
    uint64_t nodes; /* of all searches */
} Overview;

/* Looks at a position with a legal move, with two searches of about `nodes` nodes and half of them. Fails
 * only without memory. Stopped early, it has what was found. Release the result. */
Status overview_find(Explainer *explainer, const Position *pos, uint64_t nodes, Overview *overview);
void overview_release(Overview *overview);

/* Writes it: sentences, then the best line and the threat. docs/explain.md has the JSON. */
void overview_write(Document *document, const Overview *overview);

#endif
