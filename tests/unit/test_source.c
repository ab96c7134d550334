/* What is a FEN among the words of a command line, and what the name of a file; what becomes of the
 * text, the lines and the games of a file. */
#include "cli/source.h"

#include "base/file.h"
#include "test_support.h"

#include <unistd.h>

static void seven_slashes_make_a_fen(void **state) {
    (void)state;
    assert_true(reader_is_position(text_view(FEN_START)));
    assert_true(reader_is_position(text_view("8/8/8/8/8/8/8/ w"))); /* a bad one is reported as a bad FEN */
    assert_false(reader_is_position(text_view("8/8/8 w")));
    assert_false(reader_is_position(text_view("")));
}

static void a_path_with_seven_slashes_is_a_file(void **state) {
    (void)state;
    assert_false(reader_is_position(text_view("/home/me/chess/games/2026/november/club/game")));
    assert_false(reader_is_position(text_view("home/me/chess/games/2026/november/club/game.pgn")));
    assert_false(reader_is_position(text_view("../../../../../../../game")));
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

static Status take_position(void *context, const Position *pos, TextView operations) {
    if (text_equals(operations, "bad")) return status_error("it is bad");
    buffer_append_format(context, "%c %.*s|", pos->side == WHITE ? 'w' : 'b', (int)operations.length,
                         operations.data);
    return status_ok();
}

/* A file with this text. */
static Reader open_text(const char *text) {
    char path[64];
    Reader reader;
    text_format(path, sizeof path, "/tmp/luft-source-%d", (int)getpid());
    assert_ok(file_write(path, text, strlen(text)));
    assert_ok(reader_open(&reader, path));
    unlink(path);
    reader.path = reader.problems.origin = "file";
    return reader;
}

static void assert_taken(TextBuffer *seen, Status status, const char *taken, const char *reason) {
    if (reason == NULL)
        assert_ok(status);
    else
        assert_fails(status, reason);
    assert_string_equal(buffer_string(seen), taken);
    buffer_release(seen);
}

static void assert_positions(const char *text, const char *taken, const char *reason) {
    TextBuffer seen = {0};
    Reader reader = open_text(text);
    const Status status = source_each_position(&reader, (SourceShard){0, 0}, take_position, &seen);
    reader_close(&reader);
    assert_taken(&seen, status, taken, reason);
}

#define KINGS "4k3/8/8/8/8/8/4P3/4K3 "

static void a_bad_line_costs_only_itself(void **state) {
    (void)state;
    assert_positions(KINGS "w\n\n " KINGS "b - - bm Kd8; \r\n" KINGS "w - - ;D1 6", "w |b bm Kd8;|w D1 6|",
                     NULL);
    assert_positions("# one\n" KINGS "w\r" KINGS "b\n#two", "w |b |", NULL);
    assert_positions(KINGS "w\nnone\n" KINGS "b\n" KINGS "w - - bad\n", "w |b |",
                     "file: 2 of the 4 lines could not be read");
    assert_positions("\n\"" KINGS "w - - 0 1\"\n8/8/8/8/8/8/8/8 w\n", "w |",
                     "file: 1 of the 2 lines could not be read");
    assert_positions("\n", "", "there is neither a position nor a game in it");
}

static Status take_game(void *context, const Game *game, int number) {
    if (game->move_count == 5) return status_error("no");
    buffer_append_format(context, "%d:%d ", number, game->move_count);
    return status_ok();
}

static void assert_games(const char *text, const char *taken, const char *reason) {
    TextBuffer seen = {0};
    Reader reader = open_text(text);
    const Status status = source_each_game(&reader, (SourceShard){0, 0}, take_game, &seen);
    reader_close(&reader);
    assert_taken(&seen, status, taken, reason);
}

static void a_bad_game_costs_only_itself(void **state) {
    (void)state;
    assert_games("1. e4 e5 1-0\n\n1. d4 *\n", "1:2 2:1 ", NULL);
    assert_games("[Event \"a\"]\n\n1. e4 e4 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "1:1 2:2 ",
                 "file: faults that cost moves or games: 1");
    assert_games("1. e4 *\n\n1. a3 a6 2. a4 a5 3. b3 *\n\n1. d4 *\n", "1:1 ", "no");
    assert_games("", "", "there is neither a position nor a game in it");
}

static void the_first_line_that_is_clear_decides_what_a_file_has(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool has_games;
    } CASES[] = {{"8/8/8/8/8/8/8/8 w", false},
                 {"# comment\n\n\"8/8/8/8/8/8/8/8 w\"", false},
                 {"8/8/8/8/8/8/8 w\n8/8/8/8/8/8/8/8 w", false}, /* a bad first line costs itself */
                 {"[FEN \"x\"]\n8/8/8/8/8/8/8/8", true},
                 {"1. e4 e5", true},
                 {"", true}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Reader reader = open_text(CASES[i].text);
        assert_int_equal(reader.has_games, CASES[i].has_games);
        reader_close(&reader);
    }
}

/* What the text of a file becomes; `reason`: why it is refused. */
static void assert_text(const char *bytes, size_t length, const char *text, const char *reason) {
    char path[64];
    Reader reader;
    text_format(path, sizeof path, "/tmp/luft-source-%d", (int)getpid());
    assert_ok(file_write(path, bytes, length));
    const Status status = reader_open(&reader, path);
    unlink(path);
    if (reason != NULL) assert_fails(status, reason);
    if (reason == NULL) assert_string_equal(buffer_string(&reader.text), text);
    reader_close(&reader);
}

static void texts_of_any_encoding_are_read(void **state) {
    (void)state;
#define BYTES(string) string, sizeof string - 1
    assert_text(BYTES("\xEF\xBB\xBF"
                      "a\r\nb\rc\n\xEF\xBB\xBF"
                      "d"),
                "a\nb\nc\nd", NULL);
    assert_text(BYTES("\xFF\xFE"
                      "a\0\r\0\n\0\xBD\0\x3D\xD8\x00\xDE"),
                "a\n\u00BD\U0001F600", NULL);
    assert_text(BYTES("\xFE\xFF\0a\0\n\x26\x58"), "a\n\u2658", NULL);
    assert_text(BYTES("1\0.\0 \0e\0"
                      "4\0"),
                "1. e4", NULL);
    assert_text(BYTES("M\xFCller, T\xC3\xB6rre \x96 \xE9"), "M\u00FCller, T\u00F6rre \u2013 \u00E9", NULL);
    assert_text(BYTES("1. e4\0e5 2. Nf3 Nc6"), "1. e4 e5 2. Nf3 Nc6", NULL);
    assert_text(BYTES("\x1F\x8B\x08"), "", "it is a gzip file");
    assert_text(BYTES("PK\x03\x04"), "", "it is a ZIP archive");
    assert_text(BYTES("\n <!DOCTYPE html>\n"), "", "it is a web page");
    assert_text(BYTES("\x7F"
                      "ELF\x02\x01\x01\0\0"),
                "", "it is no text");
#undef BYTES
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seven_slashes_make_a_fen),
        cmocka_unit_test(a_path_with_seven_slashes_is_a_file),
        cmocka_unit_test(words_are_joined_by_blanks),
        cmocka_unit_test(a_bad_line_costs_only_itself),
        cmocka_unit_test(a_bad_game_costs_only_itself),
        cmocka_unit_test(the_first_line_that_is_clear_decides_what_a_file_has),
        cmocka_unit_test(texts_of_any_encoding_are_read),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
