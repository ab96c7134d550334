/* A journal of lines: first what it is of, in words, so that nothing else is carried on by mistake; then
 * lines that are each on the disk when line_journal_add returns, with a checksum. After a kill a torn last
 * line is cut off. One thread at a time. */
#ifndef LUFT_KIT_LINE_JOURNAL_H
#define LUFT_KIT_LINE_JOURNAL_H

#include "lab/kit/append_file.h"

#include <stdbool.h>

typedef struct LineJournal {
    const char *path; /* must outlive the open file */
    const char *what; /* "match": of what another journal would be */
    TextView header;  /* whole lines; a journal that begins otherwise is refused */
    bool resume;      /* go on with an old journal; else it is renamed to PATH.old */
} LineJournal;

/* Called for each line found, without its checksum; `*whole` false says that it makes no sense. An error ends
 * the reading. */
typedef Status LineVisitor(void *context, TextView line, bool *whole);

/* Opens or begins the journal and shows its lines. A refusal says what differs. On an error nothing is open.
 */
Status line_journal_open(AppendFile *file, const LineJournal *journal, LineVisitor *visit, void *context);

/* Appends a checksum and a line feed to the last line of `lines`: what stands before it has its own. */
void line_journal_seal(TextBuffer *lines);

/* Adds sealed lines. On an error the file is as before. */
Status line_journal_add(AppendFile *file, const TextBuffer *lines);

#endif
