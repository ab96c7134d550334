#include "lab/train/losslog.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lab/kit/ownership.h"
#include "lab/kit/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char HEADING[] = "step\tepoch\tloss\tvalidation\trate\n";

void losslog_add(LossLog *log, const LossRow *row) {
    LossRow *rows = memory_grow(log->rows, log->count, sizeof *rows);
    if (rows == NULL) return;
    log->rows = rows;
    log->rows[log->count++] = *row;
}

const LossRow *losslog_last(const LossLog *log) { return log->count ? &log->rows[log->count - 1] : NULL; }

void losslog_release(LossLog *log) {
    memory_release(log->rows);
    *log = (LossLog){0};
}

Status losslog_check_output(const char *path) {
    return ownership_check_kind(path, HEADING, sizeof HEADING - 1, "a table of losses");
}

Status losslog_write(const LossLog *log, const char *path) {
    TextBuffer text = {0};
    buffer_append_string(&text, HEADING);
    for (size_t i = 0; i < log->count; i++) {
        const LossRow *row = &log->rows[i];
        buffer_append_format(&text, "%" PRIu64 "\t%.4f\t%.8f\t", row->step, row->epoch, row->loss);
        if (isnan(row->validation_loss))
            buffer_append_string(&text, "-");
        else
            buffer_append_format(&text, "%.8f", row->validation_loss);
        buffer_append_format(&text, "\t%.3e\n", row->rate);
    }
    Status status = text.failed ? status_no_memory("%.200s", path) : file_write(path, text.data, text.length);
    buffer_release(&text);
    return status;
}

static bool parse_row(TextView line, LossRow *row) {
    if (!text_parse_uint64(text_next_word(&line), &row->step)) return false;
    if (!text_parse_double(text_next_word(&line), &row->epoch)) return false;
    if (!text_parse_double(text_next_word(&line), &row->loss)) return false;
    TextView validation = text_next_word(&line);
    row->validation_loss = NAN;
    if (!text_equals(validation, "-") && !text_parse_double(validation, &row->validation_loss)) return false;
    return text_parse_double(text_next_word(&line), &row->rate);
}

Status losslog_read(LossLog *log, const char *path, uint64_t last_step) {
    if (file_size(path) < 0) return status_ok();
    TextBuffer text = {0};
    Status status = file_read(path, &text);
    TextView rest = buffer_view(&text), line;
    for (int number = 1; status_is_ok(&status) && text_next_line(&rest, &line); number++) {
        LossRow row;
        if (number == 1) continue;
        if (!parse_row(line, &row))
            status = status_error("%s, line %d: no row of losses", path, number);
        else if (row.step <= last_step)
            losslog_add(log, &row);
    }
    buffer_release(&text);
    return status;
}

Status losslog_plot(const char *table, const char *svg, const char *title) {
    TextBuffer script = {0};
    plot_begin("svg", svg, 800, 450, &script);
    buffer_append_string(&script, "set title ");
    plot_quote(&script, title);
    buffer_append_string(&script,
                         " noenhanced\nset xlabel 'passes over the data'\n"
                         "set ylabel 'mean squared error'\nset grid\nset datafile missing '-'\nplot ");
    plot_quote_file(&script, table);
    buffer_append_string(&script, " every ::1 using 2:3 with lines lw 2 title 'training', "
                                  "'' every ::1 using 2:4 with lines lw 2 title 'validation'\n");
    Status status = plot_run(&script);
    buffer_release(&script);
    return status_is_ok(&status) ? status : status_error("no plot of %s: %s", table, status.reason);
}
