#include "lab/net/goldset.h"

#include "base/memory.h"
#include "lab/kit/results.h"
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
    buffer_append_string(out,
                         "\nloss in thousandths, its difference from the first network's, and the loss after "
                         "a rescaling\n");
    for (int n = 0; n < networks; n++) print_difference(set, errors, n, out);
}

static Status append_row(const char *net, const char *group, size_t positions, double error, int decimals,
                         const char *path) {
    ResultsRow row = {0};
    results_add_today(&row);
    results_add_text(&row, "commit", NULL);
    results_add_text(&row, "net", net);
    results_add_text(&row, "set", "gold");
    results_add_text(&row, "group", group);
    results_add(&row, "positions", "%zu", positions);
    results_add_number(&row, "error", error, decimals);
    results_add_text(&row, "note", NULL);
    return results_append(&row, path);
}

Status goldset_append_rows(const TrainingSet *set, const GoldErrors *errors, int networks, const char *path) {
    Status status = status_ok();
    for (int i = 0; i < GROUP_COUNT && status_is_ok(&status); i++) {
        const GroupErrors found = measure_group(set, errors, networks, &GROUPS[i]);
        for (int n = 0; n < networks && status_is_ok(&status); n++)
            status = append_row(errors[n].name, GROUPS[i].name, found.positions, found.root[n], 4, path);
    }
    for (int n = 0; n < networks && status_is_ok(&status); n++)
        status = append_row(errors[n].name, "loss, thousandths", set->training,
                            1000 * mean_square_of(set, &errors[n]), 3, path);
    return status;
}
