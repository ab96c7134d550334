#include "search/pool.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/sync.h"
#include "search/iterate.h"

#include <assert.h>

/* The thread sleeps on `changed` while there is nothing to search, and again when a search is done early but
 * bestmove must be held (infinite, ponder). `mutex` guards `searching` and `quitting`; the flags in `shared`
 * are atomics, set under the mutex only so that no wake-up is lost. */
struct SearchPool {
    Shared shared;
    Worker *worker;
    Thread thread;
    Mutex mutex;
    Condition changed;
    bool searching;
    bool quitting;
    Position root;
};

static bool must_hold(const SearchPool *pool) {
    return !shared_stopped(&pool->shared) &&
           (pool->shared.limits.infinite ||
            atomic_load_explicit(&pool->shared.pondering, memory_order_relaxed));
}

static void search_and_report(SearchPool *pool) {
    Worker *worker = pool->worker;
    worker_prepare(worker, &pool->root);
    iterate_search(worker);

    mutex_lock(&pool->mutex);
    while (must_hold(pool)) condition_wait(&pool->changed, &pool->mutex);
    mutex_unlock(&pool->mutex);

    const SearchListener *listener = &pool->shared.listener;
    const RootMove *best = worker->root_count ? &worker->root[0] : NULL;
    if (listener->best_move)
        listener->best_move(listener->context, best ? best->move : MOVE_NONE,
                            best && best->pv_length > 1 ? best->pv[1] : MOVE_NONE);
}

static void run_thread(void *argument) {
    SearchPool *pool = argument;
    mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->searching && !pool->quitting) condition_wait(&pool->changed, &pool->mutex);
        if (pool->quitting) break;
        mutex_unlock(&pool->mutex);
        search_and_report(pool);
        mutex_lock(&pool->mutex);
        pool->searching = false;
        condition_signal_all(&pool->changed);
    }
    mutex_unlock(&pool->mutex);
}

SearchPool *pool_create(const SearchListener *listener, size_t hash, const Network *network, Status *status) {
    SearchPool *pool = memory_allocate_aligned(sizeof *pool, 64);
    *status = status_error("not enough memory to start");
    if (!pool) return NULL;
    mutex_init(&pool->mutex);
    condition_init(&pool->changed);
    pool->shared.listener = *listener;
    pool->worker = worker_create(&pool->shared, network);
    if (pool->worker) *status = tt_resize(&pool->shared.table, hash);
    if (pool->worker && status_is_ok(status)) *status = thread_start(&pool->thread, run_thread, pool);
    if (pool->worker && status_is_ok(status)) return pool;

    tt_release(&pool->shared.table);
    worker_destroy(pool->worker);
    condition_destroy(&pool->changed);
    mutex_destroy(&pool->mutex);
    memory_release_aligned(pool);
    return NULL;
}

void pool_destroy(SearchPool *pool) {
    if (!pool) return;
    pool_stop(pool);
    pool_wait(pool);
    mutex_lock(&pool->mutex);
    pool->quitting = true;
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->mutex);
    thread_join(&pool->thread);
    tt_release(&pool->shared.table);
    worker_destroy(pool->worker);
    condition_destroy(&pool->changed);
    mutex_destroy(&pool->mutex);
    memory_release_aligned(pool);
}

Status pool_set_hash(SearchPool *pool, size_t megabytes) {
    assert(!pool_is_searching(pool));
    return tt_resize(&pool->shared.table, megabytes);
}

Status pool_set_threads(SearchPool *pool, int count) {
    (void)pool;
    return count == 1 ? status_ok() : status_error("this build searches with one thread");
}

Status pool_set_network(SearchPool *pool, const Network *network) {
    assert(!pool_is_searching(pool));
    return worker_set_network(pool->worker, network) ? status_ok()
                                                     : status_error("no memory for another network");
}

void pool_clear(SearchPool *pool) {
    assert(!pool_is_searching(pool));
    tt_clear(&pool->shared.table);
    worker_clear(pool->worker);
}

void pool_start(SearchPool *pool, const Position *pos, const SearchLimits *limits) {
    pool_wait(pool);
    Shared *shared = &pool->shared;
    pool->root = *pos;
    shared->limits = *limits;
    shared->time = timeman_plan(limits, pos->side);
    atomic_store_explicit(&shared->stop, false, memory_order_relaxed);
    atomic_store_explicit(&shared->pondering, limits->ponder, memory_order_relaxed);
    atomic_store_explicit(&shared->clock_start, limits->start, memory_order_relaxed);
    tt_new_search(&shared->table);

    mutex_lock(&pool->mutex);
    pool->searching = true;
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->mutex);
}

void pool_stop(SearchPool *pool) {
    mutex_lock(&pool->mutex);
    atomic_store_explicit(&pool->shared.stop, true, memory_order_relaxed);
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->mutex);
}

void pool_ponderhit(SearchPool *pool) {
    mutex_lock(&pool->mutex);
    atomic_store_explicit(&pool->shared.clock_start, clock_microseconds(), memory_order_relaxed);
    atomic_store_explicit(&pool->shared.pondering, false, memory_order_release);
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->mutex);
}

void pool_wait(SearchPool *pool) {
    mutex_lock(&pool->mutex);
    while (pool->searching) condition_wait(&pool->changed, &pool->mutex);
    mutex_unlock(&pool->mutex);
}

bool pool_is_searching(SearchPool *pool) {
    mutex_lock(&pool->mutex);
    const bool searching = pool->searching;
    mutex_unlock(&pool->mutex);
    return searching;
}
