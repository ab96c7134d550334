/* Results as text, the same for UCI commands and for sub-commands of the command line. */
#ifndef LUFT_UCI_REPORT_H
#define LUFT_UCI_REPORT_H

#include "base/text.h"
#include "chess/position.h"
#include "engine/engine.h"
#include "uci/output.h"

/* Long work asks `go_on` all the time. It ends when the answer is no, or when the output has failed: no
 * reader would see the result. It calls `end` before its last line. All zero: it runs to its end. */
typedef struct LongWork {
    bool (*go_on)(void *context);
    void (*end)(void *context);
    void *context;
} LongWork;

/* A line for each bench position, the totals, and last of all "N nodes M nps". */
Status report_bench(Output *output, int depth, LongWork work);

/* "info string genfens <FEN>" for each position asked for by "N seed S book B". */
Status report_genfens(Output *output, TextView words, LongWork work);

/* The board, its FEN, key and checkers. */
Status report_board(Output *output, const Position *pos);

/* "e2e4: 20" for each move if `divide`, then the total; with `timed`, time and speed. */
typedef struct PerftStyle {
    bool divide, timed;
} PerftStyle;
Status report_perft(Output *output, const Position *pos, int depth, PerftStyle style, LongWork work);

/* The evaluation of the engine's position, the worth of each piece and what each output bucket would say, and
 * what the search makes of it where a rule knows better (endings.h). The last line is "value: N",
 * from which the search begins, in internal units for the side to move. */
Status report_evaluation(Output *output, const Engine *engine);

/* How a board is drawn. */
typedef enum BoardStyle {
    BOARD_LETTERS, /* PNBRQK and pnbrqk in ASCII */
    BOARD_COLORS   /* Unicode pieces on coloured squares, for a terminal */
} BoardStyle;

typedef struct BoardLook {
    BoardStyle style;
    bool flipped; /* Black below */
    Move last;    /* its squares have another colour; MOVE_NONE: none have */
} BoardLook;

/* Pure. Appends eight ranks and a line of file letters: nine lines, each with its line feed. */
void board_draw(TextBuffer *out, const Position *pos, BoardLook look);

#endif
