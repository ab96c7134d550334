/* The course of a tuning, its output files, and the journal from which it is carried on. */
#include "lab/tune/tuning.h"

#include "base/file.h"
#include "base/memory.h"
#include "test_support.h"

#include <unistd.h>

static const SpsaParam PARAMS[] = {{"quick", 10, 0, 20, 2}, {"slow_one", -5, -100, 100, 7.5}};

static Tuning *new_tuning(int64_t pairs) {
    SpsaSettings settings = {pairs, 1, 0.002, 0.602, 0.101, 0.1, 1, 1};
    Tuning *tuning = memory_allocate(sizeof *tuning);
    assert_non_null(tuning);
    assert_ok(tuning_begin(tuning, &settings, PARAMS, 2));
    text_copy(text_view("nodes=9."), tuning->conditions, sizeof tuning->conditions);
    return tuning;
}

static void play(Tuning *tuning, int pairs, int outcome) {
    for (int i = 0; i < pairs; i++) assert_ok(tuning_finish(tuning, spsa_take(&tuning->spsa), outcome));
}

static void delete_tuning(Tuning *tuning) {
    tuning_release(tuning);
    memory_release(tuning);
}

/* Values that are easy to recognise. */
static Tuning *sample(void) {
    Tuning *tuning = new_tuning(1000);
    play(tuning, 3, 0);
    play(tuning, 1, TUNING_DISCARDED);
    tuning->spsa.value[0] = 13.5;
    tuning->spsa.value[1] = -5.001;
    play(tuning, 1, 0);
    return tuning;
}

static void expect(void (*write)(const Tuning *tuning, TextBuffer *out), const char *expected) {
    Tuning *tuning = sample();
    TextBuffer out = {0};
    write(tuning, &out);
    assert_string_equal(buffer_string(&out), expected);
    buffer_release(&out);
    delete_tuning(tuning);
}

static void test_markdown(void **state) {
    (void)state;
    expect(tuning_write_markdown, "| number   | start |   now | change in steps |  min | max |\n"
                                  "| -------- | ----: | ----: | --------------: | ---: | --: |\n"
                                  "| quick    |    10 | 13.50 |           +1.75 |    0 |  20 |\n"
                                  "| slow_one |    -5 | -5.00 |           +0.00 | -100 | 100 |\n"
                                  "\n5 of 1000 pairs of games, 1 of them discarded for faults; nodes=9. A "
                                  "step is the number's of params.def.\n"
                                  "A change is a guess: most of it is noise below some tens of thousands of "
                                  "pairs, and only a test of the values shows a gain.\n");
}

/* A row for every second pair of a thousand, and the last. */
static void test_csv(void **state) {
    (void)state;
    expect(tuning_write_csv, "pairs,quick,slow_one\n"
                             "0,10.0000,-5.0000\n"
                             "2,10.0000,-5.0000\n"
                             "4,10.0000,-5.0000\n"
                             "5,13.5000,-5.0010\n");
}

static void test_lines(void **state) {
    (void)state;
    expect(tuning_write_params, "PARAM(quick, 14, 0, 20, 2)\nPARAM(slow_one, -5, -100, 100, 7.5)\n");
    expect(tuning_write_openbench, "quick, int, 10, 0, 20, 2, 0.002\n"
                                   "slow_one, int, -5, -100, 100, 7.5, 0.002");
}

static void test_apply(void **state) {
    (void)state;
    Tuning *tuning = sample();
    TextBuffer out = {0};
    assert_ok(tuning_apply(tuning,
                           text_view("/* PARAM(quick, 1) */\nPARAM(slow_one, -5, -100, 100, 7.5)\n"
                                     "PARAM(quicker, 1, 0, 20, 2)\n\nPARAM(quick, 10, 0, 20, 2) /* why */\n"),
                           &out));
    assert_string_equal(out.data, "/* PARAM(quick, 1) */\nPARAM(slow_one, -5, -100, 100, 7.5)\n"
                                  "PARAM(quicker, 1, 0, 20, 2)\n\nPARAM(quick, 14, 0, 20, 2) /* why */\n");
    assert_fails(tuning_apply(tuning, text_view("PARAM(quick, 10, 0, 20, 2)\n"), &out),
                 "no number 'slow_one'");
    assert_true(tuning_changes_a_number(tuning));
    for (int i = 0; i < tuning->spsa.param_count; i++)
        tuning->spsa.value[i] = tuning->spsa.param[i].start + 0.4;
    assert_false(tuning_changes_a_number(tuning));
    buffer_release(&out);
    delete_tuning(tuning);
}

