#include "learn/facts.h"

#include "base/bits.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "record/tree.h"
#include "search/reduce.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LINE_SHOWN = 5, TEXT_MAX = 512, MATE_CENTIPAWNS = 100000 };

/* An act of a rule, and the node in which it acted. */
typedef struct ExampleFacts {
    char line[TEXT_MAX], move[SAN_CAPACITY], sentence[TEXT_MAX], parts[TEXT_MAX];
    bool has[OPERAND_COUNT];
    int value[OPERAND_COUNT];
    int sum; /* of the parts of a reduction */
    Visit visit;
    int skipped, moves;           /* of the node: skipped by the technique, and legal ones */
    int searched, searched_score; /* the move, the rule's own search, or the last one before a cut */
    int again, again_score;       /* the deeper search of that move */
    Position pos;                 /* the node's */
    Move acted[MAX_MOVES];        /* its moves on which the technique had this effect, each once */
    int acted_count;
} ExampleFacts;

struct Facts {
    const Lesson *lesson;
    Position pos[LESSON_POSITIONS_MAX];
    int value[LESSON_POSITIONS_MAX]; /* static, of the positions: units, for the side to move */
    SearchFacts search[LESSON_SEARCHES_MAX];
    ExampleFacts example[LESSON_EXAMPLES_MAX];
};

/* What a name or an expression stands for. */
typedef struct Value {
    char text[TEXT_MAX]; /* as it is printed */
    double number;
    bool has_number;
} Value;

/* Lessons are in English. `out` takes what fails. */
static Document english(TextBuffer *out) { return (Document){.out = out, .language = language_row(0)}; }

/* --- examples --- */

/* The path from the root to a visit, "1. e4 e5 2. pass": "the root" where it is empty. Plays it in *pos. */
static void append_path(const Recording *recording, int visit, Position *pos, TextBuffer *out) {
    const Visit *node = &recording->visit[visit];
    if (node->parent == VISIT_NONE) return;
    append_path(recording, node->parent, pos, out);
    if (node->move == MOVE_NONE) return;
    char san[SAN_CAPACITY] = "pass";
    Undo undo;
    if (node->move != MOVE_NULL) san_write(pos, node->move, san);
    const bool is_first = out->length == 0;
    if (!is_first) buffer_append_char(out, ' ');
    if (pos->side == WHITE || is_first)
        buffer_append_format(out, pos->side == WHITE ? "%d. " : "%d... ", pos->fullmove);
    buffer_append_string(out, san);
    if (node->move == MOVE_NULL) {
        position_make_null(pos, &undo);
        pos->fullmove += pos->side == WHITE;
    } else
        position_make_move(pos, node->move, &undo);
}

/* The search of the act's move that was deeper than the reduced one; VISIT_NONE: it was not searched again.
 */
static int searched_again(const Recording *recording, const RecordedAct *act, int *first) {
    *first = VISIT_NONE;
    for (int v = recording_child(recording, act->visit); v != VISIT_NONE;
         v = recording_sibling(recording, v)) {
        const Visit *visit = &recording->visit[v];
        if (visit->move != act->move || !visit_is_of_move(visit)) continue;
        if (*first == VISIT_NONE)
            *first = v;
        else if (visit->depth > recording->visit[*first].depth)
            return v;
    }
    return VISIT_NONE;
}

/* The search that a rule began, or the last one before its act. */
static int search_at(const Recording *recording, const RecordedAct *act, int index) {
    int last = VISIT_NONE;
    for (int v = recording_child(recording, act->visit); v != VISIT_NONE;
         v = recording_sibling(recording, v)) {
        const bool is_later = recording->visit[v].act > index;
        if (is_later && act->effect == EFFECT_TRIES) return v;
        if (!is_later) last = v;
    }
    return last;
}

static bool is_move(const Recording *recording, const RecordedAct *act, const Position *root,
                    TextView wanted) {
    char san[SAN_CAPACITY];
    Position pos = *root;
    TextBuffer path = {0};
    if (act->move == MOVE_NONE) return false;
    append_path(recording, act->visit, &pos, &path);
    buffer_release(&path);
    san_write(&pos, act->move, san);
    return text_equals(wanted, san);
}

