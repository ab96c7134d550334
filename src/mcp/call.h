/* A call of a tool: who asked for it, how it is stopped, and what its client reads while it runs. The
 * thread that serves owns it; one thread of its own runs it. */
#ifndef LUFT_MCP_CALL_H
#define LUFT_MCP_CALL_H

#include "base/sync.h"
#include "uci/output.h"

/* Why a call ends before its work is done. */
typedef enum CallStop {
    CALL_GOES_ON,
    CALL_CANCELLED,   /* by the client, which wants no answer */
    CALL_OUT_OF_TIME, /* its limit is over */
    CALL_UNHEARD      /* the input has ended */
} CallStop;

typedef struct Call {
    struct Call *next; /* that waits after it */
    const struct Tool *tool;
    char *id;        /* of the request, as JSON */
    char *token;     /* for progress, as JSON; NULL: nobody asks for it */
    char *arguments; /* an object of JSON that json_check has passed; NULL: none */
    TextBuffer result;
    double seconds; /* that it may take */
    int64_t begun;  /* clock_milliseconds */
    Thread thread;
    Output *output;
    int64_t reported, last; /* when progress was last reported, and how much */

    Mutex mutex; /* guards the rest */
    CallStop stop;
    void (*stop_work)(void *work); /* NULL: nothing long goes on */
    void *work;
} Call;

/* `id`, `token` and `arguments` are copied. NULL without memory. */
Call *call_create(const struct Tool *tool, TextView id, TextView token, TextView arguments, Output *output);
void call_destroy(Call *call);

/* Any thread: the work ends soon, and so does all that begins later. The first reason counts. */
void call_stop(Call *call, CallStop reason);
CallStop call_stopped(Call *call);

/* Around long work: how it is stopped. `stop` may come from another thread until call_end_work. */
void call_begin_work(Call *call, void (*stop)(void *work), void *work);
void call_end_work(Call *call);

/* Reports progress to a client that asks for it, if it has grown, and not too often. One thread at a time. */
void call_report(Call *call, int64_t done, int64_t total);

#endif
