#include "explain/proof.h"

#include "chess/makemove.h"
#include "chess/movegen.h"
#include "explain/exchange.h"

/* Where the victims stand after a move of theirs. */
static Bitboard follow(Bitboard victims, Move move) {
    const Bitboard from = square_bit(move_from(move));
    return victims & from ? (victims ^ from) | square_bit(move_to(move)) : victims;
}

static bool mates_in_one(Position *pos) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        if (!position_gives_check(pos, moves[i])) continue;
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        const bool mate = !movegen_has_legal(pos);
        position_unmake_move(pos, moves[i], &undo);
        if (mate) return true;
    }
    return false;
}

/* Whether some capture on `victims` wins at least `least` points. */
static bool wins_one_of(const Position *pos, Bitboard victims, int least) {
    while (victims != 0) {
        Move best;
        if (exchange_best_on(pos, bitboard_pop(&victims), &best) >= least) return true;
    }
    return false;
}

bool proof_cannot_save(const Position *pos, Bitboard victims, Square hunter) {
    Position copy = *pos;
    Move replies[MAX_MOVES];
    const int count = movegen_legal(pos, replies);
    for (int i = 0; i < count; i++) {
        const Move reply = replies[i];
        const int taken = exchange_taken(pos, reply);
        const bool takes_hunter = hunter != NO_SQUARE && move_to(reply) == hunter && taken > 0;
        Undo undo;
        position_make_move(&copy, reply, &undo);
        const Bitboard targets = takes_hunter ? square_bit(hunter) : follow(victims, reply);
        const bool lost =
            movegen_has_legal(&copy) && (wins_one_of(&copy, targets, taken + 1) || mates_in_one(&copy));
        position_unmake_move(&copy, reply, &undo);
        if (!lost) return false;
    }
    return count > 0;
}

static bool promotes(Position *pos, Square square, int pushes, int *nodes);

/* The pawn's side to move: one push must do. */
static bool push(Position *pos, Square square, int pushes, int *nodes) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        const Move move = moves[i];
        if (move_from(move) != square || square_file(move_to(move)) != square_file(square)) continue;
        const bool queens = move_kind(move) == PROMOTION;
        if (queens && move_promotion(move) != QUEEN) continue;
        Undo undo;
        position_make_move(pos, move, &undo);
        Move best;
        const bool good = queens ? (movegen_has_legal(pos) || position_in_check(pos)) &&
                                       exchange_best_on(pos, move_to(move), &best) == EXCHANGE_NOTHING
                                 : pushes > 1 && promotes(pos, move_to(move), pushes - 1, nodes);
        position_unmake_move(pos, move, &undo);
        if (good) return true;
    }
    return false;
}

/* The other side to move: every reply must fail to stop the pawn. */
static bool promotes(Position *pos, Square square, int pushes, int *nodes) {
    Move replies[MAX_MOVES];
    const int count = movegen_legal(pos, replies);
    if (count == 0 || (*nodes -= count) < 0) return false;
    for (int i = 0; i < count; i++) {
        const Move reply = replies[i];
        if (move_to(reply) == square || move_kind(reply) == PROMOTION) return false;
        Undo undo;
        position_make_move(pos, reply, &undo);
        const bool good =
            position_piece_on(pos, square) == piece_make(pos->side, PAWN) && push(pos, square, pushes, nodes);
        position_unmake_move(pos, reply, &undo);
        if (!good) return false;
    }
    return true;
}

bool proof_pawn_promotes(const Position *pos, Square square) {
    Position copy = *pos;
    int nodes = PROOF_NODES;
    const Color color = color_other(pos->side);
    if (position_piece_on(pos, square) != piece_make(color, PAWN)) return false;
    const int pushes = 7 - square_relative_rank(color, square);
    return pushes <= PROOF_PUSHES && promotes(&copy, square, PROOF_PUSHES, &nodes);
}
