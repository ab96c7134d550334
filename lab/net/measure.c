#include "lab/net/measure.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "engine/bench.h"
#include "engine/chances.h"
#include "lab/kit/results.h"
#include "nnue/evaluate.h"
#include "nnue/kernels.h"
#include "search/score.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

Status goldset_read(char *path, TrainingSet *set) {
    const LoaderFilter filter = {
        .plies = {.max_score = SCORE_WIN - 1, .keep_checks = true, .keep_noisy = true}};
    long long torn;
    return loader_read(NULL, &path, 1, &filter, set, &torn);
}

static double error_of(const TrainingPosition *position, double value) {
    return chances_logistic(value, GOLD_SCALE) - chances_logistic(position->score, GOLD_SCALE);
}

static double mean_square(const TrainingSet *set, const int *values, double factor) {
    double sum = 0;
    for (size_t i = 0; i < set->training; i++) {
        const double error = error_of(&set->positions[i], factor * values[i]);
        sum += error * error;
    }
    return sum / (double)set->training;
}

/* The loss has one valley in the factor: a search by thirds. */
static void fit_factor(const TrainingSet *set, const int *values, GoldErrors *errors) {
    double low = 0.2, high = 5;
    for (int i = 0; i < 30; i++) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;
        if (mean_square(set, values, left) < mean_square(set, values, right))
            high = right;
        else
            low = left;
    }
    errors->factor = (low + high) / 2;
    errors->fitted = mean_square(set, values, errors->factor);
}

Status goldset_measure(const TrainingSet *set, const Network *network, GoldErrors *errors) {
    Evaluator *evaluator = evaluator_create(network);
    int *values = memory_allocate((set->training + 1) * sizeof *values);
    errors->name = network_name(network);
    errors->error = memory_allocate((set->training + 1) * sizeof *errors->error);
    const bool ready = evaluator != NULL && values != NULL && errors->error != NULL;
    for (size_t i = 0; ready && i < set->training; i++) {
        Position pos;
        loader_unpack(&set->positions[i], &pos);
        evaluator_reset(evaluator, &pos);
        values[i] = evaluator_value(evaluator, &pos);
        errors->error[i] = error_of(&set->positions[i], values[i]);
    }
    if (ready) {
        errors->loss = mean_square(set, values, 1);
        fit_factor(set, values, errors);
    }
    evaluator_destroy(evaluator);
    memory_release(values);
    return ready ? status_ok() : status_no_memory("the gold set");
}

/* --- the table --- */

typedef int Measure(const TrainingPosition *position);
static int pieces_of(const TrainingPosition *position) { return position->count; }
static int score_of(const TrainingPosition *position) { return abs(position->score); }

/* Positions of a size within limits. */
static const struct Group {
    const char *name;
    Measure *measure;
    int low, high;
} GROUPS[] = {{"all", pieces_of, 0, PIECES_MAX},        {"3 to 5 pieces", pieces_of, 3, 5},
              {"6 to 8 pieces", pieces_of, 6, 8},       {"9 to 12 pieces", pieces_of, 9, 12},
              {"13 to 16 pieces", pieces_of, 13, 16},   {"17 to 22 pieces", pieces_of, 17, 22},
              {"23 to 28 pieces", pieces_of, 23, 28},   {"29 to 32 pieces", pieces_of, 29, 32},
              {"score within 49", score_of, 0, 49},     {"score 50 to 99", score_of, 50, 99},
              {"score 100 to 199", score_of, 100, 199}, {"score 200 to 399", score_of, 200, 399},
              {"score 400 to 799", score_of, 400, 799}, {"score 800 and more", score_of, 800, SCORE_WIN}};
enum { GROUP_COUNT = sizeof GROUPS / sizeof *GROUPS };

/* The root of the mean squared error of each network in a group; 0 where it has no positions. */
typedef struct GroupErrors {
    size_t positions;
    double root[GOLD_NETWORKS_MAX];
} GroupErrors;

