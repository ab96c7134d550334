/* The engines of a study, here and on other computers: a thread for each, which starts its engine, asks it
 * what it is ordered to ask, and starts it again when it is lost. Engines may be added and removed at any
 * time. All functions are for one thread, the coordinator's. */
#ifndef LUFT_STUDY_WORKER_POOL_H
#define LUFT_STUDY_WORKER_POOL_H

#include "base/sync.h"
#include "lab/client/uci_client.h"

enum {
    POOL_WORKERS_MAX = 512,
    POOL_NAME_CAPACITY = 128,
    POOL_TEXT_CAPACITY = 256,
    POOL_QUESTION_CAPACITY = 4096
};

/* "local:2", "ssh:pc2:8", "ssh:anna@pc3:4:/opt/bin/luft": where, how many engines, and which program. */
typedef struct WorkerPlace {
    char name[POOL_NAME_CAPACITY];    /* "local", "ssh:pc2" */
    char host[POOL_NAME_CAPACITY];    /* "": this computer */
    char program[POOL_TEXT_CAPACITY]; /* "": that of the study */
    int count;
} WorkerPlace;

Status worker_place_parse(WorkerPlace *place, TextView text);

/* How the engine of a place is started: `base` says which, with its options. */
Status worker_place_configure(const WorkerPlace *place, const EngineConfig *base, EngineConfig *config);

/* What an engine is, as far as its scores are concerned: two short searches show another network or version,
 * whatever the engine says of itself. */
typedef struct WorkerIdentity {
    char name[ENGINE_NAME_CAPACITY]; /* as it answered `uci` */
    char proof[POOL_TEXT_CAPACITY]; /* what it found; "": it searches on several threads, so that says nothing
                                     */
    bool has_searchmoves;
} WorkerIdentity;

typedef enum WorkerEvent {
    WORKER_SILENT, /* nothing new */
    WORKER_READY,  /* its engine runs: look at `identity`, then ask or refuse */
    WORKER_ANSWERED,
    WORKER_LOST /* its engine is gone, with what it was asked: `reason`. It is started again by itself */
} WorkerEvent;

typedef enum WorkerState { WORKER_STARTS, WORKER_WAITS, WORKER_WORKS, WORKER_RESTS, WORKER_GONE } WorkerState;

typedef struct WorkerQuestion {
    char position[POOL_QUESTION_CAPACITY], go[POOL_QUESTION_CAPACITY];
    int64_t time_limit; /* microseconds, after which it is stopped and its answer counts */
} WorkerQuestion;

/* What a running search has said last, for those who watch. */
typedef struct WorkerView {
    int depth;
    int64_t nodes;
    UciScore score;
    char line[64]; /* its first moves */
} WorkerView;

typedef struct Worker {
    char name[POOL_NAME_CAPACITY + 16]; /* "ssh:pc2 3" */
    int place;
    bool is_remote;
    /* For the coordinator between an event and the next order. */
    WorkerIdentity identity;
    SearchReport report;
    char reason[STATUS_CAPACITY];
    bool is_cut_off;        /* lost with the connection, not by a fault of its engine */
    void *task;             /* the coordinator's */
    int64_t asked;          /* clock_microseconds of the last question */
    int64_t mean, finished; /* microseconds of a unit of its tasks, and how many: the coordinator's */
    bool is_refused;        /* the coordinator's */
    /* Private. */
    struct WorkerPool *pool;
    Thread thread;
    Condition ordered;
    EngineConfig config;
    UciClientOptions options;
    WorkerQuestion question;
    WorkerView view;   /* under the lock, as all that follows */
    WorkerEvent event; /* not taken yet */
    WorkerState state;
    bool has_question, must_rest;
    int64_t pause;    /* milliseconds until the engine is started again */
    atomic_bool stop; /* the search that runs */
    atomic_bool leave;
} Worker;

typedef struct WorkerPool {
    Mutex lock;
    Condition happened;
    Worker **workers;
    int count;
    bool chess960, watches; /* `watches`: searches may be stopped; set before the first worker is added */
    bool nudged;
    const char *errors; /* the file for what engines and ssh print on standard error; NULL: none. Set before
                         * the first worker is added */
} WorkerPool;

/* Block the signals (base/interrupt.h) before. */
void worker_pool_begin(WorkerPool *pool);
/* Ends all engines. */
void worker_pool_end(WorkerPool *pool);

/* Starts the engines of a place, whose number the coordinator gives. */
Status worker_pool_add(WorkerPool *pool, const WorkerPlace *place, int number, const EngineConfig *base);
/* Ends those of a place; the answers to what they were asked are lost. They stay in the list as WORKER_GONE.
 */
void worker_pool_remove(WorkerPool *pool, int place);

/* Waits until there is an event, or worker_pool_nudge is called, for at most this many milliseconds. */
void worker_pool_wait(WorkerPool *pool, int64_t milliseconds);
/* Any thread. */
void worker_pool_nudge(WorkerPool *pool);

/* The next worker with an event; NULL: there is none. */
Worker *worker_pool_take_event(WorkerPool *pool, WorkerEvent *event);

/* A worker that waits for a question; NULL: none. Those that were refused do not wait. */
Worker *worker_pool_find_idle(WorkerPool *pool);

/* How many work, or wait for a question. */
int worker_pool_count(WorkerPool *pool);

void worker_pool_ask(WorkerPool *pool, Worker *worker, const WorkerQuestion *question);
/* Ends its engine, and starts it again after a minute: perhaps somebody has changed it. */
void worker_pool_refuse(WorkerPool *pool, Worker *worker);
/* Stops all searches; their answers come as events. */
void worker_pool_stop_searches(WorkerPool *pool);

/* What a worker does now. */
WorkerState worker_pool_look(WorkerPool *pool, const Worker *worker, WorkerView *view);

#endif
