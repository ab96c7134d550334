/* Recorded games as text, out and in: PGN with the scores in comments, and one game a line.
 *
 * PGN, all in White's view: a comment after each move has "score N" of the position before it, in internal
 * units (SCORE_UNITS_PER_PAWN), and "[%eval P]" of the position after it, in pawns, for other programs,
 * or "[%eval #N]" where it is a mate and the game ended by it N moves later; at the end there is "{last score
 * N}" of the last position. Read as well: the scores of
 * match_game_score_before.
 *
 * A line: "start; result; end; moves". The start is "standard", "chess960 W B" or a FEN; the result 1-0, 0-1
 * or 1/2-1/2; the end rules, score, length or other; then for each ply its move in long algebraic notation
 * (castling as king takes rook) and its score, or "-" for none; where it has one, "=" and the score of the
 * last position. A line has no tags. */
#ifndef LUFT_DATA_DATATEXT_H
#define LUFT_DATA_DATATEXT_H

#include "base/status.h"
#include "base/text.h"
#include "lab/data/recorded.h"

#include <stdint.h>

/* `is_own`: Luft played it, which a game without tags then says; `number` is its round. */
Status datatext_append_pgn(const RecordedGame *game, bool is_own, uint64_t number, TextBuffer *out);

void datatext_append_line(const RecordedGame *game, TextBuffer *out);

/* Read a game of PGN (pgn.h), and one of a line. With a failure the game has what was before it; its result
 * is UNDECIDED if that is nothing, and where a PGN has none. */
Status datatext_take_game(const Game *pgn, RecordedGame *game);
Status datatext_parse_line(TextView line, RecordedGame *game);

#endif
