/* The contract of include/luft.h: which call works in which state of an engine. Every function of the library
 * that is given an engine begins with contract_enter and, unless it was refused, ends with contract_leave.
 * Any thread may call these. */
#ifndef LUFT_LIBRARY_CONTRACT_H
#define LUFT_LIBRARY_CONTRACT_H

#include "base/sync.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum CallKind {
    QUESTION, /* reads the position */
    CHANGE,   /* changes what a search uses, or searches itself */
    SLICE,    /* continues a search in slices */
    WAIT,
    STEER, /* from any thread at any time */
    END,
    CALL_KINDS
} CallKind;

#define CALL(name, kind) CALL_##name,
typedef enum Call {
#include "library/calls.def"
    CALLS
} Call;

/* What an engine is doing. Only the first three are kept; the others depend on who calls. */
typedef enum Activity {
    IDLE,
    SEARCHING,
    SLICING, /* a search in slices, also between two slices */
    BUSY,    /* in another call */
    REPORTS, /* the caller is a callback of the engine's own thread */
    FORKED,  /* the process is a child of the one that made the engine */
    NOWHERE, /* closed, or never made */
    ACTIVITIES
} Activity;

typedef struct Contract {
    Mutex mutex; /* guards the rest */
    Activity activity;
    bool is_asked;   /* a QUESTION is in progress */
    bool is_changed; /* a CHANGE or END is */
    bool is_awaited; /* a SLICE or WAIT is */
    int64_t process;
    const char *fault; /* why the last call failed; NULL: it did not */
} Contract;

void contract_init(Contract *contract);
void contract_destroy(Contract *contract);

/* The row of a call. */
CallKind contract_kind(Call call);

/* The table: NULL where the call works, otherwise the sentence with which it is refused. */
const char *contract_answer(CallKind kind, Activity activity);

/* Begins a call. Returns NULL, or the reason why it is refused; then nothing has happened. */
const char *contract_enter(Contract *contract, Call call);

/* Ends a call that was not refused; `fault`, which must stay in place, says why it failed (NULL: it did not).
 * Returns `fault`. */
const char *contract_leave(Contract *contract, Call call, const char *fault);

/* Why the last call failed; NULL: it did not. */
const char *contract_fault(Contract *contract);

/* A search begins: CALL_go becomes CALL_wait, which leaves when the search is under way. Callbacks may come
 * earlier, and ask. */
void contract_search(Contract *contract, Activity activity);

/* It has ended. */
void contract_found(Contract *contract);

/* The calling thread is in a callback of this engine (NULL: no longer). */
void contract_report(const Contract *contract);

#endif
