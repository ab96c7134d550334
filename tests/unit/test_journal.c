/* The journal of a match: written, read, cut, damaged, or of another match. */
#include "lab/match/journal.h"

#include "base/file.h"
#include "test_support.h"

#include <stdio.h>
#include <unistd.h>

typedef struct Seen {
    int count;
    PairResult pairs[8];
} Seen;

static Status see(void *context, const PairResult *pair) {
    Seen *seen = context;
    seen->pairs[seen->count++] = *pair;
    return status_ok();
}

static EngineConfig engines[4]; /* large; the tests run one after the other */

static MatchSetup new_setup(void) {
    static char path[64];
    text_format(path, sizeof path, "/tmp/luft-journal-%d", (int)getpid());
    memset(engines, 0, sizeof engines);
    text_copy(text_view("A"), engines[0].name, sizeof engines[0].name);
    for (int i = 1; i < 4; i++)
        text_copy(text_view((const char *[]){"B", "C", "D"}[i - 1]), engines[i].name, sizeof engines[i].name);
    return (MatchSetup){.engines = engines, .engine_count = 2, .journal_path = path};
}

static PairResult example(int index) {
    PairResult pair = {.index = index, .outcome = 3};
    pair.game[0] = (GameSummary){.result = WHITE_WINS, .end = CHECKMATE, .plies = 77};
    pair.game[1] = (GameSummary){
        .result = DRAWN, .end = ENGINE_FAULT, .fault = FAULT_CRASH, .at_fault = BLACK, .plies = index};
    pair.game[1].warnings[BLACK][FAULT_ILLEGAL_PV] = 4;
    pair.game[1].hash = UINT64_MAX - (uint64_t)index;
    return pair;
}

static void write_pairs(const MatchSetup *setup, int count) {
    Journal journal;
    Seen seen = {0};
    unlink(setup->journal_path);
    assert_ok(journal_open(&journal, setup, (FileMark[MATCH_FILES]){{100, 7}}, see, &seen));
    assert_int_equal(seen.count, 0);
    assert_int_equal(journal.mark[MATCH_PGN].length, 100);
    for (int i = 0; i < count; i++) {
        PairResult pair = example(i);
        assert_ok(journal_add(&journal, &pair,
                              (FileMark[MATCH_FILES]){{1000 + i, UINT64_MAX - (uint64_t)i}, {7 * i, 5}}));
    }
    journal_close(&journal);
}

static Status reopen(const MatchSetup *setup, Seen *seen, FileMark *pgn) {
    Journal journal;
    *seen = (Seen){0};
    Status status = journal_open(&journal, setup, (FileMark[MATCH_FILES]){{5000, 5}}, see, seen);
    if (status_is_ok(&status)) status = journal_begin(&journal, setup);
    *pgn = journal.mark[setup->epd_path != NULL ? MATCH_EPD : MATCH_PGN];
    journal_close(&journal);
    return status;
}

static void change_file(const char *path, const char *append, size_t cut) {
    TextBuffer content = {0};
    assert_ok(file_read(path, &content));
    TextView kept = {content.data, content.length - cut};
    TextBuffer changed = {0};
    buffer_append(&changed, kept);
    buffer_append_string(&changed, append);
    assert_ok(file_write(path, changed.data, changed.length));
    buffer_release(&content);
    buffer_release(&changed);
}

static void test_round_trip(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen;
    FileMark pgn;
    write_pairs(&setup, 3);
    assert_ok(reopen(&setup, &seen, &pgn));
    assert_int_equal(seen.count, 3);
    assert_int_equal(pgn.length, 1002);
    assert_true(pgn.hash == UINT64_MAX - 2);
    for (int i = 0; i < 3; i++) {
        PairResult expected = example(i);
        expected.restored = true;
        assert_int_equal(seen.pairs[i].index, i);
        assert_true(seen.pairs[i].restored);
        assert_int_equal(seen.pairs[i].outcome, 3);
        assert_memory_equal(seen.pairs[i].game, expected.game, sizeof expected.game);
    }
    write_pairs(&setup, 0);
    assert_ok(reopen(&setup, &seen, &pgn));
    assert_int_equal(pgn.length, 100);
    assert_int_equal(pgn.hash, 7);
    unlink(setup.journal_path);
}

