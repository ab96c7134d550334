/* Endings in which a lead hardly ever wins: which they are, and for which side. */
#include "search/drawish.h"

#include "test_support.h"

static int share_of(const char *fen, Color strong) {
    const Position pos = test_position(fen);
    return drawish_share(&pos, strong);
}

/* Those of a list, for White; turned round they must be the same for Black. */
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
        cmocka_unit_test(without_pawns_a_minor_piece_more_does_not_win),
        cmocka_unit_test(a_bishop_must_rule_the_corner),
        cmocka_unit_test(bishops_of_opposite_colours_halve_a_lead),
        cmocka_unit_test(the_lead_decides_whose_share_counts),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
