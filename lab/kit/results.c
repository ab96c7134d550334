#include "lab/kit/results.h"

#include "base/clock.h"
#include "base/file.h"
#include "lab/kit/ownership.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { VALUE_CAPACITY = 1024, PATIENCE = 10000, PAUSE = 10 /* milliseconds */ };

void results_add_text(ResultsRow *row, const char *column, const char *text) {
    buffer_append_format(&row->columns, "%s\t", column);
    for (const char *at = text == NULL ? "" : text; *at != '\0'; at++)
        buffer_append_char(&row->values, *at == '\t' || *at == '\n' || *at == '\r' ? ' ' : *at);
    buffer_append_char(&row->values, '\t');
}

void results_add(ResultsRow *row, const char *column, const char *format, ...) {
    char value[VALUE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    text_format_arguments(value, sizeof value, format, arguments);
    va_end(arguments);
    results_add_text(row, column, value);
}

void results_add_number(ResultsRow *row, const char *column, double value, int decimals) {
    if (isfinite(value))
        results_add(row, column, "%.*f", decimals, value);
    else
        results_add_text(row, column, NULL);
}

void results_add_today(ResultsRow *row) {
    const time_t now = time(NULL);
    struct tm day = {0}; /* a clock beyond all years leaves it so */
    char text[16];
    gmtime_r(&now, &day);
    strftime(text, sizeof text, "%Y-%m-%d", &day);
    results_add_text(row, "date", text);
}

/* Ends a line: the tab after its last value becomes a line feed. */
static void end_line(TextBuffer *line) {
    if (line->length > 0) line->data[line->length - 1] = '\n';
}

/* Whether a row has the known values of another one. People fill in what a command does not know, and correct
 * the version. */
static bool has_values(TextView row, const ResultsRow *known) {
    TextView columns = text_trim(buffer_view(&known->columns)), values = buffer_view(&known->values), column,
             value, found;
    values.length -= values.length > 0; /* its line feed */
    for (bool more = true; more;) {
        more = text_split(&columns, '\t', &column);
        text_split(&values, '\t', &value);
        text_split(&row, '\t', &found);
        if (text_is_empty(value) || text_equals(column, "date") || text_equals(column, "commit") ||
            text_equals(column, "net"))
            continue;
        if (found.length != value.length || memcmp(found.data, value.data, value.length) != 0) return false;
    }
    return true;
}

static bool has_row(TextView table, const ResultsRow *row) {
    TextView line;
    while (text_next_line(&table, &line))
        if (has_values(line, row)) return true;
    return false;
}

static Status add_row(const ResultsRow *row, const char *path, TextBuffer *table) {
    if (table->length == 0)
        buffer_append(table, buffer_view(&row->columns));
    else if (!text_starts_with(buffer_view(table), buffer_string(&row->columns)))
        return status_error("%s has other columns than the row that is to be appended", path);
    else if (table->data[table->length - 1] != '\n')
        buffer_append_char(table, '\n');
    buffer_append(table, buffer_view(&row->values));
    const bool failed = table->failed || row->columns.failed || row->values.failed;
    return failed ? status_no_memory("a row of %s", path) : status_ok();
}

/* The table is written again with its row, so it never ends in a part of one. The lock is of moments: what
 * another command measured is worth the wait. */
Status results_append(ResultsRow *row, const char *path) {
    end_line(&row->columns);
    end_line(&row->values);
    int handle;
    TextBuffer table = {0};
    Status status = ownership_take(path, 0, &handle);
    for (int waited = 0; status.kind == STATUS_BUSY && waited < PATIENCE; waited += PAUSE) {
        clock_sleep_milliseconds(PAUSE);
        status = ownership_take(path, 0, &handle);
    }
    if (status_is_ok(&status)) {
        if (file_is_plain(path)) status = file_read(path, &table);
        const bool is_there = status_is_ok(&status) && row->once && has_row(buffer_view(&table), row);
        if (status_is_ok(&status) && !is_there) status = add_row(row, path, &table);
        if (status_is_ok(&status) && !is_there) status = file_write(path, table.data, table.length);
        close(handle);
    }
    buffer_release(&table);
    buffer_release(&row->columns);
    buffer_release(&row->values);
    return status;
}
