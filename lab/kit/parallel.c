#include "lab/kit/parallel.h"

#include "base/sync.h"

#include <assert.h>

typedef struct Crew {
    Mutex mutex; /* guards all below it */
    int64_t next, finished, count;
    Status failure;
    ParallelTask *task;
    void *context;
    Progress *progress;
    int64_t done_before;
} Crew;

typedef struct Worker {
    Thread thread;
    Crew *crew;
    int number;
} Worker;

static void run_worker(void *argument) {
    Worker *worker = argument;
    Crew *crew = worker->crew;
    mutex_lock(&crew->mutex);
    while (crew->next < crew->count && status_is_ok(&crew->failure)) {
        int64_t index = crew->next++;
        mutex_unlock(&crew->mutex);
        Status status = crew->task(crew->context, worker->number, index);
        mutex_lock(&crew->mutex);
        if (status_is_ok(&crew->failure)) crew->failure = status;
        crew->finished++;
        if (crew->progress != NULL) progress_update(crew->progress, crew->done_before + crew->finished, NULL);
    }
    mutex_unlock(&crew->mutex);
}

Status parallel_run(int workers, int64_t count, ParallelTask *task, void *context, Progress *progress,
                    int64_t done) {
    assert(workers >= 1 && workers <= PARALLEL_WORKERS_MAX);
    Worker crew_workers[PARALLEL_WORKERS_MAX];
    Crew crew = {.count = count, .task = task, .context = context, .progress = progress, .done_before = done};
    mutex_init(&crew.mutex);
    int started = 0;
    for (; started < workers && started < count; started++) {
        crew_workers[started] = (Worker){.crew = &crew, .number = started};
        Status status = thread_start(&crew_workers[started].thread, run_worker, &crew_workers[started]);
        if (status_is_ok(&status)) continue;
        mutex_lock(&crew.mutex);
        crew.failure = status;
        mutex_unlock(&crew.mutex);
        break;
    }
    for (int i = 0; i < started; i++) thread_join(&crew_workers[i].thread);
    mutex_destroy(&crew.mutex);
    return crew.failure;
}
