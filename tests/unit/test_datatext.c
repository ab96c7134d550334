/* Recorded games to text and back; scores in the forms of other programs. */
#include "lab/data/datatext.h"

#include "chess/pgn.h"
#include "record_support.h"

static void test_lines_there_and_back(void **state) {
    (void)state;
    static RecordedGame game, back;
    TextBuffer text = {0};
    for (uint64_t i = 0; i < 40; i++) {
        record_random_game(i, &game);
        buffer_clear(&text);
        datatext_append_line(&game, &text);
        assert_ok(datatext_parse_line(text_trim(buffer_view(&text)), &back));
        record_assert_same(&game, &back);
    }
    assert_fails(datatext_parse_line(text_view("standard; 1-0"), &back), "expected start");
    buffer_release(&text);
}

/* Takes the next game off a PGN text. */
static Status next_game(TextView *rest, RecordedGame *game) {
    Game pgn = {0};
    Problems problems = {0};
    bool found;
    int line = 1;
    assert_ok(pgn_read_game(rest, &line, &pgn, &found, &problems));
    assert_true(found);
    const Status status = datatext_take_game(&pgn, game);
    game_release(&pgn);
    return status;
}

static void test_pgn_there_and_back(void **state) {
    (void)state;
    static RecordedGame game, back;
    TextBuffer text = {0};
    for (uint64_t i = 0; i < 40; i++) {
        record_random_game(i, &game);
        assert_ok(datatext_append_pgn(&game, true, i, &text));
    }
    TextView rest = buffer_view(&text);
    for (uint64_t i = 0; i < 40; i++) {
        record_random_game(i, &game);
        assert_ok(next_game(&rest, &back));
        assert_true(position_equals(&game.start, &back.start));
        assert_int_equal(game.ply_count, back.ply_count);
        assert_int_equal(game.result, back.result);
        assert_int_equal(game.end, back.end);
        for (int k = 0; k < game.ply_count; k++) {
            assert_int_equal(game.ply[k].move, back.ply[k].move);
            assert_int_equal(game.ply[k].score, back.ply[k].score);
        }
    }
    buffer_release(&text);
}

static int pawns(double number) { return record_round_score((int)(number * SCORE_UNITS_PER_PAWN + 0.5)); }

static void test_scores_of_match_runners(void **state) {
    (void)state;
    static RecordedGame game;
    const char *pgn = "[Result \"1-0\"]\n\n1. e4 {+0.50/12 0.1s} e5 {-0.24/11 0.1s} 2. Qh5 {book} Nc6 "
                      "{+M12/30} 3. Bc4 {0.00/3} Nf6 {-M2/9} 4. Qxf7# {+M1/5 1s} 1-0\n"
                      "[Result \"*\"]\n\n1. e4 *\n";
    const int expected[] = {pawns(0.5), pawns(0.24), RECORD_NO_SCORE, -SCORE_MATE, 0, SCORE_MATE, SCORE_MATE};
    TextView rest = text_view(pgn);
    assert_ok(next_game(&rest, &game));
    assert_int_equal(game.ply_count, 7);
    assert_int_equal(game.result, WHITE_WINS);
    assert_int_equal(game.start_white, 518);
    for (int i = 0; i < 7; i++) assert_int_equal(game.ply[i].score, expected[i]);
    assert_ok(next_game(&rest, &game));
    assert_int_equal(game.result, UNDECIDED);
}

/* What an engine adds by "info string pgncomment": as fastchess writes it, and as an OpenBench worker packs
 * it, verbose and compact. */
static void test_comments_of_openbench(void **state) {
    (void)state;
    static RecordedGame game;
    TextView rest =
        text_view("1. e4 {+0.50/12 0.1s, n=300, sd=9, line=\"info string pgncomment wdl 0.5 0.3\"} "
                  "e5 {-0.24/11 0.1s, n=300, sd=9, line=wdl 0.51 +3.00/4, q=-2.5; } "
                  "2. Qh5 {+0.75/8, line=-1.5/9} Nc6 {unknown} 1-0\n");
    const int expected[] = {pawns(0.5), pawns(0.24), pawns(0.75), RECORD_NO_SCORE};
    assert_ok(next_game(&rest, &game));
    assert_int_equal(game.ply_count, 4);
    for (int i = 0; i < 4; i++) assert_int_equal(game.ply[i].score, expected[i]);
}

/* [%eval] is the score after the move: that of the position before the next one. */
static void test_evaluations_in_comments(void **state) {
    (void)state;
    static RecordedGame game;
    TextView rest = text_view(
        "1. e4 {11. Nb3 is prevented.} {[%eval 0.5,20] [%clk 0:01:00]} 1... e5 {0.5} {[%eval -24,9]} "
        "2. Qh5 {[%eval #-3]} Nc6 {+1.5 for White} 3. Bc4 {[%csl Ga1] [%eval 1.00]} 1-0\n");
    const int expected[] = {RECORD_NO_SCORE, pawns(0.5), -pawns(0.24), -SCORE_MATE, RECORD_NO_SCORE};
    assert_ok(next_game(&rest, &game));
    for (int i = 0; i < 5; i++) assert_int_equal(game.ply[i].score, expected[i]);
}

/* Mates leave as moves to the mate of the game, and not as pawns; without such an end as nothing. */
static void test_mates_for_other_programs(void **state) {
    (void)state;
    static const struct {
        const char *read, *written;
    } CASES[] = {{"1. f3 {[%eval #-2]} e5 {[%eval #-1]} 2. g4 {[%eval #-1]} Qh4# 0-1\n",
                  "1. f3 {[%eval #-2]} 1... e5 {score -32000 [%eval #-1]} 2. g4 {score -32000 [%eval #-1]} "
                  "2... Qh4# {score -32000} 0-1"},
                 {"1. e4 e5 2. Qh5 Nc6 3. Bc4 {[%eval 0.00]} Nf6 {[%eval #1]} 4. Qxf7# {+M1/5} 1-0\n",
                  "3. Bc4 {[%eval 0.00]} 3... Nf6 {score 0 [%eval #1]} 4. Qxf7# {score 32000} 1-0"},
                 {"1. f3 e5 2. g4 Qh4# {[%eval #0]} 0-1\n", "2. g4 Qh4# {last score -32000} 0-1"},
                 {"1. f3 {[%eval #5]} e5 2. g4 Qh4# 0-1\n", "1. f3 e5 {score 32000} 2. g4 Qh4# 0-1"},
                 {"1. f3 {[%eval #-9]} e5 0-1\n", "1. f3 e5 {score -32000} 0-1"}};
    static RecordedGame game;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        TextBuffer text = {0};
        TextView rest = text_view(CASES[i].read);
        assert_ok(next_game(&rest, &game));
        assert_ok(datatext_append_pgn(&game, false, 1, &text));
        for (size_t at = 0; at < text.length; at++)
            if (text.data[at] == '\n') text.data[at] = ' '; /* of a long line */
        buffer_append_char(&text, '\0');
        assert_non_null(strstr(text.data, CASES[i].written));
        buffer_release(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_there_and_back),    cmocka_unit_test(test_pgn_there_and_back),
        cmocka_unit_test(test_scores_of_match_runners), cmocka_unit_test(test_comments_of_openbench),
        cmocka_unit_test(test_evaluations_in_comments), cmocka_unit_test(test_mates_for_other_programs),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
