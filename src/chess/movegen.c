#include "chess/movegen.h"

#include <stddef.h>

typedef enum Kind { ALL_MOVES, NOISY_MOVES, QUIET_MOVES } Kind;

/* What one generation needs. `us`, `kind` and `counting` are constants wherever the bodies below are inlined,
 * so that each of the public functions gets code of its own without a copy of the source. */
typedef struct Generation {
    const Position *pos;
    Color us;
    Kind kind;
    bool counting;     /* count moves instead of writing them */
    Move *next;        /* where the next move is written */
    int count;         /* moves counted */
    Bitboard occupied; /* all squares with a piece or pawn */
    Bitboard enemies;
    Bitboard targets; /* where the kind lets pieces go, pawns apart */
    Bitboard allowed; /* where a check may be parried: everywhere without one */
} Generation;

ALWAYS_INLINE void emit(Generation *gen, Move move) {
    if (gen->counting)
        gen->count++;
    else
        *gen->next++ = move;
}

ALWAYS_INLINE void emit_targets(Generation *gen, Square from, Bitboard targets) {
    if (gen->counting) {
        gen->count += bits_count(targets);
        return;
    }
    while (targets) *gen->next++ = move_make(from, bitboard_pop(&targets));
}

/* Pawn moves that all go the same way: `step` is the difference of the squares. */
ALWAYS_INLINE void emit_pawns(Generation *gen, Bitboard targets, int step) {
    if (gen->counting) {
        gen->count += bits_count(targets);
        return;
    }
    while (targets) {
        const Square to = bitboard_pop(&targets);
        *gen->next++ = move_make((Square)((int)to - step), to);
    }
}

ALWAYS_INLINE void emit_promotions(Generation *gen, Bitboard targets, int step) {
    if (gen->counting) {
        gen->count += 4 * bits_count(targets);
        return;
    }
    while (targets) {
        const Square to = bitboard_pop(&targets), from = (Square)((int)to - step);
        *gen->next++ = move_make_promotion(from, to, QUEEN);
        *gen->next++ = move_make_promotion(from, to, KNIGHT);
        *gen->next++ = move_make_promotion(from, to, ROOK);
        *gen->next++ = move_make_promotion(from, to, BISHOP);
    }
}

/* Pushes and captures of `pawns` onto `allowed`; en passant apart. */
ALWAYS_INLINE void generate_pawns(Generation *gen, Bitboard pawns, Bitboard allowed) {
    const Color us = gen->us;
    const int up = us == WHITE ? 8 : -8;
    const Bitboard last = us == WHITE ? RANK_8 : RANK_1, third = us == WHITE ? RANK_3 : RANK_6;
    const Bitboard ahead = bitboard_forward(us, pawns), empty = ~gen->occupied;
    const Bitboard push = ahead & empty;

    if (gen->kind != NOISY_MOVES) {
        emit_pawns(gen, push & allowed & ~last, up);
        emit_pawns(gen, bitboard_forward(us, push & third) & empty & allowed, 2 * up);
    }
    if (gen->kind != QUIET_MOVES) {
        const Bitboard east = bitboard_east(ahead) & gen->enemies & allowed;
        const Bitboard west = bitboard_west(ahead) & gen->enemies & allowed;
        emit_pawns(gen, east & ~last, up + 1);
        emit_pawns(gen, west & ~last, up - 1);
        if ((push | east | west) & last) {
            emit_promotions(gen, push & allowed & last, up);
            emit_promotions(gen, east & last, up + 1);
            emit_promotions(gen, west & last, up - 1);
        }
    }
}

ALWAYS_INLINE void generate_en_passant(Generation *gen) {
    const Square to = (Square)gen->pos->state.en_passant;
    if (LIKELY(to == NO_SQUARE)) return;
    Bitboard pawns = attacks_pawn(color_other(gen->us), to) & position_pieces(gen->pos, gen->us, PAWN);
    while (pawns) {
        const Square from = bitboard_pop(&pawns);
        if (position_en_passant_is_legal(gen->pos, gen->us, from, to))
            emit(gen, move_make_kind(from, to, EN_PASSANT));
    }
}

/* All pieces but the king. A pinned one stays on the line of its pin; a pinned knight cannot move.
 */
