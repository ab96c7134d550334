/* White's expected score in the course of a game, drawn: in characters and as SVG. Pure. */
#ifndef LUFT_REVIEW_GRAPH_H
#define LUFT_REVIEW_GRAPH_H

#include "engine/document.h"
#include "review/review.h"

/* Writes a graph as wide as the document, in block characters (UTF-8) or ASCII, with a row of letters where
 * faults are (I, M, B in English) and a row of move numbers. Nothing for a review without a move. */
void graph_write_text(Document *document, const Game *game, const Review *review, bool ascii);

/* Writes an SVG picture, complete with head: the graph, each fault as a dot that says what it was, players,
 * result and accuracy. Foreign text in tags is made harmless. */
void graph_write_svg(Document *document, const Game *game, const Review *review);

#endif
