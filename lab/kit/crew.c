#include "lab/kit/crew.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/memory.h"
#include "lab/kit/machine.h"

#include <assert.h>

enum { LOOK = 50 /* milliseconds between two looks for a signal */ };

typedef struct Member {
    Crew *crew;
    Thread thread;
    CrewBody *body;
    void *context;
    int number;
} Member;

void crew_begin(Crew *crew) {
    mutex_init(&crew->lock);
    mutex_init(&crew->failing);
    condition_init(&crew->ended);
    interrupt_begin(&crew->interrupt);
}

void crew_end(Crew *crew) {
    interrupt_end(&crew->interrupt);
    condition_destroy(&crew->ended);
    mutex_destroy(&crew->failing);
    mutex_destroy(&crew->lock);
}

int crew_threads(int64_t wanted) {
    int processors[MACHINE_PROCESSORS_MAX];
    const int64_t count = wanted > 0 ? wanted : machine_processors(processors, MACHINE_PROCESSORS_MAX);
    return count < CREW_THREADS_MAX ? (int)count : CREW_THREADS_MAX;
}

void crew_fail(Crew *crew, const Status *status) {
    mutex_lock(&crew->failing);
    if (status_is_ok(&crew->failure)) crew->failure = *status;
    mutex_unlock(&crew->failing);
    crew_cancel(crew);
}

static void heed_signals(Crew *crew) {
    if (crew->interrupted || !interrupt_requested()) return;
    crew->interrupted = true;
    crew_cancel(crew);
}

static void run_member(void *argument) {
    Member *member = argument;
    Crew *crew = member->crew;
    member->body(member->context, member->number);
    mutex_lock(&crew->lock);
    if (--crew->working == 0) condition_signal_all(&crew->ended);
    mutex_unlock(&crew->lock);
}

/* The number of threads that run; fewer than wanted is a failure. */
static int start_members(Crew *crew, Member *members, int threads, CrewBody *body, void *context) {
    int started = 0;
    for (; started < threads; started++) {
        Member *member = &members[started];
        *member = (Member){.crew = crew, .body = body, .context = context, .number = started};
        Status status = thread_start(&member->thread, run_member, member);
        if (status_is_ok(&status)) continue;
        crew_fail(crew, &status);
        mutex_lock(&crew->lock);
        crew->working -= threads - started;
        mutex_unlock(&crew->lock);
        break;
    }
    return started;
}

static void wait_for_end(Crew *crew, CrewTick *tick, void *context) {
    int64_t ticked = clock_milliseconds();
    mutex_lock(&crew->lock);
    while (crew->working > 0) {
        condition_wait_for(&crew->ended, &crew->lock, LOOK);
        heed_signals(crew);
        const int64_t now = clock_milliseconds();
        if (crew->working == 0 || tick == NULL || now - ticked < CREW_TICK) continue;
        ticked = now;
        tick(context);
    }
    mutex_unlock(&crew->lock);
}

Status crew_run(Crew *crew, int threads, CrewBody *body, CrewTick *tick, void *context) {
    assert(threads >= 1 && threads <= CREW_THREADS_MAX && crew->working == 0);
    heed_signals(crew);
    if (crew_cancelled(crew)) return crew->failure;
    Member *members = memory_allocate((size_t)threads * sizeof *members);
    if (members == NULL) {
        Status status = status_no_memory("%d threads", threads);
        crew_fail(crew, &status);
        return crew->failure;
    }
    crew->working = threads;
    const int started = start_members(crew, members, threads, body, context);
    wait_for_end(crew, tick, context);
    for (int i = 0; i < started; i++) thread_join(&members[i].thread);
    memory_release(members);
    return crew->failure;
}

/* --- tasks --- */

typedef struct TaskRow {
    Crew *crew;
    int64_t next, finished, count; /* under the lock */
    CrewTask *task;
    void *context;
    Progress *progress;
} TaskRow;

static void run_tasks(void *argument, int number) {
    TaskRow *row = argument;
    Crew *crew = row->crew;
    mutex_lock(&crew->lock);
    while (row->next < row->count && !crew_cancelled(crew)) {
        const int64_t index = row->next++;
        mutex_unlock(&crew->lock);
        Status status = row->task(row->context, number, index);
        if (!status_is_ok(&status)) crew_fail(crew, &status);
        mutex_lock(&crew->lock);
        row->finished++;
        if (row->progress != NULL) progress_update(row->progress, row->finished, NULL);
    }
    mutex_unlock(&crew->lock);
}

Status crew_run_tasks(Crew *crew, int threads, int64_t count, CrewTask *task, void *context,
                      Progress *progress) {
    TaskRow row = {.crew = crew, .count = count, .task = task, .context = context, .progress = progress};
    if (count < threads) threads = int_max((int)count, 1);
    return crew_run(crew, threads, run_tasks, NULL, &row);
}
