/* The evaluation until a network is there: material and a little of where men like to stand. */
#include "nnue/placeholder.h"

#include "base/bits.h"

static const int VALUE[PIECE_TYPE_COUNT] = {150, 480, 500, 750, 1400, 0};

/* Nearness to the middle of the board: 0 on the edge files, 3 on the middle ones. */
static int centrality(int line) { return line < 4 ? line : 7 - line; }

static int square_value(PieceType type, Color color, Square square, bool endgame) {
    const int middle = centrality(square_file(square)) + centrality(square_rank(square));
    const int rank = square_relative_rank(color, square);
    switch (type) {
    case PAWN:
        return endgame ? 14 * rank
                       : 5 * rank + (rank < 6 ? 4 * centrality(square_file(square)) * (rank > 1) : 0);
    case KNIGHT: return 16 * middle - 50;
    case BISHOP: return 8 * middle - 20;
    case ROOK: return rank == 6 ? 30 : 5 * centrality(square_file(square));
    case QUEEN: return 4 * middle;
    default: return endgame ? 15 * middle : -20 * rank - 10 * middle;
    }
}

int placeholder_value(const Position *pos) {
    int value[COLOR_COUNT] = {0, 0};
    const Bitboard heavy = pos->by_type[QUEEN] | pos->by_type[ROOK];
    const bool endgame = bits_count(heavy | pos->by_type[BISHOP] | pos->by_type[KNIGHT]) <= 6;
    for (Bitboard men = position_occupied(pos); men;) {
        const Square square = bitboard_pop(&men);
        const Piece piece = position_piece_on(pos, square);
        const PieceType type = piece_type(piece);
        value[piece_color(piece)] += VALUE[type] + square_value(type, piece_color(piece), square, endgame);
    }
    return value[pos->side] - value[color_other(pos->side)] + 15;
}
