#include "chess/fen.h"

#include "test_support.h"

#include <stdlib.h>

static void assert_round_trip(const char *fen) {
    char out[FEN_CAPACITY];
    Position pos = test_position(fen);
    const size_t length = fen_write(&pos, out);
    assert_string_equal(out, fen);
    assert_int_equal(length, strlen(fen));
    assert_true(position_is_consistent(&pos));
}

static void valid_positions_are_read_and_written(void **state) {
    (void)state;
    const char *fens[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "4k3/8/8/8/8/8/8/4K2R b K - 99 120",
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1", /* Chess960 by its castling rights */
        "rnbqkqnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQNR w KQkq - 0 1", /* no game leads there */
        "4r1k1/8/8/8/4q3/3n4/8/r3K3 w - - 0 1",
        "QQQQQQQk/Q7/8/8/8/8/Q6Q/KQQQQQ2 b - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) assert_round_trip(fens[i]);
}

/* What is read in the place of a text, and a part of the warning; NULL: there is none. */
typedef struct OddFen {
    const char *text, *fen, *warning;
} OddFen;

static const OddFen ODD_FENS[] = {
    /* fields left out */
    {"4k3/8/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - - 7", "4k3/8/8/8/8/8/8/4K3 b - - 7 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - - 0 0", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "fields are missing"},
    {"4k3/8/8/8/8/8/8/4K3 B", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "fields are missing"},
    {"4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "fields are missing"},
    {"4k3/8/8/8/8/8/8/4K2R w K 3 9", "4k3/8/8/8/8/8/8/4K2R w K - 3 9", "fields are missing"},
    {"4k3/8/8/8/8/8/8/4K3 b 3 9", "4k3/8/8/8/8/8/8/4K3 b - - 3 9", "fields are missing"},
    /* blanks, quotation marks, what comes after */
    {"  4k3/8/8/8/8/8/8/4K3\tb  - - 0  1 \r\n", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3_b_-_-_4_6", "4k3/8/8/8/8/8/8/4K3 b - - 4 6", NULL},
    {"4k3/8/8/8/8/8/8/4K3%20b%20-%20-%204%206", "4k3/8/8/8/8/8/8/4K3 b - - 4 6", NULL},
    {"4k3/8/8/8/8/8/8/4K3\xC2\xA0"
     "b - - 4 6",
     "4k3/8/8/8/8/8/8/4K3 b - - 4 6", NULL},
    {"\"4k3/8/8/8/8/8/8/4K3 b - - 4 6\"", "4k3/8/8/8/8/8/8/4K3 b - - 4 6", NULL},
    {"'4k3/8/8/8/8/8/8/4K3' b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - - 4 6;", "4k3/8/8/8/8/8/8/4K3 b - - 4 6", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - -;4 6", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - - bm Kd7; id \"1 2\";", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - - 0 1 ;D1 5 ;D2 25", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/44/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL},
    /* castling rights */
    {"2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b KQkq - 0 1",
     "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/2RQ2K1 b - - 0 1", "'KQkq' are dropped"},
    {"r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K3 w Qkq - 0 1", "'K' are dropped"},
    {"r3k2b/8/8/8/8/8/8/R3K3 w Qk - 0 1", "r3k2b/8/8/8/8/8/8/R3K3 w Q - 0 1", "'k' are dropped"},
    {"r3k3/8/8/8/8/8/8/R3K2R w KQh - 0 1", "r3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "'h' are dropped"},
    {"4k2R/8/8/8/8/8/8/4K3 b k - 0 1", "4k2R/8/8/8/8/8/8/4K3 b - - 0 1", "'k' are dropped"},
    {"4k3/8/8/8/8/8/8/R5K1 w Q - 0 1", "4k3/8/8/8/8/8/8/R5K1 w - - 0 1", "'Q' are dropped"},
    {"r3k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1", "'K' are dropped"},
    {"r3k2r/8/8/8/8/8/4K3/R6R w KQq - 0 1", "r3k2r/8/8/8/8/8/4K3/R6R w q - 0 1", "'KQ' are dropped"},
    {"4k3/8/8/8/8/8/8/K6R w K - 0 1", "4k3/8/8/8/8/8/8/K6R w - - 0 1", "'K' are dropped"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQxq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1", "'x' are dropped"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w K-q - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "'-' are dropped"},
    {"4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "'G' are dropped"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQKHq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1", NULL},
    /* the en passant square */
    {"4k3/8/8/3pP3/8/8/8/4K3 w - D6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", NULL},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "'d' is dropped"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "'d9' is dropped"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - i6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "'i6' is dropped"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "'d5' is dropped"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "'d3' is dropped"},
    {"4k3/8/8/8/3pP3/8/8/4K3 b - e6 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", "'e6' is dropped"},
    {"4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", "'d6' is dropped"},
    {"4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3PP3/8/8/8/4K3 w - - 0 1", "'d6' is dropped"},
    {"4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1", "'d6' is dropped"},
    {"4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1", "'d6' is dropped"},
    /* counters */
    {"4k3/8/8/8/8/8/8/4K3 w - - -1 9", "4k3/8/8/8/8/8/8/4K3 w - - 0 9", "clock is read as 0 instead of '-1'"},
    {"4k3/8/8/8/8/8/8/4K3 w - - - 9", "4k3/8/8/8/8/8/8/4K3 w - - 0 9", "clock is read as 0 instead of '-'"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 1000 1", "4k3/8/8/8/8/8/8/4K3 w - - 999 1", "999 instead of '1000'"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 2 1.5", "4k3/8/8/8/8/8/8/4K3 w - - 2 1",
     "number is read as 1 instead of '1.5'"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 2 100000", "4k3/8/8/8/8/8/8/4K3 w - - 2 99999", "99999 instead of '100000'"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 7", "4k3/8/8/8/8/8/8/4K3 w - - 0 7",
     "0 instead of '999"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 161+0 3 7", "4k3/8/8/8/8/8/8/4K3 w - - 3 7", "'161+0' is skipped"},
    {"4k3/8/8/8/8/8/8/4K3 w - - +3+3 3 7", "4k3/8/8/8/8/8/8/4K3 w - - 3 7", "'+3+3' is skipped"},
    {"r3k3/8/8/8/8/8/8/4K3 w K d6 x 1", "r3k3/8/8/8/8/8/8/4K3 w - - 0 1",
     "for them; the en passant square 'd6'"},
};

static void odd_fields_are_read_with_a_warning(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof ODD_FENS / sizeof *ODD_FENS; i++) {
        const OddFen *odd = &ODD_FENS[i];
        char out[FEN_CAPACITY];
        Position pos;
        Status warning;
        TextView line = text_view(odd->text);
        assert_ok(fen_take(&pos, &line, false, &warning));
        fen_write(&pos, out);
        assert_string_equal(out, odd->fen);
        if (status_is_ok(&warning) != (odd->warning == NULL) ||
            (odd->warning != NULL && strstr(warning.reason, odd->warning) == NULL))
            fail_msg("%s: warning '%s'", odd->text, warning.reason);
        assert_ok(fen_parse(&pos, text_view(odd->text), false));
        assert_true(position_is_consistent(&pos));
    }
}

typedef struct BadFen {
    const char *fen, *reason;
} BadFen;

static const BadFen BAD_FENS[] = {
    {"", "empty"},
    {"   ", "empty"},
    {"8/8/8/8/8/8/8 w - - 0 1", "7 ranks"},
    {"8/8/8/8/8/8/8/8/8 w - - 0 1", "9 ranks"},
    {"startpos", "1 rank instead"},
    {"4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1 has only 7"},
    {"4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1 has more than 8"},
    {"4k3/8/8/pppppppppp/8/8/8/4K3 w - - 0 1", "rank 5 has more than 8"},
    {"4k3//8/8/8/8/8/4K3 w - - 0 1", "rank 7 has only 0"},
    {"4k3/9/8/8/8/8/8/4K3 w - - 0 1", "'9' on rank 7"},
    {"4k3/7x/8/8/8/8/8/4K3 w - - 0 1", "'x' on rank 7"},
    {"4k3/7\xE2\x99\x94/8/8/8/8/8/4K3 w - - 0 1", "'\xE2\x99\x94' on rank 7"},
    {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", "'x' instead of w or b"},
    {"4k3/7\x01/8/8/8/8/8/4K3 w - - 0 1", "'\\x01' on rank 7"},
    {"4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"},
    {"4k1k1/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings"},
    {"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "White has a pawn on the first or last rank"},
    {"4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "Black has a pawn on the first or last rank"},
    {"4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"},
    {"nnnnknnn/nnnnnnnn/nn6/8/8/8/8/4K3 w - - 0 1", "Black has 18 pieces and pawns"},
    {"8/8/8/3kK3/8/8/8/8 w - - 0 1", "side by side"},
    {"4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Black is in check, but it is White's turn"},
    {"4r3/8/8/1k6/8/8/8/4K3 b - - 0 1", "White is in check, but it is Black's turn"},
};

static void bad_fields_are_refused_with_their_reason(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof BAD_FENS / sizeof *BAD_FENS; i++) {
        Position pos = test_position(FEN_START), before = pos;
        Status status = fen_parse(&pos, text_view(BAD_FENS[i].fen), false);
        if (status_is_ok(&status)) fail_msg("accepted: %s", BAD_FENS[i].fen);
        if (strstr(status.reason, BAD_FENS[i].reason) == NULL) {
            fail_msg("%s: '%s' without '%s'", BAD_FENS[i].fen, status.reason, BAD_FENS[i].reason);
        }
        assert_memory_equal(&pos, &before, sizeof pos);
    }
}

static void text_after_the_view_is_not_read(void **state) {
    (void)state;
    const char text[] = "4k3/8/8/8/8/8/8/4K3 w - - 12 34";
    Position pos;
    assert_ok(fen_parse(&pos, (TextView){text, sizeof text - 2}, false));
    assert_int_equal(pos.fullmove, 3);
    assert_ok(fen_parse(&pos, (TextView){text, sizeof text - 5}, false));
    assert_int_equal(pos.state.halfmove_clock, 1);
    for (size_t length = 0; length < sizeof text; length++) {
        char *copy = malloc(length + 1); /* of exact size, for the address sanitizer */
        assert_non_null(copy);
        memcpy(copy, text, length);
        fen_parse(&pos, (TextView){copy, length}, false);
        free(copy);
    }
}

static void en_passant_is_kept_only_if_a_capture_is_legal(void **state) {
    (void)state;
    const char *kept = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    const char *dropped[] = {
        "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2",    /* no pawn there to capture */
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",   /* both pawns leave the king's rank */
        "4k3/4r3/8/3pP3/8/8/8/4K3 w - d6 0 2", /* the pawn is pinned to its file */
        "4k3/8/8/3pP2b/8/8/8/3K4 w - d6 0 2",  /* in check from elsewhere */
    };
    Position pos = test_position(kept);
    assert_int_equal(pos.state.en_passant, 8 * 5 + 3);
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
        char without[FEN_CAPACITY], out[FEN_CAPACITY];
        pos = test_position(dropped[i]);
        assert_int_equal(pos.state.en_passant, NO_SQUARE);
        text_copy(text_view(dropped[i]), without, sizeof without);
        const size_t square = (size_t)(strstr(without, " d6") - without) + 1;
        memcpy(without + square, "- 0 2", 6);
        fen_write(&pos, out);
        assert_string_equal(out, without);
        Position plain = test_position(without);
        assert_true(pos.state.key == plain.state.key);
    }
}

static void castling_letters_of_both_kinds_mean_the_same(void **state) {
    (void)state;
    Position x_fen = test_position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    Position shredder = test_position("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    assert_true(position_equals(&x_fen, &shredder));
    assert_false(shredder.chess960);
    /* In Chess960 K means the outermost rook; the inner one is named by its file. */
    const char *rooks = "4k3/8/8/8/8/8/8/2R1K1RR w KQ - 0 1";
    Position outer;
    assert_ok(fen_parse(&outer, text_view(rooks), true));
    assert_int_equal(outer.castling_rook[WHITE][KING_SIDE], H1);
    assert_int_equal(outer.castling_rook[WHITE][QUEEN_SIDE], C1);
    /* Elsewhere it is so where both sides stand as at the start. */
    assert_int_equal(test_position(rooks).state.castling, WHITE_KING_SIDE);
    Position start = test_position("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1");
    assert_int_equal(start.state.castling, ALL_CASTLING);
    assert_true(start.chess960);
    Position inner = test_position("4k3/8/8/8/8/8/8/2R1K1RR w G - 0 1");
    assert_int_equal(inner.castling_rook[WHITE][KING_SIDE], G1);
    assert_int_equal(inner.state.castling, WHITE_KING_SIDE);
}

static void chess960_is_asked_for_or_needed(void **state) {
    (void)state;
    char out[FEN_CAPACITY];
    Position pos;
    assert_ok(fen_parse(&pos, text_view(FEN_START), true));
    assert_true(pos.chess960);
    fen_write(&pos, out);
    assert_string_equal(out, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    assert_false(test_position(FEN_START).chess960);
    assert_true(test_position("4k3/8/8/8/8/8/8/RK6 w A - 0 1").chess960);
    assert_false(test_position("4k3/8/8/8/8/8/8/RK6 w - - 0 1").chess960);
}

/* Numbers from published tables of the starting arrays. */
static void starting_arrays_follow_scharnagl(void **state) {
    (void)state;
    char out[FEN_CAPACITY];
    fen_chess960_start(518, 518, out);
    assert_string_equal(out, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    fen_chess960_start(0, 0, out);
    assert_string_equal(out, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
    fen_chess960_start(959, 518, out);
    assert_string_equal(out, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAha - 0 1");
}

static void all_starting_arrays_are_good_and_differ(void **state) {
    (void)state;
    static HashKey keys[960];
    for (int number = 0; number < 960; number++) {
        char fen[FEN_CAPACITY], out[FEN_CAPACITY];
        Position pos;
        fen_chess960_start(number, number, fen);
        assert_ok(fen_parse(&pos, text_view(fen), true));
        assert_int_equal(pos.state.castling, ALL_CASTLING);
        fen_write(&pos, out);
        assert_string_equal(out, fen);
        keys[number] = pos.state.key;
        for (int other = 0; other < number; other++) assert_true(keys[other] != keys[number]);
    }
}

static void random_games_are_written_and_read_as_fen(void **state) {
    (void)state;
    for (uint64_t game = 0; game < 200; game++) {
        Rng rng = rng_stream(11, game);
        char fen[FEN_CAPACITY], again[FEN_CAPACITY];
        Position pos, read;
        const bool chess960 = game % 2 == 1;
        fen_chess960_start(chess960 ? (int)rng_below(&rng, 960) : 518,
                           chess960 ? (int)rng_below(&rng, 960) : 518, fen);
        assert_ok(fen_parse(&pos, text_view(fen), chess960));
        for (int ply = 0; ply < 300; ply++) {
            Undo undo;
            const Move move = test_random_move(&pos, &rng);
            if (move == MOVE_NONE) break;
            position_make_move(&pos, move, &undo);
            fen_write(&pos, fen);
            assert_ok(fen_parse(&read, text_view(fen), chess960));
            fen_write(&read, again);
            assert_string_equal(again, fen);
            assert_true(read.state.key == pos.state.key);
            assert_true(position_equals(&read, &pos));
        }
    }
}

static void expect_rest(const char *line, const char *expected) {
    TextView rest = text_view(line);
    Position pos;
    assert_ok(fen_take(&pos, &rest, false, NULL));
    assert_true(text_equals(rest, expected));
}

static void the_front_of_an_epd_line_is_taken(void **state) {
    (void)state;
    expect_rest("4k3/8/8/8/8/8/8/4K3 w - - bm Kd1;", "bm Kd1;");
    expect_rest(" 4k3/8/8/8/8/8/8/4K3 b KQ e3  3 17 id 1;", "id 1;");
    expect_rest("4k3/8/8/8/8/8/8/4K3 b KQ e3 3 id \"a_b\";", "id \"a_b\";");
    expect_rest("4k3/8/8/8/8/8/8/4K3 w - - 0 1;D1 5", "D1 5");
    expect_rest("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "2");
    expect_rest("\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"", "");
    expect_rest("4k3/8/8/8/8/8/8/4K3 b", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_positions_are_read_and_written),
        cmocka_unit_test(odd_fields_are_read_with_a_warning),
        cmocka_unit_test(bad_fields_are_refused_with_their_reason),
        cmocka_unit_test(text_after_the_view_is_not_read),
        cmocka_unit_test(en_passant_is_kept_only_if_a_capture_is_legal),
        cmocka_unit_test(castling_letters_of_both_kinds_mean_the_same),
        cmocka_unit_test(chess960_is_asked_for_or_needed),
        cmocka_unit_test(starting_arrays_follow_scharnagl),
        cmocka_unit_test(all_starting_arrays_are_good_and_differ),
        cmocka_unit_test(random_games_are_written_and_read_as_fen),
        cmocka_unit_test(the_front_of_an_epd_line_is_taken),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
