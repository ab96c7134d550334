/* The board as text, for people. Pure. */
#ifndef LUFT_UCI_BOARD_H
#define LUFT_UCI_BOARD_H

#include "base/text.h"
#include "chess/position.h"

typedef enum BoardStyle {
    BOARD_LETTERS, /* PNBRQK and pnbrqk in ASCII */
    BOARD_COLORS   /* Unicode pieces on coloured squares, for a terminal */
} BoardStyle;

typedef struct BoardLook {
    BoardStyle style;
    bool flipped; /* Black below */
    Move last;    /* its squares have another colour; MOVE_NONE: none have */
} BoardLook;

/* Appends eight ranks and a line of file letters: nine lines, each with its line feed. */
void board_draw(TextBuffer *out, const Position *pos, BoardLook look);

#endif
