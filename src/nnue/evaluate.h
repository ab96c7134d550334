/* The evaluation as search sees it: opaque, incremental, deterministic. Integers only.
 *
 * The hidden layer is kept along a line of moves: two accumulators (one for each side's view) for every ply,
 * updated only when asked for. A move changes a few inputs, so the accumulator is that of the ply before with
 * a few rows added and subtracted; when the own king crosses the middle of the board or goes to another king
 * bucket, all inputs change, and it is made from a cache: the last accumulator of that view, with the pieces
 * that differ since added and subtracted (an idea of Luecx in the engine Koivisto, there called Finny
 * tables). */
#ifndef LUFT_NNUE_EVALUATE_H
#define LUFT_NNUE_EVALUATE_H

#include "chess/position.h"
#include "nnue/arch.h"

enum { EVALUATOR_DEPTH = 256 /* pushes without a pop */ };

/* One thread's evaluator: follows make and unmake by the records of changes, updates itself lazily. */
typedef struct Evaluator Evaluator;

/* A loaded network, shared read-only by all evaluators. Search only hands it on. */
typedef struct Network Network;

/* An evaluator of `network`, which must outlive it, or of the embedded one for NULL. NULL when there is no
 * memory or the embedded network is refused (network_open_embedded says why). */
Evaluator *evaluator_create(const Network *network);
void evaluator_destroy(Evaluator *evaluator);

/* Starts at `pos`, and drops what was pushed before. The cache is kept. */
void evaluator_reset(Evaluator *evaluator, const Position *pos);

/* After each make-move and before each unmake-move. At most EVALUATOR_DEPTH deep. A null move costs nothing:
 * it shares the accumulators of the ply before. */
void evaluator_push(Evaluator *evaluator, const Changes *changes);
void evaluator_pop(Evaluator *evaluator);

/* The accumulator as `perspective` sees it, up to date; `pos` is the position reached. Valid until the next
 * call. */
const int16_t *evaluator_units(Evaluator *evaluator, const Position *pos, Color perspective);

/* The same, computed from the pieces alone, into `out`, which is aligned to KERNEL_ALIGNMENT bytes. */
void evaluator_compute_units(const Network *network, const Position *pos, Color perspective,
                             int16_t out[WIDTH_MAX]);

/* Updates both accumulators now, which evaluator_value would do first. For moments when the
 * processor waits for something else. `pos` must be the position reached. */
void evaluator_prepare(Evaluator *evaluator, const Position *pos);

/* Value for the side to move in internal units, from -VALUE_MAX to VALUE_MAX. `pos` must be the
 * position reached by the pushed moves. */
int evaluator_value(Evaluator *evaluator, const Position *pos);

/* What an evaluation is made of, for people. All values in internal units, for the side to move. */
typedef struct Inspection {
    int value;
    int buckets;                    /* that the network has */
    int used;                       /* the one that made `value` */
    int bucket_values[BUCKETS_MAX]; /* that each would give */
    bool has_worth[SQUARE_COUNT];   /* a piece or pawn stands there, no king */
    int worth[SQUARE_COUNT];        /* `value` less the value without that piece */
} Inspection;

/* Leaves the evaluator reset to `pos`. Slow: an evaluation for each piece. */
Inspection evaluator_inspect(Evaluator *evaluator, const Position *pos);

#endif
