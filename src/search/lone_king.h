/* Endings against a king alone. The network sees no way to the mate with bishop and knight, and not always
 * with two bishops: it shuffles until fifty moves are over. So here, and only here, what every beginner is
 * taught stands in its place ("mop-up evaluation", Slate and Atkin's Chess 4.5): drive the king to the edge,
 * with bishop and knight into a corner of the bishop's colour, and bring one's own king near. */
#ifndef LUFT_SEARCH_LONE_KING_H
#define LUFT_SEARCH_LONE_KING_H

#include "base/bits.h"
#include "chess/position.h"
#include "search/params.h"
#include "search/trace.h"

enum { LONE_KING_PIECES_MAX = 5 /* kings included */, LONE_KING_WON = 1500, LONE_KING_STEP = 100 };

typedef enum LoneKingEnding { LONE_KING_NONE, LONE_KING_EDGE, LONE_KING_CORNER } LoneKingEnding;

/* Where the other king must go to be mated by what `strong` has; NONE: without it, no mate can be forced, or
 * there is more to take. */
static inline LoneKingEnding lone_king_ending(const Position *pos, Color strong) {
    const Bitboard bishops = pos->by_type[BISHOP];
    if (pos->by_color[color_other(strong)] & ~pos->by_type[KING] || pos->by_type[PAWN]) return LONE_KING_NONE;
    if (pos->by_type[QUEEN] | pos->by_type[ROOK]) return LONE_KING_EDGE;
    if (bishops & DARK_SQUARES && bishops & ~DARK_SQUARES) return LONE_KING_EDGE;
    return bishops && pos->by_type[KNIGHT] ? LONE_KING_CORNER : LONE_KING_NONE;
}

/* Whether the value of such an ending stands for that of the network. */
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

/* The value of such an ending for the side to move, above what the network gives to such and to those with a
 * pawn more (1184 units were the most seen); 0: it is none. */
static inline int lone_king_value(const Position *pos) {
    if (!lone_king_applies(pos)) return 0;
    for (Color strong = WHITE; strong <= BLACK; strong++) {
        const LoneKingEnding ending = lone_king_ending(pos, strong);
        if (ending == LONE_KING_NONE) continue;
        const int value = LONE_KING_WON + LONE_KING_STEP * lone_king_steps(pos, strong, ending);
        (void)RULE(CHANGES, lone_king, true, value);
        return pos->side == strong ? value : -value;
    }
    return 0;
}

#endif
