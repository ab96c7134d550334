/* Text for a terminal of a given width, in colours or without. Pure.
 *
 * A text has marks before and after words; they take no room. paint_append turns them into colours, or
 * removes them. */
#ifndef LUFT_ENGINE_WRAP_H
#define LUFT_ENGINE_WRAP_H

#include "base/text.h"

#define PAINT_STRONG "\1" /* what matters most, headings */
#define PAINT_GOOD   "\2"
#define PAINT_BAD    "\3"
#define PAINT_QUIET  "\4" /* less important */
#define PAINT_NAME   "\5" /* of a technique */
#define PAINT_END    "\6"

/* Appends the rows of `text`, broken at blanks after `width` characters; the rows after the first begin with
 * `indent` blanks. */
void wrap_append(TextBuffer *out, TextView text, size_t width, int indent);

/* Appends the text with its marks as colours of a terminal, or without them. */
void paint_append(TextBuffer *out, TextView text, bool color);

#endif
