/* What a tuning must remember: the steps begun and the pairs finished, in their order. The numbers follow
 * from them. One thread at a time. */
#ifndef LUFT_TUNE_TUNE_JOURNAL_H
#define LUFT_TUNE_TUNE_JOURNAL_H

#include "lab/kit/line_journal.h"
#include "lab/tune/tuning.h"

typedef struct TuneJournal {
    LineJournal lines;
    TextBuffer steps; /* begun, but not yet written: without a finished pair they are useless */
} TuneJournal;

/* Opens or begins the journal `path`, which must outlive it, and brings a fresh tuning to where the journal
 * ends. A journal of other numbers, another schedule or other `conditions` (lines about how the games are
 * played) is refused, with what differs. */
Status tune_journal_open(TuneJournal *journal, const char *path, const char *conditions, Tuning *tuning);

/* Notes that a step was begun. */
void tune_journal_begin_step(TuneJournal *journal, int64_t step);

/* Adds a finished pair; it is on the disk when this returns. On an error the file is as before. */
Status tune_journal_add(TuneJournal *journal, int64_t pair, int outcome);
void tune_journal_close(TuneJournal *journal);

#endif
