#include "chess/polyglot.h"

#include "base/bits.h"
#include "chess/movegen.h"

/* --- the numbers --- */

enum { WORDS = 256, LANES = 8 };

/* The state of ISAAC-64: two accumulators, a counter, and a memory of words. */
typedef struct Isaac {
    uint64_t a, b, counter;
    uint64_t memory[WORDS], result[WORDS];
} Isaac;

/* Its step between two words of the memory, in one of four forms. */
static uint64_t isaac_turn(uint64_t a, int form) {
    switch (form) {
    case 0: return ~(a ^ a << 21);
    case 1: return a ^ a >> 5;
    case 2: return a ^ a << 12;
    default: return a ^ a >> 33;
    }
}

static void isaac_fill(Isaac *isaac) {
    uint64_t *memory = isaac->memory;
    isaac->b += ++isaac->counter;
    for (int i = 0; i < WORDS; i++) {
        const uint64_t old = memory[i];
        isaac->a = isaac_turn(isaac->a, i % 4) + memory[(i + WORDS / 2) % WORDS];
        memory[i] = memory[(old >> 3) % WORDS] + isaac->a + isaac->b;
        isaac->b = memory[(memory[i] >> 11) % WORDS] + old;
        isaac->result[i] = isaac->b;
    }
}

static void isaac_mix(uint64_t lane[LANES]) {
    /* Shifts to the right and, where negative, to the left. */
    static const int SHIFTS[LANES] = {9, -9, 23, -15, 14, -20, 17, -14};
    for (int i = 0; i < LANES; i++) {
        uint64_t *last = &lane[(i + LANES - 1) % LANES];
        lane[i] -= lane[(i + 4) % LANES];
        lane[(i + 5) % LANES] ^= SHIFTS[i] > 0 ? *last >> SHIFTS[i] : *last << -SHIFTS[i];
        *last += lane[i];
    }
}

/* With a seed of zeros: twice over the memory, so that each word depends on all. */
static void isaac_seed(Isaac *isaac) {
    uint64_t lane[LANES];
    *isaac = (Isaac){0};
    for (int i = 0; i < LANES; i++) lane[i] = 0x9E3779B97F4A7C13u; /* the golden ratio */
    for (int i = 0; i < 4; i++) isaac_mix(lane);
    for (int i = 0; i < 2 * WORDS; i += LANES) {
        uint64_t *words = &isaac->memory[i % WORDS];
        for (int j = 0; j < LANES; j++) lane[j] += words[j];
        isaac_mix(lane);
        for (int j = 0; j < LANES; j++) words[j] = lane[j];
    }
}

void polyglot_init_numbers(PolyglotNumbers *numbers) {
    Isaac isaac;
    uint64_t next[POLYGLOT_NUMBERS];
    isaac_seed(&isaac);
    for (int i = 0; i < POLYGLOT_NUMBERS; i++) {
        if (i % WORDS == 0) isaac_fill(&isaac);
        next[i] = isaac.result[WORDS - 1 - i % WORDS]; /* it hands out the last word first */
    }
    int at = 0;
    for (int piece = 0; piece < 12; piece++)
        for (int square = 0; square < SQUARE_COUNT; square++) numbers->piece[piece][square] = next[at++];
    for (int i = 0; i < 4; i++) numbers->castling[i] = next[at++];
    for (int i = 0; i < 8; i++) numbers->en_passant[i] = next[at++];
    numbers->white_to_move = next[at];
}

/* --- keys --- */

/* The square on which a pawn just pushed two squares stands; NO_SQUARE without one. */
static Square pushed_pawn(const Position *pos, Move last) {
    const Square from = move_from(last), to = move_to(last), passed = (Square)pos->state.en_passant;
    if (passed != NO_SQUARE) return (Square)((unsigned)passed ^ 8);
    const bool is_push = last != MOVE_NONE && move_kind(last) == NORMAL_MOVE &&
                         piece_type(position_piece_on(pos, to)) == PAWN &&
                         square_file(from) == square_file(to) && int_abs((int)from - (int)to) == 16;
    return is_push ? to : NO_SQUARE;
}

uint64_t polyglot_key(const PolyglotNumbers *numbers, const Position *pos, Move last) {
    uint64_t key = pos->side == WHITE ? numbers->white_to_move : 0;
    for (Bitboard rest = position_occupied(pos); rest != 0;) {
        const Square square = bitboard_pop(&rest);
        key ^= numbers->piece[position_piece_on(pos, square) ^ 1][square]; /* Black's first there */
    }
    for (int right = 0; right < 4; right++)
        if (pos->state.castling >> right & 1) key ^= numbers->castling[right];
    const Square pushed = pushed_pawn(pos, last);
    if (pushed == NO_SQUARE) return key;
    const int file = square_file(pushed);
    const Bitboard pawns = position_pieces(pos, pos->side, PAWN);
    const bool may_capture = (file > 0 && (pawns & square_bit((Square)(pushed - 1)))) ||
                             (file < 7 && (pawns & square_bit((Square)(pushed + 1))));
    return may_capture ? key ^ numbers->en_passant[file] : key;
}

/* --- moves --- */

uint16_t polyglot_write_move(Move move) {
    const unsigned promotion = move_kind(move) == PROMOTION ? move_promotion(move) : 0;
    return (uint16_t)(move_to(move) | move_from(move) << 6 | promotion << 12);
}

/* Castling as e1g1 puts it: by where the king goes. */
static uint16_t write_by_target(Move castling) {
    const Square from = move_from(castling);
    const Square to = square_make(move_to(castling) > from ? 6 : 2, square_rank(from));
    return polyglot_write_move(move_make(from, to));
}

Move polyglot_read_move(const Position *pos, uint16_t move) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        if (polyglot_write_move(moves[i]) == move) return moves[i];
    for (int i = 0; i < count; i++)
        if (move_kind(moves[i]) == CASTLING && write_by_target(moves[i]) == move) return moves[i];
    return MOVE_NONE;
}

/* --- entries --- */

static uint64_t read_number(const uint8_t *bytes, int size) {
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number = number << 8 | bytes[i];
    return number;
}

static void write_number(uint8_t *bytes, uint64_t number, int size) {
    for (int i = 0; i < size; i++) bytes[i] = (uint8_t)(number >> 8 * (size - 1 - i));
}

void polyglot_read_entry(const uint8_t bytes[POLYGLOT_ENTRY_SIZE], PolyglotEntry *entry) {
    entry->key = read_number(bytes, 8);
    entry->move = (uint16_t)read_number(bytes + 8, 2);
    entry->weight = (uint16_t)read_number(bytes + 10, 2);
    entry->learn = (uint32_t)read_number(bytes + 12, 4);
}

void polyglot_write_entry(const PolyglotEntry *entry, uint8_t bytes[POLYGLOT_ENTRY_SIZE]) {
    write_number(bytes, entry->key, 8);
    write_number(bytes + 8, entry->move, 2);
    write_number(bytes + 10, entry->weight, 2);
    write_number(bytes + 12, entry->learn, 4);
}
