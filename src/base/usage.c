#include "base/usage.h"

#include <string.h>

enum {
    WIDTH = 80,     /* of a terminal */
    COLUMN_MAX = 26 /* where explanations begin, at most */
};

/* How a row is written: "--hash MB", "order=random", "hash = MB", "Hash MiB". */
typedef struct Style {
    const char *before, *between;
    size_t indent; /* not in the man page */
} Style;

static const Style OPTIONS = {"--", " ", 2}, KEYS = {"", "=", 4}, SETTINGS = {"", " = ", 2},
                   NAMES = {"", " ", 0};

/* A page for a terminal, or for the man page in roff. */
typedef struct Page {
    TextBuffer *out;
    bool is_manual;
} Page;

/* --- lines of at most WIDTH characters --- */

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
static void write_roff_text(const char *text, TextBuffer *out) {
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

/* --- either page --- */

static void write_text(Page page, const char *text) {
    (page.is_manual ? write_roff_text : usage_write_text)(text, page.out);
}

static void begin_paragraph(Page page) { buffer_append_string(page.out, page.is_manual ? ".PP\n" : "\n"); }

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
    if (is_word(row)) {
        buffer_append_string(out, row->name);
        return;
    }
    buffer_append_format(out, "%s%s", style.before, row->name);
    const bool is_key_flag = row->kind == FIELD_KIND_FLAG && style.before[0] == '\0';
    if (is_key_flag) buffer_append_format(out, "%sno|yes", style.between);
    if ((row->flags & FIELD_BARE) != 0) row = row->fields;
    if (row->kind == FIELD_KIND_FLAG || row->kind == FIELD_KIND_KEYS) return;
    buffer_append_string(out, style.between);
    append_placeholder(out, row);
}

/* Whether a row is shown: in a series only what may differ has a name. */
static bool is_shown(const Field *row, unsigned needed) {
    if (row->kind == FIELD_KIND_ACCEPTED || row->kind == FIELD_KIND_ANSWERED) return false;
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
        if (left.length > 0 && style.indent + left.length + 2 <= COLUMN_MAX)
            width = style.indent + left.length + 2;
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

/* What stands on the left and the help, from `column` on; in the man page as an entry of a list. */
static void write_row(Page page, const Field *row, unsigned needed, Style style, size_t column) {
    TextBuffer *out = page.out, left = {0}, help = {0};
    append_left(&left, row, style);
    append_help(&help, row, needed);
    if (page.is_manual) {
        write_roff_entry(out, buffer_view(&left), buffer_view(&help));
    } else {
        size_t used = style.indent + left.length;
        buffer_append_format(out, "%*s%s", (int)style.indent, "", buffer_string(&left));
        if (used + 2 > column && help.length > 0) {
            buffer_append_char(out, '\n');
            used = 0;
        }
        if (help.length > 0) buffer_append_format(out, "%*s", (int)(column - used), "");
        append_broken(out, buffer_view(&help), column, column);
    }
    buffer_release(&left);
    buffer_release(&help);
}

static void write_table(Page page, const Field *fields, unsigned needed, Style style, size_t column);

static void write_any(Page page, const Field *row, unsigned needed, Style style, size_t column) {
    const bool is_group = row->kind == FIELD_KIND_GROUP;
    if (row->kind == FIELD_KIND_HEADING || (is_group && row->help != NULL && page.is_manual)) {
        begin_paragraph(page);
        write_text(page, row->help);
    } else if (is_group) {
        write_table(page, row->fields, field_needed_in(row, needed), style, column);
    } else {
        write_row(page, row, needed, style, column);
    }
    if (row->kind != FIELD_KIND_KEYS) return;
    if (page.is_manual) buffer_append_string(page.out, ".RS\n");
    write_table(page, row->fields, 0, KEYS, column);
    if (page.is_manual) buffer_append_string(page.out, ".RE\n");
}

static void write_table(Page page, const Field *fields, unsigned needed, Style style, size_t column) {
    for (const Field *row = fields; row->kind != FIELD_KIND_END; row++)
        if (is_shown(row, needed)) write_any(page, row, needed, style, column);
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

/* What it does, its words and options, examples. */
static void write_body(Page page, const Syntax *syntax) {
    const size_t column = measure_column(syntax->fields, 0, OPTIONS);
    begin_paragraph(page);
    write_text(page, syntax->about);
    if (syntax->settings != NULL)
        write_table(page, syntax->settings, 0, SETTINGS, measure_column(syntax->settings, 0, SETTINGS));
    for (const Field *row = syntax->fields; row->kind != FIELD_KIND_END; row++) {
        const bool is_first_option = !is_word(row) && (row == syntax->fields || is_word(row - 1));
        if (is_word(row) && row == syntax->fields && !page.is_manual) buffer_append_char(page.out, '\n');
        if (is_first_option && !begins_with_heading(row) && !page.is_manual)
            buffer_append_string(page.out, "\nOptions:\n");
        if (is_shown(row, 0)) write_any(page, row, 0, OPTIONS, column);
    }
    if (syntax->examples == NULL) return;
    begin_paragraph(page);
    if (!page.is_manual) buffer_append_string(page.out, "Examples:\n");
    write_text(page, syntax->examples);
}

void usage_write(const Syntax *syntax, TextBuffer *out) {
    write_forms(out, syntax, "Usage: ", "       ");
    write_body((Page){out, false}, syntax);
}

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
    write_body((Page){out, true}, syntax);
}

void usage_write_manual_entry(const char *name, const char *text, TextBuffer *out) {
    write_roff_entry(out, text_view(name), text_view(text));
}

void usage_write_manual_row(const Field *row, TextBuffer *out) {
    write_row((Page){out, true}, row, 0, NAMES, 0);
}
