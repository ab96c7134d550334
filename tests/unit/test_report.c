#include "review/report.h"

#include "chess/pgn.h"
#include "record/language.h"
#include "review/graph.h"
#include "search/score.h"
#include "test_support.h"

/* A game of six plies with a hand-made review: 2... Ke7 is a blunder. */
typedef struct Example {
    Game game;
    ReviewedPosition positions[7];
    Verdict verdicts[6];
    Review review;
} Example;

static void make_example(Example *made, const char *tags) {
    TextBuffer text = {0};
    buffer_append_format(&text, "%s\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", tags);
    TextView rest = buffer_view(&text);
    bool found;
    int line = 1;
    *made = (Example){0};
    Problems problems = {0};
    assert_ok(pgn_read_game(&rest, &line, &made->game, &found, &problems));
    static const double EXPECTED[] = {0.5, 0.5, 0.5, 0.75, 1, 0};
    for (int i = 0; i < 6; i++) {
        made->positions[i] = (ReviewedPosition){.score = i * SCORE_UNITS_PER_PAWN, .depth = 9, .nodes = 77};
        made->positions[i].assessment.expected = EXPECTED[i];
    }
    made->positions[5].score = score_mated_in(0);
    made->positions[4].assessment.mate = 1;
    Position pos = test_position(FEN_START);
    test_play(&pos, "e2e4 e7e5 d1h5");
    assert_ok(lan_parse(&pos, text_view("b8c6"), &made->positions[3].line[0]));
    made->positions[3].line_length = 1;
    made->verdicts[3] = (Verdict){.kind = VERDICT_BLUNDER, .loss = 0.75, .allows_mate = true};
    made->review = (Review){.positions = made->positions,
                            .verdicts = made->verdicts,
                            .done = 5,
                            .moves = 5,
                            .side = {{.moves = 3, .accuracy = 100},
                                     {.moves = 2, .accuracy = 25.5, .count = {[VERDICT_BLUNDER] = 1}}}};
    buffer_release(&text);
}

static void a_report_lists_accuracy_mistakes_and_worst_moves(void **state) {
    (void)state;
    Example made;
    TextBuffer text = {0};
    make_example(&made, "[White \"Adams\"]\n[Black \"T\xC3\xB6rre\"]");
    report_write(&(Document){.out = &text, .width = 79, .language = language_row(0)}, &made.game,
                 &made.review, true);
    assert_string_equal(buffer_string(&text), "Adams - T??rre, 1-0\n"
                                              "\n"
                                              "       accuracy  inaccuracies  mistakes  blunders\n"
                                              "White   100.0 %             0         0         0\n"
                                              "Black    25.5 %             0         0         1\n"
                                              "\n"
                                              "Decisive: 2... Ke7: Nc6 is better.\n"
                                              "\n"
                                              "White's expected score (I inaccuracy, M mistake, B blunder)\n"
                                              "  White |            ######\n"
                                              "        |            ######\n"
                                              "        |            ######\n"
                                              "        |            ######\n"
                                              "        |#########   ######\n"
                                              "        |#########   ######\n"
                                              "        |##################\n"
                                              "  Black |##################\n"
                                              "                     B\n"
                                              "            1\n"
                                              "\n"
                                              "The moves that cost most\n"
                                              "  2... Ke7      blunder       Nc6 is better.\n"
                                              "                              better 2... Nc6\n"
                                              "\n");
    buffer_release(&text);
    game_release(&made.game);
}

static void an_incomplete_review_is_marked(void **state) {
    (void)state;
    for (int done = -1; done <= 2; done++) {
        Example made;
        TextBuffer text = {0};
        make_example(&made, "");
        made.review.done = done;
        report_write(&(Document){.out = &text, .width = 10, .language = language_row(0)}, &made.game,
                     &made.review, false);
        char expected[80];
        text_format(expected, sizeof expected, "Only %d of 5 moves are judged.\n", int_max(done, 0));
        assert_non_null(strstr(buffer_string(&text), expected));
        assert_int_equal(strstr(buffer_string(&text), "White |") != NULL, done > 0);
        buffer_release(&text);
        game_release(&made.game);
    }
}

