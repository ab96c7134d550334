#include "lab/client/seat.h"

#include "base/clock.h"

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

Status seat_take(Seat *seat, const UciClientOptions *options, const SeatListener *listener) {
    if (seat->engine != options->config) seat_leave(seat);
    Status status = status_ok();
    if (seat->client != NULL && !seat->broken && !options->config->restart) return status;
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
