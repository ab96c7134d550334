/* Endings that rules know better than the network. A rule replaces its value, or scales it down. */
#ifndef LUFT_SEARCH_ENDINGS_H
#define LUFT_SEARCH_ENDINGS_H

#include "base/bits.h"
#include "chess/position.h"
#include "search/params.h"
#include "search/trace.h"

/* --- a king alone --- */

/* The network does not find the mate with bishop and knight, and not always that with two bishops: it moves
 * to and fro for fifty moves. So here, and only here, the method of the textbooks replaces it ("mop-up
 * evaluation", Slate and Atkin's Chess 4.5): drive the king to the edge, with bishop and knight into a corner
 * of the bishop's colour, and bring the own king near. */

enum { LONE_KING_PIECES_MAX = 5 /* kings included */, LONE_KING_WON = 1500, LONE_KING_STEP = 100 };

typedef enum LoneKingEnding { LONE_KING_NONE, LONE_KING_EDGE, LONE_KING_CORNER } LoneKingEnding;

/* Where `strong` must drive the other king to mate it; NONE: that king is not alone, or no mate can be
 * forced. */
static inline LoneKingEnding lone_king_ending(const Position *pos, Color strong) {
    const Bitboard bishops = pos->by_type[BISHOP];
    if (pos->by_color[color_other(strong)] & ~pos->by_type[KING] || pos->by_type[PAWN]) return LONE_KING_NONE;
    if (pos->by_type[QUEEN] | pos->by_type[ROOK]) return LONE_KING_EDGE;
    if (bishops & DARK_SQUARES && bishops & ~DARK_SQUARES) return LONE_KING_EDGE;
    return bishops && pos->by_type[KNIGHT] ? LONE_KING_CORNER : LONE_KING_NONE;
}

/* Whether the value of such an ending replaces that of the network. */
static inline bool lone_king_applies(const Position *pos) {
    return techniques.lone_king && bits_count(position_occupied(pos)) <= LONE_KING_PIECES_MAX &&
           (lone_king_ending(pos, WHITE) != LONE_KING_NONE || lone_king_ending(pos, BLACK) != LONE_KING_NONE);
}

/* Steps on the way to the mate, from 0 to 19: as near to the edge, to the corner and to each other as the
 * kings are. */
static inline int lone_king_steps(const Position *pos, Color strong, LoneKingEnding ending) {
    const Square lone = position_king(pos, color_other(strong)), king = position_king(pos, strong);
    const int file = square_file(lone), rank = square_rank(lone);
    const int apart = int_max(int_abs(file - square_file(king)), int_abs(rank - square_rank(king)));
    if (ending == LONE_KING_EDGE) return 6 - int_min(file, 7 - file) - int_min(rank, 7 - rank) + 7 - apart;
    const bool dark = pos->by_type[BISHOP] & DARK_SQUARES; /* a1 and h8, else a8 and h1 */
    return 2 * int_abs(dark ? 7 - file - rank : file - rank) + 7 - apart;
}

/* The value of such an ending for the side to move, above all values of the network there and with a pawn
 * more (at most 1184 units were seen); 0: it is no such ending. */
static inline int lone_king_value(const Position *pos) {
    if (!lone_king_applies(pos)) return 0;
    for (Color strong = WHITE; strong <= BLACK; strong++) {
        const LoneKingEnding ending = lone_king_ending(pos, strong);
        if (ending == LONE_KING_NONE) continue;
        const int value = LONE_KING_WON + LONE_KING_STEP * lone_king_steps(pos, strong, ending);
        (void)RULE(CHANGES, lone_king, true, OP(value, value));
        return pos->side == strong ? value : -value;
    }
    return 0;
}

/* --- leads that rarely win --- */

/* The network learned from short searches, which do not see that some leads cannot be won: it values rook
 * against bishop at more than a pawn. Rules of the textbooks scale such leads down. */

/* Shares of the value, in 64ths. */
enum {
    DRAWISH_WHOLE = 64,
    DRAWISH_NO_PAWNS = 8,
    DRAWISH_WRONG_BISHOP = 16,
    DRAWISH_OPPOSITE_BISHOPS = 32,
    DRAWISH_LEAD = 3 /* points: a minor piece ahead wins nothing without pawns */
};

/* Points of a side's pieces; a queen counts one more than usual, for it wins against two minor pieces. */
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

/* The share of a value that counts, in 64ths, when `strong` is ahead. */
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
    (void)RULE(CHANGES, drawish_endings, true, OP(value, value), OP(counted, counted));
    return counted;
}

#endif
