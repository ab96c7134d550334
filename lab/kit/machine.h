/* The machine that a match runs on: its processors, how busy others keep it, how long a thread waited for it.
 * Linux; elsewhere nothing is known, and nothing is warned about. */
#ifndef LUFT_KIT_MACHINE_H
#define LUFT_KIT_MACHINE_H

#include <stdint.h>

enum { MACHINE_PROCESSORS_MAX = 1024 };

/* The processors that this process may run on, at most `capacity` of them; returns their number, at least 1.
 */
int machine_processors(int *processors, int capacity);

/* Keeps the calling thread on one processor, where the system lets it. */
void machine_pin_thread(int processor);

/* How many processors were busy on average over the next `milliseconds`. Blocks for that time. */
double machine_measure_load(int64_t milliseconds);

/* Microseconds that the host of a virtual machine gave to others while threads of ours wanted to run, on all
 * processors together, since the start of the system; in steps of MACHINE_TICK. 0 where the system does not
 * say. */
int64_t machine_stolen_time(void);

enum { MACHINE_TICK = 10000 }; /* microseconds: what the system's accounts of processors are exact to */

/* Opens the account of how long the calling thread has waited for a processor; -1 when there is none. Close
 * it. */
int machine_open_waiting(void);

/* Microseconds that the account (any /proc/.../schedstat) shows; 0 for -1 or a thread that has ended. */
int64_t machine_read_waiting(int descriptor);

#endif
