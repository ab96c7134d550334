/* Endings against a king alone: which they are, which way the value points, and that it leads to the mate. */
#include "search/lone_king.h"

#include "chess/makemove.h"
#include "chess/movegen.h"
#include "search_support.h"
#include "test_support.h"

static int value_of(const char *fen) {
    const Position pos = test_position(fen);
    return lone_king_value(&pos);
}

static void only_what_mates_counts(void **state) {
    (void)state;
    static const char *const NOTHING[] = {
        FEN_START,
        "8/8/8/4k3/8/8/8/K7 w - - 0 1",
        "8/8/8/4k3/8/8/8/KB6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KNN5 w - - 0 1",
        "8/8/8/4k3/8/8/8/KB1B4 w - - 0 1", /* of one colour */
        "8/8/8/4k3/8/8/7P/KBN5 w - - 0 1",
        "8/8/4kn2/8/8/8/8/KR6 w - - 0 1",
        "7k/8/8/8/8/8/8/KQQQQ3 w - - 0 1", /* neither side needs help */
    };
    static const char *const WON[] = {"8/8/5k2/8/8/8/8/KR6 w - - 0 1",  "8/8/5k2/8/8/8/8/KQ6 w - - 0 1",
                                      "8/8/5k2/8/8/8/8/KBB5 w - - 0 1", "8/8/5k2/8/8/8/8/KBN5 w - - 0 1",
                                      "8/8/5k2/8/8/8/8/KQN5 w - - 0 1", "8/8/5K2/8/8/8/8/kr6 b - - 0 1"};
    for (size_t i = 0; i < sizeof NOTHING / sizeof *NOTHING; i++)
        if (value_of(NOTHING[i]) != 0) fail_msg("%s", NOTHING[i]);
    for (size_t i = 0; i < sizeof WON / sizeof *WON; i++)
        if (value_of(WON[i]) < LONE_KING_WON) fail_msg("%s", WON[i]);
    assert_int_equal(value_of("8/8/5k2/8/8/8/8/KBN5 b - - 0 1"), -value_of("8/8/5k2/8/8/8/8/KBN5 w - - 0 1"));
    assert_int_equal(value_of("kbn5/8/8/8/8/5K2/8/8 b - - 0 1"), value_of("8/8/5k2/8/8/8/8/KBN5 w - - 0 1"));
}

static void the_way_leads_to_the_edge_and_into_the_right_corner(void **state) {
    (void)state;
    assert_true(value_of("8/8/8/7k/8/8/8/1R5K w - - 0 1") > value_of("8/8/8/6k1/8/8/8/1R5K w - - 0 1"));
    assert_true(value_of("7k/8/8/8/8/8/8/KR6 w - - 0 1") > value_of("5k2/8/8/8/8/8/8/KR6 w - - 0 1"));
    assert_true(value_of("7k/8/5K2/8/8/8/8/1R6 w - - 0 1") > value_of("7k/8/8/4K3/8/8/8/1R6 w - - 0 1"));
    /* the bishop of b1 is light: a8 and h1, not h8 */
    assert_true(value_of("k7/8/2K5/8/8/8/8/1BN5 w - - 0 1") > value_of("7k/8/5K2/8/8/8/8/1BN5 w - - 0 1"));
    assert_true(value_of("7k/8/5K2/8/8/8/8/1NB5 w - - 0 1") > value_of("k7/8/2K5/8/8/8/8/1NB5 w - - 0 1"));
    /* one may leave the wrong corner for the right one */
    assert_true(value_of("4k3/8/4K3/8/8/8/8/1BN5 w - - 0 1") > value_of("6k1/8/6K1/8/8/8/8/1BN5 w - - 0 1"));
}

/* Both sides play with so few nodes; returns the plies until the lone king is mated. */
static int plies_to_mate(Bed *bed, const char *fen, uint64_t nodes) {
    Position pos = test_position(fen);
    for (int ply = 0; ply < 100; ply++) {
        Move moves[MAX_MOVES];
        if (movegen_legal(&pos, moves) == 0) {
            assert_true(position_in_check(&pos));
            return ply;
        }
        const RootMove *best = bed_search(bed, &pos, (SearchLimits){.nodes = nodes});
        Undo undo;
        position_make_move(&pos, best->move, &undo);
    }
    fail_msg("%s: no mate in fifty moves", fen);
    return 0;
}

static void elementary_mates_are_found(void **state) {
    static const char *const FENS[] = {"8/8/8/4k3/8/8/8/K6R w - - 0 1", "8/8/3k4/8/8/3K4/8/4BB2 w - - 0 1",
                                       "8/8/8/4k3/8/8/8/KBN5 w - - 0 1", "7k/8/8/8/8/8/8/KNB5 w - - 0 1"};
    for (size_t i = 0; i < sizeof FENS / sizeof *FENS; i++) {
        bed_clear(*state);
        print_message("%s: mate after %d plies\n", FENS[i], plies_to_mate(*state, FENS[i], 25000));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_mates_counts),
        cmocka_unit_test(the_way_leads_to_the_edge_and_into_the_right_corner),
        cmocka_unit_test(elementary_mates_are_found),
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
