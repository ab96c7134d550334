/* The evaluation as the search uses it: independent of the moves played, symmetric in colours and wings, and
 * within its bounds. */
#include "nnue/evaluate.h"

#include "nnue/network.h"
#include "test_support.h"
#include "walk.h"

static Network *shaped_network(NetworkShape shape) {
    Status status;
    Network *network = network_create_random(11, shape, &status);
    if (network == NULL) fail_msg("%s", status.reason);
    return network;
}

static Network *random_network(int width, int buckets) {
    return shaped_network((NetworkShape){width, buckets, 1, 0});
}

static int fresh_value(const Network *network, const Position *pos) {
    Evaluator *evaluator = evaluator_create(network);
    assert_non_null(evaluator);
    evaluator_reset(evaluator, pos);
    const int value = evaluator_value(evaluator, pos);
    evaluator_destroy(evaluator);
    return value;
}

/* The position with colours swapped (and ranks with them), or with files mirrored. */
static Position transformed(const Position *pos, bool swap_colors) {
    Position result;
    position_clear(&result);
    for (int square = A1; square <= H8; square++) {
        const Piece piece = position_piece_on(pos, (Square)square);
        if (piece == NO_PIECE) continue;
        if (swap_colors) {
            const Piece swapped = piece_make(color_other(piece_color(piece)), piece_type(piece));
            position_put(&result, swapped, square_mirror_rank((Square)square));
        } else {
            position_put(&result, piece,
                         square_make(7 - square_file((Square)square), square_rank((Square)square)));
        }
    }
    result.side = swap_colors ? color_other(pos->side) : pos->side;
    position_finish(&result);
    return result;
}

static void test_same_by_every_path_and_view(void **state) {
    (void)state;
    static const NetworkShape SHAPES[] = {{8, 1, 1, 0},
                                          {32, 8, 1, 0},
                                          {256, 8, 1, 0},
                                          {512, 1, 1, 0},
                                          {128, 8, 4, LAYER_COUNT},
                                          {768, 1, 1, LAYER_COUNT}};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        Network *network = shaped_network(SHAPES[i]);
        Evaluator *evaluator = evaluator_create(network);
        Rng rng = rng_seed(i);
        int different = 0, last = 0;
        for (int game = 0; game < 12; game++) {
            Position pos = walk_start(&rng, game);
            evaluator_reset(evaluator, &pos);
            for (int ply = 0; ply < 120; ply++) {
                const Move move = walk_move(&pos, &rng);
                if (move == MOVE_NONE) break;
                Undo undo;
                position_make_move(&pos, move, &undo);
                evaluator_push(evaluator, &undo.changes);
                if (rng_below(&rng, 3) == 0) continue;
                const int value = evaluator_value(evaluator, &pos);
                assert_int_equal(value, fresh_value(network, &pos));
                Position swapped = transformed(&pos, true), mirrored = transformed(&pos, false);
                assert_int_equal(value, fresh_value(network, &swapped));
                assert_int_equal(value, fresh_value(network, &mirrored));
                assert_in_range(value + VALUE_MAX, 0, 2 * VALUE_MAX);
                different += value != last;
                last = value;
            }
        }
        assert_true(different > 300);
        evaluator_destroy(evaluator);
        network_destroy(network);
    }
}

/* A null move only changes the side to move and the order of the halves. */
static void test_null_move(void **state) {
    (void)state;
    Network *network = random_network(64, 8);
    Evaluator *evaluator = evaluator_create(network);
    Rng rng = rng_seed(9);
    Position pos = walk_start(&rng, 2);
    evaluator_reset(evaluator, &pos);
    const int before = evaluator_value(evaluator, &pos);
    Undo undo;
    position_make_null(&pos, &undo);
    evaluator_push(evaluator, &undo.changes);
    assert_int_equal(fresh_value(network, &pos), evaluator_value(evaluator, &pos));
    position_unmake_null(&pos, &undo);
    evaluator_pop(evaluator);
    assert_int_equal(before, evaluator_value(evaluator, &pos));
    evaluator_destroy(evaluator);
    network_destroy(network);
}

/* A line of the promised maximal length. */
static void test_deepest_line(void **state) {
    (void)state;
    static const char *const MOVES[4] = {"a2b2", "h8g8", "b2a2", "g8h8"};
    Network *network = random_network(32, 1);
    Evaluator *evaluator = evaluator_create(network);
    Position pos;
    Status status = fen_parse(&pos, text_view("7k/8/8/8/8/8/R7/K7 w - - 0 1"), false);
    assert_string_equal("", status.reason);
    evaluator_reset(evaluator, &pos);
    for (int ply = 0; ply < EVALUATOR_DEPTH; ply++) {
        const char *text = MOVES[ply % 4];
        const Move move =
            move_make(square_make(text[0] - 'a', text[1] - '1'), square_make(text[2] - 'a', text[3] - '1'));
        Undo undo;
        position_make_move(&pos, move, &undo);
        evaluator_push(evaluator, &undo.changes);
    }
    assert_int_equal(fresh_value(network, &pos), evaluator_value(evaluator, &pos));
    evaluator_destroy(evaluator);
    network_destroy(network);
}

/* The parts that `eval` shows are those of the evaluation. */
static void check_inspection(NetworkShape shape) {
    Network *network = shaped_network(shape);
    Evaluator *evaluator = evaluator_create(network);
    Rng rng = rng_seed(12);
    Position pos = walk_start(&rng, 0);
    Inspection inspection = evaluator_inspect(evaluator, &pos);
    assert_int_equal(fresh_value(network, &pos), inspection.value);
    assert_int_equal(8, inspection.buckets);
    assert_int_equal(7, inspection.used);
    assert_int_equal(inspection.value, inspection.bucket_values[7]);
    assert_false(inspection.has_worth[E1]);
    assert_false(inspection.has_worth[E4]);
    assert_true(inspection.has_worth[D8]);
    Status status =
        fen_parse(&pos, text_view("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), false);
    assert_string_equal("", status.reason);
    assert_int_equal(inspection.value - fresh_value(network, &pos), inspection.worth[D8]);
    evaluator_destroy(evaluator);
    network_destroy(network);
}

static void test_inspection(void **state) {
    (void)state;
    check_inspection((NetworkShape){64, 8, 1, 0});
    check_inspection((NetworkShape){128, 8, 1, LAYER_COUNT});
}

/* Without a network of one's own the embedded one judges. */
static void test_default(void **state) {
    (void)state;
    Position pos;
    Status status = fen_parse(&pos, text_view("4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1"), false);
    assert_string_equal("", status.reason);
    assert_in_range(fresh_value(NULL, &pos), 1, VALUE_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_by_every_path_and_view),
        cmocka_unit_test(test_null_move),
        cmocka_unit_test(test_deepest_line),
        cmocka_unit_test(test_inspection),
        cmocka_unit_test(test_default),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