/* The first of the acts that are nearest to the root; -1 where there is none. */
static int choose_act(const Recording *recording, int top, const Position *root,
                      const LessonExample *example) {
    int chosen = -1, first;
    for (int i = recording->visit[top].act; i < recording->visit[top].act_end; i++) {
        const RecordedAct *act = &recording->act[i];
        const int ply = recording->visit[act->visit].ply;
        if (act->technique != example->technique || act->effect != (uint8_t)example->effect) continue;
        if (chosen >= 0 && ply >= recording->visit[recording->act[chosen].visit].ply) continue;
        if (example->again && searched_again(recording, act, &first) == VISIT_NONE) continue;
        if (example->move.length > 0 && !is_move(recording, act, root, example->move)) continue;
        chosen = i;
    }
    return chosen;
}

/* "depth and move number +3.4, PV node -1.0": the parts of a reduction in plies, and their sum in 1/1024. */
static void append_part(const Operand *operand, const char *name, ExampleFacts *facts) {
    const size_t length = strlen(facts->parts);
    text_format(facts->parts + length, TEXT_MAX - length, "%s%s %+.1f", length > 0 ? ", " : "", name,
                (double)operand->value / ONE_PLY);
    facts->sum += operand->value;
}

/* The moves of the node on which the technique acted as in the example. */
static void collect_moves(const Recording *recording, const RecordedAct *act, ExampleFacts *facts) {
    for (int i = facts->visit.act; i < facts->visit.act_end; i++) {
        const RecordedAct *other = &recording->act[i];
        if (other->visit != act->visit || other->technique != act->technique) continue;
        facts->skipped += other->skipped;
        bool known = other->effect != act->effect || other->move == MOVE_NONE || other->move == MOVE_NULL;
        for (int k = 0; k < facts->acted_count; k++) known |= facts->acted[k] == other->move;
        if (!known && facts->acted_count < MAX_MOVES) facts->acted[facts->acted_count++] = other->move;
    }
}

static void read_example(const Recording *recording, int chosen, const Position *root, ExampleFacts *facts) {
    const RecordedAct *act = &recording->act[chosen];
    Position pos = *root;
    TextBuffer line = {0};
    Move moves[MAX_MOVES];
    append_path(recording, act->visit, &pos, &line);
    text_copy(line.length > 0 ? buffer_view(&line) : text_view("the first position"), facts->line, TEXT_MAX);
    if (act->move != MOVE_NONE) san_write(&pos, act->move, facts->move);
    Document document = english(&line);
    ActGroup group = {.count = 0};
    recording_group_act(recording, &group, chosen);
    text_copy(text_view(language_acts(&document, recording, &group, &pos)), facts->sentence, TEXT_MAX);
    for (int i = 0; i < act->count; i++) {
        const Operand *operand = &recording->operand[act->operand + i];
        facts->has[operand->id] = true;
        facts->value[operand->id] = operand->value;
        if (document.language->parts[operand->id] != NULL)
            append_part(operand, document.language->parts[operand->id], facts);
    }
    buffer_release(&line);
    facts->visit = recording->visit[act->visit];
    facts->moves = movegen_legal(&pos, moves);
    facts->pos = pos;
    collect_moves(recording, act, facts);
    int first;
    const int again = searched_again(recording, act, &first);
    if (first == VISIT_NONE) first = search_at(recording, act, chosen);
    if (first != VISIT_NONE) {
        facts->searched = recording->visit[first].depth;
        facts->searched_score = -recording->visit[first].score;
    }
    if (again != VISIT_NONE) {
        facts->again = recording->visit[again].depth;
        facts->again_score = -recording->visit[again].score;
    }
}

/* --- searches --- */

/* The iteration from which on the best move was the last one's, as far as the searcher remembers them. */
static int since_of(const Searcher *searcher, const SearchInfo *info) {
    int since = info->depth;
    Finding found = finding_of(info);
    while (found.nodes > 0) {
        const Finding before = searcher_found_by(searcher, found.nodes - 1);
        if (before.best != info->pv[0] || before.nodes >= found.nodes) break;
        found = before;
        since = found.depth;
    }
    return since;
}