static void test_torn_ends(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen;
    FileMark pgn;
    static const char *const TORN[] = {"pair 3 1 1", "p",
                                       "pair 9 1 1 0 0 1 0 0 0 0 1 1 0 0 1 0 0 0 0 5 0123456789abcdef\n"};
    for (size_t i = 0; i < sizeof TORN / sizeof TORN[0]; i++) {
        write_pairs(&setup, 2);
        change_file(setup.journal_path, TORN[i], 0);
        for (int time = 0; time < 2; time++) {
            assert_ok(reopen(&setup, &seen, &pgn));
            assert_int_equal(seen.count, 2);
            assert_int_equal(pgn.length, 1001);
        }
    }
    write_pairs(&setup, 2);
    change_file(setup.journal_path, "", 1); /* without its line feed a line may be incomplete */
    assert_ok(reopen(&setup, &seen, &pgn));
    assert_int_equal(seen.count, 1);
    write_pairs(&setup, 0);
    change_file(setup.journal_path, "", 60); /* in the middle of the header */
    assert_ok(reopen(&setup, &seen, &pgn));
    assert_int_equal(pgn.length, 5000);
    unlink(setup.journal_path);
}

static void test_damage(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen;
    FileMark pgn;
    write_pairs(&setup, 2);
    change_file(setup.journal_path, "pair 7 rubbish\npair 8\n", 0);
    assert_fails(reopen(&setup, &seen, &pgn), "is damaged at byte");
    unlink(setup.journal_path);
}

/* The first line of a journal names its format. */
static void test_older_format(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen;
    FileMark pgn;
    static const char OLD[] =
        "luft-lab match journal 1\nengine 1: A, cmd a\npairs\nbegin 0 0123456789abcdef\n";
    assert_ok(file_write(setup.journal_path, OLD, sizeof OLD - 1));
    assert_fails(reopen(&setup, &seen, &pgn), "is of an older format, or no journal of a match");
    assert_ok(file_write(setup.journal_path, "thesis\n", 7));
    assert_fails(reopen(&setup, &seen, &pgn), "or no journal of a match: it begins 'thesis'");
    unlink(setup.journal_path);
}

static void test_other_match(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen;
    FileMark pgn;
    write_pairs(&setup, 1);
    setup.concurrency = 7; /* may change */
    setup.pairs = 9;
    assert_ok(reopen(&setup, &seen, &pgn));
    setup.rules.max_moves = 50;
    assert_fails(reopen(&setup, &seen, &pgn),
                 "is of another match: 'rules: moves 0' there, now 'rules: moves 50'");
    setup.rules.max_moves = 0;
    engines[1].limits.depth = 9;
    assert_fails(reopen(&setup, &seen, &pgn), "now 'engine 2: depth=9'");
    engines[1].limits.depth = 0;
    text_copy(text_view("/bin/sh"), engines[1].command, sizeof engines[1].command);
    assert_fails(reopen(&setup, &seen, &pgn), "is of another match");
    engines[1].command[0] = '\0';
    setup.pgn_path = "other.pgn";
    assert_fails(reopen(&setup, &seen, &pgn), "'pgn: none' there, now 'pgn: other.pgn'");
    assert_fails(reopen(&setup, &seen, &pgn), "--again starts over");
    setup.pgn_path = NULL;
    unlink(setup.journal_path);
}

static void test_marks_of_two_files(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen;
    FileMark epd;
    setup.epd_path = "last.fen";
    write_pairs(&setup, 3);
    assert_ok(reopen(&setup, &seen, &epd));
    assert_int_equal(seen.count, 3);
    assert_int_equal(epd.length, 14);
    setup.epd_path = NULL;
    assert_fails(reopen(&setup, &seen, &epd), "'epd: last.fen' there, now 'pairs'");
    unlink(setup.journal_path);
}

static void expect_command(const char *path, const char *expected, size_t length) {
    TextBuffer words = {0};
    char folder[FILE_PATH_CAPACITY];
    assert_ok(journal_read_command(path, folder, &words));
    assert_string_not_equal(folder, "");
    assert_int_equal(words.length, length);
    assert_memory_equal(words.data, expected, length);
    buffer_release(&words);
}

/* The last one counts. What starts the match over, and where it was read from, are no part of it. */
static void test_command(void **state) {
    (void)state;
    static char *first[] = {"sprt", "-engine", "cmd=a b", "--again", "-rounds=3"};
    static char *second[] = {"sprt", "-engine", "cmd=a b", "-config", "file=j", "-rounds", ""};
    static char *third[] = {"sprt", "cmd=a\tb"};
    MatchSetup setup = new_setup();
    Seen seen;
    FileMark pgn;
    TextBuffer words = {0};
    char folder[FILE_PATH_CAPACITY];
    write_pairs(&setup, 2);
    assert_fails(journal_read_command(setup.journal_path, folder, &words), "which kept no command");
    for (int time = 0; time < 2; time++) {
        setup.words = (WordList){first, 5};
        assert_ok(reopen(&setup, &seen, &pgn));
        assert_int_equal(seen.count, 2);
        expect_command(setup.journal_path, "sprt\0-engine\0cmd=a b\0-rounds=3", 31);
    }
    setup.words = (WordList){second, 7};
    assert_ok(reopen(&setup, &seen, &pgn));
    expect_command(setup.journal_path, "sprt\0-engine\0cmd=a b\0-rounds\0", 30);
    setup.words = (WordList){third, 2}; /* not kept */
    assert_ok(reopen(&setup, &seen, &pgn));
    expect_command(setup.journal_path, "sprt\0-engine\0cmd=a b\0-rounds\0", 30);
    unlink(setup.journal_path);
}

