/* Facts of a move: each on a line that shows it, and not where the other line shows it as well. */
#include "explain/move_fact.h"

#include "line_support.h"

#define START   "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define ITALIAN "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
#define KNIGHTS "4k3/4n3/8/8/8/2N5/8/4K3 w - - 0 1"

static const struct {
    MoveFactKind kind;
    int ply;
    Square square;
    const char *fen, *line, *other;
} ROWS[] = {
    {MOVE_GOES_ON, 2, G1, START, "g1f3 e7e5 f3g1", "e2e4 e7e5"},
    {MOVE_GIVES_PAIR, 1, G5, "4kb2/3b2p1/5n2/6B1/8/8/8/4K3 w - - 0 1", "g5f6 g7f6 e1e2 e8e7 e2e3",
     "g5h4 e8e7"},
    {MOVE_BLOCKS, 0, D2, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "f1d3 b8c6",
     "g1f3 b8c6"},
    {MOVE_ALLOWS, 1, C3, KNIGHTS, "c3a4 e7d5", "c3e4 e7f5"},
    {MOVE_LOSES_TEMPO, 1, B5, "4k3/2p5/8/8/8/2N5/8/4K3 w - - 0 1", "c3b5 c7c6 b5d4", "c3e4 e8e7"},
    {MOVE_STOPS, 1, E1, "4k3/2p5/8/8/8/2N5/8/4K3 w - - 0 1", "e1e2 c7c6", "c3b5 e8d7"},
    {MOVE_AGAIN, 0, C6, ITALIAN, "c6a5 b1c3", "f8c5 b1c3"},
    {MOVE_LEAVES_FILE, 0, E1, "k7/8/8/8/8/8/5PPP/4R1K1 w - - 0 1", "e1f1 a8b7", "h2h3 a8b7"},
    {MOVE_TAKES, 0, D5, "4k3/8/8/3n4/8/2N5/8/4K3 w - - 0 1", "c3d5 e8d7", "e1e2 d5c3"},
    {MOVE_DRAWS_KING, 2, G5, "4k3/5p2/8/6N1/8/8/8/3QK3 w - - 0 1", "g5f7 e8f7 d1d7", "g5e4 e8e7"},
    {MOVE_GUARDS, 0, C3, "4k3/8/8/8/4n3/2P5/7R/4K3 w - - 0 1", "h2h3 e8e7", "e1e2 e4c3"},
    {MOVE_PREVENTS, 1, E1, KNIGHTS, "e1f1 e8f8", "c3a4 e7d5"},
    {MOVE_GAINS_TEMPO, 0, B4, "4k3/8/8/8/1n6/8/2P5/4K3 w - - 0 1", "c2c3 b4d5", "e1e2 b4d5"},
    {MOVE_IS_PINNED, 1, C3, "4kb2/8/8/8/8/2N5/3P4/4K3 w - - 0 1", "d2d3 f8b4", "e1f2 f8b4"},
    {MOVE_PINS, 0, C6, "4k3/8/2n5/8/8/8/8/4KB2 w - - 0 1", "f1b5 e8e7", "e1e2 e8e7"},
    {MOVE_ATTACKS, 0, B4, "4k3/8/8/8/1n6/8/2P5/4K3 w - - 0 1", "c2c3 e8e7", "e1e2 e8e7"},
    {MOVE_ATTACKS, 0, B7, "4k3/1p6/8/8/8/8/8/2R1K3 w - - 0 1", "c1b1 e8e7 b1b7", "e1e2 e8e7"},
    {MOVE_ATTACKS, 0, A3, "4k3/8/8/8/3p4/n7/4P2R/4K3 w - - 0 1", "h2h3 e8e7", "e2e4 d4e3"},
    {MOVE_TAKES_CENTRE, 0, D2, START, "d2d4 d7d5", "a2a3 d7d5"},
    {MOVE_DEVELOPS, 0, F8, ITALIAN, "f8c5 b1c3", "c6a5 b1c3"},
    {MOVE_DEVELOPS, 0, E1, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1 e8e7", "h1h2 e8e7"},
    {MOVE_TAKES_FILE, 0, F1, "k7/4p3/8/8/8/8/5PPP/5RK1 w - - 0 1", "f1e1 a8b7", "h2h3 a8b7"},
    {MOVE_PREPARES, 2, G1, "7k/8/8/8/8/8/8/4K1Q1 w - - 0 1", "g1g3 h8h7 g3h3", "e1e2 h8h7"},
    {MOVE_DROPS, 1, A2, "4k3/8/8/r7/8/8/P7/1N2K3 w - - 0 1", "b1d2 a5a2", "b1c3 e8e7"},
    {MOVE_SEIZES_FILE, 0, F1, "k7/p7/8/8/8/8/5PPP/5RK1 w - - 0 1", "f1d1 a8b7", "h2h3 a8b7"},
    {MOVE_OUTPOST, 0, F3, "4k3/6p1/8/8/3P4/5N2/8/4K3 w - - 0 1", "f3e5 e8e7", "e1e2 e8e7"},
    {MOVE_OUTPOST, 2, E1, "4k3/6p1/8/8/3P4/5N2/8/4K3 w - - 0 1", "e1e2 e8e7 f3e5 e7e6", "e1f2 e8e7 f3h4"},
    {MOVE_AVOIDS_TRADE, 0, D3, "3qk3/8/8/8/8/3Q4/8/3RK3 w - - 0 1", "d3e3 e8f7 e3f4 f7g7 e1e2 g7h7",
     "e1e2 d8d3 d1d3"},
    {MOVE_LEVER, 0, D6, "4k3/8/3p4/8/2P5/8/8/4K3 w - - 0 1", "c4c5 e8e7", "e1e2 e8e7"},
    {MOVE_PUSHES, 0, A4, "4k3/7p/8/8/P7/8/8/4K3 w - - 0 1", "a4a5 e8e7", "e1e2 e8e7"},
    {MOVE_LEADS_KING, 0, E1, "4k3/7p/8/8/8/7P/8/4K3 w - - 0 1", "e1e2 e8e7", "h3h4 e8e7"},
    {MOVE_LEADS_KING, 0, D4, "8/8/4k3/8/3K4/8/4P3/8 w - - 0 1", "d4e4 e6d6", "e2e4 e6d6"},
    {MOVE_CLOSES_FILE, 0, E3, "r3k3/8/8/8/8/4B3/8/R3K3 w - - 0 1", "e3a7 e8e7", "e1e2 e8e7"},
    {MOVE_NEARS_BISHOP, 0, F5, "4k3/8/4p3/5b2/8/8/4N3/4K3 w - - 0 1", "e2g3 e8e7", "e1d2 e8e7"},
    {MOVE_TRADES, 0, D8, "3r4/4k3/8/8/8/8/8/3RK3 w - - 0 1", "d1d8 e7d8", "e1e2 e7e6"},
    {MOVE_GIVES_ROOM, 0, B1, "4k3/8/8/8/8/3P4/8/1B2K3 w - - 0 1", "b1a2 e8e7", "e1e2 e8e7"},
    {MOVE_SPACE, 0, E1, "4k3/8/8/8/8/8/8/B3K3 w - - 0 1",
     "e1e2 e8e7 a1e5 e7e8 e5d4 e8e7 d4e5 e7e8 e5d4 e8e7 d4e5 e7e8",
     "e1f2 e8e7 f2e2 e7e8 e2f2 e8e7 f2e2 e7e8 e2f2 e8e7 f2e2 e7e8"},
    {MOVE_FACT_NONE, 0, A1, START, "e2e4 e7e5", "d2d4 d7d5"}};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static void each_holds_where_it_should(void **state) {
    (void)state;
    for (int i = 0; i < ROW_COUNT; i++) {
        Line *line = test_line(ROWS[i].fen, ROWS[i].line), *other = test_line(ROWS[i].fen, ROWS[i].other);
        const bool in_favour = ROWS[i].kind >= MOVE_TAKES;
        const MoveFact found = move_fact_find(line, other, NULL, in_favour);
        if (found.kind != ROWS[i].kind || found.ply != ROWS[i].ply || found.square != ROWS[i].square)
            fail_msg("%s: kind %d, ply %d, square %d", ROWS[i].line, found.kind, found.ply, found.square);
        assert_int_equal(MOVE_FACT_NONE, move_fact_find(line, line, NULL, in_favour).kind);
        line_destroy(line);
        line_destroy(other);
    }
}

/* 2. Nd5 attacks the queen after the other move as well. */
static void what_the_other_move_allows_as_well_is_no_difference(void **state) {
    (void)state;
    const char *fen = "k2r3r/1pq1bppp/p2p1p2/2p5/2P1P3/P1N2P1P/1PP1Q2P/1K1R3R b - - 0 15";
    Line *line = test_line(fen, "d8b8 c3d5 c7d8"), *other = test_line(fen, "d8e8 e2d3 c7c6"),
         *away = test_line(fen, "c7d7 e2d3 b7b6");
    assert_int_equal(MOVE_FACT_NONE, move_fact_find(line, other, NULL, false).kind);
    assert_int_equal(MOVE_LOSES_TEMPO, move_fact_find(line, away, NULL, false).kind);
    line_destroy(line);
    line_destroy(other);
    line_destroy(away);
    Line *late = test_line(KNIGHTS, "e1f1 e8f8 c3a4 e7d5");
    other = test_line(KNIGHTS, "c3a4 e7d5");
    assert_int_equal(MOVE_FACT_NONE,
                     move_fact_find(late, other, NULL, true).kind); /* not prevented, only delayed */
    line_destroy(late);
    line_destroy(other);
}

/* The knight that the pawn drives away gives check; the rook attacks the bishop in its turn. */
static void no_time_is_gained_on_what_attacks_in_its_turn(void **state) {
    (void)state;
    static const char *const ROWS_LOST[][3] = {
        {"3rn3/pr1bkp2/1bp5/4B1p1/2PN2Pp/1P1R1P1P/P3B1K1/3R4 b - - 0 30", "c6c5 d4f5", "b6c7 e5c7"},
        {"6k1/5p1p/6p1/5p2/1p3P2/1r1B2P1/7P/5RK1 w - - 0 39", "d3c4 b3c3", "d3b1 h7h5"}};
    for (int i = 0; i < 2; i++) {
        Line *line = test_line(ROWS_LOST[i][0], ROWS_LOST[i][1]),
             *other = test_line(ROWS_LOST[i][0], ROWS_LOST[i][2]);
        const MoveFactKind kind = move_fact_find(line, other, NULL, true).kind;
        assert_true(kind != MOVE_GAINS_TEMPO && kind != MOVE_ATTACKS);
        line_destroy(line);
        line_destroy(other);
    }
}

static void what_could_be_done_at_once_is_found(void **state) {
    (void)state;
    static const struct {
        const char *line;
        bool is_found;
    } BISHOPS[] = {{"c8e6 h2h3 e6d7", true},
                   {"c8e6 h2h3 c7c6 h3h4 e6d7", true},
                   {"c8e6 f1b5 e6d7", false}, /* a check forces it */
                   {"c8e6 h2h3 e6c4", false},
                   {"c8e6 h2h3 e6h3", false}};
    for (int i = 0; i < 5; i++) {
        int ply;
        Line *line = test_line("2b1k3/2p5/8/8/8/8/7P/4KB2 b - - 0 1", BISHOPS[i].line);
        const Move move = move_fact_at_once(line, &ply);
        assert_int_equal(BISHOPS[i].is_found ? move_make(C8, D7) : MOVE_NONE, move);
        line_destroy(line);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_holds_where_it_should),
        cmocka_unit_test(what_the_other_move_allows_as_well_is_no_difference),
        cmocka_unit_test(no_time_is_gained_on_what_attacks_in_its_turn),
        cmocka_unit_test(what_could_be_done_at_once_is_found),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
