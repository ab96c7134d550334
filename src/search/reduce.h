/* Reductions: how much shallower a move is searched, above all a late one. Integers throughout, so that every
 * machine searches the same tree. Pure. */
#ifndef LUFT_SEARCH_REDUCE_H
#define LUFT_SEARCH_REDUCE_H

#include "base/bits.h"
#include "chess/types.h"
#include "search/params.h"
#include "search/trace.h"

enum { ONE_PLY = 1024 };

/* Facts about a move and its node. */
typedef struct ReductionSigns {
    int depth;
    int move_number; /* from 1 */
    int history;     /* of quiet moves; 0 for noisy ones */
    bool noisy, gives_check, killer;
    bool root, pv_node, cut_node, improving;
    bool former_pv;       /* the table says that the node was once on a principal variation */
    bool noisy_hash_move; /* the hash move is noisy: a quiet move is rarely better */
    int correction;       /* size of what corrects the static value, in units */
    bool many_cuts; /* nodes one ply below, cousins included, failed high more than params.many_cuts times */
} ReductionSigns;

/* Fills `logs[n]` with log2(n) in 1/1024 (logs[0] is 0), by squaring: exact to a unit or two. */
static inline void reduce_fill_logs(int *logs, int size) {
    logs[0] = 0;
    for (int n = 1; n < size; n++) {
        const int whole = bits_highest((uint64_t)n);
        uint64_t mantissa = ((uint64_t)n << 30) >> whole; /* in [1, 2), 30 bits of fraction */
        int log = whole;
        for (int bit = 0; bit < 10; bit++) {
            mantissa = (mantissa * mantissa) >> 30;
            log = 2 * log + (mantissa >> 31 ? 1 : 0);
            if (mantissa >> 31) mantissa >>= 1;
        }
        logs[n] = log;
    }
}

/* Depth times move number, both by logarithm: the shape found by Stockfish's and others' tuning. */
static inline int reduce_base(const int *logs, int depth, int move_number, bool noisy) {
    const int product = logs[int_min(depth, 255)] * logs[int_min(move_number, 255)] / 1024;
    const int scale = noisy ? params.reduction_noisy_scale : params.reduction_scale;
    return (noisy ? 0 : params.reduction_base) + product * scale / 1024;
}

/* Late move reductions, in 1/1024 ply, in all. May be negative or above the depth: the caller clamps it. */
static inline int reduce_late_move(const int *logs, const ReductionSigns *signs) {
    if (!techniques.late_move_reductions) return 0;
    int reduction = PART(depth_and_number, reduce_base(logs, signs->depth, signs->move_number, signs->noisy));
    if (signs->cut_node) reduction += PART(cut_node, params.reduction_cut_node);
    if (signs->pv_node) reduction += PART(pv_node, -params.reduction_pv);
    if (signs->root) reduction += PART(root, -params.reduction_root);
    if (signs->improving) reduction += PART(improving, -params.reduction_improving);
    if (signs->gives_check) reduction += PART(check, -params.reduction_check);
    if (signs->killer) reduction += PART(killer, -params.reduction_killer);
    if (signs->former_pv) reduction += PART(former_pv, -params.reduction_former_pv);
    if (signs->noisy_hash_move && !signs->noisy)
        reduction += PART(noisy_hash_move, params.reduction_noisy_hash_move);
    if (techniques.correction_reduction && WEIGHS(correction_reduction, signs->correction > 0))
        reduction += PART(corrected, -params.reduction_correction * signs->correction);
    if (signs->many_cuts) reduction += PART(many_cuts, params.reduction_cut_count);
    return reduction + PART(move_history, -signs->history * ONE_PLY / params.reduction_history);
}

/* Plies to add to the re-search after a reduced search that returned `score`: 1 if that is far above the best
 * so far, -1 if it is hardly above. Never 1 at the root, whose next iteration comes soon. */
static inline int reduce_re_search(int score, int best_score, bool root) {
    if (!techniques.adaptive_re_search) return 0;
    return (!root && RULE(EXTENDS, adaptive_re_search, score > best_score + params.re_search_deeper,
                          OP(score, score), OP(best_score, best_score))) -
           RULE(REDUCES, adaptive_re_search, score < best_score + params.re_search_shallower,
                OP(score, score), OP(best_score, best_score));
}

/* Internal reduction: a ply less where the table knows no move. The next iteration, which then has one, will
 * do better. */
static inline int reduce_without_hash_move(int depth, bool wanted, Move hash_move) {
    return techniques.internal_reductions && wanted && depth >= params.internal_reduction_depth &&
           hash_move == MOVE_NONE &&
           RULE(REDUCES, internal_reductions, true, OP(reduced, depth - 1), OP(depth, depth));
}

/* Negative extensions: plies less for a hash move of `hash_score` that proved not to be singular. */
static inline int reduce_not_singular(int hash_score, int beta, bool pv_node, bool cut_node) {
    if (!techniques.negative_extensions) return 0;
    const int less = hash_score >= beta ? 2 - pv_node : cut_node;
    return RULE(REDUCES, negative_extensions, less > 0, OP(less, less)) ? less : 0;
}

#endif
