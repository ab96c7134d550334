/* Loaded before the C library (LD_PRELOAD), disturbs a program. LUFT_FAULT selects how:
 *
 *   memory once N        the Nth allocation is refused
 *   memory always N      the Nth and all later allocations are refused
 *   disk once N          the Nth call that changes a regular file fails: "no space left on device"
 *   disk always N        the Nth call writes only the first half of its data, and all later ones fail
 *   disk room N          N bytes fit on the disk, then it is full
 *   signal before N S    the program gets signal S before the Nth such call
 *   signal torn N S      ... in the middle of it
 *   signal after N S     ... after it
 *   signal memory N S    ... before the Nth allocation
 *   clock jumps N W S    from the Nth look on, the wall clock is W seconds off and the steady clock S seconds
 *   locale               the program has the locale of its environment, as one that uses the library may
 *   count                nothing is disturbed
 *
 * LUFT_FAULT_COUNT=FILE writes the numbers of allocations, changes, bytes and looks to FILE at a normal end.
 * LUFT_FAULT_TRACE=1 prints the stack of the failing call on standard error, as addresses for addr2line.
 * Programs that this one starts do not inherit these variables. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
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
#include <time.h>
#include <unistd.h>

typedef enum Subject { NOTHING, MEMORY, DISK, SIGNAL, CLOCK } Subject;
typedef enum Outcome { GOES_ON, FAILS, STRUCK_BEFORE, STRUCK_WITHIN, STRUCK_AFTER } Outcome;

static Subject subject;
static char mode[16];
static long chosen, first_value, second_value; /* the signal; what the clocks are off */
static bool traced;
static atomic_bool active;
static atomic_long allocations, changes, bytes, looks;
static char count_path[4096];

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static bool is_mode(const char *name) { return strcmp(mode, name) == 0; }

__attribute__((constructor)) static void begin(void) {
    static const char *const SUBJECTS[] = {"", "memory", "disk", "signal", "clock"};
    const char *fault = getenv("LUFT_FAULT"), *path = getenv("LUFT_FAULT_COUNT");
    char what[16] = "";
    if (fault != NULL)
        sscanf(fault, "%15s %15s %ld %ld %ld", what, mode, &chosen, &first_value, &second_value);
    for (int i = 0; i < 5; i++)
        if (strcmp(what, SUBJECTS[i]) == 0) subject = (Subject)i;
    if (strcmp(what, "locale") == 0) setlocale(LC_ALL, "");
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
    char line[128];
    atomic_store(&active, false);
    if (count_path[0] == '\0') return;
    const int length = snprintf(line, sizeof line, "%ld %ld %ld %ld\n", atomic_load(&allocations),
                                atomic_load(&changes), atomic_load(&bytes), atomic_load(&looks));
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

/* Sends the signal. One that the program does not die of has acted, or waits, when this returns. */
static void strike(void) {
    trace();
    syscall(SYS_kill, getpid(), (int)first_value);
    while (first_value == SIGKILL) pause();
}

/* --- memory --- */

static bool refused(void) {
    if (!atomic_load(&active)) return false;
    const long number = atomic_fetch_add(&allocations, 1) + 1;
    const bool once = number == chosen, always = number > chosen && is_mode("always");
    if (subject == SIGNAL && once && is_mode("memory")) strike();
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
    const bool once = number == chosen, always = number > chosen && is_mode("always");
    if (subject == DISK && !is_mode("room") && (once || always)) {
        trace();
        return FAILS;
    }
    if (subject != SIGNAL || !once || is_mode("memory")) return GOES_ON;
    return is_mode("before") ? STRUCK_BEFORE : is_mode("torn") ? STRUCK_WITHIN : STRUCK_AFTER;
}

static int no_space(void) {
    errno = ENOSPC;
    return -1;
}

/* Makes a call, or lets it fail. `growing` is false for calls that succeed on a full disk. */
static long perform(long (*call)(void *), void *arguments, bool growing) {
    const Outcome outcome = change();
    if (outcome == STRUCK_BEFORE || outcome == STRUCK_WITHIN) strike();
    if (outcome == FAILS && growing) return no_space();
    const long result = call(arguments);
    if (outcome == STRUCK_AFTER) strike();
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

/* How many of the bytes still fit on the disk. */
static size_t room_for(size_t size) {
    const long used = atomic_fetch_add(&bytes, (long)size);
    if (subject != DISK || !is_mode("room") || used + (long)size <= chosen) return size;
    trace();
    return used < chosen ? (size_t)(chosen - used) : 0;
}

static ssize_t disturbed_write(int handle, const void *data, size_t size, off_t offset, bool placed) {
    const bool plain = is_plain(handle);
    const Outcome outcome = plain ? change() : GOES_ON;
    /* A disk that stays full first writes less than requested, then nothing. */
    const bool first = outcome == FAILS && atomic_load(&changes) == chosen && is_mode("always");
    if (outcome == FAILS && (!first || size < 2)) return no_space();
    if (outcome == STRUCK_BEFORE) strike();
    const bool torn = (first || outcome == STRUCK_WITHIN) && size > 1;
    const size_t part = torn ? size / 2 : plain ? room_for(size) : size;
    if (part == 0 && size > 0) return no_space();
    const ssize_t result = write_at(handle, data, part, offset, placed);
    if (outcome == STRUCK_WITHIN || outcome == STRUCK_AFTER) strike();
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
    if (outcome == STRUCK_BEFORE || outcome == STRUCK_WITHIN) strike();
    if (outcome == FAILS) return no_space();
    const long handle = syscall(SYS_openat, AT_FDCWD, path, flags, permissions);
    if (outcome == STRUCK_AFTER) strike();
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

/* --- clocks --- */

/* What a clock is off now, in seconds. */
static time_t shift_of(clockid_t clock) {
    if (subject != CLOCK || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) return 0;
    return atomic_load(&looks) < chosen ? 0 : clock == CLOCK_REALTIME ? first_value : second_value;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    atomic_fetch_add(&looks, 1);
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    now->tv_sec += shift_of(clock);
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL) *out = now.tv_sec;
    return now.tv_sec;
}

/* The system's clocks have not jumped. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    struct timespec real = *until;
    real.tv_sec -= shift_of(CLOCK_MONOTONIC);
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &real);
}
