/* The hidden layer along a line of moves: two accumulators (one for each side's view) for every ply, updated
 * only when asked for. A move changes a few inputs, so the accumulator is that of the ply before with a few
 * rows added and subtracted; when the own king crosses the middle of the board or goes to another king
 * bucket, all inputs change, and it is made from a cache: the last accumulator of that view, with the pieces
 * that differ since added and subtracted (an idea of Luecx in the engine Koivisto, there called Finny
 * tables). One thread works on one AccumulatorStack. */
#ifndef LUFT_NNUE_ACCUMULATOR_H
#define LUFT_NNUE_ACCUMULATOR_H

#include "chess/position.h"
#include "nnue/network.h"

typedef struct AccumulatorStack AccumulatorStack;

/* For up to `depth` pushes. The network must outlive it. NULL when there is no memory. */
AccumulatorStack *accumulator_create(const Network *network, int depth);
void accumulator_destroy(AccumulatorStack *stack);

/* Starts at `pos`, and drops what was pushed before. The cache is kept. */
void accumulator_reset(AccumulatorStack *stack, const Position *pos);

/* Empties the cache, so that the next refresh adds every piece. For measuring. */
void accumulator_forget(AccumulatorStack *stack);

/* Follows make and unmake. A null move costs nothing: it shares the accumulators of the ply before. */
void accumulator_push(AccumulatorStack *stack, const Changes *changes);
void accumulator_pop(AccumulatorStack *stack);

/* The accumulator of the current ply as `perspective` sees it, up to date; `pos` is the position reached.
 * Valid until the next call. */
const int16_t *accumulator_get(AccumulatorStack *stack, const Position *pos, Color perspective);

/* The same, computed from the pieces alone, into `out`, which is aligned to KERNEL_ALIGNMENT bytes. */
void accumulator_compute(const Network *network, const Position *pos, Color perspective,
                         int16_t out[WIDTH_MAX]);

#endif
