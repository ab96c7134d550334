/* What the evaluation is made of, for people: `luft eval`. Not for search. */
#ifndef LUFT_NNUE_INSPECT_H
#define LUFT_NNUE_INSPECT_H

#include "nnue/evaluate.h"

/* All values in internal units, for the side to move. */
typedef struct Inspection {
    int value;
    int buckets; /* that the network has */
    int used;    /* the one that made `value` */
    int bucket_values[BUCKETS_MAX];
    bool has_worth[SQUARE_COUNT]; /* a piece or pawn stands there, no king */
    int worth[SQUARE_COUNT];      /* `value` less the value without that piece */
} Inspection;

/* Leaves the evaluator reset to `pos`. Slow: an evaluation for each piece. */
Inspection evaluator_inspect(Evaluator *evaluator, const Position *pos);

#endif
