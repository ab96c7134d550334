/* Mates with a name, and positions that are nearly such mates. tests/e2e/test_explain.py has puzzles that
 * people tagged. */
#include "explain/mate_pattern.h"

#include "chess/movegen.h"
#include "test_support.h"

typedef struct Case {
    MatePattern pattern;
    const char *fen;
} Case;

static void expect(const Case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const Position pos = test_position(cases[i].fen);
        if (!position_in_check(&pos) || movegen_has_legal(&pos)) fail_msg("%s: no mate", cases[i].fen);
        const MatePattern found = mate_pattern_of(&pos);
        if (found != cases[i].pattern) fail_msg("%s: %d, not %d", cases[i].fen, found, cases[i].pattern);
    }
}
#define EXPECT(cases) expect(cases, sizeof(cases) / sizeof *(cases))

static void each_is_recognised_for_both_sides(void **state) {
    (void)state;
    static const Case CASES[] = {{MATE_SMOTHERED, "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1"},
                                 {MATE_SMOTHERED, "6k1/8/8/8/8/8/5nPP/6RK w - - 0 1"},
                                 {MATE_BACK_RANK, "3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"},
                                 {MATE_BACK_RANK, "6k1/8/8/8/8/8/5PPP/q5K1 w - - 0 1"},
                                 {MATE_ARABIAN, "7k/7R/5N2/8/8/8/8/6K1 b - - 0 1"},
                                 {MATE_HOOK, "8/8/5pQN/4p3/2pnP3/4K2k/4r3/8 w - - 2 57"},
                                 {MATE_ANASTASIA, "8/4N1pk/1p3p2/2p5/2Pb1K2/5p1Q/2q5/8 b - - 1 43"},
                                 {MATE_BODEN, "7r/p2k4/4ppn1/3p4/3P4/b1PbPN2/P2N1PPP/2KR3R w - - 1 22"},
                                 {MATE_DOUBLE_BISHOP, "Q7/4kp2/pbp4p/3p4/8/5b2/PPP4P/7K w - - 0 25"},
                                 {MATE_DOVETAIL, "8/1Q6/P1kp2p1/2q2p1p/4p2P/6P1/5b1K/8 b - - 9 48"}};
    EXPECT(CASES);
}

static void other_mates_have_no_name(void **state) {
    (void)state;
    static const Case CASES[] = {
        {MATE_PATTERN_NONE, "3R2k1/5pp1/8/8/8/3B4/8/6K1 b - - 0 1"}, /* a square before the king is empty */
        {MATE_PATTERN_NONE, "3R2k1/5ppp/4P3/8/8/8/8/6K1 b - - 0 1"}, /* an own piece there is attacked */
        {MATE_PATTERN_NONE, "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"}};
    EXPECT(CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_recognised_for_both_sides),
        cmocka_unit_test(other_mates_have_no_name),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
