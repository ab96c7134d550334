/* How long an evaluation takes, without the search around it: over the positions of bench and every legal
 * move in them. One thread. */
#ifndef LUFT_NET_EVALSPEED_H
#define LUFT_NET_EVALSPEED_H

#include "nnue/network.h"

/* Average nanoseconds of one evaluation. */
typedef struct EvalSpeed {
    double refreshed;   /* every piece added again, for both sides */
    double incremental; /* after one move, from the accumulators of the position before */
    double unchanged;   /* accumulators ready: clamp, square and weigh */
    long long evaluations;
} EvalSpeed;

/* Measures for about `seconds` in all. */
Status evalspeed_measure(const Network *network, double seconds, EvalSpeed *speed);

#endif
