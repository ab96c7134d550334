/* The words of explanations: sentences with placeholders, a row for each id in each language (words.def and
 * its translations). No other file composes words. Pure. */
#ifndef LUFT_EXPLAIN_LANGUAGE_H
#define LUFT_EXPLAIN_LANGUAGE_H

#include "base/status.h"
#include "engine/document.h"
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

/* Their codes, in the order of language_row. */
#define LANGUAGE_CODES "en de"

/* By index, from 0, English first; NULL past the last. */
const Language *language_row(int index);
/* The one of that code ("en", "de"; NULL: English). Refuses others. */
Status language_find(const char *code, const Language **language);

/* What a placeholder stands for: its text, or its number where `text` is NULL. */
typedef struct Filling {
    const char *name, *text;
    int64_t number;
} Filling;

/* Appends words with their placeholders filled in: those of an id, or any. */
void language_append(TextBuffer *out, const Language *language, WordsId id, const Filling *fillings,
                     int count);
void language_fill_rows(TextBuffer *out, const char *sentence, const Filling *fillings, int count);

/* The same where a function knows what names stand for: it appends that of `name` in `form` ("" if none is
 * given), sets *number if it is one, and returns false for a name that it does not know. */
typedef bool LanguageFill(void *context, TextView name, TextView form, TextBuffer *out, int64_t *number);
void language_fill(TextBuffer *out, const char *sentence, LanguageFill *fill, void *context);

/* A paragraph of a document. */
void language_write(Document *document, Style style, const Language *language, WordsId id,
                    const Filling *fillings, int count);

/* Adds one more to a list that is joined by commas and, at its end, "and". */
void language_append_to_list(TextBuffer *list, const Language *language, const char *item, bool is_last);

/* "the knight on e5" in a form ("": subject); without a square "the knight". */
void language_append_piece(TextBuffer *out, const Language *language, PieceType type, Square square,
                           TextView form);

void language_append_square(TextBuffer *out, Square square);
char language_piece_letter(const Language *language, Piece piece); /* as in FEN */

/* Moves with the letters of the language: as text; one; a line of `count`, with move numbers, `width`
 * characters at most. */
void language_append_move_text(TextBuffer *out, const Language *language, const char *san);
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
