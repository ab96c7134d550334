#include "lab/kit/crew.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/progress.h"
#include "lab/kit/machine.h"

#include <assert.h>
#include <stdio.h>

enum { LOOK = 50 /* milliseconds between two looks for a signal */ };

typedef struct CrewLoops CrewLoops;

typedef struct Member {
    Crew *crew;
    Thread thread;
    CrewBody *body;
    void *context;
    int number;
} Member;

/* --- loops --- */

typedef struct Helper {
    struct CrewLoops *loops;
    Thread thread;
    int number;          /* from 1: the caller of crew_for is 0 */
    atomic_uint claimed; /* the last loop whose share somebody has begun */
} Helper;

struct CrewLoops {
    Mutex lock; /* for those who sleep until a loop begins or ends */
    Condition begun, ended;
    atomic_uint round;  /* of the loop that was begun last: then what follows is set */
    atomic_int working; /* shares of helpers that are not finished */
    atomic_bool over;
    int threads; /* the caller's and the helpers */
    int count;
    CrewLoop *body;
    void *context;
    Helper helper[];
};

static void run_share(const CrewLoops *loops, int number) {
    const int begin = (int)((int64_t)loops->count * number / loops->threads);
    const int end = (int)((int64_t)loops->count * (number + 1) / loops->threads);
    for (int index = begin; index < end; index++) loops->body(loops->context, index);
}

/* Looks this often before it sleeps, some 20 microseconds: waking up takes longer than a short loop. */
enum { SPINS = 20000 };

static bool is_begun(CrewLoops *loops, unsigned done) {
    return atomic_load(&loops->round) != done || atomic_load(&loops->over);
}

static bool is_ended(CrewLoops *loops) { return atomic_load(&loops->working) == 0; }

/* Whether the share of this loop is the caller's: nobody else has begun it. */
static bool claim(Helper *helper, unsigned round) {
    unsigned before = round - 1;
    return atomic_compare_exchange_strong(&helper->claimed, &before, round);
}

static void run_helper(void *argument) {
    Helper *helper = argument;
    CrewLoops *loops = helper->loops;
    for (unsigned done = 0;;) {
        for (int i = 0; i < SPINS && !is_begun(loops, done); i++) continue;
        mutex_lock(&loops->lock);
        while (!is_begun(loops, done)) condition_wait(&loops->begun, &loops->lock);
        mutex_unlock(&loops->lock);
        if (atomic_load(&loops->over)) return;
        done = atomic_load(&loops->round);
        if (!claim(helper, done)) continue;
        run_share(loops, helper->number);
        if (atomic_fetch_sub(&loops->working, 1) > 1) continue;
        mutex_lock(&loops->lock);
        condition_signal_all(&loops->ended);
        mutex_unlock(&loops->lock);
    }
}

Status crew_keep_threads(Crew *crew, int threads) {
    assert(threads >= 1 && threads <= CREW_THREADS_MAX && crew->loops == NULL);
    CrewLoops *loops = memory_allocate(sizeof *loops + (size_t)threads * sizeof loops->helper[0]);
    if (loops == NULL) return status_no_memory("%d threads", threads);
    mutex_init(&loops->lock);
    condition_init(&loops->begun);
    condition_init(&loops->ended);
    crew->loops = loops;
    Status status = status_ok();
    for (loops->threads = 1; loops->threads < threads; loops->threads++) {
        Helper *helper = &loops->helper[loops->threads - 1];
        *helper = (Helper){.loops = loops, .number = loops->threads};
        status = thread_start(&helper->thread, run_helper, helper);
        if (!status_is_ok(&status)) break;
    }
    return status;
}

void crew_for(Crew *crew, int count, CrewLoop *body, void *context) {
    CrewLoops *loops = crew != NULL ? crew->loops : NULL;
    if (loops == NULL || loops->threads == 1 || count < 2) {
        for (int index = 0; index < count; index++) body(context, index);
        return;
    }
    loops->count = count;
    loops->body = body;
    loops->context = context;
    mutex_lock(&loops->lock);
    atomic_store(&loops->working, loops->threads - 1);
    const unsigned round = atomic_fetch_add(&loops->round, 1) + 1;
    condition_signal_all(&loops->begun);
    mutex_unlock(&loops->lock);
    run_share(loops, 0);
    for (int number = 1; number < loops->threads; number++) {
        if (!claim(&loops->helper[number - 1], round)) continue;
        run_share(loops, number);
        atomic_fetch_sub(&loops->working, 1);
    }
    for (int i = 0; i < SPINS && !is_ended(loops); i++) continue;
    mutex_lock(&loops->lock);
    while (!is_ended(loops)) condition_wait(&loops->ended, &loops->lock);
    mutex_unlock(&loops->lock);
}

static void release_loops(Crew *crew) {
    CrewLoops *loops = crew->loops;
    if (loops == NULL) return;
    mutex_lock(&loops->lock);
    atomic_store(&loops->over, true);
    condition_signal_all(&loops->begun);
    mutex_unlock(&loops->lock);
    for (int i = 0; i < loops->threads - 1; i++) thread_join(&loops->helper[i].thread);
    condition_destroy(&loops->ended);
    condition_destroy(&loops->begun);
    mutex_destroy(&loops->lock);
    memory_release(loops);
    crew->loops = NULL;
}

/* --- begin and end --- */

void crew_begin(Crew *crew) {
    mutex_init(&crew->lock);
    mutex_init(&crew->failing);
    condition_init(&crew->ended);
    interrupt_begin(&crew->interrupt);
}

void crew_end(Crew *crew) {
    release_loops(crew);
    interrupt_end(&crew->interrupt);
    condition_destroy(&crew->ended);
    mutex_destroy(&crew->failing);
    mutex_destroy(&crew->lock);
}

/* --- long work --- */

int crew_threads(int64_t wanted) {
    int processors[MACHINE_PROCESSORS_MAX];
    const int64_t count = wanted > 0 ? wanted : machine_processors(processors, MACHINE_PROCESSORS_MAX);
    return count < CREW_THREADS_MAX ? (int)count : CREW_THREADS_MAX;
}

void crew_warn_if_loaded(int64_t wanted, const char *what) {
    char load[LOAD_TEXT_CAPACITY];
    if (machine_describe_load(crew_threads(wanted), what, load)) text_printf(stderr, "warning: %s\n", load);
}

void crew_fail(Crew *crew, const Status *status) {
    mutex_lock(&crew->failing);
    if (status_is_ok(&crew->failure)) crew->failure = *status;
    mutex_unlock(&crew->failing);
    crew_cancel(crew);
}

static void watch_signals(Crew *crew) {
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
        watch_signals(crew);
        const int64_t now = clock_milliseconds();
        if (crew->working == 0 || tick == NULL || now - ticked < CREW_TICK) continue;
        ticked = now;
        tick(context);
    }
    mutex_unlock(&crew->lock);
}

Status crew_run(Crew *crew, int threads, CrewBody *body, CrewTick *tick, void *context) {
    assert(threads >= 1 && threads <= CREW_THREADS_MAX && crew->working == 0);
    watch_signals(crew);
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
    ProgressBar *progress;
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
                      ProgressBar *progress) {
    TaskRow row = {.crew = crew, .count = count, .task = task, .context = context, .progress = progress};
    if (count < threads) threads = int_max((int)count, 1);
    return crew_run(crew, threads, run_tasks, NULL, &row);
}
