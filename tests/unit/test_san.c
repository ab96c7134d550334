#include "test_support.h"

typedef struct SanCase {
    const char *fen, *lan, *san;
} SanCase;

static void assert_written(const SanCase *test) {
    Position pos = test_position(test->fen);
    Move move, read;
    char san[SAN_CAPACITY];
    assert_ok(lan_parse(&pos, text_view(test->lan), &move));
    const size_t length = san_write(&pos, move, san);
    assert_string_equal(san, test->san);
    assert_int_equal(length, strlen(san));
    assert_ok(san_parse(&pos, text_view(san), &read));
    assert_int_equal(read, move);
}

static void every_kind_of_move_is_written(void **state) {
    (void)state;
    const SanCase cases[] = {
        {FEN_START, "e2e4", "e4"},
        {FEN_START, "g1f3", "Nf3"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"},
        {"3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"},
        {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N+"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"},
        {"4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "e1d2", "Kxd2"},
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2", "d8h4", "Qh4#"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_written(&cases[i]);
}

static void ambiguity_is_resolved_minimally(void **state) {
    (void)state;
    const SanCase cases[] = {
        {"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"},    /* the king blocks the other rook */
        {"4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "a1d1", "Rad1"},   /* by file */
        {"7k/R7/8/8/8/4K3/8/R7 w - - 0 1", "a1a4", "R1a4"},    /* by rank */
        {"1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"}, /* by both */
        {"k7/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"}, /* the other knight is pinned */
        {"k7/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"},
        {"k7/8/8/8/8/8/8/KN3N2 w - - 0 1", "b1d2", "Nbd2"},
        {"3k4/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", "dxc6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_written(&cases[i]);
}

static void assert_read(const char *fen, const char *text, const char *expected_lan) {
    Position pos = test_position(fen);
    Move move = MOVE_NONE;
    char lan[LAN_CAPACITY];
    Status status = san_parse(&pos, text_view(text), &move);
    if (!status_is_ok(&status)) fail_msg("%s: %s", text, status.reason);
    lan_write(&pos, move, lan);
    assert_string_equal(lan, expected_lan);
}

static void variants_found_in_files_are_read(void **state) {
    (void)state;
    const char *castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const char *castling_texts[] = {"O-O", "0-0", "o-o", "OO", "O-O+", "0-0!?", "e1g1"};
    for (size_t i = 0; i < 7; i++) assert_read(castling, castling_texts[i], "e1g1");
    assert_read(castling, "0-0-0", "e1c1");
    assert_read(FEN_START, "Nf3!?", "g1f3");
    assert_read(FEN_START, "Nf3+#", "g1f3");
    assert_read(FEN_START, "Ngf3", "g1f3");
    assert_read(FEN_START, "Ng1-f3", "g1f3");
    assert_read(FEN_START, "Nxf3", "g1f3");
    assert_read(FEN_START, "g1f3", "g1f3");
    assert_read(FEN_START, "e2-e4", "e2e4");
    assert_read(FEN_START, "Pe4", "e2e4");
    const char *others[] = {"nf3", "NF3", "\u2658f3", "N\u2013f3", "Nf3N", "Nf3ch", "Nf3 mate", "Nf3\u2020"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) assert_read(FEN_START, others[i], "g1f3");
    for (size_t i = 0; i < 2; i++) assert_read(castling, i == 0 ? "e1-g1" : "O\u2013O", "e1g1");
    const char *promotion = "3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";
    const char *promotion_texts[] = {"exd8=Q", "exd8Q", "exd8q", "ed8=Q+", "e7xd8=Q", "exd8(Q)",
                                     "exd8/Q", "e7d8q", "ed=Q",  "exd=Q",  "exd8:Q",  "ed8-Q"};
    for (size_t i = 0; i < 12; i++) assert_read(promotion, promotion_texts[i], "e7d8q");
    const char *passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    const char *passing_texts[] = {"exd6", "ed6", "exd6e.p.", "e5xd6", "e:d6", "ed", "exd", "e:d", "edep"};
    for (size_t i = 0; i < 9; i++) assert_read(passing, passing_texts[i], "e5d6");
    assert_read("4k3/8/8/2n5/1P6/8/8/4KB2 w - - 0 1", "bxc5", "b4c5"); /* a file, not a bishop */
    assert_read("4k3/8/8/1n6/P7/8/8/4KB2 w - - 0 1", "ab", "a4b5");    /* a file, not a promotion */
    assert_read(castling, "\u041E-\u041E-\u041E", "e1c1");
    assert_read(FEN_START,
                "\u0435"
                "4",
                "e2e4");
}

static void wrong_moves_are_refused(void **state) {
    (void)state;
    const struct {
        const char *fen, *text, *reason;
    } cases[] = {
        {FEN_START, "", "unreadable"},
        {FEN_START, "+", "unreadable"},
        {FEN_START, "N", "unreadable"},
        {FEN_START, "hello", "unreadable"},
        {FEN_START, "e9", "unreadable"},
        {FEN_START, "NNf3", "unreadable"},
        {FEN_START, "--", "unreadable"},
        {FEN_START, "e5", "illegal"},
        {FEN_START, "Nf6", "illegal"},
        {FEN_START, "O-O", "illegal"},
        {FEN_START, "f3g1", "illegal"},
        {FEN_START, "e4=Q", "illegal"},
        {"4k3/8/8/8/4p3/3P4/8/4K3 w - - 0 1", "Dxe4", "unreadable"}, /* a queen in German, no pawn */
        {"4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "Rd1", "ambiguous"},
        {"4k3/8/3n1n2/4P3/3n4/4P3/8/4K3 w - - 0 1", "ed", "ambiguous"},
        {"4k3/8/3n1n2/4P3/3n4/4P3/8/4K3 w - - 0 1", "eg", "illegal"},
        {"3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "ed", "ambiguous"},
        {FEN_START, "ee", "unreadable"},
        {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8", "ambiguous"},
        {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=K", "unreadable"},
        {"k7/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Nce2", "illegal"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos = test_position(cases[i].fen);
        Move move = 12345;
        Status status = san_parse(&pos, text_view(cases[i].text), &move);
        if (strstr(status.reason, cases[i].reason) == NULL) {
            fail_msg("%s: '%s' without '%s'", cases[i].text, status.reason, cases[i].reason);
        }
        assert_int_equal(move, 12345);
    }
}

static void alternatives_are_named(void **state) {
    (void)state;
    static const char *const KINGS = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
    const struct {
        const char *fen, *text, *reason;
    } cases[] = {
        {KINGS, "Nd2", "ambiguous move 'Nd2'; legal moves: Nbd2, Nfd2"},
        {KINGS, "Kd2+", ""},
        {KINGS, "Rd2", "illegal move 'Rd2': White has no rook; legal moves: Kd2, Nbd2, Nfd2"},
        {KINGS, "Ne4",
         "illegal move 'Ne4': no knight can go to e4; legal moves: Nbd2, Na3, Nc3, Nfd2, Nh2, Ne3, Ng3"},
        {KINGS, "f1d3",
         "illegal move 'f1d3': no knight can go to d3; legal moves: Nbd2, Na3, Nc3, Nfd2, Nh2, Ne3, Ng3"},
        {KINGS, "Bd4", "illegal move 'Bd4': White has no bishop; legal moves: "},
        {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8",
         "ambiguous move 'e8'; legal moves: e8=Q, e8=N+, e8=R, e8=B"},
        {FEN_START, "Qd9", "unreadable move 'Qd9'; legal moves: "},
        {FEN_START, "Bb5", " and 12 more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos = test_position(cases[i].fen);
        Move move;
        const Status status = move_parse(&pos, text_view(cases[i].text), &move);
        if (cases[i].reason[0] == '\0')
            assert_ok(status);
        else
            assert_fails(status, cases[i].reason);
    }
}

static void castling_is_written_for_each_variant(void **state) {
    (void)state;
    Position pos = test_position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    Move move, other;
    char lan[LAN_CAPACITY];
    assert_ok(lan_parse(&pos, text_view("e1g1"), &move));
    assert_ok(lan_parse(&pos, text_view("e1h1"), &other));
    assert_int_equal(move, other);
    assert_int_equal(move_kind(move), CASTLING);
    assert_int_equal(lan_write(&pos, move, lan), 4);
    assert_string_equal(lan, "e1g1");
    pos.chess960 = true;
    lan_write(&pos, move, lan);
    assert_string_equal(lan, "e1h1");
    assert_ok(lan_parse(&pos, text_view("e1c1"), &other));
    lan_write(&pos, other, lan);
    assert_string_equal(lan, "e1a1");
}

static void a_step_of_the_king_is_no_castling(void **state) {
    (void)state;
    Position pos = test_position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    Move move;
    assert_true(pos.chess960);
    assert_ok(lan_parse(&pos, text_view("f1g1"), &move));
    assert_int_equal(move_kind(move), NORMAL_MOVE);
    assert_ok(lan_parse(&pos, text_view("f1h1"), &move));
    assert_int_equal(move_kind(move), CASTLING);
    assert_ok(san_parse(&pos, text_view("Kg1"), &move));
    assert_int_equal(move_kind(move), NORMAL_MOVE);
    assert_ok(san_parse(&pos, text_view("O-O"), &move));
    assert_int_equal(move_kind(move), CASTLING);
}

static void long_notation_is_read_strictly(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    const char *bad[] = {"",      "e2",   "e2e",  "e2e5", "e2e4q", "e2e4qq",
                         "e2-e4", "I2E4", "0000", "a1a1", "e7e5",  "i2i4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Move move = 12345;
        Status status = lan_parse(&pos, text_view(bad[i]), &move);
        if (status_is_ok(&status)) fail_msg("accepted %s", bad[i]);
        assert_int_equal(move, 12345);
    }
    Move move;
    assert_fails(lan_parse(&pos, text_view("e4"), &move), "unreadable move 'e4': it needs UCI's notation");
    pos = test_position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    assert_fails(lan_parse(&pos, text_view("e7e8"), &move), "illegal");
    assert_ok(lan_parse(&pos, text_view("e7e8r"), &move));
    assert_int_equal(move_promotion(move), ROOK);
    assert_ok(lan_parse(&pos, text_view("E7E8N"), &move));
    assert_int_equal(move_promotion(move), KNIGHT);
}

static void no_moves_are_written_as_zeros(void **state) {
    (void)state;
    Position pos = test_position(FEN_START);
    char lan[LAN_CAPACITY];
    assert_int_equal(lan_write(&pos, MOVE_NONE, lan), 4);
    assert_string_equal(lan, "0000");
    lan_write(&pos, MOVE_NULL, lan);
    assert_string_equal(lan, "0000");
}

static void assert_notations_return(const Position *pos) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        char san[SAN_CAPACITY], lan[LAN_CAPACITY];
        Move read = MOVE_NONE;
        assert_in_range(san_write(pos, moves[i], san), 2, SAN_CAPACITY - 1);
        assert_ok(san_parse(pos, text_view(san), &read));
        assert_int_equal(read, moves[i]);
        lan_write(pos, moves[i], lan);
        assert_ok(lan_parse(pos, text_view(lan), &read));
        assert_int_equal(read, moves[i]);
    }
}

/* No two moves have the same text: each is read back as itself. */
static void all_moves_of_random_games_are_written_and_read(void **state) {
    (void)state;
    for (uint64_t game = 0; game < 60; game++) {
        Rng rng = rng_stream(5, game);
        char fen[FEN_CAPACITY];
        Position pos;
        const bool chess960 = game % 2 == 1;
        fen_chess960_start(chess960 ? (int)rng_below(&rng, 960) : 518,
                           chess960 ? (int)rng_below(&rng, 960) : 518, fen);
        assert_ok(fen_parse(&pos, text_view(fen), chess960));
        for (int ply = 0; ply < 200; ply++) {
            Undo undo;
            assert_notations_return(&pos);
            const Move move = test_random_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            position_make_move(&pos, move, &undo);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_move_is_written),
        cmocka_unit_test(ambiguity_is_resolved_minimally),
        cmocka_unit_test(variants_found_in_files_are_read),
        cmocka_unit_test(wrong_moves_are_refused),
        cmocka_unit_test(alternatives_are_named),
        cmocka_unit_test(castling_is_written_for_each_variant),
        cmocka_unit_test(a_step_of_the_king_is_no_castling),
        cmocka_unit_test(long_notation_is_read_strictly),
        cmocka_unit_test(no_moves_are_written_as_zeros),
        cmocka_unit_test(all_moves_of_random_games_are_written_and_read),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
