#include "explain/language.h"

#include "base/bits.h"
#include "chess/san.h"
#include "engine/lines.h"
#include "search/reduce.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const Language ENGLISH = {
    .code = "en",
    .words =
        {
#define WORDS(id, text) [WORDS_##id] = text,
#include "explain/words.def"
        },
    .pieces =
        {
#define PIECE(type, ...) [type] = {__VA_ARGS__},
#include "explain/words.def"
        },
    .sentences =
        {
#define ACT(technique, effect, sentence) [ACT_##technique##_##effect] = sentence,
#include "search/techniques.def"
        },
    .parts =
        {
#define PART_OF_REDUCTION(id, name) [OPERAND_##id] = name,
#include "search/operands.def"
        },
    .summaries =
        {
#define TECHNIQUE(name, summary) [TECHNIQUE_##name] = summary,
#include "search/techniques.def"
        },
};

static const Language GERMAN = {
    .code = "de",
    .words =
        {
#define WORDS(id, text) [WORDS_##id] = text,
#include "explain/words_de.def"
        },
    .pieces =
        {
#define PIECE(type, ...) [type] = {__VA_ARGS__},
#include "explain/words_de.def"
        },
    .sentences =
        {
#define ACT(technique, effect, sentence) [ACT_##technique##_##effect] = sentence,
#include "explain/words_de.def"
        },
    .parts =
        {
#define PART_OF_REDUCTION(id, name) [OPERAND_##id] = name,
#include "explain/words_de.def"
        },
    .summaries =
        {
#define TECHNIQUE(name, summary) [TECHNIQUE_##name] = summary,
#include "explain/words_de.def"
        },
};

static const Language *const LANGUAGES[] = {&ENGLISH, &GERMAN};
enum { LANGUAGE_COUNT = sizeof LANGUAGES / sizeof LANGUAGES[0] };

const Language *language_row(int index) {
    return index >= 0 && index < LANGUAGE_COUNT ? LANGUAGES[index] : NULL;
}

Status language_find(const char *code, const Language **language) {
    TextBuffer codes = {0};
    char shown[24];
    for (int i = 0; (*language = language_row(i)) != NULL; i++) {
        if (code == NULL || strcmp((*language)->code, code) == 0) return status_ok();
        buffer_append_format(&codes, "%s%s", i > 0 ? ", " : "", (*language)->code);
    }
    text_copy_printable(text_view(code), shown, sizeof shown);
    const Status status =
        status_error("there is no language '%s'; there is %s", shown, buffer_string(&codes));
    buffer_release(&codes);
    return status;
}

/* --- placeholders --- */

static TextView take_until(TextView *rest, char end) {
    size_t length = 0;
    while (length < rest->length && rest->data[length] != end) length++;
    const TextView taken = {rest->data, length};
    const size_t step = length < rest->length ? length + 1 : length;
    *rest = (TextView){rest->data + step, rest->length - step};
    return taken;
}

/* "name", "Name", "name.form" or "name:one|many". */
static void append_placeholder(TextBuffer *out, TextView text, LanguageFill *fill, void *context) {
    char lower[32];
    const bool is_capital = isupper((unsigned char)text.data[0]);
    TextView name = take_until(&text, ':');
    int64_t number = 0;
    if (!text_is_empty(text)) {
        TextBuffer unused = {0};
        const TextView one = take_until(&text, '|');
        fill(context, name, text_view(""), &unused, &number);
        buffer_append(out, number == 1 ? one : text);
        buffer_release(&unused);
        return;
    }
    TextView form = name;
    name = take_until(&form, '.');
    text_copy(name, lower, sizeof lower);
    lower[0] = (char)tolower((unsigned char)lower[0]);
    const size_t start = out->length;
    if (!fill(context, text_view(lower), form, out, &number)) buffer_append_char(out, '?');
    if (is_capital && out->length > start) out->data[start] = (char)toupper((unsigned char)out->data[start]);
}

void language_fill(TextBuffer *out, const char *sentence, LanguageFill *fill, void *context) {
    TextView rest = text_view(sentence);
    while (rest.length > 0) {
        buffer_append(out, take_until(&rest, '{'));
        const TextView placeholder = take_until(&rest, '}');
        if (!text_is_empty(placeholder)) append_placeholder(out, placeholder, fill, context);
    }
}

