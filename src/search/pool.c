#include "search/pool.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/sync.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "search/iterate.h"
#include "search/replay.h"

#include <assert.h>
#include <inttypes.h>

/* Lazy SMP: every thread searches the same root by itself, and they share only the table. The main thread
 * watches the clock, ends the others, and takes their votes on the best move.
 *
 * Each thread sleeps on `changed` until there is another job. `mutex` guards `job`, `jobs`, `busy` and the
 * threads' `quitting`; the flags in `shared` are atomics, set under the mutex only so that no wake-up is
 * lost. */
typedef struct PoolThread {
    SearchPool *pool;
    Worker *worker;
    unsigned jobs_done;
    bool quitting;
    Thread thread;
} PoolThread;

typedef void Job(PoolThread *thread);

/* MiB of a thread with its stack, and of the rest of the program; measured and rounded up. */
enum { THREAD_SIZE = 7, PROGRAM_SIZE = 24 };
_Static_assert(sizeof(Worker) < (THREAD_SIZE - 1) << 20, "a worker and its evaluator fit into THREAD_SIZE");

struct SearchPool {
    Shared shared;
    PoolThread *threads[THREADS_MAX];
    int count;
    size_t hash; /* MiB */
    const Network *network;
    Tracer *tracer; /* of the first thread; NULL: it does not trace */
    Mutex mutex;
    Condition changed;
    Job *job;
    unsigned jobs; /* started so far */
    int busy;      /* threads that have not finished the last one */
    bool slicing;  /* a search goes on in pool_slice, on the owner's thread; the threads sleep */
    Position root;
};

static bool must_hold(const SearchPool *pool) {
    return !shared_stopped(&pool->shared) &&
           (pool->shared.limits.infinite ||
            atomic_load_explicit(&pool->shared.pondering, memory_order_relaxed));
}

/* The end of a search, in the main thread: ends the helpers, holds bestmove as long as it must be held. */
static void wait_for_helpers(SearchPool *pool) {
    atomic_store_explicit(&pool->shared.helpers_stop, true, memory_order_relaxed);
    mutex_lock(&pool->mutex);
    while (pool->busy > 1 || must_hold(pool)) condition_wait(&pool->changed, &pool->mutex);
    mutex_unlock(&pool->mutex);
}

/* A level answers no sooner than a person would. */
static void keep_pace(SearchPool *pool, int64_t pace) {
    int64_t left = pace;
    mutex_lock(&pool->mutex);
    while (left > 0 && !shared_stopped(&pool->shared)) {
        left = atomic_load_explicit(&pool->shared.clock_start, memory_order_relaxed) + pace -
               clock_microseconds();
        if (left > 0) condition_wait_for(&pool->changed, &pool->mutex, left / 1000 + 1);
    }
    mutex_unlock(&pool->mutex);
}

/* The score of the thread's best move, by its own search. */
static int own_score(const Worker *worker) { return iterate_score(&worker->root[0]); }

/* Each thread votes for its move, with a weight that grows with its depth and its score above the lowest (an
 * idea of Stockfish's). The best thread of the move with most votes gives the result; a mate wins at once. */
static const Worker *elect(const SearchPool *pool) {
    const Worker *best = pool->threads[0]->worker;
    const SearchLimits *limits = &pool->shared.limits;
    if (pool->count == 1 || best->root_count == 0 || limits->multi_pv > 1 || limits->depth || limits->mate)
        return best;
    int lowest = own_score(best);
    for (int i = 1; i < pool->count; i++) {
        const Worker *worker = pool->threads[i]->worker;
        if (worker->completed_depth > 0) lowest = int_min(lowest, own_score(worker));
    }
    int64_t best_votes = -1;
    for (int i = 0; i < pool->count; i++) {
        const Worker *candidate = pool->threads[i]->worker;
        int64_t votes = 0;
        if (candidate->completed_depth == 0) continue;
        for (int j = 0; j < pool->count; j++) {
            const Worker *voter = pool->threads[j]->worker;
            if (voter->completed_depth > 0 && voter->root[0].move == candidate->root[0].move)
                votes += (int64_t)(own_score(voter) - lowest + 20) * voter->completed_depth;
        }
        const int score = own_score(candidate), highest = own_score(best);
        const bool mates = score_is_mate(score) && score > highest;
        const bool is_mated = score_is_mate(highest) && highest > score;
        const bool stronger = votes > best_votes || (votes == best_votes && score > highest);
        if (mates || (stronger && !is_mated)) {
            best = candidate;
            best_votes = votes;
        }
    }
    return best;
}