/* The first test counts, of a match that has no pair yet. */
static void test_first_test(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen;
    Journal journal;
    const FileMark marks[MATCH_FILES] = {{0}};
    static const char *const TESTS[] = {NULL, "bounds [0, 5]", "bounds [0, 10]"};
    unlink(setup.journal_path);
    for (int i = 0; i < 3; i++) {
        seen = (Seen){0};
        setup.test = TESTS[i];
        assert_ok(journal_open(&journal, &setup, marks, see, &seen));
        assert_string_equal(journal.test, i < 2 ? "" : TESTS[1]);
        assert_ok(journal_begin(&journal, &setup));
        assert_string_equal(journal.test, i < 1 ? "" : TESTS[1]);
        journal_close(&journal);
    }
    write_pairs(&setup, 1);
    seen = (Seen){0};
    assert_ok(journal_open(&journal, &setup, marks, see, &seen));
    assert_ok(journal_begin(&journal, &setup));
    assert_string_equal(journal.test, "");
    journal_close(&journal);
    unlink(setup.journal_path);
}

/* Engines that come last join a match: its pairs get their places in the longer schedule, and nothing else
 * changes. */
static void test_more_engines(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen = {0};
    FileMark pgn;
    Journal journal;
    TextBuffer before = {0}, after = {0};
    write_pairs(&setup, 3);
    change_file(setup.journal_path, "3\tpair 3 torn", 0);
    setup.engine_count = 3;
    assert_ok(file_read(setup.journal_path, &before));
    assert_ok(journal_open(&journal, &setup, (FileMark[MATCH_FILES]){{5000, 5}}, see, &seen));
    journal_close(&journal); /* the match was refused */
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.pairs[1].index, 3);
    assert_int_equal(journal.mark[MATCH_PGN].length, 1002);
    assert_ok(file_read(setup.journal_path, &after));
    assert_int_equal(after.length, before.length - strlen("3\tpair 3 torn"));
    assert_memory_equal(before.data, after.data, after.length);
    buffer_release(&before);
    buffer_release(&after);
    for (int time = 0; time < 2; time++) {
        assert_ok(reopen(&setup, &seen, &pgn));
        assert_int_equal(seen.count, 3);
        assert_int_equal(pgn.length, 1002);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(seen.pairs[i].index, 3 * i); /* A - B, of the three pairings */
            assert_int_equal(seen.pairs[i].game[1].plies, i);
        }
    }
    setup.kind = MATCH_GAUNTLET; /* A against B, C; then D, too */
    write_pairs(&setup, 5);
    setup.engine_count = 4;
    assert_ok(reopen(&setup, &seen, &pgn));
    static const int PLACES[] = {0, 1, 3, 4, 6};
    for (int i = 0; i < 5; i++) assert_int_equal(seen.pairs[i].index, PLACES[i]);
    setup.engine_count = 3;
    assert_fails(reopen(&setup, &seen, &pgn), "it has 4 engines, this command 3; the games of these alone");
    unlink(setup.journal_path);
}

static void test_more_engines_and_another_difference(void **state) {
    (void)state;
    MatchSetup setup = new_setup();
    Seen seen;
    FileMark pgn;
    TextBuffer before = {0}, after = {0};
    write_pairs(&setup, 2);
    assert_ok(file_read(setup.journal_path, &before));
    setup.engine_count = 3;
    engines[1].limits.depth = 3;
    assert_fails(reopen(&setup, &seen, &pgn),
                 "it has 2 engines, this command 3; engines that are new come last");
    assert_ok(file_read(setup.journal_path, &after));
    assert_string_equal(buffer_string(&before), buffer_string(&after));
    engines[1].limits.depth = 0;
    change_file(setup.journal_path, "pair 7 rubbish\npair 8\n", 0);
    assert_fails(reopen(&setup, &seen, &pgn), "is damaged at byte");
    buffer_release(&before);
    buffer_release(&after);
    unlink(setup.journal_path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_torn_ends),
        cmocka_unit_test(test_damage),       cmocka_unit_test(test_older_format),
        cmocka_unit_test(test_other_match),  cmocka_unit_test(test_marks_of_two_files),
        cmocka_unit_test(test_command),      cmocka_unit_test(test_first_test),
        cmocka_unit_test(test_more_engines), cmocka_unit_test(test_more_engines_and_another_difference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
