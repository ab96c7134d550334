#include "lab/tune/tuning.h"

#include "base/memory.h"
#include "lab/kit/console.h"
#include "lab/kit/plot.h"
#include "lab/kit/results.h"
#include "search/params.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ROWS_MAX = 500 /* of the course, besides its beginning */ };

/* --- the course --- */

static int row_length(const Tuning *tuning) { return 1 + tuning->spsa.param_count; }

static const double *row_at(const Tuning *tuning, int row) {
    return tuning->course + (size_t)row * (size_t)row_length(tuning);
}

static void add_row(Tuning *tuning) {
    const Spsa *spsa = &tuning->spsa;
    double *row = tuning->course + (size_t)tuning->row_count++ * (size_t)row_length(tuning);
    row[0] = (double)spsa->finished;
    memcpy(row + 1, spsa->value, (size_t)spsa->param_count * sizeof *row);
}

Status tuning_begin(Tuning *tuning, const SpsaSettings *settings, const SpsaParam *numbers, int count) {
    memset(tuning, 0, sizeof *tuning);
    tuning->journal.file.handle = -1;
    Status status = spsa_begin(&tuning->spsa, settings, numbers, count);
    if (!status_is_ok(&status)) return status;
    tuning->unit = "pairs of games";
    tuning->every = (settings->pairs + ROWS_MAX - 1) / ROWS_MAX;
    tuning->course = memory_allocate((ROWS_MAX + 1) * (size_t)row_length(tuning) * sizeof *tuning->course);
    if (tuning->course == NULL) return status_no_memory("the course of the tuning");
    add_row(tuning);
    return status;
}

void tuning_release(Tuning *tuning) {
    line_journal_close(&tuning->journal);
    buffer_release(&tuning->events);
    spsa_release(&tuning->spsa);
    memory_release(tuning->course);
    tuning->course = NULL;
}

/* --- pairs and their journal --- */

static void count_pair(Tuning *tuning, int64_t pair, int outcome) {
    if (outcome == TUNING_DISCARDED)
        spsa_discard(&tuning->spsa, pair);
    else
        spsa_finish(&tuning->spsa, pair, outcome);
    if (tuning->spsa.finished % tuning->every == 0) add_row(tuning);
}

static void describe(const Tuning *tuning, const char *conditions, TextBuffer *out) {
    const Spsa *spsa = &tuning->spsa;
    buffer_append_string(out, "luft-lab tune journal 5\n");
    buffer_append_string(out, conditions);
    fields_append_results(SPSA_FIELDS, &spsa->settings, out);
    for (int i = 0; i < spsa->param_count; i++) {
        const SpsaParam *param = &spsa->param[i];
        buffer_append_format(out, "%s: %d, from %d to %d, step %.15g\n", param->name, param->start,
                             param->low, param->high, param->step);
    }
    buffer_append_string(out, "events\n");
}

/* "step NUMBER", "pair NUMBER OUTCOME", "pair NUMBER discarded". */
static Status restore_event(void *context, TextView line, bool *whole) {
    Tuning *tuning = context;
    TextView word = text_next_word(&line), number = text_next_word(&line), rest = text_next_word(&line);
    int64_t index, outcome;
    *whole = text_parse_int64(number, &index);
    if (*whole && text_equals(word, "step")) {
        *whole = spsa_begin_step(&tuning->spsa, index);
        return status_ok();
    }
    const bool discarded = text_equals(rest, "discarded");
    if (discarded) outcome = TUNING_DISCARDED;
    *whole = *whole && text_equals(word, "pair") && spsa_awaits(&tuning->spsa, index) &&
             (discarded || (text_parse_int64(rest, &outcome) && outcome >= -SPSA_RESULT_MAX &&
                            outcome <= SPSA_RESULT_MAX));
    if (*whole) count_pair(tuning, index, (int)outcome);
    return status_ok();
}

