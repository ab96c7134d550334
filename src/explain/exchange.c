#include "explain/exchange.h"

#include "base/bits.h"
#include "chess/makemove.h"
#include "chess/movegen.h"

int exchange_points(PieceType type) {
    static const int POINTS[PIECE_TYPE_COUNT + 1] = {1, 3, 3, 5, 9, 0, 0};
    return POINTS[type];
}

int exchange_taken(const Position *pos, Move move) {
    int points = exchange_points(piece_type(position_captured_by(pos, move)));
    if (move_kind(move) == PROMOTION) points += exchange_points(move_promotion(move)) - exchange_points(PAWN);
    return points;
}

/* The capture on `square` by the cheapest piece, the king last; promotions become queens. */
static Move cheapest_capture(const Position *pos, Square square) {
    Move moves[MAX_MOVES], best = MOVE_NONE;
    int lowest = PIECE_TYPE_COUNT;
    const int count = movegen_noisy(pos, moves);
    for (int i = 0; i < count; i++) {
        if (move_to(moves[i]) != square || position_captured_by(pos, moves[i]) == NO_PIECE) continue;
        if (move_kind(moves[i]) == PROMOTION && move_promotion(moves[i]) != QUEEN) continue;
        const int type = (int)piece_type(position_piece_on(pos, move_from(moves[i])));
        if (type < lowest) {
            lowest = type;
            best = moves[i];
        }
    }
    return best;
}

/* Plays on `pos` and takes back. */
static int gain(Position *pos, Move move) {
    const int taken = exchange_taken(pos, move);
    if (move_kind(move) == CASTLING) return 0; /* `to` is the rook's square: nothing is exchanged there */
    Undo undo;
    position_make_move(pos, move, &undo);
    const Move answer = cheapest_capture(pos, move_to(move));
    const int lost = answer == MOVE_NONE ? 0 : gain(pos, answer);
    position_unmake_move(pos, move, &undo);
    return lost > 0 ? taken - lost : taken;
}

int exchange_gain(const Position *pos, Move move) {
    Position copy = *pos;
    return gain(&copy, move);
}

static Move best_capture(const Position *pos, Square square, int *most) {
    Position copy = *pos;
    Move moves[MAX_MOVES], best = MOVE_NONE;
    *most = EXCHANGE_NOTHING;
    const int count = movegen_noisy(pos, moves);
    for (int i = 0; i < count; i++) {
        if (position_captured_by(pos, moves[i]) == NO_PIECE) continue;
        if (square != NO_SQUARE && move_to(moves[i]) != square) continue;
        const int found = gain(&copy, moves[i]);
        if (found <= *most) continue;
        *most = found;
        best = moves[i];
    }
    return best;
}

int exchange_best_on(const Position *pos, Square square) {
    int most;
    (void)best_capture(pos, square, &most);
    return most;
}

Move exchange_best_capture(const Position *pos, int *most) { return best_capture(pos, NO_SQUARE, most); }

int exchange_threat_on(const Position *pos, Square square) {
    if (position_in_check(pos)) return EXCHANGE_NOTHING;
    Position copy = *pos;
    Undo undo;
    position_make_null(&copy, &undo);
    return exchange_best_on(&copy, square);
}

bool exchange_can_retake(const Position *pos, Move capture, Square guard) {
    Position after = *pos;
    Undo undo;
    Move moves[MAX_MOVES];
    position_make_move(&after, capture, &undo);
    const int count = movegen_noisy(&after, moves);
    for (int i = 0; i < count; i++)
        if (move_from(moves[i]) == guard && move_to(moves[i]) == move_to(capture)) return true;
    return false;
}