static Status run_search(Facts *facts, int index, Searcher *searcher, Recorder *recorder) {
    const Lesson *lesson = facts->lesson;
    const LessonSearch *search = &lesson->search[index];
    const Position *root = &facts->pos[search->position];
    recorder_begin(recorder, &(RecordingFilter){.latest = true}, &search->changes);
    const SearchInfo *info = searcher_record(searcher, root, recorder, 0, search->depth);
    const Recording *recording = recorder_recording(recorder);
    const int top = recording_last_root(recording);
    if (top == VISIT_NONE || info->pv_length == 0)
        return status_error("stopped before the searches were finished");
    SearchFacts *found = &facts->search[index];
    found->info = *info;
    found->totals = recording->totals;
    found->since = since_of(searcher, info);
    for (int i = 0; i < lesson->example_count; i++) {
        if (lesson->example[i].search != index) continue;
        const int chosen = choose_act(recording, top, root, &lesson->example[i]);
        char name[40];
        text_copy_printable(lesson->example[i].name, name, sizeof name);
        if (chosen < 0) return status_error("the search has no example '%s'", name);
        read_example(recording, chosen, root, &facts->example[i]);
    }
    return status_ok();
}

/* The position after the best move of a search. */
static Status find_after(Facts *facts, int index) {
    const LessonPosition *position = &facts->lesson->position[index];
    Position *pos = &facts->pos[index];
    Undo undo;
    *pos = facts->pos[facts->lesson->search[position->search].position];
    position_make_move(pos, facts->search[position->search].info.pv[0], &undo);
    if (movegen_has_legal(pos)) return status_ok();
    char name[40];
    text_copy_printable(position->name, name, sizeof name);
    return status_error("there is no legal move in the position '%s'", name);
}

/* The positions that `search` leads to; -1: those that are given. */
static Status find_positions(Facts *facts, int search, Searcher *searcher) {
    Status status = status_ok();
    for (int i = 0; i < facts->lesson->position_count && status_is_ok(&status); i++) {
        if (facts->lesson->position[i].search != search) continue;
        facts->pos[i] = facts->lesson->position[i].pos;
        if (search >= 0) status = find_after(facts, i);
        if (status_is_ok(&status)) facts->value[i] = searcher_evaluate(searcher, &facts->pos[i]);
    }
    return status;
}

Facts *facts_find(const Lesson *lesson, Searcher *searcher, Status *status) {
    Facts *facts = memory_allocate(sizeof *facts);
    Recorder *recorder = recorder_create(RECORDING_BYTES_MAX);
    *status = status_no_memory("the lesson");
    if (facts != NULL && recorder != NULL) {
        facts->lesson = lesson;
        *status = find_positions(facts, -1, searcher);
        for (int i = 0; i < lesson->search_count && status_is_ok(status); i++) {
            *status = run_search(facts, i, searcher, recorder);
            if (status_is_ok(status)) *status = find_positions(facts, i, searcher);
        }
    }
    recorder_destroy(recorder);
    if (status_is_ok(status)) return facts;
    facts_release(facts);
    return NULL;
}

void facts_release(Facts *facts) { memory_release(facts); }

const Position *facts_position(const Facts *facts, int position) { return &facts->pos[position]; }

const SearchFacts *facts_search(const Facts *facts, int search) { return &facts->search[search]; }

/* --- examples in JSON --- */

static const struct {
    const char *name, *unit;
} OPERANDS[] = {
#define OPERAND(id, unit) {#id, #unit},
#include "search/operands.def"
};

void facts_write_examples(const Facts *facts, Document *document) {
    document_list(document, "examples");
    for (int i = 0; i < facts->lesson->example_count; i++) {
        const LessonExample *example = &facts->lesson->example[i];
        const ExampleFacts *found = &facts->example[i];
        document_object(document, NULL);
        document_string(document, "name",
                        document_text(document, "%.*s", (int)example->name.length, example->name.data));
        document_fen(document, &found->pos);
        document_string(document, "line", found->line);
        document_string(document, "technique", technique_name(example->technique));
        document_string(document, "effect", effect_name(example->effect));
        document_string(document, "words", found->sentence);
        document_int(document, "depth", found->visit.depth);
        document_int(document, "alpha", found->visit.alpha);
        document_int(document, "beta", found->visit.beta);
        document_int(document, "legal", found->moves);
        document_int(document, "skipped", found->skipped);
        document_list(document, "moves");
        for (int k = 0; k < found->acted_count; k++)
            document_move(document, NULL, &found->pos, found->acted[k]);
        document_list_end(document);
        document_list(document, "operands");
        for (int id = 0; id < OPERAND_COUNT; id++) {
            if (!found->has[id]) continue;
            document_object(document, NULL);
            document_string(document, "name", OPERANDS[id].name);
            document_int(document, "value", found->value[id]);
            document_string(document, "unit", OPERANDS[id].unit);
            document_object_end(document);
        }
        document_list_end(document);
        document_object_end(document);
    }
    document_list_end(document);
}

