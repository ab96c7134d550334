#include "search/value.h"

#include "search/endings.h"

static int clamp(int value) { return int_clamp(value, 1 - SCORE_DECIDED, SCORE_DECIDED - 1); }

static int value_by_rule_or_network(Evaluator *evaluator, const Position *pos) {
    const int value = lone_king_value(pos);
    return value != 0 ? value : drawish_value(pos, evaluator_value(evaluator, pos));
}

int value_static(Evaluator *evaluator, const Position *pos) {
    return clamp(value_by_rule_or_network(evaluator, pos));
}

int value_raw(Worker *worker) {
    const Position *pos = &worker->pos;
    int value = value_by_rule_or_network(worker->evaluator, pos);
    if (UNLIKELY(worker->level != NULL)) value += level_noise(worker->level, pos);
    return clamp(value);
}

void value_prepare(Worker *worker) {
    if (TT_IS_FETCHED_AHEAD) evaluator_prepare(worker->evaluator, &worker->pos);
}

Value value_of_node(Worker *worker, int ply, const TtEntry *entry) {
    const CorrectionSlots slots = worker_correction_slots(worker, ply);
    Value value;
    value.raw = entry->eval != SCORE_NONE ? entry->eval : value_raw(worker);
    value.correction = history_correction(&slots);
    value.corrected = clamp(value.raw + value.correction);
    value.refined = tt_entry_refine(entry, value.corrected);
    return value;
}
