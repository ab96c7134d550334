/* Positions and games in the formats of other trainers: there and back, byte by byte, and with
 * faults (damaged files: tests/fuzz/fuzz_foreign.c). */
#include "lab/data/foreign.h"

#include "base/bytes.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "record_support.h"

#include <math.h>

static const char AFTER_E4[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/* As centipawns in those formats. */
static int centipawns(int units) { return (int)lround(units * 100.0 / SCORE_UNITS_PER_PAWN); }

/* 1. e4 (16 units for White before it) c5 (after -24), Black wins. */
static void short_game(RecordedGame *game) {
    recorded_start_standard(game);
    assert_true(recorded_add(game, move_make(E2, E4), 16));
    assert_true(recorded_add(game, move_make(C7, C5), -24));
    game->result = BLACK_WINS;
}

static void test_plain_lines(void **state) {
    (void)state;
    static RecordedGame game;
    TextBuffer out = {0};
    ForeignExport export = {0};
    char expected[600];
    short_game(&game);
    foreign_append(FOREIGN_PLAIN, &game, &export, &out);
    text_format(expected, sizeof expected,
                "fen %s\nmove e2e4\nscore 16\nply 0\nresult -1\ne\n"
                "fen %s\nmove c7c5\nscore 24\nply 1\nresult 1\ne\n",
                FEN_START, AFTER_E4);
    assert_string_equal(buffer_string(&out), expected);
    buffer_release(&out);
}

/* 1. e4 d5 2. exd5 Qxd5 3. Nc3: the two captures are noisy, and the last position has no move. */
static void test_only_usable_positions(void **state) {
    (void)state;
    static RecordedGame game;
    const Move moves[] = {move_make(E2, E4), move_make(D7, D5), move_make(E4, D5), move_make(D8, D5),
                          move_make(B1, C3)};
    for (int kind = FOREIGN_PLAIN; kind <= FOREIGN_BULLET; kind++) {
        TextBuffer out = {0}, all = {0};
        ForeignExport export = {.usable_only = true, .plies = {.min_ply = 1, .max_score = 2000}};
        ForeignExport every = {.plies = {.max_score = 2000}};
        recorded_start_standard(&game);
        for (int i = 0; i < 5; i++) assert_true(recorded_add(&game, moves[i], i == 4 ? 2400 : 16));
        game.result = WHITE_WINS;
        foreign_append((ForeignKind)kind, &game, &export, &out);
        foreign_append((ForeignKind)kind, &game, &every, &all);
        assert_int_equal(export.uses[PLY_USED], 1);
        assert_int_equal(export.uses[PLY_EARLY], 1);
        assert_int_equal(export.uses[PLY_NOISY], 2);
        assert_int_equal(export.uses[PLY_DECIDED], 1);
        assert_int_equal(every.uses[PLY_NOISY], 2);
        assert_int_equal(every.uses[PLY_USED], 2);
        if (kind == FOREIGN_BULLET) {
            assert_int_equal(out.length, FOREIGN_POSITION_SIZE);
            assert_int_equal(all.length, 5 * FOREIGN_POSITION_SIZE);
        } else {
            assert_true(
                text_starts_with(buffer_view(&out), "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
            assert_non_null(strstr(buffer_string(&out), "move d7d5\n"));
            assert_null(strstr(buffer_string(&out), "e4d5"));
        }
        buffer_release(&out);
        buffer_release(&all);
    }
}

static void test_bytes_of_bulletformat(void **state) {
    (void)state;
    static RecordedGame game;
    TextBuffer out = {0};
    ForeignExport export = {0};
    short_game(&game);
    foreign_append(FOREIGN_BULLET, &game, &export, &out);
    assert_int_equal(out.length, 64);
    const uint8_t *black = (const uint8_t *)out.data + 32;
    /* Black's view: White's pawn is on e5, and the pieces are ours in the order of the squares. */
    assert_int_equal(bytes_get(black, 8), 0xFFEF00100000FFFF);
    assert_int_equal(black[8], 0x13); /* rook, then knight */
    assert_int_equal(black[9], 0x42); /* bishop, queen */
    assert_int_equal(black[16], 0x88);
    assert_int_equal((int16_t)bytes_get(black + 24, 2), centipawns(24));
    assert_int_equal(black[26], 2);
    assert_int_equal(black[27], E1);
    assert_int_equal(black[28], E1);
    assert_int_equal(bytes_get(black + 29, 3), 0);
    buffer_release(&out);
}

static void test_bytes_of_viriformat(void **state) {
    (void)state;
    static RecordedGame game;
    TextBuffer out = {0};
    ForeignExport export = {0};
    short_game(&game);
    foreign_append(FOREIGN_VIRI, &game, &export, &out);
    assert_int_equal(out.length, 32 + 3 * 4);
    const uint8_t *bytes = (const uint8_t *)out.data;
    assert_int_equal(bytes_get(bytes, 8), 0xFFFF00000000FFFF);
    assert_int_equal(bytes[8], 0x16);  /* a rook that may castle, a knight */
    assert_int_equal(bytes[23], 0xE9); /* a black knight and such a rook */
    assert_int_equal(bytes[24], 64);
    assert_int_equal(bytes[26], 1);
    assert_int_equal(bytes[30], 0);
    assert_int_equal(bytes_get(bytes + 32, 2), E2 | E4 << 6);
    assert_int_equal((int16_t)bytes_get(bytes + 34, 2), centipawns(16));
    assert_int_equal((int16_t)bytes_get(bytes + 38, 2), -centipawns(24));
    assert_int_equal(bytes_get(bytes + 40, 4), 0);
    buffer_release(&out);
}

/* The kinds of moves have other numbers there. */
static void test_moves_of_viriformat(void **state) {
    (void)state;
    static const char *const FENS[] = {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
                                       "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"};
    const Move moves[] = {move_make_kind(E1, H1, CASTLING), move_make_kind(D5, C6, EN_PASSANT),
                          move_make_promotion(A7, A8, ROOK)};
    const unsigned bits[] = {E1 | H1 << 6 | 2 << 14, D5 | C6 << 6 | 1 << 14,
                             A7 | A8 << 6 | 2 << 12 | 3 << 14};
    static RecordedGame game, back;
    for (int i = 0; i < 3; i++) {
        TextBuffer out = {0};
        ForeignExport export = {0};
        Status fault;
        assert_ok(recorded_start_fen(&game, text_view(FENS[i])));
        assert_true(recorded_add(&game, moves[i], 8));
        game.result = DRAWN;
        foreign_append(FOREIGN_VIRI, &game, &export, &out);
        assert_int_equal(bytes_get((const uint8_t *)out.data + 32, 2), bits[i]);
        TextView rest = buffer_view(&out);
        assert_true(foreign_take(FOREIGN_VIRI, &rest, 0, &back, &fault));
        assert_ok(fault);
        assert_true(position_equals(&back.start, &game.start));
        assert_int_equal(back.ply[0].move, moves[i]);
        buffer_release(&out);
    }
}

/* The next position of a game, from `*ply` on, that has a score; false after its last. */
static bool next_scored(const RecordedGame *game, int *ply, Position *pos, int *score) {
    for (; *ply <= game->ply_count; ++*ply) {
        Undo undo;
        if (*ply == 0) *pos = game->start;
        if (*ply > 0) position_make_move(pos, game->ply[*ply - 1].move, &undo);
        *score = *ply < game->ply_count ? game->ply[*ply].score : game->last_score;
        if (*score != RECORD_NO_SCORE) {
            ++*ply;
            return true;
        }
    }
    return false;
}

/* All that the format has of the game is in the games that are read: from `rest` all of them. */
static void check_games(const RecordedGame *game, TextView rest, ForeignKind format) {
    static RecordedGame back;
    Status fault;
    Position pos;
    int ply = 0, score;
    if (format != FOREIGN_BULLET) {
        assert_true(foreign_take(format, &rest, 0, &back, &fault));
        assert_ok(fault);
        assert_int_equal(back.ply_count, game->ply_count);
        assert_int_equal(back.result, game->result);
        for (int i = 0; i < game->ply_count; i++) {
            assert_int_equal(back.ply[i].move, game->ply[i].move);
            assert_int_equal(back.ply[i].score, game->ply[i].score);
        }
        char fen[FEN_CAPACITY], fen_back[FEN_CAPACITY];
        Position start = game->start, start_back = back.start;
        start.chess960 = start_back.chess960 = true;
        fen_write(&start, fen);
        fen_write(&start_back, fen_back);
        assert_string_equal(fen, fen_back);
    } else {
        while (next_scored(game, &ply, &pos, &score)) {
            assert_true(foreign_take(FOREIGN_BULLET, &rest, 0, &back, &fault));
            assert_ok(fault);
            for (int square = 0; square < SQUARE_COUNT; square++) {
                const Piece piece = position_piece_on(&pos, square_relative(pos.side, (Square)square));
                const Piece found = position_piece_on(&back.start, (Square)square);
                assert_int_equal(found, piece == NO_PIECE ? NO_PIECE : (Piece)(piece ^ (unsigned)pos.side));
            }
            assert_int_equal(back.last_score, pos.side == WHITE ? score : -score);
            assert_int_equal(game_half_points(back.result, WHITE), game_half_points(game->result, pos.side));
        }
    }
    assert_false(foreign_take(format, &rest, 0, &back, &fault));
}

/* LUFT_TEST_FULL=1: 100,000 positions of each. */
static void test_there_and_back(void **state) {
    (void)state;
    static RecordedGame game;
    const uint64_t games = getenv("LUFT_TEST_FULL") != NULL ? 1800 : 60;
    uint64_t plies = 0;
    for (uint64_t i = 0; i < games; i++) {
        record_random_game(i, &game);
        plies += (uint64_t)game.ply_count;
        for (ForeignKind format = 0; format < FOREIGN_KINDS; format++) {
            TextBuffer out = {0};
            ForeignExport export = {0};
            if (recorded_is_empty(&game) || (format == FOREIGN_PLAIN && game.ply_count == 0)) continue;
            foreign_append(format, &game, &export, &out);
            check_games(&game, buffer_view(&out), format);
            buffer_release(&out);
        }
    }
    assert_true(games < 1000 || plies >= 100000);
}

/* A fault costs what follows it in its game. */
static void test_moves_before_a_fault_are_kept(void **state) {
    (void)state;
    static RecordedGame game;
    TextBuffer out = {0};
    ForeignExport export = {0};
    Status fault;
    short_game(&game);
    foreign_append(FOREIGN_VIRI, &game, &export, &out);
    foreign_append(FOREIGN_VIRI, &game, &export, &out);
    bytes_put((uint8_t *)out.data + 36, E2 | E4 << 6, 2);
    TextView rest = buffer_view(&out);
    assert_true(foreign_take(FOREIGN_VIRI, &rest, 0, &game, &fault));
    assert_fails(fault, "ply 1 is no legal move");
    assert_int_equal(game.ply_count, 1);
    assert_int_equal(game.result, BLACK_WINS);
    assert_true(foreign_take(FOREIGN_VIRI, &rest, 0, &game, &fault));
    assert_ok(fault);
    assert_int_equal(game.ply_count, 2);
    buffer_release(&out);
}

/* A result alone is in none of them, and is counted. */
static void test_a_game_without_a_move_and_a_score(void **state) {
    (void)state;
    static RecordedGame game;
    recorded_start_standard(&game);
    for (ForeignKind format = 0; format < FOREIGN_KINDS; format++) {
        TextBuffer out = {0};
        ForeignExport export = {0};
        foreign_append(format, &game, &export, &out);
        assert_int_equal(out.length, 0);
        assert_int_equal(export.empty, 1);
        assert_int_equal(export.unscored + export.moveless, 0);
        buffer_release(&out);
    }
}

static void check_plain_fault(const char *text, const char *reason) {
    static RecordedGame game;
    Status fault;
    TextView rest = text_view(text);
    assert_true(foreign_take(FOREIGN_PLAIN, &rest, 0, &game, &fault));
    assert_fails(fault, reason);
    assert_int_equal(game.result, UNDECIDED);
}

static void test_faults_of_plain(void **state) {
    (void)state;
    check_plain_fault("move e2e4\nscore 0\nply 0\nresult 0\ne\n", "without fen");
    check_plain_fault("fen 8/8/8/8/8/8/8/8 w - - 0 1\nmove e2e4\nscore 0\nply 0\nresult 0\ne\n", "king");
    check_plain_fault("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nmove e2e4\nscore 0\nply 0\nresult 0\ne\n", "e2e4");
    check_plain_fault("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nmove e1e2\nscore 0\nply 0\nresult 2\ne\n",
                      "result");
    check_plain_fault("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nmove e1e2\nscore 0\nply 0\nresult 0\n",
                      "the middle");
}

/* Stockfish's 32002 is no score, a mate is one in every unit, and others have their own pawn. */
static void test_scores(void **state) {
    (void)state;
    static const struct {
        const char *score;
        int pawn, expected;
    } CASES[] = {{"32002", 208, RECORD_NO_SCORE},
                 {"31998", 208, SCORE_MATE},
                 {"-31990", 208, -SCORE_MATE},
                 {"208", 208, SCORE_UNITS_PER_PAWN},
                 {"-416", 208, -2 * SCORE_UNITS_PER_PAWN},
                 {"104", 208, (SCORE_UNITS_PER_PAWN + 1) / 2}};
    static RecordedGame game;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[200];
        Status fault;
        text_format(text, sizeof text, "fen %s\nmove e2e4\nscore %s\nply 0\nresult 0\ne\n", FEN_START,
                    CASES[i].score);
        TextView rest = text_view(text);
        assert_true(foreign_take(FOREIGN_PLAIN, &rest, CASES[i].pawn, &game, &fault));
        assert_ok(fault);
        const int expected = CASES[i].expected;
        const bool is_exact = expected == RECORD_NO_SCORE || score_is_mate(expected);
        assert_int_equal(game.ply[0].score, is_exact ? expected : record_round_score(expected));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_lines),
        cmocka_unit_test(test_only_usable_positions),
        cmocka_unit_test(test_bytes_of_bulletformat),
        cmocka_unit_test(test_bytes_of_viriformat),
        cmocka_unit_test(test_moves_of_viriformat),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_a_game_without_a_move_and_a_score),
        cmocka_unit_test(test_faults_of_plain),
        cmocka_unit_test(test_moves_before_a_fault_are_kept),
        cmocka_unit_test(test_scores),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
