/* A review as notes in the game: what chess programs show of it. */
#ifndef LUFT_REVIEW_ANNOTATE_H
#define LUFT_REVIEW_ANNOTATE_H

#include "review/review.h"

/* Fills `annotated` (which must be {0}) with the game and what the review says of it. Behind each move that
 * is judged stand, behind what stood there before, a NAG for its verdict; a comment with the score of the new
 * position as White sees it, [%eval 0.31] in pawns or [%eval #-3] in moves to mate, and of a fault what it
 * cost; and of a fault the better line as a variation. Of a complete review the tags tell each side's
 * accuracy and number of faults. Fails only without memory; release `annotated` in any case. */
Status annotate_game(const Game *game, const Review *review, Game *annotated);

/* How many moves of a line to show: until its captures rest, or all where it mates. */
int annotate_line_length(const Position *pos, const ReviewedPosition *before);

/* What a fault did: "allows mate in 2", "loses 0.38 of a point". */
void annotate_append_fault(TextBuffer *out, const Review *review, int ply);

#endif
