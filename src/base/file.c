#include "base/file.h"

#include "base/memory.h"

#ifdef __wasm__

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

Status file_map(const char *path, uint8_t **bytes, size_t *size) {
    (void)bytes, (void)size;
    return no_files("open", path);
}

void file_unmap(uint8_t *bytes, size_t size) { (void)bytes, (void)size; }

Status file_check_name(const char *path) { return no_files("make", path); }

#else

#ifdef _WIN32
#define _CRT_RAND_S /* rand_s of stdlib.h */
#endif

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/random.h>
#endif
#ifdef _WIN32
#include <direct.h>
#include <io.h>
#include <windows.h>
#endif

/* System calls with UTF-8 paths. Windows needs UTF-16, and a `stat` that handles files over 2 GiB. */
#ifdef _WIN32

static const char SEPARATORS[] = "/\\:";

typedef struct WidePath {
    wchar_t text[FILE_PATH_CAPACITY];
} WidePath;
typedef struct _stat64 FileInfo;

/* Converts to UTF-16. Returns an empty path, which no call finds, if it is too long or not UTF-8. */
static WidePath wide(const char *path) {
    WidePath out;
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, out.text, FILE_PATH_CAPACITY) == 0)
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

static int keep_mode(int handle, const FileInfo *old) {
    (void)handle, (void)old;
    return 0;
}
static bool is_protected(const char *path) {
    (void)path;
    return false; /* Windows does not replace such a file anyway */
}
static bool random_number(uint64_t *number) {
    unsigned high, low;
    if (rand_s(&high) != 0 || rand_s(&low) != 0) return false;
    *number = (uint64_t)high << 32 | low;
    return true;
}

/* Windows: links are rare, so they are not followed but replaced. */
static bool follow_links(const char *path, char out[FILE_PATH_CAPACITY]) {
    (void)path, (void)out;
    return false;
}

static int replace_file(const char *from, const char *to) {
    const DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    if (MoveFileExW(wide(from).text, wide(to).text, flags)) return 0;
    errno = EACCES;
    return -1;
}

#else

static const char SEPARATORS[] = "/";

typedef struct stat FileInfo;

static FILE *open_stream(const char *path) { return fopen(path, "rb"); }
static int open_handle(const char *path, int flags, int mode) { return open(path, flags | O_CLOEXEC, mode); }
static int get_info(const char *path, FileInfo *info) { return stat(path, info); }
static int remove_file(const char *path) { return unlink(path); }
static int make_one_folder(const char *path) { return mkdir(path, 0777); }
static int synchronise(int handle) {
#ifdef F_FULLFSYNC /* fsync of macOS leaves the data in the disk's own memory; not every disk can do more */
    if (fcntl(handle, F_FULLFSYNC) == 0) return 0;
#endif
    return fsync(handle);
}
static long write_part(int handle, const char *data, size_t size) { return write(handle, data, size); }
static int replace_file(const char *from, const char *to) { return rename(from, to); }
static int keep_mode(int handle, const FileInfo *old) { return fchmod(handle, old->st_mode & 0777); }
static bool is_protected(const char *path) { return access(path, W_OK) != 0; }
static bool random_number(uint64_t *number) { return getentropy(number, sizeof *number) == 0; }

