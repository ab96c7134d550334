#include "cli/stop_watch.h"

#include "base/clock.h"
#include "base/interrupt.h"

enum { INTERVAL = 50 /* milliseconds until a signal is noticed */ };

static void look(void *context) {
    StopWatch *watch = context;
    while (!atomic_load(&watch->ended)) {
        if (interrupt_requested()) watch->stop(watch->context);
        clock_sleep_milliseconds(INTERVAL);
    }
}

Status stop_watch_begin(StopWatch *watch, StopFunction *stop, void *context) {
    watch->stop = stop;
    watch->context = context;
    atomic_init(&watch->ended, false);
    return thread_start(&watch->thread, look, watch);
}

void stop_watch_end(StopWatch *watch) {
    atomic_store(&watch->ended, true);
    thread_join(&watch->thread);
}
