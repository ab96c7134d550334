/* Errors as values. A function that can fail returns a Status: the kind of failure, and one sentence that the
 * user can act on, without newline and full stop. Any thread may call. */
#ifndef LUFT_BASE_STATUS_H
#define LUFT_BASE_STATUS_H

#include "base/text.h"

#include <stdbool.h>

enum { STATUS_CAPACITY = 256 };

typedef enum StatusKind {
    STATUS_OK,
    STATUS_ERROR,
    STATUS_NO_MEMORY,
    STATUS_BUSY,
    STATUS_UNFINISHED
} StatusKind;

typedef struct Status {
    StatusKind kind;
    char reason[STATUS_CAPACITY]; /* of a failure: printable (buffer_append_foreign), cut at the capacity */
} Status;

/* Success. */
Status status_ok(void);

/* Failure, with a printf-style reason. */
Status status_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Failure because memory is exhausted: "not enough memory for " and the printf-style purpose. */
Status status_no_memory(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Failure that passes: somebody else has the file at the moment. */
Status status_busy(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Work that a signal stopped, and that has kept what it did: the reason says how it goes on. */
Status status_unfinished(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Failure with `errno`'s text after the reason: "cannot open book.epd: No such file or directory". */
Status status_system_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds a sentence to a warning: "reason; reason". Nothing without a warning (NULL) or a reason. */
void status_append(Status *warning, Status sentence);

static inline bool status_is_ok(const Status *status) { return status->kind == STATUS_OK; }

/* Whether there is a result to be shown: all of it, or that of the part which was done. */
static inline bool status_has_result(const Status *status) {
    return status->kind == STATUS_OK || status->kind == STATUS_UNFINISHED;
}

/* --- several --- */

/* What is wrong with an input that is read as well as it can be: counted, and the first of it kept in words,
 * so that a bad file is no flood of messages. */
enum { PROBLEMS_SHOWN = 10 /* of each kind */ };

typedef enum ProblemKind {
    PROBLEM_WARNING, /* nothing that counts is lost: a tag, a guess that may be wrong */
    PROBLEM_LOSS,    /* a move, a game or a position is lost */
    PROBLEM_KINDS
} ProblemKind;

/* Start from {0}; problems_release frees. */
typedef struct Problems {
    const char *origin; /* NULL, or the name that each line begins with */
    TextBuffer text;    /* the first of each kind, a line each; whoever prints it may clear it */
    int count[PROBLEM_KINDS];
    int skipped; /* losses that are whole games, where the reader of games counts them */
} Problems;

/* Adds a sentence like "line 3: the tag has no value", without a full stop. Foreign text in it is made
 * harmless. */
void problems_add(Problems *problems, ProblemKind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds how many there are beyond those shown. */
void problems_finish(Problems *problems);
void problems_release(Problems *problems);

#endif
