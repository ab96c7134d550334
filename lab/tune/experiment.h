/* What studies of engines share: a folder for all that they leave, matches of two engines, results as files.
 * Called from one thread. */
#ifndef LUFT_TUNE_EXPERIMENT_H
#define LUFT_TUNE_EXPERIMENT_H

#include "lab/match/report.h"

enum { EXPERIMENT_PATH_CAPACITY = 1024 };

/* The path of a file in the folder. */
typedef struct ExperimentPath {
    char text[EXPERIMENT_PATH_CAPACITY];
} ExperimentPath;
ExperimentPath experiment_path(const char *folder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef struct ExperimentMatch {
    const char *folder; /* keeps games, journal and logs: a match found there is carried on. NULL: none */
    const char *name, *event;  /* of its files; of its games */
    const EngineList *engines; /* two, complete */
    int games, concurrency;    /* games: an even number */
    const OpeningBook *book;
    const SprtTest *test; /* ends the match; NULL: none */
    bool adjudicate, quiet;
    bool restore_only;   /* plays nothing: counts the games of the folder */
    const char *results; /* a complete match appends a row to this file; NULL: none */
    ReportRow row;       /* it, without conditions and games */
} ExperimentMatch;

/* Refuses a program that was not built yet, with the command that builds it. */
Status experiment_check_program(const char *program);

/* The book in random order. The books of options are in the folder of the source: a missing one is refused
 * with what to do. */
Status experiment_load_book(const char *path, uint64_t seed, OpeningBook **book);

/* As report_match, with progress on standard error. Release the totals. */
Status experiment_play(const ExperimentMatch *match, SprtOutcome *outcome, MatchTotals *totals);

/* Writes a result to the file `name` of the folder. Releases the text. */
Status experiment_write(const char *folder, const char *name, TextBuffer *text);

/* Draws FOLDER/NAME.svg, or .png, by gnuplot's commands, and keeps them as NAME.gp; `kind` is a choice of
 * PLOT_KINDS. That gnuplot fails is a line on standard error. */
Status experiment_draw(const char *folder, const char *name, int kind, int width, int height,
                       const TextBuffer *commands);

#endif
