#include "explain/fact.h"

#include "base/bits.h"

#include <string.h>

/* --- boards as facts see them --- */

static Bitboard pawns_of(const Position *pos, Color side) { return position_pieces(pos, side, PAWN); }

static Bitboard pieces_of(const Position *pos, Color side) {
    return pos->by_color[side] & ~(pos->by_type[PAWN] | pos->by_type[KING]);
}

/* A rank of the board as `side` counts it, from 0. */
static Bitboard rank_of(Color side, int rank) { return rank_mask(side == WHITE ? rank : 7 - rank); }

static Bitboard both_sides(Bitboard set) { return bitboard_east(set) | bitboard_west(set); }

/* All squares ahead of `set`, on the same files. */
static Bitboard ahead_of(Color side, Bitboard set) {
    Bitboard ahead = bitboard_forward(side, set);
    for (int step = 0; step < 6; step++) ahead |= bitboard_forward(side, ahead);
    return ahead;
}

static Bitboard files_of(Bitboard set) { return set | ahead_of(WHITE, set) | ahead_of(BLACK, set); }

static int distance(Square a, Square b) {
    return int_max(int_abs(square_file(a) - square_file(b)), int_abs(square_rank(a) - square_rank(b)));
}

static Bitboard heavy_of(const Position *pos, Color side) {
    return position_pieces(pos, side, ROOK) | position_pieces(pos, side, QUEEN);
}

/* Squares that no pawn of `side` attacks, nor can ever attack. */
static Bitboard safe_from_pawns(const Position *pos, Color side) {
    const Bitboard pawns = pawns_of(pos, side);
    return ~both_sides(ahead_of(side, pawns));
}

static Bitboard moves_of(const Position *pos, Square square) {
    const Piece piece = position_piece_on(pos, square);
    return attacks_piece(piece_type(piece), square, position_occupied(pos)) &
           ~pos->by_color[piece_color(piece)];
}

/* --- the facts --- */

static Bitboard fact_bishop_pair(const Position *pos, Color side) {
    const Bitboard bishops = position_pieces(pos, side, BISHOP);
    const bool is_pair = (bishops & DARK_SQUARES) && (bishops & ~DARK_SQUARES);
    return is_pair && bits_count(position_pieces(pos, color_other(side), BISHOP)) < 2 ? bishops : 0;
}

/* A piece before its own centre pawn that has not moved. */
static Bitboard fact_blocked_pawn(const Position *pos, Color side) {
    const Bitboard home = pawns_of(pos, side) & rank_of(side, 1) & (file_mask(3) | file_mask(4));
    return bitboard_forward(side, home) & pieces_of(pos, side);
}

/* A king on the files d to f that may not castle, with rooks, and with enough pieces against it. */
static Bitboard fact_king_in_centre(const Position *pos, Color side) {
    enum { ATTACKERS = 3 };
    const int rights =
        side == WHITE ? WHITE_KING_SIDE | WHITE_QUEEN_SIDE : BLACK_KING_SIDE | BLACK_QUEEN_SIDE;
    const Bitboard centre =
        (file_mask(3) | file_mask(4) | file_mask(5)) & (rank_of(side, 0) | rank_of(side, 1));
    if (pos->state.castling & rights || !position_pieces(pos, side, ROOK)) return 0;
    if (bits_count(pieces_of(pos, color_other(side))) < ATTACKERS) return 0;
    return position_pieces(pos, side, KING) & centre;
}

/* The three files at a king that has castled, or could have; none where no queen is against it. */
static Bitboard files_at_king(const Position *pos, Color side) {
    const Bitboard king = position_pieces(pos, side, KING);
    const Bitboard wing = ~(file_mask(3) | file_mask(4)) & (rank_of(side, 0) | rank_of(side, 1));
    if (!(king & wing) || !position_pieces(pos, color_other(side), QUEEN)) return 0;
    return files_of(king | both_sides(king));
}

static Bitboard fact_king_shield(const Position *pos, Color side) {
    const Bitboard shield = pawns_of(pos, side) & (rank_of(side, 1) | rank_of(side, 2));
    return files_at_king(pos, side) & ~files_of(shield) & rank_of(side, 1);
}

