/* One walk over an answer writes it for people or for programs. Some calls write text alone, some JSON alone,
 * a sentence both. Text is for a terminal of some width, in colours or without; JSON is one object a row.
 * docs/analyse.md and docs/explain.md have the schemas. Pure; what fails sets `out->failed`. */
#ifndef LUFT_ENGINE_DOCUMENT_H
#define LUFT_ENGINE_DOCUMENT_H

#include "base/text.h"
#include "chess/position.h"
#include "search/limits.h"

/* Grows when a field of a line or a review goes or changes its meaning. */
enum { JSON_SCHEMA = 1 };

typedef enum DocumentForm { DOCUMENT_PLAIN, DOCUMENT_COLORS, DOCUMENT_JSON } DocumentForm;

typedef enum Style {
    STYLE_NORMAL,
    STYLE_STRONG, /* what matters most, headings */
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_QUIET, /* what a reader may skip */
    STYLE_NAME   /* of a technique */
} Style;

enum { DOCUMENT_TEXTS = 24, DOCUMENT_TEXT = 1024 /* bytes */ };

/* Begin with the first six members, as needed; the rest is 0. */
typedef struct Document {
    TextBuffer *out;
    DocumentForm form;
    size_t width;                    /* columns of a row of text */
    const char *prefix;              /* of each row, which does not count; then no row is empty. NULL: none */
    const struct Language *language; /* of its words: record/language.h */
    bool detailed;    /* with what few readers want: searches, facts that are refused, edits, whole lines */
    size_t column;    /* where the row stands */
    bool needs_comma; /* before the next value */
    int text_count;
    char text[DOCUMENT_TEXTS][DOCUMENT_TEXT]; /* the last ones that document_text returned */
} Document;

/* A text to be written soon: it stays until DOCUMENT_TEXTS more of them. */
const char *document_text(Document *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- text and JSON --- */

/* A sentence that goes on in the row; in JSON a string of the open list. */
void document_phrase(Document *document, Style style, const char *text);

/* The same as a paragraph of its own. */
void document_sentence(Document *document, Style style, const char *text);

/* --- text alone --- */

/* Words that go on in the row, a blank before them; at the end of a row they break, and go on after `indent`
 * blanks. */
void document_put(Document *document, Style style, int indent, const char *text);

/* A cell of `width` columns: at its right end, with a negative width at its left end. Longer text is not cut.
 */
void document_cell(Document *document, Style style, int width, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Ends the row. */
void document_row(Document *document);

/* --- JSON alone; `name` is NULL in a list --- */

void document_object(Document *document, const char *name);
void document_object_end(Document *document);
void document_list(Document *document, const char *name);
void document_list_end(Document *document);
void document_string(Document *document, const char *name, const char *text); /* NULL: null */
void document_int(Document *document, const char *name, int64_t value);
void document_real(Document *document, const char *name, double value, int decimals);
void document_bool(Document *document, const char *name, bool value);

void document_fen(Document *document, const Position *pos);
/* {"uci":"g1f3","san":"Nf3"}; of MOVE_NONE: null. */
void document_move(Document *document, const char *name, const Position *pos, Move move);
void document_moves(Document *document, const char *name, const Position *root, const Move *moves, int count);
/* {"cp":31} or {"mate":-2}, from the view of the side to move. */
void document_score(Document *document, const char *name, int score);
/* "wdl": in permille, of the side to move. */
void document_chances(Document *document, const Position *pos, int score);
/* A line of a search of `root`, as one object. */
void document_info(Document *document, const Position *root, const SearchInfo *info);

#endif
