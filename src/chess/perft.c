#include "chess/perft.h"

#include "chess/makemove.h"
#include "chess/movegen.h"

#include <stddef.h>

/* A tree of up to this depth is counted without asking whether to go on. */
enum { UNPOLLED_DEPTH = 4 };

uint64_t perft_count(Position *pos, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return (uint64_t)movegen_count(pos);
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        leaves += perft_count(pos, depth - 1);
        position_unmake_move(pos, moves[i], &undo);
    }
    return leaves;
}

typedef struct Job {
    bool (*go_on)(void *context);
    void *context;
    bool cancelled;
} Job;

/* perft_count that asks whether to go on. */
static uint64_t count_polled(Position *pos, int depth, Job *job) {
    if (depth <= UNPOLLED_DEPTH) {
        if (job->go_on != NULL && !job->go_on(job->context)) job->cancelled = true;
        return job->cancelled ? 0 : perft_count(pos, depth);
    }
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count && !job->cancelled; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        leaves += count_polled(pos, depth - 1, job);
        position_unmake_move(pos, moves[i], &undo);
    }
    return leaves;
}

bool perft_divide(Position *pos, int depth, PerftReport *report, bool (*go_on)(void *context), void *context,
                  uint64_t *leaves) {
    Job job = {.go_on = go_on, .context = context};
    Move moves[MAX_MOVES];
    const int count = depth > 0 ? movegen_legal(pos, moves) : 0;
    *leaves = depth > 0 ? 0 : 1;
    for (int i = 0; i < count && !job.cancelled; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        const uint64_t share = count_polled(pos, depth - 1, &job);
        position_unmake_move(pos, moves[i], &undo);
        if (report != NULL && !job.cancelled) report(context, moves[i], share);
        *leaves += share;
    }
    return !job.cancelled;
}
