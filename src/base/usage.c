#include "base/usage.h"

#include <string.h>

enum {
    WIDTH = 80,     /* of a terminal */
    COLUMN_MAX = 26 /* where explanations begin, at most */
};

/* How a row is written: "--hash MB", "order=random", "hash = MB", in the man page without indent. */
typedef struct Style {
    const char *before, *between;
    size_t indent;
} Style;

static const Style OPTIONS = {"--", " ", 2}, KEYS = {"", "=", 4}, SETTINGS = {"", " = ", 2};
static const Style MAN_OPTIONS = {"--", " ", 0}, MAN_KEYS = {"", "=", 0}, MAN_SETTINGS = {"", " = ", 0},
                   MAN_NAMES = {"", " ", 0};

/* --- lines of at most WIDTH characters --- */

static void append_blanks(TextBuffer *out, size_t count) {
    for (size_t i = 0; i < count; i++) buffer_append_char(out, ' ');
}

/* Breaks the text between words; the first line goes on at `column`, the others begin at `indent`. */
static void append_broken(TextBuffer *out, TextView text, size_t column, size_t indent) {
    buffer_append_wrapped(out, text, &column, WIDTH - 1, "", indent);
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

/* --- the table --- */

static bool is_word(const Field *row) { return (row->flags & FIELD_WORD) != 0; }

/* What the value is: of a choice its words, "svg|png|none". */
static void append_placeholder(TextBuffer *out, const Field *row) {
    TextView rest = text_view(row->placeholder), choice, name;
    if (row->kind != FIELD_KIND_CHOICE) {
        buffer_append(out, rest);
        return;
    }
    for (bool first = true; !text_is_empty(choice = text_next_word(&rest)); first = false) {
        text_split(&choice, '/', &name);
        if (!first) buffer_append_char(out, '|');
        buffer_append(out, name);
    }
}

static void append_left(TextBuffer *out, const Field *row, Style style) {
    append_blanks(out, style.indent);
    if (is_word(row)) {
        buffer_append_string(out, row->name);
        return;
    }
    buffer_append_format(out, "%s%s", style.before, row->name);
    const bool is_key_flag = row->kind == FIELD_KIND_FLAG && style.before[0] == '\0';
    if (is_key_flag) buffer_append_format(out, "%sno|yes", style.between);
    if (row->kind == FIELD_KIND_FLAG || row->kind == FIELD_KIND_KEYS) return;
    buffer_append_string(out, style.between);
    append_placeholder(out, row);
}

/* Whether a row is shown: in a series only what may differ has a name. */
static bool is_shown(const Field *row, unsigned needed) {
    return row->kind == FIELD_KIND_GROUP || (row->flags & needed) == needed;
}

static size_t measure_column(const Field *fields, unsigned needed, Style style) {
    size_t widest = 0;
    for (const Field *row = fields; row->kind != FIELD_KIND_END; row++) {
        TextBuffer left = {0};
        size_t width = 0;
        if (!is_shown(row, needed)) continue;
        if (row->kind == FIELD_KIND_GROUP)
            width = measure_column(row->fields, field_needed_in(row, needed), style);
        else if (row->kind != FIELD_KIND_HEADING)
            append_left(&left, row, style);
        if (left.length + 2 <= COLUMN_MAX && left.length > 0) width = left.length + 2;
        if (width > widest) widest = width;
        buffer_release(&left);
    }
    return widest > 0 ? widest : COLUMN_MAX;
}

static void append_help(TextBuffer *out, const Field *row, unsigned needed) {
    buffer_append_string(out, row->help);
    if (row->standard != NULL && row->kind != FIELD_KIND_FLAG && needed == 0)
        buffer_append_format(out, " (default %s)", row->standard);
}

static void write_row(TextBuffer *out, const Field *row, unsigned needed, Style style, size_t column) {
    TextBuffer help = {0};
    size_t start = out->length;
    append_left(out, row, style);
    append_help(&help, row, needed);
    if (out->length - start + 2 > column && help.length > 0) {
        buffer_append_char(out, '\n');
        start = out->length;
    }
    while (out->length - start < column && help.length > 0 && !out->failed) buffer_append_char(out, ' ');
    append_broken(out, buffer_view(&help), column, column);
    buffer_release(&help);
}

static void write_table(TextBuffer *out, const Field *fields, unsigned needed, Style style, size_t column);

static void write_any(TextBuffer *out, const Field *row, unsigned needed, Style style, size_t column) {
    if (row->kind == FIELD_KIND_HEADING) {
        buffer_append_char(out, '\n');
        usage_write_text(row->help, out);
    } else if (row->kind == FIELD_KIND_GROUP) {
        write_table(out, row->fields, field_needed_in(row, needed), style, column);
    } else {
        write_row(out, row, needed, style, column);
    }
    if (row->kind == FIELD_KIND_KEYS) write_table(out, row->fields, 0, KEYS, column);
}

static void write_table(TextBuffer *out, const Field *fields, unsigned needed, Style style, size_t column) {
    for (const Field *row = fields; row->kind != FIELD_KIND_END; row++)
        if (is_shown(row, needed)) write_any(out, row, needed, style, column);
}

/* --- the page --- */

/* A line for each form of the command; the first begins with `first`, the others with `others`. */
static void write_forms(TextBuffer *out, const Syntax *syntax, const char *first, const char *others) {
    TextView rest = text_view(syntax->usage), form;
    const char *before = first;
    while (text_next_line(&rest, &form)) {
        buffer_append_format(out, "%s%s ", before, syntax->command);
        buffer_append(out, form);
        buffer_append_char(out, '\n');
        before = others;
    }
    if (syntax->usage != NULL) return;
    bool has_options = false;
    buffer_append_format(out, "%s%s", first, syntax->command);
    for (const Field *row = syntax->fields; row->kind != FIELD_KIND_END; row++) {
        has_options |= !is_word(row);
        if (is_word(row))
            buffer_append_format(out, (row->flags & FIELD_OPTIONAL) != 0 ? " [%s]%s" : " %s%s", row->name,
                                 row->kind == FIELD_KIND_WORDS ? "..." : "");
    }
    buffer_append_string(out, has_options ? " [options]\n" : "\n");
}

static bool begins_with_heading(const Field *row) {
    return row->kind == FIELD_KIND_HEADING ||
           (row->kind == FIELD_KIND_GROUP && begins_with_heading(row->fields));
}

void usage_write(const Syntax *syntax, TextBuffer *out) {
    const size_t column = measure_column(syntax->fields, 0, OPTIONS);
    write_forms(out, syntax, "Usage: ", "       ");
    buffer_append_char(out, '\n');
    usage_write_text(syntax->about, out);
    if (syntax->settings != NULL)
        write_table(out, syntax->settings, 0, SETTINGS, measure_column(syntax->settings, 0, SETTINGS));
    for (const Field *row = syntax->fields; row->kind != FIELD_KIND_END; row++) {
        const bool is_first_option = !is_word(row) && (row == syntax->fields || is_word(row - 1));
        if (is_word(row) && row == syntax->fields) buffer_append_char(out, '\n');
        if (is_first_option && !begins_with_heading(row)) buffer_append_string(out, "\nOptions:\n");
        write_any(out, row, 0, OPTIONS, column);
    }
    if (syntax->examples != NULL) buffer_append_format(out, "\nExamples:\n%s", syntax->examples);
}

/* --- the man page --- */

/* As roff shows it: a hyphen may be typed, and no line is taken for a request. */
static void append_roff(TextBuffer *out, TextView text) {
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.data[i];
        const bool begins_line = i == 0 || text.data[i - 1] == '\n';
        if (begins_line && (c == '.' || c == '\'')) buffer_append_string(out, "\\&");
        if (c == '-' || c == '\\') buffer_append_char(out, '\\');
        buffer_append_char(out, c == '\\' ? 'e' : c);
    }
}

