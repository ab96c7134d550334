#include "explain/cause.h"

#include "chess/attacks.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "explain/exchange.h"

const char *cause_name(CauseKind kind) {
    static const char *const NAMES[] = {[CAUSE_NONE] = "none",
                                        [CAUSE_POISONED] = "poisoned capture",
                                        [CAUSE_MOVED_INTO] = "moved into attack",
                                        [CAUSE_IGNORED] = "ignored threat",
                                        [CAUSE_UNGUARDED] = "guard moved away",
                                        [CAUSE_OPENED_LINE] = "opened line",
                                        [CAUSE_CLOSED_LINE] = "closed line"};
    return NAMES[kind];
}

static bool lies_between(Square a, Square b, Square square) {
    return squares_line(a, b) != 0 && (squares_between(a, b) & ~square_bit(b) & square_bit(square));
}

/* Whether `move` goes between the lost piece and another one that guards it on board `pos`. */
static bool cuts_off_guard(const Position *pos, Square lost, Move move) {
    Bitboard guards = position_attackers(pos, lost, position_occupied(pos)) & pos->by_color[pos->side] &
                      ~square_bit(move_from(move));
    while (guards != 0)
        if (lies_between(bitboard_pop(&guards), lost, move_to(move))) return true;
    return false;
}

CauseKind cause_find(const Line *line, int capture) {
    if (capture != 1) return CAUSE_NONE;
    const Position *before = &line->board[0], *after = &line->board[1];
    const Move move = line->move[0], taking = line->move[1];
    const Square lost = move_to(taking);
    const int now = exchange_gain(after, taking);
    if (now < 1) return CAUSE_NONE;
    const bool is_mover = lost == move_to(move) && move_kind(move) != CASTLING;
    if (is_mover && position_captured_by(before, move) != NO_PIECE) return CAUSE_POISONED;
    if (position_in_check(before)) return CAUSE_NONE; /* nobody can pass: there is nothing to compare with */
    if (is_mover) return exchange_threat_on(before, move_from(move)) < 1 ? CAUSE_MOVED_INTO : CAUSE_NONE;
    Position passed = *before;
    Undo undo;
    position_make_null(&passed, &undo);
    const bool possible = movegen_is_legal(&passed, taking);
    if (possible && exchange_gain(&passed, taking) >= 1) return CAUSE_IGNORED;
    if (possible && exchange_can_retake(&passed, taking, move_from(move)) &&
        !exchange_can_retake(after, taking, move_to(move)))
        return CAUSE_UNGUARDED;
    if (!possible && lies_between(move_from(taking), lost, move_from(move))) return CAUSE_OPENED_LINE;
    if (possible && cuts_off_guard(before, lost, move)) return CAUSE_CLOSED_LINE;
    return CAUSE_NONE;
}
