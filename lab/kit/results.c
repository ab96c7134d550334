#include "lab/kit/results.h"

#include "base/file.h"
#include "lab/kit/append_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

enum { VALUE_CAPACITY = 1024 };

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
    vsnprintf(value, sizeof value, format, arguments);
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
    struct tm day;
    char text[16];
    gmtime_r(&now, &day);
    strftime(text, sizeof text, "%Y-%m-%d", &day);
    results_add_text(row, "date", text);
}

/* Ends a line: the tab after its last value becomes a line feed. */
static void end_line(TextBuffer *line) {
    if (line->length > 0) line->data[line->length - 1] = '\n';
}

/* What goes to the end of the file: the row, before it what the file lacks. */
static Status make_piece(const ResultsRow *row, AppendFile *file, TextBuffer *piece) {
    if (file->length == 0) {
        buffer_append(piece, buffer_view(&row->columns));
    } else {
        TextBuffer content = {0};
        Status status = file_read(file->path, &content);
        const bool fits = text_starts_with(buffer_view(&content), buffer_string(&row->columns));
        buffer_release(&content);
        if (!status_is_ok(&status)) return status;
        if (!fits)
            return status_error("%s has other columns than the row that is to be appended", file->path);
        if (!append_file_ends_line(file)) buffer_append_char(piece, '\n');
    }
    buffer_append(piece, buffer_view(&row->values));
    return status_ok();
}

Status results_append(ResultsRow *row, const char *path) {
    end_line(&row->columns);
    end_line(&row->values);
    AppendFile file;
    TextBuffer piece = {0};
    Status status = append_file_open(&file, path, NAME_GIVEN);
    if (status_is_ok(&status)) {
        status = make_piece(row, &file, &piece);
        if (status_is_ok(&status)) status = append_file_write(&file, buffer_view(&piece));
        append_file_close(&file);
    }
    buffer_release(&piece);
    buffer_release(&row->columns);
    buffer_release(&row->values);
    return status;
}
