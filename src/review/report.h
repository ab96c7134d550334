/* A review in words for a person, or as JSON for a program. Pure. */
#ifndef LUFT_REVIEW_REPORT_H
#define LUFT_REVIEW_REPORT_H

#include "engine/document.h"
#include "review/review.h"

/* Writes players and result, each side's accuracy and faults, the graph of the game and its worst moves; with
 * `ascii` without other characters in the graph and in names. */
void report_write(Document *document, const Game *game, const Review *review, bool ascii);

/* Write a judged move, which is made in `pos`, and the game, each as a JSON object (docs/analyse.md).
 * `number` is the game's, from 1. */
void report_write_move(Document *document, const Position *pos, Move move, const Review *review, int ply,
                       int number);
void report_write_game(Document *document, const char *name, const Game *game, const Review *review,
                       int number);

/* Writes a line for each judged move and one for the game, each such an object. */
void report_write_json(Document *document, const Game *game, const Review *review, int number);

#endif
