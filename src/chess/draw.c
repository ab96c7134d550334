#include "chess/draw.h"

#include "chess/movegen.h"

#include <assert.h>
#include <stddef.h>

/* Every reversible move of a piece from one square to another, found by the difference it makes to the key.
 * Each of the 3668 lies in one of two slots, as in cuckoo hashing, so that looking up takes two reads. */
enum { CUCKOO_SLOTS = 8192, REVERSIBLE_MOVES = 3668 };

typedef struct ReversibleMove {
    HashKey key; /* 0: the slot is empty */
    uint8_t a, b;
} ReversibleMove;

static ReversibleMove reversible_moves[CUCKOO_SLOTS]; /* filled by draw_init, then only read */

static unsigned first_slot(HashKey key) { return (unsigned)key & (CUCKOO_SLOTS - 1); }
static unsigned second_slot(HashKey key) { return (unsigned)(key >> 16) & (CUCKOO_SLOTS - 1); }

/* Whoever is pushed out of its slot goes to its other one, pushing out in turn. */
static void insert_move(ReversibleMove move) {
    unsigned slot = first_slot(move.key);
    for (int pushes = 0; pushes < CUCKOO_SLOTS; pushes++) {
        ReversibleMove pushed = reversible_moves[slot];
        reversible_moves[slot] = move;
        if (pushed.key == 0) return;
        slot = slot == first_slot(pushed.key) ? second_slot(pushed.key) : first_slot(pushed.key);
        move = pushed;
    }
}

static void insert_moves_of(Piece piece) {
    for (Square a = A1; a < SQUARE_COUNT; a++) {
        Bitboard targets = attacks_piece(piece_type(piece), a, 0);
        while (targets) {
            const Square b = bitboard_pop(&targets);
            const HashKey key =
                zobrist_keys.piece[piece][a] ^ zobrist_keys.piece[piece][b] ^ zobrist_keys.black_to_move;
            if (a < b) insert_move((ReversibleMove){key, (uint8_t)a, (uint8_t)b});
        }
    }
}

static int count_moves(void) {
    int count = 0;
    for (unsigned slot = 0; slot < CUCKOO_SLOTS; slot++) count += reversible_moves[slot].key != 0;
    return count;
}

void draw_init(void) {
    if (count_moves() > 0) return;
    for (Piece piece = WHITE_KNIGHT; piece < PIECE_COUNT; piece++) insert_moves_of(piece);
    /* The keys are fixed: if all find room once, they always do. */
    assert(count_moves() == REVERSIBLE_MOVES);
}

static const ReversibleMove *find_move(HashKey key) {
    const ReversibleMove *move = &reversible_moves[first_slot(key)];
    if (move->key == key) return move;
    move = &reversible_moves[second_slot(key)];
    return move->key == key ? move : NULL;
}

static HashKey key_before(const Position *pos, int plies) {
    return pos->keys[(unsigned)(pos->game_ply - plies) & (KEY_HISTORY - 1)];
}

/* How many plies back an equal position may lie: nothing returns beyond a capture or pawn move, null moves
 * are no moves of a game, and the ring forgets. */
static int reversible_plies(const Position *pos) {
    return int_min(int_min(pos->state.halfmove_clock, pos->state.plies_from_null), KEY_HISTORY - 1);
}

bool draw_by_repetition(const Position *pos, int ply) {
    const int end = reversible_plies(pos);
    bool seen = false;
    for (int back = 4; back <= end; back += 2) {
        if (key_before(pos, back) != pos->state.key) continue;
        if (back < ply || seen) return true;
        seen = true;
    }
    return false;
}

/* Whether the position `plies` back was there before. */
static bool had_repeated(const Position *pos, int plies, int end) {
    const HashKey key = key_before(pos, plies);
    for (int back = plies + 4; back <= end; back += 2) {
        if (key_before(pos, back) == key) return true;
    }
    return false;
}

bool draw_stood_before(const Position *pos) { return had_repeated(pos, 0, reversible_plies(pos)); }

bool draw_has_repeated(const Position *pos) {
    const int end = reversible_plies(pos);
    for (int plies = 0; plies + 4 <= end; plies++)
        if (had_repeated(pos, plies, end)) return true;
    return false;
}

bool draw_upcoming_repetition(const Position *pos, int ply) {
    const int end = reversible_plies(pos);
    /* What the opponent's moves since then make of the key. One move of ours leads back there only if they
     * undid each other, which they seldom did: that spares the look-up (Stockfish). */
    HashKey theirs = pos->state.key ^ key_before(pos, 1) ^ zobrist_keys.black_to_move;
    /* Our move makes an even distance of an odd one: three plies back is the nearest that can be reached. */
    for (int back = 3; back <= end; back += 2) {
        theirs ^= key_before(pos, back - 1) ^ key_before(pos, back) ^ zobrist_keys.black_to_move;
        if (theirs != 0) continue;
        const ReversibleMove *move = find_move(pos->state.key ^ key_before(pos, back));
        if (move == NULL) continue;
        const Square a = (Square)move->a, b = (Square)move->b;
        const Square from = position_piece_on(pos, a) == NO_PIECE ? b : a, to = from == a ? b : a;
        if (position_occupied(pos) & squares_between(from, to)) continue;
        /* The opponent's piece may be the one that differs: then it is not ours to move. */
        if (!(pos->by_color[pos->side] & square_bit(from))) continue;
        if (back < ply || had_repeated(pos, back, end)) return true;
    }
    return false;
}

bool draw_by_fifty_moves(const Position *pos) {
    return pos->state.halfmove_clock >= 100 && (!position_in_check(pos) || movegen_has_legal(pos));
}

bool draw_by_dead_material(const Position *pos) {
    if (pos->by_type[PAWN] | pos->by_type[ROOK] | pos->by_type[QUEEN]) return false;
    if (bits_count(position_occupied(pos)) <= 3) return true;
    const Bitboard bishops = pos->by_type[BISHOP];
    return !pos->by_type[KNIGHT] && (!(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES));
}

bool draw_by_rule(const Position *pos, int ply) {
    return draw_by_repetition(pos, ply) || draw_by_fifty_moves(pos) || draw_by_dead_material(pos);
}
