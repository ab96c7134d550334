#include "lab/kit/console.h"

#include "base/clock.h"
#include "base/file.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

Status console_write_result(const char *path, const TextBuffer *text) {
    if (text->failed) return status_no_memory("the result");
    if (path != NULL && strcmp(path, "-") != 0) return file_write(path, text->data, text->length);
    if (fwrite(buffer_string(text), 1, text->length, stdout) != text->length || fflush(stdout) != 0)
        return status_system_error("cannot write to standard output");
    return status_ok();
}

/* --- progress --- */

enum { BAR_WIDTH = 30, REDRAW_MILLISECONDS = 100 };

Progress progress_begin(const char *what, int64_t total, bool quiet) {
    const int64_t now = clock_milliseconds();
    return (Progress){.what = what,
                      .total = total > 0 ? total : 1,
                      .start = now,
                      .drawn = now - REDRAW_MILLISECONDS,
                      .terminal = isatty(STDERR_FILENO) == 1,
                      .quiet = quiet};
}

static void draw_bar(const Progress *progress, int64_t done, const char *note, int64_t now) {
    char bar[BAR_WIDTH + 1], left[NUMBER_TEXT_CAPACITY] = "?";
    const int filled = (int)(done * BAR_WIDTH / progress->total);
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    const int64_t now_done = done - progress->before;
    if (now_done > 0) console_duration((now - progress->start) * (progress->total - done) / now_done, left);
    fprintf(stderr, "\r[%s] %lld/%lld %s, %s left%s%s\x1b[K", bar, (long long)done,
            (long long)progress->total, progress->what, left, note != NULL ? "; " : "",
            note != NULL ? note : "");
    fflush(stderr);
}

void progress_update(Progress *progress, int64_t done, const char *note) {
    if (progress->quiet) return;
    if (done > progress->total) done = progress->total;
    const int64_t now = clock_milliseconds();
    if (progress->terminal) {
        if (now - progress->drawn < REDRAW_MILLISECONDS && done < progress->total) return;
        progress->drawn = now;
        draw_bar(progress, done, note, now);
        return;
    }
    const int tenth = (int)(done * 10 / progress->total);
    if (tenth == progress->tenth) return;
    progress->tenth = tenth;
    fprintf(stderr, "%lld/%lld %s%s%s\n", (long long)done, (long long)progress->total, progress->what,
            note != NULL ? "; " : "", note != NULL ? note : "");
}

void progress_end(Progress *progress) {
    if (progress->terminal && !progress->quiet) fprintf(stderr, "\r\x1b[K");
}

/* --- numbers --- */

const char *console_thousands(uint64_t number, char out[NUMBER_TEXT_CAPACITY]) {
    char digits[NUMBER_TEXT_CAPACITY];
    size_t length = text_format(digits, sizeof digits, "%llu", (unsigned long long)number), written = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out[written++] = ',';
        out[written++] = digits[i];
    }
    out[written] = '\0';
    return out;
}

const char *console_duration(int64_t milliseconds, char out[NUMBER_TEXT_CAPACITY]) {
    const long long seconds = (milliseconds + 500) / 1000;
    if (seconds < 60)
        text_format(out, NUMBER_TEXT_CAPACITY, "%lld s", seconds);
    else if (seconds < 3600)
        text_format(out, NUMBER_TEXT_CAPACITY, "%lld:%02lld", seconds / 60, seconds % 60);
    else
        text_format(out, NUMBER_TEXT_CAPACITY, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60,
                    seconds % 60);
    return out;
}

/* --- tables --- */

MarkdownTable markdown_table_begin(const char *alignment) {
    MarkdownTable table = {.columns = (int)strlen(alignment)};
    assert(table.columns <= TABLE_COLUMNS_MAX);
    for (int i = 0; i < table.columns; i++) {
        table.right[i] = alignment[i] == 'r';
        table.width[i] = 3;
    }
    return table;
}

/* What a cell says may come from engines and files: it ends no cell, is no HTML and moves no cursor. */
static void append_harmless(TextBuffer *out, const char *text) {
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '|')
            buffer_append_string(out, "\\|");
        else if (c == '<')
            buffer_append_string(out, "&lt;");
        else
            buffer_append_char(out, c < ' ' || c == 127 ? '?' : *text);
    }
}

void markdown_table_cell(MarkdownTable *table, const char *format, ...) {
    char cell[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell, sizeof cell, format, arguments);
    va_end(arguments);
    size_t *width = &table->width[table->cells++ % table->columns], begin = table->text.length;
    append_harmless(&table->text, cell);
    const size_t length = table->text.length - begin;
    if (length > *width) *width = length;
    buffer_append(&table->text, (TextView){"", 1});
}

void markdown_table_write(MarkdownTable *table, TextBuffer *out) {
    const char *cell = buffer_string(&table->text);
    for (int i = 0; i < table->cells && !table->text.failed; i++) {
        const int column = i % table->columns, width = (int)table->width[column];
        buffer_append_format(out, table->right[column] ? "| %*s " : "| %-*s ", width, cell);
        cell += strlen(cell) + 1;
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