static void write_roff(TextBuffer *out, TextView text) {
    TextBuffer lines = {0};
    append_broken(&lines, text, 0, 0);
    append_roff(out, buffer_view(&lines));
    buffer_release(&lines);
}

/* Lines that begin with a blank are kept, an empty one ends a paragraph. */
static void write_roff_text(TextBuffer *out, const char *text) {
    TextView rest = text_view(text), line;
    bool is_kept = false;
    while (text_next_line(&rest, &line)) {
        const bool keep = line.length > 0 && line.data[0] == ' ';
        if (keep != is_kept) buffer_append_string(out, keep ? ".nf\n" : ".fi\n");
        is_kept = keep;
        if (keep) {
            append_roff(out, line);
            buffer_append_char(out, '\n');
        } else if (text_is_empty(text_trim(line))) {
            buffer_append_string(out, ".PP\n");
        } else {
            write_roff(out, line);
        }
    }
    if (is_kept) buffer_append_string(out, ".fi\n");
}

static void write_roff_entry(TextBuffer *out, TextView name, TextView text) {
    buffer_append_string(out, ".TP\n.B ");
    append_roff(out, name);
    buffer_append_char(out, '\n');
    write_roff(out, text);
}

static void write_roff_row(TextBuffer *out, const Field *row, unsigned needed, Style style) {
    TextBuffer left = {0}, help = {0};
    append_left(&left, row, style);
    append_help(&help, row, needed);
    write_roff_entry(out, buffer_view(&left), buffer_view(&help));
    buffer_release(&left);
    buffer_release(&help);
}

static void write_roff_table(TextBuffer *out, const Field *fields, unsigned needed, Style style) {
    for (const Field *row = fields; row->kind != FIELD_KIND_END; row++) {
        if (!is_shown(row, needed)) continue;
        if (row->kind == FIELD_KIND_GROUP) {
            write_roff_table(out, row->fields, field_needed_in(row, needed), style);
        } else if (row->kind == FIELD_KIND_HEADING) {
            buffer_append_string(out, ".PP\n");
            write_roff_text(out, row->help);
        } else {
            write_roff_row(out, row, needed, style);
        }
        if (row->kind == FIELD_KIND_KEYS) {
            buffer_append_string(out, ".RS\n");
            write_roff_table(out, row->fields, 0, MAN_KEYS);
            buffer_append_string(out, ".RE\n");
        }
    }
}

void usage_write_manual_entry(const char *name, const char *text, TextBuffer *out) {
    write_roff_entry(out, text_view(name), text_view(text));
}

void usage_write_manual_row(const Field *row, TextBuffer *out) { write_roff_row(out, row, 0, MAN_NAMES); }

void usage_write_manual(const Syntax *syntax, TextBuffer *out) {
    TextBuffer forms = {0};
    write_forms(&forms, syntax, "", "");
    TextView rest = buffer_view(&forms), form;
    buffer_append_format(out, ".SS %s\n", syntax->command);
    while (text_next_line(&rest, &form)) {
        buffer_append_string(out, ".B ");
        append_roff(out, form);
        buffer_append_string(out, "\n.br\n");
    }
    buffer_release(&forms);
    buffer_append_string(out, ".PP\n");
    write_roff_text(out, syntax->about);
    if (syntax->settings != NULL) write_roff_table(out, syntax->settings, 0, MAN_SETTINGS);
    write_roff_table(out, syntax->fields, 0, MAN_OPTIONS);
    if (syntax->examples == NULL) return;
    buffer_append_string(out, ".PP\n");
    write_roff_text(out, syntax->examples);
}