Status tuning_open_journal(Tuning *tuning, const char *path, const char *conditions) {
    TextBuffer header = {0};
    describe(tuning, conditions, &header);
    LineJournalPlan plan = {path, "tuning", buffer_view(&header), "--again starts over", "pair "};
    Status status = header.failed ? status_no_memory("%.200s", path)
                                  : line_journal_open(&tuning->journal, &plan, restore_event, tuning);
    buffer_release(&header);
    return status;
}

int64_t tuning_take(Tuning *tuning, int upper[SPSA_PARAMS_MAX], int lower[SPSA_PARAMS_MAX]) {
    Spsa *spsa = &tuning->spsa;
    const int64_t begun = spsa->steps_begun, pair = spsa_take(spsa);
    if (spsa->steps_begun > begun) buffer_append_format(&tuning->events, "step %" PRId64 "\n", begun);
    if (pair >= 0) spsa_get_values(spsa, pair, upper, lower);
    return pair;
}

Status tuning_finish(Tuning *tuning, int64_t pair, int outcome) {
    buffer_append_format(&tuning->events, "pair %" PRId64 " ", pair);
    if (outcome == TUNING_DISCARDED)
        buffer_append_string(&tuning->events, "discarded\n");
    else
        buffer_append_format(&tuning->events, "%d\n", outcome);
    Status status = status_ok();
    if (tuning->journal.file.handle >= 0) status = line_journal_add(&tuning->journal, &tuning->events);
    buffer_clear(&tuning->events);
    if (status_is_ok(&status)) count_pair(tuning, pair, outcome);
    return status;
}

/* --- files --- */

static double change_in_steps(const SpsaParam *param, double value) {
    return (value - param->start) / param->step;
}

/* Where the best value may lie outside. */
static void append_bounds_reached(const Spsa *spsa, TextBuffer *out) {
    int reached = 0;
    for (int i = 0; i < spsa->param_count && spsa->finished > 0; i++) {
        const SpsaParam *param = &spsa->param[i];
        const long now = lround(spsa->value[i]);
        if (now != param->low && now != param->high) continue;
        buffer_append_format(out, "%s%s (%s %ld)", reached++ == 0 ? "At the end of its range: " : ", ",
                             param->name, now == param->low ? "min" : "max", now);
    }
    if (reached > 0)
        buffer_append_string(out,
                             ". Better values may lie beyond: a tuning with a wider range in params.def, or "
                             "in NAME=LOW,HIGH where that narrowed it, shows them.\n");
}

void tuning_write_markdown(const Tuning *tuning, TextBuffer *out) {
    const Spsa *spsa = &tuning->spsa;
    MarkdownTable table = markdown_table_begin("lrrrrr");
    markdown_table_cells(&table, "number | start | now | change in steps | min | max");
    for (int i = 0; i < spsa->param_count; i++) {
        const SpsaParam *param = &spsa->param[i];
        /* What rounds to nothing has no sign. */
        double change = round(100 * change_in_steps(param, spsa->value[i])) / 100 + 0.0;
        markdown_table_cell(&table, "%s", param->name);
        markdown_table_cells(&table, "%d | %.2f | %+.2f | %d | %d", param->start, spsa->value[i], change,
                             param->low, param->high);
    }
    markdown_table_write(&table, out);
    buffer_append_format(out, "\n%" PRId64 " of %" PRId64 " %s", spsa->finished, spsa->settings.pairs,
                         tuning->unit);
    if (spsa->discarded > 0)
        buffer_append_format(out, ", %" PRId64 " of them discarded for faults", spsa->discarded);
    buffer_append_format(out, "; %s A step is the number's of params.def.\n", tuning->conditions);
    buffer_append_string(
        out,
        "A change is a guess: most of it is noise below some tens of thousands of pairs, and only a test of the "
        "values shows a gain.\n");
    append_bounds_reached(spsa, out);
}