static void test_plot(void **state) {
    (void)state;
    Tuning *tuning = sample();
    TextBuffer out = {0};
    tuning_write_plot(tuning, &out);
    const char *text = buffer_string(&out);
    assert_non_null(strstr(text, "\n4 0.000 0.000\n5 1.750 -0.000\nEND\n"));
    assert_non_null(strstr(text, "using 1:2 with lines lw 1.5 lt 1 dt 1 title 'quick'"));
    assert_true(strstr(text, "'quick'") < strstr(text, "'slow_one'"));
    buffer_release(&out);
    tuning->spsa.value[0] = 0; /* now it is below the other */
    tuning_write_plot(tuning, &out);
    assert_true(strstr(out.data, "'quick'") > strstr(out.data, "'slow_one'"));
    buffer_release(&out);
    delete_tuning(tuning);
}

/* Of many numbers only those that moved furthest are drawn. */
static void test_plot_of_many(void **state) {
    (void)state;
    enum { MANY = 100 };
    static SpsaParam params[MANY];
    for (int i = 0; i < MANY; i++) {
        params[i] = (SpsaParam){.start = 0, .low = -1000, .high = 1000, .step = 1};
        text_format(params[i].name, sizeof params[i].name, "n%d", i);
    }
    SpsaSettings settings = {10, 1, 0.002, 0.602, 0.101, 0.1, 1, 1};
    Tuning *tuning = memory_allocate(sizeof *tuning);
    assert_non_null(tuning);
    assert_ok(tuning_begin(tuning, &settings, params, MANY));
    for (int i = 0; i < MANY; i++) tuning->spsa.value[i] = i % 2 == 0 ? i : -i;
    TextBuffer out = {0};
    tuning_write_plot(tuning, &out);
    const char *text = buffer_string(&out);
    assert_non_null(strstr(text, "the 32 numbers that went furthest"));
    assert_non_null(strstr(text, "'n99'"));
    assert_non_null(strstr(text, "'n68'"));
    assert_null(strstr(text, "'n67'"));
    assert_true(strstr(text, "'n98'") < strstr(text, "'n68'"));
    assert_true(strstr(text, "'n68'") < strstr(text, "'n69'"));
    assert_true(strstr(text, "'n69'") < strstr(text, "'n99'"));
    buffer_release(&out);
    delete_tuning(tuning);
}

/* A course of any length has about five hundred rows. */
static void test_long_course(void **state) {
    (void)state;
    for (int64_t pairs = 499; pairs <= 2003; pairs += 376) {
        Tuning *tuning = new_tuning(pairs);
        play(tuning, (int)pairs, 3);
        assert_in_range(tuning->row_count, 250, 501);
        TextBuffer out = {0};
        char last[16];
        tuning_write_csv(tuning, &out);
        text_format(last, sizeof last, "\n%lld,", (long long)pairs);
        assert_non_null(strstr(buffer_string(&out), last));
        buffer_release(&out);
        delete_tuning(tuning);
    }
}

/* --- the journal --- */

enum { PAIRS = 20 };

static const SpsaParam JOURNAL_PARAMS[] = {{"one", 10, 0, 20, 2}, {"two", -5, -100, 100, 7.5}};
static const char CONDITIONS[] = "limit: nodes=9\n";

static const char *test_path(void) {
    static char path[64];
    text_format(path, sizeof path, "/tmp/luft-tune-%d", (int)getpid());
    return path;
}

static Tuning *journal_tuning(double rate) {
    SpsaSettings settings = {PAIRS, 3, rate, 0.602, 0.101, 0.1, 1, 1};
    Tuning *tuning = memory_allocate(sizeof *tuning);
    assert_non_null(tuning);
    assert_ok(tuning_begin(tuning, &settings, JOURNAL_PARAMS, 2));
    return tuning;
}

