#include "search/see.h"

/* Pieces and pawns that shield their king from a slider, and the sliders: the pin holds while its slider
 * stands. */
typedef struct Pins {
    Bitboard pieces, sliders;
} Pins;

static Pins find_pins(const Position *pos, Color color) {
    const Square king = position_king(pos, color);
    const Bitboard enemies = pos->by_color[color_other(color)], own = pos->by_color[color];
    const Bitboard diagonal = pos->by_type[BISHOP] | pos->by_type[QUEEN];
    const Bitboard straight = pos->by_type[ROOK] | pos->by_type[QUEEN];
    Pins pins = {0, 0};
    Bitboard snipers =
        ((attacks_bishop(king, enemies) & diagonal) | (attacks_rook(king, enemies) & straight)) & enemies;
    while (snipers) {
        const Square sniper = bitboard_pop(&snipers);
        const Bitboard shield = squares_between(king, sniper) & own;
        if (!shield || bits_more_than_one(shield)) continue;
        pins.pieces |= shield;
        pins.sliders |= square_bit(sniper);
    }
    return pins;
}

/* Those of `pieces` that may capture on `to`: a pinned one only along its line, or once its slider has gone.
 */
static Bitboard free_pieces(const Pins *pins, Square king, Bitboard pieces, Square to, Bitboard occupied) {
    if (!(pieces & pins->pieces)) return pieces;
    for (Bitboard sliders = pins->sliders & occupied; sliders;) {
        const Square slider = bitboard_pop(&sliders);
        if (!(squares_line(king, slider) & square_bit(to))) pieces &= ~squares_between(king, slider);
    }
    return pieces;
}

/* The least valuable of `pieces`, its type in *type. */
static Square least_valuable(const Position *pos, Bitboard pieces, PieceType *type) {
    for (*type = PAWN; *type < KING; ++*type)
        if (pieces & pos->by_type[*type]) return bitboard_lowest(pieces & pos->by_type[*type]);
    return bitboard_lowest(pieces);
}

bool see_at_least(const Position *pos, Move move, int threshold) {
    if (move_kind(move) == CASTLING) return threshold <= 0;
    const Square from = move_from(move), to = move_to(move);
    const MoveKind kind = move_kind(move);
    PieceType standing = kind == PROMOTION ? move_promotion(move) : piece_type(position_piece_on(pos, from));

    /* `balance`: how far the side that has just captured is above its threshold if nothing more is taken. */
    int balance = see_value(piece_type(position_captured_by(pos, move))) - threshold;
    if (kind == PROMOTION) balance += see_value(standing) - see_value(PAWN);
    if (balance < 0) return false;
    balance -= see_value(standing);
    if (balance >= 0) return true;

    Bitboard occupied = (position_occupied(pos) & ~square_bit(from)) | square_bit(to);
    if (kind == EN_PASSANT) occupied &= ~square_bit(square_make(square_file(to), square_rank(from)));
    const Bitboard diagonal = pos->by_type[BISHOP] | pos->by_type[QUEEN];
    const Bitboard straight = pos->by_type[ROOK] | pos->by_type[QUEEN];
    Bitboard attackers = position_attackers(pos, to, occupied) & occupied;
    if (!(attackers & pos->by_color[color_other(pos->side)])) return true;
    Pins pins[COLOR_COUNT];
    Color side = pos->side;
    bool winning = true; /* for pos->side, if the exchange stops now */
    for (int captures = 1;; captures++) {
        side = color_other(side);
        attackers &= occupied;
        Bitboard pieces = attackers & pos->by_color[side];
        if (!pieces) break;
        if (captures <= COLOR_COUNT) pins[side] = find_pins(pos, side); /* its first turn */
        pieces = free_pieces(&pins[side], position_king(pos, side), pieces, to, occupied);
        if (!pieces) break;
        const Square piece = least_valuable(pos, pieces, &standing);
        /* The king may take last of all only. */
        if (standing == KING && (attackers & pos->by_color[color_other(side)])) break;
        winning = !winning;
        balance = -balance - 1 - see_value(standing);
        if (balance >= 0) break;
        occupied ^= square_bit(piece);
        if (standing == PAWN || standing == BISHOP || standing == QUEEN)
            attackers |= attacks_bishop(to, occupied) & diagonal;
        if (standing == ROOK || standing == QUEEN) attackers |= attacks_rook(to, occupied) & straight;
    }
    return winning;
}
