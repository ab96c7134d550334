#include "lab/train/checkpoint.h"

#include "base/bytes.h"
#include "base/field.h"
#include "base/file.h"
#include "base/memory.h"
#include "lab/kit/ownership.h"
#include "lab/kit/plot.h"

#include <stddef.h>
#include <string.h>

typedef struct Header {
    char magic[8];
    uint64_t checksum; /* FNV-1a of everything after it */
    Checkpoint checkpoint;
} Header;

static const char MAGIC[8] = {'L', 'u', 'f', 't', 'C', 'k', 'p', '3'};

static uint64_t checksum_of(const char *data, size_t size) {
    const size_t checked = offsetof(Header, checkpoint);
    return bytes_hash(data + checked, size - checked);
}

Status checkpoint_check_output(const char *path) {
    return ownership_check_kind(path, MAGIC, sizeof MAGIC - 1 /* of any version */, "a checkpoint");
}

Status checkpoint_write(const char *path, const Checkpoint *checkpoint,
                        float *const arrays[CHECKPOINT_ARRAYS]) {
    const size_t array_size = checkpoint->floats * sizeof(float);
    const size_t size = sizeof(Header) + CHECKPOINT_ARRAYS * array_size;
    char *bytes = memory_allocate(size);
    if (bytes == NULL) return status_no_memory("the checkpoint");
    Header header = {.checkpoint = *checkpoint};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    memcpy(bytes, &header, sizeof header);
    for (size_t i = 0; i < CHECKPOINT_ARRAYS; i++)
        memcpy(bytes + sizeof header + i * array_size, arrays[i], array_size);
    header.checksum = checksum_of(bytes, size);
    memcpy(bytes, &header, sizeof header);
    Status status = file_write(path, bytes, size);
    memory_release(bytes);
    return status;
}

static Status take(const char *path, TextView bytes, Checkpoint *checkpoint,
                   float *const arrays[CHECKPOINT_ARRAYS]) {
    Header header;
    const size_t array_size = checkpoint->floats * sizeof(float);
    if (bytes.length < sizeof header || memcmp(bytes.data, MAGIC, sizeof MAGIC) != 0)
        return status_error("%s is no checkpoint", path);
    memcpy(&header, bytes.data, sizeof header);
    if (header.checksum != checksum_of(bytes.data, bytes.length))
        return status_error("%s is damaged (checksum)", path);
    if (header.checkpoint.fingerprint != checkpoint->fingerprint)
        return status_error("%s belongs to a training with other settings or data, or of another version",
                            path);
    if (header.checkpoint.floats != checkpoint->floats ||
        bytes.length != sizeof header + CHECKPOINT_ARRAYS * array_size)
        return status_error("%s has the wrong size", path);
    *checkpoint = header.checkpoint;
    for (size_t i = 0; i < CHECKPOINT_ARRAYS; i++)
        memcpy(arrays[i], bytes.data + sizeof header + i * array_size, array_size);
    return status_ok();
}

Status checkpoint_read(const char *path, Checkpoint *checkpoint, float *const arrays[CHECKPOINT_ARRAYS]) {
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    if (status_is_ok(&status)) status = take(path, buffer_view(&content), checkpoint, arrays);
    buffer_release(&content);
    return status;
}

/* --- losses --- */

#define FIELD_STRUCT LossRow
static const Field COLUMNS[] = {{FIELD_COLUMN("step", step)}, {FIELD_COLUMN("epoch", epoch)},
                                {FIELD_COLUMN("loss", loss)}, {FIELD_COLUMN("validation", validation_loss)},
                                {FIELD_COLUMN("rate", rate)}, {0}};
static const char BEGINNING[] = "step\tepoch\tloss\t"; /* which no other file has */

void losslog_add(LossLog *log, const LossRow *row) {
    if (log->table.length == 0) {
        fields_append_names(COLUMNS, &log->table);
        buffer_append_char(&log->table, '\n');
    }
    fields_append_row(COLUMNS, row, &log->table);
    buffer_append_char(&log->table, '\n');
    log->last = *row;
}

Status losslog_check_output(const char *path) {
    return ownership_check_kind(path, BEGINNING, sizeof BEGINNING - 1, "a table of losses");
}

Status losslog_write(const LossLog *log, const char *path) {
    if (log->table.failed) return status_no_memory("%.200s", path);
    return file_write(path, log->table.data, log->table.length);
}

Status losslog_read(LossLog *log, const char *path, uint64_t last_step) {
    if (file_size(path) < 0) return status_ok();
    TextBuffer text = {0};
    Status status = file_read(path, &text);
    TextView rest = buffer_view(&text), line;
    for (int number = 1; status_is_ok(&status) && text_next_line(&rest, &line); number++) {
        LossRow row;
        if (number == 1) continue;
        if (!fields_read_row(COLUMNS, &row, line))
            status = status_error("%s, line %d: no row of losses", path, number);
        else if (row.step <= last_step)
            losslog_add(log, &row);
    }
    buffer_release(&text);
    return status;
}

Status losslog_plot(const char *table, const char *svg, const char *title) {
    TextBuffer script = {0};
    plot_begin("svg", 800, 450, &script);
    buffer_append_string(&script, "set title ");
    plot_quote(&script, title);
    buffer_append_string(&script,
                         " noenhanced\nset xlabel 'passes over the data'\n"
                         "set ylabel 'mean squared error'\nset grid\nset datafile missing '-'\nplot ");
    plot_quote_file(&script, table);
    buffer_append_string(&script, " every ::1 using 2:3 with lines lw 2 title 'training', "
                                  "'' every ::1 using 2:4 with lines lw 2 title 'validation'\n");
    Status status = plot_run(&script, svg);
    buffer_release(&script);
    return status_is_ok(&status) ? status : status_error("no plot of %s: %s", table, status.reason);
}
