/* Checks consistency at every node: below all positions of tests/perft/perft.txt, and in random games from
 * them. */
#include "chess/perft.h"

#include "base/file.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES_OF_A_POSITION = 300, GAMES = 2, PLIES = 60 };

#define CHECK(condition) check(pos, (condition), #condition, __LINE__)

static void check(const Position *pos, bool condition, const char *text, int line) {
    if (condition) return;
    char fen[FEN_CAPACITY];
    fen_write(pos, fen);
    fail_msg("line %d: %s does not hold at %s", line, text, fen);
}

static void check_fen_round_trip(const Position *pos) {
    char fen[FEN_CAPACITY];
    Position again;
    CHECK(fen_write(pos, fen) < FEN_CAPACITY);
    assert_ok(fen_parse(&again, text_view(fen), pos->chess960));
    CHECK(position_equals(&again, pos));
}

static bool contains(const Move *moves, int count, Move move) {
    for (int i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

/* Noisy and quiet moves together are the legal moves; counts agree; random moves are judged consistently. */
static void check_generators(const Position *pos, const Move *moves, int count, Rng *rng) {
    Move parts[2 * MAX_MOVES];
    const int noisy = movegen_noisy(pos, parts);
    const int total = noisy + movegen_quiet(pos, position_threats(pos), parts + noisy);
    CHECK(total == count);
    for (int i = 0; i < total; i++) {
        CHECK(contains(moves, count, parts[i]));
        CHECK(position_is_noisy(pos, parts[i]) == (i < noisy));
    }
    CHECK(movegen_count(pos) == count);
    CHECK(movegen_has_legal(pos) == (count > 0));
    for (int i = 0; i < count; i++) {
        CHECK(movegen_is_legal(pos, moves[i]));
        CHECK(!contains(moves, i, moves[i]));
        const Move near =
            (Move)(moves[i] ^ (1u << rng_below(rng, 16))); /* differs from a legal move in one bit */
        CHECK(movegen_is_legal(pos, near) == contains(moves, count, near));
    }
    for (int i = 0; i < 40; i++) {
        const Move any = (Move)rng_next(rng);
        CHECK(movegen_is_legal(pos, any) == contains(moves, count, any));
    }
}

static void check_notation(const Position *pos, Move move) {
    char san[SAN_CAPACITY], lan[LAN_CAPACITY];
    Move read;
    CHECK(san_write(pos, move, san) < SAN_CAPACITY);
    assert_ok(san_parse(pos, text_view(san), &read));
    CHECK(read == move);
    CHECK(lan_write(pos, move, lan) < LAN_CAPACITY);
    assert_ok(lan_parse(pos, text_view(lan), &read));
    CHECK(read == move);
}

/* The record of changes, applied to the old board, gives the new one. The evaluator relies on it. */
static void check_changes(const Position *pos, const Position *before, const Changes *changes) {
    uint8_t board[SQUARE_COUNT];
    memcpy(board, before->board, sizeof board);
    for (int i = 0; i < changes->count; i++) {
        const PieceChange *change = &changes->change[i];
        if (change->from != NO_SQUARE) CHECK(before->board[change->from] == change->piece);
        if (change->from != NO_SQUARE) board[change->from] = NO_PIECE;
    }
    for (int i = 0; i < changes->count; i++)
        if (changes->change[i].to != NO_SQUARE) board[changes->change[i].to] = changes->change[i].piece;
    CHECK(memcmp(board, pos->board, sizeof board) == 0);
}

static void check_move(Position *pos, Move move) {
    const Position before = *pos;
    const bool checks = position_gives_check(pos, move);
    const CheckSquares squares = position_check_squares(pos);
    const Piece captured = position_captured_by(pos, move);
    Undo undo;
    check_notation(pos, move);
    position_make_move(pos, move, &undo);
    CHECK(position_is_consistent(pos));
    check_changes(pos, &before, &undo.changes);
    CHECK(position_in_check(pos) == checks);
    CHECK(position_move_checks(&before, &squares, move) == checks);
    CHECK(pos->state.captured == captured);
    CHECK(bits_count(position_occupied(pos)) ==
          bits_count(position_occupied(&before)) - (captured != NO_PIECE));
    position_unmake_move(pos, move, &undo);
    CHECK(position_equals(pos, &before));
    CHECK(pos->game_ply == before.game_ply && pos->state.plies_from_null == before.state.plies_from_null);
    CHECK(pos->state.captured == before.state.captured);
    CHECK(memcmp(pos->castling_kept, before.castling_kept, sizeof pos->castling_kept) == 0);
}

static void check_null_move(Position *pos) {
    if (position_in_check(pos)) return;
    const Position before = *pos;
    Undo undo;
    position_make_null(pos, &undo);
    CHECK(position_is_consistent(pos));
    position_unmake_null(pos, &undo);
    CHECK(position_equals(pos, &before));
}

static void check_node(Position *pos, Rng *rng) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    CHECK(position_is_consistent(pos));
    check_fen_round_trip(pos);
    check_generators(pos, moves, count, rng);
    check_null_move(pos);
    for (int i = 0; i < count; i++) check_move(pos, moves[i]);
}

/* A perft that checks each node, as deep as `budget` nodes allow. */
static void check_tree(Position *pos, int depth, int *budget, Rng *rng) {
    if ((*budget)-- <= 0) return;
    check_node(pos, rng);
    if (depth == 0) return;
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        check_tree(pos, depth - 1, budget, rng);
        position_unmake_move(pos, moves[i], &undo);
    }
}

