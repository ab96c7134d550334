#include "base/usage.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 80,      /* of a terminal */
    COLUMN_MAX = 26, /* where explanations begin, at most */
    LEFT_CAPACITY = 160
};

/* How a row is written: "--hash MB", "order=random", "hash = MB". */
typedef struct Style {
    const char *before, *between;
    size_t indent;
} Style;

static const Style OPTIONS = {"--", " ", 2}, KEYS = {"", "=", 4}, SETTINGS = {"", " = ", 2};

/* --- lines of at most WIDTH characters --- */

static void append_blanks(TextBuffer *out, size_t count) {
    for (size_t i = 0; i < count; i++) buffer_append_char(out, ' ');
}

/* Breaks the text between words; the first line goes on at `column`, the others begin at `indent`. */
static void append_broken(TextBuffer *out, TextView text, size_t column, size_t indent) {
    TextView word;
    bool first = true;
    while (!text_is_empty(word = text_next_word(&text))) {
        if (!first && column + 1 + word.length >= WIDTH) {
            buffer_append_char(out, '\n');
            append_blanks(out, indent);
            column = indent;
        } else if (!first) {
            buffer_append_char(out, ' ');
            column++;
        }
        buffer_append(out, word);
        column += word.length;
        first = false;
    }
    buffer_append_char(out, '\n');
}

void usage_write_text(const char *text, TextBuffer *out) {
    TextView rest = text_view(text), line;
    while (text_next_line(&rest, &line)) {
        if (line.length > 0 && line.data[0] == ' ') {
            buffer_append(out, line);
            buffer_append_char(out, '\n');
        } else {
            append_broken(out, line, 0, 0);
        }
    }
}

/* --- defaults --- */

static void append_number(TextBuffer *out, const Argument *row, int index) {
    const void *target = (const char *)row->target + (size_t)index * row->stride;
    const double value = row->kind == ARGUMENT_INT     ? *(const int *)target
                         : row->kind == ARGUMENT_WHOLE ? (double)*(const int64_t *)target
                         : row->kind == ARGUMENT_COUNT ? (double)*(const uint64_t *)target
                                                       : *(const double *)target;
    if (isnan(value) || value < row->low || value > row->high) return;
    const bool is_real = row->kind == ARGUMENT_REAL || row->kind == ARGUMENT_SECONDS;
    const bool is_million = !is_real && value >= 1e6 && fmod(value, 1e6) == 0;
    if (is_million)
        buffer_append_format(out, "%.15gM", value / 1e6);
    else
        buffer_append_format(out, is_real ? "%.6g" : "%.15g", value);
}

/* The values of a series up to the one that counts for all further. */
static void append_series(TextBuffer *out, const Argument *row) {
    TextBuffer item = {0}, waiting = {0}, last = {0};
    for (int i = 0; i < row->length; i++) {
        buffer_clear(&item);
        append_number(&item, row, i);
        if (i > 0) buffer_append_string(&waiting, ", ");
        buffer_append(&waiting, buffer_view(&item));
        if (i > 0 && text_equals(buffer_view(&item), buffer_string(&last))) continue;
        buffer_append(out, buffer_view(&waiting));
        buffer_clear(&waiting);
        buffer_clear(&last);
        buffer_append(&last, buffer_view(&item));
    }
    buffer_release(&item);
    buffer_release(&waiting);
    buffer_release(&last);
}

static void append_choice(TextBuffer *out, const Argument *row) {
    TextView rest = text_view(row->placeholder), choice = text_view(NULL);
    for (int i = 0; i <= *(const int *)row->target; i++) choice = text_next_word(&rest);
    const char *slash = choice.length > 0 ? memchr(choice.data, '/', choice.length) : NULL;
    if (slash != NULL) choice.length = (size_t)(slash - choice.data);
    buffer_append(out, choice);
}

static void append_default(TextBuffer *out, const Argument *row) {
    TextBuffer value = {0};
    switch (row->kind) {
    case ARGUMENT_INT:
    case ARGUMENT_WHOLE:
    case ARGUMENT_COUNT:
    case ARGUMENT_REAL:
    case ARGUMENT_SECONDS:
        row->length > 0 ? append_series(&value, row) : append_number(&value, row, 0);
        break;
    case ARGUMENT_TEXT: buffer_append_string(&value, *(const char *const *)row->target); break;
    case ARGUMENT_CHOICE: append_choice(&value, row); break;
    default: break;
    }
    if (value.length > 0) buffer_append_format(out, " (default %s)", buffer_string(&value));
    buffer_release(&value);
}

/* --- the table --- */

