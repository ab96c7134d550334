#include "lab/kit/line_journal.h"

#include "base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 1024, CHECKSUM_LENGTH = 17 /* with the blank before it */ };

/* Tells a torn line, which is all that is asked of it. */
static void write_checksum(TextView line, char out[CHECKSUM_LENGTH + 1]) {
    text_format(out, CHECKSUM_LENGTH + 1, " %016" PRIx64, text_hash(line));
}

void line_journal_seal(TextBuffer *lines) {
    TextView line = buffer_view(lines);
    for (size_t i = line.length; i > 0; i--)
        if (line.data[i - 1] == '\n') {
            line = (TextView){line.data + i, line.length - i};
            break;
        }
    char seal[CHECKSUM_LENGTH + 1];
    write_checksum(line, seal);
    buffer_append_format(lines, "%s\n", seal);
}

Status line_journal_add(AppendFile *file, const TextBuffer *lines) {
    if (lines->failed) return status_no_memory("a line of %.200s", file->path);
    return append_file_write(file, buffer_view(lines));
}

/* Takes the checksum off the end of a line; false when it does not fit. */
static bool unseal(TextView *line) {
    char expected[CHECKSUM_LENGTH + 1];
    if (line->length <= CHECKSUM_LENGTH) return false;
    line->length -= CHECKSUM_LENGTH;
    write_checksum(*line, expected);
    return memcmp(line->data + line->length, expected, CHECKSUM_LENGTH) == 0;
}

/* Compares the headers line by line and says what differs first. */
static Status compare_header(const LineJournal *journal, TextView content) {
    TextView header = journal->header, old_line, new_line;
    while (text_next_line(&header, &new_line)) {
        if (!text_next_line(&content, &old_line)) old_line = text_view("nothing");
        if (old_line.length != new_line.length || memcmp(old_line.data, new_line.data, new_line.length) != 0)
            return status_error("%.60s is of another %s: \"%.*s\" there, now \"%.*s\"", journal->path,
                                journal->what, (int)(old_line.length < 80 ? old_line.length : 80),
                                old_line.data, (int)(new_line.length < 80 ? new_line.length : 80),
                                new_line.data);
    }
    return status_ok();
}

/* Shows the lines; cuts a torn end off. A damaged line with others behind it was not torn by a kill: refused.
 */
static Status restore(AppendFile *file, TextView content, size_t header_length, LineVisitor *visit,
                      void *context) {
    TextView rest = {content.data + header_length, content.length - header_length}, line;
    Status status = status_ok();
    while (rest.length > 0 && status_is_ok(&status)) {
        int64_t begin = (int64_t)(content.length - rest.length);
        bool whole = memchr(rest.data, '\n', rest.length) != NULL;
        text_next_line(&rest, &line);
        whole = whole && unseal(&line);
        if (whole) status = visit(context, line, &whole);
        if (!whole && rest.length > 0)
            return status_error("%s is damaged at byte %" PRId64, file->path, begin);
        if (!whole) return append_file_cut(file, begin);
    }
    return status;
}

static Status continue_old(AppendFile *file, const LineJournal *journal, TextView content, LineVisitor *visit,
                           void *context) {
    TextView header = journal->header;
    /* A header that was torn while it was written comes before all lines: nothing is lost. */
    if (content.length < header.length && memcmp(content.data, header.data, content.length) == 0)
        return append_file_cut(file, 0);
    Status status = compare_header(journal, content);
    return status_is_ok(&status) ? restore(file, content, header.length, visit, context) : status;
}

/* Puts an old journal out of the way and begins a new one under its name. */
static Status set_old_aside(AppendFile *file, const char *path) {
    char old[PATH_CAPACITY];
    text_format(old, sizeof old, "%s.old", path);
    if (rename(path, old) != 0) return status_system_error("cannot rename %s to %s", path, old);
    append_file_close(file);
    return append_file_open(file, path);
}

Status line_journal_open(AppendFile *file, const LineJournal *journal, LineVisitor *visit, void *context) {
    Status status = append_file_open(file, journal->path);
    if (status_is_ok(&status) && !journal->resume && file->length > 0)
        status = set_old_aside(file, journal->path);
    TextBuffer content = {0};
    if (status_is_ok(&status) && file->length > 0) status = file_read(journal->path, &content);
    if (status_is_ok(&status) && content.length > 0)
        status = continue_old(file, journal, buffer_view(&content), visit, context);
    buffer_release(&content);
    if (status_is_ok(&status) && file->length == 0) status = append_file_write(file, journal->header);
    if (!status_is_ok(&status)) append_file_close(file);
    return status;
}
