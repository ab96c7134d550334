#include "chess/zobrist.h"

#include "base/rng.h"

ZobristKeys zobrist_keys;

void zobrist_init(void) {
    if (zobrist_keys.black_to_move) return;
    Rng rng = rng_seed(0x4C756674); /* "Luft" */
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int square = 0; square < SQUARE_COUNT; square++)
            zobrist_keys.piece[piece][square] = rng_next(&rng);
    for (int file = 0; file < 8; file++) zobrist_keys.en_passant[file] = rng_next(&rng);
    HashKey right[4];
    for (int i = 0; i < 4; i++) right[i] = rng_next(&rng);
    for (unsigned rights = 0; rights <= ALL_CASTLING; rights++)
        for (unsigned i = 0; i < 4; i++)
            if (rights >> i & 1) zobrist_keys.castling[rights] ^= right[i];
    zobrist_keys.black_to_move = rng_next(&rng);
}
