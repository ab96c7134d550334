#include "learn/lesson_view.h"

#include "record/without.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_WIDTH = 10, CELL_WIDTH = 10 };

static Status at_line(const LessonItem *item, Status status) {
    return status_is_ok(&status) ? status : status_error("line %d: %s", item->line, status.reason);
}

/* The text of an item, filled in; `text` is cleared first. */
static Status fill(const Facts *facts, const LessonItem *item, TextBuffer *text) {
    buffer_clear(text);
    return at_line(item, facts_fill(facts, item->text, text));
}

static const char *plain(Document *document, TextView view) {
    return document_text(document, "%.*s", (int)view.length, view.data);
}

/* "without futility", "with futility_margin=60"; "" for no changes. */
static const char *changes_of(Document *document, const LessonSearch *search) {
    TextBuffer list = {0};
    changes_append(&list, &search->changes);
    const char *text = list.length == 0
                           ? ""
                           : document_text(document, "%s %s", search->changes.off ? "without" : "with",
                                           buffer_string(&list));
    buffer_release(&list);
    return text;
}

/* --- tables --- */

/* What a table says of a search, in a row of columns. */
enum { COLUMNS = 7 };
static const char *const HEADS[COLUMNS] = {"search", "move", "score", "depth", "nodes", "since", "acted"};

/* What the technique did comes last, where the lesson is about one. */
static int column_count(const Lesson *lesson) {
    return lesson->technique == TECHNIQUE_COUNT ? COLUMNS - 1 : COLUMNS;
}

static Status row_of(Document *document, const Facts *facts, TextView name, int columns,
                     const char *cells[COLUMNS]) {
    TextBuffer text = {0};
    Status status = status_ok();
    cells[0] = plain(document, name);
    for (int i = 1; i < columns && status_is_ok(&status); i++) {
        const char *placeholder = document_text(document, "{%s.%s}", cells[0], HEADS[i]);
        buffer_clear(&text);
        status = facts_fill(facts, text_view(placeholder), &text);
        cells[i] = plain(document, buffer_view(&text));
    }
    buffer_release(&text);
    return status;
}

static Status write_table(Document *document, const Lesson *lesson, const Facts *facts, TextView names) {
    const char *cells[COLUMNS];
    const int columns = column_count(lesson);
    for (int i = 0; i < columns; i++)
        document_cell(document, STYLE_QUIET, i == 0 ? -NAME_WIDTH : CELL_WIDTH, "%s", HEADS[i]);
    document_row(document);
    for (TextView name; (name = text_next_word(&names)).length > 0;) {
        const LessonSearch *search = &lesson->search[lesson_find_search(lesson, name)];
        const Status status = row_of(document, facts, name, columns, cells);
        if (!status_is_ok(&status)) return status;
        for (int i = 0; i < columns; i++)
            document_cell(document, i == 0 ? STYLE_NAME : STYLE_NORMAL, i == 0 ? -NAME_WIDTH : CELL_WIDTH,
                          "%s", cells[i]);
        document_row(document);
        const char *changes = changes_of(document, search);
        if (changes[0] == '\0') continue;
        document_cell(document, STYLE_QUIET, 0, "  %s", changes);
        document_row(document);
    }
    document_cell(document, STYLE_QUIET, 0, "since: the iteration from which on the move was the same%s",
                  columns == COLUMNS ? "; acted: how often the rule did" : "");
    document_row(document);
    return status_ok();
}

/* --- text --- */

/* The heading of a step without its kind. */
static TextView heading_of(const LessonItem *item) {
    TextView rest = item->text;
    text_next_word(&rest);
    while (rest.length > 0 && rest.data[0] == ' ') rest = (TextView){rest.data + 1, rest.length - 1};
    return rest;
}

static void put(Document *document, Style style, const char *before, const char *text) {
    document_put(document, style, 0, document_text(document, "%s%s", before, text));
    document_row(document);
}

enum { OPTIONS_MAX = 8 };

/* The options in an order that does not give away the right one: that of their characters. */
static const char *options_of(Document *document, const char *text) {
    const char *option[OPTIONS_MAX];
    int length[OPTIONS_MAX], count = 0;
    for (const char *end; count < OPTIONS_MAX; text = end + 3) {
        end = strstr(text, " | ");
        int at = count++;
        const int own = end != NULL ? (int)(end - text) : (int)strlen(text);
        for (; at > 0 && strncmp(option[at - 1], text, (size_t)own) > 0; at--) {
            option[at] = option[at - 1];
            length[at] = length[at - 1];
        }
        option[at] = text;
        length[at] = own;
        if (end == NULL) break;
    }
    const char *row = "";
    for (int i = 0; i < count; i++)
        row = document_text(document, "%s%s%.*s", row, i > 0 ? " / " : "", length[i], option[i]);
    return row;
}

