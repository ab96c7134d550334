#include "chess/position.h"

#include "base/rng.h"

#include <string.h>

Bitboard position_attackers(const Position *pos, Square square, Bitboard occupied) {
    const Bitboard diagonal = pos->by_type[BISHOP] | pos->by_type[QUEEN];
    const Bitboard straight = pos->by_type[ROOK] | pos->by_type[QUEEN];
    return (attacks_pawn(BLACK, square) & position_pieces(pos, WHITE, PAWN)) |
           (attacks_pawn(WHITE, square) & position_pieces(pos, BLACK, PAWN)) |
           (attacks_knight(square) & pos->by_type[KNIGHT]) | (attacks_king(square) & pos->by_type[KING]) |
           (attacks_bishop(square, occupied) & diagonal) | (attacks_rook(square, occupied) & straight);
}

Bitboard position_threats(const Position *pos) {
    const Color us = pos->side, them = color_other(us);
    const Bitboard enemies = pos->by_color[them];
    const Bitboard occupied = position_occupied(pos) ^ square_bit(position_king(pos, us));
    Bitboard attacked = bitboard_pawn_attacks(them, enemies & pos->by_type[PAWN]);
    Bitboard knights = enemies & pos->by_type[KNIGHT];
    Bitboard diagonal = enemies & (pos->by_type[BISHOP] | pos->by_type[QUEEN]);
    Bitboard straight = enemies & (pos->by_type[ROOK] | pos->by_type[QUEEN]);
    while (knights) attacked |= attacks_knight(bitboard_pop(&knights));
    while (diagonal) attacked |= attacks_bishop(bitboard_pop(&diagonal), occupied);
    while (straight) attacked |= attacks_rook(bitboard_pop(&straight), occupied);
    return attacked | attacks_king(position_king(pos, them));
}

CheckSquares position_check_squares(const Position *pos) {
    const Color us = pos->side, them = color_other(us);
    const Square king = position_king(pos, them);
    const Bitboard occupied = position_occupied(pos);
    CheckSquares squares = {.of = {[PAWN] = attacks_pawn(them, king),
                                   [KNIGHT] = attacks_knight(king),
                                   [BISHOP] = attacks_bishop(king, occupied),
                                   [ROOK] = attacks_rook(king, occupied)}};
    squares.of[QUEEN] = squares.of[BISHOP] | squares.of[ROOK];
    /* Our pieces and pawns next to their king on a line, and what is behind them. */
    const Bitboard near = squares.of[QUEEN] & pos->by_color[us], without = occupied ^ near;
    const Bitboard diagonal = pos->by_type[BISHOP] | pos->by_type[QUEEN];
    const Bitboard straight = pos->by_type[ROOK] | pos->by_type[QUEEN];
    Bitboard snipers =
        ((attacks_bishop(king, without) & diagonal) | (attacks_rook(king, without) & straight)) &
        pos->by_color[us] & without;
    while (snipers) squares.shields |= squares_between(king, bitboard_pop(&snipers)) & near;
    return squares;
}

void position_update_checks(Position *pos) {
    const Color us = pos->side, them = color_other(us);
    const Bitboard enemies = pos->by_color[them], own = pos->by_color[us];
    const Square king = position_king(pos, us);
    State *state = &pos->state;

    state->pinned = 0;
    state->checkers = (attacks_pawn(us, king) & enemies & pos->by_type[PAWN]) |
                      (attacks_knight(king) & enemies & pos->by_type[KNIGHT]);

    /* Sliders that would see the king if our own pieces were air: they check, pin one, or do nothing. */
    const Bitboard diagonal = pos->by_type[BISHOP] | pos->by_type[QUEEN];
    const Bitboard straight = pos->by_type[ROOK] | pos->by_type[QUEEN];
    Bitboard snipers =
        ((attacks_bishop(king, enemies) & diagonal) | (attacks_rook(king, enemies) & straight)) & enemies;
    while (snipers) {
        const Square sniper = bitboard_pop(&snipers);
        const Bitboard shield = squares_between(king, sniper) & own;
        if (!shield)
            state->checkers |= square_bit(sniper);
        else if (!bits_more_than_one(shield))
            state->pinned |= shield;
    }
}

