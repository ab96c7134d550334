/* What lasts of a study: a journal of the tasks that are done, in their order, and a store of what they found
 * out. The journal alone makes the same tree again; the store is for everybody (docs/store.md), and what it
 * knows already from the same engine, because it was merged or another study was there before, is no task any
 * more. A task is in both before the next one is given out. One thread at a time. */
#ifndef LUFT_STUDY_RECORD_H
#define LUFT_STUDY_RECORD_H

#include "base/file.h"
#include "lab/kit/line_journal.h"
#include "lab/study/study_tree.h"
#include "lab/study/worker_pool.h"
#include "store/store.h"

enum { RECORD_NAME_CAPACITY = 128 };

/* One task that is done: for the picture. */
typedef struct RecordPoint {
    uint64_t nodes; /* of all tasks so far */
    int score;      /* of the root, for its side to move */
    Move move;      /* the best */
} RecordPoint;

/* What a computer, or the store, has contributed. */
typedef struct RecordShare {
    char name[RECORD_NAME_CAPACITY];
    int64_t tasks, milliseconds;
    uint64_t nodes;
} RecordShare;

typedef struct Record {
    LineJournal journal;
    Store *store; /* NULL: none is kept */
    StudyTree *tree;
    char path[FILE_PATH_CAPACITY], store_path[FILE_PATH_CAPACITY];
    RowSource source; /* the engine; empty before the first one is known */
    char engine[SOURCE_TEXT_CAPACITY], proof[POOL_TEXT_CAPACITY];
    bool has_engine;
    RecordPoint *points;
    int64_t tasks; /* = points; known from the store or searched */
    RecordShare *shares;
    int share_count;
    TextBuffer lines; /* of the journal, not written yet */
    bool is_open;     /* a transaction of the store */
} Record;

typedef struct RecordPlan {
    const char *name;  /* NAME.study is the journal */
    const char *store; /* NULL: NAME.store */
    bool no_store, again;
    const char *position; /* what follows `position` in UCI: where the tree begins */
} RecordPlan;

/* Carries on the study of this name, and enters what is done into the tree; or begins it. record_close in any
 * case. */
Status record_open(Record *record, const RecordPlan *plan, StudyTree *tree);
void record_close(Record *record);

/* Notes which engine this study's scores are from, which is the first that came. */
Status record_set_engine(Record *record, const char *engine, const char *proof);

/* Adds a finished task, which the tree must not know yet, and enters it there. False when it does not count
 * (study_tree_report). record_commit writes what was added: before it returns nothing counts. */
Status record_add(Record *record, const Task *task, const Finding *finding, const char *who,
                  int64_t milliseconds, bool *counts);
Status record_commit(Record *record);

/* Adds those nodes from number `first` on that needed no task: draws, mates, transpositions. */
void record_add_known(Record *record, int first);

/* Whether the store knows the answer to a first search of a position, from the same engine with about as many
 * nodes. */
bool record_find(Record *record, const Task *task, uint64_t nodes, Finding *finding);

uint64_t record_nodes(const Record *record);

#endif
