#include "base/file.h"

#ifdef __wasm__

/* A WebAssembly build has no files; its host passes bytes. */
static Status no_files(const char *what, const char *path) {
    return status_error("cannot %s %.150s: this build has no files", what, path);
}

Status file_read(const char *path, TextBuffer *content) {
    (void)content;
    return no_files("open", path);
}

Status file_write(const char *path, const void *data, size_t size) {
    (void)data;
    (void)size;
    return no_files("write", path);
}

Status file_make_folder(const char *path) { return no_files("create folder", path); }

bool file_is_plain(const char *path) {
    (void)path;
    return false;
}

long long file_size(const char *path) {
    (void)path;
    return -1;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#include <direct.h>
#include <io.h>
#include <windows.h>
#endif

enum { PATH_CAPACITY = 4096 };

/* System calls with UTF-8 paths. Windows needs UTF-16, and a `stat` that handles files over 2 GiB. */
#ifdef _WIN32

typedef struct WidePath {
    wchar_t text[PATH_CAPACITY];
} WidePath;
typedef struct _stat64 FileInfo;

/* Converts to UTF-16. Returns an empty path, which no call finds, if it is too long or not UTF-8. */
static WidePath wide(const char *path) {
    WidePath out;
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, out.text, PATH_CAPACITY) == 0)
        out.text[0] = L'\0';
    return out;
}

static FILE *open_stream(const char *path) { return _wfopen(wide(path).text, L"rb"); }
static int open_handle(const char *path, int flags, int mode) {
    return _wopen(wide(path).text, flags | O_BINARY, mode);
}
static int get_info(const char *path, FileInfo *info) { return _wstat64(wide(path).text, info); }
static int remove_file(const char *path) { return _wunlink(wide(path).text); }
static int make_one_folder(const char *path) { return _wmkdir(wide(path).text); }
static int synchronise(int handle) { return _commit(handle); }
static long write_part(int handle, const char *data, size_t size) {
    return write(handle, data, (unsigned)size);
}

/* Windows: links are rare, so they are not followed but replaced. */
static const char *follow_links(const char *path, char out[PATH_CAPACITY]) {
    (void)out;
    return path;
}

static int replace_file(const char *from, const char *to) {
    const DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    if (MoveFileExW(wide(from).text, wide(to).text, flags)) return 0;
    errno = EACCES;
    return -1;
}

#else

typedef struct stat FileInfo;

static FILE *open_stream(const char *path) { return fopen(path, "rb"); }
static int open_handle(const char *path, int flags, int mode) { return open(path, flags, mode); }
static int get_info(const char *path, FileInfo *info) { return stat(path, info); }
static int remove_file(const char *path) { return unlink(path); }
static int make_one_folder(const char *path) { return mkdir(path, 0777); }
static int synchronise(int handle) { return fsync(handle); }
static long write_part(int handle, const char *data, size_t size) { return write(handle, data, size); }
static int replace_file(const char *from, const char *to) { return rename(from, to); }

/* Resolves symbolic links, so file_write replaces the target and keeps the link. */
static const char *follow_links(const char *path, char out[PATH_CAPACITY]) {
    _Static_assert(PATH_CAPACITY >= PATH_MAX, "realpath writes as much");
    return realpath(path, out) != NULL ? out : path;
}

#endif

static bool is_standard_input(const char *path) { return strcmp(path, "-") == 0; }

Status file_check_input(int handle, const char *path) {
#ifdef _WIN32
    (void)handle, (void)path;
#else
    struct stat in, out, null;
    if (fstat(handle, &in) != 0) return status_ok();
    if (S_ISREG(in.st_mode) && fstat(STDOUT_FILENO, &out) == 0 && in.st_dev == out.st_dev &&
        in.st_ino == out.st_ino)
        return status_error("%s is to be read, but standard output goes there, too", path);
    if (S_ISCHR(in.st_mode) && !isatty(handle) && stat("/dev/null", &null) == 0 && in.st_rdev != null.st_rdev)
        return status_error("%s is a device that may have no end", path);
#endif
    return status_ok();
}

