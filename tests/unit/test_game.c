/* The model of a game: results, ends, and moves that are taken back with their notes. */
#include "chess/game.h"
#include "test_support.h"

static void results_are_written_and_read(void **state) {
    (void)state;
    for (int i = UNDECIDED; i < GAME_RESULTS; i++) {
        GameResult read = UNDECIDED;
        assert_true(game_result_parse(text_view(game_result_text((GameResult)i)), &read));
        assert_int_equal(read, i);
    }
    GameResult kept = DRAWN;
    assert_false(game_result_parse(text_view("1-1"), &kept));
    assert_false(game_result_parse(text_view(NULL), &kept));
    assert_int_equal(kept, DRAWN);
}

static void half_points_are_those_of_the_side(void **state) {
    (void)state;
    assert_int_equal(game_half_points(WHITE_WINS, WHITE), 2);
    assert_int_equal(game_half_points(WHITE_WINS, BLACK), 0);
    assert_int_equal(game_half_points(DRAWN, WHITE), 1);
    assert_int_equal(game_half_points(DRAWN, BLACK), 1);
    assert_int_equal(game_half_points(game_won_by(BLACK), BLACK), 2);
}

static void the_rules_end_a_game(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        GameEnd end;
        GameResult result;
    } CASES[] = {{FEN_START, GAME_GOES_ON, UNDECIDED},
                 {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", CHECKMATE, WHITE_WINS},
                 {"8/8/8/8/8/1k6/1q6/K7 w - - 0 1", CHECKMATE, BLACK_WINS},
                 {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", STALEMATE, DRAWN},
                 {"8/8/4k3/8/8/4K3/8/R7 w - - 100 90", FIFTY_MOVES, DRAWN},
                 {"8/8/4k3/8/8/4K3/8/8 w - - 0 1", DEAD_POSITION, DRAWN}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const Position pos = test_position(CASES[i].fen);
        assert_int_equal(game_end(&pos), CASES[i].end);
        assert_int_equal(game_end_result(game_end(&pos), &pos), CASES[i].result);
    }
    for (int end = GAME_GOES_ON; end < GAME_ENDS; end++) assert_non_null(game_end_name((GameEnd)end));
}

static void add_moves(Game *game, const char *moves) {
    TextView rest = text_view(moves);
    for (TextView word = text_next_word(&rest); !text_is_empty(word); word = text_next_word(&rest)) {
        const Position pos = game_position(game, game->move_count);
        Move move = MOVE_NONE;
        assert_ok(lan_parse(&pos, word, &move));
        assert_ok(game_add_move(game, move, "played"));
    }
}

static void moves_are_taken_back_with_their_notes(void **state) {
    (void)state;
    Game game = {.start = test_position(FEN_START)};
    add_moves(&game, "e2e4 e7e5 g1f3");
    assert_ok(game_add_nag(&game, 3, 1));
    assert_ok(game_add_comment(&game, 3, text_view("and again")));
    game.result = WHITE_WINS;
    game.end = RESIGNATION;
    game_cut(&game, 1);
    assert_int_equal(game.move_count, 1);
    assert_int_equal(game.note_count, 1);
    assert_string_equal(game_comment(&game, 1), "played");
    assert_null(game_comment(&game, 3));
    assert_int_equal(game.result, UNDECIDED);
    assert_int_equal(game.end, GAME_GOES_ON);
    add_moves(&game, "c7c5");
    assert_string_equal(game_comment(&game, 1), "played");
    assert_string_equal(game_comment(&game, 2), "played");
    const Position pos = game_position(&game, 2);
    assert_int_equal(position_piece_on(&pos, C5), BLACK_PAWN);
    game_release(&game);
}

static void tags_without_a_value_are_left_out(void **state) {
    (void)state;
    static const char *const TAGS[][2] = {{"Event", "E"}, {"Round", NULL}, {"Site", "S"}};
    Game game = {0};
    assert_ok(game_set_tags(&game, TAGS, 3));
    assert_int_equal(game.tag_count, 2);
    assert_string_equal(game_tag(&game, "Site"), "S");
    static const char *const BAD[][2] = {{"White", "W"}, {"no name", "x"}};
    assert_fails(game_set_tags(&game, BAD, 2), "no name");
    game_release(&game);
}

static void tags_are_text_alone(void **state) {
    (void)state;
    static const char *const CASES[][2] = {
        {"M\xC3\xBCller \xE2\x99\x98 \xF0\x9F\x99\x82", "M\xC3\xBCller \xE2\x99\x98 \xF0\x9F\x99\x82"},
        {"M\xFCller", "M\xFCller"}, /* Latin-1 */
        {"a\x1b[1m\x7f\n", "a [1m  "},
        {"a\xC2\x9B z\x9B", "a   z "},                      /* C1 controls, as UTF-8 and alone */
        {"a\xE2\x80\xAE\xC2\xADz\xE2\x80", "a     z\xE2 "}, /* direction of text, a soft hyphen */
    };
    Game game = {0};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_ok(game_set_tag(&game, "White", CASES[i][0]));
        assert_string_equal(game_tag(&game, "White"), CASES[i][1]);
    }
    game_release(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_written_and_read),
        cmocka_unit_test(half_points_are_those_of_the_side),
        cmocka_unit_test(the_rules_end_a_game),
        cmocka_unit_test(moves_are_taken_back_with_their_notes),
        cmocka_unit_test(tags_without_a_value_are_left_out),
        cmocka_unit_test(tags_are_text_alone),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
