#include "lab/data/seeded.h"

#include "base/rng.h"
#include "chess/movegen.h"

enum { CHESS960_ARRAYS = 960 };

/* The streams of the key; from PLIES on, two for each ply. */
enum { FEW_PIECES, CHESS960, LONGER, ARRAYS, PIECES, PLIES = 16 };

static Rng stream(uint64_t key, uint64_t of) { return rng_stream(key, of); }

static double chance(uint64_t key, uint64_t of) {
    Rng rng = stream(key, of);
    return rng_unit(&rng);
}

uint64_t seeded_key(uint64_t seed, uint64_t number, uint32_t attempt) {
    Rng game = rng_stream(seed, number), key = rng_stream(rng_next(&game), attempt);
    return rng_next(&key);
}

double seeded_few_pieces_chance(uint64_t key) { return chance(key, FEW_PIECES); }
double seeded_chess960_chance(uint64_t key) { return chance(key, CHESS960); }
bool seeded_is_longer(uint64_t key) { return chance(key, LONGER) < 0.5; }

void seeded_chess960(uint64_t key, int *white, int *black) {
    Rng rng = stream(key, ARRAYS);
    *white = (int)rng_below(&rng, CHESS960_ARRAYS);
    *black = (int)rng_below(&rng, CHESS960_ARRAYS);
}

/* Both kings and four to eight more, half of them pawns; the sides take turns, so that many are level. */
static void place_few_pieces(Rng *rng, Position *pos) {
    static const PieceType TYPES[] = {PAWN, PAWN, PAWN, PAWN, PAWN, KNIGHT, BISHOP, ROOK, ROOK, QUEEN};
    const int others = 4 + (int)rng_below(rng, 5), first = (int)rng_below(rng, 2);
    position_clear(pos);
    for (int i = 0; i < 2 + others;) {
        const PieceType type = i < 2 ? KING : TYPES[rng_below(rng, sizeof TYPES / sizeof *TYPES)];
        const Square square = (Square)rng_below(rng, SQUARE_COUNT);
        const bool end_rank = square_rank(square) == 0 || square_rank(square) == 7;
        if (pos->board[square] != NO_PIECE || (type == PAWN && end_rank)) continue;
        position_put(pos, piece_make((Color)((first + i) % 2), type), square);
        i++;
    }
    pos->side = (Color)rng_below(rng, 2);
}

/* Not by reading the FEN: what that refuses may change. */
static bool can_take_king(const Position *pos) {
    const Square king = position_king(pos, color_other(pos->side));
    return (position_attackers(pos, king, position_occupied(pos)) & pos->by_color[pos->side]) != 0;
}

void seeded_few_pieces(uint64_t key, char fen[FEN_CAPACITY]) {
    Rng rng = stream(key, PIECES);
    Position pos;
    do place_few_pieces(&rng, &pos);
    while (can_take_king(&pos));
    (void)fen_write(&pos, fen);
}

static uint64_t of_ply(int ply) { return PLIES + 2 * (uint64_t)ply; }

double seeded_random_move_chance(uint64_t key, int ply) { return chance(key, of_ply(ply) + 1); }

/* By the usual values, what the opponent gets for the piece that moved if the cheapest attacker takes it and
 * is taken by a defender, is no more than what the move takes. Pins do not count. */
static bool is_safe(const Position *pos, Move move) {
    static const int VALUE[PIECE_TYPE_COUNT + 1] = {1, 3, 3, 5, 9, 100, 0};
    if (move_kind(move) == CASTLING) return true;
    const Square from = move_from(move), to = move_to(move);
    const PieceType own =
        move_kind(move) == PROMOTION ? move_promotion(move) : piece_type(position_piece_on(pos, from));
    const Piece captured = position_captured_by(pos, move);
    const int gain = captured == NO_PIECE ? 0 : VALUE[piece_type(captured)];
    const Bitboard around =
        position_attackers(pos, to, position_occupied(pos) & ~square_bit(from)) & ~square_bit(from);
    const Bitboard ours = around & pos->by_color[pos->side], theirs = around & ~ours & ~square_bit(to);
    PieceType least = PAWN;
    while (least < KING && (theirs & pos->by_type[least]) == 0) least++;
    if (theirs == 0) return true;
    return gain + (ours != 0 ? VALUE[least] : 0) >= VALUE[own];
}

Move seeded_move(uint64_t key, int ply, const Position *pos, const Move *legal, int count) {
    Rng rng = stream(key, of_ply(ply));
    Move safe[MAX_MOVES];
    int safe_count = 0;
    for (int i = 0; i < count; i++)
        if (is_safe(pos, legal[i])) safe[safe_count++] = legal[i];
    return safe_count > 0 ? safe[rng_below(&rng, (uint64_t)safe_count)]
                          : legal[rng_below(&rng, (uint64_t)count)];
}

void seeded_sort_moves(Move *moves, int count) {
    for (int i = 1; i < count; i++) {
        const Move move = moves[i];
        int k = i;
        for (; k > 0 && moves[k - 1] > move; k--) moves[k] = moves[k - 1];
        moves[k] = move;
    }
}