bool position_gives_check(const Position *pos, Move move) {
    const Color us = pos->side, them = color_other(us);
    const Square from = move_from(move), to = move_to(move), king = position_king(pos, them);
    const Bitboard own = pos->by_color[us];
    Bitboard occupied = position_occupied(pos) ^ square_bit(from);
    const Bitboard diagonal = own & (pos->by_type[BISHOP] | pos->by_type[QUEEN]) & ~square_bit(from);
    const Bitboard straight = own & (pos->by_type[ROOK] | pos->by_type[QUEEN]) & ~square_bit(from);

    if (move_kind(move) == CASTLING) {
        const bool king_side = to > from;
        const Square king_to = square_relative(us, king_side ? G1 : C1),
                     rook_to = square_relative(us, king_side ? F1 : D1);
        occupied = (occupied ^ square_bit(to)) | square_bit(king_to) | square_bit(rook_to);
        return (attacks_rook(rook_to, occupied) & square_bit(king)) != 0;
    }
    occupied |= square_bit(to);
    if (move_kind(move) == EN_PASSANT)
        occupied ^= square_bit(square_make(square_file(to), square_rank(from)));

    const PieceType type =
        move_kind(move) == PROMOTION ? move_promotion(move) : piece_type(position_piece_on(pos, from));
    const Bitboard direct = type == PAWN ? attacks_pawn(us, to) : attacks_piece(type, to, occupied);
    if (type != KING && (direct & square_bit(king))) return true;
    /* A piece that leaves no line to their king uncovers nothing; en passant empties two squares. */
    if (!squares_line(from, king) && move_kind(move) != EN_PASSANT) return false;
    return ((attacks_bishop(king, occupied) & diagonal) | (attacks_rook(king, occupied) & straight)) != 0;
}

/* En passant takes two pawns off one rank at once: whether the king is safe then is looked up.
 */
bool position_en_passant_is_legal(const Position *pos, Color us, Square from, Square to) {
    const Square taken = square_make(square_file(to), square_rank(from));
    const Bitboard occupied =
        (position_occupied(pos) ^ square_bit(from) ^ square_bit(taken)) | square_bit(to);
    const Bitboard attackers = position_attackers(pos, position_king(pos, us), occupied);
    return !(attackers & pos->by_color[color_other(us)] & ~square_bit(taken));
}

bool position_can_capture_en_passant(const Position *pos, Color color, Square square) {
    Bitboard pawns = attacks_pawn(color_other(color), square) & position_pieces(pos, color, PAWN);
    while (pawns)
        if (position_en_passant_is_legal(pos, color, bitboard_pop(&pawns), square)) return true;
    return false;
}

/* The four keys, which make-move keeps up incrementally. */
static void compute_keys(Position *pos) {
    State *state = &pos->state;
    state->key = state->pawn_key = state->non_pawn_key[WHITE] = state->non_pawn_key[BLACK] = 0;
    for (Square square = A1; square < SQUARE_COUNT; square++) {
        const Piece piece = position_piece_on(pos, square);
        if (piece == NO_PIECE) continue;
        const HashKey word = zobrist_keys.piece[piece][square];
        state->key ^= word;
        if (piece_type(piece) == PAWN)
            state->pawn_key ^= word;
        else
            state->non_pawn_key[piece_color(piece)] ^= word;
    }
    state->key ^= zobrist_keys.castling[state->castling];
    if (state->en_passant != NO_SQUARE) state->key ^= zobrist_keys.en_passant[state->en_passant & 7];
    if (pos->side == BLACK) state->key ^= zobrist_keys.black_to_move;
}

static bool keys_match(const State *a, const State *b) {
    return a->key == b->key && a->pawn_key == b->pawn_key &&
           a->non_pawn_key[WHITE] == b->non_pawn_key[WHITE] &&
           a->non_pawn_key[BLACK] == b->non_pawn_key[BLACK];
}

static bool boards_match(const Position *pos) {
    Bitboard types = 0;
    for (int type = PAWN; type < PIECE_TYPE_COUNT; type++) {
        if (types & pos->by_type[type]) return false;
        types |= pos->by_type[type];
    }
    if ((pos->by_color[WHITE] & pos->by_color[BLACK]) || types != position_occupied(pos)) return false;
    for (Square square = A1; square < SQUARE_COUNT; square++) {
        const Piece piece = position_piece_on(pos, square);
        if (piece == NO_PIECE && (types & square_bit(square))) return false;
        if (piece != NO_PIECE &&
            !(position_pieces(pos, piece_color(piece), piece_type(piece)) & square_bit(square)))
            return false;
    }
    return true;
}

