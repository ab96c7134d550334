/* A seat for an engine that keeps running from game to game, and is started again when it is broken. One
 * thread at a time. An engine dies with the thread that started it (process.h). */
#ifndef LUFT_CLIENT_SEAT_H
#define LUFT_CLIENT_SEAT_H

#include "lab/client/uci_client.h"
#include "lab/kit/crew.h"

enum { SEAT_ATTEMPTS = 3 };

/* Begins as {0}: empty. */
typedef struct Seat {
    const EngineConfig *engine; /* NULL: empty */
    UciClient *client;          /* NULL: not running */
    bool broken; /* set when the engine has failed: it must be started again before its next use */
} Seat;

/* Gets a text about each attempt that failed. */
typedef struct SeatListener {
    void *context;
    void (*notice)(void *context, const char *text);
} SeatListener;

/* Starts the engine of `options` on the empty seat, with one attempt. */
Status seat_start(Seat *seat, const UciClientOptions *options);

/* Whether seat_take starts a process: a running one is kept, unless it is of another engine, broken, or wants
 * a new process for every game. */
bool seat_needs_start(const Seat *seat, const EngineConfig *engine);

/* Makes the engine of `options` ready on the seat, and stops another one. An engine that has worked before
 * may be slow to start again: it gets SEAT_ATTEMPTS. `listener` may be NULL. */
Status seat_take(Seat *seat, const UciClientOptions *options, const SeatListener *listener);

/* Ends the engine, if any. */
void seat_leave(Seat *seat);

/* Engines for a crew: every thread has its own process of each engine. Set the first part, zero the rest. */
typedef struct SeatGroup {
    const EngineList *engines;
    const EngineConfig *referee; /* one more engine, after those of the list; NULL: none */
    int threads;
    bool chess960;
    Crew crew;
    Seat *seats; /* [thread * engines + engine] */
} SeatGroup;

/* Starts all engines. seat_group_end in any case. */
Status seat_group_begin(SeatGroup *group);
void seat_group_end(SeatGroup *group);

/* The seat of an engine that is ready. NULL when it cannot be started, or with an ok status after a
 * cancellation. */
Seat *seat_group_take(SeatGroup *group, int thread, int engine, Status *status);

/* As crew_run_tasks, with a progress that counts `what`. */
Status seat_group_run(SeatGroup *group, const char *what, int64_t count, bool quiet, CrewTask *task,
                      void *context);

#endif