/* Resolves symbolic links, so that a link stays and its target is replaced. */
static bool follow_links(const char *path, char out[FILE_PATH_CAPACITY]) {
    _Static_assert(FILE_PATH_CAPACITY >= PATH_MAX, "realpath writes as much");
    return realpath(path, out) != NULL;
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

/* --- files on their way --- */

/* Creates a file in the folder of the target under a name that nobody can have guessed, for a link prepared
 * under that name would lead the writing astray. */
static Status create_temporary(NewFile *file) {
    uint64_t number;
    int folder = (int)strlen(file->target); /* the length of its name with the last separator */
    while (folder > 0 && strchr(SEPARATORS, file->target[folder - 1]) == NULL) folder--;
    if (random_number(&number))
        text_format(file->temporary, sizeof file->temporary, "%.*sluft-%016" PRIx64 ".tmp", folder,
                    file->target, number);
    interrupt_postpone(&file->interrupt);
    file->handle = open_handle(file->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file->handle >= 0) return status_ok();
    const Status status = status_system_error("cannot create a file next to %s", file->target);
    interrupt_resume(&file->interrupt);
    file->temporary[0] = '\0';
    return status;
}

Status new_file_begin(NewFile *file, const char *path) {
    FileInfo old;
    *file = (NewFile){.handle = -1};
    const bool exists = get_info(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return status_error("cannot write %s: it is a folder", path);
    if (exists && is_protected(path)) return status_system_error("cannot write %s", path);
    if (strlen(path) >= sizeof file->target)
        return status_error("a name of %zu bytes is too long", strlen(path));
    if (!exists || !follow_links(path, file->target))
        text_copy(text_view(path), file->target, sizeof file->target);
    if (exists && !S_ISREG(old.st_mode)) { /* a device or a pipe, whose place no file can take */
        file->handle = open_handle(path, O_WRONLY, 0);
        return file->handle >= 0 ? status_ok() : status_system_error("cannot open %s", path);
    }
    const Status status = create_temporary(file);
    if (status_is_ok(&status) && exists) (void)keep_mode(file->handle, &old);
    return status;
}

Status new_file_add(NewFile *file, const void *data, size_t size) {
    return write_all(file->handle, data, size) ? status_ok()
                                               : status_system_error("cannot write %s", file->target);
}

/* The reason with the name that the user knows. */
static Status name_target(const NewFile *file, Status status) {
    const Status before = status;
    const char *name = file->temporary, *at = name[0] != '\0' ? strstr(before.reason, name) : NULL;
    if (at != NULL)
        text_format(status.reason, sizeof status.reason, "%.*s%s%s", (int)(at - before.reason), before.reason,
                    file->target, at + strlen(name));
    return status;
}

Status new_file_end(NewFile *file, Status status) {
    if (file->handle < 0) return status;
    const bool replaces = file->temporary[0] != '\0';
    bool complete = status_is_ok(&status);
    if (complete && replaces) complete = synchronise(file->handle) == 0;
    int cause = errno;
    if (close(file->handle) != 0 && complete) {
        complete = false;
        cause = errno;
    }
    file->handle = -1;
    if (complete && replaces && replace_file(file->temporary, file->target) != 0) {
        complete = false;
        cause = errno;
    }
    if (!complete && replaces) remove_file(file->temporary);
    errno = cause;
    if (!complete && status_is_ok(&status)) status = status_system_error("cannot write %s", file->target);
    if (replaces) interrupt_resume(&file->interrupt);
    return name_target(file, status);
}

Status file_write(const char *path, const void *data, size_t size) {
    NewFile file;
    Status status = new_file_begin(&file, path);
    if (status_is_ok(&status)) status = new_file_add(&file, data, size);
    return new_file_end(&file, status);
}

Status file_remove(const char *path) {
    return remove_file(path) == 0 || errno == ENOENT ? status_ok()
                                                     : status_system_error("cannot delete %s", path);
}

Status file_check_writable(const char *path) {
    NewFile file;
    FileInfo old;
    if (get_info(path, &old) == 0 && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)) return status_ok();
    const Status status = new_file_begin(&file, path);
    (void)new_file_end(&file, status_error("only tried"));
    return status;
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

Status file_map(const char *path, uint8_t **bytes, size_t *size) {
    FileInfo info;
    if (get_info(path, &info) != 0) return status_system_error("cannot open %.150s", path);
    if (!S_ISREG(info.st_mode)) return status_error("%.150s is no regular file", path);
    if (info.st_size == 0) return status_error("%.150s is empty", path);
    const int handle = open_handle(path, O_RDONLY, 0);
    if (handle < 0) return status_system_error("cannot open %.150s", path);
    *size = (size_t)info.st_size;
    *bytes = (uint64_t)info.st_size <= SIZE_MAX ? memory_map(handle, *size) : NULL;
    close(handle);
    return *bytes != NULL ? status_ok() : status_no_memory("%.150s", path);
}

void file_unmap(uint8_t *bytes, size_t size) { memory_unmap(bytes, size); }

static bool is_folder(const char *path) {
    FileInfo info;
    return get_info(path, &info) == 0 && S_ISDIR(info.st_mode);
}

Status file_check_name(const char *path) {
    char folder[FILE_PATH_CAPACITY] = ".";
    size_t length = strlen(path);
    if (is_folder(path)) return status_error("'%s' is a folder", path);
    while (length > 0 && strchr(SEPARATORS, path[length - 1]) == NULL) length--;
    if (length == strlen(path)) return status_error("'%s' is no name of a file", path);
    if (length >= sizeof folder) return status_error("the name of the file is too long");
    if (length > 0) text_copy((TextView){path, length}, folder, sizeof folder);
    if (!is_folder(folder)) return status_error("there is no folder '%s'", folder);
    return is_protected(folder) ? status_error("the folder '%s' is write-protected", folder) : status_ok();
}

Status file_make_folder(const char *path) {
    char prefix[FILE_PATH_CAPACITY];
    const size_t length = strlen(path);
    if (length == 0) return status_error("cannot create a folder without a name");
    if (length >= sizeof prefix) return status_error("cannot create a folder: its name is too long");
    memcpy(prefix, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        prefix[i] = '\0';
        if (!is_folder(prefix) && make_one_folder(prefix) != 0) {
            const Status status = status_system_error("cannot create folder %s", prefix);
            if (!is_folder(prefix)) return status; /* nobody else made it meanwhile */
        }
        prefix[i] = path[i];
    }
    return status_ok();
}

#endif