typedef struct Fillings {
    const Filling *row;
    int count;
} Fillings;

static bool fill_from_rows(void *context, TextView name, TextView form, TextBuffer *out, int64_t *number) {
    const Fillings *fillings = context;
    (void)form;
    for (int i = 0; i < fillings->count; i++) {
        const Filling *row = &fillings->row[i];
        if (!text_equals(name, row->name)) continue;
        *number = row->number;
        if (row->text != NULL)
            buffer_append_string(out, row->text);
        else
            buffer_append_format(out, "%" PRId64, row->number);
        return true;
    }
    return false;
}

void language_fill_rows(TextBuffer *out, const char *sentence, const Filling *fillings, int count) {
    Fillings rows = {fillings, count};
    language_fill(out, sentence, fill_from_rows, &rows);
}

void language_append(TextBuffer *out, const Language *language, WordsId id, const Filling *fillings,
                     int count) {
    language_fill_rows(out, language->words[id], fillings, count);
}

void language_write(Document *document, Style style, const Language *language, WordsId id,
                    const Filling *fillings, int count) {
    TextBuffer text = {0};
    language_append(&text, language, id, fillings, count);
    document_put(document, style, 0, buffer_string(&text));
    document_row(document);
    document->out->failed |= text.failed;
    buffer_release(&text);
}

/* --- pieces and moves --- */

void language_append_to_list(TextBuffer *list, const Language *language, const char *item, bool is_last) {
    if (list->length == 0) {
        buffer_append_string(list, item);
        return;
    }
    TextBuffer before = *list;
    *list = (TextBuffer){.failed = before.failed};
    language_append(
        list, language, is_last ? WORDS_list_and : WORDS_list_comma,
        (Filling[]){{.name = "list", .text = buffer_string(&before)}, {.name = "last", .text = item}}, 2);
    buffer_release(&before);
}

void language_append_square(TextBuffer *out, Square square) {
    buffer_append_format(out, "%c%d", 'a' + square_file(square), square_rank(square) + 1);
}

void language_append_piece(TextBuffer *out, const Language *language, PieceType type, Square square,
                           TextView form) {
    static const char *const FORMS[] = {"", "object", "dative", "genitive"};
    int index = 0;
    while (index < FORM_ONE && !text_equals(form, FORMS[index])) index++;
    const char *piece = language->pieces[type][index < FORM_ONE ? index : 0];
    if (square == NO_SQUARE) {
        buffer_append_string(out, piece);
        return;
    }
    TextBuffer name = {0};
    language_append_square(&name, square);
    language_append(
        out, language, WORDS_piece_on,
        (Filling[]){{.name = "piece", .text = piece}, {.name = "square", .text = buffer_string(&name)}}, 2);
    buffer_release(&name);
}

/* The language's letter for an English one; any other character stays. */
static char letter_of(const Language *language, char letter) {
    static const char ENGLISH_LETTERS[] = "KQRBNP";
    const char *at = letter == '\0' ? NULL : strchr(ENGLISH_LETTERS, letter);
    return at == NULL ? letter : language->words[WORDS_piece_letters][at - ENGLISH_LETTERS];
}

char language_piece_letter(const Language *language, Piece piece) {
    const char letter = piece_letter(piece), upper = (char)toupper((unsigned char)letter);
    const char own = letter_of(language, upper);
    return letter == upper ? own : (char)tolower((unsigned char)own);
}

/* Nothing in moves but the letters of pieces is one of these. */
static void translate_letters(TextBuffer *out, size_t start, const Language *language) {
    for (size_t i = start; i < out->length; i++) out->data[i] = letter_of(language, out->data[i]);
}

void language_append_move_text(TextBuffer *out, const Language *language, const char *san) {
    const size_t start = out->length;
    buffer_append_string(out, san);
    translate_letters(out, start, language);
}

void language_append_san(TextBuffer *out, const Language *language, const Position *pos, Move move) {
    char san[SAN_CAPACITY];
    san_write(pos, move, san);
    language_append_move_text(out, language, san);
}