/* Pairs end in another order than they begin; `ahead` of them are running. */
static void play_in_disorder(Tuning *tuning, int count, int ahead) {
    int64_t pair[PAIRS];
    int taken = 0, upper[SPSA_PARAMS_MAX], lower[SPSA_PARAMS_MAX];
    for (int i = 0; i < count; i++) {
        while (taken < ahead) {
            pair[taken] = tuning_take(tuning, upper, lower);
            if (pair[taken] < 0) break;
            taken++;
        }
        const int64_t finished = pair[--taken];
        const int outcome = finished == 7 ? TUNING_DISCARDED : (int)(finished * 3 % 5 - 2) * SPSA_WIN;
        assert_ok(tuning_finish(tuning, finished, outcome));
    }
}

static void test_carrying_on(void **state) {
    (void)state;
    Tuning *first = journal_tuning(0.5), *second = journal_tuning(0.5);
    unlink(test_path());
    assert_ok(tuning_open_journal(first, test_path(), CONDITIONS));
    play_in_disorder(first, 11, 5);
    line_journal_close(&first->journal);
    assert_ok(tuning_open_journal(second, test_path(), CONDITIONS));
    assert_int_equal(second->spsa.finished, 11);
    assert_int_equal(second->spsa.discarded, first->spsa.discarded);
    assert_int_equal(second->row_count, first->row_count);
    assert_memory_equal(second->spsa.value, first->spsa.value, sizeof first->spsa.value);
    assert_memory_equal(second->course, first->course, (size_t)first->row_count * 3 * sizeof(double));
    assert_true(second->spsa.value[0] != JOURNAL_PARAMS[0].start);
    play_in_disorder(second, PAIRS - 11, 1);
    assert_int_equal(spsa_take(&second->spsa), -1);
    assert_int_equal(second->spsa.step_count, 0);
    delete_tuning(first);
    delete_tuning(second);
    unlink(test_path());
}

static Status reopen(Tuning *tuning, const char *conditions) {
    Status status = tuning_open_journal(tuning, test_path(), conditions);
    delete_tuning(tuning);
    return status;
}

static void test_others_are_refused(void **state) {
    (void)state;
    unlink(test_path());
    assert_ok(reopen(journal_tuning(0.25), CONDITIONS)); /* without a pair there is nothing to lose */
    Tuning *first = journal_tuning(0.5);
    assert_ok(tuning_open_journal(first, test_path(), CONDITIONS));
    play_in_disorder(first, 2, 2);
    delete_tuning(first);
    assert_ok(reopen(journal_tuning(0.5), CONDITIONS));
    assert_fails(reopen(journal_tuning(0.25), CONDITIONS), "is of another tuning: 'learning-rate=0.5");
    assert_fails(reopen(journal_tuning(0.5), "limit: nodes=8\n"), "now 'limit: nodes=8'");
    Tuning *other = journal_tuning(0.5);
    other->spsa.param[1].step = 8;
    assert_fails(reopen(other, CONDITIONS), "now 'two: step 8'");
    unlink(test_path());
}

/* An impossible event with a correct checksum, and another one after it. */
static void expect_damage(const char *event) {
    Tuning *tuning = journal_tuning(0.5);
    unlink(test_path());
    assert_ok(tuning_open_journal(tuning, test_path(), CONDITIONS));
    play_in_disorder(tuning, 4, 2);
    TextBuffer lines = {0};
    buffer_append_format(&lines, "%s\nstep 2\n", event);
    assert_ok(line_journal_add(&tuning->journal, &lines));
    buffer_release(&lines);
    delete_tuning(tuning);
    assert_fails(reopen(journal_tuning(0.5), CONDITIONS), "is damaged at byte");
    unlink(test_path());
}

static void test_damage(void **state) {
    (void)state;
    static const char *const EVENTS[] = {"step 1",       "step 7",      "pair 0 999999", "pair 0 discard",
                                         "pair 0",       "pair -1 2",   "pair 1 2",      "pair 9 2",
                                         "pair 99999 2", "nonsense 0 2"};
    for (size_t i = 0; i < sizeof EVENTS / sizeof EVENTS[0]; i++) expect_damage(EVENTS[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_markdown),
                                       cmocka_unit_test(test_csv),
                                       cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_apply),
                                       cmocka_unit_test(test_plot),
                                       cmocka_unit_test(test_plot_of_many),
                                       cmocka_unit_test(test_long_course),
                                       cmocka_unit_test(test_carrying_on),
                                       cmocka_unit_test(test_others_are_refused),
                                       cmocka_unit_test(test_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
