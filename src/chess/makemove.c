#include "chess/makemove.h"

#include <assert.h>

/* The keys when a piece or pawn appears or vanishes. */
ALWAYS_INLINE void toggle_keys(State *state, Piece piece, HashKey word) {
    state->key ^= word;
    if (piece_type(piece) == PAWN)
        state->pawn_key ^= word;
    else
        state->non_pawn_key[piece_color(piece)] ^= word;
}

ALWAYS_INLINE void remove_piece(Position *pos, Piece piece, Square square) {
    pos->board[square] = NO_PIECE;
    pos->by_type[piece_type(piece)] ^= square_bit(square);
    pos->by_color[piece_color(piece)] ^= square_bit(square);
}

ALWAYS_INLINE void add_piece(Position *pos, Piece piece, Square square) {
    pos->board[square] = (uint8_t)piece;
    pos->by_type[piece_type(piece)] ^= square_bit(square);
    pos->by_color[piece_color(piece)] ^= square_bit(square);
}

ALWAYS_INLINE void record(Changes *changes, Piece piece, Square from, Square to) {
    changes->change[changes->count++] = (PieceChange){(uint8_t)piece, (uint8_t)from, (uint8_t)to};
}

ALWAYS_INLINE void move_piece(Position *pos, Changes *changes, Piece piece, Square from, Square to) {
    remove_piece(pos, piece, from);
    add_piece(pos, piece, to);
    toggle_keys(&pos->state, piece, zobrist_keys.piece[piece][from] ^ zobrist_keys.piece[piece][to]);
    record(changes, piece, from, to);
}

/* Where king and rook are after castling. */
typedef struct CastlingSquares {
    Square king, rook;
} CastlingSquares;

static inline CastlingSquares castling_squares(Color color, Move move) {
    const bool king_side = move_to(move) > move_from(move);
    return (CastlingSquares){square_relative(color, king_side ? G1 : C1),
                             square_relative(color, king_side ? F1 : D1)};
}

/* King and rook leave before either arrives: in Chess960 their squares may overlap. */
static void make_castling(Position *pos, Changes *changes, Move move) {
    const Color us = pos->side;
    const CastlingSquares to = castling_squares(us, move);
    const Piece king = piece_make(us, KING), rook = piece_make(us, ROOK);
    remove_piece(pos, king, move_from(move));
    remove_piece(pos, rook, move_to(move));
    add_piece(pos, king, to.king);
    add_piece(pos, rook, to.rook);
    pos->state.captured = NO_PIECE;
    toggle_keys(&pos->state, king,
                zobrist_keys.piece[king][move_from(move)] ^ zobrist_keys.piece[king][to.king] ^
                    zobrist_keys.piece[rook][move_to(move)] ^ zobrist_keys.piece[rook][to.rook]);
    record(changes, king, move_from(move), to.king);
    record(changes, rook, move_to(move), to.rook);
}

static void make_pawn_specials(Position *pos, Changes *changes, Move move) {
    const Color us = pos->side;
    const Square from = move_from(move), to = move_to(move);
    if (move_kind(move) == PROMOTION) {
        const Piece pawn = piece_make(us, PAWN), promoted = piece_make(us, move_promotion(move));
        remove_piece(pos, pawn, to);
        add_piece(pos, promoted, to);
        toggle_keys(&pos->state, pawn, zobrist_keys.piece[pawn][to]);
        toggle_keys(&pos->state, promoted, zobrist_keys.piece[promoted][to]);
        changes->change[0].to = NO_SQUARE;
        record(changes, promoted, NO_SQUARE, to);
    } else if ((from ^ to) == 16) {
        const Square passed = (Square)((from + to) / 2);
        if (position_can_capture_en_passant(pos, color_other(us), passed)) {
            pos->state.en_passant = (uint8_t)passed;
            pos->state.key ^= zobrist_keys.en_passant[square_file(passed)];
        }
    }
}

static inline void start_turn(Position *pos) {
    pos->side = color_other(pos->side);
    pos->game_ply++;
    pos->keys[pos->game_ply & (KEY_HISTORY - 1)] = pos->state.key;
    position_update_checks(pos);
}

/* A game may go on for longer than a counter holds. */
static inline int16_t count_ply(int16_t plies) { return (int16_t)(plies + (plies < PLIES_COUNTED)); }

