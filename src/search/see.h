/* Static exchange evaluation: what a capture wins when both sides go on capturing on that square, each with
 * its least valuable piece or pawn first. Pinned ones take part only where their pin allows. Pure. */
#ifndef LUFT_SEARCH_SEE_H
#define LUFT_SEARCH_SEE_H

#include "chess/position.h"
#include "search/trace.h"

/* Value of a piece in exchanges, from see_pawn to see_queen in params.def; the king's is 0: it is never
 * taken. */
static inline int see_value(PieceType type) {
    switch (type) {
    case PAWN: return params.see_pawn;
    case KNIGHT: return params.see_knight;
    case BISHOP: return params.see_bishop;
    case ROOK: return params.see_rook;
    case QUEEN: return params.see_queen;
    default: return 0;
    }
}

/* A threshold that every move reaches. */
enum { SEE_ANY = -100000 };

/* Whether the move gains at least `threshold` by exchanges on its target square. Castling gains 0. */
TRACEABLE bool see_at_least(const Position *pos, Move move, int threshold);

#endif
