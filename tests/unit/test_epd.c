/* Test suites: parsing, refusals, and what counts as solved. */
#include "lab/match/epd.h"

#include "base/file.h"
#include "chess/reader.h"
#include "chess/san.h"
#include "test_support.h"

#include <unistd.h>

static Status parse_line(const char *line, EpdEntry *entry) {
    Position pos;
    TextView operations = text_view(line);
    const Status status = reader_take_position(&pos, &operations, false, NULL);
    return status_is_ok(&status) ? epd_parse(&pos, operations, entry) : status;
}

static EpdEntry parse(const char *line) {
    EpdEntry entry;
    Status status = parse_line(line, &entry);
    if (!status_is_ok(&status)) fail_msg("%s: %s", line, status.reason);
    return entry;
}

static Move move_of(const EpdEntry *entry, const char *lan) {
    Position pos;
    Move move = MOVE_NONE;
    Status status = fen_parse(&pos, text_view(entry->fen), entry->chess960);
    assert_true(status_is_ok(&status));
    status = lan_parse(&pos, text_view(lan), &move);
    assert_true(status_is_ok(&status));
    return move;
}

static void test_best_moves(void **state) {
    (void)state;
    EpdEntry entry =
        parse("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001; one\";");
    assert_int_equal(entry.best_count, 1);
    assert_string_equal(entry.id, "WAC.001; one");
    assert_true(epd_is_solved(&entry, move_of(&entry, "g3g6"), 0));
    assert_false(epd_is_solved(&entry, move_of(&entry, "g3g5"), 3));
    assert_false(epd_is_solved(&entry, MOVE_NONE, 0));

    entry = parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 bm e4 d2d4 Nf3");
    assert_int_equal(entry.best_count, 3);
    assert_true(epd_is_solved(&entry, move_of(&entry, "d2d4"), 0));
    char text[64];
    epd_describe_task(&entry, text, sizeof text);
    assert_string_equal(text, "e4 d4 Nf3");
}

static void test_moves_to_avoid(void **state) {
    (void)state;
    EpdEntry entry = parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - am f3 g4; c0 \"f3; g4\";");
    assert_false(epd_is_solved(&entry, move_of(&entry, "g2g4"), 0));
    assert_true(epd_is_solved(&entry, move_of(&entry, "e2e4"), 0));
    char text[64];
    epd_describe_task(&entry, text, sizeof text);
    assert_string_equal(text, "not f3 g4");
}

static void test_direct_mate(void **state) {
    (void)state;
    EpdEntry entry = parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm 1; bm Ra8#;");
    const Move mate = move_of(&entry, "a1a8");
    assert_true(epd_is_solved(&entry, mate, 1));
    assert_false(epd_is_solved(&entry, mate, 0));
    assert_false(epd_is_solved(&entry, mate, 2));
    assert_false(epd_is_solved(&entry, mate, -1));
    assert_false(epd_is_solved(&entry, move_of(&entry, "a1a7"), 1));
}

/* As matetrack's suites write it; a negative number is a mate that the side to move suffers. */
static void test_mates_as_best_moves(void **state) {
    (void)state;
    char text[64];
    EpdEntry entry = parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #12;");
    const Move move = move_of(&entry, "a1a8");
    epd_describe_task(&entry, text, sizeof text);
    assert_string_equal(text, "mate in 12");
    assert_true(epd_is_solved(&entry, move, 12));
    assert_true(epd_is_solved(&entry, move, 1));
    assert_false(epd_is_solved(&entry, move, 13));
    assert_false(epd_is_solved(&entry, move, -3));
    entry = parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #-7;");
    epd_describe_task(&entry, text, sizeof text);
    assert_string_equal(text, "mated in 7");
    assert_true(epd_is_solved(&entry, move, -7));
    assert_false(epd_is_solved(&entry, move, -8));
    assert_false(epd_is_solved(&entry, move, 7));
}

static void test_operations_as_people_write_them(void **state) {
    (void)state;
    static const char *const SAME[] = {"bm Ra8", "BM 1. Ra8;", "bm 31.Ra8!;", "bm \"Ra8\";", "bm a1a8,;"};
    static const char *const MATES[] = {"dm 3", "dm #3;", "bm #3", "DM \"3\";"};
    char line[128];
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        text_format(line, sizeof line, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - %s", SAME[i]);
        const EpdEntry entry = parse(line);
        assert_int_equal(entry.best_count, 1);
        assert_true(epd_is_solved(&entry, move_of(&entry, "a1a8"), 0));
    }
    for (size_t i = 0; i < sizeof MATES / sizeof *MATES; i++) {
        text_format(line, sizeof line, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - %s", MATES[i]);
        assert_int_equal(parse(line).mate, 3);
    }
    assert_int_equal(parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm -3;").mate, -3);
}

static void test_counters_are_optional(void **state) {
    (void)state;
    EpdEntry entry = parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 12 34 bm Ra8");
    assert_string_equal(entry.fen, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 12 34");
    entry = parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8");
    assert_string_equal(entry.fen, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
}

static void test_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",
        "no position at all bm e4;",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - id \"nothing to solve\";",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm;",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Qa8;",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm 0;",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm two;",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm 3.5;",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #0;",
        "6k1/5ppp/8/8/8/8/5PPP w - - bm Ra8;",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EpdEntry entry = {.mate = 77};
        Status status = parse_line(wrong[i], &entry);
        if (status_is_ok(&status)) fail_msg("accepted: %s", wrong[i]);
        assert_int_equal(entry.mate, 77);
    }
}

static void test_files(void **state) {
    (void)state;
    static const char GOOD[] = "\xEF\xBB\xBF# a comment\n\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8;\r\n";
    static const char BAD[] =
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8;\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Rh8;\n";
    char path[64];
    text_format(path, sizeof path, "/tmp/luft-test-epd-%d", (int)getpid());
    EpdSuite suite = {0};
    Status status = file_write(path, GOOD, sizeof GOOD - 1);
    assert_true(status_is_ok(&status));
    status = epd_load(path, false, false, &suite);
    assert_true(status_is_ok(&status));
    assert_int_equal(suite.count, 1);
    epd_release(&suite);

    status = file_write(path, BAD, sizeof BAD - 1);
    assert_true(status_is_ok(&status));
    status = epd_load(path, false, false, &suite);
    assert_non_null(strstr(status.reason, "1 of the 2 lines"));
    assert_int_equal(suite.count, 0);
    assert_ok(epd_load(path, false, true, &suite));
    assert_int_equal(suite.count, 1);
    epd_release(&suite);
    status = file_write(path, "\n", 1);
    assert_true(status_is_ok(&status));
    status = epd_load(path, false, false, &suite);
    assert_non_null(strstr(status.reason, "neither a position"));
    remove(path);
    status = epd_load(path, false, false, &suite);
    assert_non_null(strstr(status.reason, path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_moves),
        cmocka_unit_test(test_moves_to_avoid),
        cmocka_unit_test(test_direct_mate),
        cmocka_unit_test(test_mates_as_best_moves),
        cmocka_unit_test(test_operations_as_people_write_them),
        cmocka_unit_test(test_counters_are_optional),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, test_set_up_chess, NULL);
}
