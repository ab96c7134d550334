/* A crew: threads that work while the main thread waits for them. It keeps the first failure, ends the work
 * when a thread or a signal (SIGINT, SIGTERM, SIGHUP) asks for that, and lets the main thread show the
 * progress. */
#ifndef LUFT_KIT_CREW_H
#define LUFT_KIT_CREW_H

#include "base/interrupt.h"
#include "base/status.h"
#include "base/sync.h"
#include "lab/kit/console.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CREW_THREADS_MAX = 1024,
    CREW_TICK = 500 /* milliseconds between two ticks */
};

/* Begins as {0}: engines may get the address of `cancel` before crew_begin. */
typedef struct Crew {
    atomic_bool cancel; /* all work must end, unfinished work is dropped. Any thread may set it */
    bool interrupted;   /* a signal asked for that. Read it after crew_run, or under the lock */
    Mutex lock;         /* for what the threads share; the crew does not mind what */
    Status failure;     /* the first one. Read it after crew_run */
    /* What follows is the crew's own. */
    Mutex failing;
    Condition ended;
    int working;
    Interrupt interrupt;
} Crew;

/* Holds the signals back until the end. Call before threads of any kind are started. */
void crew_begin(Crew *crew);
void crew_end(Crew *crew);

/* How many threads are meant by an option: `wanted`, or one for each processor when that is 0; within the
 * bounds. */
int crew_threads(int64_t wanted);

/* The body of a thread; `number` from 0 tells the threads apart. It ends soon after `cancel` was set. */
typedef void CrewBody(void *context, int number);

/* About twice a second on the main thread, under the lock. */
typedef void CrewTick(void *context);

/* Runs body(context, number) on that many threads, returns after the last has ended, with the first failure.
 * `tick` NULL: none. May be called again and again; after a failure or an interruption it does nothing. */
Status crew_run(Crew *crew, int threads, CrewBody *body, CrewTick *tick, void *context);

/* One of many tasks that do not depend on each other; an error ends the whole. */
typedef Status CrewTask(void *context, int number, int64_t index);

/* Runs task(context, number, index) for each index from 0 to count - 1, about in order, on that many threads.
 * `progress` (NULL: none) moves on by one for each task. Else as crew_run. */
Status crew_run_tasks(Crew *crew, int threads, int64_t count, CrewTask *task, void *context,
                      Progress *progress);

/* Ends the work; the first failure is kept. Any thread, with or without the lock. */
void crew_fail(Crew *crew, const Status *status);

/* Ends the work without a failure. Any thread. */
static inline void crew_cancel(Crew *crew) { atomic_store(&crew->cancel, true); }
static inline bool crew_cancelled(const Crew *crew) {
    return atomic_load_explicit(&crew->cancel, memory_order_relaxed);
}

#endif