bool position_is_consistent(const Position *pos) {
    if (!boards_match(pos)) return false;
    for (Color color = WHITE; color < COLOR_COUNT; color++)
        if (bits_count(position_pieces(pos, color, KING)) != 1) return false;
    Position fresh = *pos;
    compute_keys(&fresh);
    if (!keys_match(&fresh.state, &pos->state)) return false;
    if (pos->keys[pos->game_ply & (KEY_HISTORY - 1)] != pos->state.key) return false;
    position_update_checks(&fresh);
    if (fresh.state.checkers != pos->state.checkers || fresh.state.pinned != pos->state.pinned) return false;
    Bitboard attackers = position_attackers(pos, position_king(pos, pos->side), position_occupied(pos));
    if ((attackers & pos->by_color[color_other(pos->side)]) != pos->state.checkers) return false;
    /* The side that has just moved must not be in check. */
    attackers = position_attackers(pos, position_king(pos, color_other(pos->side)), position_occupied(pos));
    return !(attackers & pos->by_color[pos->side]);
}

/* Once a right is lost, its rook's square means nothing. */
static bool same_castling_rooks(const Position *a, const Position *b) {
    for (int right = 0; right < 4; right++) {
        if (!(a->state.castling >> right & 1)) continue;
        if (a->castling_rook[right >> 1][right & 1] != b->castling_rook[right >> 1][right & 1]) return false;
    }
    return true;
}

bool position_equals(const Position *a, const Position *b) {
    const State *s = &a->state, *t = &b->state;
    return memcmp(a->board, b->board, sizeof a->board) == 0 && a->side == b->side &&
           a->fullmove == b->fullmove && memcmp(a->by_type, b->by_type, sizeof a->by_type) == 0 &&
           memcmp(a->by_color, b->by_color, sizeof a->by_color) == 0 && keys_match(s, t) &&
           s->halfmove_clock == t->halfmove_clock && s->castling == t->castling &&
           s->en_passant == t->en_passant && s->checkers == t->checkers && s->pinned == t->pinned &&
           same_castling_rooks(a, b);
}

void position_clear(Position *pos) {
    memset(pos, 0, sizeof *pos);
    memset(pos->board, NO_PIECE, sizeof pos->board);
    memset(pos->castling_kept, ALL_CASTLING, sizeof pos->castling_kept);
    memset(pos->castling_rook, NO_SQUARE, sizeof pos->castling_rook);
    pos->state.en_passant = NO_SQUARE;
    pos->state.captured = NO_PIECE;
    pos->fullmove = 1;
}

void position_put(Position *pos, Piece piece, Square square) {
    pos->board[square] = (uint8_t)piece;
    pos->by_type[piece_type(piece)] |= square_bit(square);
    pos->by_color[piece_color(piece)] |= square_bit(square);
}

void position_add_castling(Position *pos, Color color, Square rook) {
    const Square king = position_king(pos, color);
    const CastlingSide side = rook > king ? KING_SIDE : QUEEN_SIDE;
    const unsigned right = (unsigned)WHITE_KING_SIDE << (2 * color + side);
    pos->state.castling = (uint8_t)(pos->state.castling | right);
    pos->castling_rook[color][side] = (uint8_t)rook;
    pos->castling_kept[king] = (uint8_t)(pos->castling_kept[king] & ~right);
    pos->castling_kept[rook] = (uint8_t)(pos->castling_kept[rook] & ~right);
}

void position_finish(Position *pos) {
    position_update_checks(pos);
    if (pos->state.en_passant != NO_SQUARE &&
        !position_can_capture_en_passant(pos, pos->side, (Square)pos->state.en_passant))
        pos->state.en_passant = NO_SQUARE;
    compute_keys(pos);
    pos->state.plies_from_null = 0;
    pos->game_ply = 0;
    memset(pos->keys, 0, sizeof pos->keys);
    pos->keys[0] = pos->state.key;
}

/* --- hash keys --- */

ZobristKeys zobrist_keys;

void zobrist_init(void) {
    if (zobrist_keys.black_to_move) return;
    Rng rng = rng_seed(0x4C756674); /* "Luft" */
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int square = 0; square < SQUARE_COUNT; square++)
            zobrist_keys.piece[piece][square] = rng_next(&rng);
    for (int file = 0; file < 8; file++) zobrist_keys.en_passant[file] = rng_next(&rng);
    HashKey right[4];
    for (int i = 0; i < 4; i++) right[i] = rng_next(&rng);
    for (unsigned rights = 0; rights <= ALL_CASTLING; rights++)
        for (unsigned i = 0; i < 4; i++)
            if (rights >> i & 1) zobrist_keys.castling[rights] ^= right[i];
    zobrist_keys.black_to_move = rng_next(&rng);
}
