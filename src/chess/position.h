/* A position: the board and what the rules need in addition. Nothing here knows of search or evaluation.
 * One thread works on one Position; copying the struct copies the position with its history. */
#ifndef LUFT_CHESS_POSITION_H
#define LUFT_CHESS_POSITION_H

#include "chess/attacks.h"
#include "chess/types.h"

#include <stdbool.h>

/* Keys of earlier positions kept for repetitions: more than 100 reversible plies before the root and the
 * deepest search below it. A power of two; older ones are overwritten. */
enum { KEY_HISTORY = 512 };

/* Where the two counters of plies stop: the largest halfmove clock that FEN may hold, far beyond every rule
 * that asks. */
enum { PLIES_COUNTED = 999 };

/* All that a move changes and cannot be computed back: saved by make-move, restored by unmake-move. */
typedef struct State {
    HashKey key;                       /* whole position */
    HashKey pawn_key;                  /* both sides' pawns */
    HashKey non_pawn_key[COLOR_COUNT]; /* each side's pieces, without pawns, with the king */
    Bitboard checkers;                 /* enemy pieces and pawns that give check */
    Bitboard pinned;                   /* what shields the king of the side to move */
    int16_t halfmove_clock;            /* plies since a capture or pawn move */
    int16_t plies_from_null;           /* plies since a null move or the start of the known history */
    uint8_t castling;                  /* rights still held */
    uint8_t en_passant;                /* Square a pawn may legally be captured on, or NO_SQUARE */
    uint8_t captured;                  /* Piece taken by the last move, or NO_PIECE */
} State;

typedef struct Position {
    Bitboard by_type[PIECE_TYPE_COUNT];
    Bitboard by_color[COLOR_COUNT];
    uint8_t board[SQUARE_COUNT]; /* Piece on each square, or NO_PIECE */
    State state;
    Color side;    /* to move */
    int fullmove;  /* as in FEN, from 1 */
    int game_ply;  /* plies made on this Position since it was set up; indexes `keys` */
    bool chess960; /* how castling is written; the rules are always Chess960's */
    uint8_t castling_rook[COLOR_COUNT][2]; /* home of each CastlingSide's rook, while the right is held */
    uint8_t castling_kept[SQUARE_COUNT];   /* rights that survive a move from or to this square */
    HashKey keys[KEY_HISTORY];             /* keys[game_ply % KEY_HISTORY] is the current position's */
} Position;

/* One piece or pawn that a move put elsewhere: NO_SQUARE as `from` if it appeared, as `to` if it vanished. */
typedef struct PieceChange {
    uint8_t piece, from, to;
} PieceChange;

/* What a move changed on the board, in at most three steps: the mover first. A promotion removes the pawn and
 * adds the new piece; castling moves king, then rook. An evaluator follows the game by these alone. */
typedef struct Changes {
    uint8_t count;
    PieceChange change[3];
} Changes;

/* Filled by make-move, given back to unmake-move. */
typedef struct Undo {
    State state;
    Changes changes;
} Undo;

static inline Bitboard position_occupied(const Position *pos) {
    return pos->by_color[WHITE] | pos->by_color[BLACK];
}
static inline Bitboard position_pieces(const Position *pos, Color color, PieceType type) {
    return pos->by_color[color] & pos->by_type[type];
}
static inline Piece position_piece_on(const Position *pos, Square square) {
    return (Piece)pos->board[square];
}
static inline Square position_king(const Position *pos, Color color) {
    return bitboard_lowest(position_pieces(pos, color, KING));
}
static inline bool position_in_check(const Position *pos) { return pos->state.checkers != 0; }

static inline bool position_has_lone_king(const Position *pos) {
    return bits_count(pos->by_color[WHITE]) == 1 || bits_count(pos->by_color[BLACK]) == 1;
}

/* Whether the side has a piece other than its king. */
static inline bool position_has_pieces(const Position *pos, Color color) {
    return (pos->by_color[color] & ~(pos->by_type[PAWN] | pos->by_type[KING])) != 0;
}

