#include "lab/tune/spsa.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define FIELD_STRUCT SpsaSettings
#define RESULT       .flags = FIELD_RESULT
const Field SPSA_FIELDS[] = {
    {FIELD_HEADING("The schedule (lab/tune/spsa.h):")},
    {FIELD_WHOLE("iterations", "N", pairs, 1, SPSA_PAIRS_MAX, "10k",
                 "pairs of games, or stretches, in all; the schedule depends on it"),
     RESULT},
    {FIELD_WHOLE("pairs-per-step", "N", pairs_per_step, 1, SPSA_PAIRS_MAX, "1",
                 "pairs between two random moves of the numbers"),
     RESULT},
    {FIELD_REAL("learning-rate", "X", rate, 1e-9, 1, NULL,
                "r_end, the learning rate at the end (default 0.002; 0.005 with --moves)"),
     RESULT},
    {FIELD_REAL("alpha", "X", alpha, 0, 2, "0.602", "how fast the learning rate falls"), RESULT},
    {FIELD_REAL("gamma", "X", gamma, 0, 2, "0.101", "how fast the moves of the numbers shrink"), RESULT},
    {FIELD_REAL("A", "X", stability, 0, 100, "0.1",
                "delay of the learning rate's fall, as a share of the iterations"),
     RESULT},
    {FIELD_REAL("spread", "X", spread, 1e-3, 100, NULL,
                "c_end in steps of params.def (default 1; 3 with --moves)"),
     RESULT},
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, "1", "of all random choices"), RESULT},
    {0}};

enum { PAIR_OPEN, PAIR_TAKEN, PAIR_FINISHED };

SpsaGains spsa_gains(const SpsaSettings *settings, int64_t k) {
    const double pairs = (double)settings->pairs, now = (double)k, stability = settings->stability * pairs;
    const double spread = pow(pairs / now, settings->gamma);
    const double gain = settings->rate * pow((stability + pairs) / (stability + now), settings->alpha);
    return (SpsaGains){spread * settings->spread, gain / (spread * spread)};
}

/* --- steps --- */

static int64_t step_of(const Spsa *spsa, int64_t pair) { return pair / spsa->settings.pairs_per_step; }

/* A step has the gains of its first pair. */
static SpsaGains gains_of(const Spsa *spsa, int64_t step) {
    return spsa_gains(&spsa->settings, step * spsa->settings.pairs_per_step + 1);
}

/* The last step may have fewer pairs. */
static int64_t pairs_in(const Spsa *spsa, int64_t step) {
    const int64_t first = step * spsa->settings.pairs_per_step, rest = spsa->settings.pairs - first;
    return rest < spsa->settings.pairs_per_step ? rest : spsa->settings.pairs_per_step;
}

static SpsaStep *find_step(const Spsa *spsa, int64_t number) {
    for (int i = 0; i < spsa->step_count; i++)
        if (spsa->step[i].number == number) return &spsa->step[i];
    return NULL;
}

/* A number's move in a step, +1 or -1, and how much is added before its fraction is cut off. Both are drawn
 * number by number from the step's stream, so that they need not be remembered. */
static int next_move(Rng *rng, double *addend) {
    const int move = rng_next(rng) >> 63 != 0 ? 1 : -1;
    *addend = rng_unit(rng);
    return move;
}

static double clamp(const SpsaParam *param, double value) {
    return fmax(param->low, fmin(param->high, value));
}

/* The whole number that stands for `value`. */
static int round_at(double addend, const SpsaParam *param, double value) {
    return int_clamp((int)floor(clamp(param, value) + addend), param->low, param->high);
}

static void move_values(Spsa *spsa, const SpsaStep *step) {
    SpsaGains gains = gains_of(spsa, step->number);
    const double result = (double)step->result / SPSA_WIN;
    Rng rng = rng_stream(spsa->settings.seed, (uint64_t)step->number);
    for (int i = 0; i < spsa->param_count; i++) {
        const SpsaParam *param = &spsa->param[i];
        double addend, spread = gains.spread * param->step;
        const int move = next_move(&rng, &addend);
        spsa->value[i] = clamp(param, spsa->value[i] + gains.rate * spread * result * move);
    }
}

void spsa_get_values(const Spsa *spsa, int64_t pair, int upper[SPSA_PARAMS_MAX], int lower[SPSA_PARAMS_MAX]) {
    const SpsaStep *step = find_step(spsa, step_of(spsa, pair));
    assert(step != NULL);
    const double spread = gains_of(spsa, step->number).spread;
    Rng rng = rng_stream(spsa->settings.seed, (uint64_t)step->number);
    for (int i = 0; i < spsa->param_count; i++) {
        const SpsaParam *param = &spsa->param[i];
        double addend, move = next_move(&rng, &addend) * spread * param->step;
        /* The same addend for both: the players differ by what the moves say, with as little noise as whole
         * numbers allow. */
        upper[i] = round_at(addend, param, step->value[i] + move);
        lower[i] = round_at(addend, param, step->value[i] - move);
    }
}

