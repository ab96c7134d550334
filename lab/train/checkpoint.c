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
    Checkpoint checkpoint;
} Header;

static const char MAGIC[8] = {'L', 'u', 'f', 't', 'C', 'k', 'p', '2'};

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
