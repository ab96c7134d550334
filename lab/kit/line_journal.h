/* A journal of lines: first what it is of, in words, so that nothing else is carried on by mistake; then
 * lines that are each on the disk when line_journal_add returns. Each has its number in front, counted from
 * 0, and a checksum of all that at its end, with tabs between: none can be lost, doubled or changed unseen.
 * After a kill a torn last line is cut off. One thread at a time. */
#ifndef LUFT_KIT_LINE_JOURNAL_H
#define LUFT_KIT_LINE_JOURNAL_H

#include "lab/kit/append_file.h"

#include <stdbool.h>

typedef struct LineJournal {
    AppendFile file; /* handle -1: closed */
    int64_t lines;   /* in it; the number of the next */
} LineJournal;

typedef struct LineJournalPlan {
    const char *path; /* must outlive the open journal */
    const char *what; /* "match": of what another journal would be */
    TextView header;  /* whole lines, the first of which tells the format; a journal that begins otherwise is
                         refused */
    bool resume;      /* go on with an old journal; else it is renamed to PATH.old, or .old2 and so on */
} LineJournalPlan;

/* Called for each line found, without number and checksum; `*whole` false says that it makes no sense. An
 * error ends the reading. */
typedef Status LineVisitor(void *context, TextView line, bool *whole);

/* Opens or begins the journal and shows its lines. A refusal says what differs. On an error nothing is open.
 */
Status line_journal_open(LineJournal *journal, const LineJournalPlan *plan, LineVisitor *visit,
                         void *context);

/* Adds one or more lines, in one piece; each ends in a line feed. On an error the file is as before. */
Status line_journal_add(LineJournal *journal, const TextBuffer *lines);

/* Closed already is fine. */
void line_journal_close(LineJournal *journal);

#endif
