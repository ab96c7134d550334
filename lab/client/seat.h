/* A seat for an engine that is kept running from game to game, and started again when it is broken. One
 * thread at a time. An engine dies with the thread that started it (process.h). */
#ifndef LUFT_CLIENT_SEAT_H
#define LUFT_CLIENT_SEAT_H

#include "lab/client/uci_client.h"

enum { SEAT_ATTEMPTS = 3 };

/* Begins as {0}: empty. */
typedef struct Seat {
    const EngineConfig *engine; /* NULL: empty */
    UciClient *client;          /* NULL: not running */
    bool broken;                /* set by whoever saw it fail: must be started again before its next use */
} Seat;

/* Gets a text about each attempt that failed. */
typedef struct SeatListener {
    void *context;
    void (*notice)(void *context, const char *text);
} SeatListener;

/* Starts the engine of `options` on the empty seat, with one attempt. */
Status seat_start(Seat *seat, const UciClientOptions *options);

/* Makes the engine of `options` ready on the seat. One that runs there already is kept, unless it is broken
 * or wants a new process for every game; another engine has to leave. An engine that has worked before may be
 * slow to come back: it gets SEAT_ATTEMPTS. `listener` may be NULL. */
Status seat_take(Seat *seat, const UciClientOptions *options, const SeatListener *listener);

/* Ends the engine, if any. */
void seat_leave(Seat *seat);

#endif
