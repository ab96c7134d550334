/* Text for a terminal of a given width. Pure. */
#ifndef LUFT_EXPLAIN_WRAP_H
#define LUFT_EXPLAIN_WRAP_H

#include "base/text.h"

/* Appends the rows of `text`, broken at blanks after `width` characters; what is broken off begins behind
 * `indent` blanks. */
void wrap_append(TextBuffer *out, TextView text, size_t width, int indent);

#endif
