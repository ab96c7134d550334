/* Compares accumulators that are updated along random lines with accumulators computed from scratch. */
#include "nnue/evaluate.h"

#include "nnue/kernels.h"
#include "nnue/network.h"
#include "test_support.h"
#include "walk.h"

#include <stdalign.h>
#include <stdlib.h>

enum { DEPTH = 100 };

static Network *random_network(int width, int buckets) {
    Status status;
    Network *network = network_create_random(42, (NetworkShape){width, buckets, 1, 0}, &status);
    if (network == NULL) fail_msg("%s", status.reason);
    return network;
}

/* A random network with king buckets. */
static Network *network_with_king_buckets(int width, int king_buckets) {
    const int features = king_buckets * INPUT_COUNT * width;
    int16_t *numbers = calloc((size_t)(features + 3 * width), sizeof *numbers);
    uint8_t bucket[KING_PLACES];
    const int32_t no_bias[1] = {0};
    Rng rng = rng_seed(7);
    Status status;
    for (int i = 0; i < features; i++) numbers[i] = (int16_t)((int)rng_below(&rng, 61) - 30);
    for (int i = 0; i < KING_PLACES; i++) bucket[i] = (uint8_t)(i % king_buckets);
    const NetworkWeights weights = {.width = width,
                                    .buckets = 1,
                                    .feature = numbers,
                                    .feature_bias = numbers + features,
                                    .output = numbers + features + width,
                                    .output_bias = no_bias,
                                    .king_buckets = king_buckets,
                                    .king_bucket = bucket};
    Network *network = network_create(&weights, "kings", &status);
    if (network == NULL) fail_msg("%s", status.reason);
    free(numbers);
    return network;
}

/* Computes an accumulator by its definition, without kernels. */
static int unit_by_definition(const Network *network, const Position *pos, Color perspective, int unit) {
    const NetworkWeights *weights = network_weights(network);
    const Square king = position_king(pos, perspective);
    const unsigned flip = input_flip(perspective, king);
    const int place = (int)(king ^ flip) / 8 * 4 + (int)(king ^ flip) % 8;
    const int16_t *feature = weights->feature + weights->king_bucket[place] * 768 * weights->width;
    int sum = weights->feature_bias[unit];
    for (int square = A1; square <= H8; square++) {
        Piece piece = position_piece_on(pos, (Square)square);
        if (piece == NO_PIECE) continue;
        sum += feature[input_index(perspective, flip, piece, (Square)square) * weights->width + unit];
    }
    return sum;
}

static void assert_exact(Evaluator *evaluator, const Network *network, const Position *pos,
                         Color perspective) {
    alignas(KERNEL_ALIGNMENT) int16_t fresh[WIDTH_MAX];
    const int16_t *units = evaluator_units(evaluator, pos, perspective);
    evaluator_compute_units(network, pos, perspective, fresh);
    assert_memory_equal(fresh, units, (size_t)network_weights(network)->width * sizeof *units);
    for (int unit = 0; unit < network_width(network); unit += 13)
        assert_int_equal(unit_by_definition(network, pos, perspective, unit), units[unit]);
}

typedef struct Walk {
    Evaluator *evaluator;
    const Network *network;
    Rng rng;
    int budget;
} Walk;

/* Walks a random tree with null moves. Each view is requested at some nodes only, so updates over all
 * distances occur. */
static void walk_tree(Walk *walk, Position *pos, int ply) {
    Rng *rng = &walk->rng;
    if (rng_below(rng, 3) != 0) assert_exact(walk->evaluator, walk->network, pos, (Color)rng_below(rng, 2));
    if (rng_below(rng, 4) == 0) assert_exact(walk->evaluator, walk->network, pos, WHITE);
    for (int child = 0; child < 2 && ply < DEPTH && walk->budget > 0; child++, walk->budget--) {
        Undo undo;
        if (rng_below(rng, 8) == 0 && !position_in_check(pos)) {
            position_make_null(pos, &undo);
            evaluator_push(walk->evaluator, &undo.changes);
            walk_tree(walk, pos, ply + 1);
            evaluator_pop(walk->evaluator);
            position_unmake_null(pos, &undo);
            continue;
        }
        Move move = walk_move(pos, rng);
        if (move == MOVE_NONE) return;
        position_make_move(pos, move, &undo);
        evaluator_push(walk->evaluator, &undo.changes);
        walk_tree(walk, pos, ply + 1);
        evaluator_pop(walk->evaluator);
        position_unmake_move(pos, move, &undo);
    }
}

static void follow_games(Network *network, int games) {
    Evaluator *evaluator = evaluator_create(network);
    assert_non_null(evaluator);
    Walk walk = {evaluator, network, rng_seed((uint64_t)network_width(network)), 0};
    for (int game = 0; game < games; game++) {
        Position pos = walk_start(&walk.rng, game);
        evaluator_reset(evaluator, &pos);
        walk.budget = 600;
        walk_tree(&walk, &pos, 0);
        assert_exact(evaluator, network, &pos, BLACK); /* the root is unchanged */
        if (game % 5 != 0) continue;
        evaluator_destroy(evaluator); /* and its cache */
        walk.evaluator = evaluator = evaluator_create(network);
    }
    evaluator_destroy(evaluator);
    network_destroy(network);
}

static void test_follows_games_in_every_width(void **state) {
    (void)state;
    static const int WIDTHS[] = {1, 8, 32, 48, 64, 128, 256, 300, 512, 600, 768, 769, 1024};
    for (size_t i = 0; i < sizeof WIDTHS / sizeof *WIDTHS; i++)
        follow_games(random_network(WIDTHS[i], i % 2 == 0 ? 8 : 1), 12);
}

static void test_follows_games_with_king_buckets(void **state) {
    (void)state;
    for (int count = 2; count <= KING_BUCKETS_MAX; count += 3)
        follow_games(network_with_king_buckets(40, count), 20);
}

/* A long line, evaluated only at its end: one long update through several refreshes. */
static void test_long_lazy_line(void **state) {
    (void)state;
    Network *network = random_network(64, 1);
    Evaluator *evaluator = evaluator_create(network);
    Rng rng = rng_seed(3);
    for (int game = 0; game < 30; game++) {
        Position pos = walk_start(&rng, game);
        evaluator_reset(evaluator, &pos);
        for (int ply = 0; ply < DEPTH; ply++) {
            Move move = walk_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            Undo undo;
            position_make_move(&pos, move, &undo);
            evaluator_push(evaluator, &undo.changes);
        }
        assert_exact(evaluator, network, &pos, WHITE);
        assert_exact(evaluator, network, &pos, BLACK);
    }
    evaluator_destroy(evaluator);
    network_destroy(network);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_games_in_every_width),
        cmocka_unit_test(test_follows_games_with_king_buckets),
        cmocka_unit_test(test_long_lazy_line),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
