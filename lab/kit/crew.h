/* A crew: the one way to run threads in the laboratory. For long work the main thread waits for the others:
 * the crew keeps the first failure, ends the work when a thread or a signal (SIGINT, SIGTERM, SIGHUP) asks
 * for it, and lets the main thread show the progress. For short loops (crew_for) the main thread works, too.
 */
#ifndef LUFT_KIT_CREW_H
#define LUFT_KIT_CREW_H

#include "base/interrupt.h"
#include "base/progress.h"
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
    Mutex lock;         /* for whatever the threads share */
    Status failure;     /* the first one. Read it after crew_run */
    /* The rest is private. */
    Mutex failing;
    Condition ended;
    int working;
    Interrupt interrupt;
    struct CrewLoops *loops; /* NULL: crew_keep_threads was not called */
} Crew;

/* Holds the signals back until the end. Call before any thread is started. */
void crew_begin(Crew *crew);
void crew_end(Crew *crew);

/* The number of threads that an option means: `wanted`, or one for each processor when that is 0; at most
 * CREW_THREADS_MAX. */
int crew_threads(int64_t wanted);

/* Prints a warning on standard error if other programs keep so many processors busy that `wanted` threads
 * would not get one each. `what` needs them, for example "training". */
void crew_warn_if_loaded(int64_t wanted, const char *what);

/* The body of a thread, which has a `number` from 0. It returns soon after `cancel` was set. */
typedef void CrewBody(void *context, int number);

/* About twice a second on the main thread, under the lock. */
typedef void CrewTick(void *context);

/* Runs body(context, number) on that many threads. Returns the first failure, after all have ended. `tick`
 * may be NULL. May be called several times; after a failure or an interruption it does nothing. */
Status crew_run(Crew *crew, int threads, CrewBody *body, CrewTick *tick, void *context);

/* One of many independent tasks; an error ends the work. */
typedef Status CrewTask(void *context, int number, int64_t index);

/* Runs task(context, number, index) for each index from 0 to count - 1, started in this order, on that many
 * threads. `progress` (may be NULL) counts the tasks. Otherwise as crew_run. */
Status crew_run_tasks(Crew *crew, int threads, int64_t count, CrewTask *task, void *context,
                      ProgressBar *progress);

/* Ends the work; the first failure is kept. Any thread, with or without the lock. */
void crew_fail(Crew *crew, const Status *status);

/* Ends the work without a failure. Any thread. */
static inline void crew_cancel(Crew *crew) { atomic_store(&crew->cancel, true); }
static inline bool crew_cancelled(const Crew *crew) {
    return atomic_load_explicit(&crew->cancel, memory_order_relaxed);
}

/* Starts threads that wait for crew_for until crew_end; `threads` includes the caller's. On an error crew_for
 * works with those that were started. */
Status crew_keep_threads(Crew *crew, int threads);

typedef void CrewLoop(void *context, int index);

/* Runs body(context, index) for each index from 0 to count - 1 and returns when all are done. The caller's
 * thread and those kept get equal shares, each a range of indices: the same range in each loop of the same
 * count, so that its data stay in that core's cache. The caller takes the share of a thread that has not
 * begun it in time: on a busy machine it waits for nobody who waits for a processor. Cheap enough for loops
 * of a tenth of a millisecond. Nothing ends it early. With NULL for the crew the caller's thread does all.
 * One thread at a time may call.
 */
void crew_for(Crew *crew, int count, CrewLoop *body, void *context);

#endif