static Bitboard fact_open_line_at_king(const Position *pos, Color side) {
    const Color other = color_other(side);
    const Bitboard open = files_at_king(pos, side) & ~files_of(pawns_of(pos, side));
    const Bitboard used = files_of(heavy_of(pos, other)) | ~files_of(pawns_of(pos, other));
    return position_pieces(pos, other, ROOK) ? open & used & rank_of(side, 1) : 0;
}

static Bitboard fact_doubled_pawns(const Position *pos, Color side) {
    const Bitboard pawns = pawns_of(pos, side);
    return pawns & ahead_of(side, pawns);
}

static Bitboard fact_isolated_pawn(const Position *pos, Color side) {
    const Bitboard pawns = pawns_of(pos, side);
    return pawns & ~both_sides(files_of(pawns));
}

/* No pawn next to it or behind can ever guard it, an enemy pawn rules the square before it, and no enemy pawn
 * stands on its file. */
static Bitboard fact_backward_pawn(const Position *pos, Color side) {
    const Color other = color_other(side);
    const Bitboard pawns = pawns_of(pos, side), theirs = pawns_of(pos, other);
    const Bitboard ruled = bitboard_forward(other, bitboard_pawn_attacks(other, theirs));
    const Bitboard helped = both_sides(pawns | ahead_of(side, pawns));
    return pawns & ruled & ~helped & ~files_of(theirs) & ~fact_isolated_pawn(pos, side);
}

static Bitboard fact_passed_pawn(const Position *pos, Color side) {
    const Color other = color_other(side);
    const Bitboard theirs = pawns_of(pos, other), stopped = ahead_of(other, theirs | both_sides(theirs));
    const Bitboard pawns = pawns_of(pos, side);
    return pawns & ~stopped & ~ahead_of(other, pawns);
}

static Bitboard fact_open_file(const Position *pos, Color side) {
    const Bitboard open = ~files_of(pos->by_type[PAWN]) & ~files_of(heavy_of(pos, color_other(side)));
    return position_pieces(pos, side, ROOK) & open;
}

static Bitboard fact_outpost(const Position *pos, Color side) {
    const Bitboard minor = position_pieces(pos, side, KNIGHT) | position_pieces(pos, side, BISHOP);
    const Bitboard forward = rank_of(side, 3) | rank_of(side, 4) | rank_of(side, 5);
    return minor & forward & bitboard_pawn_attacks(side, pawns_of(pos, side)) &
           safe_from_pawns(pos, color_other(side));
}

static Bitboard fact_bad_bishop(const Position *pos, Color side) {
    enum { PAWNS = 4, MOVES = 3 };
    Bitboard bishops = position_pieces(pos, side, BISHOP), bad = 0;
    while (bishops != 0) {
        const Square square = bitboard_pop(&bishops);
        const Bitboard color = square_bit(square) & DARK_SQUARES ? DARK_SQUARES : ~DARK_SQUARES;
        if (bits_count(pawns_of(pos, side) & color) >= PAWNS && bits_count(moves_of(pos, square)) <= MOVES)
            bad |= square_bit(square);
    }
    return bad;
}

/* In an ending. */
static Bitboard fact_passive_rook(const Position *pos, Color side) {
    enum { MOVES = 4, PIECES = 6 };
    Bitboard rooks = position_pieces(pos, side, ROOK) & (rank_of(side, 0) | rank_of(side, 1)), passive = 0;
    if (pos->by_type[QUEEN] || bits_count(pieces_of(pos, WHITE) | pieces_of(pos, BLACK)) > PIECES) return 0;
    while (rooks != 0) {
        const Square square = bitboard_pop(&rooks);
        if (bits_count(moves_of(pos, square)) <= MOVES) passive |= square_bit(square);
    }
    return passive;
}

int fact_from_centre(const Position *pos, Color side) {
    const Square king = position_king(pos, side);
    return int_min(int_min(distance(king, square_make(3, 3)), distance(king, square_make(4, 3))),
                   int_min(distance(king, square_make(3, 4)), distance(king, square_make(4, 4))));
}

/* In an ending, at least two steps farther from the centre than the other king. */
static Bitboard fact_distant_king(const Position *pos, Color side) {
    enum { PIECES = 4, STEPS = 2 };
    const Color other = color_other(side);
    if (pos->by_type[QUEEN] || bits_count(pieces_of(pos, WHITE) | pieces_of(pos, BLACK)) > PIECES) return 0;
    return fact_from_centre(pos, side) >= fact_from_centre(pos, other) + STEPS
               ? position_pieces(pos, side, KING)
               : 0;
}

