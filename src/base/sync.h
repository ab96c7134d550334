/* Threads, mutexes and conditions behind one header (POSIX, Windows, WebAssembly). */
#ifndef LUFT_BASE_SYNC_H
#define LUFT_BASE_SYNC_H

#include "base/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Thread {
    pthread_t handle;
    void (*run)(void *);
    void *argument;
} Thread;
typedef struct Mutex {
    pthread_mutex_t handle;
} Mutex;
typedef struct Condition {
    pthread_cond_t handle;
} Condition;

/* What must happen once in a program, whichever thread comes first. Start from ONCE_INITIAL. */
typedef struct Once {
    pthread_once_t state;
} Once;
#define ONCE_INITIAL \
    { PTHREAD_ONCE_INIT }
void once_run(Once *once, void (*run)(void));

/* Starts `run(argument)` on a thread with 8 MiB of stack. `*thread` must stay in place until joined. */
Status thread_start(Thread *thread, void (*run)(void *), void *argument);
void thread_join(Thread *thread);

void mutex_init(Mutex *mutex);
void mutex_destroy(Mutex *mutex);
void mutex_lock(Mutex *mutex);
void mutex_unlock(Mutex *mutex);

void condition_init(Condition *condition);
void condition_destroy(Condition *condition);
/* The mutex must be held. Waking without a signal is possible: wait in a loop over the awaited fact. */
void condition_wait(Condition *condition, Mutex *mutex);
/* The same with a limit; false when the time ran out. */
bool condition_wait_for(Condition *condition, Mutex *mutex, int64_t milliseconds);
void condition_signal_all(Condition *condition);

#endif
