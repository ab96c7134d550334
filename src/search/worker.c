#include "search/worker.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "search/reduce.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { NODES_BETWEEN_CLOCKS = 512 };

/* Sets up the frames before the root, and those that no search has reached yet. */
static void clear_frames(Worker *worker) {
    for (int ply = -FRAMES_BEFORE_ROOT; ply < MAX_PLY + 2; ply++) {
        Frame *frame = worker_frame(worker, ply);
        *frame = (Frame){.move = MOVE_NONE,
                         .excluded = MOVE_NONE,
                         .piece = WHITE_PAWN,
                         .continuation = &worker->histories.nothing,
                         .correction = &worker->histories.continuation_correction[WHITE_PAWN][A1],
                         .static_eval = SCORE_NONE,
                         .killer = {MOVE_NONE, MOVE_NONE}};
    }
}

Worker *worker_create(Shared *shared, const Network *network) {
    Worker *worker = memory_allocate_large(sizeof *worker); /* megabytes of histories, read at random */
    if (worker == NULL) return NULL;
    worker->shared = shared;
    worker->evaluator = evaluator_create(network);
    if (worker->evaluator == NULL) {
        memory_release_large(worker, sizeof *worker);
        return NULL;
    }
    reduce_fill_logs(worker->log_table, LOG_TABLE_SIZE);
    clear_frames(worker);
    worker->last_score = SCORE_NONE;
    assert(shared->thread_count < THREADS_MAX);
    worker->index = shared->thread_count++;
    shared->nodes_of[worker->index] = &worker->nodes;
    return worker;
}

void worker_destroy(Worker *worker) {
    if (worker == NULL) return;
    worker->shared->thread_count--;
    assert(worker->index == worker->shared->thread_count);
    evaluator_destroy(worker->evaluator);
    memory_release_large(worker, sizeof *worker);
}

void worker_set_evaluator(Worker *worker, Evaluator *evaluator) {
    evaluator_destroy(worker->evaluator);
    worker->evaluator = evaluator;
}

void worker_clear(Worker *worker) {
    history_clear(&worker->histories);
    worker->last_score = SCORE_NONE;
}

/* The rank and score of a root move by tablebases. */
static void rank_root_move(const Shared *shared, RootMove *root) {
    static const int SCORES[] = {1 - SCORE_TABLEBASE, -SCORE_CURSED_WIN, SCORE_DRAW, SCORE_CURSED_WIN,
                                 SCORE_TABLEBASE - 1};
    for (int i = 0; i < shared->ranked_count; i++) {
        if (shared->ranked[i].move != root->move) continue;
        root->rank = shared->ranked[i].rank;
        root->table_score = SCORES[shared->ranked[i].outcome - WDL_LOSS];
    }
}

static bool is_wanted(const SearchLimits *limits, Move move) {
    for (int i = 0; i < limits->search_move_count; i++)
        if (limits->search_moves[i] == move) return true;
    return limits->search_move_count == 0;
}

static Sight sight_at(Worker *worker, int ply) {
    const Frame *last = worker_frame(worker, ply - 1), *before = worker_frame(worker, ply - 2);
    return level_sight(worker->level, &worker->pos, ply, last->move, before->move, last->points);
}

/* Removes root moves that the level does not see; one stays. The frames before the root know the moves that
 * led here. */
static int hide_root_moves(Worker *worker, Move *moves, int count) {
    for (int i = 0; i < LEVEL_RECENT; i++) {
        Frame *frame = worker_frame(worker, -1 - i);
        frame->move = worker->level->recent[i];
        frame->points = 0;
    }
    const Sight sight = sight_at(worker, 0);
    return level_filter(&sight, &worker->pos, moves, count, true);
}

/* Evasions cost a line nothing. Not inlined: full strength never calls it. */
__attribute__((noinline, cold)) static int16_t line_points(Worker *worker, int ply, Move move) {
    const int16_t points = worker_frame(worker, ply - 1)->points;
    if (ply % 2 != 0 || position_in_check(&worker->pos)) return points;
    const Sight sight = sight_at(worker, ply);
    return (int16_t)(points + level_points(&sight, &worker->pos, move));
}

