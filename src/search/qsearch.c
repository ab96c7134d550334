#include "search/qsearch.h"

#include "chess/movegen.h"
#include "search/prune.h"
#include "search/see.h"

#include <assert.h>

/* The static value, corrected, then sharpened by what the table knows of the position. */
static int standing_value(Worker *worker, int ply, const TtEntry *entry, int *raw, int *static_eval) {
    *raw = entry->hit && entry->eval != SCORE_NONE ? entry->eval : worker_evaluate(worker);
    *static_eval = worker_correct(worker, ply, *raw, NULL);
    if (!techniques.table_eval || entry->score == SCORE_NONE || score_is_mate(entry->score))
        return *static_eval;
    return entry->bound & (entry->score > *static_eval ? BOUND_LOWER : BOUND_UPPER) ? entry->score
                                                                                    : *static_eval;
}

/* Stalemate of a side that has nothing but a king without a free square and pawns: the kind that wins games
 * for the loser, and that no capture search would see. Cheap where it is not one. */
static bool is_stalemate(const Position *pos) {
    const Color us = pos->side;
    if (!techniques.quiescence_stalemate || position_has_pieces(pos, us)) return false;
    if (attacks_king(position_king(pos, us)) & ~pos->by_color[us] & ~pos->state.threats) return false;
    Move moves[MAX_MOVES];
    return movegen_legal(pos, moves) == 0;
}

/* One body for both kinds of node: `pv_node` is a constant in each copy. */
ALWAYS_INLINE int qsearch_node(Worker *worker, int ply, int alpha, int beta, const bool pv_node) {
    const Position *pos = &worker->pos;
    const TranspositionTable *table = &worker->shared->table;
    const bool in_check = position_in_check(pos);
    const int first_alpha = alpha;
    assert(alpha < beta && (pv_node || alpha == beta - 1));

    if (pv_node) worker_frame(worker, ply)->pv_length = 0;
    worker->selective_depth = int_max(worker->selective_depth, ply);
    if (worker_must_stop(worker)) return 0;
    if (worker_is_draw(worker, ply)) return SCORE_DRAW;
    if (ply >= MAX_PLY) return in_check ? SCORE_DRAW : worker_evaluate(worker);

    TtSlot slot = {0};
    TtEntry entry = {.score = SCORE_NONE, .eval = SCORE_NONE, .depth = -1};
    if (techniques.quiescence_table) {
        entry = tt_probe(table, worker_table_key(pos), ply, pos->state.halfmove_clock, &slot);
        const Bound proves = entry.score >= beta ? BOUND_LOWER : BOUND_UPPER;
        if (!pv_node && entry.hit && entry.score != SCORE_NONE && (entry.bound & proves)) return entry.score;
    }

    int raw_eval = SCORE_NONE, best_score = -SCORE_INFINITE, static_eval = SCORE_NONE;
    if (!in_check) {
        best_score = standing_value(worker, ply, &entry, &raw_eval, &static_eval);
        if (best_score >= beta) {
            if (techniques.quiescence_table && entry.bound == BOUND_NONE)
                tt_store(table, slot, MOVE_NONE, best_score, raw_eval, 0, BOUND_LOWER, false, ply);
            return best_score;
        }
        alpha = int_max(alpha, best_score);
    }

    MovePicker picker;
    const Path path = worker_path(worker, ply);
    static const Move NO_KILLERS[KILLERS] = {MOVE_NONE, MOVE_NONE};
    if (in_check)
        picker_begin(&picker, pos, &worker->histories, &path, entry.move, NO_KILLERS);
    else
        picker_begin_noisy(&picker, pos, &worker->histories, entry.move,
                           techniques.quiescence_see ? 0 : SEE_ANY);

    Move best_move = MOVE_NONE, move;
    int move_number = 0;
    /* In check, quiet evasions are left once some evasion is known that does not lose to mate. */
    while ((move = picker_next(&picker, in_check && best_score > -SCORE_WIN)) != MOVE_NONE) {
        move_number++;
        if (best_score > -SCORE_WIN && !score_is_mate(alpha)) {
            if (in_check && picker.stage == PICK_BAD_NOISY) break; /* evasions that lose material */
            if (!in_check && move_kind(move) != PROMOTION) {
                if (prune_quiescence_move(move_number)) continue;
                const int gain = see_value(piece_type(position_captured_by(pos, move)));
                if (prune_quiescence_futility(static_eval, gain, alpha)) {
                    best_score = int_max(best_score, static_eval + params.quiescence_margin + gain);
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
    if (in_check && best_score == -SCORE_INFINITE) return score_mated_in(ply);
    if (!in_check && move_number == 0 && is_stalemate(pos)) return SCORE_DRAW;

    if (techniques.quiescence_table) {
        const Bound bound = best_score >= beta                    ? BOUND_LOWER
                            : pv_node && best_score > first_alpha ? BOUND_EXACT
                                                                  : BOUND_UPPER;
        tt_store(table, slot, best_move, best_score, raw_eval, 0, bound, entry.pv || pv_node, ply);
    }
    return best_score;
}

int qsearch_pv(Worker *worker, int ply, int alpha, int beta) {
    return qsearch_node(worker, ply, alpha, beta, true);
}
int qsearch_null_window(Worker *worker, int ply, int alpha, int beta) {
    return qsearch_node(worker, ply, alpha, beta, false);
}
