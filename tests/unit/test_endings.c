/* Endings against a lone king: how they are recognised, and that the value leads to mate. Endings in which a
 * lead rarely wins, and for which side. */
#include "search/endings.h"

#include "chess/makemove.h"
#include "chess/movegen.h"
#include "search_support.h"
#include "test_support.h"

static int value_of(const char *fen) {
    const Position pos = test_position(fen);
    return lone_king_value(&pos);
}

static void only_mating_material_counts(void **state) {
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

static void the_value_drives_the_king_to_the_right_corner(void **state) {
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

/* Both sides play with few nodes. Returns the plies until the lone king is mated. */
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

/* --- leads that rarely win --- */

static int share_of(const char *fen, Color strong) {
    const Position pos = test_position(fen);
    return drawish_share(&pos, strong);
}

/* Checks a list of positions for White, and with colours swapped for Black. */
static void expect(int share, const char *const *fens, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (share_of(fens[i], WHITE) != share)
            fail_msg("%s: %d, not %d", fens[i], share_of(fens[i], WHITE), share);
}
#define EXPECT(share, fens) expect(share, fens, sizeof(fens) / sizeof *(fens))

static void without_pawns_a_minor_piece_more_does_not_win(void **state) {
    (void)state;
    static const char *const DRAWISH[] = {
        "8/8/4k3/2b5/8/8/3R4/6K1 w - - 0 1",   "8/8/4k3/2n5/8/8/3R4/6K1 w - - 0 1",
        "8/8/4k3/2r5/8/8/3RB3/6K1 w - - 0 1",  "8/8/4k3/2r5/8/8/3R4/6K1 w - - 0 1",
        "8/8/4k1p1/2b5/8/8/3R4/6K1 w - - 0 1", "8/8/4k3/8/8/8/3NN3/6K1 w - - 0 1",
        "8/8/4k3/8/7p/8/3NN3/6K1 w - - 0 1"};
    static const char *const WINNING[] = {
        "8/8/4k3/2r5/8/8/3Q4/6K1 w - - 0 1",  "8/8/4k3/1bn5/8/8/3Q4/6K1 w - - 0 1",
        "8/8/4k3/8/8/8/3R4/6K1 w - - 0 1",    "8/8/4k3/2b5/8/8/3R2P1/6K1 w - - 0 1",
        "8/8/5k2/2r5/8/8/3RR3/6K1 w - - 0 1", "8/8/4k3/8/8/8/3NB3/6K1 w - - 0 1"};
    EXPECT(DRAWISH_NO_PAWNS, DRAWISH);
    EXPECT(DRAWISH_WHOLE, WINNING);
    assert_int_equal(share_of("6k1/3r4/8/8/2B5/4K3/8/8 b - - 0 1", BLACK), DRAWISH_NO_PAWNS);
    assert_int_equal(share_of("6k1/3r2p1/8/8/2B5/4K3/8/8 b - - 0 1", BLACK), DRAWISH_WHOLE);
}

static void a_bishop_must_rule_the_corner(void **state) {
    (void)state;
    /* a8 is light, h8 dark; the bishop of c1 is dark, that of f1 light */
    static const char *const WRONG[] = {"k7/8/8/8/8/8/P7/2B1K3 w - - 0 1", "7k/8/8/8/7P/7P/8/4KB2 w - - 0 1",
                                        "7k/7p/8/8/7P/8/8/4KB2 w - - 0 1"};
    static const char *const RIGHT[] = {
        "k7/8/8/8/8/8/P7/4KB2 w - - 0 1",   "7k/8/8/8/7P/8/8/2B1K3 w - - 0 1",
        "7k/8/8/8/6PP/8/8/4KB2 w - - 0 1",  "7k/8/8/8/P6P/8/8/4KB2 w - - 0 1",
        "k7/8/8/8/8/8/P7/2B1KB2 w - - 0 1", "kn6/8/8/8/8/8/P7/2B1K3 w - - 0 1",
        "k7/8/8/8/8/8/P7/2BNK3 w - - 0 1"};
    EXPECT(DRAWISH_WRONG_BISHOP, WRONG);
    EXPECT(DRAWISH_WHOLE, RIGHT);
    assert_int_equal(share_of("2b1k3/p7/8/8/8/8/8/K7 b - - 0 1", BLACK),
                     DRAWISH_WRONG_BISHOP); /* a1 is dark */
    assert_int_equal(share_of("4kb2/p7/8/8/8/8/8/K7 b - - 0 1", BLACK), DRAWISH_WHOLE);
}

static void bishops_of_opposite_colours_halve_a_lead(void **state) {
    (void)state;
    static const char *const OPPOSITE[] = {"8/4k3/4b3/3p4/8/3PP3/3B4/4K3 w - - 0 1"};
    static const char *const OTHERS[] = {"8/4k3/3b4/3p4/8/3PP3/3B4/4K3 w - - 0 1",   /* of one colour */
                                         "8/4k3/4b3/3p3r/8/3PP2R/3B4/4K3 w - - 0 1", /* with rooks */
                                         "8/4k3/8/3p4/8/3PP3/2BB4/4K3 w - - 0 1",    /* of one side */
                                         "8/4k3/2b1b3/3p4/8/3PP3/3B4/4K3 w - - 0 1"};
    EXPECT(DRAWISH_OPPOSITE_BISHOPS, OPPOSITE);
    EXPECT(DRAWISH_WHOLE, OTHERS);
}

static void the_lead_decides_whose_share_counts(void **state) {
    (void)state;
    const Position pos = test_position("8/8/4k1p1/2b5/8/8/3R4/6K1 w - - 0 1"); /* Black has a pawn */
    assert_int_equal(drawish_value(&pos, 160), 160 * DRAWISH_NO_PAWNS / DRAWISH_WHOLE);
    assert_int_equal(drawish_value(&pos, -160), -160);
    assert_int_equal(drawish_value(&pos, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_mating_material_counts),
        cmocka_unit_test(the_value_drives_the_king_to_the_right_corner),
        cmocka_unit_test(elementary_mates_are_found),
        cmocka_unit_test(without_pawns_a_minor_piece_more_does_not_win),
        cmocka_unit_test(a_bishop_must_rule_the_corner),
        cmocka_unit_test(bishops_of_opposite_colours_halve_a_lead),
        cmocka_unit_test(the_lead_decides_whose_share_counts),
    };
    return cmocka_run_group_tests(tests, bed_create, bed_destroy);
}
