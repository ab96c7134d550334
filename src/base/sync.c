#include "base/sync.h"

#include "base/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

#ifdef LUFT_NO_THREADS

void once_run(Once *once, void (*run)(void)) {
    if (!*once) run();
    *once = true;
}

Status thread_start(Thread *thread, void (*run)(void *), void *argument) {
    *thread = (Thread){.run = run, .argument = argument};
    return status_error("cannot start a thread: this build has one only");
}

void thread_join(Thread *thread) { (void)thread; }

void mutex_init(Mutex *mutex) { *mutex = false; }
void mutex_destroy(Mutex *mutex) { (void)mutex; }
void mutex_lock(Mutex *mutex) { *mutex = true; }
void mutex_unlock(Mutex *mutex) { *mutex = false; }

void condition_init(Condition *condition) { *condition = false; }
void condition_destroy(Condition *condition) { (void)condition; }
void condition_wait(Condition *condition, Mutex *mutex) {
    (void)condition;
    (void)mutex;
    assert(false);
}
bool condition_wait_for(Condition *condition, Mutex *mutex, int64_t milliseconds) {
    (void)condition;
    (void)mutex;
    (void)milliseconds;
    return false;
}
void condition_signal_all(Condition *condition) { (void)condition; }

#else

/* Systems where a condition cannot use the monotonic clock: it waits for a duration, not until a time. */
#if defined(__APPLE__) || defined(_WIN32)
#define WAITS_RELATIVELY
#endif

enum { STACK_SIZE = 8 << 20 };

/* These calls fail only on misuse, which asserts catch in the tests. */
static void must_succeed(int error) {
    assert(error == 0);
    (void)error;
}

void once_run(Once *once, void (*run)(void)) { must_succeed(pthread_once(once, run)); }

static void *run_thread(void *argument) {
    Thread *thread = argument;
    thread->run(thread->argument);
    return NULL;
}

Status thread_start(Thread *thread, void (*run)(void *), void *argument) {
    thread->run = run;
    thread->argument = argument;
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        /* The first thread alone gets signals, so that it alone can let them wait (base/file). */
        Interrupt interrupt;
        interrupt_postpone(&interrupt);
        pthread_attr_setstacksize(&attributes, STACK_SIZE);
        error = pthread_create(&thread->handle, &attributes, run_thread, thread);
        pthread_attr_destroy(&attributes);
        interrupt_resume(&interrupt);
    }
    if (error == 0) return status_ok();
    errno = error;
    return status_system_error("cannot start a thread");
}

void thread_join(Thread *thread) { must_succeed(pthread_join(thread->handle, NULL)); }

void mutex_init(Mutex *mutex) { must_succeed(pthread_mutex_init(mutex, NULL)); }
void mutex_destroy(Mutex *mutex) { must_succeed(pthread_mutex_destroy(mutex)); }
void mutex_lock(Mutex *mutex) { must_succeed(pthread_mutex_lock(mutex)); }
void mutex_unlock(Mutex *mutex) { must_succeed(pthread_mutex_unlock(mutex)); }

void condition_init(Condition *condition) {
#ifdef WAITS_RELATIVELY
    must_succeed(pthread_cond_init(condition, NULL));
#else
    /* The wall clock may jump, so waits use the monotonic clock. */
    pthread_condattr_t attributes;
    must_succeed(pthread_condattr_init(&attributes));
    must_succeed(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    must_succeed(pthread_cond_init(condition, &attributes));
    must_succeed(pthread_condattr_destroy(&attributes));
#endif
}

void condition_destroy(Condition *condition) { must_succeed(pthread_cond_destroy(condition)); }

void condition_wait(Condition *condition, Mutex *mutex) { must_succeed(pthread_cond_wait(condition, mutex)); }

bool condition_wait_for(Condition *condition, Mutex *mutex, int64_t milliseconds) {
    const int64_t longest = (int64_t)1000 * 86400 * 365; /* a year: the sum below must not overflow */
    if (milliseconds < 0) milliseconds = 0;
    if (milliseconds > longest) milliseconds = longest;
    struct timespec wait = {.tv_sec = (time_t)(milliseconds / 1000)};
    wait.tv_nsec = (long)(milliseconds % 1000) * 1000000;
#ifdef WAITS_RELATIVELY
    return pthread_cond_timedwait_relative_np(condition, mutex, &wait) != ETIMEDOUT;
#else
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += wait.tv_sec;
    until.tv_nsec += wait.tv_nsec;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    return pthread_cond_timedwait(condition, mutex, &until) != ETIMEDOUT;
#endif
}

void condition_signal_all(Condition *condition) { must_succeed(pthread_cond_broadcast(condition)); }

#endif