/* --- names --- */

static Value value_number(double number) {
    Value value = {.number = number, .has_number = true};
    text_format(value.text, TEXT_MAX, "%.0f", number);
    return value;
}

static Value value_text(const char *text) {
    Value value = {.has_number = false};
    text_copy(text_view(text), value.text, TEXT_MAX);
    return value;
}

/* As White sees it; a claim compares centipawns. */
static Value value_score(int score, Color side) {
    TextBuffer scratch = {0};
    Document document = english(&scratch);
    Value value = value_text(language_white_score(&document, score, side));
    const int cp =
        score_is_mate(score) ? (score > 0 ? MATE_CENTIPAWNS : -MATE_CENTIPAWNS) : score_to_centipawns(score);
    value.number = side == WHITE ? cp : -cp;
    value.has_number = true;
    return value;
}

static Value value_line(const Position *root, const SearchInfo *info) {
    TextBuffer scratch = {0};
    Document document = english(&scratch);
    return value_text(
        language_line(&document, root, info->pv, int_min(info->pv_length, LINE_SHOWN), TEXT_MAX));
}

uint64_t facts_acted(const RecordingTotals *totals, TechniqueId technique) {
    uint64_t sum = totals->skipped[technique];
    for (int effect = 0; effect < EFFECT_COUNT; effect++)
        if (effect != EFFECT_SKIPS && effect != EFFECT_TRIES) sum += totals->acted[technique][effect];
    return sum;
}

static bool search_value(const Facts *facts, int index, TextView field, Value *value) {
    const SearchFacts *found = &facts->search[index];
    const LessonSearch *search = &facts->lesson->search[index];
    const Position *root = &facts->pos[search->position];
    const RecordingTotals *totals = &found->totals;
    const TechniqueId technique = facts->lesson->technique;
    const bool has_technique = technique < TECHNIQUE_COUNT;
    const struct {
        const char *name;
        uint64_t number;
    } NUMBERS[] = {{"depth", (uint64_t)found->info.depth},
                   {"nodes", found->info.nodes},
                   {"since", (uint64_t)found->since},
                   {"acted", has_technique ? facts_acted(totals, technique) : 0},
                   {"skipped", has_technique ? totals->skipped[technique] : 0},
                   {"cuts", has_technique ? totals->acted[technique][EFFECT_CUTS] : 0},
                   {"tries", has_technique ? totals->acted[technique][EFFECT_TRIES] : 0},
                   {"reduced", totals->reduced},
                   {"again", totals->re_searched},
                   {"visits", totals->visits},
                   {"failed_high", totals->failed_high},
                   {"failed_high_first", totals->failed_high_first}};
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        if (!text_equals(field, NUMBERS[i].name)) continue;
        *value = value_number((double)NUMBERS[i].number);
        return true;
    }
    if (text_equals(field, "units")) {
        *value = value_number(found->info.score);
        return true;
    }
    for (int id = 0; id < TECHNIQUE_COUNT; id++) {
        if (!text_equals(field, technique_name((TechniqueId)id))) continue;
        *value = value_number((double)facts_acted(totals, (TechniqueId)id));
        return true;
    }
    TextBuffer scratch = {0};
    Document document = english(&scratch);
    if (text_equals(field, "move"))
        *value = value_text(language_san(&document, root, found->info.pv[0]));
    else if (text_equals(field, "score"))
        *value = value_score(found->info.score, root->side);
    else if (text_equals(field, "line"))
        *value = value_line(root, &found->info);
    else
        return false;
    return true;
}

