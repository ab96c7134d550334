/* What the player types: commands, moves in any spelling, and why a move is refused. */
#include "cli/play_words.h"
#include "test_support.h"

static void commands_are_known_in_any_case(void **state) {
    (void)state;
    TextView rest;
    assert_int_equal(play_words_read(text_view("  UNDO "), &rest), PLAY_UNDO);
    assert_int_equal(play_words_read(text_view("save my game.pgn"), &rest), PLAY_SAVE);
    assert_true(text_equals(rest, "my game.pgn"));
    assert_int_equal(play_words_read(text_view("?"), &rest), PLAY_HELP);
    assert_int_equal(play_words_read(text_view(" \t"), &rest), PLAY_NOTHING);
    assert_int_equal(play_words_read(text_view(" e4 "), &rest), PLAY_MOVE);
    assert_true(text_equals(rest, "e4"));
}

static void help_lists_every_command(void **state) {
    (void)state;
    TextBuffer text = {0};
    play_words_append_help(&text);
    for (int word = PLAY_UNDO; word <= PLAY_QUIT; word++) {
        TextView lines = buffer_view(&text), line, rest;
        bool found = false;
        while (text_next_line(&lines, &line)) found |= (int)play_words_read(line, &rest) == word;
        assert_true(found);
    }
    buffer_release(&text);
}

static void moves_are_read_in_any_spelling(void **state) {
    (void)state;
    static const struct {
        const char *fen, *text, *move;
    } CASES[] = {
        {FEN_START, "nf3", "g1f3"},
        {FEN_START, "Nf3", "g1f3"},
        {FEN_START, "NF3", "g1f3"},
        {FEN_START, "E4", "e2e4"},
        {FEN_START, "e2-e4", "e2e4"},
        {FEN_START, "E2E4", "e2e4"},
        {FEN_START, "1. e4", "e2e4"},
        {FEN_START, "1.e4!", "e2e4"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o-o", "e1c1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "OO", "e1g1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "12... 0-0", "e8g8"},
        {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8Q", "a7a8q"},
        {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=n", "a7a8n"},
        {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "A8R", "a7a8r"},
        /* A small b means the file if a pawn can capture from it, otherwise the bishop. */
        {"4k3/8/8/8/2p5/1P2B3/8/4K3 w - - 0 1", "bc4", "b3c4"},
        {"4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1", "bxc4", "b3c4"},
        {"4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1", "Bxc4", "d3c4"},
        {"4k3/8/8/8/2p5/P2B4/8/4K3 w - - 0 1", "bxc4", "d3c4"},
        {"4k3/8/8/8/8/B7/1P6/4K3 w - - 0 1", "bb4", "a3b4"},
        {"4k3/8/8/8/8/B7/1P6/4K3 w - - 0 1", "b4", "b2b4"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const Position pos = test_position(CASES[i].fen);
        Move move = MOVE_NONE;
        char lan[LAN_CAPACITY];
        assert_ok(play_words_read_move(&pos, text_view(CASES[i].text), &move));
        lan_write(&pos, move, lan);
        assert_string_equal(lan, CASES[i].move);
    }
}

static void a_refused_move_gives_the_reason_and_alternatives(void **state) {
    (void)state;
    static const struct {
        const char *fen, *text, *reason, *instead;
    } CASES[] = {
        {FEN_START, "Nf6", "no knight can go to f6", "legal moves: Na3, Nc3, Nf3, Nh3"},
        {FEN_START, "e5", "no pawn can go to e5", "a3"},
        {FEN_START, "Nd2", "a pawn of the same side is on d2", "Nf3"},
        {FEN_START, "Bc4", "no bishop can go to c4", "legal moves: c4"},
        {FEN_START, "e7e5", "no piece of the side to move is on e7", "e3"},
        {FEN_START, "e4e5", "no piece of the side to move is on e4", "a3"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Qd4", "White has no queen", "Kd2"},
        {"4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", "it would leave the king in check", "Kd1"},
        {"4r1k1/8/8/8/8/8/3N4/4K3 w - - 0 1", "Nf3", "the king is in check", "legal moves: Ne4"},
        {"4r1k1/8/8/8/8/8/8/3K4 w - - 0 1", "Ke2", "the king would be in check on e2", "Kd2"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--", "neither a move", "help"},
        {"4k3/8/8/8/8/8/8/1N1RK1N1 w - - 0 1", "O-O", "king or rook has moved", "Kd2"},
        {"4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "O-O", "a piece is between", "Kd2"},
        {"4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", "O-O", "attacked or blocked", "Kd1"},
        {"4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "O-O", "the king is in check", "Kd1"},
        {"4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2", "ambiguous", "Nbd2, Nfd2"},
        {"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8", "ambiguous", "a8=Q, a8=N, a8=R, a8=B"},
        {FEN_START, "udno", "neither a move", "did you mean 'undo'?"},
        {FEN_START, "please win this game for me now", "neither a move", "'help' lists them"},
        {FEN_START, "\xff\xfe", "neither a move", "help"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const Position pos = test_position(CASES[i].fen);
        Move move = MOVE_NONE;
        const Status status = play_words_read_move(&pos, text_view(CASES[i].text), &move);
        assert_fails(status, CASES[i].reason);
        assert_fails(status, CASES[i].instead);
        assert_int_equal(move, MOVE_NONE);
    }
}

/* Every legal move of random games is read as written, in lower and in upper case. */
static void every_written_move_is_read(void **state) {
    (void)state;
    Rng rng = rng_seed(1);
    for (int game = 0; game < 20; game++) {
        Position pos = test_position(FEN_START);
        for (int ply = 0; ply < 80; ply++) {
            const Move move = test_random_move(&pos, &rng);
            char san[SAN_CAPACITY];
            Move read = MOVE_NONE;
            Undo undo;
            if (move == MOVE_NONE) break;
            san_write(&pos, move, san);
            assert_ok(play_words_read_move(&pos, text_view(san), &read));
            assert_int_equal(read, move);
            if (san[0] != 'B') { /* a small b may be a pawn */
                for (char *c = san; *c != '\0'; c++) *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
                assert_ok(play_words_read_move(&pos, text_view(san), &read));
                assert_int_equal(read, move);
            }
            position_make_move(&pos, move, &undo);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_known_in_any_case),
        cmocka_unit_test(help_lists_every_command),
        cmocka_unit_test(moves_are_read_in_any_spelling),
        cmocka_unit_test(a_refused_move_gives_the_reason_and_alternatives),
        cmocka_unit_test(every_written_move_is_read),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