/* What the value is: of a choice its words, "svg|png|none". */
static void append_placeholder(TextBuffer *out, const Argument *row) {
    TextView rest = text_view(row->placeholder), choice;
    if (row->kind != ARGUMENT_CHOICE) {
        buffer_append(out, rest);
        return;
    }
    for (bool first = true; !text_is_empty(choice = text_next_word(&rest)); first = false) {
        const char *slash = memchr(choice.data, '/', choice.length);
        if (slash != NULL) choice.length = (size_t)(slash - choice.data);
        if (!first) buffer_append_char(out, '|');
        buffer_append(out, choice);
    }
}

static void append_left(TextBuffer *out, const Argument *row, Style style) {
    append_blanks(out, style.indent);
    if (row->is_word) {
        buffer_append_string(out, row->name);
        return;
    }
    buffer_append_format(out, "%s%s", style.before, row->name);
    const bool is_key_flag = row->kind == ARGUMENT_FLAG && style.before[0] == '\0';
    if (is_key_flag) buffer_append_format(out, "%sno|yes", style.between);
    if (row->kind == ARGUMENT_FLAG || row->kind == ARGUMENT_KEYS) return;
    buffer_append_string(out, style.between);
    append_placeholder(out, row);
}

static size_t measure_column(const Argument *table, size_t count, Style style) {
    size_t widest = 0;
    for (size_t i = 0; i < count; i++) {
        TextBuffer left = {0};
        size_t width = 0;
        if (table[i].kind == ARGUMENT_TABLE)
            width = measure_column(table[i].table, table[i].count, style);
        else if (table[i].kind != ARGUMENT_HEADING)
            append_left(&left, &table[i], style);
        if (left.length + 2 <= COLUMN_MAX && left.length > 0) width = left.length + 2;
        if (width > widest) widest = width;
        buffer_release(&left);
    }
    return widest > 0 ? widest : COLUMN_MAX;
}

static void write_row(TextBuffer *out, const Argument *row, Style style, size_t column) {
    TextBuffer help = {0};
    size_t start = out->length;
    append_left(out, row, style);
    buffer_append_string(&help, row->help);
    append_default(&help, row);
    if (out->length - start + 2 > column && help.length > 0) {
        buffer_append_char(out, '\n');
        start = out->length;
    }
    while (out->length - start < column && help.length > 0 && !out->failed) buffer_append_char(out, ' ');
    append_broken(out, buffer_view(&help), column, column);
    buffer_release(&help);
}

static void write_table(TextBuffer *out, const Argument *table, size_t count, Style style, size_t column) {
    for (size_t i = 0; i < count; i++) {
        const Argument *row = &table[i];
        if (row->kind == ARGUMENT_HEADING) {
            buffer_append_char(out, '\n');
            usage_write_text(row->help, out);
        } else if (row->kind == ARGUMENT_TABLE) {
            write_table(out, row->table, row->count, style, column);
        } else {
            write_row(out, row, style, column);
        }
        if (row->kind == ARGUMENT_KEYS) write_table(out, row->table, row->count, KEYS, column);
    }
}

/* --- the page --- */

static void write_usage(TextBuffer *out, const Syntax *syntax) {
    TextView rest = text_view(syntax->usage), form;
    bool first = true;
    while (text_next_line(&rest, &form)) {
        buffer_append_format(out, "%s%s ", first ? "Usage: " : "       ", syntax->command);
        buffer_append(out, form);
        buffer_append_char(out, '\n');
        first = false;
    }
    if (syntax->usage != NULL) return;
    bool has_options = false;
    buffer_append_format(out, "Usage: %s", syntax->command);
    for (size_t i = 0; i < syntax->count; i++) {
        const Argument *row = &syntax->table[i];
        has_options |= !row->is_word;
        if (row->is_word)
            buffer_append_format(out, row->is_optional ? " [%s]%s" : " %s%s", row->name,
                                 row->kind == ARGUMENT_LIST ? "..." : "");
    }
    buffer_append_string(out, has_options ? " [options]\n" : "\n");
}

void usage_write(const Syntax *syntax, TextBuffer *out) {
    size_t words = 0, column = measure_column(syntax->table, syntax->count, OPTIONS);
    while (words < syntax->count && syntax->table[words].is_word) words++;
    const Argument *options = syntax->table + words;
    const size_t option_count = syntax->count - words;
    write_usage(out, syntax);
    buffer_append_char(out, '\n');
    usage_write_text(syntax->about, out);
    if (words > 0) buffer_append_char(out, '\n');
    write_table(out, syntax->table, words, OPTIONS, column);
    if (option_count > 0 && options[0].kind != ARGUMENT_HEADING) buffer_append_string(out, "\nOptions:\n");
    write_table(out, options, option_count, OPTIONS, column);
    if (syntax->examples != NULL) buffer_append_format(out, "\nExamples:\n%s", syntax->examples);
}

void usage_write_settings(const Argument *table, size_t count, TextBuffer *out) {
    write_table(out, table, count, SETTINGS, measure_column(table, count, SETTINGS));
}