/* The expected reply: the second move of the line, or the table's move where a search was stopped too early
 * to have one. */
static Move expected_reply(const SearchPool *pool, const RootMove *best) {
    if (best->pv_length > 1) return best->pv[1];
    Position pos = pool->root;
    Undo undo;
    TtSlot slot;
    position_make_move(&pos, best->move, &undo);
    const TtEntry entry = tt_probe(&pool->shared.table, tt_key(&pos), 1, pos.state.halfmove_clock, &slot);
    return entry.move != MOVE_NONE && movegen_is_legal(&pos, entry.move) ? entry.move : MOVE_NONE;
}

static void report_best_move(SearchPool *pool, const Worker *elected) {
    const SearchListener *listener = &pool->shared.listener;
    const RootMove *best = elected->root_count > 0 ? &elected->root[0] : NULL;
    shared_end(&pool->shared, pool->root.side);
    if (listener->best_move != NULL)
        listener->best_move(listener->context, best != NULL ? best->move : MOVE_NONE,
                            best != NULL ? expected_reply(pool, best) : MOVE_NONE);
}

/* A slice of the first worker's search, traced if there is a tracer. */
static bool iterate_main(SearchPool *pool, const Slice *slice) {
    Worker *worker = pool->threads[0]->worker;
    return pool->tracer == NULL ? iterate_slice(worker, slice)
                                : trace_iterate_slice(worker, slice, pool->tracer);
}

static void search(PoolThread *thread) {
    SearchPool *pool = thread->pool;
    worker_prepare(thread->worker, &pool->root);
    if (thread->worker->index > 0) {
        iterate_search(thread->worker);
        return;
    }
    iterate_begin(thread->worker);
    iterate_main(pool, &(Slice){0});

    wait_for_helpers(pool);
    keep_pace(pool, iterate_pace(thread->worker));
    const Worker *elected = elect(pool);
    if (elected->index > 0) iterate_report(elected);
    report_best_move(pool, elected);
}

/* A large table is cleared by all threads, each a part: faster, and on machines with several memories every
 * part lies near some thread. */
static void clear_table(PoolThread *thread) {
    tt_clear(&thread->pool->shared.table, thread->worker->index, thread->pool->count);
}

static void clear_all(PoolThread *thread) {
    worker_clear(thread->worker);
    clear_table(thread);
}

static void run_thread(void *argument) {
    PoolThread *thread = argument;
    SearchPool *pool = thread->pool;
    mutex_lock(&pool->mutex);
    for (;;) {
        while (thread->jobs_done == pool->jobs && !thread->quitting)
            condition_wait(&pool->changed, &pool->mutex);
        if (thread->quitting) break;
        thread->jobs_done = pool->jobs;
        Job *job = pool->job;
        mutex_unlock(&pool->mutex);
        job(thread);
        mutex_lock(&pool->mutex);
        /* The main thread waits for the last helper, the owner for the main thread. */
        if (--pool->busy <= 1) condition_signal_all(&pool->changed);
    }
    mutex_unlock(&pool->mutex);
}

static void give_job(SearchPool *pool, Job *job) {
    if (!THREADS_EXIST) {
        job(pool->threads[0]);
        return;
    }
    mutex_lock(&pool->mutex);
    pool->job = job;
    pool->jobs++;
    pool->busy = pool->count;
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->mutex);
}

/* Where there are no threads, the first one is the owner's own. */
static Status start_thread(PoolThread *thread) {
    if (!THREADS_EXIST && thread->pool->count == 0) return status_ok();
    return thread_start(&thread->thread, run_thread, thread);
}

static Status add_thread(SearchPool *pool) {
    PoolThread *thread = memory_allocate(sizeof *thread);
    if (thread == NULL) return status_no_memory("another thread");
    *thread = (PoolThread){.pool = pool, .jobs_done = pool->jobs};
    thread->worker = worker_create(&pool->shared, pool->network);
    Status status = thread->worker != NULL ? start_thread(thread) : status_no_memory("another thread");
    if (status_is_ok(&status)) {
        pool->threads[pool->count++] = thread;
        return status;
    }
    worker_destroy(thread->worker);
    memory_release(thread);
    return status;
}

