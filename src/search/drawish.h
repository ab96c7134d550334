/* Endings in which the side that is ahead can hardly win. The network learned from the scores of short
 * searches, and they do not see that nothing comes of such a lead: rook against bishop was worth more than a
 * pawn to it. What every textbook says of them takes a part of the value away. */
#ifndef LUFT_SEARCH_DRAWISH_H
#define LUFT_SEARCH_DRAWISH_H

#include "base/bits.h"
#include "chess/position.h"
#include "search/params.h"
#include "search/trace.h"

/* Shares of the value, in 64ths. */
enum {
    DRAWISH_WHOLE = 64,
    DRAWISH_NO_PAWNS = 8,
    DRAWISH_WRONG_BISHOP = 16,
    DRAWISH_OPPOSITE_BISHOPS = 32,
    DRAWISH_LEAD = 3 /* points: a minor piece ahead wins nothing without pawns */
};

/* Points of a side's pieces; a queen counts one more than usual, for she wins against two minor pieces. */
static inline int drawish_points(const Position *pos, Color side) {
    const Bitboard own = pos->by_color[side];
    return 3 * bits_count(own & (pos->by_type[KNIGHT] | pos->by_type[BISHOP])) +
           5 * bits_count(own & pos->by_type[ROOK]) + 10 * bits_count(own & pos->by_type[QUEEN]);
}

/* Whether `strong` has only bishops and pawns, the pawns all on one edge of the board and the bishops all on
 * the colour that does not rule its last square, where the other king, which has no pieces, waits. */
static inline bool drawish_wrong_bishop(const Position *pos, Color strong) {
    const Bitboard own = pos->by_color[strong], pawns = own & pos->by_type[PAWN];
    const Bitboard bishops = own & pos->by_type[BISHOP];
    const Bitboard pieces =
        pos->by_type[KNIGHT] | pos->by_type[ROOK] | pos->by_type[QUEEN] | (pos->by_type[BISHOP] & ~own);
    if (pieces || !bishops || !pawns || (pawns & ~FILE_A && pawns & ~FILE_H)) return false;
    const Bitboard last = (pawns & FILE_A ? FILE_A : FILE_H) & (strong == WHITE ? RANK_8 : RANK_1);
    return !(bishops & (last & DARK_SQUARES ? DARK_SQUARES : ~DARK_SQUARES));
}

/* Whether each side has one bishop, the other's colour, and no other piece. */
static inline bool drawish_opposite_bishops(const Position *pos) {
    const Bitboard bishops = pos->by_type[BISHOP];
    return !(pos->by_type[KNIGHT] | pos->by_type[ROOK] | pos->by_type[QUEEN]) && bits_count(bishops) == 2 &&
           bits_count(bishops & pos->by_color[WHITE]) == 1 && bits_count(bishops & DARK_SQUARES) == 1;
}

/* Whether `strong` has no pawns, and hardly more than the other side, or two knights, which force no mate. */
static inline bool drawish_without_pawns(const Position *pos, Color strong) {
    const Bitboard own = pos->by_color[strong] & ~pos->by_type[KING];
    if (own & pos->by_type[PAWN]) return false;
    if (!(own & ~pos->by_type[KNIGHT]) && bits_count(own) <= 2) return true;
    return drawish_points(pos, strong) - drawish_points(pos, color_other(strong)) <= DRAWISH_LEAD;
}

/* What is left of a value, in 64ths, when `strong` is ahead. */
static inline int drawish_share(const Position *pos, Color strong) {
    if (drawish_without_pawns(pos, strong)) return DRAWISH_NO_PAWNS;
    if (drawish_wrong_bishop(pos, strong)) return DRAWISH_WRONG_BISHOP;
    return drawish_opposite_bishops(pos) ? DRAWISH_OPPOSITE_BISHOPS : DRAWISH_WHOLE;
}

/* What the search makes of the network's `value` of `pos`, both in internal units for the side to move. */
static inline int drawish_value(const Position *pos, int value) {
    if (!techniques.drawish_endings) return value;
    const int share = drawish_share(pos, value >= 0 ? pos->side : color_other(pos->side));
    if (share == DRAWISH_WHOLE) return value;
    const int counted = value * share / DRAWISH_WHOLE;
    (void)RULE(CHANGES, drawish_endings, true, value, counted);
    return counted;
}

#endif
