#include "lab/kit/process.h"

#include "base/clock.h"
#include "base/memory.h"
#include "lab/kit/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum {
    FIRST_CAPACITY = 1 << 16, /* what a pipe holds: one read empties it */
    THREADS_MAX = 64,         /* threads whose waiting is added up */
    HANDLES_MAX = 10240,      /* files that a process may have open on macOS */
    CHECK = 200 * 1000,       /* microseconds between looks at the caller's flag and the error log */
    END_PATIENCE = 1,         /* milliseconds between looks for the end of the child */
    ERRORS_KEPT = 1 << 20     /* bytes that stay of an error log that is too long */
};

struct Process {
    pid_t pid;
    int input, output; /* our ends of its standard input and output */
    int errors;        /* the error log */
    char *buffer;
    size_t capacity;
    size_t begin, scanned,
        end;      /* of the bytes not yet returned: where they start, are known to lack a line feed, end */
    bool drained; /* the last read took all there was */
    bool closed;  /* no more output will come */
    bool deaf;    /* no more input will be read */
    int64_t read_time;
    const atomic_bool *cancel;
    bool has_clock;
    clockid_t clock; /* processor time of the child */
    int thread_count;
    int thread_stat[THREADS_MAX]; /* open /proc/PID/task/TID/schedstat */
};

typedef struct Pipes {
    int input[2], output[2], failure[2]; /* [0] reads, [1] writes */
} Pipes;

static void close_pair(int pair[2]) {
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0) close(pair[i]);
}

static void close_pipes(Pipes *pipes) {
    close_pair(pipes->input);
    close_pair(pipes->output);
    close_pair(pipes->failure);
}

/* --- what Linux has a call for --- */

/* All ends close on exec: a child started by another thread at the same moment must not hold this one's pipes
 * open, or its end would never be seen. Where `pipe` cannot do that, the child does. */
#ifdef __linux__

static bool open_pipe(int pair[2]) { return pipe2(pair, O_CLOEXEC) == 0; }

/* In the child: dies with its parent, and runs on these processors only. */
static bool bind_child(const ProcessOptions *options) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < options->cpu_count; i++) CPU_SET((size_t)options->cpus[i], &set);
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
           (options->cpu_count == 0 || sched_setaffinity(0, sizeof set, &set) == 0);
}

static bool find_clock(pid_t pid, clockid_t *clock) { return clock_getcpuclockid(pid, clock) == 0; }

static int poll_one(struct pollfd *entry, int64_t microseconds) {
    const struct timespec timeout = {microseconds / 1000000, microseconds % 1000000 * 1000};
    return ppoll(entry, 1, &timeout, NULL);
}

#else

static bool open_pipe(int pair[2]) { return pipe(pair) == 0; }

static bool bind_child(const ProcessOptions *options) {
    (void)options;
    const long limit = sysconf(_SC_OPEN_MAX);
    for (int i = STDERR_FILENO + 1; i < limit && i < HANDLES_MAX; i++) fcntl(i, F_SETFD, FD_CLOEXEC);
    return true;
}

static bool find_clock(pid_t pid, clockid_t *clock) {
    (void)pid, (void)clock;
    return false;
}

static int poll_one(struct pollfd *entry, int64_t microseconds) {
    return poll(entry, 1, (int)((microseconds + 999) / 1000));
}

#endif

/* --- starting --- */

static bool open_pipes(Pipes *pipes) {
    *pipes = (Pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    return open_pipe(pipes->input) && open_pipe(pipes->output) && open_pipe(pipes->failure);
}

bool process_find_program(const char *name, char out[PROCESS_PATH_CAPACITY]) {
    const char *const folders[] = {getenv("PATH"), "/usr/games:/usr/local/games"};
    if (strchr(name, '/') != NULL) return false;
    for (int i = 0; i < 2; i++) {
        TextView rest = text_view(folders[i]), folder;
        for (bool more = folders[i] != NULL; more;) {
            more = text_split(&rest, ':', &folder);
            text_format(out, PROCESS_PATH_CAPACITY, "%.*s/%s", (int)folder.length, folder.data, name);
            if (!text_is_empty(folder) && access(out, X_OK) == 0) return true;
        }
    }
    return false;
}

/* Between fork and exec: only calls that are safe there. Reports errno through the failure pipe. */
static _Noreturn void become_child(const ProcessOptions *options, const char *program, const Pipes *pipes,
                                   int error_file) {
    sigset_t none;
    sigemptyset(&none);
    bool ready = setpgid(0, 0) == 0 && dup2(pipes->input[0], STDIN_FILENO) >= 0 &&
                 dup2(pipes->output[1], STDOUT_FILENO) >= 0 && dup2(error_file, STDERR_FILENO) >= 0;
    ready = ready && bind_child(options) && (options->folder == NULL || chdir(options->folder) == 0);
    if (ready) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        /* execvp changes nothing it is given; its prototype is older than const. */
        union {
            const char *const *fixed;
            char *const *loose;
        } arguments = {.fixed = options->arguments};
        execvp(program, arguments.loose);
    }
    int error = errno;
    const ssize_t written = write(pipes->failure[1], &error, sizeof error);
    _exit(written == sizeof error ? 127 : 126);
}

