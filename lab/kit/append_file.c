#include "lab/kit/append_file.h"

#include "lab/kit/ownership.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int handle, TextView text) {
    while (text.length > 0) {
        ssize_t written = write(handle, text.data, text.length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.data += written;
        text.length -= (size_t)written;
    }
    return true;
}

/* Devices and pipes cannot be synchronised, which is no fault of theirs. */
static bool synchronise(int handle) { return fsync(handle) == 0 || errno == EINVAL || errno == EROFS; }

static Status probe(AppendFile *file) {
    bool written = write_all(file->handle, text_view("\n")) && synchronise(file->handle);
    Status status = written ? status_ok() : status_system_error("cannot write %s", file->path);
    if (ftruncate(file->handle, file->length) != 0 && errno != EINVAL && status_is_ok(&status))
        status = status_system_error("cannot cut %s", file->path);
    return status;
}

Status append_file_open(AppendFile *file, const char *path) {
    file->path = path;
    file->length = 0;
    Status status = ownership_take(path, O_APPEND, &file->handle);
    if (!status_is_ok(&status)) return status;
    struct stat info;
    if (fstat(file->handle, &info) == 0 && S_ISREG(info.st_mode)) file->length = info.st_size;
    status = probe(file);
    if (!status_is_ok(&status)) append_file_close(file);
    return status;
}

Status append_file_write(AppendFile *file, TextView text) {
    Status status = ownership_check(file->path, file->handle);
    if (!status_is_ok(&status)) return status;
    if (write_all(file->handle, text) && synchronise(file->handle)) {
        file->length += (int64_t)text.length;
        return status_ok();
    }
    status = status_system_error("cannot write %s", file->path);
    /* Nothing more can be done if this fails too: the journal still knows where the whole part ends. */
    if (ftruncate(file->handle, file->length) == 0) synchronise(file->handle);
    return status;
}

Status append_file_cut(AppendFile *file, int64_t length) {
    if (file->length == length) return status_ok();
    if (ftruncate(file->handle, length) != 0 || !synchronise(file->handle))
        return status_system_error("cannot cut %s", file->path);
    file->length = length;
    return status_ok();
}

void append_file_close(AppendFile *file) {
    if (file->handle >= 0) close(file->handle);
    file->handle = -1;
}
