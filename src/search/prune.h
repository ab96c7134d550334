/* What the search leaves out. Each rule is a pure function of numbers that the node has at hand: its source,
 * what it may not do, and its margin from params.def. The node keeps the common guards: never in check, never
 * before one move is found that does not lose to mate. Internal units and plies. */
#ifndef LUFT_SEARCH_PRUNE_H
#define LUFT_SEARCH_PRUNE_H

#include "base/bits.h"
#include "search/params.h"
#include "search/score.h"

/* Reverse futility ("static null move"): a static value so far above beta will hold for a few plies. Not at
 * PV nodes. */
static inline bool prune_reverse_futility(int depth, int eval, int beta, bool improving,
                                          bool opponent_worsening) {
    const int margin =
        params.reverse_futility_margin * depth - params.reverse_futility_improving * improving -
        params.reverse_futility_worsening * (techniques.opponent_worsening && opponent_worsening);
    return techniques.reverse_futility && depth <= params.reverse_futility_depth && eval - margin >= beta &&
           !score_is_mate(eval) && !score_is_mate(beta);
}

/* Null move (Donninger 1993): whether passing is worth a try. The caller sees to pieces, check and the last
 * move. */
static inline bool prune_may_try_null(int depth, int eval, int static_eval, int beta) {
    return techniques.null_move && depth >= params.null_move_depth && eval >= beta &&
           static_eval >= beta - params.null_move_margin * depth && beta > -SCORE_WIN;
}

/* Whether a null move's cut must be proved. */
static inline bool prune_must_verify_null(int depth) {
    return techniques.null_move_verification && depth >= params.null_move_verify_depth;
}

/* Hindsight (Stockfish): what should be added to the depth of a node that was reached by a move reduced by
 * `reduction` (1/1024 ply), now that its static value is known. Deeper if the opponent's position did not get
 * worse by his reduced move, shallower if the two static values add up to more than a margin: the move lost
 * that much. */
static inline int prune_hindsight(int depth, int reduction, bool opponent_worsening, int sum_of_values) {
    if (!techniques.hindsight) return 0;
    if (reduction >= params.hindsight_deeper && !opponent_worsening) return 1;
    return reduction >= params.hindsight_shallower && depth >= 2 && sum_of_values > params.hindsight_margin
               ? -1
               : 0;
}

/* Plies by which the search after a null move is shallower. */
static inline int prune_null_reduction(int depth, int eval, int beta) {
    return params.null_move_base + depth / params.null_move_divisor +
           int_min((eval - beta) / params.null_move_eval_divisor, params.null_move_eval_max);
}

/* Razoring: a static value so far below alpha that only tactics could mend it. Not at PV nodes. */
static inline bool prune_razor(int depth, int eval, int alpha) {
    return techniques.razoring && depth <= params.razoring_depth &&
           eval + params.razoring_base + params.razoring_margin * depth * depth < alpha &&
           !score_is_mate(alpha);
}

/* ProbCut (Buro 1994): what a good capture must reach in a shallower search for the node to be cut. */
static inline int prune_probcut_beta(int beta, bool improving) {
    return beta + params.probcut_margin - params.probcut_improving * improving;
}

/* SEE pruning: exchanges on the target square lose more than the depth left can win back. `reduced` is the
 * depth after reduction, of quiet moves. */
static inline int prune_see_threshold(int depth, int reduced, bool noisy) {
    return noisy ? -params.see_pruning_noisy * depth : -params.see_pruning_quiet * reduced * reduced;
}

/* Late move pruning (Heinz's and others' "move count based"): from which move on a node leaves quiet
 * ones. The first iterations do without: they are cheap, and what they learn of the quiet moves orders
 * those of all later ones. Not at PV nodes. */
static inline bool prune_late_move(int iteration, int depth, int move_number, bool improving) {
    return techniques.late_move_pruning && iteration >= params.late_move_iteration &&
           depth <= params.late_move_depth &&
           move_number >= (params.late_move_base + depth * depth) / (2 - improving);
}

/* Futility (Heinz 1998): a quiet move lifts the static value so high at most; the better its history, the
 * higher. Where that stays below alpha, it is left. `depth` after reduction. */
static inline int prune_futility_ceiling(int depth, int static_eval, int history) {
    return static_eval + params.futility_base + params.futility_margin * depth +
           history / params.futility_history;
}
static inline bool prune_futility(int depth, int ceiling, int alpha) {
    return techniques.futility && depth <= params.futility_depth && ceiling <= alpha;
}

/* History pruning: a quiet move that has failed nearly always, in this continuation too. `depth` after
 * reduction. */
static inline bool prune_history(int depth, int history) {
    return techniques.history_pruning && depth <= params.history_pruning_depth &&
           history < -params.history_pruning_margin * int_max(depth, 1);
}

/* Futility in quiescence ("delta pruning"): even the gain of this capture leaves the value below alpha. */
static inline bool prune_quiescence_futility(int static_eval, int gain, int alpha) {
    return techniques.quiescence_futility && static_eval + params.quiescence_margin + gain <= alpha;
}

/* Move cap in quiescence: past the best few captures the static value decides. Without it, positions full of
 * queens make trees without end. Promotions are always tried. */
static inline bool prune_quiescence_move(int move_number) {
    return techniques.quiescence_move_cap && move_number > params.quiescence_moves;
}

#endif