static int columns_of(TextView line) {
    int columns = 0;
    for (size_t i = 0; i < line.length; i++) columns += ((unsigned char)line.data[i] & 0xC0) != 0x80;
    return columns;
}

/* Long games share columns, short ones get several for each position. */
static void a_graph_fits_its_width(void **state) {
    (void)state;
    for (int moves = 1; moves < 400; moves = moves * 3 / 2 + 1) {
        Game game = {0};
        TextView text = text_view("*");
        bool found;
        int line = 1;
        Problems problems = {0};
        assert_ok(pgn_read_game(&text, &line, &game, &found, &problems));
        problems_release(&problems);
        static ReviewedPosition positions[500];
        static Verdict verdicts[500];
        for (int i = 0; i < 500; i++) positions[i].assessment.expected = i % 2;
        verdicts[moves - 1].kind = VERDICT_MISTAKE;
        const Review review = {.positions = positions, .verdicts = verdicts, .done = moves, .moves = moves};
        for (int width = 40; width <= 200; width += 40) {
            TextBuffer graph = {0};
            TextView row;
            int letters = 0;
            Document document = {.out = &graph, .width = (size_t)width, .language = language_row(0)};
            graph_write_text(&document, &game, &review, width > 100);
            TextView rest = buffer_view(&graph);
            while (text_next_line(&rest, &row)) {
                assert_in_range(columns_of(row), 0, width);
                for (size_t i = 7; i < row.length; i++) letters += row.data[i] == 'M';
            }
            assert_int_equal(letters, 1);
            buffer_release(&graph);
        }
        verdicts[moves - 1].kind = VERDICT_NONE;
        game_release(&game);
    }
}

static void a_picture_has_untrusted_text_as_text_only(void **state) {
    (void)state;
    Example made;
    TextBuffer text = {0};
    make_example(&made, "[White \"<script>&\\\"'\"]\n[Black \"\xFF\xC2\x9B\xE2\x80\xAE\xC3\xA9\"]");
    graph_write_svg(&(Document){.out = &text, .language = language_row(0)}, &made.game, &made.review);
    assert_non_null(strstr(buffer_string(&text), ">&lt;script&gt;&amp;&quot;' (accuracy 100.0 %) "));
    /* The game has put blanks for what steers a terminal. */
    assert_non_null(strstr(buffer_string(&text), "\\xff     \xC3\xA9 (accuracy 25.5 %), 1-0<"));
    assert_non_null(strstr(buffer_string(&text), "<title>2... Ke7: blunder, Nc6 is better.</title>"));
    buffer_release(&text);
    game_release(&made.game);
}

static void json_has_a_line_for_each_move_and_one_for_the_game(void **state) {
    (void)state;
    Example made;
    TextBuffer text = {0};
    make_example(&made, "");
    report_write_json(&(Document){.out = &text, .form = DOCUMENT_JSON, .language = language_row(0)},
                      &made.game, &made.review, 7);
    TextView rest = buffer_view(&text), line;
    int lines = 0;
    while (text_next_line(&rest, &line)) lines++;
    assert_int_equal(lines, 6);
    assert_non_null(strstr(
        buffer_string(&text),
        "\"move\":{\"uci\":\"e8e7\",\"san\":\"Ke7\"},\"depth\":9,\"nodes\":77,\"score\":{\"cp\":300},"));
    assert_non_null(
        strstr(buffer_string(&text), "\"pv\":[{\"uci\":\"b8c6\",\"san\":\"Nc6\"}],\"loss\":0.7500,"));
    assert_non_null(strstr(buffer_string(&text), "\"verdict\":\"blunder\",\"nag\":4}\n"));
    assert_non_null(strstr(buffer_string(&text),
                           "{\"schema\":1,\"game\":7,\"result\":\"1-0\",\"moves\":5,\"judged\":5,"
                           "\"white\":{\"moves\":3,\"accuracy\":100.0,\"inaccuracies\":0,"
                           "\"mistakes\":0,\"blunders\":0},\"black\":{\"moves\":2,"));
    buffer_release(&text);
    game_release(&made.game);
}

