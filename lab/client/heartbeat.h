/* Notices when the machine stalls. A virtual machine may lose a processor for tenths of a second, and no
 * statistic of a thread shows it: no thread waits, no thread runs. A thread on each processor that sleeps for
 * 20 ms and checks how late it wakes does show it. Smaller losses only the host knows; the first thread reads
 * what it reports. Any thread may read. */
#ifndef LUFT_CLIENT_HEARTBEAT_H
#define LUFT_CLIENT_HEARTBEAT_H

#include "base/sync.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Pulse Pulse;

/* What was lost, in microseconds. Only differences between two readings mean something. */
typedef struct HeartbeatLoss {
    int64_t still;  /* for which at least one processor stood still */
    int64_t stolen; /* machine_stolen_time */
} HeartbeatLoss;

typedef struct Heartbeat {
    Pulse *pulses;      /* one for each processor; NULL: not watched */
    int count;          /* of those that run */
    atomic_bool over;   /* the pulses must end */
    Mutex lock;         /* for all that follows */
    HeartbeatLoss loss; /* as of the last beat */
    int64_t known;      /* until when standstills have been counted */
    int64_t cpu;        /* microseconds of processor time that the watching took; known after the end */
} Heartbeat;

/* Starts the threads, on these processors. `*heartbeat` must stay in place until the end. */
Status heartbeat_begin(Heartbeat *heartbeat, const int *processors, int count);

/* What has been lost so far; zeros for NULL. A loss that has just ended is seen HEARTBEAT_SETTLE milliseconds
 * later at the latest; up to 25 ms of each standstill are not seen. */
HeartbeatLoss heartbeat_read(Heartbeat *heartbeat);

enum { HEARTBEAT_SETTLE = 30 };

/* Ends the threads; a heartbeat of zeros, or one whose beginning failed, is fine. */
void heartbeat_end(Heartbeat *heartbeat);

#endif