ALWAYS_INLINE void generate_pieces(Generation *gen) {
    const Position *pos = gen->pos;
    const Bitboard own = pos->by_color[gen->us], pinned = pos->state.pinned,
                   allowed = gen->targets & gen->allowed;
    const Bitboard diagonal = own & (pos->by_type[BISHOP] | pos->by_type[QUEEN]);
    const Bitboard straight = own & (pos->by_type[ROOK] | pos->by_type[QUEEN]);
    const Square king = position_king(pos, gen->us);

    for (Bitboard left = own & pos->by_type[KNIGHT] & ~pinned; left;) {
        const Square from = bitboard_pop(&left);
        emit_targets(gen, from, attacks_knight(from) & allowed);
    }
    for (Bitboard left = diagonal & ~pinned; left;) {
        const Square from = bitboard_pop(&left);
        emit_targets(gen, from, attacks_bishop(from, gen->occupied) & allowed);
    }
    for (Bitboard left = straight & ~pinned; left;) {
        const Square from = bitboard_pop(&left);
        emit_targets(gen, from, attacks_rook(from, gen->occupied) & allowed);
    }
    for (Bitboard left = diagonal & pinned; left;) {
        const Square from = bitboard_pop(&left);
        emit_targets(gen, from, attacks_bishop(from, gen->occupied) & allowed & squares_line(king, from));
    }
    for (Bitboard left = straight & pinned; left;) {
        const Square from = bitboard_pop(&left);
        emit_targets(gen, from, attacks_rook(from, gen->occupied) & allowed & squares_line(king, from));
    }
}

/* The right is held: are the ways free and the king's way safe? A pinned rook shields the king from its own
 * rank, which only happens in Chess960. */
static bool castling_is_legal(const Position *pos, Color us, CastlingSide side, Bitboard threats) {
    const Square king = position_king(pos, us), rook = (Square)pos->castling_rook[us][side];
    const Square king_to = square_relative(us, side == KING_SIDE ? G1 : C1);
    const Square rook_to = square_relative(us, side == KING_SIDE ? F1 : D1);
    const Bitboard way = squares_between(king, king_to);
    const Bitboard others = position_occupied(pos) & ~square_bit(king) & ~square_bit(rook);
    return !((way | squares_between(rook, rook_to)) & others) && !(way & threats) &&
           !(pos->state.pinned & square_bit(rook));
}

static inline bool castling_right(const Position *pos, Color us, CastlingSide side) {
    return (pos->state.castling >> (2 * us + side) & 1) != 0;
}

/* `known`: the squares under attack, or NULL, a constant wherever this is inlined. */
ALWAYS_INLINE void generate_king(Generation *gen, const Bitboard *known) {
    const Position *pos = gen->pos;
    const Square king = position_king(pos, gen->us);
    const Bitboard targets = attacks_king(king) & gen->targets;
    const bool castles =
        gen->kind != NOISY_MOVES && !pos->state.checkers && (pos->state.castling >> (2 * gen->us) & 3);
    if (!targets && !castles) return;
    const Bitboard threats = known != NULL ? *known : position_threats(pos);
    emit_targets(gen, king, targets & ~threats);
    if (!castles) return;
    for (CastlingSide side = KING_SIDE; side <= QUEEN_SIDE; side++)
        if (castling_right(pos, gen->us, side) && castling_is_legal(pos, gen->us, side, threats))
            emit(gen, move_make_kind(king, (Square)pos->castling_rook[gen->us][side], CASTLING));
}

ALWAYS_INLINE int generate_side(const Position *pos, Color us, Move *moves, Kind kind, bool counting,
                                const Bitboard *threats) {
    const Square king = position_king(pos, us);
    const Bitboard checkers = pos->state.checkers;
    Generation gen = {.pos = pos, .us = us, .kind = kind, .counting = counting, .next = moves};
    gen.enemies = pos->by_color[color_other(us)];
    gen.occupied = position_occupied(pos);
    gen.targets = kind == NOISY_MOVES   ? gen.enemies
                  : kind == QUIET_MOVES ? ~gen.occupied
                                        : ~pos->by_color[us];
    gen.allowed = ~(Bitboard)0;

    generate_king(&gen, threats);
    if (LIKELY(!bits_more_than_one(checkers))) {
        if (checkers) gen.allowed = squares_between(king, bitboard_lowest(checkers));
        const Bitboard pawns = position_pieces(pos, us, PAWN);
        generate_pawns(&gen, pawns & ~pos->state.pinned, gen.allowed);
        for (Bitboard pinned = pawns & pos->state.pinned; pinned;) {
            const Square pawn = bitboard_pop(&pinned);
            generate_pawns(&gen, square_bit(pawn), gen.allowed & squares_line(king, pawn));
        }
        if (kind != QUIET_MOVES) generate_en_passant(&gen);
        generate_pieces(&gen);
    }
    return counting ? gen.count : (int)(gen.next - moves);
}

