#include "record/language.h"

#include "base/bits.h"
#include "chess/san.h"
#include "engine/chances.h"
#include "engine/lines.h"
#include "search/reduce.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* A row of a file of words is a member of a Language. Each file ends these definitions. */
static const char *const ENGLISH_NAMES[][2] = {{"none", "nothing in particular"},
                                               {"fact", "worse position"},
                                               {"harms", "worse than to pass"},
                                               {NULL, NULL}};
static const char *const GERMAN_NAMES[][2] = {
#define NAME(name, text) {name, text},
#include "record/words_de.def"
    {NULL, NULL}};

static const Language ENGLISH = {
    .code = "en",
    .names = ENGLISH_NAMES,
#define WORDS(id, text)                  .words[WORDS_##id] = (text),
#define PIECE(type, ...)                 .pieces[type] = {__VA_ARGS__},
#define ACT(technique, effect, sentence) .sentences[ACT_##technique##_##effect] = (sentence),
#define PART_OF_REDUCTION(id, name)      .parts[OPERAND_##id] = name,
#define TECHNIQUE(name, summary)         .summaries[TECHNIQUE_##name] = summary,
#include "record/words.def"
#include "search/operands.def"
#include "search/techniques.def"
};

/* Whoever adds a technique need not know German: its rows are English first, and then replaced. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const Language GERMAN = {
    .code = "de",
    .names = GERMAN_NAMES,
#define ACT(technique, effect, sentence) .sentences[ACT_##technique##_##effect] = (sentence),
#define PART_OF_REDUCTION(id, name)      .parts[OPERAND_##id] = name,
#define TECHNIQUE(name, summary)         .summaries[TECHNIQUE_##name] = summary,
#include "search/operands.def"
#include "search/techniques.def"
#define WORDS(id, text)                  .words[WORDS_##id] = (text),
#define PIECE(type, ...)                 .pieces[type] = {__VA_ARGS__},
#define ACT(technique, effect, sentence) .sentences[ACT_##technique##_##effect] = (sentence),
#define PART_OF_REDUCTION(id, name)      .parts[OPERAND_##id] = name,
#define TECHNIQUE(name, summary)         .summaries[TECHNIQUE_##name] = summary,
#include "record/words_de.def"
};
#pragma GCC diagnostic pop

static const Language *const LANGUAGES[] = {&ENGLISH, &GERMAN};
enum { LANGUAGE_COUNT = sizeof LANGUAGES / sizeof LANGUAGES[0] };

const Language *language_row(int index) {
    return index >= 0 && index < LANGUAGE_COUNT ? LANGUAGES[index] : NULL;
}

Status language_find(const char *code, const Language **language) {
    char shown[24];
    for (int i = 0; (*language = language_row(i)) != NULL; i++)
        if (code == NULL || strcmp((*language)->code, code) == 0) return status_ok();
    text_copy_printable(text_view(code), shown, sizeof shown);
    return status_error("there is no language '%s', only " LANGUAGE_CODES, shown);
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
static void append_placeholder(TextBuffer *out, TextView text, LanguageFill *fill, const void *context) {
    char lower[32];
    const bool is_capital = isupper((unsigned char)text.data[0]);
    TextView name = take_until(&text, ':');
    int64_t number = 0;
    if (!text_is_empty(text)) {
        const TextView one = take_until(&text, '|');
        fill(context, name, text_view(""), &number);
        buffer_append(out, number == 1 ? one : text);
        return;
    }
    TextView form = name;
    name = take_until(&form, '.');
    text_copy(name, lower, sizeof lower);
    lower[0] = (char)tolower((unsigned char)lower[0]);
    const size_t start = out->length;
    const char *filled = fill(context, text_view(lower), form, &number);
    buffer_append_string(out, filled != NULL ? filled : "?");
    if (is_capital && out->length > start) out->data[start] = (char)toupper((unsigned char)out->data[start]);
}

/* The buffer's text as one of the document; releases the buffer. */
static const char *keep(Document *document, TextBuffer *text) {
    const char *kept = document_text(document, "%s", buffer_string(text));
    document->out->failed |= text->failed;
    buffer_release(text);
    return kept;
}

const char *language_fill(Document *document, const char *sentence, LanguageFill *fill, const void *context) {
    TextBuffer text = {0};
    TextView rest = text_view(sentence);
    while (rest.length > 0) {
        buffer_append(&text, take_until(&rest, '{'));
        const TextView placeholder = take_until(&rest, '}');
        if (!text_is_empty(placeholder)) append_placeholder(&text, placeholder, fill, context);
    }
    return keep(document, &text);
}

