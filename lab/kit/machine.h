/* The machine that a match runs on: its processors, how busy other programs keep it, how long a thread waited
 * for a processor. Linux; on other systems nothing is known and there are no warnings. */
#ifndef LUFT_KIT_MACHINE_H
#define LUFT_KIT_MACHINE_H

#include "base/status.h"
#include "base/sync.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MACHINE_PROCESSORS_MAX = 1024 };

/* The processors that this process may run on, at most `capacity` of them; returns their number, at least 1.
 */
int machine_processors(int *processors, int capacity);

/* Reads a list as "3,5,7-11": the numbers, in order, at most `capacity`; returns how many. Refuses what is no
 * list, a number twice, and processors on which this process may not run. */
Status machine_parse_processors(const char *list, int *processors, int capacity, int *count);

/* How many processors were busy on average over the next `milliseconds`. Blocks for that time. */
double machine_measure_load(int64_t milliseconds);

/* Measures for LOAD_SAMPLE how busy other programs keep the processors, and describes it where `threads` more
 * would not get one each: "the machine is loaded: 1.9 of 2 processors are busy, the training needs 2".
 * Returns false when there is nothing to say. */
enum { LOAD_SAMPLE = 150 /* milliseconds */, LOAD_TEXT_CAPACITY = 160 };
bool machine_describe_load(int threads, const char *what, char out[LOAD_TEXT_CAPACITY]);

/* Microseconds that the host of a virtual machine withheld while our threads wanted to run, on all processors
 * together, since the system started; in steps of MACHINE_TICK. 0 where the system does not report it. */
int64_t machine_stolen_time(void);

enum {
    MACHINE_TICK = 10000
}; /* microseconds: the resolution of the times that the system keeps for processors */

/* Opens the record of how long the calling thread has waited for a processor; -1 when there is none. Close
 * it. */
int machine_open_waiting(void);

/* Microseconds in that record (any /proc/.../schedstat); 0 for -1 or a thread that has ended. */
int64_t machine_read_waiting(int descriptor);

/* --- Standstills ---
 *
 * Notices when the machine stalls. A virtual machine may lose a processor for tenths of a second, and no
 * statistic of a thread shows it: no thread waits, no thread runs. A thread on each processor that sleeps for
 * 20 ms and checks how late it wakes does show it. Smaller losses only the host knows; the first thread reads
 * what it reports. Any thread may read. */
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
