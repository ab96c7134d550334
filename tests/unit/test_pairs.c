/* Sorted pairs of hidden units: equal values from fewer products. */
#include "lab/train/pairs.h"

#include "base/memory.h"
#include "nnue/evaluate.h"
#include "test_support.h"

#include <stdalign.h>

enum { POSITIONS = 300, WIDTH = 128, PAIRS = WIDTH / 2 };

static const NetworkShape SHAPE = {.width = WIDTH, .buckets = 8, .king_buckets = 4, .layers = LAYER_COUNT};
static TrainingPosition positions[POSITIONS];

static int set_up(void **state) {
    test_set_up_chess(state);
    Rng rng = rng_seed(4);
    Position pos = test_position(FEN_START);
    for (int i = 0; i < POSITIONS; i++) {
        const Move move = test_random_move(&pos, &rng);
        Undo undo;
        if (move == MOVE_NONE || i % 100 == 99)
            pos = test_position(FEN_START);
        else
            position_make_move(&pos, move, &undo);
        loader_pack(&pos, 0, DRAWN, &positions[i]);
    }
    return 0;
}

static double share_of(const Network *network) {
    double share = -1;
    assert_ok(pairs_share(network, positions, POSITIONS, &share));
    return share;
}

static Network *sorted(const Network *network) {
    Status status;
    Network *result = pairs_sort(network, positions, POSITIONS, &status);
    assert_ok(status);
    return result;
}

static void assert_same_values(const Network *one, const Network *other) {
    Evaluator *first = evaluator_create(one), *second = evaluator_create(other);
    for (int i = 0; i < POSITIONS; i++) {
        Position pos;
        loader_unpack(&positions[i], &pos);
        evaluator_reset(first, &pos);
        evaluator_reset(second, &pos);
        assert_int_equal(evaluator_value(first, &pos), evaluator_value(second, &pos));
    }
    evaluator_destroy(first);
    evaluator_destroy(second);
}

static void values_stay_and_fewer_products_are_needed(void **state) {
    (void)state;
    Status status;
    Network *network = network_create_random(3, SHAPE, &status);
    assert_ok(status);
    Network *once = sorted(network), *twice = sorted(once);
    assert_same_values(network, once);
    assert_true(share_of(once) < share_of(network));
    assert_true(share_of(twice) <= share_of(once));
    assert_string_equal(network_name(network), network_name(once));
    assert_true(network_hash(network) != network_hash(once));
    network_destroy(twice);
    network_destroy(once);
    network_destroy(network);
}

/* Every second pair is always active, the others never. Before sorting, all groups of four are multiplied;
 * after it, half of them. */
static void pairs_that_are_active_together_become_neighbours(void **state) {
    (void)state;
    Status status;
    Network *random = network_create_random(3, SHAPE, &status);
    assert_ok(status);
    NetworkWeights weights = *network_weights(random);
    const size_t features = (size_t)SHAPE.king_buckets * INPUT_COUNT * WIDTH;
    int16_t *feature = memory_allocate(features * sizeof *feature), bias[WIDTH];
    memset(feature, 0, features * sizeof *feature);
    for (int i = 0; i < WIDTH; i++) bias[i] = i % PAIRS % 2 ? HIDDEN_ONE : 0;
    weights.feature = feature;
    weights.feature_bias = bias;
    Network *network = network_create(&weights, "alternating", &status);
    assert_ok(status);
    Network *result = sorted(network);
    assert_true(share_of(network) == 1);
    assert_true(share_of(result) == 0.5);
    assert_same_values(network, result);
    network_destroy(result);
    network_destroy(network);
    memory_release(feature);
    network_destroy(random);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stay_and_fewer_products_are_needed),
        cmocka_unit_test(pairs_that_are_active_together_become_neighbours),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
