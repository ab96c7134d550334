/* Changing the network of a running engine. */
#include "engine/engine.h"
#include "nnue/network.h"
#include "test_support.h"

#include <stdio.h>
#include <unistd.h>

static Status set_network(Engine *engine, const char *value) {
    return engine_set_option(engine, text_view("EvalFile"), text_view(value));
}

static int value_of(const Engine *engine) {
    Inspection inspection = {0};
    assert_ok(engine_evaluate(engine, &inspection));
    return inspection.value;
}

typedef struct Written {
    char path[64];
    uint64_t hash;
} Written;

static Written write_network(uint64_t seed, int width) {
    Written written;
    Status status;
    Network *network = network_create_random(seed, (NetworkShape){width, 8, 1, 0}, &status);
    assert_ok(status);
    written.hash = network_hash(network);
    text_format(written.path, sizeof written.path, "/tmp/luft-test-evalfile-%ld-%d.nnue", (long)getpid(),
                width);
    assert_ok(network_save(network, written.path));
    network_destroy(network);
    return written;
}

static void test_networks_come_and_go(void **state) {
    (void)state;
    Status status;
    Engine *engine = engine_create(NULL, &status);
    assert_ok(status);
    Written small = write_network(5, 16), large = write_network(6, 256);
    const int standard = value_of(engine);
    const bool had_one = engine_network(engine) != NULL;

    assert_ok(set_network(engine, small.path));
    assert_true(network_hash(engine_network(engine)) == small.hash);
    const int other = value_of(engine);
    assert_int_not_equal(standard, other);
    assert_ok(set_network(engine, large.path));
    assert_true(network_hash(engine_network(engine)) == large.hash);
    assert_ok(set_network(engine, small.path));
    assert_int_equal(other, value_of(engine));

    remove(large.path);
    static const char *const NO_FILES[] = {"-", "/dev/zero", "/dev/null", "/tmp"};
    for (size_t i = 0; i <= sizeof NO_FILES / sizeof *NO_FILES; i++) {
        status = set_network(engine, i == 0 ? large.path : NO_FILES[i - 1]);
        assert_false(status_is_ok(&status));
        assert_true(network_hash(engine_network(engine)) == small.hash);
    }

    assert_ok(set_network(engine, EVAL_FILE_EMBEDDED));
    assert_int_equal(standard, value_of(engine));
    assert_int_equal(had_one, engine_network(engine) != NULL);
    assert_ok(set_network(engine, ""));
    assert_int_equal(standard, value_of(engine));
    remove(small.path);
    engine_destroy(engine);
}

static void count_nodes(void *context, const SearchInfo *info) { *(uint64_t *)context = info->nodes; }

static uint64_t search(Engine *engine, const uint64_t *nodes) {
    engine_go(engine, &(SearchLimits){.depth = 5});
    engine_wait(engine);
    return *nodes;
}

/* The search uses the new network immediately, and no results of the old one. */
static void test_search_follows(void **state) {
    (void)state;
    Status status;
    uint64_t nodes = 0;
    Engine *engine = engine_create(&(SearchListener){.context = &nodes, .info = count_nodes}, &status);
    assert_ok(status);
    Written written = write_network(7, 32);
    const uint64_t standard = search(engine, &nodes);
    assert_ok(set_network(engine, written.path));
    const uint64_t other = search(engine, &nodes);
    assert_true(standard != other);
    assert_ok(set_network(engine, EVAL_FILE_EMBEDDED));
    assert_true(standard == search(engine, &nodes));
    assert_ok(set_network(engine, written.path));
    assert_true(other == search(engine, &nodes));
    remove(written.path);
    engine_destroy(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_networks_come_and_go),
        cmocka_unit_test(test_search_follows),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
