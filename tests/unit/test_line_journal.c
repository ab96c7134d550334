/* Journals of lines: written, read, cut, damaged, or foreign. */
#include "lab/kit/line_journal.h"

#include "base/file.h"
#include "test_support.h"

#include <signal.h>
#include <sys/resource.h>
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

static LineJournalPlan new_plan(void) {
    static char path[64];
    text_format(path, sizeof path, "/tmp/luft-lines-%d", (int)getpid());
    return (LineJournalPlan){path, "test", text_view(HEADER), NULL, NULL};
}

static Status reopen(const LineJournalPlan *plan, Seen *seen) {
    LineJournal journal;
    *seen = (Seen){0};
    Status status = line_journal_open(&journal, plan, see, seen);
    if (!status_is_ok(&status)) assert_int_equal(journal.file.handle, -1);
    line_journal_close(&journal);
    return status;
}

static void add(LineJournal *journal, const char *text) {
    TextBuffer lines = {0};
    buffer_append_string(&lines, text);
    assert_ok(line_journal_add(journal, &lines));
    buffer_release(&lines);
}

/* Writes three lines, two of them at once. */
static void write_three(const LineJournalPlan *plan) {
    LineJournal journal;
    Seen seen = {0};
    unlink(plan->path);
    assert_ok(line_journal_open(&journal, plan, see, &seen));
    assert_int_equal(seen.count, 0);
    add(&journal, "line 1\n");
    add(&journal, "line 2\nline 3\n");
    line_journal_close(&journal);
}

static void change_file(const char *path, const char *append, size_t cut) {
    TextBuffer content = {0};
    assert_ok(file_read(path, &content));
    content.length -= cut;
    buffer_append_string(&content, append);
    assert_ok(file_write(path, content.data, content.length));
    buffer_release(&content);
}

static void expect_content(const char *path, TextView expected) {
    TextBuffer content = {0};
    assert_ok(file_read(path, &content));
    assert_int_equal(content.length, expected.length);
    assert_memory_equal(content.data, expected.data, expected.length);
    buffer_release(&content);
}

static void test_round_trip(void **state) {
    (void)state;
    LineJournalPlan plan = new_plan();
    Seen seen;
    write_three(&plan);
    for (int time = 0; time < 2; time++) {
        assert_ok(reopen(&plan, &seen));
        assert_int_equal(seen.count, 3);
        assert_string_equal(seen.lines[0], "line 1");
        assert_string_equal(seen.lines[2], "line 3");
    }
    unlink(plan.path);
}

static void test_torn_ends(void **state) {
    (void)state;
    LineJournalPlan plan = new_plan();
    Seen seen;
    static const char *const TORN[] = {"line", "l", "line 4 0123456789abcdef\n", "\n"};
    for (size_t i = 0; i < sizeof TORN / sizeof TORN[0]; i++) {
        write_three(&plan);
        change_file(plan.path, TORN[i], 0);
        assert_ok(reopen(&plan, &seen));
        assert_int_equal(seen.count, 3);
        LineJournal journal;
        assert_ok(line_journal_open(&journal, &plan, see, &seen));
        add(&journal, "line 4\n");
        line_journal_close(&journal);
        assert_ok(reopen(&plan, &seen));
        assert_int_equal(seen.count, 4);
    }
    write_three(&plan);
    change_file(plan.path, "", 1); /* without its line feed a line may be incomplete */
    assert_ok(reopen(&plan, &seen));
    assert_int_equal(seen.count, 2);
    unlink(plan.path);
}

/* An incomplete header is completed; on a full disk it stays unchanged. */
static void test_torn_header(void **state) {
    (void)state;
    const LineJournalPlan plan = new_plan();
    Seen seen;
    assert_ok(file_write(plan.path, HEADER, 9));
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 12;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    Status status = reopen(&plan, &seen);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_fails(status, "cannot write");
    expect_content(plan.path, (TextView){HEADER, 9});
    assert_ok(reopen(&plan, &seen));
    assert_int_equal(seen.count, 0);
    expect_content(plan.path, text_view(HEADER));
    unlink(plan.path);
}

static void test_refusals(void **state) {
    (void)state;
    LineJournalPlan plan = new_plan();
    Seen seen;
    write_three(&plan);
    change_file(plan.path, "line 4\nline 5\n", 0);
    assert_fails(reopen(&plan, &seen), "is damaged at byte");
    write_three(&plan);
    LineJournal journal;
    assert_ok(line_journal_open(&journal, &plan, see, &seen));
    add(&journal, "nonsense\nline of an error\n");
    line_journal_close(&journal);
    assert_fails(reopen(&plan, &seen), "is damaged at byte");
    write_three(&plan);
    assert_ok(line_journal_open(&journal, &plan, see, &seen));
    add(&journal, "line of an error\nline 5\n");
    line_journal_close(&journal);
    assert_fails(reopen(&plan, &seen), "no more of this");
    unlink(plan.path);
}

/* Removes line `number` (from 0) of the file, or swaps it with the next. */
static void rearrange(const char *path, int number, bool swap) {
    TextBuffer content = {0}, changed = {0};
    assert_ok(file_read(path, &content));
    TextView rest = buffer_view(&content), line, next = {0};
    for (int i = 0; text_next_line(&rest, &line); i++) {
        if (i == number && !swap) continue;
        if (i == number && text_next_line(&rest, &next)) {
            buffer_append(&changed, next);
            buffer_append_char(&changed, '\n');
        }
        buffer_append(&changed, line);
        buffer_append_char(&changed, '\n');
    }
    assert_ok(file_write(path, changed.data, changed.length));
    buffer_release(&content);
    buffer_release(&changed);
}

