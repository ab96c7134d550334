#include "lab/net/evalspeed.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "engine/bench.h"
#include "nnue/accumulator.h"
#include "nnue/evaluate.h"
#include "nnue/kernels.h"

#include <math.h>
#include <stdalign.h>

typedef struct Bench {
    const Network *network;
    Evaluator *evaluator;
    Position positions[BENCH_POSITIONS];
    MoveList moves[BENCH_POSITIONS];
    int64_t sum; /* of all values, so that the compiler can't skip an evaluation */
    long long done;
} Bench;

/* One round over all positions; counts what it did. */
typedef void Round(Bench *bench);

static void evaluate_refreshed(Bench *bench) {
    const NetworkWeights *weights = network_weights(bench->network);
    const Kernels *kernels = kernels_for_width(weights->width);
    alignas(KERNEL_ALIGNMENT) int16_t units[COLOR_COUNT][WIDTH_MAX];
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        const Position *pos = &bench->positions[i];
        accumulator_compute(bench->network, pos, WHITE, units[WHITE]);
        accumulator_compute(bench->network, pos, BLACK, units[BLACK]);
        const int bucket = output_bucket(bits_count(position_occupied(pos)), weights->buckets);
        const int32_t sum =
            kernels_output_sum(kernels, weights, bucket, units[pos->side], units[color_other(pos->side)]);
        bench->sum += network_value(bench->network, bucket, sum);
        bench->done++;
    }
}

static void evaluate_unchanged(Bench *bench) {
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        evaluator_reset(bench->evaluator, &bench->positions[i]);
        for (int n = 0; n < 200; n++) bench->sum += evaluator_value(bench->evaluator, &bench->positions[i]);
        bench->done += 200;
    }
}

ALWAYS_INLINE void make_all_moves(Bench *bench, bool evaluate) {
    for (int i = 0; i < BENCH_POSITIONS; i++) {
        Position *pos = &bench->positions[i];
        if (evaluate) evaluator_reset(bench->evaluator, pos);
        for (int n = 0; n < bench->moves[i].count; n++) {
            Undo undo;
            const Move move = bench->moves[i].move[n];
            position_make_move(pos, move, &undo);
            if (evaluate) {
                evaluator_push(bench->evaluator, &undo.changes);
                bench->sum += evaluator_value(bench->evaluator, pos);
                evaluator_pop(bench->evaluator);
            }
            position_unmake_move(pos, move, &undo);
        }
        bench->done += bench->moves[i].count;
    }
}

static void evaluate_moves(Bench *bench) { make_all_moves(bench, true); }
static void make_moves_only(Bench *bench) { make_all_moves(bench, false); }

/* Nanoseconds for each thing done, the fastest of many short runs: what disturbs a run only makes it longer.
 */
static double measure(Bench *bench, Round *round, double seconds) {
    const int64_t end = clock_microseconds() + llround(seconds * 1e6);
    double best = INFINITY;
    do {
        const long long before = bench->done;
        const int64_t start = clock_microseconds();
        for (int i = 0; i < 4; i++) round(bench);
        const double time = (double)(clock_microseconds() - start) * 1000;
        best = fmin(best, time / (double)(bench->done - before));
    } while (clock_microseconds() < end);
    return best;
}

static Status set_up(Bench *bench) {
    Status status = status_ok();
    for (int i = 0; i < BENCH_POSITIONS && status_is_ok(&status); i++) {
        status = bench_set_up(&bench->positions[i], i);
        bench->moves[i].count = movegen_legal(&bench->positions[i], bench->moves[i].move);
    }
    return status;
}

static void measure_all(Bench *bench, double seconds, EvalSpeed *speed) {
    speed->refreshed = measure(bench, evaluate_refreshed, seconds / 4);
    speed->unchanged = measure(bench, evaluate_unchanged, seconds / 4);
    speed->incremental = measure(bench, evaluate_moves, seconds / 4);
    speed->incremental -= measure(bench, make_moves_only, seconds / 4);
    speed->evaluations = bench->done;
}

Status evalspeed_measure(const Network *network, double seconds, EvalSpeed *speed) {
    Bench *bench = memory_allocate(sizeof *bench);
    if (bench == NULL) return status_no_memory("the positions");
    bench->network = network;
    bench->evaluator = evaluator_create(network);
    Status status = bench->evaluator == NULL ? status_no_memory("the evaluator") : set_up(bench);
    if (status_is_ok(&status)) measure_all(bench, seconds, speed);
    evaluator_destroy(bench->evaluator);
    memory_release(bench);
    return status;
}
