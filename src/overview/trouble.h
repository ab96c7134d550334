/* Pieces in trouble: attacked and not guarded well enough, without a safe square, pinned, overloaded. Facts
 * of one board, by legal moves and exchanges on single squares (explain/exchange.h): what a search makes of
 * them is another question. Pure. */
#ifndef LUFT_OVERVIEW_TROUBLE_H
#define LUFT_OVERVIEW_TROUBLE_H

#include "chess/position.h"

typedef enum TroubleKind {
    TROUBLE_HANGING,     /* a capture wins it, and nothing could take back */
    TROUBLE_OUTNUMBERED, /* a capture wins something all the same */
    TROUBLE_TRAPPED,     /* so it is, and wherever it goes */
    TROUBLE_OVERLOADED,  /* it alone guards two pieces, and having taken back on one it loses the other */
    TROUBLE_PINNED,      /* it may not leave its king's line, though it has squares off it */
    TROUBLE_PINNED_TO,   /* whenever it leaves the line, a dearer piece behind it is lost */
    TROUBLE_KINDS
} TroubleKind;

typedef struct Trouble {
    TroubleKind kind;
    Color side;
    Square square;
    Square other[2]; /* what it guards; the pinning piece and the one behind; NO_SQUARE: none */
    bool is_lost;    /* no legal move saves it; of the side to move, TROUBLE_TRAPPED only */
} Trouble;

enum { TROUBLES_MAX = 24 };

/* The troubles of `side`, the dearest piece first; returns how many. In check nobody can pass: then there are
 * none of the side that is not to move, and of the other one only pins to the king. */
int trouble_find(const Position *pos, Color side, Trouble found[TROUBLES_MAX]);

/* "hanging" and the like, as in docs/explain.md. */
const char *trouble_name(TroubleKind kind);

#endif