/* A pawn that could take another one, and could be taken by it. */
static Bitboard fact_tension(const Position *pos, Color side) {
    const Color other = color_other(side);
    return pawns_of(pos, side) & bitboard_pawn_attacks(other, pawns_of(pos, other));
}

/* The king shows that neither side has such a piece, while there are others. */
static Bitboard fact_traded(const Position *pos, Color side, PieceType type) {
    const bool has_pieces = pieces_of(pos, WHITE) && pieces_of(pos, BLACK);
    return has_pieces && pos->by_type[type] == 0 ? position_pieces(pos, side, KING) : 0;
}

static Bitboard fact_no_queens(const Position *pos, Color side) { return fact_traded(pos, side, QUEEN); }
static Bitboard fact_no_rooks(const Position *pos, Color side) { return fact_traded(pos, side, ROOK); }

static Bitboard fact_undeveloped(const Position *pos, Color side) {
    const Bitboard home = rank_of(side, 0);
    return home & ((position_pieces(pos, side, KNIGHT) & (file_mask(1) | file_mask(6))) |
                   (position_pieces(pos, side, BISHOP) & (file_mask(2) | file_mask(5))));
}

/* Any piece or pawn: it stands elsewhere on the other line (positional.c). */
static Bitboard fact_worse_square(const Position *pos, Color side) {
    return pos->by_color[side] & ~pos->by_type[KING];
}
static Bitboard fact_better_square(const Position *pos, Color side) { return fact_worse_square(pos, side); }

/* --- edits --- */

static void take(Position *pos, Square square) {
    const Piece piece = position_piece_on(pos, square);
    pos->by_type[piece_type(piece)] &= ~square_bit(square);
    pos->by_color[piece_color(piece)] &= ~square_bit(square);
    pos->board[square] = NO_PIECE;
}

static bool shift(Position *pos, Square from, Square to) {
    const Piece piece = position_piece_on(pos, from);
    if (position_piece_on(pos, to) != NO_PIECE) return false;
    take(pos, from);
    position_put(pos, piece, to);
    return true;
}

/* Moves the pawn of `side` that is the fewest files away, at most two, to a free one of the squares, as near
 * to its home rank as may be; a doubled pawn is preferred. `spared` stay. */
static bool bring_pawn(Position *pos, Color side, Bitboard spared, Bitboard targets) {
    enum { FILES_AWAY = 2, DOUBLED = 12, FILE_COST = 32, RANK_COST = 2 };
    const Bitboard doubled = fact_doubled_pawns(pos, side);
    Square from = NO_SQUARE, to = NO_SQUARE;
    int least = FILE_COST * (FILES_AWAY + 1);
    targets &= ~position_occupied(pos) & ~(RANK_1 | RANK_8);
    while (targets != 0) {
        const Square target = bitboard_pop(&targets);
        Bitboard pawns = pawns_of(pos, side) & ~spared;
        while (pawns != 0) {
            const Square pawn = bitboard_pop(&pawns);
            const int files = int_abs(square_file(pawn) - square_file(target));
            const int cost = FILE_COST * files + distance(pawn, target) +
                             RANK_COST * square_relative_rank(side, target) -
                             (doubled & square_bit(pawn) ? DOUBLED : 0);
            if (cost >= least) continue;
            least = cost;
            from = pawn;
            to = target;
        }
    }
    return from != NO_SQUARE && shift(pos, from, to);
}

/* A bishop becomes a knight, a knight a bishop. */
static bool edit_other_minor(Position *pos, Color side, Square square) {
    const Piece minor = position_piece_on(pos, square);
    (void)side;
    take(pos, square);
    position_put(pos, piece_make(piece_color(minor), piece_type(minor) == BISHOP ? KNIGHT : BISHOP), square);
    return true;
}

/* To the nearest square that it can reach, where no pawn attacks it; of equals the one nearest to home. */
static bool edit_step_aside(Position *pos, Color side, Square square) {
    const Color other = color_other(side);
    Bitboard targets =
        moves_of(pos, square) & ~position_occupied(pos) & ~bitboard_pawn_attacks(other, pawns_of(pos, other));
    Square nearest = NO_SQUARE;
    int least = 1000;
    while (targets != 0) {
        const Square target = bitboard_pop(&targets);
        const int cost = 8 * distance(square, target) + square_relative_rank(side, target);
        if (cost >= least) continue;
        least = cost;
        nearest = target;
    }
    return nearest != NO_SQUARE && shift(pos, square, nearest);
}

