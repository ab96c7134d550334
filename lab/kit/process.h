/* A child process that we exchange lines with: its input and output are pipes, its standard error goes to a
 * file. It has its own process group: Ctrl-C at the terminal does not reach it, and killing it kills its
 * children, too. It dies with the thread that started it. One thread at a time may use a Process. POSIX;
 * processor times and pinning need Linux, elsewhere they read as zero or do nothing. */
#ifndef LUFT_KIT_PROCESS_H
#define LUFT_KIT_PROCESS_H

#include "base/status.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The longest line accepted. */
enum { PROCESS_LINE_MAX = 1 << 20 };

/* An error log that grows beyond this, in bytes, loses its middle; checked while we wait for the child. */
enum { PROCESS_ERRORS_MAX = 4 << 20 };

typedef struct Process Process;

typedef struct ProcessOptions {
    const char *const
        *arguments;     /* NULL-terminated; the first is the program: a path, or a name looked up in PATH */
    const char *folder; /* working folder; NULL: ours */
    const char *error_log;     /* standard error is appended to this file; NULL: thrown away */
    const int *cpus;           /* processors it may run on */
    int cpu_count;             /* 0: any */
    const atomic_bool *cancel; /* when it becomes true, reads return PROCESS_CANCELLED; NULL: never */
} ProcessOptions;

typedef enum ProcessRead {
    PROCESS_LINE,     /* a line was read */
    PROCESS_TIMEOUT,  /* the deadline passed */
    PROCESS_CLOSED,   /* the child closed its output (mostly: it ended) */
    PROCESS_TOO_LONG, /* more than PROCESS_LINE_MAX without a line feed */
    PROCESS_CANCELLED /* the caller's flag was set */
} ProcessRead;

/* Microseconds used so far by all threads of the child. */
typedef struct ProcessUsage {
    int64_t cpu;   /* running */
    int64_t delay; /* ready to run, but waiting for a processor */
} ProcessUsage;

/* Where a name without a slash is found: in PATH, or where Debian has its games, which often is not in it.
 * False when it is nowhere. */
enum { PROCESS_PATH_CAPACITY = 1024 };
bool process_find_program(const char *name, char out[PROCESS_PATH_CAPACITY]);

/* Starts the program. A program that cannot be executed is an error here, with the path and the cause. */
Status process_start(const ProcessOptions *options, Process **process);

/* Sends the text as it is. Waits until `deadline` (clock_microseconds) for a child that does not read; false
 * when it passes or when the child has closed its input. */
bool process_write(Process *process, TextView text, int64_t deadline);

/* Whether a write has found the child's input closed. */
bool process_is_deaf(const Process *process);

/* The next line, without LF or CRLF, otherwise as the child wrote it; valid until the next call. A line that
 * is already here is returned even after the deadline. */
ProcessRead process_read_line(Process *process, int64_t deadline, TextView *line);

/* When (clock_microseconds) the bytes of the last line were read. */
int64_t process_read_time(const Process *process);

/* Looks up the threads of the child whose waiting time process_usage adds up. After the child has settled. */
void process_find_threads(Process *process);
ProcessUsage process_usage(const Process *process);

/* Whether it has ended; waits up to `milliseconds` for that. */
bool process_has_ended(Process *process, int64_t milliseconds);

enum { PROCESS_END_CAPACITY = 96 };
/* How it ended: "exited with status 1", "was killed by signal 11 (Segmentation fault)", "is still running".
 */
void process_describe_end(const Process *process, char out[PROCESS_END_CAPACITY]);

/* Closes its input, waits up to `grace` milliseconds for it to end by itself, kills the group, and frees.
 * NULL is fine. */
void process_stop(Process *process, int64_t grace);

#endif
