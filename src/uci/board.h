/* The board as text, for people. Pure. */
#ifndef LUFT_UCI_BOARD_H
#define LUFT_UCI_BOARD_H

#include "base/text.h"
#include "chess/position.h"

typedef enum BoardStyle {
    BOARD_LETTERS, /* PNBRQK and pnbrqk in ASCII */
    BOARD_COLORS   /* Unicode pieces on coloured squares, for a terminal */
} BoardStyle;

/* Appends eight ranks, White below, and a line of file letters: nine lines, each with its line feed.
 */
void board_draw(TextBuffer *out, const Position *pos, BoardStyle style);

#endif