static Status write_item(Document *document, const Lesson *lesson, const Facts *facts, const LessonItem *item,
                         int *question, LessonBoard *board) {
    TextBuffer text = {0};
    Status status = fill(facts, item, &text);
    const int position = lesson_find_position(lesson, item->text);
    if (status_is_ok(&status) && item->kind != ITEM_ANSWER && item->kind != ITEM_CLAIM) {
        document_row(document);
        switch (item->kind) {
        case ITEM_STEP: put(document, STYLE_STRONG, "", plain(document, heading_of(item))); break;
        case ITEM_BOARD: board(document->out, facts_position(facts, position)); break;
        case ITEM_TABLE: status = at_line(item, write_table(document, lesson, facts, item->text)); break;
        case ITEM_RUN: /* in one row, to be copied */
            document_cell(document, STYLE_QUIET, 0, "$ %s", buffer_string(&text));
            document_row(document);
            break;
        case ITEM_CODE: put(document, STYLE_QUIET, "  The code: ", buffer_string(&text)); break;
        case ITEM_QUESTION:
            put(document, STYLE_NORMAL, document_text(document, "%d. ", ++*question), buffer_string(&text));
            break;
        case ITEM_OPTIONS:
            put(document, STYLE_NORMAL, "   ", options_of(document, buffer_string(&text)));
            break;
        default: put(document, STYLE_NORMAL, "", buffer_string(&text));
        }
    }
    buffer_release(&text);
    return status;
}

static Status write_answers(Document *document, const Lesson *lesson, const Facts *facts) {
    Status status = status_ok();
    TextBuffer text = {0};
    int number = 0;
    for (int i = 0; i < lesson->item_count && status_is_ok(&status); i++) {
        if (lesson->item[i].kind != ITEM_ANSWER) continue;
        status = fill(facts, &lesson->item[i], &text);
        document_row(document);
        put(document, STYLE_QUIET, document_text(document, "Answer %d. ", ++number), buffer_string(&text));
    }
    buffer_release(&text);
    return status;
}

/* --- JSON --- */

static void write_searches(Document *document, const Lesson *lesson, const Facts *facts) {
    document_list(document, "searches");
    for (int i = 0; i < lesson->search_count; i++) {
        const LessonSearch *search = &lesson->search[i];
        const Position *pos = facts_position(facts, search->position);
        const SearchFacts *found = facts_search(facts, i);
        TextBuffer changes = {0};
        changes_append(&changes, &search->changes);
        document_object(document, NULL);
        document_string(document, "name", plain(document, search->name));
        document_fen(document, pos);
        document_int(document, "depth", search->depth);
        document_string(document, "changes", buffer_string(&changes));
        document_int(document, "nodes", (int64_t)found->info.nodes);
        document_move(document, "best", pos, found->info.pv[0]);
        document_score(document, "score", found->info.score);
        document_int(document, "since", found->since);
        if (lesson->technique < TECHNIQUE_COUNT)
            document_int(document, "acted", (int64_t)facts_acted(&found->totals, lesson->technique));
        document_object_end(document);
        buffer_release(&changes);
    }
    document_list_end(document);
}

/* The numbers of the search: their values, and between which bounds they may be set. */
static void write_numbers(Document *document) {
    int count;
    const ParamRow *rows = params_rows(&count);
    document_list(document, "numbers");
    for (int i = 0; i < count; i++) {
        document_object(document, NULL);
        document_string(document, "name", rows[i].name);
        document_int(document, "value", rows[i].initial);
        document_int(document, "low", rows[i].low);
        document_int(document, "high", rows[i].high);
        document_object_end(document);
    }
    document_list_end(document);
}

static Status write_json(Document *document, const Lesson *lesson, const Facts *facts) {
    Status status = status_ok();
    TextBuffer text = {0};
    document_object(document, NULL);
    document_int(document, "schema", LESSON_SCHEMA);
    document_string(document, "title", plain(document, lesson->title));
    document_string(document, "source", plain(document, lesson->source));
    document_string(document, "technique",
                    lesson->technique < TECHNIQUE_COUNT ? technique_name(lesson->technique) : NULL);
    write_searches(document, lesson, facts);
    facts_write_examples(facts, document);
    write_numbers(document);
    document_list(document, "items");
    for (int i = 0; i < lesson->item_count && status_is_ok(&status); i++) {
        const LessonItem *item = &lesson->item[i];
        const int position = lesson_find_position(lesson, item->text);
        status = fill(facts, item, &text);
        document_object(document, NULL);
        document_string(document, "kind", item_kind_name(item->kind));
        document_string(document, "text", buffer_string(&text));
        if (item->kind == ITEM_BOARD) document_fen(document, facts_position(facts, position));
        if (item->kind == ITEM_CLAIM && status_is_ok(&status)) {
            bool holds;
            buffer_clear(&text);
            status = at_line(item, facts_check(facts, item->text, &holds, &text));
            document_bool(document, "holds", holds);
            document_string(document, "sides", buffer_string(&text));
        }
        document_object_end(document);
    }
    document_list_end(document);
    document_object_end(document);
    buffer_release(&text);
    return status;
}

