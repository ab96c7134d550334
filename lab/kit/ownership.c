#include "lab/kit/ownership.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A runner that was killed keeps its locks until the system has ended it, on a busy machine for some time. */
enum { LOCK_ATTEMPTS = 20, LOCK_PAUSE = 50 /* milliseconds */ };

enum { ATTEMPTS = 100, START_MAX = 64, PATH_CAPACITY = 4096 };

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static Status refuse_busy(const char *path) {
    return status_busy("%s is being written by another luft-lab", path);
}

/* Whether another process keeps the lock. No process owns a pipe or a device: all may write to /dev/null. */
static bool is_locked_by_another(int handle) {
    struct stat facts;
    if (fstat(handle, &facts) == 0 && !S_ISREG(facts.st_mode)) return false;
    for (int attempt = 0; flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; attempt++) {
        if (attempt == LOCK_ATTEMPTS) return true;
        clock_sleep_milliseconds(LOCK_PAUSE);
    }
    return false;
}

Status ownership_take(const char *path, int flags, int *handle) {
    /* The file may be replaced between opening and locking: then open the new one. */
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        *handle = open(path, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0666);
        if (*handle < 0) return status_system_error("cannot write %s", path);
        const bool busy = is_locked_by_another(*handle);
        Status status = busy ? refuse_busy(path) : ownership_check(path, *handle);
        if (status_is_ok(&status)) return status;
        close(*handle);
        *handle = -1;
        if (busy) return status;
    }
    return refuse_busy(path);
}

Status ownership_check(const char *path, int handle) {
    struct stat named, held;
    if (fstat(handle, &held) == 0 && stat(path, &named) == 0 && same_file(&named, &held)) return status_ok();
    return status_error("%s was removed or replaced while it was being written", path);
}

Status ownership_check_free(const char *path) {
    struct stat facts;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
        return status_error("%s is a device or a pipe, and no file can take its place", path);
    if (access(path, W_OK) != 0 && errno != ENOENT) return status_system_error("cannot write %s", path);
    const int handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (handle < 0) return status_ok(); /* the writer will report what is wrong */
    const bool busy = is_locked_by_another(handle);
    close(handle);
    return busy ? refuse_busy(path) : status_ok();
}

/* The files of a folder; nothing for what is no folder. */
static Status check_inside(const char *path) {
    DIR *folder = opendir(path);
    Status status = status_ok();
    for (struct dirent *entry;
         folder != NULL && status_is_ok(&status) && (entry = readdir(folder)) != NULL;) {
        char inside[PATH_CAPACITY];
        struct stat facts;
        text_format(inside, sizeof inside, "%.3000s/%s", path, entry->d_name);
        if (stat(inside, &facts) == 0 && S_ISREG(facts.st_mode)) status = ownership_check_free(inside);
    }
    if (folder != NULL) closedir(folder);
    return status;
}

Status ownership_set_aside(const char *path) {
    char old[PATH_CAPACITY];
    if (access(path, F_OK) != 0) return status_ok();
    Status status = ownership_check_free(path);
    if (status_is_ok(&status)) status = check_inside(path);
    if (!status_is_ok(&status)) return status;
    text_format(old, sizeof old, "%s.old", path);
    /* An older one may be all that remains of another run. */
    for (int number = 2; access(old, F_OK) == 0; number++)
        text_format(old, sizeof old, "%s.old%d", path, number);
    return rename(path, old) == 0 ? status : status_system_error("cannot rename %s to %s", path, old);
}

static bool is_named(const char *path) { return path != NULL && path[0] != '\0' && strcmp(path, "-") != 0; }

Status ownership_check_inputs(const char *output, const char *const *inputs, int count) {
    struct stat out, in;
    if (!is_named(output) || stat(output, &out) != 0 || !S_ISREG(out.st_mode)) return status_ok();
    for (int i = 0; i < count; i++)
        if (is_named(inputs[i]) && stat(inputs[i], &in) == 0 && same_file(&out, &in))
            return status_error("%s is to be written, but it is also an input", output);
    return status_ok();
}

Status ownership_check_new(const char *output, bool again) {
    const Status status = ownership_check_free(output);
    struct stat facts;
    if (!status_is_ok(&status) || again || stat(output, &facts) != 0 || facts.st_size == 0) return status;
    return status_error("%.180s is there already; --again replaces it and keeps the old one", output);
}

Status ownership_make_room(const char *output, bool again) {
    return again ? ownership_set_aside(output) : ownership_check_new(output, false);
}

Status ownership_check_kind(const char *output, const void *start, size_t length, const char *kind) {
    struct stat facts;
    if (!is_named(output) || stat(output, &facts) != 0) return status_ok();
    if (S_ISDIR(facts.st_mode)) return status_error("cannot write %s: it is a folder", output);
    if (!S_ISREG(facts.st_mode) || facts.st_size == 0) return status_ok();
    const int handle = open(output, O_RDONLY | O_CLOEXEC);
    if (handle < 0) return status_system_error("cannot open %s", output);
    char found[START_MAX];
    const ssize_t count = read(handle, found, length);
    close(handle);
    if (count == (ssize_t)length && memcmp(found, start, length) == 0) return status_ok();
    return status_error("%s is there already, and is not %s", output, kind);
}
