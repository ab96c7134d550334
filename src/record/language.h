/* The words of explanations: sentences with placeholders, a row for each id in each language (words.def and
 * its translations). No other file composes words. Pure. */
#ifndef LUFT_RECORD_LANGUAGE_H
#define LUFT_RECORD_LANGUAGE_H

#include "base/status.h"
#include "engine/document.h"
#include "record/recording.h"

typedef enum WordsId {
#define WORDS(id, text) WORDS_##id,
#include "record/words.def"
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
    const char *const (*names)[2]; /* of reasons, motifs and the like: English, translated; ends with NULL */
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
#define FILL_TEXT(name_, text_) \
    { .name = name_, .text = text_ }
#define FILL_NUMBER(name_, number_) \
    { .name = name_, .number = (int64_t)(number_) }
/* The last two arguments of the functions that take them. */
#define FILL(...) \
    (const Filling[]){__VA_ARGS__}, (int)(sizeof((const Filling[]){__VA_ARGS__}) / sizeof(Filling))

/* Words of the document's language with their placeholders filled in: as a text (as all texts here that of
 * document_text), as a paragraph of text alone, or as document_phrase. */
const char *language_words(Document *document, WordsId id, const Filling *fillings, int count);
void language_write(Document *document, Style style, WordsId id, const Filling *fillings, int count);
void language_phrase(Document *document, Style style, WordsId id, const Filling *fillings, int count);

/* The same where a function knows what names stand for: it returns the text of `name` in `form` ("" if none
 * is given), NULL for a name that it does not know, and sets *number if it is one. */
typedef const char *LanguageFill(const void *context, TextView name, TextView form, int64_t *number);
const char *language_fill(Document *document, const char *sentence, LanguageFill *fill, const void *context);

/* What programs call a reason, a motif, a verdict and the like, in words of the language: in English the
 * same, where no others are clearer. */
const char *language_name(const Document *document, const char *name);

/* A list and one more item, joined by a comma or, at its end, "and". */
const char *language_join(Document *document, const char *list, const char *item, bool is_last);

/* "the knight on e5" in a form ("": subject); without a square "the knight"; "a knight", "two knights". */
const char *language_piece(Document *document, PieceType type, Square square, TextView form);
const char *language_count(Document *document, PieceType type, int count);
const char *language_square(Document *document, Square square);
char language_letter(const Document *document, Piece piece); /* as in FEN */

/* Moves with the letters of the language: from English ones; one; a line of `count`, with move numbers,
 * `width` characters at most. */
const char *language_move(Document *document, const char *san);
const char *language_san(Document *document, const Position *pos, Move move);
const char *language_line(Document *document, const Position *pos, const Move *moves, int count,
                          size_t width);

/* Appends such a line of any length; or what a search of `root` has found: "depth  20   +0.31  1. e4 e5". */
void language_append_moves(Document *document, const Position *root, const Move *moves, int count,
                           size_t width);
void language_append_info(Document *document, const Position *root, const SearchInfo *info, size_t width);

/* "White wins 41 %, draw 28 %, Black wins 31 %": after a search of `root`, with its score. */
const char *language_chances(Document *document, const Position *root, int score);

/* A score of the search: in pawns or "#3", for the side whose it is; as White sees it. */
const char *language_score(Document *document, int score);
const char *language_white_score(Document *document, int score, Color side);

/* What the acts of a group did in the node of `pos`, said of the first one; the moves of a group: "Rb1, Kh1
 * and 12 more". */
const char *language_acts(Document *document, const Recording *recording, const ActGroup *group,
                          const Position *pos);
const char *language_skipped(Document *document, const ActGroup *group, const Position *pos);

/* How much found no room in the recording. */
void language_write_dropped(Document *document, const Recording *recording);

#endif
