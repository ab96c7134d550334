/* The journal of a tuning restores its state; invalid journals are refused. */
#include "lab/tune/tune_journal.h"

#include "base/file.h"
#include "base/memory.h"
#include "test_support.h"

#include <unistd.h>

enum { PAIRS = 20 };

static const SpsaParam PARAMS[] = {{"one", 10, 0, 20, 2}, {"two", -5, -100, 100, 7.5}};
static const char CONDITIONS[] = "limit: nodes=9\n";

static const char *test_path(void) {
    static char path[64];
    text_format(path, sizeof path, "/tmp/luft-tune-%d", (int)getpid());
    return path;
}

static Tuning *new_tuning(double rate) {
    SpsaSettings settings = {PAIRS, 3, rate, 0.602, 0.101, 0.1, 1, 1};
    Tuning *tuning = memory_allocate(sizeof *tuning);
    assert_non_null(tuning);
    assert_ok(tuning_begin(tuning, &settings, PARAMS, 2));
    return tuning;
}

static void delete_tuning(Tuning *tuning) {
    tuning_release(tuning);
    memory_release(tuning);
}

/* Pairs end in another order than they begin; `ahead` of them are running. */
static void play(TuneJournal *journal, Tuning *tuning, int count, int ahead) {
    int64_t pair[PAIRS];
    int taken = 0;
    for (int i = 0; i < count; i++) {
        while (taken < ahead) {
            const int64_t begun = tuning->spsa.steps_begun;
            pair[taken] = spsa_take(&tuning->spsa);
            if (tuning->spsa.steps_begun > begun) tune_journal_begin_step(journal, begun);
            if (pair[taken] < 0) break;
            taken++;
        }
        const int64_t finished = pair[--taken];
        const int outcome = finished == 7 ? TUNING_DISCARDED : (int)(finished * 3 % 5 - 2) * SPSA_WIN;
        assert_ok(tune_journal_add(journal, finished, outcome));
        tuning_finish(tuning, finished, outcome);
    }
}

static void test_carrying_on(void **state) {
    (void)state;
    Tuning *first = new_tuning(0.5), *second = new_tuning(0.5);
    TuneJournal journal;
    unlink(test_path());
    assert_ok(tune_journal_open(&journal, test_path(), CONDITIONS, first));
    play(&journal, first, 11, 5);
    tune_journal_close(&journal);
    assert_ok(tune_journal_open(&journal, test_path(), CONDITIONS, second));
    assert_int_equal(second->spsa.finished, 11);
    assert_int_equal(second->spsa.discarded, first->spsa.discarded);
    assert_int_equal(second->row_count, first->row_count);
    assert_memory_equal(second->spsa.value, first->spsa.value, sizeof first->spsa.value);
    assert_memory_equal(second->course, first->course, (size_t)first->row_count * 3 * sizeof(double));
    assert_true(second->spsa.value[0] != PARAMS[0].start);
    play(&journal, second, PAIRS - 11, 1);
    assert_int_equal(spsa_take(&second->spsa), -1);
    assert_int_equal(second->spsa.step_count, 0);
    tune_journal_close(&journal);
    delete_tuning(first);
    delete_tuning(second);
    unlink(test_path());
}

static Status reopen(Tuning *tuning, const char *conditions) {
    TuneJournal journal;
    Status status = tune_journal_open(&journal, test_path(), conditions, tuning);
    tune_journal_close(&journal);
    delete_tuning(tuning);
    return status;
}

static void test_others_are_refused(void **state) {
    (void)state;
    unlink(test_path());
    assert_ok(reopen(new_tuning(0.5), CONDITIONS));
    assert_ok(reopen(new_tuning(0.5), CONDITIONS));
    assert_fails(reopen(new_tuning(0.25), CONDITIONS), "is of another tuning: 'learning-rate=0.5");
    assert_fails(reopen(new_tuning(0.5), "limit: nodes=8\n"), "now 'limit: nodes=8'");
    Tuning *other = new_tuning(0.5);
    other->spsa.param[1].step = 8;
    assert_fails(reopen(other, CONDITIONS), "now 'two: -5, from -100 to 100, step 8'");
    unlink(test_path());
}

/* An impossible event with a correct checksum, and another one after it. */
static void expect_damage(const char *event) {
    TuneJournal journal;
    Tuning *tuning = new_tuning(0.5);
    unlink(test_path());
    assert_ok(tune_journal_open(&journal, test_path(), CONDITIONS, tuning));
    play(&journal, tuning, 4, 2);
    TextBuffer lines = {0};
    buffer_append_format(&lines, "%s\nstep 2\n", event);
    assert_ok(line_journal_add(&journal.lines, &lines));
    buffer_release(&lines);
    tune_journal_close(&journal);
    delete_tuning(tuning);
    assert_fails(reopen(new_tuning(0.5), CONDITIONS), "is damaged at byte");
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_carrying_on),
                                       cmocka_unit_test(test_others_are_refused),
                                       cmocka_unit_test(test_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
