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
        if (exchange_best_on(pos, bitboard_pop(&victims)) >= least) return true;
    }
    return false;
}

/* `credit`: what the side to move has taken already. `delays`: checks that may come before the end. */
static bool cannot_save(Position *pos, Bitboard victims, Square hunter, int credit, int delays);

/* Whether some answer to the check in `pos` leaves the victims lost. */
static bool check_only_delays(Position *pos, Bitboard victims, Square hunter, int credit, int delays) {
    Move answers[MAX_MOVES];
    const int count = movegen_legal(pos, answers);
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        const Move answer = answers[i];
        const Square to = move_to(answer);
        const bool moves_hunter = hunter != NO_SQUARE && move_from(answer) == hunter;
        const int rest = credit - exchange_taken(pos, answer);
        Undo undo;
        position_make_move(pos, answer, &undo);
        const Bitboard left = victims & pos->by_color[pos->side] & ~square_bit(to);
        found = cannot_save(pos, left, moves_hunter ? to : hunter, rest, delays);
        position_unmake_move(pos, answer, &undo);
    }
    return found;
}

static bool cannot_save(Position *pos, Bitboard victims, Square hunter, int credit, int delays) {
    Move replies[MAX_MOVES];
    const int count = movegen_legal(pos, replies);
    bool lost = count > 0;
    for (int i = 0; i < count && lost; i++) {
        const Move reply = replies[i];
        const int taken = exchange_taken(pos, reply);
        const bool takes_hunter = hunter != NO_SQUARE && move_to(reply) == hunter && taken > 0;
        Undo undo;
        position_make_move(pos, reply, &undo);
        const Bitboard targets = takes_hunter ? square_bit(hunter) : follow(victims, reply);
        lost = movegen_has_legal(pos) && (wins_one_of(pos, targets, credit + taken + 1) || mates_in_one(pos));
        if (!lost && delays > 0 && position_in_check(pos))
            lost = check_only_delays(pos, targets, takes_hunter ? NO_SQUARE : hunter, credit + taken,
                                     delays - 1);
        position_unmake_move(pos, reply, &undo);
    }
    return lost;
}

bool proof_cannot_save(const Position *pos, Bitboard victims, Square hunter) {
    enum { DELAYS = 1 };
    Position copy = *pos;
    return cannot_save(&copy, victims, hunter, 0, DELAYS);
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
        const bool good = queens ? (movegen_has_legal(pos) || position_in_check(pos)) &&
                                       exchange_best_on(pos, move_to(move)) == EXCHANGE_NOTHING
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
