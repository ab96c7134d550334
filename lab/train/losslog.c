#include "lab/train/losslog.h"

#include "base/field.h"
#include "base/file.h"
#include "lab/kit/ownership.h"
#include "lab/kit/plot.h"

#define FIELD_STRUCT LossRow
static const Field COLUMNS[] = {{FIELD_COLUMN("step", step)}, {FIELD_COLUMN("epoch", epoch)},
                                {FIELD_COLUMN("loss", loss)}, {FIELD_COLUMN("validation", validation_loss)},
                                {FIELD_COLUMN("rate", rate)}, {0}};
static const char BEGINNING[] = "step\tepoch\tloss\t"; /* which no other file has */

void losslog_add(LossLog *log, const LossRow *row) {
    if (log->table.length == 0) {
        fields_append_names(COLUMNS, &log->table);
        buffer_append_char(&log->table, '\n');
    }
    fields_append_row(COLUMNS, row, &log->table);
    buffer_append_char(&log->table, '\n');
    log->last = *row;
}

Status losslog_check_output(const char *path) {
    return ownership_check_kind(path, BEGINNING, sizeof BEGINNING - 1, "a table of losses");
}

Status losslog_write(const LossLog *log, const char *path) {
    if (log->table.failed) return status_no_memory("%.200s", path);
    return file_write(path, log->table.data, log->table.length);
}

Status losslog_read(LossLog *log, const char *path, uint64_t last_step) {
    if (file_size(path) < 0) return status_ok();
    TextBuffer text = {0};
    Status status = file_read(path, &text);
    TextView rest = buffer_view(&text), line;
    for (int number = 1; status_is_ok(&status) && text_next_line(&rest, &line); number++) {
        LossRow row;
        if (number == 1) continue;
        if (!fields_read_row(COLUMNS, &row, line))
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