Status tuning_append_rows(const Tuning *tuning, const char *commit, bool once, const char *path) {
    const Spsa *spsa = &tuning->spsa;
    Status status = status_ok();
    for (int i = 0; i < spsa->param_count && status_is_ok(&status); i++) {
        const SpsaParam *param = &spsa->param[i];
        ResultsRow row = {.once = once};
        results_add_today(&row);
        results_add_text(&row, "commit", commit);
        results_add_text(&row, "tune", NULL);
        results_add_text(&row, "number", param->name);
        results_add(&row, "from", "%d", param->start);
        results_add_number(&row, "to", spsa->value[i], 2);
        results_add_number(&row, "steps", change_in_steps(param, spsa->value[i]), 2);
        results_add(&row, "note", "%" PRId64 " %s; %s", spsa->finished, tuning->unit, tuning->conditions);
        status = results_append(&row, path);
    }
    return status;
}

static void write_row(const Tuning *tuning, bool in_steps, double pairs, const double *values,
                      TextBuffer *out) {
    buffer_append_format(out, "%.0f", pairs);
    for (int i = 0; i < tuning->spsa.param_count; i++)
        if (in_steps)
            buffer_append_format(out, " %.3f", change_in_steps(&tuning->spsa.param[i], values[i]));
        else
            buffer_append_format(out, ",%.4f", values[i]);
    buffer_append_char(out, '\n');
}

/* For a plot in steps from the start. */
static void write_course(const Tuning *tuning, bool in_steps, TextBuffer *out) {
    const Spsa *spsa = &tuning->spsa;
    for (int i = 0; i < tuning->row_count; i++) {
        const double *row = row_at(tuning, i);
        write_row(tuning, in_steps, row[0], row + 1, out);
    }
    if (row_at(tuning, tuning->row_count - 1)[0] < (double)spsa->finished)
        write_row(tuning, in_steps, (double)spsa->finished, spsa->value, out);
}

void tuning_write_csv(const Tuning *tuning, TextBuffer *out) {
    const Spsa *spsa = &tuning->spsa;
    buffer_append_string(out, "pairs");
    for (int i = 0; i < spsa->param_count; i++) buffer_append_format(out, ",%s", spsa->param[i].name);
    buffer_append_char(out, '\n');
    write_course(tuning, false, out);
}

/* The range that params.def has, though the tuning's may be narrower. */
static void get_whole_range(const SpsaParam *param, int *low, int *high) {
    int count;
    const ParamRow *rows = params_rows(&count);
    *low = param->low;
    *high = param->high;
    for (int i = 0; i < count; i++) {
        if (strcmp(rows[i].name, param->name) != 0) continue;
        *low = rows[i].low;
        *high = rows[i].high;
    }
}

void tuning_write_params(const Tuning *tuning, TextBuffer *out) {
    for (int i = 0; i < tuning->spsa.param_count; i++) {
        const SpsaParam *param = &tuning->spsa.param[i];
        int low, high;
        get_whole_range(param, &low, &high);
        buffer_append_format(out, "PARAM(%s, %ld, %d, %d, %.15g)\n", param->name,
                             lround(tuning->spsa.value[i]), low, high, param->step);
    }
}

/* The number that a line of params.def defines: its index, or -1. `*rest`: what follows the name. */
static int find_number(const Tuning *tuning, TextView line, TextView *rest) {
    static const char BEGIN[] = "PARAM(";
    TextView name;
    if (!text_starts_with(line, BEGIN)) return -1;
    *rest = (TextView){line.data + sizeof BEGIN - 1, line.length - (sizeof BEGIN - 1)};
    if (!text_split(rest, ',', &name)) return -1;
    for (int i = 0; i < tuning->spsa.param_count; i++)
        if (text_equals(name, tuning->spsa.param[i].name)) return i;
    return -1;
}