static void remove_threads(SearchPool *pool, int wanted) {
    while (pool->count > wanted) {
        PoolThread *thread = pool->threads[--pool->count];
        mutex_lock(&pool->mutex);
        thread->quitting = true;
        condition_signal_all(&pool->changed);
        mutex_unlock(&pool->mutex);
        if (THREADS_EXIST) thread_join(&thread->thread);
        worker_destroy(thread->worker);
        memory_release(thread);
    }
}

static void release(SearchPool *pool) {
    remove_threads(pool, 0);
    tt_release(&pool->shared.table);
    condition_destroy(&pool->changed);
    mutex_destroy(&pool->mutex);
    memory_release_aligned(pool);
}

SearchPool *pool_create(const SearchListener *listener, size_t hash, const Network *network, Status *status) {
    SearchPool *pool = memory_allocate_aligned(sizeof *pool, 64);
    *status = status_no_memory("the threads of the search");
    if (pool == NULL) return NULL;
    mutex_init(&pool->mutex);
    condition_init(&pool->changed);
    pool->shared.listener = *listener;
    pool->network = network;
    pool->hash = hash;
    *status = tt_resize(&pool->shared.table, hash);
    if (status_is_ok(status)) *status = add_thread(pool);
    if (status_is_ok(status)) return pool;
    release(pool);
    return NULL;
}

void pool_destroy(SearchPool *pool) {
    if (pool == NULL) return;
    pool_stop(pool);
    pool_wait(pool);
    release(pool);
}

Status pool_check_memory(size_t hash, int threads, uint64_t megabytes) {
    const uint64_t needed = (uint64_t)hash + (uint64_t)threads * THREAD_SIZE + PROGRAM_SIZE;
    if (needed <= megabytes) return status_ok();
    return status_error("Hash %zu and %d thread%s need %" PRIu64 " MiB of memory, %" PRIu64 " MiB are there",
                        hash, threads, threads == 1 ? "" : "s", needed, megabytes);
}

/* The system would grant the memory now, and end the program when it is used. */
static Status check_memory(size_t hash, int threads) {
    const uint64_t physical = memory_physical() >> 20;
    return pool_check_memory(hash, threads, physical == 0 ? UINT64_MAX : physical);
}

Status pool_set_hash(SearchPool *pool, size_t megabytes) {
    assert(!pool_is_searching(pool));
    Status status = check_memory(megabytes, pool->count);
    if (status_is_ok(&status)) status = tt_resize(&pool->shared.table, megabytes);
    if (!status_is_ok(&status)) return status;
    pool->hash = megabytes;
    /* The first access to a page takes far longer than a node: better now than while a clock runs or a stop
     * waits. */
    give_job(pool, clear_table);
    pool_wait(pool);
    return status;
}

Status pool_set_threads(SearchPool *pool, int count) {
    assert(!pool_is_searching(pool));
    if (count < 1 || count > THREADS_MAX)
        return status_error("%d threads: between 1 and %d are possible", count, THREADS_MAX);
    const int before = pool->count;
    Status status = check_memory(pool->hash, count);
    if (!status_is_ok(&status)) return status;
    while (pool->count < count && status_is_ok(&status)) status = add_thread(pool);
    remove_threads(pool, status_is_ok(&status) ? count : before);
    return status;
}

Status pool_set_network(SearchPool *pool, const Network *network) {
    assert(!pool_is_searching(pool));
    Evaluator *evaluators[THREADS_MAX];
    int made = 0;
    while (made < pool->count && (evaluators[made] = evaluator_create(network)) != NULL) made++;
    if (made < pool->count) {
        while (made > 0) evaluator_destroy(evaluators[--made]);
        return status_no_memory("another network");
    }
    for (int i = 0; i < pool->count; i++) worker_set_evaluator(pool->threads[i]->worker, evaluators[i]);
    pool->network = network;
    return status_ok();
}

void pool_clear(SearchPool *pool) {
    assert(!pool_is_searching(pool));
    pool->shared.has_node_clock = false;
    give_job(pool, clear_all);
    pool_wait(pool);
}

