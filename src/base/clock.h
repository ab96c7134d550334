/* Time that only moves forward, since an arbitrary start. Any thread may call. */
#ifndef LUFT_BASE_CLOCK_H
#define LUFT_BASE_CLOCK_H

#include <stdint.h>

int64_t clock_microseconds(void);
int64_t clock_milliseconds(void);

/* Processor time used by the whole process, by all its threads, in microseconds. */
int64_t clock_cpu_microseconds(void);

/* Processor time used by the calling thread, in microseconds. */
int64_t clock_thread_cpu_microseconds(void);

/* Sleeps; returns early on a signal. */
void clock_sleep_milliseconds(int64_t milliseconds);

#endif