Status tuning_apply(const Tuning *tuning, TextView text, TextBuffer *out) {
    bool found[SPSA_PARAMS_MAX] = {false};
    for (TextView line; text_next_line(&text, &line);) {
        TextView rest, value;
        const int number = find_number(tuning, line, &rest);
        if (number >= 0 && text_split(&rest, ',', &value)) {
            const SpsaParam *param = &tuning->spsa.param[number];
            int64_t there;
            if (!text_parse_int64(text_trim(value), &there) ||
                (there != param->start && there != lround(tuning->spsa.value[number])))
                return status_error(
                    "%s is %.*s there, but the tuning began with %d: the engine was built from "
                    "other values",
                    param->name, (int)text_trim(value).length, text_trim(value).data, param->start);
            found[number] = true;
            buffer_append_format(out, "PARAM(%s, %ld,", tuning->spsa.param[number].name,
                                 lround(tuning->spsa.value[number]));
            line = rest;
        }
        buffer_append(out, line);
        buffer_append_char(out, '\n');
    }
    for (int i = 0; i < tuning->spsa.param_count; i++)
        if (!found[i]) return status_error("there is no number '%s'", tuning->spsa.param[i].name);
    return out->failed ? status_no_memory("the numbers") : status_ok();
}

bool tuning_changes_a_number(const Tuning *tuning) {
    const Spsa *spsa = &tuning->spsa;
    int same = 0;
    while (same < spsa->param_count && lround(spsa->value[same]) == spsa->param[same].start) same++;
    return same < spsa->param_count;
}

void tuning_write_openbench(const Tuning *tuning, TextBuffer *out) {
    const Spsa *spsa = &tuning->spsa;
    for (int i = 0; i < spsa->param_count; i++) {
        const SpsaParam *param = &spsa->param[i];
        buffer_append_format(out, "%s%s, int, %d, %d, %d, %.15g, %.15g", i > 0 ? "\n" : "", param->name,
                             param->start, param->low, param->high, param->step * spsa->settings.spread,
                             spsa->settings.rate);
    }
}

/* --- plot --- */

enum { LINES_MAX = 32 /* the eye cannot distinguish more */, COLORS = 8 };

/* Puts the first `count` of `order` in the order of their changes, the greatest first. */
static void sort_by_change(const Spsa *spsa, bool absolute, int *order, int count) {
    for (int i = 1; i < count; i++) {
        int at = i, moved = order[i];
        double change = change_in_steps(&spsa->param[moved], spsa->value[moved]);
        for (; at > 0; at--) {
            int other = order[at - 1];
            double before = change_in_steps(&spsa->param[other], spsa->value[other]);
            if (absolute ? fabs(before) >= fabs(change) : before >= change) break;
            order[at] = other;
        }
        order[at] = moved;
    }
}

/* The numbers to draw: those that went furthest, listed as their lines end, from above. */
static int choose_lines(const Spsa *spsa, int order[SPSA_PARAMS_MAX]) {
    for (int i = 0; i < spsa->param_count; i++) order[i] = i;
    sort_by_change(spsa, true, order, spsa->param_count);
    int count = spsa->param_count < LINES_MAX ? spsa->param_count : LINES_MAX;
    sort_by_change(spsa, false, order, count);
    return count;
}

void tuning_write_plot(const Tuning *tuning, TextBuffer *out) {
    const Spsa *spsa = &tuning->spsa;
    buffer_append_string(out, "$course << END\n");
    write_course(tuning, true, out);
    buffer_append_string(out, "END\n");
    int order[SPSA_PARAMS_MAX], count = choose_lines(spsa, order);
    if (count < spsa->param_count)
        buffer_append_format(out, "set title 'The course of the %d numbers that went furthest'\n", count);
    else
        buffer_append_string(out, "set title 'The course of the numbers'\n");
    buffer_append_format(out, "set xlabel '%s'\n", tuning->unit);
    buffer_append_string(out, "set ylabel 'steps from the start'\n"
                              "set grid\n"
                              "set xzeroaxis lt -1\n"
                              "set key outside right noenhanced Left reverse\n"
                              "plot ");
    for (int i = 0; i < count; i++) {
        buffer_append_format(out, "%s$course using 1:%d with lines lw 1.5 lt %d dt %d title ",
                             i > 0 ? ", " : "", order[i] + 2, i % COLORS + 1, i / COLORS + 1);
        plot_quote(out, spsa->param[order[i]].name);
    }
    buffer_append_char(out, '\n');
}
