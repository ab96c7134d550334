/* The words of explanations: sentences with placeholders, a row for each id in each language (words.def and
 * its translations). No other file composes words. Pure. */
#ifndef LUFT_EXPLAIN_LANGUAGE_H
#define LUFT_EXPLAIN_LANGUAGE_H

#include "base/text.h"
#include "explain/recording.h"

typedef enum WordsId {
#define WORDS(id, text) WORDS_##id,
#include "explain/words.def"
    WORDS_COUNT
} WordsId;

typedef enum PieceForm {
    FORM_SUBJECT,
    FORM_OBJECT,
    FORM_DATIVE,
    FORM_GENITIVE,
    FORM_ONE,
    FORM_MANY,
    FORM_COUNT
} PieceForm;

typedef struct Language {
    const char *code; /* "en" */
    const char *words[WORDS_COUNT];
    const char *pieces[PIECE_TYPE_COUNT][FORM_COUNT];
    const char *sentences[ACT_COUNT];
    const char *parts[OPERAND_COUNT]; /* of a reduction; NULL: another operand */
    const char *summaries[TECHNIQUE_COUNT];
} Language;

/* The one of that code ("en", "de"; NULL: English); NULL when there is none. By index, for lists of them. */
const Language *language_find(const char *code);
const Language *language_row(int index);

/* What a placeholder stands for: its text, or its number where `text` is NULL. */
typedef struct Filling {
    const char *name, *text;
    int64_t number;
} Filling;

/* Appends a sentence with its placeholders filled in. */
void language_append(TextBuffer *out, const Language *language, WordsId id, const Filling *fillings,
                     int count);

/* The same where a function knows what names stand for: it appends that of `name` in `form` ("" if none is
 * given), sets *number if it is one, and returns false for a name that it does not know. */
typedef bool LanguageFill(void *context, TextView name, TextView form, TextBuffer *out, int64_t *number);
void language_fill(TextBuffer *out, const char *sentence, LanguageFill *fill, void *context);

/* Adds one more to a list that is joined by commas and, at its end, "and". */
void language_append_to_list(TextBuffer *list, const Language *language, const char *item, bool is_last);

/* "the knight on e5" in a form ("": subject). */
void language_append_piece(TextBuffer *out, const Language *language, PieceType type, Square square,
                           TextView form);

/* Moves with the letters of the language: one; a line of `count`, with move numbers, `width` characters at
 * most. */
void language_append_san(TextBuffer *out, const Language *language, const Position *pos, Move move);
void language_append_line(TextBuffer *out, const Language *language, const Position *pos, const Move *moves,
                          int count, size_t width);

/* A score of the search, in pawns for the side whose it is, or "#3". */
void language_append_score(TextBuffer *out, int score);

/* What the acts of a group did in the node of `pos`, told by the first of them. */
void language_append_acts(TextBuffer *out, const Language *language, const Recording *recording,
                          const ActGroup *group, const Position *pos);

/* "Rb1, Kh1 and 12 more": the moves of a group. */
void language_append_skipped(TextBuffer *out, const Language *language, const ActGroup *group,
                             const Position *pos);

#endif
