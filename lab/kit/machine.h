/* The machine that a match runs on: its processors, how busy other programs keep it, how long a thread waited
 * for a processor. Linux; on other systems nothing is known and there are no warnings. */
#ifndef LUFT_KIT_MACHINE_H
#define LUFT_KIT_MACHINE_H

#include <stdint.h>

enum { MACHINE_PROCESSORS_MAX = 1024 };

/* The processors that this process may run on, at most `capacity` of them; returns their number, at least 1.
 */
int machine_processors(int *processors, int capacity);

/* Keeps the calling thread on one processor, if the system allows it. */
void machine_pin_thread(int processor);

/* How many processors were busy on average over the next `milliseconds`. Blocks for that time. */
double machine_measure_load(int64_t milliseconds);

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

#endif
