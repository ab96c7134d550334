/* A study: one position, many engines here and elsewhere, a tree that lasts. This is the coordinator, which
 * runs on one thread: it hands out tasks and enters what comes back. */
#ifndef LUFT_STUDY_STUDY_H
#define LUFT_STUDY_STUDY_H

#include "lab/study/record.h"
#include "lab/study/worker_pool.h"

enum { STUDY_PLACES_MAX = 128, STUDY_FAILURES_MAX = 3 };

/* A computer, or the engines of it that one word names. */
typedef struct StudyPlace {
    WorkerPlace place;
    char words[POOL_TEXT_CAPACITY]; /* as the user wrote it */
    bool is_from_file, is_gone;
    char said[STATUS_CAPACITY]; /* the last thing said of it, so that it is not said again */
} StudyPlace;

/* Gets a sentence for the user. */
typedef void StudySay(void *context, const char *text);

typedef struct StudyPlan {
    const EngineConfig *engine;
    uint64_t nodes;     /* of a task */
    int64_t tasks;      /* in all, earlier runs included; 0: no end */
    bool any_engine;    /* scores of different engines are mixed */
    double patience;    /* seconds for the first answer of an engine */
    const char *errors; /* the file for what engines print on standard error; outlives the study */
    StudySay *say;
    void *context;
} StudyPlan;

/* What a worker is at. */
typedef struct StudyLease {
    Task task;
    bool is_given;
    bool is_old;    /* of a position that is no longer studied */
    bool is_shared; /* it took too long: somebody else may do it, too */
} StudyLease;

typedef struct Study {
    StudyPlan plan;
    WorkerPool pool;
    StudyPlace places[STUDY_PLACES_MAX];
    int place_count;
    StudyLease leases[POOL_WORKERS_MAX]; /* by the number of the worker */
    int out;                             /* tasks of this position in progress */
    StudyTree tree;
    Record record;
    char position[POOL_QUESTION_CAPACITY]; /* what follows `position` in UCI */
    bool is_open, is_paused;
    bool has_engine, no_searchmoves; /* whose scores these are, in this run; whether it knows searchmoves */
    char engine[ENGINE_NAME_CAPACITY], proof[POOL_TEXT_CAPACITY];
    bool has_worked;               /* some engine was accepted in this run */
    int64_t mean, finished;        /* microseconds of a unit of tasks, and how many, in this run */
    uint64_t searched;             /* nodes in this run */
    int64_t started;               /* clock_milliseconds */
    char failure[STATUS_CAPACITY]; /* why the last engine could not be used */
} Study;

/* `study` is large: not for the stack. Block the signals before (base/interrupt.h). */
void study_begin(Study *study, const StudyPlan *plan);
void study_end(Study *study);

/* Adds engines, in the words of --worker. */
Status study_add_place(Study *study, const char *words, bool is_from_file);

/* Ends all engines and starts them again: `plan.engine` has changed. */
Status study_restart_places(Study *study);

/* Reads a file of such words, a line each: those that are new join, those that are missing leave. What is
 * wrong is said. */
void study_read_places(Study *study, const char *path);

/* Turns to a position: carries on its record or begins it. `root` is what `record->position` leads to. */
Status study_open(Study *study, const RecordPlan *record, const Position *root);
/* Leaves it; what is in progress is lost. */
void study_close(Study *study);

/* Stops what is in progress, which is lost; gives nothing out until study_resume. */
void study_pause(Study *study);
void study_resume(Study *study);

/* Waits up to `milliseconds` for an answer, starts engines again, and where a position is open enters all
 * there are and gives out what can be given out. */
Status study_step(Study *study, int64_t milliseconds);

/* Whether there is nothing left to do: settled, the number of tasks reached, or no engine that could be used.
 */
bool study_is_over(const Study *study);
/* Whether no engine runs, and all that were to have failed. */
bool study_is_deserted(Study *study);

#endif