void position_make_move(Position *pos, Move move, Undo *undo) {
    const Square from = move_from(move), to = move_to(move);
    const Color us = pos->side;
    const Piece piece = position_piece_on(pos, from);
    State *state = &pos->state;
    Changes *changes = &undo->changes;

    assert(piece != NO_PIECE && piece_color(piece) == us);
    undo->state = *state;
    changes->count = 0;
    state->halfmove_clock = count_ply(state->halfmove_clock);
    state->plies_from_null = count_ply(state->plies_from_null);
    state->key ^= zobrist_keys.black_to_move;
    if (state->en_passant != NO_SQUARE) {
        state->key ^= zobrist_keys.en_passant[state->en_passant & 7];
        state->en_passant = NO_SQUARE;
    }
    const unsigned kept = state->castling & pos->castling_kept[from] & pos->castling_kept[to];
    state->key ^= zobrist_keys.castling[state->castling ^ kept];
    state->castling = (uint8_t)kept;

    if (UNLIKELY(move_kind(move) == CASTLING)) {
        make_castling(pos, changes, move);
    } else {
        const Piece captured = position_captured_by(pos, move);
        state->captured = (uint8_t)captured;
        Square taken_on = to;
        if (captured != NO_PIECE) {
            if (move_kind(move) == EN_PASSANT) taken_on = square_make(square_file(to), square_rank(from));
            assert(piece_type(captured) != KING);
            remove_piece(pos, captured, taken_on);
            toggle_keys(state, captured, zobrist_keys.piece[captured][taken_on]);
            state->halfmove_clock = 0;
        }
        move_piece(pos, changes, piece, from, to);
        if (piece_type(piece) == PAWN) {
            state->halfmove_clock = 0;
            make_pawn_specials(pos, changes, move);
        }
        if (captured != NO_PIECE) record(changes, captured, taken_on, NO_SQUARE);
    }
    pos->fullmove += us == BLACK;
    start_turn(pos);
}

void position_unmake_move(Position *pos, Move move, const Undo *undo) {
    const Square from = move_from(move), to = move_to(move);
    const Color us = color_other(pos->side);
    const Piece captured = (Piece)pos->state.captured;

    pos->side = us;
    pos->game_ply--;
    pos->fullmove -= us == BLACK;
    if (UNLIKELY(move_kind(move) == CASTLING)) {
        const CastlingSquares stand = castling_squares(us, move);
        const Piece king = piece_make(us, KING), rook = piece_make(us, ROOK);
        remove_piece(pos, king, stand.king);
        remove_piece(pos, rook, stand.rook);
        add_piece(pos, king, from);
        add_piece(pos, rook, to);
    } else {
        const Piece arrived = position_piece_on(pos, to);
        remove_piece(pos, arrived, to);
        add_piece(pos, move_kind(move) == PROMOTION ? piece_make(us, PAWN) : arrived, from);
        if (captured != NO_PIECE) {
            const Square taken_on =
                move_kind(move) == EN_PASSANT ? square_make(square_file(to), square_rank(from)) : to;
            add_piece(pos, captured, taken_on);
        }
    }
    pos->state = undo->state;
}

void position_make_null(Position *pos, Undo *undo) {
    State *state = &pos->state;
    assert(!state->checkers);
    undo->state = *state;
    undo->changes.count = 0;
    state->halfmove_clock = count_ply(state->halfmove_clock);
    state->plies_from_null = 0;
    state->captured = NO_PIECE;
    state->key ^= zobrist_keys.black_to_move;
    if (state->en_passant != NO_SQUARE) {
        state->key ^= zobrist_keys.en_passant[state->en_passant & 7];
        state->en_passant = NO_SQUARE;
    }
    start_turn(pos);
}

void position_unmake_null(Position *pos, const Undo *undo) {
    pos->side = color_other(pos->side);
    pos->game_ply--;
    pos->state = undo->state;
}

HashKey position_key_after(const Position *pos, Move move) {
    const Square from = move_from(move), to = move_to(move);
    const Piece piece = position_piece_on(pos, from), captured = position_piece_on(pos, to);
    return pos->state.key ^ zobrist_keys.black_to_move ^ zobrist_keys.piece[piece][from] ^
           zobrist_keys.piece[piece][to] ^ zobrist_keys.piece[captured][to];
}
