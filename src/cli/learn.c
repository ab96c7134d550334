/* luft learn: lessons on the search, with numbers that the search computes when they are printed. */
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "explain/explain.h"
#include "learn/lesson_view.h"
#include "learn/shelf.h"
#include "review/diagram.h"
#include "uci/report.h"

typedef struct Settings {
    WordList names;
    const char *file;
    bool json, html, check;
} Settings;

static void draw_board(TextBuffer *out, const Position *pos) {
    const BoardLook look = {.style = BOARD_LETTERS, .flipped = pos->side == BLACK};
    board_draw(out, pos, look);
    buffer_append_format(out, "   %s to move\n", pos->side == WHITE ? "White" : "Black");
}

static void draw_diagram(TextBuffer *out, const Position *pos) {
    diagram_append_svg(out, pos, pos->side);
    buffer_append_format(out, "<p>%s to move</p>\n", pos->side == WHITE ? "White" : "Black");
}

static Status append_lesson(const Settings *settings, const Lesson *lesson, const Facts *facts,
                            TextBuffer *out) {
    if (settings->check) return lesson_check(lesson, facts);
    if (settings->html) return lesson_append_html(out, lesson, facts, draw_diagram);
    Document document = terminal_document(out, settings->json, 0);
    const Status status = lesson_write(&document, lesson, facts, draw_board);
    if (settings->json) buffer_append_char(out, '\n');
    return status;
}

static Status show(const Settings *settings, TextView text) {
    Lesson *lesson = memory_allocate(sizeof *lesson);
    if (lesson == NULL) return status_no_memory("the lesson");
    TextBuffer out = {0};
    Facts *facts = NULL;
    Explainer *explainer = NULL;
    Status status = lesson_read(text, lesson);
    if (status_is_ok(&status)) explainer = explainer_create(NULL, EXPLAIN_HASH, &status);
    if (status_is_ok(&status)) facts = facts_find(lesson, explainer_searcher(explainer), &status);
    if (status_is_ok(&status)) status = append_lesson(settings, lesson, facts, &out);
    if (status_is_ok(&status) && !buffer_print_raw(&out, stdout)) status = status_no_memory("the lesson");
    buffer_release(&out);
    facts_release(facts);
    explainer_destroy(explainer);
    memory_release(lesson);
    return status;
}

static Status show_file(const Settings *settings) {
    TextBuffer content = {0};
    Status status = file_read(settings->file, &content);
    if (status_is_ok(&status)) status = show(settings, buffer_view(&content));
    buffer_release(&content);
    return status;
}

/* The title of a lesson, which its second word and on of the line "@title" are. */
static Status list_lessons(void) {
    const char *name;
    TextView text, title;
    for (int i = 0; shelf_lesson(i, &name, &text); i++)
        if (text_next_line(&text, &title)) {
            text_next_word(&title);
            text_printf(stdout, "%-22s%.*s\n", name, (int)title.length, title.data);
        }
    return status_ok();
}

static bool is_wanted(const Settings *settings, const char *name) {
    bool wanted = settings->names.count == 0;
    for (int i = 0; i < settings->names.count; i++)
        wanted |= text_equals(text_view(settings->names.word[i]), name);
    return wanted;
}

static Status run(void *context) {
    const Settings *settings = context;
    const char *name;
    TextView text;
    Status status = status_ok();
    if (settings->file != NULL) return show_file(settings);
    if (settings->names.count == 0 && !settings->check) return list_lessons();
    for (int i = 0; shelf_lesson(i, &name, &text) && status_is_ok(&status); i++) {
        if (!is_wanted(settings, name)) continue;
        status = show(settings, text);
        if (!status_is_ok(&status)) status = status_error("lesson %s: %s", name, status.reason);
    }
    return status;
}

static Status check_names(void *context) {
    const Settings *settings = context;
    const char *name;
    TextView text;
    for (int word = 0; word < settings->names.count; word++) {
        const char *const wanted = settings->names.word[word];
        Nearest nearest = nearest_to(text_view(wanted));
        bool found = false;
        for (int i = 0; shelf_lesson(i, &name, &text) && !found; i++) {
            found = text_equals(text_view(wanted), name);
            nearest_consider(&nearest, name);
        }
        if (!found && nearest.name != NULL)
            return status_error("there is no lesson '%s'; did you mean %s?", wanted, nearest.name);
        if (!found) return status_error("there is no lesson '%s': luft learn lists them", wanted);
    }
    return status_ok();
}

#define FIELD_STRUCT Settings
static const Field FIELDS[] = {
    {FIELD_WORDS("NAME", names, 0, "the lesson (default: list them)")},
    {FIELD_TEXT("file", "FILE", file, NULL, "a lesson of your own (docs/learn.md)")},
    {FIELD_FLAG("html", html, "print a page for a printer or a browser")},
    {FIELD_FLAG("json", json, "print a JSON object (docs/learn.md)")},
    {FIELD_FLAG("check", check, "print nothing, and fail if something that a lesson claims is not so")},
    {0}};

int command_learn(int argc, char **argv) {
    static const Syntax SYNTAX = {
        .command = "luft learn",
        .about = "Teaches how the search prunes and reduces: each lesson shows a technique in positions, "
                 "without it, with other numbers, and where it fails. "
                 "The search computes every number when the lesson is printed.\n",
        .examples = "  luft learn\n  luft learn futility\n  luft learn null-move --html > lesson.html\n",
        .fields = FIELDS,
        .check = check_names,
        .run = run};
    Settings settings = {0};
    return commands_run(&SYNTAX, argc, argv, &settings);
}
