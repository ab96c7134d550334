/* Loaded before the C library (LD_PRELOAD), makes a call of the program fail. LUFT_FAULT selects it:
 *
 *   memory once N        the Nth allocation is refused
 *   memory always N      the Nth and all later allocations are refused
 *   disk once N          the Nth call that changes a regular file fails: "no space left on device"
 *   disk always N        the Nth call writes only the first half of its data, and all later ones fail
 *   kill before N        the process is killed before the Nth such call
 *   kill torn N          ... in the middle of it
 *   kill after N         ... after it
 *   count                no call fails
 *
 * LUFT_FAULT_COUNT=FILE writes the two numbers of calls to FILE at a normal end. LUFT_FAULT_TRACE=1 prints
 * the stack of the failing call on standard error, as addresses for addr2line. Programs that this one starts
 * do not inherit these variables. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

typedef enum Subject { NOTHING, MEMORY, DISK, KILL } Subject;
typedef enum Outcome { GOES_ON, FAILS, DIES_BEFORE, DIES_WITHIN, DIES_AFTER } Outcome;

static Subject subject;
static char mode[16];
static long chosen;
static bool traced;
static atomic_bool active;
static atomic_long allocations, changes;
static char count_path[4096];

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("LUFT_FAULT"), *path = getenv("LUFT_FAULT_COUNT");
    char what[16] = "";
    if (fault != NULL) sscanf(fault, "%15s %15s %ld", what, mode, &chosen);
    subject = strcmp(what, "memory") == 0 ? MEMORY
              : strcmp(what, "disk") == 0 ? DISK
              : strcmp(what, "kill") == 0 ? KILL
                                          : NOTHING;
    if (path != NULL) snprintf(count_path, sizeof count_path, "%s", path);
    void *warm_up[1];
    traced = getenv("LUFT_FAULT_TRACE") != NULL && backtrace(warm_up, 1) > 0; /* the first call allocates */
    unsetenv("LD_PRELOAD");
    unsetenv("LUFT_FAULT");
    unsetenv("LUFT_FAULT_COUNT");
    unsetenv("LUFT_FAULT_TRACE");
    atomic_store(&active, true);
}

