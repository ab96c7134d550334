/* Random games for tests and fuzzers: from standard and Chess960 starts, through castling, promotion, en
 * passant. */
#ifndef LUFT_UNIT_WALK_H
#define LUFT_UNIT_WALK_H

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"

#include <stdio.h>
#include <stdlib.h>

/* The start of game `number`: the standard one, a Chess960 array (different for each side), or a position
 * with many special moves. */
static inline Position walk_start(Rng *rng, int number) {
    static const char SPECIAL[] = "r3k2r/1P4P1/8/2pP4/5pP1/8/1p4p1/R3K2R w KQkq c6 0 1";
    char fen[FEN_CAPACITY];
    const char *chosen = number % 3 == 0 ? FEN_START : SPECIAL;
    if (number % 3 == 1) {
        fen_chess960_start((int)rng_below(rng, 960), (int)rng_below(rng, 960), fen);
        chosen = fen;
    }
    Position pos;
    Status status = fen_parse(&pos, text_view(chosen), number % 3 == 1);
    if (!status_is_ok(&status)) {
        fprintf(stderr, "%s: %s\n", chosen, status.reason);
        abort();
    }
    return pos;
}

/* A random legal move, most often castling, a capture, a promotion or a king move. MOVE_NONE at the end of a
 * game. */
static inline Move walk_move(const Position *pos, Rng *rng) {
    Move moves[MAX_MOVES];
    int count = movegen_legal(pos, moves);
    if (count == 0) return MOVE_NONE;
    Move move = MOVE_NONE;
    for (int attempt = 0; attempt < 3; attempt++) {
        move = moves[rng_below(rng, (uint64_t)count)];
        if (move_kind(move) != NORMAL_MOVE || piece_type(position_piece_on(pos, move_from(move))) == KING)
            break;
    }
    return move;
}

#endif
