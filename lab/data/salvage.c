#include "lab/data/salvage.h"

#include "base/file.h"
#include "lab/data/record.h"
#include "lab/kit/ownership.h"

#include <string.h>

/* Where the next block may begin, from `offset` on; the end of the file if nowhere. */
static size_t find_block(TextView content, size_t offset) {
    static const size_t LENGTH = sizeof RECORD_MAGIC;
    for (; offset + LENGTH <= content.length; offset++) {
        const char *at = memchr(content.data + offset, RECORD_MAGIC[0], content.length - LENGTH + 1 - offset);
        if (at == NULL) break;
        offset = (size_t)(at - content.data);
        if (memcmp(at, RECORD_MAGIC, LENGTH) == 0) return offset;
    }
    return content.length;
}

/* Counts what lies between two whole blocks as lost. */
static void add_gap(SalvageReport *report, TextView content, size_t begin, size_t end) {
    if (begin == end) return;
    SalvageGap gap = {.offset = begin, .bytes = end - begin};
    for (size_t at = find_block(content, begin); at + RECORD_HEADER_SIZE <= end;
         at = find_block(content, at + 1)) {
        RecordBlock block;
        Status status = record_read_header((const uint8_t *)content.data + at, &block);
        if (!status_is_ok(&status)) continue;
        gap.games += block.games;
        gap.plies += block.plies;
    }
    if (report->gaps < SALVAGE_GAPS_MAX) report->gap[report->gaps] = gap;
    report->gaps++;
    report->lost_bytes += gap.bytes;
    report->lost_games += gap.games;
    report->lost_plies += gap.plies;
}

/* The size of the whole block at `offset`, all of whose games can be read; 0 if there is none. */
static size_t take_block(TextView content, size_t offset, RecordBlock *block) {
    const uint8_t *bytes = (const uint8_t *)content.data + offset;
    if (content.length - offset < RECORD_HEADER_SIZE) return 0;
    Status status = record_read_header(bytes, block);
    const size_t size = RECORD_HEADER_SIZE + (size_t)block->body_size;
    if (!status_is_ok(&status) || size > content.length - offset) return 0;
    status = record_decode_block(bytes, size, NULL, NULL);
    return status_is_ok(&status) ? size : 0;
}

static void collect(TextView content, TextBuffer *saved, SalvageReport *report) {
    size_t end = 0; /* of the last whole block */
    for (size_t at = find_block(content, 0); at < content.length;) {
        RecordBlock block = {0};
        const size_t size = take_block(content, at, &block);
        if (size == 0) {
            at = find_block(content, at + 1);
            continue;
        }
        add_gap(report, content, end, at);
        buffer_append(saved, (TextView){content.data + at, size});
        report->blocks++;
        report->games += block.games;
        report->plies += block.plies;
        end = at + size;
        at = find_block(content, end);
    }
    add_gap(report, content, end, content.length);
}

Status salvage_games(const char *in, const char *out, SalvageReport *report) {
    *report = (SalvageReport){0};
    Status status = ownership_check_inputs(out, &in, 1);
    if (status_is_ok(&status)) status = record_check_output(out);
    TextBuffer content = {0}, saved = {0};
    if (status_is_ok(&status)) status = file_read(in, &content);
    if (status_is_ok(&status)) {
        collect(buffer_view(&content), &saved, report);
        if (saved.failed)
            status = status_no_memory("the games of %s", in);
        else if (report->blocks == 0)
            status = status_error("%s has no whole block of games", in);
        else
            status = file_write(out, saved.data, saved.length);
    }
    buffer_release(&content);
    buffer_release(&saved);
    return status;
}
