/* What is a FEN among the words of a command line, and what the name of a file. */
#include "cli/position_word.h"
#include "test_support.h"

static void seven_slashes_make_a_fen(void **state) {
    (void)state;
    assert_true(position_word_is_fen(text_view(FEN_START)));
    assert_true(position_word_is_fen(text_view("8/8/8/8/8/8/8/ w"))); /* a bad one is told as a bad FEN */
    assert_false(position_word_is_fen(text_view("8/8/8 w")));
    assert_false(position_word_is_fen(text_view("")));
}

static void a_path_with_seven_slashes_is_a_file(void **state) {
    (void)state;
    assert_false(position_word_is_fen(text_view("/home/me/chess/games/2026/november/club/game")));
    assert_false(position_word_is_fen(text_view("home/me/chess/games/2026/november/club/game.pgn")));
    assert_false(position_word_is_fen(text_view("../../../../../../../game")));
}

static void words_are_joined_by_blanks(void **state) {
    (void)state;
    char *parts[] = {"4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1"};
    const ArgumentList words = {parts, 6};
    TextBuffer text = {0};
    position_word_join(&words, &text);
    assert_string_equal("4k3/8/8/8/8/8/8/4K3 w - - 0 1", buffer_string(&text));
    buffer_release(&text);
    assert_ok(position_word_check(&words));
    parts[1] = "x";
    assert_fails(position_word_check(&words), "FEN");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seven_slashes_make_a_fen),
        cmocka_unit_test(a_path_with_seven_slashes_is_a_file),
        cmocka_unit_test(words_are_joined_by_blanks),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
