/* Results as text, the same for UCI commands and for sub-commands of the command line. */
#ifndef LUFT_UCI_REPORT_H
#define LUFT_UCI_REPORT_H

#include "engine/engine.h"
#include "uci/output.h"

/* What takes long asks `go_on` all the time. It ends when the answer is no, or when the output has failed: no
 * reader would see the result. It calls `end` before its last line. All zero: it runs to its end. */
typedef struct LongWork {
    EnginePoll *go_on;
    void (*end)(void *context);
    void *context;
} LongWork;

/* A line for each bench position, the totals, and last of all "N nodes M nps". `depth` is text: empty for the
 * standard one. */
Status report_bench(Output *output, TextView depth, LongWork work);

/* "info string genfens <FEN>" for each position asked for by "N seed S book B". */
Status report_genfens(Output *output, TextView words, LongWork work);

/* The board, its FEN, key and checkers. */
Status report_board(Output *output, const Position *pos);

/* "e2e4: 20" for each move if `divide`, then the total; with `timed`, time and speed. */
typedef struct PerftStyle {
    bool divide, timed;
} PerftStyle;
Status report_perft(Output *output, const Engine *engine, int depth, PerftStyle style, LongWork work);

#endif
