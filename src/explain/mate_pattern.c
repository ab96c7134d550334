#include "explain/mate_pattern.h"

#include "base/bits.h"
#include "chess/attacks.h"

/* The board as the patterns see it. */
typedef struct Mated {
    const Position *pos;
    Square king;
    Bitboard own, other; /* men of the mated side, and of the side that mates */
    Bitboard around;     /* squares next to the king */
} Mated;

static Bitboard of_type(const Mated *mated, PieceType type) {
    return mated->other & mated->pos->by_type[type];
}

static Bitboard attackers(const Mated *mated, Square square) {
    return position_attackers(mated->pos, square, position_occupied(mated->pos)) & mated->other;
}

static bool is_straight(const Mated *mated, Square square) {
    return (square_bit(square) & (of_type(mated, ROOK) | of_type(mated, QUEEN))) != 0;
}

static int files_apart(Square a, Square b) { return int_abs(square_file(a) - square_file(b)); }
static int ranks_apart(Square a, Square b) { return int_abs(square_rank(a) - square_rank(b)); }

/* --- each pattern --- */

static bool is_smothered(const Mated *mated) {
    return !(mated->pos->state.checkers & ~of_type(mated, KNIGHT)) && !(mated->around & ~mated->own);
}

static bool is_back_rank(const Mated *mated) {
    const Bitboard first = mated->pos->side == WHITE ? RANK_1 : RANK_8;
    if (!(square_bit(mated->king) & first)) return false;
    Bitboard before = mated->around & ~first;
    if (before & ~mated->own) return false;
    while (before)
        if (attackers(mated, bitboard_pop(&before))) return false;
    return (mated->pos->state.checkers & first) != 0;
}

/* A rook next to the king that gives the mate; NO_SQUARE: there is none. */
static Square rook_at_the_king(const Mated *mated) {
    const Bitboard rooks = mated->pos->state.checkers & of_type(mated, ROOK) & mated->around;
    return rooks ? bitboard_lowest(rooks) : NO_SQUARE;
}

static bool is_arabian(const Mated *mated) {
    const Square rook = rook_at_the_king(mated);
    const int file = square_file(mated->king), rank = square_rank(mated->king);
    if (rook == NO_SQUARE || (file != 0 && file != 7) || (rank != 0 && rank != 7)) return false;
    Bitboard knights = attackers(mated, rook) & of_type(mated, KNIGHT);
    while (knights) {
        const Square knight = bitboard_pop(&knights);
        if (files_apart(knight, mated->king) == 2 && ranks_apart(knight, mated->king) == 2) return true;
    }
    return false;
}

static bool is_hook(const Mated *mated) {
    const Square rook = rook_at_the_king(mated);
    if (rook == NO_SQUARE) return false;
    Bitboard knights = attackers(mated, rook) & of_type(mated, KNIGHT) & mated->around;
    while (knights)
        if (attackers(mated, bitboard_pop(&knights)) & of_type(mated, PAWN)) return true;
    return false;
}

static bool is_anastasia(const Mated *mated) {
    const int file = square_file(mated->king), rank = square_rank(mated->king);
    if ((file != 0 && file != 7) || rank == 0 || rank == 7) return false;
    const int inward = file == 0 ? 1 : -1;
    const Bitboard next = square_bit(square_make(file + inward, rank));
    const Bitboard knight = square_bit(square_make(file + 3 * inward, rank));
    if (!(next & mated->own) || !(knight & of_type(mated, KNIGHT))) return false;
    Bitboard checkers = mated->pos->state.checkers;
    while (checkers) {
        const Square checker = bitboard_pop(&checkers);
        if (square_file(checker) == file && is_straight(mated, checker)) return true;
    }
    return false;
}

/* Two bishops, and nothing else attacks the king and the squares around it. Which of both patterns is a
 * matter of where the king stands between them. */
static MatePattern by_two_bishops(const Mated *mated) {
    const Bitboard bishops = of_type(mated, BISHOP);
    if (bits_count(bishops) != 2) return MATE_PATTERN_NONE;
    Bitboard squares = mated->around | square_bit(mated->king);
    while (squares)
        if (attackers(mated, bitboard_pop(&squares)) & ~bishops) return MATE_PATTERN_NONE;
    Bitboard rest = bishops;
    const Square first = bitboard_pop(&rest), second = bitboard_pop(&rest);
    const bool first_left = square_file(first) < square_file(mated->king);
    return first_left == (square_file(second) > square_file(mated->king)) ? MATE_BODEN : MATE_DOUBLE_BISHOP;
}

static bool is_dovetail(const Mated *mated) {
    const int file = square_file(mated->king), rank = square_rank(mated->king);
    const Bitboard queens = mated->pos->state.checkers & of_type(mated, QUEEN) & mated->around;
    if (!queens || file == 0 || file == 7 || rank == 0 || rank == 7) return false;
    const Square queen = bitboard_lowest(queens);
    if (files_apart(queen, mated->king) != 1 || ranks_apart(queen, mated->king) != 1) return false;
    Bitboard squares = mated->around & ~queens;
    while (squares) {
        const Square square = bitboard_pop(&squares);
        const Bitboard by = attackers(mated, square);
        if (by == queens ? (square_bit(square) & position_occupied(mated->pos)) != 0 : by != 0) return false;
    }
    return true;
}

MatePattern mate_pattern_of(const Position *mated_position) {
    const Color side = mated_position->side;
    const Square king = position_king(mated_position, side);
    const Mated mated = {mated_position, king, mated_position->by_color[side],
                         mated_position->by_color[color_other(side)], attacks_king(king)};
    if (is_smothered(&mated)) return MATE_SMOTHERED;
    if (is_back_rank(&mated)) return MATE_BACK_RANK;
    if (is_arabian(&mated)) return MATE_ARABIAN;
    if (is_hook(&mated)) return MATE_HOOK;
    if (is_anastasia(&mated)) return MATE_ANASTASIA;
    const MatePattern bishops = by_two_bishops(&mated);
    if (bishops != MATE_PATTERN_NONE) return bishops;
    return is_dovetail(&mated) ? MATE_DOVETAIL : MATE_PATTERN_NONE;
}

const char *mate_pattern_name(MatePattern pattern) {
    static const char *const NAMES[MATE_PATTERN_COUNT] = {[MATE_SMOTHERED] = "smothered",
                                                          [MATE_BACK_RANK] = "back rank",
                                                          [MATE_ARABIAN] = "Arabian",
                                                          [MATE_HOOK] = "hook",
                                                          [MATE_ANASTASIA] = "Anastasia",
                                                          [MATE_BODEN] = "Boden",
                                                          [MATE_DOUBLE_BISHOP] = "double bishop",
                                                          [MATE_DOVETAIL] = "dovetail"};
    return NAMES[pattern];
}
