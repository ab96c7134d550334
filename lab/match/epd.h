/* Test suites in Extended Position Description: positions with the best move (bm), moves to avoid (am), or a
 * mate to find (dm 3 or bm #3); and engines that solve them. */
#ifndef LUFT_MATCH_EPD_H
#define LUFT_MATCH_EPD_H

#include "base/status.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/types.h"
#include "lab/client/engine_config.h"

#include <stdbool.h>

enum { EPD_MOVES_MAX = 16, EPD_ID_CAPACITY = 64 };

typedef struct EpdEntry {
    char fen[FEN_CAPACITY];
    char id[EPD_ID_CAPACITY]; /* "" when it has none */
    int best_count, avoid_count;
    Move best[EPD_MOVES_MAX], avoid[EPD_MOVES_MAX];
    int mate; /* in N moves; negative: to be mated; 0: none asked for */
    bool chess960;
} EpdEntry;

/* Start from {0}; free with epd_release. */
typedef struct EpdSuite {
    EpdEntry *entries;
    int count;
} EpdSuite;

/* Reads the operations after a position. Unknown ones are passed over. A line with none of bm, am, dm, or
 * with a move that is not legal in the position, is refused. */
Status epd_parse(const Position *pos, TextView operations, EpdEntry *entry);

/* Reads a file. What cannot be read is reported on standard error, and fails unless `skip_faults`. An empty
 * suite is an error. */
Status epd_load(const char *path, bool chess960, bool skip_faults, EpdSuite *suite);
void epd_release(EpdSuite *suite);

/* Whether the answer solves it: every kind that the entry asks for must hold. `mate_in` is what the engine
 * announced (0: no mate, negative: being mated). */
bool epd_is_solved(const EpdEntry *entry, Move move, int mate_in);

/* "Qg6 Rd1", "not Nf3", "mate in 3": what is asked for. */
void epd_describe_task(const EpdEntry *entry, char *out, size_t capacity);

typedef struct EpdExam {
    const EngineList *engines; /* complete */
    int concurrency;
    bool chess960, summary, quiet; /* summary: only the totals, no table of positions */
} EpdExam;

/* Lets the engines solve the suite, and appends as tables in Markdown which engine solved what, and when its
 * answer became right and stayed so. An engine that crashes is started again. */
Status epd_examine(const EpdExam *exam, const EpdSuite *suite, TextBuffer *out);

#endif
