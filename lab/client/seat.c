#include "lab/client/seat.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/progress.h"

enum { PAUSE = 500 /* milliseconds between two attempts */ };

Status seat_start(Seat *seat, const UciClientOptions *options) {
    seat->engine = options->config;
    Status status =
        seat->client == NULL ? uci_client_start(options, &seat->client) : uci_client_restart(seat->client);
    seat->broken = !status_is_ok(&status);
    return status;
}

static bool is_cancelled(const UciClientOptions *options) {
    return options->cancel != NULL && atomic_load(options->cancel);
}

bool seat_needs_start(const Seat *seat, const EngineConfig *engine) {
    return seat->engine != engine || seat->client == NULL || seat->broken || engine->restart;
}

Status seat_take(Seat *seat, const UciClientOptions *options, const SeatListener *listener) {
    Status status = status_ok();
    if (!seat_needs_start(seat, options->config)) return status;
    if (seat->engine != options->config) seat_leave(seat);
    for (int attempt = 1; attempt <= SEAT_ATTEMPTS; attempt++) {
        if (attempt > 1) clock_sleep_milliseconds(PAUSE);
        status = seat_start(seat, options);
        if (status_is_ok(&status) || is_cancelled(options)) break;
        char text[STATUS_CAPACITY + 64];
        text_format(text, sizeof text, "warning: start %d of %d failed: %s", attempt, SEAT_ATTEMPTS,
                    status.reason);
        if (listener != NULL) listener->notice(listener->context, text);
    }
    return status;
}

void seat_leave(Seat *seat) {
    uci_client_stop(seat->client);
    *seat = (Seat){0};
}

/* --- engines for a crew --- */

static int engines_of(const SeatGroup *group) { return group->engines->count + (group->referee != NULL); }

static UciClientOptions options_of(SeatGroup *group, int engine) {
    const EngineConfig *config =
        engine < group->engines->count ? &group->engines->engines[engine] : group->referee;
    return (UciClientOptions){.config = config,
                              .chess960 = group->chess960,
                              .stall_timeout = 60000 + config->limits.move_time / 1000,
                              .cancel = &group->crew.cancel};
}

Status seat_group_begin(SeatGroup *group) {
    const int engines = engines_of(group), count = group->threads * engines;
    group->seats = memory_allocate((size_t)count * sizeof *group->seats);
    if (group->seats == NULL) return status_no_memory("the engines");
    Status status = status_ok();
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        const UciClientOptions options = options_of(group, i % engines);
        status = seat_start(&group->seats[i], &options);
    }
    return status;
}

void seat_group_end(SeatGroup *group) {
    const int count = group->threads * engines_of(group);
    for (int i = 0; i < count && group->seats != NULL; i++) seat_leave(&group->seats[i]);
    memory_release(group->seats);
    group->seats = NULL;
}

Seat *seat_group_take(SeatGroup *group, int thread, int engine, Status *status) {
    Seat *seat = &group->seats[thread * engines_of(group) + engine];
    const UciClientOptions options = options_of(group, engine);
    *status = seat_take(seat, &options, NULL);
    if (status_is_ok(status)) return seat;
    if (crew_cancelled(&group->crew)) *status = status_ok();
    return NULL;
}

Status seat_group_run(SeatGroup *group, const char *what, int64_t count, bool quiet, CrewTask *task,
                      void *context) {
    ProgressBar progress = progress_begin(what, count, quiet);
    crew_begin(&group->crew);
    const Status status = crew_run_tasks(&group->crew, group->threads, count, task, context, &progress);
    crew_end(&group->crew);
    progress_end(&progress);
    return status;
}