void pool_trace(SearchPool *pool, Tracer *tracer) {
    assert(!pool_is_searching(pool));
    pool->tracer = tracer;
}

/* The helpers do nothing, and their nodes must not be counted. */
static void begin_slices(SearchPool *pool) {
    for (int i = 0; i < pool->count; i++) worker_prepare(pool->threads[i]->worker, &pool->root);
    Worker *worker = pool->threads[0]->worker;
    iterate_begin(worker);
}

void pool_start(SearchPool *pool, const Position *pos, const SearchLimits *limits) {
    pool_wait(pool);
    pool->root = *pos;
    shared_begin(&pool->shared, limits, pos);
    pool->slicing = limits->in_slices || !THREADS_EXIST;
    if (pool->slicing)
        begin_slices(pool);
    else {
        /* A helper that is slow to wake would be counted with the nodes of its last search. */
        for (int i = 0; i < pool->count; i++)
            atomic_store_explicit(&pool->threads[i]->worker->nodes, 0, memory_order_relaxed);
        give_job(pool, search);
    }
}

SliceEnd pool_slice(SearchPool *pool, const Slice *slice) {
    if (!pool->slicing) return SLICE_FINISHED;
    Worker *worker = pool->threads[0]->worker;
    /* Only after a slice with a limit comes another one, which uses its results. Without memory for them it
     * takes longer. */
    if (worker->replay == NULL && (slice->time > 0 || slice->nodes > 0)) worker->replay = replay_create();
    if (!worker->iteration.finished && iterate_main(pool, slice)) return SLICE_PAUSED;
    worker->iteration.finished = true;
    if (must_hold(pool)) return SLICE_HELD;
    replay_destroy(worker->replay);
    worker->replay = NULL;
    report_best_move(pool, worker);
    pool->slicing = false;
    return SLICE_FINISHED;
}

/* Where there are no threads, only the host can end the wait, by its answer to `poll`. */
static void wait_for_release(SearchPool *pool) {
    if (!THREADS_EXIST) {
        if (pool->shared.listener.poll == NULL)
            pool_stop(pool);
        else
            shared_poll(&pool->shared);
        return;
    }
    mutex_lock(&pool->mutex);
    while (must_hold(pool)) condition_wait(&pool->changed, &pool->mutex);
    mutex_unlock(&pool->mutex);
}

void pool_stop(SearchPool *pool) {
    mutex_lock(&pool->mutex);
    atomic_store_explicit(&pool->shared.stop, true, memory_order_relaxed);
    atomic_store_explicit(&pool->shared.helpers_stop, true, memory_order_relaxed);
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->mutex);
}

void pool_ponderhit(SearchPool *pool) {
    if (!atomic_load_explicit(&pool->shared.pondering, memory_order_relaxed)) return;
    mutex_lock(&pool->mutex);
    atomic_store_explicit(&pool->shared.clock_start, clock_microseconds(), memory_order_relaxed);
    atomic_store(&pool->shared.pondering, false);
    condition_signal_all(&pool->changed);
    mutex_unlock(&pool->mutex);
    /* After the store: the search stores this flag first and loads `pondering` then, so one of the two sees
     * the other. */
    if (atomic_load(&pool->shared.pondered_enough)) pool_stop(pool);
}

Move pool_known_move(const SearchPool *pool, const Position *pos) {
    TtSlot slot;
    const TtEntry entry = tt_probe(&pool->shared.table, tt_key(pos), 0, pos->state.halfmove_clock, &slot);
    const bool is_good = entry.hit && (entry.bound & BOUND_LOWER) && movegen_is_legal(pos, entry.move);
    return is_good ? entry.move : (Move)MOVE_NONE;
}

const TranspositionTable *pool_table(const SearchPool *pool) { return &pool->shared.table; }

void pool_wait(SearchPool *pool) {
    while (pool->slicing)
        if (pool_slice(pool, &(Slice){0}) == SLICE_HELD) wait_for_release(pool);
    mutex_lock(&pool->mutex);
    while (pool->busy > 0) condition_wait(&pool->changed, &pool->mutex);
    mutex_unlock(&pool->mutex);
}

bool pool_is_searching(SearchPool *pool) {
    mutex_lock(&pool->mutex);
    const bool searching = pool->slicing || pool->busy > 0;
    mutex_unlock(&pool->mutex);
    return searching;
}
