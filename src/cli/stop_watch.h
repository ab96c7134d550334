/* Ends a search when the user asks for it (Ctrl-C, SIGTERM, SIGHUP): a position may take minutes. */
#ifndef LUFT_CLI_STOP_WATCH_H
#define LUFT_CLI_STOP_WATCH_H

#include "base/status.h"
#include "base/sync.h"

#include <stdatomic.h>

typedef void StopFunction(void *context);

/* Stays where it is while it watches. */
typedef struct StopWatch {
    Thread thread;
    StopFunction *stop;
    void *context;
    atomic_bool ended;
} StopWatch;

/* From now on `stop` is called whenever a signal is pending, again and again, on a thread of its own: a
 * search that begins later is ended, too. The signals are held back already (interrupt_begin). On an error
 * nothing watches. */
Status stop_watch_begin(StopWatch *watch, StopFunction *stop, void *context);

/* Afterwards `stop` is not called any more. */
void stop_watch_end(StopWatch *watch);

#endif
