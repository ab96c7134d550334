/* Threads, mutexes and conditions behind one header (POSIX, Windows). A build with LUFT_NO_THREADS, as for
 * WebAssembly, has one thread: no other can be started, a mutex is always free, and nothing changes while one
 * waits. A build for a system whose threads are others needs another set of handles here and of functions in
 * sync.c, and no more. */
#ifndef LUFT_BASE_SYNC_H
#define LUFT_BASE_SYNC_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef LUFT_NO_THREADS
enum { THREADS_EXIST = false };
typedef bool ThreadHandle, MutexHandle, ConditionHandle, OnceHandle;
#define ONCE_INITIAL \
    { false }
#else
#include <pthread.h>
enum { THREADS_EXIST = true };
typedef pthread_t ThreadHandle;
typedef pthread_mutex_t MutexHandle;
typedef pthread_cond_t ConditionHandle;
typedef pthread_once_t OnceHandle;
#define ONCE_INITIAL \
    { PTHREAD_ONCE_INIT }
#endif

typedef struct Thread {
    ThreadHandle handle;
    void (*run)(void *);
    void *argument;
} Thread;
typedef struct Mutex {
    MutexHandle handle;
} Mutex;
typedef struct Condition {
    ConditionHandle handle;
} Condition;

/* What must happen once in a program, whichever thread comes first. Start from ONCE_INITIAL. */
typedef struct Once {
    OnceHandle state;
} Once;
void once_run(Once *once, void (*run)(void));

/* Starts `run(argument)` on a thread with 8 MiB of stack. `*thread` must stay in place until joined. Fails
 * where there are no threads. */
Status thread_start(Thread *thread, void (*run)(void *), void *argument);
void thread_join(Thread *thread);

void mutex_init(Mutex *mutex);
void mutex_destroy(Mutex *mutex);
void mutex_lock(Mutex *mutex);
void mutex_unlock(Mutex *mutex);

void condition_init(Condition *condition);
void condition_destroy(Condition *condition);
/* The mutex must be held. Waking without a signal is possible: wait in a loop over the awaited fact. Not
 * where there are no threads: the wait would have no end. */
void condition_wait(Condition *condition, Mutex *mutex);
/* The same with a limit; false when the time ran out. */
bool condition_wait_for(Condition *condition, Mutex *mutex, int64_t milliseconds);
void condition_signal_all(Condition *condition);

#endif
