#include "lab/train/checkpoint.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lab/kit/ownership.h"

#include <stddef.h>
#include <string.h>

typedef struct Header {
    char magic[8];
    uint64_t checksum; /* FNV-1a of everything after it */
    uint64_t fingerprint, step, interval_positions, floats;
    double interval_loss;
} Header;

static const char MAGIC[8] = {'L', 'u', 'f', 't', 'C', 'k', 'p', '2'};

static uint64_t checksum_of(const char *data, size_t size) {
    const size_t checked = offsetof(Header, fingerprint);
    return bytes_hash(data + checked, size - checked);
}

Status checkpoint_check_output(const char *path) {
    return ownership_check_kind(path, MAGIC, sizeof MAGIC - 1 /* of any version */, "a checkpoint");
}

Status checkpoint_write(const char *path, const Checkpoint *checkpoint) {
    const size_t floats = checkpoint->shape.count;
    const size_t size = sizeof(Header) + CHECKPOINT_ARRAYS * floats * sizeof(float);
    char *bytes = memory_allocate(size);
    if (bytes == NULL) return status_no_memory("the checkpoint");
    Header header = {.fingerprint = checkpoint->fingerprint,
                     .step = checkpoint->step,
                     .interval_positions = checkpoint->interval_positions,
                     .floats = floats,
                     .interval_loss = checkpoint->interval_loss};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    memcpy(bytes, &header, sizeof header);
    for (size_t i = 0; i < CHECKPOINT_ARRAYS; i++)
        memcpy(bytes + sizeof header + i * floats * sizeof(float), checkpoint->arrays[i],
               floats * sizeof(float));
    header.checksum = checksum_of(bytes, size);
    memcpy(bytes, &header, sizeof header);
    Status status = file_write(path, bytes, size);
    memory_release(bytes);
    return status;
}

static Status take(const char *path, const char *bytes, size_t size, Checkpoint *checkpoint) {
    Header header;
    const size_t floats = checkpoint->shape.count;
    if (size < sizeof header || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return status_error("%s is no checkpoint", path);
    memcpy(&header, bytes, sizeof header);
    if (header.checksum != checksum_of(bytes, size)) return status_error("%s is damaged (checksum)", path);
    if (header.fingerprint != checkpoint->fingerprint)
        return status_error("%s belongs to a training with other settings or data, or of another version",
                            path);
    if (header.floats != floats || size != sizeof header + CHECKPOINT_ARRAYS * floats * sizeof(float))
        return status_error("%s has the wrong size", path);
    checkpoint->step = header.step;
    checkpoint->interval_positions = header.interval_positions;
    checkpoint->interval_loss = header.interval_loss;
    for (size_t i = 0; i < CHECKPOINT_ARRAYS; i++)
        memcpy(checkpoint->arrays[i], bytes + sizeof header + i * floats * sizeof(float),
               floats * sizeof(float));
    return status_ok();
}

Status checkpoint_read(const char *path, Checkpoint *checkpoint) {
    TextBuffer content = {0};
    Status status = file_read(path, &content);
    if (status_is_ok(&status) && content.failed) status = status_no_memory("the checkpoint");
    if (status_is_ok(&status)) status = take(path, buffer_string(&content), content.length, checkpoint);
    buffer_release(&content);
    return status;
}
