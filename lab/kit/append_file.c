#include "lab/kit/append_file.h"

#include "base/bytes.h"
#include "lab/kit/ownership.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_CAPACITY = 4096 };

static bool write_all(int handle, TextView text) {
    while (text.length > 0) {
        const ssize_t written = write(handle, text.data, text.length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.data += written;
        text.length -= (size_t)written;
    }
    return true;
}

/* Devices and pipes cannot be synchronised; that is no error. */
static bool synchronise(int handle) { return fsync(handle) == 0 || errno == EINVAL || errno == EROFS; }

/* Opens a file without a name in the folder of `path`, which the system removes in any case. -1 where there
 * are no such files. */
static int open_nameless(const char *path) {
#ifdef O_TMPFILE
    const char *slash = strrchr(path, '/');
    char folder[PATH_CAPACITY];
    if (slash == NULL) return open(".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    text_copy((TextView){path, (size_t)(slash - path) + 1}, folder, sizeof folder);
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
#else
    (void)path;
    return -1;
#endif
}

/* Whether there is room for another byte. It is not written to the file itself: a kill would leave it there.
 */
static Status probe(const AppendFile *file, bool plain) {
    const int handle = plain ? open_nameless(file->path) : file->handle;
    if (handle < 0) return status_ok();
    const bool written = write_all(handle, text_view("\n")) && synchronise(handle);
    Status status = written ? status_ok() : status_system_error("cannot write %s", file->path);
    if (plain) close(handle);
    return status;
}

Status append_file_open(AppendFile *file, const char *path, NameOrigin origin) {
    file->path = path;
    file->length = 0;
    file->is_new = access(path, F_OK) != 0;
    Status status = ownership_take(path, O_APPEND | (origin == NAME_DERIVED ? O_NOFOLLOW : 0), &file->handle);
    if (!status_is_ok(&status)) return status;
    struct stat info;
    const bool plain = fstat(file->handle, &info) == 0 && S_ISREG(info.st_mode);
    if (plain) file->length = info.st_size;
    status = probe(file, plain);
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
    /* If this fails too, the journal still knows where the complete part ends. */
    if (ftruncate(file->handle, file->length) == 0) synchronise(file->handle);
    return status;
}

bool append_file_ends_line(const AppendFile *file) {
    char last = '\n';
    if (file->length > 0 && pread(file->handle, &last, 1, file->length - 1) != 1) return true;
    return last == '\n';
}

Status append_file_cut(AppendFile *file, int64_t length) {
    if (file->length == length) return status_ok();
    if (ftruncate(file->handle, length) != 0 || !synchronise(file->handle))
        return status_system_error("cannot cut %s", file->path);
    file->length = length;
    return status_ok();
}

/* Calls `take` for the bytes from `begin` to `end`, piece by piece. */
static Status read_range(const AppendFile *file, int64_t begin, int64_t end,
                         Status (*take)(void *context, TextView piece), void *context) {
    char piece[1 << 14];
    Status status = status_ok();
    while (begin < end && status_is_ok(&status)) {
        const size_t wanted = end - begin < (int64_t)sizeof piece ? (size_t)(end - begin) : sizeof piece;
        const ssize_t count = pread(file->handle, piece, wanted, begin);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return status_system_error("cannot read %s", file->path);
        status = take(context, (TextView){piece, (size_t)count});
        begin += count;
    }
    return status;
}

static Status add_to_hash(void *hash, TextView piece) {
    *(uint64_t *)hash = bytes_hash_more(*(uint64_t *)hash, piece.data, piece.length);
    return status_ok();
}

Status append_file_hash(const AppendFile *file, int64_t length, uint64_t *hash) {
    *hash = bytes_hash("", 0);
    return read_range(file, 0, length, add_to_hash, hash);
}

static Status add_to_file(void *file, TextView piece) { return append_file_write(file, piece); }

Status append_file_move_tail(AppendFile *file, int64_t length, const char *path) {
    AppendFile other;
    Status status = append_file_open(&other, path, NAME_DERIVED);
    if (!status_is_ok(&status)) return status;
    status = read_range(file, length, file->length, add_to_file, &other);
    append_file_close(&other);
    return status_is_ok(&status) ? append_file_cut(file, length) : status;
}

void append_file_drop(AppendFile *file) {
    const Status status = file->handle >= 0 ? ownership_check(file->path, file->handle) : status_ok();
    if (file->handle >= 0 && file->is_new && status_is_ok(&status)) unlink(file->path);
    append_file_close(file);
}

void append_file_close(AppendFile *file) {
    if (file->handle >= 0) close(file->handle);
    file->handle = -1;
}
