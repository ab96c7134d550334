#include "lab/net/goldset.h"

#include "base/memory.h"
#include "nnue/evaluate.h"
#include "search/score.h"

#include <math.h>
#include <stdlib.h>

Status goldset_read(char *path, TrainingSet *set) {
    const LoaderFilter filter = {.max_score = SCORE_WIN - 1, .keep_checks = true, .keep_noisy = true};
    long long torn;
    return loader_read(NULL, &path, 1, &filter, set, &torn);
}

static double expected_score(double value) { return 1 / (1 + exp(-value / GOLD_SCALE)); }

static double error_of(const TrainingPosition *position, double value) {
    return expected_score(value) - expected_score(position->score);
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
    if (ready) fit_factor(set, values, errors);
    evaluator_destroy(evaluator);
    memory_release(values);
    return ready ? status_ok() : status_no_memory("the gold set");
}

/* --- the table --- */

typedef int Measure(const TrainingPosition *position);
static int pieces_of(const TrainingPosition *position) { return position->count; }
static int score_of(const TrainingPosition *position) { return abs(position->score); }

static void print_row(const TrainingSet *set, const GoldErrors *errors, int networks, Measure *measure,
                      int low, int high, TextBuffer *out) {
    double sums[GOLD_NETWORKS_MAX] = {0};
    size_t count = 0;
    for (size_t i = 0; i < set->training; i++) {
        const int size = measure(&set->positions[i]);
        if (size < low || size > high) continue;
        count++;
        for (int n = 0; n < networks; n++) sums[n] += errors[n].error[i] * errors[n].error[i];
    }
    buffer_append_format(out, " %9zu", count);
    for (int n = 0; n < networks; n++)
        buffer_append_format(out, "  %10.4f", count ? sqrt(sums[n] / (double)count) : 0);
    buffer_append_string(out, "\n");
}

static void print_rows(const TrainingSet *set, const GoldErrors *errors, int networks, const char *what,
                       Measure *measure, const int *limits, int count, TextBuffer *out) {
    for (int i = 0; i + 1 < count; i++) {
        buffer_append_format(out, "%-6s %5d - %-5d", what, limits[i], limits[i + 1] - 1);
        print_row(set, errors, networks, measure, limits[i], limits[i + 1] - 1, out);
    }
}

static double mean_square_of(const TrainingSet *set, const GoldErrors *errors) {
    double sum = 0;
    for (size_t i = 0; i < set->training; i++) sum += errors->error[i] * errors->error[i];
    return sum / (double)set->training;
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
                         errors[network].name, 1000 * mean_square_of(set, &errors[network]), mean,
                         1.96 * sqrt(fmax(squares / count - mean * mean, 0) / count),
                         1000 * errors[network].fitted, errors[network].factor);
}

void goldset_print(const TrainingSet *set, const GoldErrors *errors, int networks, TextBuffer *out) {
    static const int PIECES[] = {3, 6, 9, 13, 17, 23, 29, 33};
    static const int SCORES[] = {0, 50, 100, 200, 400, 800, SCORE_WIN};
    buffer_append_string(out, "root of the mean squared error of the expected score\n");
    buffer_append_format(out, "%20s %9s", "", "positions");
    for (int n = 0; n < networks; n++) buffer_append_format(out, "  %10.10s", errors[n].name);
    buffer_append_string(out, "\nall                 ");
    print_row(set, errors, networks, pieces_of, 0, PIECES_MAX, out);
    print_rows(set, errors, networks, "pieces", pieces_of, PIECES, sizeof PIECES / sizeof *PIECES, out);
    print_rows(set, errors, networks, "score", score_of, SCORES, sizeof SCORES / sizeof *SCORES, out);
    buffer_append_string(out,
                         "\nloss in thousandths, its difference from the first network's, and the loss after "
                         "a rescaling\n");
    for (int n = 0; n < networks; n++) print_difference(set, errors, n, out);
}