/* Plays a random game, checks every position, then unmakes all moves. */
static void check_game(const Position *start, Rng *rng) {
    Position copy = *start, *pos = &copy;
    Move moves[PLIES];
    Undo undo[PLIES];
    int plies = 0;
    while (plies < PLIES && (moves[plies] = test_random_move(pos, rng)) != MOVE_NONE) {
        check_node(pos, rng);
        position_make_move(pos, moves[plies], &undo[plies]);
        plies++;
    }
    while (plies-- > 0) position_unmake_move(pos, moves[plies], &undo[plies]);
    CHECK(position_equals(pos, start));
}

typedef void Visit(const Position *pos, Rng *rng);

/* Calls `visit` for each position of perft.txt; there must be many. */
static void visit_positions(Visit *visit) {
    TextBuffer content = {0};
    const char *path = getenv("LUFT_PERFT_FILE");
    Rng rng = rng_seed(20);
    int count = 0;
    assert_ok(file_read(path != NULL ? path : "tests/perft/perft.txt", &content));
    TextView rest = buffer_view(&content), line;
    while (text_next_line(&rest, &line)) {
        const char *bar = memchr(line.data, '|', line.length);
        if (bar == NULL || line.data[0] == '#') continue;
        const size_t skipped = (size_t)(bar - line.data) + 1;
        const char *end = memchr(bar + 1, '|', line.length - skipped);
        assert_non_null(end);
        Position pos;
        assert_ok(fen_parse(&pos, text_trim((TextView){bar + 1, (size_t)(end - bar) - 1}),
                            text_starts_with(line, "chess960")));
        visit(&pos, &rng);
        count++;
    }
    buffer_release(&content);
    assert_true(count >= 100);
}

static void visit_tree(const Position *start, Rng *rng) {
    Position pos = *start;
    int budget = NODES_OF_A_POSITION;
    check_tree(&pos, 3, &budget, rng);
}

static void visit_games(const Position *start, Rng *rng) {
    for (int i = 0; i < GAMES; i++) check_game(start, rng);
}

static void test_every_node_of_perft(void **state) {
    (void)state;
    visit_positions(visit_tree);
}

static void test_every_position_of_random_games(void **state) {
    (void)state;
    visit_positions(visit_games);
}

/* Start positions with different Chess960 arrays for the sides, which castle in every possible way. */
static void test_chess960_arrays(void **state) {
    (void)state;
    Rng rng = rng_seed(21);
    for (int i = 0; i < 60; i++) {
        char fen[FEN_CAPACITY];
        Position pos;
        fen_chess960_start((int)rng_below(&rng, 960), (int)rng_below(&rng, 960), fen);
        assert_ok(fen_parse(&pos, text_view(fen), true));
        check_game(&pos, &rng);
    }
}

typedef struct Divided {
    int moves;
    uint64_t leaves;
} Divided;

static void add_share(void *context, Move move, uint64_t leaves) {
    Divided *divided = context;
    assert_int_not_equal(move, MOVE_NONE);
    divided->moves++;
    divided->leaves += leaves;
}

static void test_divide_adds_up(void **state) {
    (void)state;
    Position pos = test_position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    Divided divided = {0};
    uint64_t leaves;
    assert_true(perft_divide(&pos, 3, add_share, NULL, &divided, &leaves));
    assert_int_equal(leaves, 97862);
    assert_int_equal(divided.leaves, 97862);
    assert_int_equal(divided.moves, 48);
    assert_int_equal(perft_count(&pos, 3), 97862);
}

static bool say_no(void *context) {
    ++*(int *)context;
    return false;
}

static void test_divide_stops_on_request(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    uint64_t leaves;
    int questions = 0;
    assert_false(perft_divide(&pos, 6, NULL, say_no, &questions, &leaves));
    assert_int_equal(questions, 1);
    assert_true(position_is_consistent(&pos));
}

static void test_depth_zero_is_one(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    assert_int_equal(perft_count(&pos, 0), 1);
    assert_int_equal(perft_count(&pos, 1), 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_node_of_perft),     cmocka_unit_test(test_every_position_of_random_games),
        cmocka_unit_test(test_chess960_arrays),         cmocka_unit_test(test_divide_adds_up),
        cmocka_unit_test(test_divide_stops_on_request), cmocka_unit_test(test_depth_zero_is_one),
    };
    return cmocka_run_group_tests_name("perft", tests, test_set_up_chess, NULL);
}
