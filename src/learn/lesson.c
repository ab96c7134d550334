#include "learn/lesson.h"

#include "chess/movegen.h"
#include "chess/reader.h"
#include "record/without.h"

static const char *const KINDS[ITEM_KIND_COUNT] = {"step", "text",     "board",   "table",  "run",
                                                   "code", "question", "options", "answer", "claim"};

const char *item_kind_name(ItemKind kind) { return KINDS[kind]; }

static bool same(TextView a, TextView b) {
    size_t i = 0;
    while (i < a.length && i < b.length && a.data[i] == b.data[i]) i++;
    return i == a.length && i == b.length;
}

int lesson_find_position(const Lesson *lesson, TextView name) {
    for (int i = 0; i < lesson->position_count; i++)
        if (same(lesson->position[i].name, name)) return i;
    return -1;
}

int lesson_find_search(const Lesson *lesson, TextView name) {
    for (int i = 0; i < lesson->search_count; i++)
        if (same(lesson->search[i].name, name)) return i;
    return -1;
}

int lesson_find_example(const Lesson *lesson, TextView name) {
    for (int i = 0; i < lesson->example_count; i++)
        if (same(lesson->example[i].name, name)) return i;
    return -1;
}

static Status unknown(const char *what, TextView name) {
    char shown[40];
    text_copy_printable(name, shown, sizeof shown);
    return status_error("there is no %s '%s'", what, shown);
}

static Status too_many(const char *what) { return status_error("a lesson has too many %s", what); }

static Status read_technique(TextView name, TechniqueId *technique) {
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        *technique = (TechniqueId)id;
        if (text_equals(name, technique_name((TechniqueId)id))) return status_ok();
    }
    return unknown("technique", name);
}

/* --- directives: what stands after their names --- */

/* A name, which nothing else has. */
static Status take_name(const Lesson *lesson, TextView *rest, TextView *name) {
    char shown[40];
    *name = text_next_word(rest);
    text_copy_printable(*name, shown, sizeof shown);
    if (name->length == 0) return status_error("a name is missing");
    if (lesson_find_position(lesson, *name) >= 0 || lesson_find_search(lesson, *name) >= 0 ||
        lesson_find_example(lesson, *name) >= 0)
        return status_error("the name '%s' is taken", shown);
    return status_ok();
}

/* NAME FEN, or NAME after SEARCH */
static Status read_position(Lesson *lesson, TextView rest) {
    if (lesson->position_count == LESSON_POSITIONS_MAX) return too_many("positions");
    LessonPosition *position = &lesson->position[lesson->position_count];
    Status warning, status = take_name(lesson, &rest, &position->name);
    if (!status_is_ok(&status)) return status;
    TextView after = rest;
    position->search = -1;
    if (text_equals(text_next_word(&after), "after")) {
        const TextView search = text_next_word(&after);
        position->search = lesson_find_search(lesson, search);
        if (position->search < 0) return unknown("search", search);
        lesson->position_count++;
        return status_ok();
    }
    status = reader_take_position(&position->pos, &rest, false, &warning);
    if (!status_is_ok(&status)) return status;
    if (!status_is_ok(&warning)) return warning;
    if (!movegen_has_legal(&position->pos)) return status_error("there is no legal move in the position");
    lesson->position_count++;
    return status_ok();
}

/* NAME POSITION DEPTH [CHANGES] */
static Status read_search(Lesson *lesson, TextView rest) {
    if (lesson->search_count == LESSON_SEARCHES_MAX) return too_many("searches");
    LessonSearch *search = &lesson->search[lesson->search_count];
    int64_t depth;
    Status status = take_name(lesson, &rest, &search->name);
    if (!status_is_ok(&status)) return status;
    const TextView position = text_next_word(&rest);
    search->position = lesson_find_position(lesson, position);
    if (search->position < 0) return unknown("position", position);
    if (!text_parse_int64(text_next_word(&rest), &depth) || depth < 1 || depth >= MAX_PLY)
        return status_error("a search needs a depth after its position");
    search->depth = (int)depth;
    status = changes_parse(rest, CHANGE_ANY, &search->changes);
    if (status_is_ok(&status)) lesson->search_count++;
    return status;
}

