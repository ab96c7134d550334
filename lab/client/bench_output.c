#include "lab/client/bench_output.h"

#include "base/clock.h"
#include "base/file.h"
#include "lab/kit/process.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The slowest single position of a deep bench; longer silence is taken for a hang. */
static const int64_t SILENCE_LIMIT = 600 * INT64_C(1000000);

/* Lines in a row that are no part of a bench: then it is none. */
enum { SETTINGS_MAX = 12, IDLE_LINES_MAX = 100000 };

double bench_output_seconds(const BenchOutput *result) {
    return result->nps > 0 ? (double)result->nodes / (double)result->nps : 0;
}

/* The value after `key` ("nodes=") in the line, up to white space; empty when there is none. */
static TextView value_of(TextView line, const char *key) {
    for (TextView word = text_next_word(&line); !text_is_empty(word); word = text_next_word(&line)) {
        if (!text_starts_with(word, key)) continue;
        const size_t skip = strlen(key);
        return (TextView){word.data + skip, word.length - skip};
    }
    return text_view("");
}

static void parse_position(TextView line, BenchOutput *result) {
    TextView nodes = value_of(line, "nodes="), time = value_of(line, "time=");
    if (!text_is_empty(time) && time.data[time.length - 1] == 's') time.length--;
    BenchLine position = {0};
    if (result->lines == BENCH_LINES_MAX) return;
    if (!text_parse_uint64(nodes, &position.nodes) || !text_parse_double(time, &position.seconds)) return;
    result->line[result->lines++] = position;
}

void bench_output_parse_line(TextView line, BenchOutput *result) {
    if (text_starts_with(line, "Position ")) {
        parse_position(line, result);
        return;
    }
    TextView rest = line, nodes = text_next_word(&rest), nodes_word = text_next_word(&rest);
    TextView nps = text_next_word(&rest), nps_word = text_next_word(&rest);
    uint64_t node_count, speed;
    if (!text_equals(nodes_word, "nodes") || !text_equals(nps_word, "nps")) return;
    if (!text_parse_uint64(nodes, &node_count) || !text_parse_uint64(nps, &speed)) return;
    result->nodes = node_count;
    result->nps = speed;
}

static Status check_result(const char *command, const BenchOutput *result) {
    uint64_t sum = 0;
    for (int i = 0; i < result->lines; i++) sum += result->line[i].nodes;
    if (result->nodes == 0) return status_error("%s bench printed no last line 'N nodes M nps'", command);
    if (result->lines > 0 && sum != result->nodes)
        return status_error("%s bench contradicts itself: %" PRIu64
                            " nodes in all, but its positions add up to %" PRIu64,
                            command, result->nodes, sum);
    return status_ok();
}

static Status read_output(Process *process, const char *command, BenchOutput *result) {
    int64_t deadline = clock_microseconds() + SILENCE_LIMIT;
    for (int idle = 0;;) {
        TextView line;
        const int known = result->lines;
        switch (process_read_line(process, deadline, &line)) {
        case PROCESS_LINE:
            bench_output_parse_line(line, result);
            idle = result->lines > known ? 0 : idle + 1;
            if (idle == 0) deadline = clock_microseconds() + SILENCE_LIMIT;
            if (idle == IDLE_LINES_MAX)
                return status_error("%s printed %d lines that are no part of a bench", command, idle);
            break;
        case PROCESS_TIMEOUT:
            return status_error("%s bench said nothing of a position for ten minutes", command);
        case PROCESS_TOO_LONG: return status_error("%s bench printed a line over 1 MiB", command);
        default: return check_result(command, result);
        }
    }
}

Status bench_output_run(const char *command, const char *const *settings, int depth, BenchOutput *result) {
    const char *arguments[SETTINGS_MAX + 4] = {command};
    char bench[32] = "bench", depth_text[16];
    int count = 1;
    while (settings != NULL && *settings != NULL && count <= SETTINGS_MAX) arguments[count++] = *settings++;
    if (count > 1) {
        /* After other UCI lines, bench is a line too, and its depth is in the same argument. */
        if (depth > 0) text_format(bench, sizeof bench, "bench %d", depth);
        arguments[count++] = bench;
    } else {
        arguments[count++] = bench;
        text_format(depth_text, sizeof depth_text, "%d", depth);
        if (depth > 0) arguments[count++] = depth_text;
    }
    *result = (BenchOutput){0};
    Process *process = NULL;
    Status status = process_start(&(ProcessOptions){.arguments = arguments}, &process);
    if (!status_is_ok(&status)) return status;
    status = read_output(process, command, result);
    process_stop(process, 1000);
    return status;
}

/* --- baselines --- */

static const char FIRST_LINE[] = "luft-lab bench baseline 1";

void bench_output_write(const BenchOutput *result, int depth, TextBuffer *out) {
    buffer_append_format(out, "%s\ndepth %d\n", FIRST_LINE, depth);
    for (int i = 0; i < result->lines; i++)
        buffer_append_format(out, "Position %d/%d: nodes=%" PRIu64 " time=%.6fs\n", i + 1, result->lines,
                             result->line[i].nodes, result->line[i].seconds);
    buffer_append_format(out, "%" PRIu64 " nodes %" PRIu64 " nps\n", result->nodes, result->nps);
}

static Status parse_baseline(const char *path, TextView content, BenchOutput *result, int *depth) {
    TextView line, word;
    int64_t value = -1;
    if (!text_next_line(&content, &line) || !text_equals(line, FIRST_LINE))
        return status_error("%s is no bench baseline: its first line is not '%s'", path, FIRST_LINE);
    if (text_next_line(&content, &line)) {
        word = text_next_word(&line);
        if (!text_equals(word, "depth") || !text_parse_int64(text_trim(line), &value)) value = -1;
    }
    if (value < 0 || value > 1000) return status_error("%s line 2: 'depth N' expected", path);
    *depth = (int)value;
    while (text_next_line(&content, &line)) bench_output_parse_line(line, result);
    return check_result(path, result);
}

Status bench_output_read(const char *path, BenchOutput *result, int *depth) {
    TextBuffer content = {0};
    *result = (BenchOutput){0};
    Status status = file_read(path, &content);
    if (status_is_ok(&status)) status = parse_baseline(path, buffer_view(&content), result, depth);
    buffer_release(&content);
    return status;
}

SpeedRatio bench_output_ratio(const double *log_ratios, int count) {
    SpeedRatio ratio = {.ratio = 1, .error = INFINITY, .pairs = count};
    if (count == 0) return ratio;
    double mean = 0, squares = 0;
    for (int i = 0; i < count; i++) mean += log_ratios[i] / count;
    for (int i = 0; i < count; i++) squares += (log_ratios[i] - mean) * (log_ratios[i] - mean);
    ratio.ratio = exp(mean);
    if (count > 1) ratio.error = ratio.ratio * 1.96 * sqrt(squares / (count - 1) / count);
    return ratio;
}
