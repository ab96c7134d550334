/* Forsyth-Edwards Notation, read strictly; Shredder-FEN and X-FEN for Chess960. */
#ifndef LUFT_CHESS_FEN_H
#define LUFT_CHESS_FEN_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

enum { FEN_CAPACITY = 128 };
extern const char FEN_START[]; /* the initial position of standard chess */

/* Reads four to six fields (without counters: 0 1). Each malformed or impossible field is refused with a
 * reason of its own, and `*pos` is then unchanged. Castling letters may be KQkq (the outermost rook, X-FEN)
 * or files (Shredder-FEN). pos->chess960 becomes `chess960`, or true when a castling right does not fit
 * standard chess. */
Status fen_parse(Position *pos, TextView fen, bool chess960);

/* Whether a castling right fits Chess960 alone: its king or rook is not where standard chess has it.
 */
bool fen_needs_chess960(const Position *pos);

/* Takes the FEN off the front of a line of EPD: four fields, and the counters if numbers follow. */
TextView fen_take(TextView *rest);

/* Writes the FEN; castling as KQkq, in Chess960 as Shredder-FEN. The en passant square only if a capture is
 * legal. Returns its length. */
size_t fen_write(const Position *pos, char out[FEN_CAPACITY]);

/* The n-th Chess960 starting array (0 to 959, Scharnagl's numbering; 518 is standard chess), one for each
 * side. */
void fen_chess960_start(int white, int black, char out[FEN_CAPACITY]);

#endif
