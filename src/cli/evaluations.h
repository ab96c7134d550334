/* Files of evaluated positions that other programs read and write, as rows of a store:
 *   EPD    one position a line with acd, acn, bm, ce, dm, hmvc, pv, and c0 for the engine
 *   JSON   one position a line as in the evaluations that Lichess publishes: fen, evals, each with depth,
 * knodes and pvs of cp or mate, and line PGN    games with [%eval 0.31,24] or [%eval #-3] in the comments:
 * the score as White sees it, and the depth Scores are centipawns there and internal units here: a score that
 * is written and read again stays equal in centipawns. What a file says is no score of this program, whatever
 * name it gives. */
#ifndef LUFT_CLI_EVALUATIONS_H
#define LUFT_CLI_EVALUATIONS_H

#include "store/row.h"

typedef enum EvaluationFormat {
    EVALUATION_AUTO,
    EVALUATION_EPD,
    EVALUATION_JSON,
    EVALUATION_PGN,
    EVALUATION_POLYGLOT /* a book: store/book.h reads and writes it */
} EvaluationFormat;

/* The words of a choice, in the same order. */
#define EVALUATION_FORMATS       "auto epd json pgn polyglot"
#define EVALUATION_WRITE_FORMATS "epd json pgn polyglot"

/* Called for each row; a failure ends the reading and is returned. */
typedef Status EvaluationTake(void *context, const Row *row);

/* Reads a file ("-": standard input, line by line if it is said to be JSON). EVALUATION_AUTO: as it looks.
 * `engine` names the source where the file does not. What cannot be read costs only itself; the first of it
 * are printed on standard error, and the reading fails at its end. */
Status evaluations_read(const char *path, EvaluationFormat format, const char *engine, EvaluationTake *take,
                        void *context);

/* Appends a row whose score is exact; nothing of another one. Look at out->failed. */
void evaluations_append(const Row *row, EvaluationFormat format, TextBuffer *out);

#endif
