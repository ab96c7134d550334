#include "lab/tune/tune_journal.h"

#include <inttypes.h>

static void describe(const Tuning *tuning, const char *conditions, TextBuffer *out) {
    const Spsa *spsa = &tuning->spsa;
    buffer_append_string(out, "luft-lab tune journal 4\n");
    buffer_append_string(out, conditions);
    fields_append_results(SPSA_FIELDS, &spsa->settings, out);
    for (int i = 0; i < spsa->param_count; i++) {
        const SpsaParam *param = &spsa->param[i];
        buffer_append_format(out, "%s: %d, from %d to %d, step %.15g\n", param->name, param->start,
                             param->low, param->high, param->step);
    }
    buffer_append_string(out, "events\n");
}

/* "step NUMBER", "pair NUMBER OUTCOME", "pair NUMBER discarded". */
static Status restore_event(void *context, TextView line, bool *whole) {
    Tuning *tuning = context;
    TextView word = text_next_word(&line), number = text_next_word(&line), rest = text_next_word(&line);
    int64_t index, outcome;
    *whole = text_parse_int64(number, &index);
    if (*whole && text_equals(word, "step")) {
        *whole = spsa_begin_step(&tuning->spsa, index);
        return status_ok();
    }
    const bool discarded = text_equals(rest, "discarded");
    if (discarded) outcome = TUNING_DISCARDED;
    *whole = *whole && text_equals(word, "pair") && spsa_awaits(&tuning->spsa, index) &&
             (discarded || (text_parse_int64(rest, &outcome) && outcome >= -SPSA_RESULT_MAX &&
                            outcome <= SPSA_RESULT_MAX));
    if (*whole) tuning_finish(tuning, index, (int)outcome);
    return status_ok();
}

Status tune_journal_open(TuneJournal *journal, const char *path, const char *conditions, Tuning *tuning) {
    *journal = (TuneJournal){.lines = {.file = {.handle = -1}}};
    TextBuffer header = {0};
    describe(tuning, conditions, &header);
    LineJournalPlan plan = {path, "tuning", buffer_view(&header), true};
    Status status = header.failed ? status_no_memory("%.200s", path)
                                  : line_journal_open(&journal->lines, &plan, restore_event, tuning);
    buffer_release(&header);
    return status;
}

void tune_journal_begin_step(TuneJournal *journal, int64_t step) {
    buffer_append_format(&journal->steps, "step %" PRId64 "\n", step);
}

Status tune_journal_add(TuneJournal *journal, int64_t pair, int outcome) {
    buffer_append_format(&journal->steps, "pair %" PRId64 " ", pair);
    if (outcome == TUNING_DISCARDED)
        buffer_append_string(&journal->steps, "discarded\n");
    else
        buffer_append_format(&journal->steps, "%d\n", outcome);
    Status status = line_journal_add(&journal->lines, &journal->steps);
    buffer_clear(&journal->steps);
    return status;
}

void tune_journal_close(TuneJournal *journal) {
    line_journal_close(&journal->lines);
    buffer_release(&journal->steps);
}
