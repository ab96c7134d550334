/* A run of a study from the command line: its position, its workers, its files and its end. */
#ifndef LUFT_STUDY_SESSION_H
#define LUFT_STUDY_SESSION_H

#include "lab/study/screen.h"

/* The words of an option that may be given several times. */
typedef struct StudyWords {
    const char *last; /* read and not yet in the list */
    const char *word[STUDY_PLACES_MAX];
    int count;
} StudyWords;

typedef struct StudySettings {
    const char *name, *fen, *pgn, *store, *workers_file;
    int64_t game; /* of the file, from 1 */
    int64_t ply;  /* of the game, after which the study begins; -1: the last */
    StudyWords workers;
    EngineList engines;
    uint64_t nodes;
    int64_t tasks;
    double time, patience; /* seconds */
    bool again, no_store, any_engine, chess960, uci, quiet;
    int plot;
} StudySettings;

/* Where a study begins, as UCI's `position` names it: "fen ... moves ...". */
typedef struct StudyStart {
    Position root;
    char position[POOL_QUESTION_CAPACITY];
} StudyStart;

Status session_load_start(const StudySettings *settings, StudyStart *start);

/* Adds the workers of the command line, and without one an engine here for each processor. */
Status session_add_workers(Study *study, const StudySettings *settings);

/* Looks, about once a second, whether the file of workers has changed. */
typedef struct WorkersFile {
    char path[FILE_PATH_CAPACITY];
    int64_t looked; /* clock_milliseconds */
    int64_t stamp;  /* of its time and size */
} WorkersFile;
void session_watch_workers(Study *study, const StudySettings *settings, WorkersFile *file);

/* Writes NAME.pgn, NAME.md and NAME.svg. A picture that cannot be drawn is no failure: `notice` says why. */
Status session_write_reports(const Study *study, const StudySettings *settings, Status *notice);

Status session_run(const StudySettings *settings);

#endif
