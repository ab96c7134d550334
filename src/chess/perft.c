#include "chess/perft.h"

#include "chess/makemove.h"
#include "chess/movegen.h"

#include <stddef.h>

uint64_t perft_count(Position *pos, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return (uint64_t)movegen_count(pos);
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        leaves += perft_count(pos, depth - 1);
        position_unmake_move(pos, moves[i], &undo);
    }
    return leaves;
}

uint64_t perft_divide(Position *pos, int depth, PerftReport *report, void *context) {
    Move moves[MAX_MOVES];
    const int count = depth > 0 ? movegen_legal(pos, moves) : 0;
    uint64_t leaves = depth > 0 ? 0 : 1;
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        uint64_t share = perft_count(pos, depth - 1);
        position_unmake_move(pos, moves[i], &undo);
        if (report) report(context, moves[i], share);
        leaves += share;
    }
    return leaves;
}
