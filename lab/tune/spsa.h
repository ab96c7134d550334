/* SPSA, simultaneous perturbation stochastic approximation: finds good values for many numbers at once from
 * results that are mostly noise. In each step every number is moved, up or down at random; one player gets
 * these values, the other those with every move reversed. The result of their games then moves each number a
 * little to the winner's side. The number of games that this takes does not depend on how many numbers there
 * are.
 *
 * Source: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
 * approximation", IEEE Transactions on Automatic Control 37 (1992). The schedule is given by its end, as in
 * Fishtest and OpenBench. With pairs of games counted k = 1 .. N, c_end how far a number is moved at the end,
 * and r_end the learning rate at the end:
 *
 *   c(k) = c_end * N^gamma / k^gamma                       how far a number is moved
 *   a(k) = r_end * c_end^2 * (A + N)^alpha / (A + k)^alpha
 *   r(k) = a(k) / c(k)^2
 *   value += r(k) * c(k) * (wins - losses of the upper player) * (its move: +1 or -1)
 *
 * The c_end of a number is its step, times the spread of the settings.
 *
 * All randomness comes from the seed and the number of the step. Pure but for the memory it holds; one thread
 * at a time. */
#ifndef LUFT_TUNE_SPSA_H
#define LUFT_TUNE_SPSA_H

#include "base/field.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SPSA_PARAMS_MAX = 256,
    SPSA_NAME_CAPACITY = 64,
    SPSA_STEPS_MAX = 256, /* steps under way at once */
    SPSA_PAIRS_MAX = 10000000,
    SPSA_WIN = 1000,          /* results count in thousandths of a won game */
    SPSA_RESULT_MAX = 100000, /* of a pair, either way */
};

typedef struct SpsaParam {
    char name[SPSA_NAME_CAPACITY];
    int start, low, high;
    double step; /* above 0 */
} SpsaParam;

typedef struct SpsaSettings {
    int64_t pairs;          /* of games, in all: N */
    int64_t pairs_per_step; /* with the same moves; their results are added up */
    double rate;            /* r_end */
    double alpha, gamma;
    double stability; /* A, as a share of N */
    uint64_t seed;
    double spread; /* c_end of a number, in its steps */
} SpsaSettings;

extern const Field SPSA_FIELDS[];

/* What the schedule says at a pair, for a number whose step is 1: c(k) and r(k). r is the same for all. */
typedef struct SpsaGains {
    double spread, rate;
} SpsaGains;

/* `k` counts pairs from 1. */
SpsaGains spsa_gains(const SpsaSettings *settings, int64_t k);

/* A step that was begun; it counts when its last pair is finished. */
typedef struct SpsaStep {
    int64_t number;                /* from 0 */
    int64_t finished;              /* pairs */
    int64_t result;                /* wins - losses of the upper player, in 1/SPSA_WIN */
    double value[SPSA_PARAMS_MAX]; /* of the numbers when it was begun */
} SpsaStep;

typedef struct Spsa {
    SpsaSettings settings;
    int param_count;
    SpsaParam param[SPSA_PARAMS_MAX];
    double value[SPSA_PARAMS_MAX]; /* now: unrounded, within low and high */
    int64_t steps_begun;
    int64_t finished, discarded; /* pairs; those discarded count as finished */
    int64_t next;                /* every pair below is taken or finished */
    uint8_t *pair;               /* of each: open, taken or finished */
    int step_count;              /* under way */
    SpsaStep *step;
} Spsa;

/* Starts at the numbers' own values. The reason of a failure names the setting or number that makes no sense.
 * Release in any case. */
Status spsa_begin(Spsa *spsa, const SpsaSettings *settings, const SpsaParam *params, int count);
void spsa_release(Spsa *spsa);

/* Takes the lowest pair (from 0) that is open; -1 when there is none, or too many steps are under way. A pair
 * that is the first of its step begins it: `steps_begun` then has grown. */
int64_t spsa_take(Spsa *spsa);

/* The values for both players of a pair whose step is under way: whole numbers, rounded by chance so that
 * their mean is right, within low and high. */
void spsa_get_values(const Spsa *spsa, int64_t pair, int upper[SPSA_PARAMS_MAX], int lower[SPSA_PARAMS_MAX]);

/* Counts a pair whose step is under way: wins - losses of the upper player in 1/SPSA_WIN; or without a
 * result.
 */
void spsa_finish(Spsa *spsa, int64_t pair, int result);
void spsa_discard(Spsa *spsa, int64_t pair);

/* For carrying on: the events of an earlier run in their order, steps begun and pairs finished, lead to the
 * same state. These return whether the next event is possible. */
bool spsa_begin_step(Spsa *spsa, int64_t number);
bool spsa_awaits(const Spsa *spsa, int64_t pair);

#endif
