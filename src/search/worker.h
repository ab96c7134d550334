/* One search thread: its position, stack, evaluator, and all that it learns. Only its own thread touches it
 * while it searches; `nodes` alone may be read by others. */
#ifndef LUFT_SEARCH_WORKER_H
#define LUFT_SEARCH_WORKER_H

#include "nnue/evaluate.h"
#include "search/history.h"
#include "search/movepick.h"
#include "search/shared.h"

#include <stdatomic.h>

/* What a node keeps for its children, its siblings and itself. */
typedef struct Frame {
    Undo undo;
    Move move;                         /* being searched from here; MOVE_NULL for a pass */
    Move excluded;                     /* skipped while it is tested for being singular */
    Piece piece;                       /* that moves; WHITE_PAWN with a null move or none */
    ContinuationHistory *continuation; /* of that move, in the histories and in the corrections */
    ContinuationHistory *correction;
    int static_eval; /* corrected; SCORE_NONE in check */
    int reduction;   /* of the move now searched from here, in plies; 0 when it is not reduced */
    int cut_count;   /* fail-highs at this ply since a node two plies nearer the root began */
    Move killer[KILLERS];
    int pv_length;
    Move pv[MAX_PLY + 1];
    int16_t points; /* level_points of a level's own moves from the root to here; unset without a level */
} Frame;

/* A root move with the results of the last iterations. */
typedef struct RootMove {
    Move move;
    int score;          /* of this iteration; -SCORE_INFINITE until searched */
    int previous_score; /* of the last completed iteration */
    int average;        /* of the scores so far, the last ones weighing most; SCORE_NONE before the first */
    int rank;           /* among the moves that the tablebases know; 0 without them */
    int table_score;    /* by tablebases, or SCORE_NONE */
    Bound bound;        /* of `score`: exact, or a bound if it fell outside the window */
    int selective_depth;
    uint64_t nodes;
    int pv_length;
    Move pv[MAX_PLY];
} RootMove;

/* Results of the iterations that the time management uses. */
typedef struct Progress {
    Move best_move;
    int stable_iterations;
    int average; /* of the scores so far, the last ones weighing most; SCORE_NONE before the first */
} Progress;

/* How far the iterations have come. A slice may end anywhere: the next one searches the open window again,
 * helped by the table and the Replay. */
typedef struct Iteration {
    Progress progress;
    bool finished;    /* nothing is left to search */
    bool open;        /* not all lines of root_depth are searched */
    bool window_open; /* the line of multi_pv_index has begun, with this window: */
    int alpha, beta, delta;
    int fail_highs;       /* of this window, since a score last fell below it */
    int slices;           /* that have ended in this window */
    Move first_choice;    /* the best move of the first iteration */
    uint64_t proof_nodes; /* of all nodes, those that looked for mates between the iterations */
} Iteration;

/* See replay.h. */
typedef struct Replay Replay;

/* Frames before the root, so that nodes can look back without a test. */
enum { FRAMES_BEFORE_ROOT = 6, LOG_TABLE_SIZE = 256 };

typedef struct Worker {
    Shared *shared;
    int index; /* 0: the main thread, which watches the limits and reports; the others help */
    Evaluator *evaluator;
    Position pos;
    atomic_uint_least64_t nodes; /* moves made, quiescence included */
    int root_ply;                /* pos.game_ply at the root */
    int last_score;              /* of the search before; SCORE_NONE where there was none in this game */
    int root_depth;
    int completed_depth;
    int selective_depth;
    int multi_pv_index; /* root moves before this one are not searched again */
    int root_count;
    int nodes_to_clock; /* until the clock is checked again */
    int verify_until;   /* no null moves at plies before this one: a null move's cut is being verified */
    bool stopped;       /* this search, or its slice, is over; nothing that it still returns may be used */
    bool paused;        /* only its slice is */
    int64_t slice_end;  /* clock_microseconds() at the end of the slice, and nodes; the greatest: no end */
    uint64_t slice_nodes, slice_least; /* it does not end before these */
    Iteration iteration;
    Replay *replay; /* of a search in slices; else NULL */
    RootMove root[MAX_MOVES];
    Frame frames[FRAMES_BEFORE_ROOT + MAX_PLY + 2];
    int log_table[LOG_TABLE_SIZE]; /* log2(n) in 1/1024, for the reductions */
    Histories histories;
    const Level *level; /* that of the limits: NULL at full strength */
} Worker;

/* The next worker of `shared`, which counts its nodes; it evaluates with `network` (NULL: the embedded one).
 * NULL when there is no memory. The last one made is the first to be destroyed. */
Worker *worker_create(Shared *shared, const Network *network);
void worker_destroy(Worker *worker);

/* Another evaluator, of another network; it belongs to the worker from now on. */
void worker_set_evaluator(Worker *worker, Evaluator *evaluator);

/* Clears what was learned. */
void worker_clear(Worker *worker);

/* Sets up the root: position, legal moves (those of limits.search_moves alone, if any), counters, stack. */
void worker_prepare(Worker *worker, const Position *pos);

static inline Frame *worker_frame(Worker *worker, int ply) {
    return &worker->frames[FRAMES_BEFORE_ROOT + ply];
}

static inline uint64_t worker_nodes(const Worker *worker) {
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}

/* Make and unmake, with the evaluator following. */
void worker_make_move(Worker *worker, int ply, Move move);
void worker_unmake_move(Worker *worker, int ply);
void worker_make_null(Worker *worker, int ply);
void worker_unmake_null(Worker *worker, int ply);

/* Has the picker of the node at `ply`, where the worker stands, hand out what its level sees: in check all
 * moves. */
void worker_limit_picker(Worker *worker, int ply, MovePicker *picker);

/* Whether this thread's search must end now: asked at every node. Sets `stopped` when it must. */
bool worker_must_stop(Worker *worker);

/* The way to the node at `ply`, where the worker stands, for the histories. */
Path worker_path(Worker *worker, int ply);

/* The counters of the correction history for this position. */
CorrectionSlots worker_correction_slots(Worker *worker, int ply);

/* The node's line: its best move, then the child's line. */
void worker_update_pv(Worker *worker, int ply, Move move);

#endif
