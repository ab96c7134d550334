/* Forsyth-Edwards Notation, with Shredder-FEN and X-FEN for Chess960. */
#ifndef LUFT_CHESS_FEN_H
#define LUFT_CHESS_FEN_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

enum { FEN_CAPACITY = 128 };
extern const char FEN_START[]; /* the initial position of standard chess */

/* Takes a position off the front of a line: the board, then as many of the other fields as there are. What is
 * left may be operations of EPD or moves. A FEN with an impossible board is refused with the reason; `*pos`
 * is then unchanged. What else is wrong is read as well as it can be, and `*warning` (NULL: nobody asks) says
 * how; it is ok where nothing was wrong.
 * Castling letters may be KQkq or files (Shredder-FEN). In Chess960 K and Q are the outermost rooks (X-FEN);
 * so they are without `chess960` if both sides have kings and rooks on the same files, as at the start.
 * pos->chess960 becomes `chess960`, or true when a castling right does not fit standard chess. */
Status fen_take(Position *pos, TextView *line, bool chess960, Status *warning);

/* The same for a text that is only a FEN. */
Status fen_parse(Position *pos, TextView fen, bool chess960);

/* Whether a castling right fits Chess960 alone: its king or rook is not where standard chess has it.
 */
bool fen_needs_chess960(const Position *pos);

/* Writes the FEN; castling as KQkq, in Chess960 as Shredder-FEN. The en passant square only if a capture is
 * legal. Returns its length. */
size_t fen_write(const Position *pos, char out[FEN_CAPACITY]);

/* The n-th Chess960 starting array (0 to 959, Scharnagl's numbering; 518 is standard chess), one for each
 * side. */
enum { FEN_CHESS960_ARRAYS = 960 };
void fen_chess960_start(int white, int black, char out[FEN_CAPACITY]);

#endif