typedef struct Fillings {
    Document *document;
    const Filling *row;
    int count;
} Fillings;

static const char *filling_text(const void *context, TextView name, TextView form, int64_t *number) {
    const Fillings *fillings = context;
    (void)form;
    for (int i = 0; i < fillings->count; i++) {
        const Filling *row = &fillings->row[i];
        if (!text_equals(name, row->name)) continue;
        *number = row->number;
        return row->text != NULL ? row->text : document_text(fillings->document, "%" PRId64, row->number);
    }
    return NULL;
}

static const char *fill_rows(Document *document, const char *sentence, const Filling *fillings, int count) {
    return language_fill(document, sentence, filling_text, &(Fillings){document, fillings, count});
}

const char *language_words(Document *document, WordsId id, const Filling *fillings, int count) {
    return fill_rows(document, document->language->words[id], fillings, count);
}

const char *language_name(const Document *document, const char *name) {
    const char *const(*row)[2] = document->language->names;
    while ((*row)[0] != NULL && strcmp((*row)[0], name) != 0) row++;
    return (*row)[0] != NULL ? (*row)[1] : name;
}

void language_write(Document *document, Style style, WordsId id, const Filling *fillings, int count) {
    document_put(document, style, 0, language_words(document, id, fillings, count));
    document_row(document);
}

void language_phrase(Document *document, Style style, WordsId id, const Filling *fillings, int count) {
    document_phrase(document, style, language_words(document, id, fillings, count));
}

/* --- pieces and moves --- */

const char *language_join(Document *document, const char *list, const char *item, bool is_last) {
    if (list[0] == '\0') return item;
    return language_words(document, is_last ? WORDS_list_and : WORDS_list_comma,
                          FILL(FILL_TEXT("list", list), FILL_TEXT("last", item)));
}

const char *language_square(Document *document, Square square) {
    return document_text(document, "%c%d", 'a' + square_file(square), square_rank(square) + 1);
}

const char *language_piece(Document *document, PieceType type, Square square, TextView form) {
    static const char *const FORMS[] = {"", "object", "dative", "genitive"};
    int index = 0;
    while (index < FORM_ONE && !text_equals(form, FORMS[index])) index++;
    const char *piece = document->language->pieces[type][index < FORM_ONE ? index : 0];
    if (square == NO_SQUARE) return piece;
    return language_words(
        document, WORDS_piece_on,
        FILL(FILL_TEXT("piece", piece), FILL_TEXT("square", language_square(document, square))));
}

const char *language_count(Document *document, PieceType type, int count) {
    static const WordsId NUMBERS[] = {WORDS_two, WORDS_three, WORDS_four, WORDS_five,
                                      WORDS_six, WORDS_seven, WORDS_eight};
    const char *const *forms = document->language->pieces[type];
    if (count == 1) return forms[FORM_ONE];
    return fill_rows(document, forms[FORM_MANY],
                     FILL(FILL_TEXT("count", document->language->words[NUMBERS[int_min(count, 8) - 2]])));
}

/* The language's letter for an English one; any other character stays. */
static char letter_of(const Document *document, char letter) {
    static const char ENGLISH_LETTERS[] = "KQRBNP";
    const char *at = letter == '\0' ? NULL : strchr(ENGLISH_LETTERS, letter);
    return at == NULL ? letter : document->language->words[WORDS_piece_letters][at - ENGLISH_LETTERS];
}

char language_letter(const Document *document, Piece piece) {
    const char letter = piece_letter(piece), upper = (char)toupper((unsigned char)letter);
    const char own = letter_of(document, upper);
    return letter == upper ? own : (char)tolower((unsigned char)own);
}

/* Nothing in moves but the letters of pieces is one of these. */
const char *language_move(Document *document, const char *san) {
    TextBuffer text = {0};
    for (; *san != '\0'; san++) buffer_append_char(&text, letter_of(document, *san));
    return keep(document, &text);
}

const char *language_san(Document *document, const Position *pos, Move move) {
    char san[SAN_CAPACITY];
    san_write(pos, move, san);
    return language_move(document, san);
}

const char *language_line(Document *document, const Position *pos, const Move *moves, int count,
                          size_t width) {
    TextBuffer text = {0};
    Document line = {.out = &text, .language = document->language};
    language_append_moves(&line, pos, moves, count, width);
    return keep(document, &text);
}

void language_append_moves(Document *document, const Position *root, const Move *moves, int count,
                           size_t width) {
    TextBuffer *out = document->out;
    const size_t start = out->length;
    lines_append_moves(out, root, moves, count, width);
    for (size_t i = start; i < out->length; i++) out->data[i] = letter_of(document, out->data[i]);
}

