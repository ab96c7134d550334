#include "search/qsearch.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "search/prune.h"
#include "search/see.h"
#include "search/value.h"

#include <assert.h>

/* The table's entry; a miss and an empty slot where quiescence does not use the table. */
static TtEntry probe(const Worker *worker, int ply, TtSlot *slot) {
    const Position *pos = &worker->pos;
    *slot = (TtSlot){.bucket = NULL};
    if (!techniques.quiescence_table) return TT_MISS;
    return tt_probe(&worker->shared->table, tt_key(pos), ply, pos->state.halfmove_clock, slot);
}

static void store(const Worker *worker, int ply, TtSlot slot, Move move, int score, int raw, Bound bound,
                  bool pv) {
    if (slot.bucket == NULL) return;
    tt_store(&worker->shared->table, slot, move, score, raw, 0, bound, pv, ply);
}

/* Stalemate of a side with only pawns and a king without a free square: a loser's rescue that a search of
 * captures does not see. The first tests are cheap. */
static bool is_stalemate(const Position *pos) {
    const Color us = pos->side;
    if (!techniques.quiescence_stalemate || position_has_pieces(pos, us)) return false;
    if (attacks_king(position_king(pos, us)) & ~pos->by_color[us] & ~position_threats(pos)) return false;
    Move moves[MAX_MOVES];
    return movegen_legal(pos, moves) == 0 && RULE(CUTS, quiescence_stalemate, true, OP(score, SCORE_DRAW));
}

/* Whether the cap would skip all remaining captures: then they need not be sorted. */
static bool cap_ends(const Position *pos, int best_score, int alpha, int tried) {
    return best_score > -SCORE_DECIDED && !score_is_decided(alpha) && prune_quiescence_rest(pos, tried);
}

/* One body for both kinds of node: `pv_node` is a constant in each copy. */
ALWAYS_INLINE int qsearch_node(Worker *worker, int ply, int alpha, int beta, const bool pv_node) {
    const Position *pos = &worker->pos;
    const bool in_check = position_in_check(pos);
    const int first_alpha = alpha;
    assert(alpha < beta && (pv_node || alpha == beta - 1));

    if (pv_node) worker_frame(worker, ply)->pv_length = 0;
    worker->selective_depth = int_max(worker->selective_depth, ply);
    if (worker_must_stop(worker)) return 0;
    if (draw_by_rule(pos, ply)) return SCORE_DRAW;
    if (ply >= MAX_PLY) return in_check ? SCORE_DRAW : value_raw(worker);

    TtSlot slot;
    if (!in_check) value_prepare(worker);
    const TtEntry entry = probe(worker, ply, &slot);
    if (!pv_node && tt_entry_proves(&entry, beta) &&
        RULE(CUTS, quiescence_table, true, OP(table_score, entry.score)))
        return entry.score;

    const Value value = in_check ? VALUE_NONE : value_of_node(worker, ply, &entry);
    int best_score = -SCORE_INFINITE;
    if (!in_check) {
        best_score = value.refined;
        if (best_score >= beta) {
            if (entry.bound == BOUND_NONE)
                store(worker, ply, slot, MOVE_NONE, best_score, value.raw, BOUND_LOWER, false);
            return best_score;
        }
        alpha = int_max(alpha, best_score);
    }

    MovePicker picker;
    static const Move NO_KILLERS[KILLERS] = {MOVE_NONE, MOVE_NONE};
    Path path;
    if (in_check) {
        path = worker_path(worker, ply);
        picker_begin(&picker, pos, &worker->histories, &path, entry.move, NO_KILLERS);
    } else {
        picker_begin_noisy(&picker, pos, &worker->histories, entry.move, prune_quiescence_see());
        if (UNLIKELY(worker->level != NULL)) worker_limit_picker(worker, ply, &picker);
    }

    Move best_move = MOVE_NONE, move;
    int move_number = 0;
    /* In check, quiet evasions are skipped once some evasion is known that does not lose to mate. */
    while ((in_check || !cap_ends(pos, best_score, alpha, move_number)) &&
           (move = picker_next(&picker, in_check && best_score > -SCORE_DECIDED)) != MOVE_NONE) {
        move_number++;
        COMES_TO(move, move_number, 0);
        if (best_score > -SCORE_DECIDED && !score_is_decided(alpha)) {
            if (in_check && picker.stage == PICK_BAD_NOISY) break; /* evasions that lose material */
            if (!in_check && prune_quiescence_move(move, move_number)) continue;
            if (!in_check && move_kind(move) != PROMOTION) {
                const int gain = see_value(piece_type(position_captured_by(pos, move)));
                if (prune_quiescence_futility(value.corrected, gain, alpha)) {
                    best_score = int_max(best_score, value.corrected + params.quiescence_margin + gain);
                    continue;
                }
            }
        }
        worker_make_move(worker, ply, move);
        const int score = pv_node ? -qsearch_pv(worker, ply + 1, -beta, -alpha)
                                  : -qsearch_null_window(worker, ply + 1, -beta, -alpha);
        worker_unmake_move(worker, ply);
        if (worker->stopped) return 0;
        if (score <= best_score) continue;
        best_score = score;
        if (score <= alpha) continue;
        best_move = move;
        if (pv_node) worker_update_pv(worker, ply, move);
        if (score >= beta) break;
        alpha = score;
    }
    if (!in_check) (void)RULE(SKIPS, quiescence_see, picker.bad_count > 0, OP(captures, picker.bad_count));
    if (in_check && best_score == -SCORE_INFINITE) return score_mated_in(ply);
    if (!in_check && move_number == 0 && is_stalemate(pos)) return SCORE_DRAW;

    const Bound bound = best_score >= beta                    ? BOUND_LOWER
                        : pv_node && best_score > first_alpha ? BOUND_EXACT
                                                              : BOUND_UPPER;
    store(worker, ply, slot, best_move, best_score, value.raw, bound, entry.pv || pv_node);
    return best_score;
}

int qsearch_pv(Worker *worker, int ply, int alpha, int beta) {
    return VISIT(worker, ply, alpha, beta, 0, true, qsearch_node(worker, ply, alpha, beta, true));
}
int qsearch_null_window(Worker *worker, int ply, int alpha, int beta) {
    return VISIT(worker, ply, alpha, beta, 0, false, qsearch_node(worker, ply, alpha, beta, false));
}