/* To its home square, with the right to castle on the side of the rook in that corner. */
static bool bring_home(Position *pos, Color side, Square king) {
    const Square home = square_relative(side, square_make(4, 0));
    bool has_rook = false;
    if (!shift(pos, king, home)) return false;
    for (int file = 0; file < 8; file += 7) {
        const Square corner = square_relative(side, square_make(file, 0));
        if (position_piece_on(pos, corner) != piece_make(side, ROOK)) continue;
        position_add_castling(pos, side, corner);
        has_rook = true;
    }
    return has_rook;
}

/* As if it had castled, on the side where there is room, or could still do so. */
static bool edit_castled(Position *pos, Color side, Square square) {
    static const int ROOK_FROM[] = {7, 0}, KING_TO[] = {6, 2}, ROOK_TO[] = {5, 3};
    for (int i = 0; i < 2; i++) {
        Position castled = *pos;
        const Square rook = square_relative(side, square_make(ROOK_FROM[i], 0));
        const Square king_to = square_relative(side, square_make(KING_TO[i], 0));
        const Square rook_to = square_relative(side, square_make(ROOK_TO[i], 0));
        if (position_piece_on(pos, rook) != piece_make(side, ROOK)) continue;
        if (!shift(&castled, square, king_to) || !shift(&castled, rook, rook_to)) continue;
        *pos = castled;
        return true;
    }
    return bring_home(pos, side, square);
}

static bool edit_pawn_before_king(Position *pos, Color side, Square square) {
    const Bitboard shield =
        pawns_of(pos, side) & files_at_king(pos, side) & (rank_of(side, 1) | rank_of(side, 2));
    const Bitboard file = files_of(square_bit(square));
    return bring_pawn(pos, side, shield & ~fact_doubled_pawns(pos, side),
                      file & (rank_of(side, 1) | rank_of(side, 2)));
}

static bool edit_pawn_to_next_file(Position *pos, Color side, Square square) {
    Bitboard targets =
        both_sides(square_bit(square)) & ~files_of(pawns_of(pos, side)) & ~position_occupied(pos);
    return targets != 0 && shift(pos, square, bitboard_pop(&targets));
}

/* Next to another pawn, or another pawn next to it. */
static bool edit_pawn_joined(Position *pos, Color side, Square square) {
    const Bitboard pawn = square_bit(square),
                   neighbours = both_sides(pawn | bitboard_forward(color_other(side), pawn));
    Bitboard targets = both_sides(pawn) & both_sides(files_of(pawns_of(pos, side) & ~pawn)) &
                       ~files_of(pawns_of(pos, side)) & ~position_occupied(pos);
    if (targets != 0) return shift(pos, square, bitboard_pop(&targets));
    return bring_pawn(pos, side, pawn, neighbours);
}

static bool edit_pawn_blocked(Position *pos, Color side, Square square) {
    return bring_pawn(pos, color_other(side), 0, ahead_of(side, square_bit(square)));
}

static bool edit_file_shut(Position *pos, Color side, Square square) {
    const Bitboard ahead =
        ahead_of(side, square_bit(square)) & (rank_of(side, 1) | rank_of(side, 2) | rank_of(side, 3));
    return bring_pawn(pos, side, 0, ahead);
}

static bool edit_pawn_chases(Position *pos, Color side, Square square) {
    const Bitboard above = bitboard_forward(side, bitboard_forward(side, square_bit(square)));
    return bring_pawn(pos, color_other(side), 0, both_sides(above));
}

static bool edit_rook_freed(Position *pos, Color side, Square square) {
    Bitboard targets = rank_of(side, square_relative_rank(side, square)) & ~position_occupied(pos);
    Square best = NO_SQUARE;
    int most = bits_count(moves_of(pos, square));
    while (targets != 0) {
        const Square target = bitboard_pop(&targets);
        const int moves = bits_count(attacks_rook(target, position_occupied(pos)) & ~pos->by_color[side]);
        if (moves <= most) continue;
        most = moves;
        best = target;
    }
    return best != NO_SQUARE && shift(pos, square, best);
}

