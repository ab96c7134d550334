#include "base/clock.h"

#include <time.h>

static int64_t read_microseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_microseconds(void) { return read_microseconds(CLOCK_MONOTONIC); }

int64_t clock_milliseconds(void) { return clock_microseconds() / 1000; }

int64_t clock_cpu_microseconds(void) { return read_microseconds(CLOCK_PROCESS_CPUTIME_ID); }

int64_t clock_thread_cpu_microseconds(void) { return read_microseconds(CLOCK_THREAD_CPUTIME_ID); }

void clock_sleep_milliseconds(int64_t milliseconds) {
    if (milliseconds <= 0) return;
    struct timespec duration = {.tv_sec = (time_t)(milliseconds / 1000)};
    duration.tv_nsec = (long)(milliseconds % 1000) * 1000000;
    nanosleep(&duration, NULL);
}
