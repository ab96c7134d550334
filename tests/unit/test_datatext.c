/* Recorded games to text and back; scores in the forms of other programs. */
#include "lab/data/datatext.h"

#include "record_support.h"

static void test_lines_there_and_back(void **state) {
    (void)state;
    static RecordedGame game, back;
    TextBuffer text = {0};
    for (uint64_t i = 0; i < 40; i++) {
        record_random_game(i, &game);
        buffer_clear(&text);
        datatext_append_line(&game, &text);
        buffer_append_string(&text, "\n");
        TextView rest = buffer_view(&text);
        int line = 1;
        bool found;
        assert_ok(datatext_read_line(&rest, &line, &back, &found));
        assert_true(found);
        record_assert_same(&game, &back);
        assert_ok(datatext_read_line(&rest, &line, &back, &found));
        assert_false(found);
    }
    TextView rest = text_view("\n \nstandard; 1-0\n");
    int line = 1;
    bool found;
    assert_fails(datatext_read_line(&rest, &line, &back, &found), "line 3: expected start");
    buffer_release(&text);
}

static void test_pgn_there_and_back(void **state) {
    (void)state;
    static RecordedGame game, back;
    TextBuffer text = {0};
    for (uint64_t i = 0; i < 40; i++) {
        record_random_game(i, &game);
        assert_ok(datatext_append_pgn(&game, i, &text));
    }
    TextView rest = buffer_view(&text);
    int line = 1;
    bool found;
    for (uint64_t i = 0; i < 40; i++) {
        record_random_game(i, &game);
        assert_ok(datatext_read_pgn(&rest, &line, &back, &found));
        assert_true(found);
        assert_true(position_equals(&game.start, &back.start));
        assert_int_equal(game.ply_count, back.ply_count);
        assert_int_equal(game.result, back.result);
        assert_int_equal(game.end, back.end);
        for (int k = 0; k < game.ply_count; k++) {
            assert_int_equal(game.ply[k].move, back.ply[k].move);
            assert_int_equal(game.ply[k].score, back.ply[k].score);
        }
    }
    assert_ok(datatext_read_pgn(&rest, &line, &back, &found));
    assert_false(found);
    buffer_release(&text);
}

static int pawns(double number) { return record_round_score((int)(number * SCORE_UNITS_PER_PAWN + 0.5)); }

static void test_scores_of_match_runners(void **state) {
    (void)state;
    static RecordedGame game;
    const char *pgn =
        "[Event \"?\"]\n[Result \"1-0\"]\n\n1. e4 {+0.50/12 0.1s} e5 {-0.24/11 0.1s} 2. Qh5 {book} Nc6 "
        "{+M12/30} 3. Bc4 {0.00/3} Nf6 {-M2/9} 4. Qxf7# {+M1/5 1s} 1-0\n";
    const int expected[] = {pawns(0.5), pawns(0.24), RECORD_NO_SCORE, -SCORE_MATE, 0, SCORE_MATE, SCORE_MATE};
    TextView rest = text_view(pgn);
    int line = 1;
    bool found;
    assert_ok(datatext_read_pgn(&rest, &line, &game, &found));
    assert_int_equal(game.ply_count, 7);
    assert_int_equal(game.result, WHITE_WINS);
    assert_int_equal(game.start_white, 518);
    for (int i = 0; i < 7; i++) assert_int_equal(game.ply[i].score, expected[i]);
    rest = text_view("[Result \"*\"]\n\n1. e4 *\n");
    assert_fails(datatext_read_pgn(&rest, &line, &game, &found), "no result");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_there_and_back),
        cmocka_unit_test(test_pgn_there_and_back),
        cmocka_unit_test(test_scores_of_match_runners),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
