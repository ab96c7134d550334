/* White's expected score in the course of a game, drawn: in characters and as SVG. Pure. */
#ifndef LUFT_REVIEW_GRAPH_H
#define LUFT_REVIEW_GRAPH_H

#include "review/review.h"

/* Appends a graph of at most `width` columns, in block characters (UTF-8) or ASCII, with a row of letters
 * where faults are (I, M, B) and a row of move numbers. Nothing for a review without a move. */
void graph_append_text(TextBuffer *out, const Game *game, const Review *review, int width, bool ascii);

/* Appends an SVG picture, complete with head: the graph, each fault as a dot that tells what it was, players,
 * result and accuracy. Foreign text in tags is made harmless. */
void graph_append_svg(TextBuffer *out, const Game *game, const Review *review);

#endif