static void test_missing_and_moved_lines(void **state) {
    (void)state;
    LineJournalPlan plan = new_plan();
    Seen seen;
    for (int number = 2; number <= 3; number++) /* two lines of header come first */
        for (int swap = 0; swap < 2; swap++) {
            write_three(&plan);
            rearrange(plan.path, number, swap);
            assert_fails(reopen(&plan, &seen), "is damaged at byte");
        }
    write_three(&plan);
    rearrange(plan.path, 4, false); /* without its last line the journal is valid */
    assert_ok(reopen(&plan, &seen));
    assert_int_equal(seen.count, 2);
    unlink(plan.path);
}

static void test_foreign_files(void **state) {
    (void)state;
    LineJournalPlan plan = new_plan();
    Seen seen;
    assert_ok(file_write(plan.path, "my thesis\n", 10));
    assert_fails(reopen(&plan, &seen),
                 "is of an older format, or no journal of a test: it begins 'my thesis'");
    unlink(plan.path);
}

static void test_other_header(void **state) {
    (void)state;
    LineJournalPlan plan = new_plan();
    Seen seen;
    write_three(&plan);
    plan.header = text_view("a test\nof patience\n");
    assert_fails(reopen(&plan, &seen), "is of another test: 'of journals' there, now 'of patience'");
    plan.header = text_view("a test\nof journals\nof more\n"); /* the lines after a header are none of it */
    assert_fails(reopen(&plan, &seen), "is of another test: 'nothing' there, now 'of more'");
    plan.header = text_view("a test\n");
    assert_fails(reopen(&plan, &seen), "is of another test: 'of journals' there, now 'nothing'");
    unlink(plan.path);
}

/* A refusal names the items that differ, however far back in a long line. */
static void test_difference(void **state) {
    (void)state;
    static const struct {
        const char *before, *after, *quoted;
    } CASES[] = {
        {"a test\nengine 1: new, cmd ./luft, nodes=500, margin 50000 us, Hash=4\n",
         "a test\nengine 1: new, cmd ./luft, nodes=500, margin 50000 us, Hash=8\n",
         "'engine 1: Hash=4' there, now 'engine 1: Hash=8'"},
        {"a test\nengine 1: new, cmd ./luft, nodes=500, Hash=4\n",
         "a test\nengine 1: new, cmd ./luft, nodes=501, Hash=4\n",
         "'engine 1: nodes=500' there, now 'engine 1: nodes=501'"},
        {"a test\nbook: random, seed 1\n", "a test\nbook: random, seed 1, start 2\n",
         "'book: seed 1' there, now 'book: seed 1, start 2'"},
        {"a test\nnet: /a/long/way/to/the/folder/of/all/networks/old.nnue\n",
         "a test\nnet: /a/long/way/to/the/folder/of/all/networks/new.nnue\n",
         "'net: .../folder/of/all/networks/old.nnue' there, now 'net: .../folder/of/all/networks/new.nnue'"}};
    LineJournalPlan plan = new_plan();
    Seen seen;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        plan.header = text_view(CASES[i].before);
        write_three(&plan);
        plan.header = text_view(CASES[i].after);
        assert_fails(reopen(&plan, &seen), CASES[i].quoted);
    }
    unlink(plan.path);
}

/* A refusal names the file whose content changed, and when. */
static void test_changed_file(void **state) {
    (void)state;
    LineJournalPlan plan = new_plan();
    Seen seen;
    TextBuffer header[2] = {{0}, {0}};
    char path[64];
    text_format(path, sizeof path, "/tmp/luft-program-%d", (int)getpid());
    for (int i = 0; i < 2; i++) {
        assert_ok(file_write(path, &"old new"[4 * i], 3));
        buffer_append_string(&header[i], "a test\n");
        line_journal_describe_file(path, &header[i]);
        buffer_append_string(&header[i], "of journals\n");
    }
    plan.header = buffer_view(&header[0]);
    plan.remedy = "--again starts over";
    write_three(&plan);
    assert_ok(reopen(&plan, &seen));
    plan.header = buffer_view(&header[1]);
    const Status status = reopen(&plan, &seen);
    assert_fails(status, path);
    assert_fails(status, "was rebuilt or changed since the test began (modified 2");
    assert_fails(status, "a copy of the old one in its place carries on; --again starts over");
    unlink(path);
    assert_fails(reopen(&plan, &seen), "since the test began; a copy");
    for (int i = 0; i < 2; i++) buffer_release(&header[i]);
    unlink(plan.path);
}

/* What failed before its first result stands in nobody's way. */
static void test_journal_without_results(void **state) {
    (void)state;
    LineJournalPlan plan = new_plan();
    Seen seen;
    for (int results = 0; results < 2; results++) {
        plan.header = text_view(HEADER);
        plan.result = results > 0 ? "line 3" : "lines of results";
        write_three(&plan);
        plan.header = text_view("a test\nof patience\n");
        const Status status = reopen(&plan, &seen);
        assert_int_equal(status_is_ok(&status), results == 0);
        assert_int_equal(seen.count, 0);
        plan.header = text_view("another kind\nof patience\n");
        assert_fails(reopen(&plan, &seen), "or no journal of a test");
    }
    unlink(plan.path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_torn_ends),
                                       cmocka_unit_test(test_torn_header),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_missing_and_moved_lines),
                                       cmocka_unit_test(test_foreign_files),
                                       cmocka_unit_test(test_other_header),
                                       cmocka_unit_test(test_difference),
                                       cmocka_unit_test(test_changed_file),
                                       cmocka_unit_test(test_journal_without_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
