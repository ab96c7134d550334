/* A review as notes in the game: what chess programs show of it. */
#ifndef LUFT_REVIEW_ANNOTATE_H
#define LUFT_REVIEW_ANNOTATE_H

#include "record/language.h"
#include "review/review.h"

/* Fills `annotated` (which must be {0}) with the game and what the review says of it, in words of `language`
 * (moves have English letters, as PGN wants them, but for those in sentences). After each move that is
 * judged, and after what was there before, come a NAG for its verdict; a comment with the score of the new
 * position as White sees it, [%eval 0.31] in pawns or [%eval #-3] in moves to mate, and of a fault why it is
 * one; and of a fault the better line as a variation, and the refutation as another one if the game did not
 * play it. Of a complete review the tags hold each side's accuracy and number of faults. Fails only without
 * memory; release `annotated` in any case. */
Status annotate_game(const Game *game, const Review *review, const Language *language, Game *annotated);

/* How many moves of a line to show: until its captures rest, or all where it mates. */
int annotate_line_length(const Position *pos, const ReviewedPosition *before);

/* Append to the document's text. The first sentence of the explanation of a fault, "Qd4 loses the queen."
 * ("Qe3 is better." where there is none). It begins with the move's number, "17. Qd4 loses the queen.", or
 * without the move, "loses the queen."
 */
typedef enum FaultForm { FAULT_PLAIN, FAULT_NUMBERED, FAULT_WITHOUT_MOVE } FaultForm;
void annotate_append_fault(Document *document, const Position *pos, Move move, const Review *review, int ply,
                           FaultForm form);

/* "From move 23 on Black was lost ..."; NULL where that cannot be said (review_lost_from). */
const char *annotate_lost_text(Document *document, const Game *game, const Review *review);

/* The better line of a fault, to where it can be seen to be better. */
void annotate_append_better(Document *document, const Position *pos, const Review *review, int ply,
                            size_t width);

#endif
