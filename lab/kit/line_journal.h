/* A journal of lines. It begins with a description of what it belongs to, so that nothing else is carried on
 * by mistake. Each line is on the disk when line_journal_add returns. A line has its number, counted from 0,
 * at the front and a checksum at the end, separated by tabs: a lost, doubled or changed line is noticed. A
 * line torn by a kill is cut off. One thread at a time. */
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
    const char *what; /* "match": what the journal belongs to, for messages */
    TextView
        header; /* whole lines, the first names the format; a journal that begins differently is refused */
    const char *remedy; /* ends the sentence of a refusal: "--again starts over"; NULL: nothing */
    const char *result; /* how a line of results begins: a journal without one is begun again for another
                         * description; NULL: never */
} LineJournalPlan;

/* Called for each line found, without number and checksum; sets `*whole` to false when the line makes no
 * sense. An error ends the reading. */
typedef Status LineVisitor(void *context, TextView line, bool *whole);

/* Appends a header's line for a file whose content decides the results: its hash, its size and its path, or
 * that it cannot be read. A refusal names the file and its time. */
void line_journal_describe_file(const char *path, TextBuffer *header);

/* Carries on the journal, whose lines it passes on, or begins it. The reason of a refusal names the
 * difference. On an error nothing is open. */
Status line_journal_open(LineJournal *journal, const LineJournalPlan *plan, LineVisitor *visit,
                         void *context);

/* Appends the lines as they stand in a journal, with their numbers and checksums; `*number` is that of the
 * first, and then of the one after the last. */
void line_journal_seal(const TextBuffer *lines, int64_t *number, TextBuffer *out);

/* Adds one or more lines in one piece; each ends in a line feed. On an error the file is unchanged. */
Status line_journal_add(LineJournal *journal, const TextBuffer *lines);

/* Only passes the lines of a journal on, whatever it belongs to; lines without a checksum are skipped. */
Status line_journal_read(const char *path, LineVisitor *visit, void *context);

/* Closed already is fine. */
void line_journal_close(LineJournal *journal);

#endif
