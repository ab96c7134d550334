#include "lab/kit/line_journal.h"

#include "base/bits.h"
#include "base/file.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    CHECKSUM_LENGTH = 17, /* with the tab before it */
    QUOTE_MAX = 44,       /* characters of a line in a message */
    LABEL_MAX = 28,       /* and of the label before them */
    PATH_SHOWN = 48       /* and of a path's end, with the terminator */
};

static void write_checksum(TextView line, char out[CHECKSUM_LENGTH + 1]) {
    text_format(out, CHECKSUM_LENGTH + 1, "\t%016" PRIx64, text_hash(line));
}

void line_journal_seal(const TextBuffer *lines, int64_t *number, TextBuffer *out) {
    TextView rest = buffer_view(lines), line;
    out->failed |= lines->failed;
    while (!out->failed && text_next_line(&rest, &line)) {
        const size_t begin = out->length;
        char checksum[CHECKSUM_LENGTH + 1];
        buffer_append_format(out, "%" PRId64 "\t", (*number)++);
        buffer_append(out, line);
        if (out->failed) break;
        write_checksum((TextView){out->data + begin, out->length - begin}, checksum);
        buffer_append_format(out, "%s\n", checksum);
    }
}

Status line_journal_add(LineJournal *journal, const TextBuffer *lines) {
    TextBuffer sealed = {0};
    int64_t number = journal->lines;
    line_journal_seal(lines, &number, &sealed);
    Status status = sealed.failed ? status_no_memory("a line of %s", journal->file.path)
                                  : append_file_write(&journal->file, buffer_view(&sealed));
    if (status_is_ok(&status)) journal->lines = number;
    buffer_release(&sealed);
    return status;
}

/* Removes the checksum from the end of a line; false when it is wrong. */
static bool unseal(TextView *line) {
    char expected[CHECKSUM_LENGTH + 1];
    if (line->length <= CHECKSUM_LENGTH) return false;
    line->length -= CHECKSUM_LENGTH;
    write_checksum(*line, expected);
    return memcmp(line->data + line->length, expected, CHECKSUM_LENGTH) == 0;
}

/* Removes the number from the front of a line; false when it is another number. */
static bool take_number(TextView *line, int64_t expected) {
    TextView text;
    int64_t number;
    return text_split(line, '\t', &text) && text_parse_int64(text, &number) && number == expected;
}

/* Where two lines differ, whose items stand between ", " and after a label that ends in ": ". */
typedef struct Difference {
    size_t begin; /* of the first item that differs */
    size_t same;  /* bytes up to the first that differs */
    size_t end;   /* bytes of the items at the end that are the same, from their comma on */
} Difference;

static Difference find_difference(TextView a, TextView b) {
    const size_t shorter = a.length < b.length ? a.length : b.length;
    Difference found = {0};
    for (; found.same < shorter && a.data[found.same] == b.data[found.same]; found.same++)
        if (found.same > 0 && a.data[found.same] == ' ' &&
            (a.data[found.same - 1] == ',' || a.data[found.same - 1] == ':'))
            found.begin = found.same + 1;
    for (size_t i = 1; i <= shorter - found.same && a.data[a.length - i] == b.data[b.length - i]; i++)
        if (a.data[a.length - i] == ',') found.end = i;
    return found;
}

/* The label and the items that differ; of long ones what stands around the difference. */
static void quote(TextView line, const Difference *difference, char out[2 * QUOTE_MAX]) {
    enum { CONTEXT = 24 };
    TextView rest = line, label = text_view("");
    const bool has_label = difference->begin > 0 && text_split(&rest, ':', &label);
    const bool is_cut = difference->same > difference->begin + CONTEXT;
    const size_t begin = is_cut ? difference->same - CONTEXT : difference->begin;
    char items[QUOTE_MAX];
    text_copy_printable((TextView){line.data + begin, line.length - difference->end - begin}, items,
                        sizeof items);
    const int shown =
        has_label ? int_min((int)label.length, LABEL_MAX) : 0; /* its end: of a path, the name */
    text_format(out, 2 * QUOTE_MAX, "%.*s%s%s%s", shown, label.data + label.length - (size_t)shown,
                has_label ? ": " : "", is_cut ? "..." : "", items);
}

