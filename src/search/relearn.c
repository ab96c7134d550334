#include "search/relearn.h"

#include "search/see.h"
#include "search/value.h"

static void reward_move(Worker *worker, Move move, int depth) {
    Histories *histories = &worker->histories;
    const Position *pos = &worker->pos;
    const int bonus = history_bonus(depth);
    if (position_is_noisy(pos, move)) {
        history_push(history_capture(histories, pos, move), bonus, HISTORY_MAX);
        return;
    }
    const Path path = worker_path(worker, 0);
    history_push(history_quiet(histories, pos, &path, move), bonus, HISTORY_MAX);
    history_push(history_pawn(histories, pos, move), bonus, HISTORY_MAX);
}

/* By the rules of the search (learn_correction in search.c). */
static void correct_value(Worker *worker, Move move, int score, int depth, Bound bound) {
    const Position *pos = &worker->pos;
    int16_t continuation = 0;
    if (position_in_check(pos) || score_is_decided(score)) return;
    if (move != MOVE_NONE && position_is_noisy(pos, move) && see_at_least(pos, move, 0)) return;
    CorrectionSlots slots = worker_correction_slots(worker, 0);
    slots.continuation = &continuation;
    const int value = value_raw(worker) + history_correction(&slots);
    if ((bound == BOUND_LOWER && score <= value) || (bound == BOUND_UPPER && score >= value)) return;
    history_push_correction(&slots, score - value, depth);
}

void relearn_position(Worker *worker, const Position *pos, Move move, int score, int depth, Bound bound) {
    worker->pos = *pos;
    evaluator_reset(worker->evaluator, pos);
    if (move != MOVE_NONE && (bound & BOUND_LOWER)) reward_move(worker, move, depth);
    correct_value(worker, move, score, depth, bound);
}
