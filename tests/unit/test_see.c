/* Static exchange evaluation, compared with a slow reference and with hand-made positions. */
#include "search/see.h"

#include "test_support.h"
#include "walk.h"

#include <stdlib.h>

/* --- the reference: an array board, one square at a time, values instead of thresholds --- */

static const int DIRECTIONS[8][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const int LEAPS[8][2] = {{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}};

typedef struct Board {
    Piece on[SQUARE_COUNT];
    Square king[COLOR_COUNT];
} Board;

static bool inside(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }

static Board board_of(const Position *pos) {
    Board board;
    for (int s = 0; s < SQUARE_COUNT; s++) {
        board.on[s] = position_piece_on(pos, (Square)s);
        if (piece_type(board.on[s]) == KING) board.king[piece_color(board.on[s])] = (Square)s;
    }
    return board;
}

static bool slides(Piece piece, int direction) {
    const PieceType type = piece_type(piece);
    return type == QUEEN || type == (direction < 4 ? ROOK : BISHOP);
}

/* Whether the piece on `from` attacks `to`, seen from `to`. */
static bool attacks(const Board *board, Square from, Square to) {
    const Piece piece = board->on[from];
    const int df = square_file(to) - square_file(from), dr = square_rank(to) - square_rank(from);
    switch (piece_type(piece)) {
    case PAWN: return abs(df) == 1 && dr == (piece_color(piece) == WHITE ? 1 : -1);
    case KING: return abs(df) <= 1 && abs(dr) <= 1 && from != to;
    case KNIGHT:
        for (int i = 0; i < 8; i++)
            if (LEAPS[i][0] == df && LEAPS[i][1] == dr) return true;
        return false;
    default: break;
    }
    for (int i = 0; i < 8; i++) {
        if (!slides(piece, i)) continue;
        int file = square_file(from) + DIRECTIONS[i][0], rank = square_rank(from) + DIRECTIONS[i][1];
        for (; inside(file, rank); file += DIRECTIONS[i][0], rank += DIRECTIONS[i][1]) {
            if (square_make(file, rank) == to) return true;
            if (board->on[square_make(file, rank)] != NO_PIECE) break;
        }
    }
    return false;
}

/* The slider that pins the piece, in the position before the exchange, or NO_SQUARE; its direction from the
 * king. */
static Square pinned_by(const Board *board, Square piece, int *direction) {
    const Color color = piece_color(board->on[piece]);
    for (*direction = 0; *direction < 8; ++*direction) {
        const int *step = DIRECTIONS[*direction];
        int file = square_file(board->king[color]) + step[0],
            rank = square_rank(board->king[color]) + step[1];
        bool seen = false;
        for (; inside(file, rank); file += step[0], rank += step[1]) {
            const Square square = square_make(file, rank);
            if (square == piece)
                seen = true;
            else if (board->on[square] != NO_PIECE) {
                const bool enemy = piece_color(board->on[square]) != color;
                if (seen && enemy && slides(board->on[square], *direction)) return square;
                break;
            }
        }
    }
    return NO_SQUARE;
}

static bool on_line(Square king, int direction, Square square) {
    const int file = square_file(king), rank = square_rank(king);
    for (int sign = -1; sign <= 1; sign += 2)
        for (int i = 1; i < 8; i++)
            if (inside(file + sign * i * DIRECTIONS[direction][0],
                       rank + sign * i * DIRECTIONS[direction][1]) &&
                square_make(file + sign * i * DIRECTIONS[direction][0],
                            rank + sign * i * DIRECTIONS[direction][1]) == square)
                return true;
    return false;
}

/* Whether a pin of the first position still forbids the piece to capture on `to`. */
static bool is_held(const Board *first, const Board *now, Square piece, Square to) {
    int direction;
    const Square slider = pinned_by(first, piece, &direction);
    if (slider == NO_SQUARE || slider == to ||
        on_line(first->king[piece_color(first->on[piece])], direction, to))
        return false;
    return now->on[slider] == first->on[slider];
}

/* The best gain of `side`, to move, by capturing on `to` or not; the piece there is worth `standing`. */
static int best_gain(const Board *first, Board *now, Square to, int standing, Color side) {
    Square least = NO_SQUARE;
    bool defended = false;
    for (int s = 0; s < SQUARE_COUNT; s++) {
        const Square from = (Square)s;
        if (from == to || now->on[s] == NO_PIECE || !attacks(now, from, to)) continue;
        if (piece_color(now->on[s]) != side)
            defended = true;
        else if (!is_held(first, now, from, to) &&
                 (least == NO_SQUARE || piece_type(now->on[s]) < piece_type(now->on[least])))
            least = from;
    }
    if (least == NO_SQUARE || (piece_type(now->on[least]) == KING && defended)) return 0;
    const int next = see_value(piece_type(now->on[least]));
    now->on[to] = now->on[least];
    now->on[least] = NO_PIECE;
    const int gain = standing - best_gain(first, now, to, next, color_other(side));
    return gain > 0 ? gain : 0;
}

static int exchange_value(const Position *pos, Move move) {
    if (move_kind(move) == CASTLING) return 0;
    const Square from = move_from(move), to = move_to(move);
    Board first = board_of(pos), now = first;
    int gain = see_value(piece_type(now.on[to]));
    now.on[to] = now.on[from];
    now.on[from] = NO_PIECE;
    if (move_kind(move) == EN_PASSANT) {
        now.on[square_make(square_file(to), square_rank(from))] = NO_PIECE;
        gain = see_value(PAWN);
    }
    if (move_kind(move) == PROMOTION) {
        now.on[to] = piece_make(pos->side, move_promotion(move));
        gain += see_value(move_promotion(move)) - see_value(PAWN);
    }
    return gain - best_gain(&first, &now, to, see_value(piece_type(now.on[to])), color_other(pos->side));
}

/* The value that see_at_least implies: true up to it, false above. */
static int implied_value(const Position *pos, Move move) {
    int low = -4000, high = 4000;
    while (low + 1 < high) {
        const int middle = (low + high) / 2 - ((low + high) < 0 && (low + high) % 2);
        if (see_at_least(pos, move, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void agrees_with_a_slow_reference(void **state) {
    (void)state;
    Rng rng = rng_seed(2024);
    int captures = 0, kinds[4] = {0};
    for (int game = 0; game < 60; game++) {
        Position pos = walk_start(&rng, game);
        for (int ply = 0; ply < 120; ply++) {
            Move moves[MAX_MOVES];
            const int count = movegen_legal(&pos, moves);
            for (int i = 0; i < count; i++) {
                const bool noisy = position_is_noisy(&pos, moves[i]);
                if (!noisy && (ply + i) % 4) continue;
                const int expected = exchange_value(&pos, moves[i]), found = implied_value(&pos, moves[i]);
                if (expected != found) {
                    char fen[FEN_CAPACITY];
                    fen_write(&pos, fen);
                    fail_msg("%s: move %d-%d is worth %d, not %d", fen, move_from(moves[i]),
                             move_to(moves[i]), expected, found);
                }
                captures += noisy;
                kinds[move_kind(moves[i])]++;
            }
            Undo undo;
            const Move move = walk_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            position_make_move(&pos, move, &undo);
        }
    }
    assert_true(captures > 5000);
    for (int kind = NORMAL_MOVE; kind <= CASTLING; kind++) assert_true(kinds[kind] > 0);
}

/* What a move wins and loses, in material. */
typedef struct Known {
    const char *fen, *move;
    int gain[5]; /* pawns, knights, bishops, rooks, queens */
} Known;

static const Known KNOWN[] = {
    /* Plain exchanges. */
    {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", {1}},
    {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", {1, -1}},
    {"4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", {1, 0, 0, -1}},
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", {1}},
    /* A quiet move onto a guarded square. */
    {"k7/8/3p4/8/8/8/8/K3R3 w - - 0 1", "e1e5", {0, 0, 0, -1}},
    {"4k3/8/8/2p5/8/3P4/8/4K3 w - - 0 1", "d3d4", {-1}},
    /* X-rays: the rook behind the rook, the bishop behind the pawn. */
    {"k7/4r3/8/8/4n3/8/4R3/K3R3 w - - 0 1", "e2e4", {0, 1}},
    {"k3r3/4r3/8/8/4n3/8/4R3/K3R3 w - - 0 1", "e2e4", {0, 1, 0, -1}},
    {"k7/8/5p2/4p3/3P4/2B5/8/K7 w - - 0 1", "d4e5", {1}},
    /* En passant opens the line behind the pawn that goes. */
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", {1}},
    {"3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", {0}},
    {"3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", {1}},
    /* Promotions: to a queen unhindered, taken at once, capturing. */
    {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", {-1, 0, 0, 0, 1}},
    {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n", {-1, 1}},
    {"r6k/1P6/8/8/8/8/8/K7 w - - 0 1", "b7a8q", {-1, 0, 0, 1, 1}},
    {"1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", {-1}},
    /* The king captures last, and only what is unguarded. */
    {"8/8/8/3k4/4p3/8/8/K3R3 w - - 0 1", "e1e4", {1, 0, 0, -1}},
    {"8/8/8/3k4/4p3/8/4R3/K3R3 w - - 0 1", "e2e4", {1}},
    {"8/8/8/8/3k4/4p3/3P4/K7 w - - 0 1", "d2e3", {0}},
    /* A pinned piece guards nothing outside its line ... */
    {"4k3/8/4n3/8/3p4/8/1B6/K3R3 w - - 0 1", "b2d4", {1}},
    {"4k3/8/4r3/8/4p3/8/4R3/K3R3 w - - 0 1", "e2e4", {1}},
    /* ... unless the slider that pins it is the one that moved away. */
    {"4k3/8/p1r5/1B6/8/8/8/K7 w - - 0 1", "b5a6", {1, 0, -1}},
    {"4k3/8/p1r5/1B6/8/8/8/R6K w - - 0 1", "a1a6", {1}},
    /* Castling exchanges nothing. */
    {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", {0}},
};

static void known_exchanges_have_their_value(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        const Position pos = test_position(KNOWN[i].fen);
        Move move;
        assert_ok(lan_parse(&pos, text_view(KNOWN[i].move), &move));
        int expected = 0;
        for (int type = PAWN; type < KING; type++)
            expected += KNOWN[i].gain[type] * see_value((PieceType)type);
        const int found = implied_value(&pos, move);
        if (found != expected)
            fail_msg("%s %s: %d instead of %d", KNOWN[i].fen, KNOWN[i].move, found, expected);
    }
}

/* If true at a threshold, it is true at every lower one. */
static void falls_with_the_threshold(void **state) {
    (void)state;
    Rng rng = rng_seed(7);
    for (int game = 0; game < 12; game++) {
        Position pos = walk_start(&rng, game);
        for (int ply = 0; ply < 60; ply++) {
            const Move move = walk_move(&pos, &rng);
            Undo undo;
            if (move == MOVE_NONE) break;
            bool before = true;
            for (int threshold = -3200; threshold <= 3200; threshold += 50) {
                const bool now = see_at_least(&pos, move, threshold);
                assert_true(before || !now);
                before = now;
            }
            position_make_move(&pos, move, &undo);
        }
    }
}

static void values_rise_with_the_piece(void **state) {
    (void)state;
    assert_int_equal(see_value(KING), 0);
    assert_int_equal(see_value(NO_PIECE_TYPE), 0);
    assert_true(see_value(PAWN) > 0 && see_value(KNIGHT) > see_value(PAWN));
    assert_true(see_value(ROOK) > see_value(BISHOP) && see_value(QUEEN) > see_value(ROOK));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_slow_reference),
        cmocka_unit_test(known_exchanges_have_their_value),
        cmocka_unit_test(falls_with_the_threshold),
        cmocka_unit_test(values_rise_with_the_piece),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