Status file_read(const char *path, TextBuffer *content) {
    FILE *file = is_standard_input(path) ? stdin : open_stream(path);
    if (file == NULL && errno == ENOMEM) return status_no_memory("%.200s", path);
    if (file == NULL) return status_system_error("cannot open %s", path);
    Status status = file_check_input(fileno(file), path);
    char block[16384];
    while (status_is_ok(&status)) {
        errno = 0;
        const size_t count = fread(block, 1, sizeof block, file);
        buffer_append(content, (TextView){block, count});
        if (content->failed) {
            status = status_no_memory("%.200s", path);
        } else if (ferror(file) && errno == EINTR) {
            clearerr(file);
        } else if (ferror(file)) {
            status = status_system_error("cannot read %s", path);
        } else if (count < sizeof block) {
            break;
        }
    }
    if (file != stdin) fclose(file);
    return status;
}

static bool write_all(int handle, const char *data, size_t size) {
    while (size > 0) {
        /* One call writes at most about 2 GiB on some systems. */
        const size_t part = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
        const long written = write_part(handle, data, part);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* Writes directly, for devices and pipes, which cannot be replaced by a file. */
static Status write_in_place(const char *path, const void *data, size_t size) {
    const int handle = open_handle(path, O_WRONLY, 0);
    if (handle < 0) return status_system_error("cannot open %s", path);
    const bool complete = write_all(handle, data, size);
    Status status = complete ? status_ok() : status_system_error("cannot write %s", path);
    close(handle);
    return status;
}

/* Opens a new file next to `path` and stores its name in `temporary`. */
static int open_temporary(const char *path, char temporary[PATH_CAPACITY], int mode) {
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        const int length = snprintf(temporary, PATH_CAPACITY, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
        if (length >= PATH_CAPACITY) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int handle = open_handle(temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
        if (handle >= 0 || errno != EEXIST) return handle;
    }
    return -1;
}

Status file_write(const char *path, const void *data, size_t size) {
    FileInfo old;
    const bool exists = get_info(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return status_error("cannot write %s: it is a folder", path);
    if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, data, size);

    char temporary[PATH_CAPACITY], meant[PATH_CAPACITY];
    if (exists) path = follow_links(path, meant);
    const int handle = open_temporary(path, temporary, exists ? (int)(old.st_mode & 0777) : 0666);
    if (handle < 0) return status_system_error("cannot create a file next to %s", path);
    bool complete = write_all(handle, data, size) && synchronise(handle) == 0;
    int cause = errno;
    if (close(handle) != 0 && complete) {
        complete = false;
        cause = errno;
    }
    if (complete && replace_file(temporary, path) != 0) {
        complete = false;
        cause = errno;
    }
    if (complete) return status_ok();
    remove_file(temporary);
    errno = cause;
    return status_system_error("cannot write %s", path);
}

Status file_remove(const char *path) {
    return remove_file(path) == 0 || errno == ENOENT ? status_ok()
                                                     : status_system_error("cannot delete %s", path);
}

Status file_check_writable(const char *path) {
    FileInfo old;
    if (get_info(path, &old) == 0 && S_ISDIR(old.st_mode))
        return status_error("cannot write %s: it is a folder", path);
    char temporary[PATH_CAPACITY];
    const int handle = open_temporary(path, temporary, 0666);
    if (handle < 0) return status_system_error("cannot create a file next to %s", path);
    close(handle);
    remove_file(temporary);
    return status_ok();
}

bool file_is_same(const char *path, const char *other) {
#ifdef _WIN32
    return strcmp(path, other) == 0;
#else
    FileInfo one, two;
    return get_info(path, &one) == 0 && get_info(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
#endif
}

bool file_is_plain(const char *path) {
    FileInfo info;
    return get_info(path, &info) == 0 && S_ISREG(info.st_mode);
}

long long file_size(const char *path) {
    FileInfo info;
    if (get_info(path, &info) != 0 || S_ISDIR(info.st_mode)) return -1;
    return (long long)info.st_size;
}

static bool is_folder(const char *path) {
    FileInfo info;
    return get_info(path, &info) == 0 && S_ISDIR(info.st_mode);
}

Status file_make_folder(const char *path) {
    char prefix[PATH_CAPACITY];
    const size_t length = strlen(path);
    if (length == 0) return status_error("cannot create a folder without a name");
    if (length >= sizeof prefix) return status_error("cannot create a folder: its name is too long");
    memcpy(prefix, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        prefix[i] = '\0';
        if (!is_folder(prefix) && make_one_folder(prefix) != 0 && !is_folder(prefix)) {
            return status_system_error("cannot create folder %s", prefix);
        }
        prefix[i] = path[i];
    }
    return status_ok();
}

#endif
