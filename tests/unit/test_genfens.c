#include "chess/game.h"
#include "engine/genfens.h"

#include "base/file.h"
#include "test_support.h"

#include <stdlib.h>
#include <unistd.h>

static bool collect(void *context, const char *fen) {
    buffer_append_string(context, fen);
    buffer_append_char(context, '\n');
    return true;
}

static TextBuffer generate(const char *words) {
    GenfensRequest request;
    TextBuffer fens = {0};
    assert_ok(genfens_parse(text_view(words), &request));
    assert_ok(genfens_run(&request, &(GenfensWatcher){&fens, collect, NULL}));
    return fens;
}

static void test_parse(void **state) {
    (void)state;
    GenfensRequest request;
    assert_ok(genfens_parse(text_view("100 seed 42 book None extra words"), &request));
    assert_int_equal(request.count, 100);
    assert_int_equal(request.seed, 42);
    assert_string_equal(request.book, "");
    assert_ok(genfens_parse(text_view("1 book a/b.epd seed 18446744073709551615"), &request));
    assert_true(request.seed == UINT64_MAX);
    assert_string_equal(request.book, "a/b.epd");
}

static void test_parse_errors(void **state) {
    (void)state;
    GenfensRequest request;
    assert_fails(genfens_parse(text_view(""), &request), "number of positions");
    assert_fails(genfens_parse(text_view("0 seed 1"), &request), "number of positions");
    assert_fails(genfens_parse(text_view("99999999999 seed 1"), &request), "number of positions");
    assert_fails(genfens_parse(text_view("5 seed -1"), &request), "seed");
    assert_fails(genfens_parse(text_view("5 seed"), &request), "seed");
    assert_fails(genfens_parse(text_view("5 seed 1 book"), &request), "book");
}

static void test_same_seed_same_positions(void **state) {
    (void)state;
    TextBuffer first = generate("6 seed 7 book None"), second = generate("6 seed 7 book None");
    TextBuffer other = generate("6 seed 8 book None");
    assert_string_equal(buffer_string(&first), buffer_string(&second));
    assert_string_not_equal(buffer_string(&first), buffer_string(&other));
    buffer_release(&first);
    buffer_release(&second);
    buffer_release(&other);
}

static void test_positions_are_playable(void **state) {
    (void)state;
    TextBuffer fens = generate("20 seed 1 book None");
    TextView rest = buffer_view(&fens), line;
    int count = 0, black = 0;
    while (text_next_line(&rest, &line)) {
        Position pos;
        assert_ok(fen_parse(&pos, line, false));
        assert_int_equal(game_end(&pos), GAME_GOES_ON);
        count++;
        black += pos.side == BLACK;
    }
    assert_int_equal(count, 20);
    assert_in_range(black, 1, 19);
    buffer_release(&fens);
}

/* Writes a file with this content; the name is valid until the next call. */
static const char *write_book(const char *content) {
    static char path[] = "/tmp/luft-genfens-XXXXXX";
    memcpy(path, "/tmp/luft-genfens-XXXXXX", sizeof path);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_ok(file_write(path, content, strlen(content)));
    return path;
}

static void test_book_lines_are_epd_or_fen(void **state) {
    (void)state;
    const char *path = write_book("# two endings\n8/8/4k3/8/3PP3/3K4/8/8 w - - bm d5;\r\n\n"
                                  "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1\n");
    char words[80];
    text_format(words, sizeof words, "10 seed 3 book %s", path);
    TextBuffer fens = generate(words);
    unlink(path);
    TextView rest = buffer_view(&fens), line;
    while (text_next_line(&rest, &line)) {
        Position pos;
        assert_ok(fen_parse(&pos, line, false));
        assert_in_range(bits_count(position_occupied(&pos)), 3, 6);
    }
    buffer_release(&fens);
}

static void test_unusable_books(void **state) {
    (void)state;
    const struct {
        const char *content, *reason;
    } books[] = {{"", "no positions"},
                 {"this is no position\n", "FEN"},
                 {"7k/8/6Q1/8/8/8/8/K7 b - - 0 1\n", "playable"}};
    for (size_t i = 0; i < sizeof books / sizeof books[0]; i++) {
        GenfensRequest request = {.count = 1, .seed = 1};
        TextBuffer fens = {0};
        const char *path = write_book(books[i].content);
        text_copy(text_view(path), request.book, sizeof request.book);
        assert_fails(genfens_run(&request, &(GenfensWatcher){&fens, collect, NULL}), books[i].reason);
        unlink(path);
        assert_int_equal(fens.length, 0);
        buffer_release(&fens);
    }
    GenfensRequest missing = {.count = 1, .book = "/does/not/exist.epd"};
    assert_fails(genfens_run(&missing, &(GenfensWatcher){NULL, collect, NULL}), "/does/not/exist.epd");
}

static void test_a_book_that_is_no_regular_file_is_refused(void **state) {
    (void)state;
    const char *const paths[] = {"-", "/dev/null", "/tmp"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        GenfensRequest request = {.count = 1};
        text_copy(text_view(paths[i]), request.book, sizeof request.book);
        assert_fails(genfens_run(&request, &(GenfensWatcher){NULL, collect, NULL}), "no plain file");
    }
}

static void test_a_byte_order_mark_is_skipped(void **state) {
    (void)state;
    const char *path = write_book("\xEF\xBB\xBF"
                                  "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1\n");
    char words[300];
    text_format(words, sizeof words, "3 seed 1 book %s", path);
    TextBuffer fens = generate(words);
    assert_true(fens.length > 0);
    buffer_release(&fens);
    unlink(path);
}

static bool say_no(void *context) {
    (void)context;
    return false;
}

static bool take_none(void *context, const char *fen) {
    (void)fen;
    return say_no(context);
}

static void test_can_be_stopped(void **state) {
    (void)state;
    TextBuffer fens = {0};
    const GenfensRequest request = {.count = GENFENS_MAX};
    assert_fails(genfens_run(&request, &(GenfensWatcher){&fens, collect, say_no}), "stopped");
    assert_int_equal(fens.length, 0);
    assert_fails(genfens_run(&request, &(GenfensWatcher){NULL, take_none, NULL}), "stopped");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_parse_errors),
        cmocka_unit_test(test_same_seed_same_positions),
        cmocka_unit_test(test_positions_are_playable),
        cmocka_unit_test(test_book_lines_are_epd_or_fen),
        cmocka_unit_test(test_unusable_books),
        cmocka_unit_test(test_a_book_that_is_no_regular_file_is_refused),
        cmocka_unit_test(test_a_byte_order_mark_is_skipped),
        cmocka_unit_test(test_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