/* The piece a move takes (the pawn for en passant), or NO_PIECE. Castling takes nothing. */
static inline Piece position_captured_by(const Position *pos, Move move) {
    if (move_kind(move) == EN_PASSANT) return piece_make(color_other(pos->side), PAWN);
    return move_kind(move) == CASTLING ? NO_PIECE : position_piece_on(pos, move_to(move));
}
/* Noisy: a capture or a promotion. All other moves are quiet. */
static inline bool position_is_noisy(const Position *pos, Move move) {
    return move_kind(move) == PROMOTION || position_captured_by(pos, move) != NO_PIECE;
}

/* Pieces and pawns of both colours that attack the square when the squares of `occupied` are occupied. */
Bitboard position_attackers(const Position *pos, Square square, Bitboard occupied);

/* Squares that the side not to move attacks, seen through our king, so that it cannot step back along the
 * line of a check. */
Bitboard position_threats(const Position *pos);

/* Whether the move, legal here, checks the opponent. */
bool position_gives_check(const Position *pos, Move move);

/* The same for many moves of one position: the squares from which each type of piece would check the
 * opponent's king, and our pieces and pawns that uncover a check when they leave their line with it. */
typedef struct CheckSquares {
    Bitboard of[PIECE_TYPE_COUNT];
    Bitboard shields;
} CheckSquares;
CheckSquares position_check_squares(const Position *pos);

static inline bool position_move_checks(const Position *pos, const CheckSquares *squares, Move move) {
    if (UNLIKELY(move_kind(move) != NORMAL_MOVE)) return position_gives_check(pos, move);
    const Square from = move_from(move), to = move_to(move);
    if (squares->of[piece_type(position_piece_on(pos, from))] & square_bit(to)) return true;
    if (!(squares->shields & square_bit(from))) return false;
    return !(squares_line(from, position_king(pos, color_other(pos->side))) & square_bit(to));
}

/* Recomputes checkers and pinned for the side to move. make-move and FEN call it. */
void position_update_checks(Position *pos);

/* Whether the capture en passant by `us` from `from` to `to` leaves its own king safe. */
bool position_en_passant_is_legal(const Position *pos, Color us, Square from, Square to);

/* Whether a pawn of `color` may legally capture en passant on `square` (the double push has just been made;
 * whose turn the position says does not matter). */
bool position_can_capture_en_passant(const Position *pos, Color color, Square square);

/* Whether every redundant part agrees with the rest, the keys included. For tests and asserts: slow. */
bool position_is_consistent(const Position *pos);

/* Exact equality of everything that FEN could show, plus the keys. */
bool position_equals(const Position *a, const Position *b);

/* Sets up an empty board without kings, for FEN and tests. */
void position_clear(Position *pos);

/* Puts a piece or pawn on an empty square, takes one off. Keys are not kept up: call position_finish after
 * the last. */
void position_put(Position *pos, Piece piece, Square square);

/* Records a castling right with its rook's square, after king and rook are placed. */
void position_add_castling(Position *pos, Color color, Square rook);

/* Computes keys, checks, pins after all are in place; the history starts here. An en passant square in
 * the state is dropped unless a legal capture exists. */
void position_finish(Position *pos);

/* --- hash keys --- */

/* Zobrist hashing (Zobrist 1970): random words whose exclusive-or names a position. Filled from a fixed seed,
 * so that keys are the same in every program and on every machine. */
typedef struct ZobristKeys {
    HashKey piece[PIECE_COUNT + 1][SQUARE_COUNT]; /* the row of NO_PIECE is 0 */
    HashKey castling[ALL_CASTLING + 1];           /* exclusive-or of the single rights' words */
    HashKey en_passant[8];                        /* by file, used only while a capture is legal */
    HashKey black_to_move;
} ZobristKeys;

extern ZobristKeys zobrist_keys; /* read only, after zobrist_init */

/* Fills the keys; calling it again does nothing. */
void zobrist_init(void);

#endif