__attribute__((destructor)) static void end(void) {
    char line[64];
    atomic_store(&active, false);
    if (count_path[0] == '\0') return;
    const int length =
        snprintf(line, sizeof line, "%ld %ld\n", atomic_load(&allocations), atomic_load(&changes));
    const long handle = syscall(SYS_openat, AT_FDCWD, count_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (handle >= 0) syscall(SYS_write, handle, line, (size_t)length);
}

/* Prints the stack of the program, once. */
static void trace(void) {
    void *frames[30];
    if (!traced) return;
    traced = false;
    backtrace_symbols_fd(frames, backtrace(frames, 30), STDERR_FILENO);
}

/* --- memory --- */

static bool refused(void) {
    if (!atomic_load(&active)) return false;
    const long number = atomic_fetch_add(&allocations, 1) + 1;
    const bool once = number == chosen, always = number > chosen && strcmp(mode, "always") == 0;
    if (subject != MEMORY || (!once && !always)) return false;
    trace();
    return true;
}

static void *no_memory(void) {
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size) { return refused() ? no_memory() : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refused() ? no_memory() : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return refused() ? no_memory() : __libc_realloc(block, size); }
void *aligned_alloc(size_t alignment, size_t size) {
    return refused() ? no_memory() : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *found = refused() ? NULL : __libc_memalign(alignment, size);
    if (found == NULL) return ENOMEM;
    *block = found;
    return 0;
}

void *mmap(void *address, size_t size, int protection, int flags, int handle, off_t offset) {
    if ((flags & MAP_ANONYMOUS) && refused()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, handle, offset);
}

/* --- files --- */

static Outcome change(void) {
    if (!atomic_load(&active)) return GOES_ON;
    const long number = atomic_fetch_add(&changes, 1) + 1;
    const bool once = number == chosen, always = number > chosen && strcmp(mode, "always") == 0;
    if ((subject == DISK && (once || always)) || (subject == KILL && once)) trace();
    if (subject == DISK && (once || always)) return FAILS;
    if (subject != KILL || !once) return GOES_ON;
    return strcmp(mode, "before") == 0 ? DIES_BEFORE : strcmp(mode, "torn") == 0 ? DIES_WITHIN : DIES_AFTER;
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

/* Makes a call, or lets it fail. `growing` is false for calls that succeed on a full disk. */
static long perform(long (*call)(void *), void *arguments, bool growing) {
    const Outcome outcome = change();
    if (outcome == DIES_BEFORE || outcome == DIES_WITHIN) die();
    if (outcome == FAILS && growing) {
        errno = ENOSPC;
        return -1;
    }
    const long result = call(arguments);
    if (outcome == DIES_AFTER) die();
    return result;
}

static bool is_plain(int handle) {
    struct stat facts;
    const int before = errno;
    const bool plain = fstat(handle, &facts) == 0 && S_ISREG(facts.st_mode);
    errno = before;
    return plain;
}

static ssize_t write_at(int handle, const void *data, size_t size, off_t offset, bool placed) {
    return placed ? syscall(SYS_pwrite64, handle, data, size, offset)
                  : syscall(SYS_write, handle, data, size);
}

static ssize_t disturbed_write(int handle, const void *data, size_t size, off_t offset, bool placed) {
    const Outcome outcome = is_plain(handle) ? change() : GOES_ON;
    if (outcome == DIES_BEFORE) die();
    if (outcome == DIES_WITHIN) {
        write_at(handle, data, size / 2, offset, placed);
        die();
    }
    if (outcome == FAILS) {
        /* A disk that stays full first writes less than requested, then nothing. */
        const bool first = atomic_load(&changes) == chosen && strcmp(mode, "always") == 0;
        if (first && size > 1) return write_at(handle, data, size / 2, offset, placed);
        errno = ENOSPC;
        return -1;
    }
    const ssize_t result = write_at(handle, data, size, offset, placed);
    if (outcome == DIES_AFTER) die();
    return result;
}

ssize_t write(int handle, const void *data, size_t size) {
    return disturbed_write(handle, data, size, 0, false);
}
ssize_t pwrite(int handle, const void *data, size_t size, off_t offset) {
    return disturbed_write(handle, data, size, offset, true);
}
ssize_t pwrite64(int handle, const void *data, size_t size, off_t offset) {
    return disturbed_write(handle, data, size, offset, true);
}

typedef struct FileCall {
    int handle;
    const char *from, *to;
    off_t length;
} FileCall;

static long call_fsync(void *call) { return syscall(SYS_fsync, ((FileCall *)call)->handle); }
static long call_truncate(void *call) {
    return syscall(SYS_ftruncate, ((FileCall *)call)->handle, ((FileCall *)call)->length);
}
static long call_rename(void *call) {
    return syscall(SYS_rename, ((FileCall *)call)->from, ((FileCall *)call)->to);
}
static long call_unlink(void *call) { return syscall(SYS_unlink, ((FileCall *)call)->from); }

int fsync(int handle) { return (int)perform(call_fsync, &(FileCall){.handle = handle}, true); }
int fdatasync(int handle) { return fsync(handle); }
int ftruncate(int handle, off_t length) {
    return (int)perform(call_truncate, &(FileCall){.handle = handle, .length = length}, false);
}
int ftruncate64(int handle, off_t length) { return ftruncate(handle, length); }
int rename(const char *from, const char *to) {
    return (int)perform(call_rename, &(FileCall){.from = from, .to = to}, true);
}
int unlink(const char *path) { return (int)perform(call_unlink, &(FileCall){.from = path}, false); }

static int disturbed_open(const char *path, int flags, mode_t permissions) {
    const bool creates = (flags & O_CREAT) && access(path, F_OK) != 0;
    const Outcome outcome = creates ? change() : GOES_ON;
    if (outcome == DIES_BEFORE || outcome == DIES_WITHIN) die();
    if (outcome == FAILS) {
        errno = ENOSPC;
        return -1;
    }
    const long handle = syscall(SYS_openat, AT_FDCWD, path, flags, permissions);
    if (outcome == DIES_AFTER) die();
    return (int)handle;
}

#define OPEN(name)                                       \
    int name(const char *path, int flags, ...) {         \
        va_list rest;                                    \
        va_start(rest, flags);                           \
        const mode_t permissions = va_arg(rest, mode_t); \
        va_end(rest);                                    \
        return disturbed_open(path, flags, permissions); \
    }
OPEN(open)
OPEN(open64)
