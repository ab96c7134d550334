/* What captures win, as people count it: pawn 1, knight and bishop 3, rook 5, queen 9. Every capture is
 * played on the board with legal moves only, so that pins, checks and attackers behind attackers need no rule
 * of their own. Pure. Slow: for explanations, not for search (search/see.h is for search). */
#ifndef LUFT_EXPLAIN_EXCHANGE_H
#define LUFT_EXPLAIN_EXCHANGE_H

#include "chess/position.h"

/* Points of a piece; the king has none, for it is never taken. */
int exchange_points(PieceType type);

/* Points that a move takes at once; a promotion adds what the new piece is worth more than a pawn. */
int exchange_taken(const Position *pos, Move move);

/* What a legal move wins when both sides go on capturing on its target square: each with its cheapest piece,
 * each free to stop. For a quiet move: 0 or less, what it loses on its new square. */
int exchange_gain(const Position *pos, Move move);

/* The most that a legal capture on `square` (NO_SQUARE: on any) wins for the side to move; EXCHANGE_NOTHING
 * when there is none. */
enum { EXCHANGE_NOTHING = -100 };
int exchange_best_on(const Position *pos, Square square);

/* The capture that wins the most, on any square, and how much; MOVE_NONE: there is none. */
Move exchange_best_capture(const Position *pos, int *gain);

/* What the side that is not to move would win on `square` if the turn were its own. EXCHANGE_NOTHING when the
 * side to move is in check (nobody can pass then) or there is no capture. */
int exchange_threat_on(const Position *pos, Square square);

/* Whether, once the legal `capture` is played, the piece on `guard` could legally take back. */
bool exchange_can_retake(const Position *pos, Move capture, Square guard);

#endif
