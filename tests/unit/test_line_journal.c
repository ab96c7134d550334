/* Lines that survive: written, read again, torn, damaged, of something else. */
#include "lab/kit/line_journal.h"

#include "base/file.h"
#include "test_support.h"

#include <unistd.h>

static const char HEADER[] = "a test\nof journals\n";

typedef struct Seen {
    int count;
    char lines[8][32];
} Seen;

static Status see(void *context, TextView line, bool *whole) {
    Seen *seen = context;
    *whole = text_starts_with(line, "line");
    if (*whole) text_copy(line, seen->lines[seen->count++], sizeof seen->lines[0]);
    return text_equals(line, "line of an error") ? status_error("no more of this") : status_ok();
}

static LineJournal new_journal(void) {
    static char path[64];
    text_format(path, sizeof path, "/tmp/luft-lines-%d", (int)getpid());
    return (LineJournal){path, "test", text_view(HEADER), true};
}

static Status reopen(const LineJournal *journal, Seen *seen) {
    AppendFile file;
    *seen = (Seen){0};
    Status status = line_journal_open(&file, journal, see, seen);
    if (!status_is_ok(&status)) assert_int_equal(file.handle, -1);
    append_file_close(&file);
    return status;
}

static void add(AppendFile *file, const char *first, const char *second) {
    TextBuffer lines = {0};
    buffer_append_string(&lines, first);
    line_journal_seal(&lines);
    if (second != NULL) {
        buffer_append_string(&lines, second);
        line_journal_seal(&lines);
    }
    assert_ok(line_journal_add(file, &lines));
    buffer_release(&lines);
}

/* Three lines, two of them in one piece. */
static void write_three(const LineJournal *journal) {
    AppendFile file;
    Seen seen = {0};
    unlink(journal->path);
    assert_ok(line_journal_open(&file, journal, see, &seen));
    assert_int_equal(seen.count, 0);
    add(&file, "line 1", NULL);
    add(&file, "line 2", "line 3");
    append_file_close(&file);
}

static void change_file(const char *path, const char *append, size_t cut) {
    TextBuffer content = {0};
    assert_ok(file_read(path, &content));
    content.length -= cut;
    buffer_append_string(&content, append);
    assert_ok(file_write(path, content.data, content.length));
    buffer_release(&content);
}

static void test_round_trip(void **state) {
    (void)state;
    LineJournal journal = new_journal();
    Seen seen;
    write_three(&journal);
    for (int time = 0; time < 2; time++) {
        assert_ok(reopen(&journal, &seen));
        assert_int_equal(seen.count, 3);
        assert_string_equal(seen.lines[0], "line 1");
        assert_string_equal(seen.lines[2], "line 3");
    }
    unlink(journal.path);
}

static void test_torn_ends(void **state) {
    (void)state;
    LineJournal journal = new_journal();
    Seen seen;
    static const char *const TORN[] = {"line", "l", "line 4 0123456789abcdef\n", "\n"};
    for (size_t i = 0; i < sizeof TORN / sizeof TORN[0]; i++) {
        write_three(&journal);
        change_file(journal.path, TORN[i], 0);
        assert_ok(reopen(&journal, &seen));
        assert_int_equal(seen.count, 3);
        AppendFile file;
        assert_ok(line_journal_open(&file, &journal, see, &seen));
        add(&file, "line 4", NULL);
        append_file_close(&file);
        assert_ok(reopen(&journal, &seen));
        assert_int_equal(seen.count, 4);
    }
    write_three(&journal);
    change_file(journal.path, "", 1); /* the last line feed is missing: not known to be whole */
    assert_ok(reopen(&journal, &seen));
    assert_int_equal(seen.count, 2);
    assert_ok(file_write(journal.path, HEADER, 5));
    assert_ok(reopen(&journal, &seen));
    assert_int_equal(seen.count, 0);
    unlink(journal.path);
}

static void test_refusals(void **state) {
    (void)state;
    LineJournal journal = new_journal();
    Seen seen;
    write_three(&journal);
    change_file(journal.path, "line 4\nline 5\n", 0);
    assert_fails(reopen(&journal, &seen), "is damaged at byte");
    write_three(&journal);
    AppendFile file;
    assert_ok(line_journal_open(&file, &journal, see, &seen));
    add(&file, "nonsense", "line of an error");
    append_file_close(&file);
    assert_fails(reopen(&journal, &seen), "is damaged at byte");
    write_three(&journal);
    assert_ok(line_journal_open(&file, &journal, see, &seen));
    add(&file, "line of an error", "line 5");
    append_file_close(&file);
    assert_fails(reopen(&journal, &seen), "no more of this");
    unlink(journal.path);
}

static void test_other_header(void **state) {
    (void)state;
    LineJournal journal = new_journal();
    Seen seen;
    write_three(&journal);
    journal.header = text_view("a test\nof patience\n");
    assert_fails(reopen(&journal, &seen), "is of another test: \"of journals\" there, now \"of patience\"");
    journal.resume = false;
    assert_ok(reopen(&journal, &seen));
    assert_int_equal(seen.count, 0);
    char old[80];
    text_format(old, sizeof old, "%s.old", journal.path);
    assert_true(file_size(old) > 0);
    unlink(old);
    unlink(journal.path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_torn_ends),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_other_header)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