static const char FILE_LABEL[] = "content ";

void line_journal_describe_file(const char *path, TextBuffer *header) {
    TextBuffer content = {0};
    Status status = file_size(path) < 0 ? status_error("%s is no file", path) : file_read(path, &content);
    buffer_append_string(header, FILE_LABEL);
    if (status_is_ok(&status))
        buffer_append_format(header, "%016" PRIx64 ", %zu bytes", text_hash(buffer_view(&content)),
                             content.length);
    else
        buffer_append_string(header, "unknown");
    buffer_append_format(header, ": %s\n", path);
    header->failed |= status.kind == STATUS_NO_MEMORY;
    buffer_release(&content);
}

/* Takes the path from the line of a file; false for another line. */
static bool take_path(TextView line, TextView *path) {
    TextView content;
    const bool is_file = text_starts_with(line, FILE_LABEL) && text_split(&line, ':', &content);
    *path = text_trim(line);
    return is_file;
}

static Status refuse_file(const LineJournalPlan *plan, TextView file) {
    char path[FILE_PATH_CAPACITY], end[PATH_SHOWN], when[40] = "";
    struct stat facts;
    struct tm day;
    text_copy(file, path, sizeof path);
    const size_t cut = file.length < PATH_SHOWN ? 0 : file.length + 1 - PATH_SHOWN;
    text_copy_printable((TextView){file.data + cut, file.length - cut}, end, sizeof end);
    if (stat(path, &facts) == 0 && localtime_r(&facts.st_mtime, &day) != NULL)
        strftime(when, sizeof when, " (modified %Y-%m-%d %H:%M)", &day);
    return status_error("%.50s: %s%s was rebuilt or changed since the %s began%s; a copy of the old one in "
                        "its place carries on",
                        plan->path, cut > 0 ? "..." : "", end, plan->what, when);
}

/* Whether a line is one of line_journal_add, perhaps torn, and none of a header. */
static bool is_numbered(TextView line) {
    TextView number;
    int64_t value;
    return text_parse_int64(text_split(&line, '\t', &number) ? number : line, &value);
}

/* The next line of an old header, "nothing" after its last. */
static TextView next_header_line(TextView *content) {
    TextView line;
    return text_next_line(content, &line) && !is_numbered(line) ? line : text_view("nothing");
}

static Status refuse_difference(const LineJournalPlan *plan, const char *old_text, const char *new_text) {
    return status_error("%.60s is of another %s: '%s' there, now '%s'", plan->path, plan->what, old_text,
                        new_text);
}

/* Compares the headers line by line and reports the first difference. */
static Status compare_header(const LineJournalPlan *plan, TextView content) {
    TextView header = plan->header, new_line;
    for (int number = 0; text_next_line(&header, &new_line); number++) {
        const TextView old_line = next_header_line(&content);
        if (old_line.length == new_line.length && memcmp(old_line.data, new_line.data, new_line.length) == 0)
            continue;
        TextView old_path, new_path;
        if (take_path(old_line, &old_path) && take_path(new_line, &new_path) &&
            old_path.length == new_path.length && memcmp(old_path.data, new_path.data, old_path.length) == 0)
            return refuse_file(plan, new_path);
        char old_text[2 * QUOTE_MAX], new_text[2 * QUOTE_MAX];
        const Difference difference = number > 0 ? find_difference(old_line, new_line) : (Difference){0};
        quote(old_line, &difference, old_text);
        quote(new_line, &difference, new_text);
        if (number == 0)
            return status_error(
                "%.60s is of an older format, or no journal of a %s: it begins '%s', not '%s'", plan->path,
                plan->what, old_text, new_text);
        return refuse_difference(plan, old_text, new_text);
    }
    TextView more;
    if (!text_next_line(&content, &more) || is_numbered(more)) return status_ok();
    char old_text[2 * QUOTE_MAX];
    quote(more, &(Difference){0}, old_text);
    return refuse_difference(plan, old_text, "nothing");
}

