/* Opening books: EPD, PGN, none; orders; what is refused. */
#include "lab/match/openings.h"

#include "base/file.h"
#include "chess/game.h"
#include "lab/kit/key_set.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct BookFile {
    char path[64];
} BookFile;

/* Writes a temporary book with the given ending. */
static BookFile write_book(const char *ending, const char *text) {
    BookFile file;
    text_format(file.path, sizeof file.path, "/tmp/luft-book-%d%s", (int)getpid(), ending);
    assert_ok(file_write(file.path, text, strlen(text)));
    return file;
}

static Status load(OpeningOptions options, const char *ending, const char *text, OpeningBook **book) {
    BookFile file = write_book(ending, text);
    options.path = file.path;
    Status status = openings_load(&options, book);
    unlink(file.path);
    return status;
}

static const char EPD[] = "\xEF\xBB\xBF# comment\n" /* after a byte order mark */
                          "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"1\";\r\n"
                          "\n"
                          "4k3/4p3/8/8/8/8/8/4K3 b - - 4 20\n"
                          "4k3/8/8/8/8/8/8/R3K3 w Q -\n";

static void test_epd(void **state) {
    (void)state;
    OpeningBook *book = NULL;
    char fen[FEN_CAPACITY];
    assert_ok(load((OpeningOptions){.start = 1}, ".epd", EPD, &book));
    assert_int_equal(openings_count(book), 3);
    Opening opening = openings_get(book, 0, fen);
    assert_string_equal(opening.fen, "4k3/4p3/8/8/8/8/8/4K3 b - - 4 20");
    assert_int_equal(opening.number, 2);
    assert_int_equal(opening.move_count, 0);
    assert_string_equal(openings_get(book, 2, fen).fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_int_equal(openings_get(book, 3000000001u, fen).number,
                     openings_get(book, 3000000001u % 3, fen).number);
    openings_release(book);
}

/* EPD has counters as operations. Wrong ones are ignored. */
static void test_counters_of_epd(void **state) {
    (void)state;
    OpeningBook *book = NULL;
    char fen[FEN_CAPACITY];
    assert_ok(load((OpeningOptions){0}, ".epd",
                   "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 25; ce 28;\n"
                   "4k3/8/8/8/8/8/4P3/4K3 w - - id \"hmvc 3; fmvn 2\"; hmvc -1; fmvn 0; hmvc 101;\n",
                   &book));
    assert_string_equal(openings_get(book, 0, fen).fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 3 25");
    assert_string_equal(openings_get(book, 1, fen).fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    openings_release(book);
}

static void test_random_order(void **state) {
    (void)state;
    char fen[FEN_CAPACITY];
    int orders = 0, first_order = -1;
    for (uint64_t seed = 0; seed < 10; seed++) {
        int order = 0, again = 0, seen = 0;
        for (int time = 0; time < 2; time++) {
            OpeningBook *book = NULL;
            assert_ok(load((OpeningOptions){.order = OPENINGS_RANDOM, .seed = seed}, ".epd", EPD, &book));
            for (uint64_t i = 0; i < 3; i++) {
                const int number = openings_get(book, i, fen).number;
                seen |= 1 << number;
                *(time == 0 ? &order : &again) = *(time == 0 ? &order : &again) * 4 + number;
            }
            openings_release(book);
        }
        assert_int_equal(order, again);
        assert_int_equal(seen, 2 + 4 + 8);
        orders += first_order >= 0 && order != first_order;
        if (first_order < 0) first_order = order;
    }
    assert_true(orders > 0);
}

static void test_pgn(void **state) {
    (void)state;
    static const char PGN[] = "[Event \"a\"]\n\n1. e4 {good} e5 2. Nf3 (2. f4) Nc6 *\n\n"
                              "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
    OpeningBook *book = NULL;
    char fen[FEN_CAPACITY];
    assert_ok(load((OpeningOptions){.plies = 3}, ".PGN", PGN, &book));
    assert_int_equal(openings_count(book), 2);
    Opening opening = openings_get(book, 0, fen);
    assert_string_equal(opening.fen, FEN_START);
    assert_int_equal(opening.move_count, 3);
    assert_int_equal(opening.moves[0], move_make(E2, E4));
    opening = openings_get(book, 1, fen);
    assert_string_equal(opening.fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_int_equal(opening.move_count, 1);
    openings_release(book);
}

static void test_no_book(void **state) {
    (void)state;
    OpeningBook *book = NULL;
    char fen[FEN_CAPACITY], other[FEN_CAPACITY];
    assert_ok(openings_load(&(OpeningOptions){.path = NULL}, &book));
    assert_int_equal(openings_count(book), 1);
    assert_string_equal(openings_get(book, 5, fen).fen, FEN_START);
    openings_release(book);
    assert_ok(openings_load(&(OpeningOptions){.path = "", .chess960 = true, .seed = 3}, &book));
    assert_int_equal(openings_count(book), FEN_CHESS960_ARRAYS);
    KeySet seen = {0};
    assert_true(key_set_reserve(&seen, FEN_CHESS960_ARRAYS));
    for (uint64_t i = 0; i < FEN_CHESS960_ARRAYS; i++) {
        Position pos;
        openings_get(book, i, fen);
        assert_ok(fen_parse(&pos, text_view(fen), true));
        assert_true(key_set_add(&seen, pos.state.key));
    }
    assert_string_equal(openings_get(book, 7, fen).fen, openings_get(book, 960 + 7, other).fen);
    key_set_release(&seen);
    openings_release(book);
    openings_release(NULL);
}

static void test_refusals(void **state) {
    (void)state;
    OpeningBook *book = NULL;
    OpeningOptions plain = {0}, chess960 = {.chess960 = true};
    assert_fails(openings_load(&(OpeningOptions){.path = "/no/such/book.epd"}, &book), "/no/such/book.epd");
    assert_null(book);
    assert_fails(load(plain, ".epd", "", &book), "neither a position nor a game");
    assert_fails(load(plain, ".epd", "# nothing\n\n", &book), "neither a position nor a game");
    assert_fails(load(plain, ".pgn", "", &book), "neither a position nor a game");
    static const char *const FAULTY[] = {"4k3/8/8/8/8/8/4P3/4K3 w - -\n\nnonsense\n",
                                         "7k/5Q2/6K1/8/8/8/8/8 b - -\n",      /* the game is over */
                                         "1r2k3/8/8/8/8/8/8/1R2K3 w Bb -\n"}; /* no Chess960 */
    for (size_t i = 0; i < sizeof FAULTY / sizeof FAULTY[0]; i++)
        assert_fails(load(plain, ".epd", FAULTY[i], &book), "1 of the ");
    assert_ok(load(chess960, ".epd", FAULTY[2], &book));
    openings_release(book);
    assert_fails(load(plain, ".pgn", "1. e4 e5 2. Ke3 *\n", &book), "games: 1; --skip-faults goes on");
    assert_fails(load(plain, ".pgn", "1. f3 e5 2. g4 Qh4# 0-1\n", &book), "games: 1; --skip-faults goes on");
}

static void test_generated(void **state) {
    (void)state;
    for (int chess960 = 0; chess960 < 2; chess960++) {
        OpeningBook *book = NULL, *other = NULL;
        assert_ok(openings_load(&(OpeningOptions){.generate = 1, .chess960 = chess960}, &book));
        assert_ok(openings_load(&(OpeningOptions){.generate = 2, .chess960 = chess960}, &other));
        assert_true(openings_count(book) > 1000000);
        for (uint64_t i = 0; i < 5; i++) {
            char fen[FEN_CAPACITY], again[FEN_CAPACITY], next[FEN_CAPACITY], elsewhere[FEN_CAPACITY];
            Position pos;
            assert_ok(fen_parse(&pos, text_view(openings_get(book, i, fen).fen), chess960));
            assert_int_equal(game_end(&pos), GAME_GOES_ON);
            assert_in_range(pos.fullmove, 5, 5); /* after 8 or 9 plies */
            assert_string_equal(fen, openings_get(book, i, again).fen);
            assert_string_not_equal(fen, openings_get(book, i + 1, next).fen);
            assert_string_not_equal(fen, openings_get(other, i, elsewhere).fen);
        }
        openings_release(book);
        openings_release(other);
    }
}

/* With the switch, what can be used of a book is used. */
static void test_faults_are_skipped(void **state) {
    (void)state;
    OpeningBook *book = NULL;
    const OpeningOptions skip = {.skip_faults = true};
    char fen[FEN_CAPACITY];
    assert_ok(load(skip, ".epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\nnonsense\n", &book));
    assert_int_equal(openings_count(book), 1);
    openings_release(book);
    assert_ok(load(skip, ".txt", "1. e4 e5 2. Ke3 *\n\n1. f3 e5 2. g4 Qh4# *\n\n1. d4 *\n", &book));
    assert_int_equal(openings_count(book), 2);
    assert_int_equal(openings_get(book, 0, fen).move_count, 2);
    assert_int_equal(openings_get(book, 1, fen).move_count, 1);
    openings_release(book);
    assert_fails(load(skip, ".epd", "nonsense\n", &book), "neither a position nor a game");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epd),          cmocka_unit_test(test_counters_of_epd),
        cmocka_unit_test(test_random_order), cmocka_unit_test(test_pgn),
        cmocka_unit_test(test_no_book),      cmocka_unit_test(test_generated),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_faults_are_skipped)};
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
