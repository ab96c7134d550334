/* The words of the game: colours, pieces, squares, moves. Only types and pure one-liners. */
#ifndef LUFT_CHESS_TYPES_H
#define LUFT_CHESS_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard; /* bit n is square n */
typedef uint64_t HashKey;

typedef enum Color { WHITE, BLACK, COLOR_COUNT } Color;

/* clang-format off */
typedef enum PieceType { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPE_COUNT, NO_PIECE_TYPE = 6 } PieceType;

/* A piece is its type and colour in one small number: 2 * type + colour. */
typedef enum Piece {
    WHITE_PAWN, BLACK_PAWN, WHITE_KNIGHT, BLACK_KNIGHT, WHITE_BISHOP, BLACK_BISHOP,
    WHITE_ROOK, BLACK_ROOK, WHITE_QUEEN, BLACK_QUEEN, WHITE_KING, BLACK_KING,
    PIECE_COUNT, NO_PIECE = 12
} Piece;

/* a1 = 0, b1 = 1, ... h8 = 63: square = 8 * rank + file. */
typedef enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1, A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3, A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5, A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7, A8, B8, C8, D8, E8, F8, G8, H8,
    SQUARE_COUNT, NO_SQUARE = 64
} Square;

/* One bit for each castling right. */
enum { WHITE_KING_SIDE = 1, WHITE_QUEEN_SIDE = 2, BLACK_KING_SIDE = 4, BLACK_QUEEN_SIDE = 8, ALL_CASTLING = 15 };
/* clang-format on */
typedef enum CastlingSide { KING_SIDE, QUEEN_SIDE } CastlingSide;

/* A move in 16 bits: from (0-5), to (6-11), promotion piece minus KNIGHT (12-13), kind (14-15).
 * Castling is king takes own rook: `to` is the rook's square, in standard chess too. */
typedef uint16_t Move;
enum { MOVE_NONE = 0, MOVE_NULL = 65 };
typedef enum MoveKind { NORMAL_MOVE, PROMOTION, EN_PASSANT, CASTLING } MoveKind;

/* More than the legal moves that 16 men a side can have: 218 in a game, and about 242 if 15 of them are
 * queens. */
enum { MAX_MOVES = 256 };

static inline const char *color_name(Color color) { return color == WHITE ? "White" : "Black"; }
static inline Color color_other(Color color) { return (Color)(color ^ 1); }

static inline Piece piece_make(Color color, PieceType type) { return (Piece)(2 * (unsigned)type + color); }
static inline Color piece_color(Piece piece) { return (Color)(piece & 1); }
/* Of NO_PIECE, NO_PIECE_TYPE. */
static inline PieceType piece_type(Piece piece) { return (PieceType)(piece >> 1); }

static inline const char *piece_type_name(PieceType type) {
    static const char *const NAMES[] = {"pawn", "knight", "bishop", "rook", "queen", "king", "nothing"};
    return NAMES[type];
}

/* The letter of FEN: upper case for White; '.' of NO_PIECE. */
static inline char piece_letter(Piece piece) { return "PpNnBbRrQqKk."[piece]; }
/* NO_PIECE of any other character. */
static inline Piece piece_of_letter(char letter) {
    Piece piece = WHITE_PAWN;
    while (piece < NO_PIECE && piece_letter(piece) != letter) piece++;
    return piece;
}

static inline Square square_make(int file, int rank) { return (Square)(8 * rank + file); }
static inline int square_file(Square square) { return (int)square & 7; }
static inline int square_rank(Square square) { return (int)square >> 3; }
/* Writes "e4", without a terminator, and returns the end. */
static inline char *square_write(Square square, char *out) {
    out[0] = (char)('a' + square_file(square));
    out[1] = (char)('1' + square_rank(square));
    return out + 2;
}
static inline Square square_mirror_rank(Square square) { return (Square)((unsigned)square ^ 56); }
/* The square as its side sees it: White's own view, or Black's with rank 1 nearest. */
static inline Square square_relative(Color color, Square square) {
    return (Square)((unsigned)square ^ (56u * (unsigned)color));
}
static inline int square_relative_rank(Color color, Square square) {
    return square_rank(square_relative(color, square));
}

static inline Move move_make(Square from, Square to) { return (Move)(from | to << 6); }
static inline Move move_make_kind(Square from, Square to, MoveKind kind) {
    return (Move)(from | to << 6 | (unsigned)kind << 14);
}
static inline Move move_make_promotion(Square from, Square to, PieceType type) {
    return (Move)(from | to << 6 | ((unsigned)type - KNIGHT) << 12 | PROMOTION << 14);
}
static inline Square move_from(Move move) { return (Square)(move & 63); }
static inline Square move_to(Move move) { return (Square)(move >> 6 & 63); }
static inline MoveKind move_kind(Move move) { return (MoveKind)(move >> 14); }
static inline PieceType move_promotion(Move move) { return (PieceType)((move >> 12 & 3) + KNIGHT); }

#endif