/* Passes the lines on and cuts off a torn end. A damaged line before others was not torn by a kill, and a
 * whole line in the wrong place was moved: both are refused. */
static Status restore(LineJournal *journal, TextView content, size_t header_length, LineVisitor *visit,
                      void *context) {
    AppendFile *file = &journal->file;
    TextView rest = {content.data + header_length, content.length - header_length}, line;
    Status status = status_ok();
    while (rest.length > 0 && status_is_ok(&status)) {
        const int64_t begin = (int64_t)(content.length - rest.length);
        const bool ended = memchr(rest.data, '\n', rest.length) != NULL;
        text_next_line(&rest, &line);
        const bool sealed = ended && unseal(&line);
        if (!sealed && rest.length == 0) return append_file_cut(file, begin);
        bool whole = sealed && take_number(&line, journal->lines);
        if (sealed && !whole)
            return status_error("%s is damaged at byte %" PRId64 ": line %" PRId64
                                " of its events is missing",
                                file->path, begin, journal->lines);
        if (whole) status = visit(context, line, &whole);
        if (!whole) return status_error("%s is damaged at byte %" PRId64, file->path, begin);
        journal->lines++;
    }
    return status;
}

/* Whether the journal is of this kind, but has no result yet: nothing is lost with it. */
static bool is_without_result(const LineJournalPlan *plan, TextView content) {
    TextView header = plan->header, first = {0}, line, number;
    text_next_line(&header, &first);
    bool is_free = plan->result != NULL && text_next_line(&content, &line) && line.length == first.length &&
                   memcmp(line.data, first.data, first.length) == 0;
    while (is_free && text_next_line(&content, &line))
        is_free = !text_split(&line, '\t', &number) || !text_starts_with(line, plan->result);
    return is_free;
}

static Status continue_old(LineJournal *journal, const LineJournalPlan *plan, TextView content,
                           LineVisitor *visit, void *context) {
    TextView header = plan->header;
    /* Completes a header that was torn while it was written, so that a second kill tears off no more. */
    if (content.length < header.length && memcmp(content.data, header.data, content.length) == 0)
        return append_file_write(&journal->file,
                                 (TextView){header.data + content.length, header.length - content.length});
    Status status = compare_header(plan, content);
    if (!status_is_ok(&status) && is_without_result(plan, content)) return append_file_cut(&journal->file, 0);
    return status_is_ok(&status) ? restore(journal, content, header.length, visit, context) : status;
}

Status line_journal_open(LineJournal *journal, const LineJournalPlan *plan, LineVisitor *visit,
                         void *context) {
    *journal = (LineJournal){.file = {.handle = -1}};
    AppendFile *file = &journal->file;
    Status status = append_file_open(file, plan->path, NAME_DERIVED);
    TextBuffer content = {0};
    if (status_is_ok(&status) && file->length > 0) status = file_read(plan->path, &content);
    if (status_is_ok(&status) && content.length > 0)
        status = continue_old(journal, plan, buffer_view(&content), visit, context);
    buffer_release(&content);
    if (status_is_ok(&status) && file->length == 0) status = append_file_write(file, plan->header);
    if (!status_is_ok(&status)) append_file_close(file);
    const bool is_refusal = status.kind == STATUS_ERROR && plan->remedy != NULL;
    return is_refusal ? status_error("%s; %s", status.reason, plan->remedy) : status;
}

Status line_journal_read(const char *path, LineVisitor *visit, void *context) {
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    TextView rest = buffer_view(&content), line, number;
    bool whole = true;
    while (status_is_ok(&status) && text_next_line(&rest, &line))
        if (unseal(&line) && text_split(&line, '\t', &number)) status = visit(context, line, &whole);
    buffer_release(&content);
    return status;
}

void line_journal_close(LineJournal *journal) { append_file_close(&journal->file); }
