#include "nnue/inspect.h"

static int value_without(Evaluator *evaluator, const Position *pos, Square square) {
    Position rest = *pos;
    const Piece piece = position_piece_on(pos, square);
    rest.by_type[piece_type(piece)] ^= square_bit(square);
    rest.by_color[piece_color(piece)] ^= square_bit(square);
    rest.board[square] = NO_PIECE;
    evaluator_reset(evaluator, &rest);
    return evaluator_value(evaluator, &rest);
}

Inspection evaluator_inspect(Evaluator *evaluator, const Position *pos) {
    Inspection result = {0};
    evaluator_reset(evaluator, pos);
    result.value = evaluator_value(evaluator, pos);
    result.buckets = evaluator_bucket_values(evaluator, pos, result.bucket_values, &result.used);
    for (Bitboard left = position_occupied(pos) & ~pos->by_type[KING]; left != 0;) {
        const Square square = bitboard_pop(&left);
        result.has_worth[square] = true;
        result.worth[square] = result.value - value_without(evaluator, pos, square);
    }
    evaluator_reset(evaluator, pos);
    return result;
}