static bool example_value(const ExampleFacts *facts, TextView field, Value *value) {
    const struct {
        const char *name;
        int number;
    } NUMBERS[] = {{"node_depth", facts->visit.depth},
                   {"skipped", facts->skipped},
                   {"moves", facts->moves},
                   {"ply", facts->visit.ply},
                   {"node_alpha", facts->visit.alpha},
                   {"node_beta", facts->visit.beta},
                   {"sum", facts->sum},
                   {"searched", facts->searched},
                   {"searched_score", facts->searched_score},
                   {"again", facts->again},
                   {"again_score", facts->again_score}};
    for (int id = 0; id < OPERAND_COUNT; id++) {
        if (!facts->has[id] || !text_equals(field, OPERANDS[id].name)) continue;
        *value = value_number(facts->value[id]);
        return true;
    }
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        if (!text_equals(field, NUMBERS[i].name)) continue;
        *value = value_number(NUMBERS[i].number);
        return true;
    }
    const char *text = text_equals(field, "line")       ? facts->line
                       : text_equals(field, "move")     ? facts->move
                       : text_equals(field, "sentence") ? facts->sentence
                       : text_equals(field, "parts")    ? facts->parts
                                                        : NULL;
    if (text != NULL) *value = value_text(text);
    return text != NULL;
}

static bool position_value(const Facts *facts, int index, TextView field, Value *value) {
    const Position *pos = &facts->pos[index];
    char fen[FEN_CAPACITY];
    fen_write(pos, fen);
    if (text_equals(field, "side"))
        *value = value_text(pos->side == WHITE ? "White" : "Black");
    else if (text_equals(field, "fen"))
        *value = value_text(fen);
    else if (text_equals(field, "value"))
        *value = value_number(facts->value[index]);
    else if (text_equals(field, "moves"))
        *value = value_number(movegen_count(pos));
    else
        return false;
    return true;
}

/* A number of params.def, or one of its bounds. */
static bool param_value(TextView name, TextView field, Value *value) {
    int count;
    const ParamRow *rows = params_rows(&count);
    for (int i = 0; i < count; i++) {
        if (!text_equals(name, rows[i].name)) continue;
        const bool is_low = text_equals(field, "low"), is_high = text_equals(field, "high");
        *value = value_number(is_low ? rows[i].low : is_high ? rows[i].high : rows[i].initial);
        return is_low || is_high || field.length == 0;
    }
    return false;
}

static bool name_value(const Facts *facts, TextView word, Value *value) {
    const Lesson *lesson = facts->lesson;
    size_t length = 0;
    while (length < word.length && word.data[length] != '.') length++;
    const TextView name = {word.data, length};
    const size_t rest = length < word.length ? length + 1 : length;
    const TextView field = {word.data + rest, word.length - rest};
    const int search = lesson_find_search(lesson, name), position = lesson_find_position(lesson, name);
    const int example = lesson_find_example(lesson, name);
    if (search >= 0) return search_value(facts, search, field, value);
    if (position >= 0) return position_value(facts, position, field, value);
    if (example >= 0) return example_value(&facts->example[example], field, value);
    if (text_equals(word, "pawn")) {
        *value = value_number(SCORE_UNITS_PER_PAWN);
        return true;
    }
    return param_value(name, field, value);
}

/* --- expressions: terms and symbols with blanks between them, * / // % before + - --- */

static Status term_value(const Facts *facts, TextView word, Value *value) {
    int64_t number;
    char shown[60];
    if (text_parse_int64(word, &number)) {
        *value = value_number((double)number);
        return status_ok();
    }
    if (name_value(facts, word, value)) return status_ok();
    text_copy_printable(word, shown, sizeof shown);
    return status_error("nothing is known by the name '%s'", shown);
}

static bool is_product(TextView word) {
    return text_equals(word, "*") || text_equals(word, "/") || text_equals(word, "//") ||
           text_equals(word, "%");
}

static Status combine(Value *left, TextView symbol, const Value *right) {
    const bool divides = text_equals(symbol, "/") || text_equals(symbol, "//") || text_equals(symbol, "%");
    if (!left->has_number || !right->has_number) return status_error("only numbers can be calculated with");
    if (divides && right->number == 0) return status_error("a division by zero");
    const double a = left->number, b = right->number;
    if (text_equals(symbol, "+")) *left = value_number(a + b);
    if (text_equals(symbol, "-")) *left = value_number(a - b);
    if (text_equals(symbol, "*")) *left = value_number(a * b);
    if (text_equals(symbol, "//")) *left = value_number(trunc(a / b));
    if (text_equals(symbol, "%")) *left = value_number(100 * a / b);
    if (text_equals(symbol, "/")) {
        left->number = a / b;
        text_format(left->text, TEXT_MAX, "%.1f", a / b);
    }
    return status_ok();
}