/* What a report says of a game of nine plies, by White's expected score in percent before each of them and
 * at the end. */
static void assert_decision(const char *result, const int white[10], int fault, const char *says) {
    TextBuffer text = {0};
    buffer_append_format(&text, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 %s", result);
    TextView rest = buffer_view(&text);
    Game game = {0};
    bool found;
    int line = 1;
    Problems problems = {0};
    assert_ok(pgn_read_game(&rest, &line, &game, &found, &problems));
    ReviewedPosition positions[10] = {0};
    Verdict verdicts[9] = {0};
    for (int i = 0; i < 10; i++)
        positions[i].assessment.expected = (i % 2 == 0 ? white[i] : 100 - white[i]) / 100.0;
    if (fault >= 0) verdicts[fault].kind = VERDICT_BLUNDER;
    const Review review = {.positions = positions, .verdicts = verdicts, .done = 9, .moves = 9};
    text.length = 0;
    report_write(&(Document){.out = &text, .width = 200, .language = language_row(0)}, &game, &review, true);
    const char *at = strstr(strstr(buffer_string(&text), "\nBlack"), "\n\n"),
               *end = strstr(at + 2, "\n\nWhite's expected");
    const TextView said = {at + 2, (size_t)(end - at - 2)};
    if (!text_equals(said, says)) fail_msg("'%.*s' instead of '%s'", (int)said.length, said.data, says);
    buffer_release(&text);
    game_release(&game);
}

static void a_report_says_what_decided(void **state) {
    (void)state;
    static const int SLOW[10] = {50, 55, 60, 65, 70, 80, 85, 90, 90, 90},
                     TURNED[10] = {50, 50, 50, 50, 90, 97, 97, 97, 97, 97},
                     LOST[10] = {50, 50, 50, 96, 96, 96, 97, 99, 97, 99},
                     LEVEL[10] = {50, 50, 50, 50, 50, 50, 50, 50, 50, 50},
                     SAVED[10] = {50, 50, 50, 99, 99, 99, 99, 99, 99, 60};
    assert_decision("1-0", SLOW, -1, "No single move decided the game.");
    assert_decision("1-0", TURNED, 3, "Decisive: 2... Ng8:");
    assert_decision("1-0", TURNED, -1, "No single move decided the game.");
    assert_decision("1-0", LOST, -1,
                    "No single move decided the game.\n"
                    "From move 2 on Black was lost: what was given away after that changed nothing and is "
                    "not marked.");
    assert_decision("0-1", TURNED, -1, "White was ahead when the game ended: the board did not decide it.");
    assert_decision("1/2-1/2", TURNED, -1,
                    "White was ahead when the game ended: the board did not decide it.");
    assert_decision("1-0", LEVEL, -1,
                    "Neither side was ahead when the game ended: the board did not decide it.");
    assert_decision("1/2-1/2", LEVEL, -1, "No single move decided the game.");
    assert_decision("0-1", SAVED, -1,
                    "Neither side was ahead when the game ended: the board did not decide it.");
}

/* What comes after the last position that was searched may be better. */
static void only_a_whole_review_says_that_a_side_was_lost(void **state) {
    (void)state;
    const Game game = {0};
    ReviewedPosition positions[10] = {0};
    for (int i = 1; i < 10; i += 2) positions[i].assessment.expected = 1; /* Black's */
    Review review = {.positions = positions, .done = 9, .moves = 9};
    assert_int_equal(review_lost_from(&review, &game), 0);
    review.moves = 10;
    assert_int_equal(review_lost_from(&review, &game), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_lists_accuracy_mistakes_and_worst_moves),
        cmocka_unit_test(an_incomplete_review_is_marked),
        cmocka_unit_test(a_report_says_what_decided),
        cmocka_unit_test(only_a_whole_review_says_that_a_side_was_lost),
        cmocka_unit_test(a_graph_fits_its_width),
        cmocka_unit_test(a_picture_has_untrusted_text_as_text_only),
        cmocka_unit_test(json_has_a_line_for_each_move_and_one_for_the_game),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