void language_append_line(TextBuffer *out, const Language *language, const Position *pos, const Move *moves,
                          int count, size_t width) {
    const size_t start = out->length;
    lines_append_moves(out, pos, moves, count, width);
    translate_letters(out, start, language);
}

/* --- acts --- */

void language_append_score(TextBuffer *out, int score) {
    if (score <= -SCORE_INFINITE || score >= SCORE_INFINITE)
        buffer_append_string(out, score < 0 ? "-inf" : "+inf");
    else
        lines_append_score(out, score, WHITE);
}

void language_append_skipped(TextBuffer *out, const Language *language, const ActGroup *group,
                             const Position *pos) {
    TextBuffer list = {0}, san = {0};
    const bool is_all = group->count <= group->named;
    for (int i = 0; i < group->named; i++) {
        buffer_clear(&san);
        language_append_san(&san, language, pos, group->move[i]);
        language_append_to_list(&list, language, buffer_string(&san), is_all && i == group->named - 1);
    }
    if (is_all)
        buffer_append(out, buffer_view(&list));
    else
        language_append(out, language, WORDS_list_more,
                        (Filling[]){{.name = "list", .text = buffer_string(&list)},
                                    {.name = "count", .number = group->count - group->named}},
                        2);
    out->failed |= list.failed || san.failed;
    buffer_release(&list);
    buffer_release(&san);
}

typedef enum Unit { UNIT_SCORE, UNIT_MARGIN, UNIT_PLIES, UNIT_COUNT, UNIT_MOVE, UNIT_PART } Unit;
static const struct {
    const char *name;
    Unit unit;
} OPERANDS[] = {
#define OPERAND(id, unit) {#id, UNIT_##unit},
#include "search/operands.def"
};

typedef struct ActWords {
    const Language *language;
    const Recording *recording;
    const RecordedAct *act;
    const ActGroup *group;
    const Position *pos;
} ActWords;

/* "cut node +1.0, improving -0.5": the parts of a reduction, in plies. */
static void append_parts(TextBuffer *out, const ActWords *words) {
    bool is_first = true;
    for (int i = 0; i < words->act->count; i++) {
        const Operand *operand = &words->recording->operand[words->act->operand + i];
        if (OPERANDS[operand->id].unit != UNIT_PART) continue;
        buffer_append_format(out, "%s%s %+.1f", is_first ? "" : ", ", words->language->parts[operand->id],
                             (double)operand->value / ONE_PLY);
        is_first = false;
    }
}

static void append_operand(TextBuffer *out, const ActWords *words, const Operand *operand) {
    switch (OPERANDS[operand->id].unit) {
    case UNIT_SCORE: language_append_score(out, operand->value); break;
    case UNIT_MARGIN: buffer_append_format(out, "%.2f", score_to_centipawns(operand->value) / 100.0); break;
    case UNIT_MOVE: language_append_san(out, words->language, words->pos, (Move)operand->value); break;
    default: buffer_append_format(out, "%d", operand->value); break;
    }
}

static bool fill_act(void *context, TextView name, TextView form, TextBuffer *out, int64_t *number) {
    const ActWords *words = context;
    (void)form;
    if (text_equals(name, "parts")) {
        append_parts(out, words);
        return true;
    }
    if (text_equals(name, "move") && words->act->move != MOVE_NONE) {
        language_append_san(out, words->language, words->pos, words->act->move);
        return true;
    }
    if (text_equals(name, "moves") && words->group->named > 0) {
        language_append_skipped(out, words->language, words->group, words->pos);
        return true;
    }
    if (text_equals(name, "skipped")) {
        buffer_append_format(out, "%d", words->group->count);
        *number = words->group->count;
        return true;
    }
    for (int i = 0; i < words->act->count; i++) {
        const Operand *operand = &words->recording->operand[words->act->operand + i];
        if (!text_equals(name, OPERANDS[operand->id].name)) continue;
        append_operand(out, words, operand);
        *number = operand->value;
        return true;
    }
    return false;
}

void language_append_acts(TextBuffer *out, const Language *language, const Recording *recording,
                          const ActGroup *group, const Position *pos) {
    const RecordedAct *act = &recording->act[group->act];
    ActWords words = {language, recording, act, group, pos};
    language_fill(out, language->sentences[act->id], fill_act, &words);
}