/* A term and all that is multiplied or divided by; `*next` is the symbol after it. */
static Status product_value(const Facts *facts, TextView *rest, Value *value, TextView *next) {
    Status status = term_value(facts, text_next_word(rest), value);
    *next = text_next_word(rest);
    while (status_is_ok(&status) && is_product(*next)) {
        Value right;
        status = term_value(facts, text_next_word(rest), &right);
        if (status_is_ok(&status)) status = combine(value, *next, &right);
        *next = text_next_word(rest);
    }
    return status;
}

static Status expression_value(const Facts *facts, TextView *rest, Value *value, TextView *next) {
    Status status = product_value(facts, rest, value, next);
    while (status_is_ok(&status) && (text_equals(*next, "+") || text_equals(*next, "-"))) {
        const TextView symbol = *next;
        Value right;
        status = product_value(facts, rest, &right, next);
        if (status_is_ok(&status)) status = combine(value, symbol, &right);
    }
    return status;
}

Status facts_fill(const Facts *facts, TextView text, TextBuffer *out) {
    Status status = status_ok();
    for (size_t i = 0; i < text.length && status_is_ok(&status); i++) {
        if (text.data[i] != '{') {
            buffer_append_char(out, text.data[i] == '\n' ? ' ' : text.data[i]);
            continue;
        }
        size_t end = i;
        while (end < text.length && text.data[end] != '}') end++;
        if (end == text.length) return status_error("a placeholder has no end");
        TextView rest = {text.data + i + 1, end - i - 1}, next;
        Value value;
        status = expression_value(facts, &rest, &value, &next);
        if (status_is_ok(&status) && next.length > 0) status = status_error("a placeholder ends in words");
        if (status_is_ok(&status)) buffer_append_string(out, value.text);
        i = end;
    }
    return status_is_ok(&status) && out->failed ? status_no_memory("the lesson") : status;
}

static bool compare(const Value *left, TextView symbol, const Value *right) {
    const double order =
        left->has_number ? left->number - right->number : (double)strcmp(left->text, right->text);
    if (text_equals(symbol, "=")) return order == 0;
    if (text_equals(symbol, "!=")) return order != 0;
    if (text_equals(symbol, "<")) return order < 0;
    if (text_equals(symbol, ">")) return order > 0;
    return text_equals(symbol, "<=") ? order <= 0 : order >= 0;
}

/* Whether a move can be written so: "Kb7", "e8=Q+", "O-O". */
static bool looks_like_move(TextView word) {
    if (word.length < 2 || word.length >= SAN_CAPACITY) return false;
    for (size_t i = 0; i < word.length; i++)
        if (word.data[i] == '\0' || strchr("KQRBNOabcdefgh12345678x=+#-", word.data[i]) == NULL) return false;
    return true;
}

/* A word that is no name may be a move. */
static Status side_value(const Facts *facts, TextView *rest, Value *value, TextView *next) {
    TextView again = *rest;
    const Status status = expression_value(facts, rest, value, next);
    const TextView word = text_next_word(&again);
    if (word.length == 0) return status_error("a claim needs two sides");
    if (status_is_ok(&status) || !looks_like_move(word)) return status;
    *value = value_text("");
    text_copy(word, value->text, TEXT_MAX);
    *next = text_next_word(&again);
    *rest = again;
    return status_ok();
}

Status facts_check(const Facts *facts, TextView claim, bool *holds, TextBuffer *why) {
    static const char *const OPERATORS[] = {"=", "!=", "<", ">", "<=", ">="};
    TextView rest = claim, symbol, end;
    Value left, right;
    bool is_known = false;
    Status status = side_value(facts, &rest, &left, &symbol);
    if (!status_is_ok(&status)) return status;
    for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++)
        is_known |= text_equals(symbol, OPERATORS[i]);
    if (!is_known) return status_error("a claim compares two sides by =, !=, <, >, <= or >=");
    status = side_value(facts, &rest, &right, &end);
    if (!status_is_ok(&status)) return status;
    if (end.length > 0) return status_error("a claim ends in words");
    if (left.has_number != right.has_number) return status_error("a claim compares a number with a word");
    *holds = compare(&left, symbol, &right);
    buffer_append_format(why, "%s and %s", left.text, right.text);
    return status_ok();
}
