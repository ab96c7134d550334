/* What is a FEN among the words of a command line, and what the name of a file; what becomes of the lines and
 * games of a file. */
#include "cli/source.h"
#include "test_support.h"

static void seven_slashes_make_a_fen(void **state) {
    (void)state;
    assert_true(source_is_fen(text_view(FEN_START)));
    assert_true(source_is_fen(text_view("8/8/8/8/8/8/8/ w"))); /* a bad one is reported as a bad FEN */
    assert_false(source_is_fen(text_view("8/8/8 w")));
    assert_false(source_is_fen(text_view("")));
}

static void a_path_with_seven_slashes_is_a_file(void **state) {
    (void)state;
    assert_false(source_is_fen(text_view("/home/me/chess/games/2026/november/club/game")));
    assert_false(source_is_fen(text_view("home/me/chess/games/2026/november/club/game.pgn")));
    assert_false(source_is_fen(text_view("../../../../../../../game")));
}

static void words_are_joined_by_blanks(void **state) {
    (void)state;
    char *parts[] = {"4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1"};
    const WordList words = {parts, 6};
    TextBuffer text = {0};
    Position pos;
    source_join(&words, &text);
    assert_string_equal("4k3/8/8/8/8/8/8/4K3 w - - 0 1", buffer_string(&text));
    buffer_release(&text);
    assert_ok(source_read_fen(&words, &pos));
    parts[1] = "x";
    assert_fails(source_read_fen(&words, &pos), "FEN");
}

/* --- files --- */

static Status take_line(void *context, TextView line) {
    if (text_equals(line, "bad")) return status_error("it is bad");
    buffer_append_format(context, "%.*s|", (int)line.length, line.data);
    return status_ok();
}

static void assert_lines(const char *text, const char *taken, const char *reason) {
    TextBuffer seen = {0};
    const Status status = source_each_line(text_view(text), take_line, &seen);
    if (reason == NULL)
        assert_ok(status);
    else
        assert_fails(status, reason);
    assert_string_equal(buffer_string(&seen), taken);
    buffer_release(&seen);
}

static void a_bad_line_costs_only_itself(void **state) {
    (void)state;
    assert_lines("one\n\n two \r\nthree", "one|two|three|", NULL);
    assert_lines("one\nbad\ntwo\nbad\n", "one|two|", "2 of the 4 positions could not be read");
    assert_lines("\nbad\n\n", "", "it is bad");
    assert_lines("\n", "", "there is neither a position nor a game in it");
}

static Status take_game(void *context, const Game *game, int number) {
    if (game->move_count == 5) return status_error("no");
    buffer_append_format(context, "%d:%d ", number, game->move_count);
    return status_ok();
}

static void assert_games(const char *text, const char *taken, const char *reason) {
    TextBuffer seen = {0};
    const Status status = source_each_game(text_view(text), take_game, &seen);
    if (reason == NULL)
        assert_ok(status);
    else
        assert_fails(status, reason);
    assert_string_equal(buffer_string(&seen), taken);
    buffer_release(&seen);
}

static void a_bad_game_costs_only_itself(void **state) {
    (void)state;
    assert_games("1. e4 e5 1-0\n\n1. d4 *\n", "1:2 2:1 ", NULL);
    assert_games("[Event \"a\"]\n\n1. e5 *\n\n[Event \"b\"]\n\n1. d4 *\n", "1:1 ",
                 "1 of the 2 games could not be read");
    assert_games("1. e4 *\n\n1. a3 a6 2. a4 a5 3. b3 *\n\n1. d4 *\n", "1:1 ", "no");
    assert_games("", "", "there is neither a position nor a game in it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seven_slashes_make_a_fen),     cmocka_unit_test(a_path_with_seven_slashes_is_a_file),
        cmocka_unit_test(words_are_joined_by_blanks),   cmocka_unit_test(a_bad_line_costs_only_itself),
        cmocka_unit_test(a_bad_game_costs_only_itself),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
