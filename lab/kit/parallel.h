/* Many independent tasks on a few threads. */
#ifndef LUFT_KIT_PARALLEL_H
#define LUFT_KIT_PARALLEL_H

#include "base/status.h"
#include "lab/kit/console.h"

#include <stdint.h>

enum { PARALLEL_WORKERS_MAX = 256 };

/* One task. `worker` tells the thread, from 0, so that each may own something (an engine); an error ends the
 * whole. */
typedef Status ParallelTask(void *context, int worker, int64_t index);

/* Runs task(context, worker, index) for each index from 0 to count - 1, about in order, on so many threads;
 * returns after the last has ended. The first error ends it early and is returned. `progress` (NULL: none)
 * moves on by one for each task, from `done`. */
Status parallel_run(int workers, int64_t count, ParallelTask *task, void *context, Progress *progress,
                    int64_t done);

#endif