ALWAYS_INLINE int generate(const Position *pos, Move *moves, Kind kind, bool counting,
                           const Bitboard *threats) {
    return pos->side == WHITE ? generate_side(pos, WHITE, moves, kind, counting, threats)
                              : generate_side(pos, BLACK, moves, kind, counting, threats);
}

int movegen_legal(const Position *pos, Move *moves) { return generate(pos, moves, ALL_MOVES, false, NULL); }
int movegen_noisy(const Position *pos, Move *moves) { return generate(pos, moves, NOISY_MOVES, false, NULL); }
int movegen_quiet(const Position *pos, Bitboard threats, Move *moves) {
    return generate(pos, moves, QUIET_MOVES, false, &threats);
}
int movegen_count(const Position *pos) { return generate(pos, NULL, ALL_MOVES, true, NULL); }
bool movegen_has_legal(const Position *pos) { return movegen_count(pos) > 0; }

/* Where the pawn on `from` may go, checks and pins apart, en passant too. */
static bool pawn_reaches(const Position *pos, Square from, Square to) {
    const Color us = pos->side;
    const Bitboard target = square_bit(to), empty = ~position_occupied(pos);
    const Bitboard push = bitboard_forward(us, square_bit(from)) & empty;
    const Bitboard third = us == WHITE ? RANK_3 : RANK_6;
    if (attacks_pawn(us, from) & target & pos->by_color[color_other(us)]) return true;
    return ((push | (bitboard_forward(us, push & third) & empty)) & target) != 0;
}

static bool castling_move_is_legal(const Position *pos, Square from, Square to) {
    const Color us = pos->side;
    if (from != position_king(pos, us) || pos->state.checkers) return false;
    for (CastlingSide side = KING_SIDE; side <= QUEEN_SIDE; side++)
        if (castling_right(pos, us, side) && pos->castling_rook[us][side] == to)
            return castling_is_legal(pos, us, side, position_threats(pos));
    return false;
}

bool movegen_is_legal(const Position *pos, Move move) {
    const Color us = pos->side;
    const Square from = move_from(move), to = move_to(move), king = position_king(pos, us);
    const Piece piece = position_piece_on(pos, from);
    const MoveKind kind = move_kind(move);

    if (piece == NO_PIECE || piece_color(piece) != us) return false;
    if (kind != PROMOTION && move_promotion(move) != KNIGHT) return false; /* bits that no move sets */
    if (kind == CASTLING) return castling_move_is_legal(pos, from, to);
    if (pos->by_color[us] & square_bit(to)) return false;
    if (kind == EN_PASSANT)
        return piece_type(piece) == PAWN && to == pos->state.en_passant &&
               (attacks_pawn(us, from) & square_bit(to)) && position_en_passant_is_legal(pos, us, from, to);
    if (piece_type(piece) == KING)
        return kind == NORMAL_MOVE && (attacks_king(from) & square_bit(to)) &&
               !(position_threats(pos) & square_bit(to));

    const bool promotes = piece_type(piece) == PAWN && square_relative_rank(us, to) == 7;
    if (promotes != (kind == PROMOTION)) return false;
    const bool reached =
        piece_type(piece) == PAWN
            ? pawn_reaches(pos, from, to)
            : (attacks_piece(piece_type(piece), from, position_occupied(pos)) & square_bit(to)) != 0;
    if (!reached) return false;
    if ((pos->state.pinned & square_bit(from)) && !(squares_line(king, from) & square_bit(to))) return false;
    if (!pos->state.checkers) return true;
    if (bits_more_than_one(pos->state.checkers)) return false;
    return (squares_between(king, bitboard_lowest(pos->state.checkers)) & square_bit(to)) != 0;
}
