/* A lesson, its numbers filled in: as text or JSON (docs/learn.md), or as a page to be printed. */
#ifndef LUFT_LEARN_LESSON_VIEW_H
#define LUFT_LEARN_LESSON_VIEW_H

#include "engine/document.h"
#include "learn/facts.h"

/* Grows when a field of the JSON goes or changes its meaning. */
enum { LESSON_SCHEMA = 1 };

/* Appends a board: rows of text, or a picture in HTML. */
typedef void LessonBoard(TextBuffer *out, const Position *pos);

/* Text has the answers to its questions at its end. Fails where a placeholder or a claim cannot be read. */
Status lesson_write(Document *document, const Lesson *lesson, const Facts *facts, LessonBoard *board);
Status lesson_append_html(TextBuffer *out, const Lesson *lesson, const Facts *facts, LessonBoard *board);

/* Fails with the first placeholder that cannot be filled in, or the first claim that does not hold. */
Status lesson_check(const Lesson *lesson, const Facts *facts);

#endif
