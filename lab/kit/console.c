#include "lab/kit/console.h"

#include "base/file.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Status console_write_result(const char *path, const TextBuffer *text) {
    if (text->failed) return status_no_memory("the result");
    if (path != NULL && strcmp(path, "-") != 0) return file_write(path, text->data, text->length);
    text_print(stdout, buffer_view(text));
    return fflush(stdout) == 0 ? status_ok() : status_system_error("cannot write to standard output");
}

/* --- numbers --- */

CountText console_count(uint64_t count, const char *unit) {
    CountText out;
    const size_t length = strlen(unit);
    const bool ends_in_y = length > 0 && unit[length - 1] == 'y';
    if (count == 1)
        text_format(out.text, sizeof out.text, "1 %s", unit);
    else
        text_format(out.text, sizeof out.text, "%" PRIu64 " %.*s%s", count, (int)(length - ends_in_y), unit,
                    ends_in_y ? "ies" : "s");
    return out;
}

CountText console_games(uint64_t games, uint64_t plies) {
    if (games > 0 && plies == 0) return console_count(games, "position");
    CountText out = console_count(games, "game");
    const size_t length = strlen(out.text);
    text_format(out.text + length, sizeof out.text - length, ", %s", console_count(plies, "ply").text);
    return out;
}

const char *console_thousands(uint64_t number, char out[NUMBER_TEXT_CAPACITY]) {
    char digits[NUMBER_TEXT_CAPACITY];
    size_t length = text_format(digits, sizeof digits, "%" PRIu64, number), written = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out[written++] = ',';
        out[written++] = digits[i];
    }
    out[written] = '\0';
    return out;
}

/* --- tables --- */

enum { ROW_CAPACITY = 1024 };

MarkdownTable markdown_table_begin(const char *alignment) {
    MarkdownTable table = {.columns = (int)strlen(alignment)};
    assert(table.columns <= TABLE_COLUMNS_MAX);
    for (int i = 0; i < table.columns; i++) {
        table.right[i] = alignment[i] == 'r';
        table.width[i] = 3;
    }
    return table;
}

/* The text of a cell may come from engines and files: it must not end the cell, contain HTML or move the
 * cursor. */
static void append_harmless(TextBuffer *out, const char *text) {
    TextBuffer shown = {0};
    buffer_append_foreign(&shown, text_view(text));
    for (const char *c = buffer_string(&shown); *c != '\0'; c++) {
        if (*c == '|')
            buffer_append_string(out, "\\|");
        else if (*c == '<')
            buffer_append_string(out, "&lt;");
        else
            buffer_append_char(out, *c);
    }
    out->failed |= shown.failed;
    buffer_release(&shown);
}

static void add_cell(MarkdownTable *table, const char *cell) {
    size_t *width = &table->width[table->cells++ % table->columns], begin = table->text.length;
    append_harmless(&table->text, cell);
    const size_t columns =
        text_columns((TextView){buffer_string(&table->text) + begin, table->text.length - begin});
    if (columns > *width) *width = columns;
    buffer_append(&table->text, (TextView){"", 1});
}

void markdown_table_cell(MarkdownTable *table, const char *format, ...) {
    char cell[ROW_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    text_format_arguments(cell, sizeof cell, format, arguments);
    va_end(arguments);
    add_cell(table, cell);
}

void markdown_table_cells(MarkdownTable *table, const char *format, ...) {
    static const char BETWEEN[] = " | ";
    char row[ROW_CAPACITY], *cell = row;
    va_list arguments;
    va_start(arguments, format);
    text_format_arguments(row, sizeof row, format, arguments);
    va_end(arguments);
    for (char *end; (end = strstr(cell, BETWEEN)) != NULL; cell = end + strlen(BETWEEN)) {
        *end = '\0';
        add_cell(table, cell);
    }
    add_cell(table, cell);
}

void markdown_table_write(MarkdownTable *table, TextBuffer *out) {
    const char *cell = buffer_string(&table->text);
    for (int i = 0; i < table->cells && !table->text.failed; i++) {
        const int column = i % table->columns;
        const size_t length = strlen(cell), pad = length - text_columns((TextView){cell, length});
        buffer_append_format(out, table->right[column] ? "| %*s " : "| %-*s ",
                             (int)(table->width[column] + pad), cell);
        cell += length + 1;
        if (column < table->columns - 1) continue;
        buffer_append_string(out, "|\n");
        if (i != table->columns - 1) continue;
        for (int c = 0; c < table->columns; c++) {
            buffer_append_string(out, "| ");
            for (size_t dash = 1; dash < table->width[c]; dash++) buffer_append_char(out, '-');
            buffer_append_string(out, table->right[c] ? ": " : "- ");
        }
        buffer_append_string(out, "|\n");
    }
    out->failed |= table->text.failed;
    buffer_release(&table->text);
}