void language_append_info(Document *document, const Position *root, const SearchInfo *info, size_t width) {
    enum { PREFIX = 19 /* characters before the moves */ };
    buffer_append_format(document->out, "%s %3d %7s  ", document->language->words[WORDS_column_depth],
                         info->depth, language_white_score(document, info->score, root->side));
    language_append_moves(document, root, info->pv, info->pv_length, width > PREFIX ? width - PREFIX : 0);
}

const char *language_chances(Document *document, const Position *root, int score) {
    const Chances ours = chances_of_search(root, score);
    const Chances white = root->side == WHITE ? ours : (Chances){ours.loss, ours.draw, ours.win};
    const ChanceParts percent = chances_round(white, 100);
    return language_words(document, WORDS_chances,
                          FILL(FILL_NUMBER("win", percent.win), FILL_NUMBER("draw", percent.draw),
                               FILL_NUMBER("loss", percent.loss)));
}

const char *language_white_score(Document *document, int score, Color side) {
    TextBuffer text = {0};
    lines_append_score(&text, score, side);
    return keep(document, &text);
}

const char *language_score(Document *document, int score) {
    if (score <= -SCORE_INFINITE || score >= SCORE_INFINITE) return score < 0 ? "-inf" : "+inf";
    return language_white_score(document, score, WHITE);
}

/* --- acts --- */

const char *language_skipped(Document *document, const ActGroup *group, const Position *pos) {
    const char *list = "";
    const bool is_all = group->count <= group->named;
    for (int i = 0; i < group->named; i++)
        list = language_join(document, list, language_san(document, pos, group->move[i]),
                             is_all && i == group->named - 1);
    if (is_all) return list;
    return language_words(document, WORDS_list_more,
                          FILL(FILL_TEXT("list", list), FILL_NUMBER("count", group->count - group->named)));
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
    Document *document;
    const Recording *recording;
    const RecordedAct *act;
    const ActGroup *group;
    const Position *pos;
} ActWords;

/* "cut node +1.0, improving -0.5": the parts of a reduction, in plies. */
static const char *parts_of(const ActWords *words) {
    const char *list = "";
    for (int i = 0; i < words->act->count; i++) {
        const Operand *operand = &words->recording->operand[words->act->operand + i];
        if (OPERANDS[operand->id].unit != UNIT_PART) continue;
        const char *part =
            document_text(words->document, "%s %+.1f", words->document->language->parts[operand->id],
                          (double)operand->value / ONE_PLY);
        list = language_join(words->document, list, part, false);
    }
    return list;
}

static const char *operand_text(const ActWords *words, const Operand *operand) {
    switch (OPERANDS[operand->id].unit) {
    case UNIT_SCORE: return language_score(words->document, operand->value);
    case UNIT_MARGIN:
        return document_text(words->document, "%.2f", score_to_centipawns(operand->value) / 100.0);
    case UNIT_MOVE: return language_san(words->document, words->pos, (Move)operand->value);
    default: return document_text(words->document, "%d", operand->value);
    }
}

static const char *act_text(const void *context, TextView name, TextView form, int64_t *number) {
    const ActWords *words = context;
    (void)form;
    if (text_equals(name, "parts")) return parts_of(words);
    if (text_equals(name, "move") && words->act->move != MOVE_NONE)
        return language_san(words->document, words->pos, words->act->move);
    if (text_equals(name, "moves") && words->group->named > 0)
        return language_skipped(words->document, words->group, words->pos);
    if (text_equals(name, "skipped"))
        return document_text(words->document, "%d", (int)(*number = words->group->count));
    for (int i = 0; i < words->act->count; i++) {
        const Operand *operand = &words->recording->operand[words->act->operand + i];
        if (!text_equals(name, OPERANDS[operand->id].name)) continue;
        *number = operand->value;
        return operand_text(words, operand);
    }
    return NULL;
}

const char *language_acts(Document *document, const Recording *recording, const ActGroup *group,
                          const Position *pos) {
    const RecordedAct *act = &recording->act[group->act];
    const ActWords words = {document, recording, act, group, pos};
    return language_fill(document, document->language->sentences[act->id], act_text, &words);
}

void language_write_dropped(Document *document, const Recording *recording) {
    document_int(document, "dropped", (int64_t)recording->dropped);
    if (recording->dropped > 0)
        language_write(document, STYLE_NORMAL, WORDS_dropped, FILL(FILL_NUMBER("count", recording->dropped)));
}