/* NAME SEARCH TECHNIQUE EFFECT [again | MOVE] */
static Status read_example(Lesson *lesson, TextView rest) {
    if (lesson->example_count == LESSON_EXAMPLES_MAX) return too_many("examples");
    LessonExample *example = &lesson->example[lesson->example_count];
    Status status = take_name(lesson, &rest, &example->name);
    if (!status_is_ok(&status)) return status;
    const TextView search = text_next_word(&rest);
    example->search = lesson_find_search(lesson, search);
    if (example->search < 0) return unknown("search", search);
    status = read_technique(text_next_word(&rest), &example->technique);
    if (!status_is_ok(&status)) return status;
    const TextView name = text_next_word(&rest);
    int effect = 0;
    while (effect < EFFECT_COUNT && !text_equals(name, effect_name((Effect)effect))) effect++;
    if (effect == EFFECT_COUNT) return unknown("effect", name);
    example->effect = (Effect)effect;
    example->move = text_next_word(&rest);
    example->again = text_equals(example->move, "again");
    if (example->again) example->move = (TextView){NULL, 0};
    lesson->example_count++;
    return status_ok();
}

/* A board shows a position, a table compares searches; they stand above. */
static Status check_names(const Lesson *lesson, ItemKind kind, TextView names) {
    if (kind == ITEM_BOARD && lesson_find_position(lesson, names) < 0) return unknown("position", names);
    for (TextView name; kind == ITEM_TABLE && (name = text_next_word(&names)).length > 0;)
        if (lesson_find_search(lesson, name) < 0) return unknown("search", name);
    return status_ok();
}

static Status read_directive(Lesson *lesson, TextView name, TextView rest, int line) {
    if (text_equals(name, "title"))
        lesson->title = rest;
    else if (text_equals(name, "source"))
        lesson->source = rest;
    else if (text_equals(name, "technique"))
        return read_technique(rest, &lesson->technique);
    else if (text_equals(name, "position"))
        return read_position(lesson, rest);
    else if (text_equals(name, "search"))
        return read_search(lesson, rest);
    else if (text_equals(name, "example"))
        return read_example(lesson, rest);
    else {
        int kind = 0;
        while (kind < ITEM_KIND_COUNT && !text_equals(name, KINDS[kind])) kind++;
        if (kind == ITEM_KIND_COUNT) return unknown("directive", name);
        if (lesson->item_count == LESSON_ITEMS_MAX) return too_many("steps and paragraphs");
        lesson->item[lesson->item_count++] = (LessonItem){(ItemKind)kind, line, rest};
        return check_names(lesson, (ItemKind)kind, rest);
    }
    return status_ok();
}

/* --- the text --- */

static TextView trimmed(TextView text) {
    while (text.length > 0 && (text.data[0] == ' ' || text.data[0] == '\n'))
        text = (TextView){text.data + 1, text.length - 1};
    while (text.length > 0 && (text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\n'))
        text.length--;
    return text;
}

/* A directive begins with '@'; it and a paragraph end at an empty line and before the next directive. */
static Status read_block(Lesson *lesson, TextView block, int line) {
    TextView rest = block, name = text_view("text");
    if (block.data[0] == '@') {
        name = text_next_word(&rest);
        name = (TextView){name.data + 1, name.length - 1};
    }
    const Status status = read_directive(lesson, name, trimmed(rest), line);
    return status_is_ok(&status) ? status : status_error("line %d: %s", line, status.reason);
}

Status lesson_read(TextView text, Lesson *lesson) {
    *lesson = (Lesson){.technique = TECHNIQUE_COUNT};
    Status status = status_ok();
    TextView line, block = {NULL, 0};
    int number = 0, first = 0;
    while (status_is_ok(&status) && text_next_line(&text, &line)) {
        number++;
        const bool is_empty = trimmed(line).length == 0;
        if (block.length > 0 && (is_empty || line.data[0] == '@')) {
            status = read_block(lesson, block, first);
            block.length = 0;
        }
        if (is_empty) continue;
        if (block.length == 0) {
            block.data = line.data;
            first = number;
        }
        block.length = (size_t)(line.data + line.length - block.data);
    }
    if (status_is_ok(&status) && block.length > 0) status = read_block(lesson, block, first);
    if (!status_is_ok(&status)) return status;
    if (lesson->title.length == 0 || lesson->source.length == 0)
        return status_error("a lesson needs @title and @source");
    return status;
}