void worker_prepare(Worker *worker, const Position *pos) {
    worker->level = worker->shared->limits.level;
    worker->pos = *pos;
    worker->root_ply = pos->game_ply;
    evaluator_reset(worker->evaluator, pos);
    atomic_store_explicit(&worker->nodes, 0, memory_order_relaxed);
    worker->root_depth = worker->completed_depth = worker->selective_depth = worker->multi_pv_index = 0;
    worker->nodes_to_clock = 1;
    worker->verify_until = 0;
    worker->stopped = worker->paused = false;
    worker->slice_end = INT64_MAX;
    worker->slice_nodes = UINT64_MAX;
    worker->slice_least = 0;

    Move moves[MAX_MOVES];
    const int legal = movegen_legal(pos, moves);
    int count = 0;
    for (int i = 0; i < legal; i++)
        if (is_wanted(&worker->shared->limits, moves[i])) moves[count++] = moves[i];
    if (worker->level != NULL) count = hide_root_moves(worker, moves, count);
    worker->root_count = 0;
    for (int i = 0; i < count; i++) {
        RootMove *root = &worker->root[worker->root_count++];
        *root = (RootMove){.move = moves[i],
                           .score = -SCORE_INFINITE,
                           .previous_score = -SCORE_INFINITE,
                           .average = SCORE_NONE,
                           .table_score = SCORE_NONE};
        rank_root_move(worker->shared, root);
        root->pv[0] = moves[i];
        root->pv_length = 1;
    }
    /* All other frames stay as the last search left them: nodes set up what they and those below read. */
    Frame *frame = worker_frame(worker, 0);
    frame->killer[0] = frame->killer[1] = MOVE_NONE;
}

void worker_make_move(Worker *worker, int ply, Move move) {
    Frame *frame = worker_frame(worker, ply);
    const Piece piece = position_piece_on(&worker->pos, move_from(move));
    frame->move = move;
    if (UNLIKELY(worker->level != NULL)) frame->points = line_points(worker, ply, move);
    frame->piece = piece;
    frame->continuation = &worker->histories.continuation[piece][move_to(move)];
    frame->correction = &worker->histories.continuation_correction[piece][move_to(move)];
    tt_prefetch(&worker->shared->table, position_key_after(&worker->pos, move),
                worker->pos.state.halfmove_clock + 1);
    position_make_move(&worker->pos, move, &frame->undo);
    evaluator_push(worker->evaluator, &frame->undo.changes);
    const CorrectionSlots slots = worker_correction_slots(worker, ply + 1);
    history_prefetch_correction(&slots); /* arrives while the child looks into the table */
    atomic_store_explicit(&worker->nodes, worker_nodes(worker) + 1, memory_order_relaxed);
}

void worker_unmake_move(Worker *worker, int ply) {
    Frame *frame = worker_frame(worker, ply);
    evaluator_pop(worker->evaluator);
    position_unmake_move(&worker->pos, frame->move, &frame->undo);
}

void worker_make_null(Worker *worker, int ply) {
    Frame *frame = worker_frame(worker, ply);
    frame->move = MOVE_NULL;
    if (UNLIKELY(worker->level != NULL)) frame->points = worker_frame(worker, ply - 1)->points;
    frame->piece = WHITE_PAWN;
    frame->continuation = &worker->histories.nothing;
    frame->correction = &worker->histories.continuation_correction[WHITE_PAWN][A1];
    position_make_null(&worker->pos, &frame->undo);
    tt_prefetch(&worker->shared->table, worker->pos.state.key, worker->pos.state.halfmove_clock);
    evaluator_push(worker->evaluator, &frame->undo.changes);
}

void worker_unmake_null(Worker *worker, int ply) {
    evaluator_pop(worker->evaluator);
    position_unmake_null(&worker->pos, &worker_frame(worker, ply)->undo);
}

