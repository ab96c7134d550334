/* Bench: 48 fixed positions searched to a fixed depth, the hardest to a fixed number of nodes. The node count
 * is the engine's signature: the same from every compiler and instruction set; the time is its speed.
 * Positions from Stockfish's bench list (its authors gathered them), without the two Chess960 ones. */
#ifndef LUFT_ENGINE_BENCH_H
#define LUFT_ENGINE_BENCH_H

#include "base/status.h"
#include "chess/position.h"

#include <stdbool.h>
#include <stdint.h>

/* In one of the positions, a tangle of knights and bishops, some networks need ten million nodes to a depth
 * that the others reach with a hundred thousand: no position may take more than BENCH_NODES. */
enum { BENCH_DEPTH = 14, BENCH_NODES = 1000000, BENCH_POSITIONS = 48 };

typedef struct BenchResult {
    uint64_t nodes;
    int64_t time; /* microseconds */
} BenchResult;

/* Sets up the bench position `index`, from 0. */
Status bench_set_up(Position *pos, int index);

/* Who watches a bench; either function may be NULL. `report` is called after each position, `number` from 1;
 * `go_on` is asked every millisecond or so, from the search thread. When either says false, the bench ends.
 */
typedef struct BenchWatcher {
    void *context;
    bool (*report)(void *context, int number, const BenchResult *result);
    bool (*go_on)(void *context);
} BenchWatcher;

/* Searches all positions to `depth` (at least 1), or as far as BENCH_NODES go, with one thread and 16 MiB in
 * its own pool, cleared once, so that the user's options play no part. Fails when memory is refused or the
 * watcher wanted no more. */
Status bench_run(int depth, const BenchWatcher *watcher, BenchResult *total);

/* Nodes per second; never divides by zero. */
uint64_t bench_speed(const BenchResult *result);

/* --- does this binary play by the rules and count the same every time? --- */

/* Called for each check: what was checked, and "" or the reason why it failed. */
typedef void SelftestReport(void *context, const char *check, const char *reason);

/* Runs all checks in a few seconds: perft of known positions, hash keys kept up against fresh ones, SAN and
 * FEN round trips, bench twice. Returns the number of checks that failed. */
int selftest_run(SelftestReport *report, void *context);

#endif