Status lesson_write(Document *document, const Lesson *lesson, const Facts *facts, LessonBoard *board) {
    if (document->form == DOCUMENT_JSON) return write_json(document, lesson, facts);
    Status status = status_ok();
    int question = 0;
    put(document, STYLE_STRONG, "", plain(document, lesson->title));
    put(document, STYLE_QUIET, "", plain(document, lesson->source));
    for (int i = 0; i < lesson->item_count && status_is_ok(&status); i++)
        status = write_item(document, lesson, facts, &lesson->item[i], &question, board);
    return status_is_ok(&status) ? write_answers(document, lesson, facts) : status;
}

/* --- a page to be printed --- */

static const char PAGE_HEAD[] =
    "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
    "body{font:12pt/1.45 serif;max-width:38em;margin:2em auto;padding:0 1em;color:#000;background:#fff}\n"
    "svg{width:15em;display:block;margin:1em 0}table{border-collapse:collapse}td,th{padding:.1em .7em;text-align:right}\n"
    "td:first-child,th:first-child{text-align:left}h2{break-after:avoid}svg,table{break-inside:avoid}\n"
    "@page{margin:1.5cm}@media print{body{margin:0}}\n</style>\n";

static void append_element(TextBuffer *out, const char *element, const char *text) {
    buffer_append_format(out, "<%s>", element);
    buffer_append_xml(out, text_view(text));
    buffer_append_format(out, "</%s>\n", element);
}

static Status append_table(TextBuffer *out, const Lesson *lesson, const Facts *facts, TextView names) {
    Document document = {.out = out};
    const char *cells[COLUMNS];
    const int columns = column_count(lesson);
    buffer_append_string(out, "<table><tr>");
    for (int i = 0; i < columns; i++) append_element(out, "th", HEADS[i]);
    for (TextView name; (name = text_next_word(&names)).length > 0;) {
        const Status status = row_of(&document, facts, name, columns, cells);
        if (!status_is_ok(&status)) return status;
        buffer_append_string(out, "</tr><tr>");
        for (int i = 0; i < columns; i++) append_element(out, "td", cells[i]);
        append_element(out, "td", changes_of(&document, &lesson->search[lesson_find_search(lesson, name)]));
    }
    buffer_append_string(out, "</tr></table>\n");
    return status_ok();
}

static Status append_item(TextBuffer *out, const Lesson *lesson, const Facts *facts, const LessonItem *item,
                          LessonBoard *board) {
    TextBuffer text = {0};
    Document document = {.out = out};
    Status status = fill(facts, item, &text);
    const int position = lesson_find_position(lesson, item->text);
    const char *filled = buffer_string(&text);
    switch (item->kind) {
    case ITEM_STEP: append_element(out, "h2", plain(&document, heading_of(item))); break;
    case ITEM_BOARD: board(out, facts_position(facts, position)); break;
    case ITEM_TABLE: status = append_table(out, lesson, facts, item->text); break;
    case ITEM_RUN:
    case ITEM_CODE: append_element(out, "pre", filled); break;
    case ITEM_QUESTION: append_element(out, "p", document_text(&document, "Question. %s", filled)); break;
    case ITEM_OPTIONS: append_element(out, "p", options_of(&document, filled)); break;
    case ITEM_ANSWER:
    case ITEM_CLAIM: break;
    default: append_element(out, "p", filled);
    }
    buffer_release(&text);
    return status;
}

Status lesson_append_html(TextBuffer *out, const Lesson *lesson, const Facts *facts, LessonBoard *board) {
    Document document = {.out = out};
    TextBuffer text = {0};
    Status status = status_ok();
    buffer_append_string(out, "<!doctype html>\n<html lang=\"en\">\n");
    buffer_append_string(out, PAGE_HEAD);
    append_element(out, "title", plain(&document, lesson->title));
    append_element(out, "h1", plain(&document, lesson->title));
    append_element(out, "p", plain(&document, lesson->source));
    for (int i = 0; i < lesson->item_count && status_is_ok(&status); i++)
        status = append_item(out, lesson, facts, &lesson->item[i], board);
    append_element(out, "h2", "Answers");
    for (int i = 0; i < lesson->item_count && status_is_ok(&status); i++) {
        if (lesson->item[i].kind != ITEM_ANSWER) continue;
        status = fill(facts, &lesson->item[i], &text);
        append_element(out, "p", buffer_string(&text));
    }
    buffer_release(&text);
    buffer_append_string(out, "</html>\n");
    return status_is_ok(&status) && out->failed ? status_no_memory("the lesson") : status;
}

/* --- claims --- */

Status lesson_check(const Lesson *lesson, const Facts *facts) {
    Status status = status_ok();
    TextBuffer why = {0};
    for (int i = 0; i < lesson->item_count && status_is_ok(&status); i++) {
        const LessonItem *item = &lesson->item[i];
        bool holds = true;
        status = fill(facts, item, &why);
        buffer_clear(&why);
        if (status_is_ok(&status) && item->kind == ITEM_CLAIM)
            status = at_line(item, facts_check(facts, item->text, &holds, &why));
        if (!holds)
            status = status_error("line %d: '%.*s' does not hold: its sides are %s", item->line,
                                  (int)item->text.length, item->text.data, buffer_string(&why));
    }
    buffer_release(&why);
    return status;
}