static bool edit_king_nearer(Position *pos, Color side, Square square) {
    Bitboard targets = attacks_king(square) & ~position_occupied(pos);
    while (targets != 0) {
        Position trial = *pos;
        const Square target = bitboard_pop(&targets);
        const int before = fact_from_centre(pos, side);
        (void)shift(&trial, square, target);
        if (fact_from_centre(&trial, side) >= before) continue;
        *pos = trial;
        return true;
    }
    return false;
}

static bool edit_pawn_pushed(Position *pos, Color side, Square square) {
    return shift(pos, square, (Square)bits_lowest(bitboard_forward(side, square_bit(square))));
}

/* For both sides, on the first rank, as near to that file as nothing attacks it. */
static bool put_back(Position *pos, PieceType type, int file) {
    for (Color side = WHITE; side <= BLACK; side++) {
        Bitboard free = rank_of(side, 0) & ~position_occupied(pos);
        Square nearest = NO_SQUARE;
        while (free != 0) {
            const Square square = bitboard_pop(&free);
            const Bitboard attackers = position_attackers(pos, square, position_occupied(pos));
            if (attackers & pos->by_color[color_other(side)]) continue;
            if (nearest == NO_SQUARE ||
                int_abs(square_file(square) - file) < int_abs(square_file(nearest) - file))
                nearest = square;
        }
        if (nearest == NO_SQUARE) return false;
        position_put(pos, piece_make(side, type), nearest);
    }
    return true;
}

static bool edit_queens_back(Position *pos, Color side, Square square) {
    (void)side;
    (void)square;
    return put_back(pos, QUEEN, 3);
}

static bool edit_rooks_back(Position *pos, Color side, Square square) {
    (void)side;
    (void)square;
    return put_back(pos, ROOK, 5);
}

static bool edit_none(Position *pos, Color side, Square square) {
    (void)pos;
    (void)side;
    (void)square;
    return false;
}

/* --- the table --- */

typedef enum Scope { SCOPE_BOARD, SCOPE_FILES, SCOPE_SQUARES } Scope;
enum { VALUE_BAD, VALUE_GOOD };

static const struct Row {
    const char *name;
    Scope scope;
    int value;
    Bitboard (*squares)(const Position *pos, Color side);
    bool (*edit)(Position *pos, Color side, Square square);
} ROWS[] = {
#define FACT(name, scope, value, edit) {#name, SCOPE_##scope, VALUE_##value, fact_##name, edit_##edit},
#include "explain/facts.def"
};

Bitboard fact_squares(FactKind kind, const Position *pos, Color side) {
    return ROWS[kind].squares(pos, side);
}

uint64_t fact_member(FactKind kind, Square square) {
    switch (ROWS[kind].scope) {
    case SCOPE_FILES: return UINT64_C(1) << square_file(square);
    case SCOPE_SQUARES: return square_bit(square);
    case SCOPE_BOARD: break;
    }
    return 1;
}

uint64_t fact_set(FactKind kind, const Position *pos, Color side) {
    Bitboard squares = fact_squares(kind, pos, side);
    uint64_t set = 0;
    while (squares != 0) set |= fact_member(kind, bitboard_pop(&squares));
    return set;
}

Bitboard fact_controls(FactKind kind, const Position *pos, Color side) {
    const Color other = color_other(side);
    const Bitboard bishop = position_pieces(pos, other, BISHOP);
    if (kind != FACT_bishop_pair || bits_count(bishop) != 1) return 0;
    return position_pieces(pos, other, KNIGHT) & (bishop & DARK_SQUARES ? ~DARK_SQUARES : DARK_SQUARES);
}

bool fact_is_good(FactKind kind) { return ROWS[kind].value == VALUE_GOOD; }

const char *fact_name(FactKind kind) { return ROWS[kind].name; }

bool fact_edit(FactKind kind, Position *pos, Color side, Square square, Square to) {
    if (to != NO_SQUARE ? !shift(pos, square, to) : !ROWS[kind].edit(pos, side, square)) return false;
    if (to != NO_SQUARE) pos->state.castling &= pos->castling_kept[square]; /* a rook's right is gone */
    position_finish(pos);
    const Square king = position_king(pos, color_other(pos->side));
    if (position_attackers(pos, king, position_occupied(pos)) & pos->by_color[pos->side]) return false;
    return !(fact_set(kind, pos, side) & fact_member(kind, square));
}