void worker_limit_picker(Worker *worker, int ply, MovePicker *picker) {
    if (position_in_check(&worker->pos)) return;
    const Sight sight = sight_at(worker, ply);
    picker_limit(picker, &sight);
}

static bool clock_has_run_out(const Shared *shared) {
    return shared->time.limited && !atomic_load_explicit(&shared->pondering, memory_order_acquire) &&
           shared_elapsed(shared, atomic_load_explicit(&shared->clock_start, memory_order_relaxed)) >=
               shared->time.hard;
}

/* Moves after a null move are no line of play. */
static void report_current_line(Worker *worker) {
    const SearchListener *listener = &worker->shared->listener;
    const int plies = worker->pos.game_ply - worker->root_ply;
    Move line[MAX_PLY];
    int length = 0;
    while (length < plies && length < MAX_PLY && worker_frame(worker, length)->move != MOVE_NULL) {
        line[length] = worker_frame(worker, length)->move;
        length++;
    }
    if (length > 0 && listener->current_line != NULL) listener->current_line(listener->context, line, length);
}

/* What is checked only now and then; a function of its own, for the array of a line would have its caller
 * guard the stack at every node. A search that is over has no further slice. */
static __attribute__((noinline)) void look_at_clock(Worker *worker) {
    Shared *shared = worker->shared;
    const uint64_t limit = shared->limits.nodes;
    worker->nodes_to_clock = NODES_BETWEEN_CLOCKS;
    if (shared->limits.current_line) report_current_line(worker);
    shared_poll(shared);
    if (shared_stopped(shared) || clock_has_run_out(shared) || (limit && shared_nodes(shared) >= limit))
        worker->stopped = true;
    if (worker->stopped) return;
    worker->paused = worker_nodes(worker) >= worker->slice_least &&
                     (worker_nodes(worker) >= worker->slice_nodes ||
                      (worker->slice_end < INT64_MAX && clock_microseconds() >= worker->slice_end));
    worker->stopped = worker->paused;
}

/* A helper ends when the stop flag is set. The main thread's first iteration always ends by itself, so that
 * there is a move and a score even with one node or no time; and it does not set the stop flag, which says
 * that bestmove need not be held any longer: only the user decides that. A single thread keeps a node limit
 * exactly. */
bool worker_must_stop(Worker *worker) {
    Shared *shared = worker->shared;
    if (worker->stopped) return true;
    if (worker->index > 0)
        return worker->stopped = atomic_load_explicit(&shared->helpers_stop, memory_order_relaxed);
    if (worker->completed_depth == 0) return false;

    const uint64_t limit = shared->limits.nodes;
    worker->stopped = shared_stopped(shared) || (limit && worker_nodes(worker) >= limit);
    if (--worker->nodes_to_clock <= 0) look_at_clock(worker);
    return worker->stopped;
}

Path worker_path(Worker *worker, int ply) {
    static const int BACK[CONTINUATIONS] = {1, 2, 4};
    Path path;
    for (int i = 0; i < CONTINUATIONS; i++)
        path.continuation[i] = worker_frame(worker, ply - BACK[i])->continuation;
    path.threats = position_threats(&worker->pos);
    return path;
}

CorrectionSlots worker_correction_slots(Worker *worker, int ply) {
    const Frame *last = worker_frame(worker, ply - 1);
    return history_correction_slots(&worker->histories, &worker->pos,
                                    worker_frame(worker, ply - 2)->correction, last->piece,
                                    move_to(last->move));
}

void worker_update_pv(Worker *worker, int ply, Move move) {
    Frame *frame = worker_frame(worker, ply);
    const Frame *child = worker_frame(worker, ply + 1);
    frame->pv[0] = move;
    memcpy(frame->pv + 1, child->pv, (size_t)child->pv_length * sizeof *frame->pv);
    frame->pv_length = child->pv_length + 1;
}
