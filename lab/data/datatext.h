/* Recorded games as text, out and in: PGN with the scores in comments, and one game a line.
 *
 * PGN: after each move with a score "{score N}", internal units, White's view. Read as well: the scores of
 * match_game_score_before.
 *
 * A line: "start; result; end; moves". The start is "standard", "chess960 W B" or a FEN; the result 1-0, 0-1
 * or 1/2-1/2; the end rules, score or length; then for each ply its move in long algebraic notation (castling
 * as king takes rook) and its score, or "-" for none. */
#ifndef LUFT_DATA_DATATEXT_H
#define LUFT_DATA_DATATEXT_H

#include "base/field.h"
#include "base/status.h"
#include "base/text.h"
#include "lab/data/recorded.h"

#include <stdbool.h>

Status datatext_append_pgn(const RecordedGame *game, uint64_t number, TextBuffer *out);

void datatext_append_line(const RecordedGame *game, TextBuffer *out);

/* Read a game of PGN (pgn.h), and one of a line. A game without a result is an error. */
Status datatext_take_game(const Game *pgn, RecordedGame *game);
Status datatext_parse_line(TextView line, RecordedGame *game);

/* From files of records to the text file `out`, which is renamed when complete; NULL or "-": to standard
 * output. */
Status datatext_export(const WordList *files, bool pgn, const char *out);

/* From files of text into one of records. What cannot be read is reported on standard error, and fails unless
 * `skip_faults`. */
Status datatext_import(const WordList *files, bool pgn, bool skip_faults, const char *out);

#endif