static GroupErrors measure_group(const TrainingSet *set, const GoldErrors *errors, int networks,
                                 const struct Group *group) {
    GroupErrors found = {0};
    for (size_t i = 0; i < set->training; i++) {
        const int size = group->measure(&set->positions[i]);
        if (size < group->low || size > group->high) continue;
        found.positions++;
        for (int n = 0; n < networks; n++) found.root[n] += errors[n].error[i] * errors[n].error[i];
    }
    for (int n = 0; n < networks && found.positions > 0; n++)
        found.root[n] = sqrt(found.root[n] / (double)found.positions);
    return found;
}

/* Of the mean squared error, in thousandths: both on the same positions, so that most of the chance of the
 * draw cancels out. */
static void print_difference(const TrainingSet *set, const GoldErrors *errors, int network, TextBuffer *out) {
    double sum = 0, squares = 0;
    const double count = (double)set->training;
    for (size_t i = 0; i < set->training; i++) {
        const double first = errors[0].error[i], other = errors[network].error[i];
        const double difference = 1000 * (other * other - first * first);
        sum += difference;
        squares += difference * difference;
    }
    const double mean = sum / count;
    buffer_append_format(out, "  %-20.20s %8.3f  %+8.3f +- %.3f  %8.3f at %.3f of its values\n",
                         errors[network].name, 1000 * errors[network].loss, mean,
                         1.96 * sqrt(fmax(squares / count - mean * mean, 0) / count),
                         1000 * errors[network].fitted, errors[network].factor);
}

void goldset_print(const TrainingSet *set, const GoldErrors *errors, int networks, TextBuffer *out) {
    buffer_append_string(out, "root of the mean squared error of the expected score\n");
    buffer_append_format(out, "%20s %9s", "", "positions");
    for (int n = 0; n < networks; n++) buffer_append_format(out, "  %10.10s", errors[n].name);
    buffer_append_string(out, "\n");
    for (int i = 0; i < GROUP_COUNT; i++) {
        const GroupErrors found = measure_group(set, errors, networks, &GROUPS[i]);
        buffer_append_format(out, "%-20s %9zu", GROUPS[i].name, found.positions);
        for (int n = 0; n < networks; n++) buffer_append_format(out, "  %10.4f", found.root[n]);
        buffer_append_string(out, "\n");
    }
    buffer_append_string(
        out,
        "\nloss in thousandths, its difference from the first network's, and the loss after a rescaling\n");
    for (int n = 0; n < networks; n++) print_difference(set, errors, n, out);
}

static Status append_row(const char *set, const char *net, const char *group, size_t positions, double error,
                         int decimals, const char *path) {
    ResultsRow row = {0};
    results_add_today(&row);
    results_add_text(&row, "commit", NULL);
    results_add_text(&row, "net", net);
    results_add_text(&row, "set", set);
    results_add_text(&row, "group", group);
    results_add(&row, "positions", "%zu", positions);
    results_add_number(&row, "error", error, decimals);
    results_add_text(&row, "note", NULL);
    return results_append(&row, path);
}

Status goldset_append_rows(const char *file, const TrainingSet *set, const GoldErrors *errors, int networks,
                           const char *path) {
    const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file;
    char name[64];
    text_format(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    Status status = status_ok();
    for (int i = 0; i < GROUP_COUNT && status_is_ok(&status); i++) {
        const GroupErrors found = measure_group(set, errors, networks, &GROUPS[i]);
        for (int n = 0; n < networks && status_is_ok(&status); n++)
            status =
                append_row(name, errors[n].name, GROUPS[i].name, found.positions, found.root[n], 4, path);
    }
    for (int n = 0; n < networks && status_is_ok(&status); n++)
        status = append_row(name, errors[n].name, "loss, thousandths", set->training, 1000 * errors[n].loss,
                            3, path);
    return status;
}

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
        evaluator_compute_units(bench->network, pos, WHITE, units[WHITE]);
        evaluator_compute_units(bench->network, pos, BLACK, units[BLACK]);
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
