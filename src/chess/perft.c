#include "chess/perft.h"

#include "chess/makemove.h"
#include "chess/movegen.h"

#include <stddef.h>

/* Whether to go on is asked at each position that is this far from the leaves. */
enum { POLL_DEPTH = 4 };

typedef struct Job {
    bool (*go_on)(void *context);
    void *context;
    bool cancelled;
} Job;

static uint64_t count(Position *pos, int depth, Job *job) {
    if (depth <= 0) return 1;
    if (depth == 1) return (uint64_t)movegen_count(pos);
    if (depth == POLL_DEPTH && job->go_on != NULL) job->cancelled = !job->go_on(job->context);
    Move moves[MAX_MOVES];
    const int move_count = movegen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < move_count && !job->cancelled; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        leaves += count(pos, depth - 1, job);
        position_unmake_move(pos, moves[i], &undo);
    }
    return leaves;
}

uint64_t perft_count(Position *pos, int depth) { return count(pos, depth, &(Job){0}); }

bool perft_divide(Position *pos, int depth, PerftReport *report, bool (*go_on)(void *context), void *context,
                  uint64_t *leaves) {
    Job job = {.go_on = go_on, .context = context};
    Move moves[MAX_MOVES];
    const int move_count = depth > 0 ? movegen_legal(pos, moves) : 0;
    *leaves = depth > 0 ? 0 : 1;
    for (int i = 0; i < move_count && !job.cancelled; i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        const uint64_t share = count(pos, depth - 1, &job);
        position_unmake_move(pos, moves[i], &undo);
        if (report != NULL && !job.cancelled) report(context, moves[i], share);
        *leaves += share;
    }
    return !job.cancelled;
}