bool spsa_begin_step(Spsa *spsa, int64_t number) {
    const int64_t first = number * spsa->settings.pairs_per_step;
    if (number != spsa->steps_begun || first >= spsa->settings.pairs || spsa->step_count == SPSA_STEPS_MAX)
        return false;
    SpsaStep *step = &spsa->step[spsa->step_count++];
    step->number = number;
    step->finished = step->result = 0;
    memcpy(step->value, spsa->value, sizeof step->value);
    spsa->steps_begun++;
    return true;
}

/* --- pairs --- */

int64_t spsa_take(Spsa *spsa) {
    while (spsa->next < spsa->settings.pairs && spsa->pair[spsa->next] != PAIR_OPEN) spsa->next++;
    if (spsa->next == spsa->settings.pairs) return -1;
    const int64_t step = step_of(spsa, spsa->next);
    if (step == spsa->steps_begun && !spsa_begin_step(spsa, step)) return -1;
    spsa->pair[spsa->next] = PAIR_TAKEN;
    return spsa->next++;
}

bool spsa_awaits(const Spsa *spsa, int64_t pair) {
    return pair >= 0 && pair < spsa->settings.pairs && spsa->pair[pair] != PAIR_FINISHED &&
           step_of(spsa, pair) < spsa->steps_begun;
}

void spsa_finish(Spsa *spsa, int64_t pair, int result) {
    assert(spsa_awaits(spsa, pair) && result >= -SPSA_RESULT_MAX && result <= SPSA_RESULT_MAX);
    SpsaStep *step = find_step(spsa, step_of(spsa, pair));
    assert(step != NULL);
    spsa->pair[pair] = PAIR_FINISHED;
    spsa->finished++;
    step->result += result;
    if (++step->finished < pairs_in(spsa, step->number)) return;
    move_values(spsa, step);
    *step = spsa->step[--spsa->step_count];
}

void spsa_discard(Spsa *spsa, int64_t pair) {
    spsa->discarded++;
    spsa_finish(spsa, pair, 0);
}

/* --- begin and end --- */

static Status check_settings(const SpsaSettings *settings) {
    if (settings->pairs < 1 || settings->pairs > SPSA_PAIRS_MAX)
        return status_error("the number of pairs must be from 1 to %d", SPSA_PAIRS_MAX);
    if (settings->pairs_per_step < 1 || settings->pairs_per_step > settings->pairs)
        return status_error("a step must have from 1 pair to all of them");
    if (!(settings->spread > 0)) return status_error("the spread of the numbers must be above 0");
    if (!(settings->rate > 0)) return status_error("the rate of learning must be above 0");
    if (!(settings->alpha >= 0) || !(settings->gamma >= 0) || !(settings->stability >= 0))
        return status_error("alpha, gamma and A must not be below 0");
    return status_ok();
}

static Status check_params(const SpsaParam *params, int count) {
    if (count < 1 || count > SPSA_PARAMS_MAX)
        return status_error("from 1 to %d numbers can be tuned at once, not %d", SPSA_PARAMS_MAX, count);
    for (int i = 0; i < count; i++) {
        if (params[i].low >= params[i].high || !(params[i].step > 0))
            return status_error("%s leaves nothing to tune: it may be from %d to %d, in steps of %g",
                                params[i].name, params[i].low, params[i].high, params[i].step);
        if (params[i].start < params[i].low || params[i].start > params[i].high)
            return status_error("%s starts at %d, but may only be from %d to %d", params[i].name,
                                params[i].start, params[i].low, params[i].high);
    }
    return status_ok();
}

Status spsa_begin(Spsa *spsa, const SpsaSettings *settings, const SpsaParam *params, int count) {
    memset(spsa, 0, sizeof *spsa);
    Status status = check_settings(settings);
    if (status_is_ok(&status)) status = check_params(params, count);
    if (!status_is_ok(&status)) return status;
    spsa->settings = *settings;
    spsa->param_count = count;
    memcpy(spsa->param, params, (size_t)count * sizeof *params);
    for (int i = 0; i < count; i++) spsa->value[i] = params[i].start;
    spsa->pair = memory_allocate((size_t)settings->pairs * sizeof *spsa->pair);
    spsa->step = memory_allocate(SPSA_STEPS_MAX * sizeof *spsa->step);
    return spsa->pair != NULL && spsa->step != NULL ? status : status_no_memory("the pairs of games");
}

void spsa_release(Spsa *spsa) {
    memory_release(spsa->pair);
    memory_release(spsa->step);
    spsa->pair = NULL;
    spsa->step = NULL;
}
