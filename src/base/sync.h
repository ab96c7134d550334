/* Threads, mutexes and conditions for POSIX and Windows. A build with LUFT_NO_THREADS (WebAssembly) has one
 * thread: none can be started, and mutexes do nothing. To port Luft to another thread system, add its handles
 * here and its functions in sync.c. */
#ifndef LUFT_BASE_SYNC_H
#define LUFT_BASE_SYNC_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef LUFT_NO_THREADS
enum { THREADS_EXIST = false };
typedef bool ThreadHandle, Mutex, Condition, Once;
#define ONCE_INITIAL false
#else
#include <pthread.h>
enum { THREADS_EXIST = true };
typedef pthread_t ThreadHandle;
typedef pthread_mutex_t Mutex;
typedef pthread_cond_t Condition;
typedef pthread_once_t Once;
#define ONCE_INITIAL PTHREAD_ONCE_INIT
#endif

typedef struct Thread {
    ThreadHandle handle;
    void (*run)(void *);
    void *argument;
} Thread;

/* Runs a function once in a program, on whichever thread comes first. Start from ONCE_INITIAL. */
void once_run(Once *once, void (*run)(void));

/* Starts `run(argument)` on a thread with 8 MiB of stack. `*thread` must not move until joined. Fails in
 * builds without threads. */
Status thread_start(Thread *thread, void (*run)(void *), void *argument);
void thread_join(Thread *thread);

void mutex_init(Mutex *mutex);
void mutex_destroy(Mutex *mutex);
void mutex_lock(Mutex *mutex);
void mutex_unlock(Mutex *mutex);

void condition_init(Condition *condition);
void condition_destroy(Condition *condition);
/* Waits for a signal; the caller must hold the mutex. Spurious wakeups happen: wait in a loop that checks the
 * condition. Must not be called in builds without threads, where it would never return. */
void condition_wait(Condition *condition, Mutex *mutex);
/* As condition_wait, but for at most this many milliseconds; false on timeout. */
bool condition_wait_for(Condition *condition, Mutex *mutex, int64_t milliseconds);
void condition_signal_all(Condition *condition);

#endif
