#include "search/mate.h"

#include "chess/draw.h"
#include "chess/makemove.h"
#include "chess/movegen.h"

typedef struct Prover {
    Worker *worker;
    Position pos;
    uint64_t nodes, budget;
    bool gave_up;
    Move refutation[MAX_PLY]; /* of the last attack that failed at this ply: often it answers the next one,
                                 too */
} Prover;

static void make(Prover *prover, Move move, Undo *undo) {
    Worker *worker = prover->worker;
    position_make_move(&prover->pos, move, undo);
    atomic_store_explicit(&worker->nodes, worker_nodes(worker) + 1, memory_order_relaxed);
    prover->nodes++;
    if (worker_must_stop(worker) || prover->nodes > prover->budget) prover->gave_up = true;
}

static void bring_to_front(Move *moves, int count, Move wanted) {
    for (int i = 1; i < count; i++) {
        if (moves[i] != wanted) continue;
        moves[i] = moves[0];
        moves[0] = wanted;
    }
}

/* Checks first; only they can be the last move. Returns how many moves are worth trying. */
static int order_attack(const Position *pos, Move *moves, int count, int left) {
    const CheckSquares squares = position_check_squares(pos);
    int checks = 0;
    for (int i = 0; i < count; i++) {
        if (!position_move_checks(pos, &squares, moves[i])) continue;
        const Move check = moves[i];
        moves[i] = moves[checks];
        moves[checks++] = check;
    }
    return left == 1 ? checks : count;
}

static bool attack(Prover *prover, int left, int ply);

/* Whether the side to move is mated by at most `left` moves more of the other, whatever it does. */
static bool is_lost(Prover *prover, int left, int ply) {
    Position *pos = &prover->pos;
    if (left == 0 && !position_in_check(pos)) return false;
    if (draw_by_fifty_moves(pos) || draw_by_repetition(pos, ply)) return false;
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    if (count == 0) return position_in_check(pos);
    if (left == 0) return false;
    bring_to_front(moves, count, prover->refutation[ply]);
    for (int i = 0; i < count; i++) {
        Undo undo;
        make(prover, moves[i], &undo);
        const bool falls = attack(prover, left, ply + 1);
        position_unmake_move(pos, moves[i], &undo);
        if (prover->gave_up) return false;
        if (falls) continue;
        prover->refutation[ply] = moves[i];
        return false;
    }
    return true;
}

/* Whether this move mates in at most `left` moves, itself included. */
static bool mates(Prover *prover, Move move, int left, int ply) {
    Undo undo;
    make(prover, move, &undo);
    const bool lost = !prover->gave_up && is_lost(prover, left - 1, ply + 1);
    position_unmake_move(&prover->pos, move, &undo);
    return lost && !prover->gave_up;
}

/* The move with which the side to move mates in at most `left` moves, or MOVE_NONE. */
static Move mating_move(Prover *prover, int left, int ply) {
    Position *pos = &prover->pos;
    if (ply > 0 && (draw_by_fifty_moves(pos) || draw_by_repetition(pos, ply))) return MOVE_NONE;
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, moves);
    count = order_attack(pos, moves, count, left);
    for (int i = 0; i < count && !prover->gave_up; i++)
        if (mates(prover, moves[i], left, ply)) return moves[i];
    return MOVE_NONE;
}

static bool attack(Prover *prover, int left, int ply) { return mating_move(prover, left, ply) != MOVE_NONE; }

static Move mating_root_move(Prover *prover, int left) {
    const Worker *worker = prover->worker;
    Move moves[MAX_MOVES];
    for (int i = 0; i < worker->root_count; i++) moves[i] = worker->root[i].move;
    const int count = order_attack(&prover->pos, moves, worker->root_count, left);
    for (int i = 0; i < count && !prover->gave_up; i++)
        if (mates(prover, moves[i], left, 0)) return moves[i];
    return MOVE_NONE;
}

/* The best defence of a side that is mated in `left` moves and not in fewer. */
static Move longest_defence(Prover *prover, int left, int ply) {
    Move moves[MAX_MOVES], longest = MOVE_NONE;
    const int count = movegen_legal(&prover->pos, moves);
    for (int i = 0; i < count && longest == MOVE_NONE; i++) {
        Undo undo;
        make(prover, moves[i], &undo);
        if (left == 1 || !attack(prover, left - 1, ply + 1)) longest = moves[i];
        position_unmake_move(&prover->pos, moves[i], &undo);
    }
    return longest;
}

/* The line of the mate in `left` moves that begins with `move`; there is no shorter one. */
static void follow(Prover *prover, Move move, int left, Mate *mate) {
    Undo undo;
    mate->plies = 0;
    while (!prover->gave_up) {
        mate->line[mate->plies++] = move;
        position_make_move(&prover->pos, move, &undo);
        if (--left == 0) return;
        move = longest_defence(prover, left, mate->plies);
        mate->line[mate->plies++] = move;
        if (prover->gave_up) return;
        position_make_move(&prover->pos, move, &undo);
        move = mating_move(prover, left, mate->plies);
    }
}

bool mate_find(Worker *worker, int moves, uint64_t budget, Mate *mate) {
    Prover prover = {.worker = worker, .pos = worker->pos, .budget = budget};
    const int most = moves < MAX_PLY / 2 ? moves : MAX_PLY / 2;
    mate->plies = 0;
    for (int left = 1; left <= most && !prover.gave_up; left++) {
        const Move move = mating_root_move(&prover, left);
        if (move == MOVE_NONE) continue;
        prover.budget = UINT64_MAX; /* the line costs little, compared with the proof */
        follow(&prover, move, left, mate);
        break;
    }
    return !prover.gave_up;
}
