/* A board as a picture. Pure. */
#ifndef LUFT_REVIEW_DIAGRAM_H
#define LUFT_REVIEW_DIAGRAM_H

#include "base/text.h"
#include "chess/position.h"

/* Appends the board as an SVG element, with `below` at the bottom. The pieces are characters of the reader's
 * fonts. */
void diagram_append_svg(TextBuffer *out, const Position *pos, Color below);

#endif