static int open_error_log(const char *path) {
    return path == NULL ? open("/dev/null", O_WRONLY | O_CLOEXEC)
                        : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
}

/* Shortens a log that has become too long; its first lines say most. Both sides append, so the child
 * continues after the cut. */
static void bound_error_log(int error_file) {
    static const char NOTICE[] = "\n[... more than was kept ...]\n";
    struct stat facts;
    if (fstat(error_file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size <= PROCESS_ERRORS_MAX)
        return;
    if (ftruncate(error_file, ERRORS_KEPT) == 0 && write(error_file, NOTICE, sizeof NOTICE - 1) < 0) return;
}

/* Waits for the exec: 0 if it went well, else the child's errno. */
static int read_failure(int descriptor) {
    int error = 0;
    ssize_t got;
    do got = read(descriptor, &error, sizeof error);
    while (got < 0 && errno == EINTR);
    return got == sizeof error ? error : 0;
}

static Status launch(const ProcessOptions *options, Process *process) {
    const char *name = options->arguments[0];
    const int error_file = open_error_log(options->error_log);
    if (error_file < 0) return status_system_error("cannot write %s", options->error_log);
    Pipes pipes;
    if (!open_pipes(&pipes)) {
        Status status = status_system_error("cannot open a pipe to %s", name);
        close_pipes(&pipes);
        close(error_file);
        return status;
    }
    char found[PROCESS_PATH_CAPACITY];
    const char *program = process_find_program(name, found) ? found : name;
    const pid_t pid = fork();
    if (pid == 0) become_child(options, program, &pipes, error_file);
    const int fork_error = errno;
    close(pipes.failure[1]);
    pipes.failure[1] = -1;
    const int error = pid < 0 ? fork_error : read_failure(pipes.failure[0]);
    if (error != 0) {
        close_pipes(&pipes);
        close(error_file);
        if (pid > 0) waitpid(pid, NULL, 0);
        const bool is_here = error == ENOENT && strchr(name, '/') == NULL && access(name, X_OK) == 0;
        errno = error;
        return is_here ? status_error("cannot start %s: it is not in PATH, but here: ./%s", name, name)
                       : status_system_error("cannot start %s", name);
    }
    process->pid = pid;
    process->errors = error_file;
    process->input = pipes.input[1];
    process->output = pipes.output[0];
    pipes.input[1] = pipes.output[0] = -1;
    close_pipes(&pipes);
    return status_ok();
}

Status process_start(const ProcessOptions *options, Process **out) {
    /* Writing to a child that has closed its input is an error of write, and must not kill us. */
    signal(SIGPIPE, SIG_IGN);
    *out = NULL;
    Process *process = memory_allocate(sizeof *process);
    char *buffer = memory_allocate(FIRST_CAPACITY);
    if (process == NULL || buffer == NULL) {
        memory_release(buffer);
        memory_release(process);
        return status_no_memory("the process %.200s", options->arguments[0]);
    }
    Status status = launch(options, process);
    if (!status_is_ok(&status)) {
        memory_release(buffer);
        memory_release(process);
        return status;
    }
    fcntl(process->input, F_SETFL, O_NONBLOCK);
    fcntl(process->output, F_SETFL, O_NONBLOCK);
    process->buffer = buffer;
    process->capacity = FIRST_CAPACITY;
    process->cancel = options->cancel;
    process->has_clock = find_clock(process->pid, &process->clock);
    *out = process;
    return status;
}

static bool is_cancelled(const Process *process) {
    return process->cancel != NULL && atomic_load_explicit(process->cancel, memory_order_relaxed);
}

/* Waits until the descriptor is ready; false when the deadline has passed or the caller cancels. */
static bool wait_ready(const Process *process, int descriptor, short events, int64_t deadline) {
    struct pollfd poll_entry = {descriptor, events, 0};
    for (;;) {
        int64_t left = deadline - clock_microseconds();
        if (left <= 0 || is_cancelled(process)) return false;
        if (left > CHECK) left = CHECK;
        const int ready = poll_one(&poll_entry, left);
        bound_error_log(process->errors);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

bool process_write(Process *process, TextView text, int64_t deadline) {
    while (text.length > 0) {
        const ssize_t written = write(process->input, text.data, text.length);
        if (written > 0) {
            text.data += written;
            text.length -= (size_t)written;
        } else if (errno == EAGAIN) {
            if (!wait_ready(process, process->input, POLLOUT, deadline)) return false;
        } else if (errno != EINTR) {
            process->deaf = true;
            return false;
        }
    }
    return true;
}

bool process_is_deaf(const Process *process) { return process->deaf; }

/* Room for more bytes: first by moving the unread bytes to the front, then by growing. */
static bool make_room(Process *process) {
    if (process->begin > 0) {
        memmove(process->buffer, process->buffer + process->begin, process->end - process->begin);
        process->end -= process->begin;
        process->scanned -= process->begin;
        process->begin = 0;
    }
    if (process->end < process->capacity) return true;
    if (process->capacity >= PROCESS_LINE_MAX) return false;
    char *larger = memory_resize(process->buffer, process->capacity * 2);
    if (larger == NULL) return false;
    process->buffer = larger;
    process->capacity *= 2;
    return true;
}

static bool take_line(Process *process, TextView *line) {
    char *feed = memchr(process->buffer + process->scanned, '\n', process->end - process->scanned);
    if (feed == NULL) {
        process->scanned = process->end;
        return false;
    }
    const size_t after = (size_t)(feed - process->buffer) + 1;
    size_t length = after - 1 - process->begin;
    if (length > 0 && feed[-1] == '\r') length--;
    *line = (TextView){process->buffer + process->begin, length};
    process->begin = process->scanned = after;
    return true;
}

/* Reads what is in the pipe; false when there is nothing now, or never will be. */
static bool read_some(Process *process) {
    const size_t room = process->capacity - process->end;
    const ssize_t got = read(process->output, process->buffer + process->end, room);
    if (got > 0) {
        process->read_time = clock_microseconds();
        process->end += (size_t)got;
        process->drained = (size_t)got < room;
        return true;
    }
    if (got < 0 && errno == EINTR) return true;
    process->drained = true;
    if (got == 0 || errno != EAGAIN) process->closed = true;
    return false;
}

ProcessRead process_read_line(Process *process, int64_t deadline, TextView *line) {
    *line = text_view(NULL);
    bool late = false;
    for (;;) {
        if (take_line(process, line)) return PROCESS_LINE;
        /* Bytes without a line feed at the end are a line cut off in the middle: they are ignored. */
        if (process->closed) return PROCESS_CLOSED;
        if (!make_room(process)) return PROCESS_TOO_LONG;
        /* After a read that filled the buffer there may be more; otherwise wait first, which saves a call. */
        if (!process->drained && read_some(process)) continue;
        if (process->closed) continue;
        if (is_cancelled(process)) return PROCESS_CANCELLED;
        if (late) return PROCESS_TIMEOUT;
        /* One more read after the deadline: if we ourselves were not scheduled, the answer may have come in
         * time. */
        if (!wait_ready(process, process->output, POLLIN, deadline)) late = true;
        process->drained = false;
    }
}

int64_t process_read_time(const Process *process) { return process->read_time; }

static void close_threads(Process *process) {
    for (int i = 0; i < process->thread_count; i++) close(process->thread_stat[i]);
    process->thread_count = 0;
}

void process_find_threads(Process *process) {
    char path[64];
    text_format(path, sizeof path, "/proc/%d/task", (int)process->pid);
    DIR *folder = opendir(path);
    if (folder == NULL) return;
    close_threads(process);
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL && process->thread_count < THREADS_MAX) {
        if (entry->d_name[0] == '.') continue;
        char name[300];
        text_format(name, sizeof name, "%s/schedstat", entry->d_name);
        const int descriptor = openat(dirfd(folder), name, O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0) process->thread_stat[process->thread_count++] = descriptor;
    }
    closedir(folder);
}

ProcessUsage process_usage(const Process *process) {
    ProcessUsage usage = {0, 0};
    struct timespec time;
    if (process->has_clock && clock_gettime(process->clock, &time) == 0)
        usage.cpu = (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
    for (int i = 0; i < process->thread_count; i++)
        usage.delay += machine_read_waiting(process->thread_stat[i]);
    return usage;
}

/* Checks for the end without reaping, so that the process number stays ours until process_stop. */
static bool look_for_end(const Process *process, siginfo_t *info) {
    memset(info, 0, sizeof *info);
    return waitid(P_PID, (id_t)process->pid, info, WEXITED | WNOHANG | WNOWAIT) == 0 && info->si_pid != 0;
}

bool process_has_ended(Process *process, int64_t milliseconds) {
    /* Counts its own sleeps: a clock that jumps, as after a standstill of the machine, ends no wait. */
    siginfo_t info;
    for (int64_t waited = 0; !look_for_end(process, &info); waited += END_PATIENCE) {
        if (waited >= milliseconds) return false;
        clock_sleep_milliseconds(END_PATIENCE);
    }
    return true;
}

void process_describe_end(const Process *process, char out[PROCESS_END_CAPACITY]) {
    siginfo_t info;
    if (!look_for_end(process, &info))
        text_format(out, PROCESS_END_CAPACITY, "is still running");
    else if (info.si_code == CLD_EXITED)
        text_format(out, PROCESS_END_CAPACITY, "exited with status %d", info.si_status);
    else
        text_format(out, PROCESS_END_CAPACITY, "was killed by signal %d (%s)", info.si_status,
                    strsignal(info.si_status));
}

void process_stop(Process *process, int64_t grace) {
    if (process == NULL) return;
    close(process->input);
    close_threads(process);
    process_has_ended(process, grace);
    kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) continue;
    close(process->output);
    close(process->errors);
    memory_release(process->buffer);
    memory_release(process);
}
