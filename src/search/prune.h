/* What the search prunes. Each rule is a pure function of facts about the node, with its source, its
 * exceptions, its switch from techniques.def and its margin from params.def. The node checks the common
 * conditions: never in check, never before a move is found that does not lose to mate. Internal units and
 * plies. */
#ifndef LUFT_SEARCH_PRUNE_H
#define LUFT_SEARCH_PRUNE_H

#include "base/bits.h"
#include "chess/draw.h"
#include "search/endings.h"
#include "search/params.h"
#include "search/score.h"
#include "search/see.h"
#include "search/trace.h"
#include "search/tt.h"

/* Upcoming repetition: alpha, or a draw where the side to move can have one. */
static inline int prune_upcoming_repetition(const Position *pos, int ply, int alpha) {
    return techniques.upcoming_repetition && alpha < SCORE_DRAW && draw_upcoming_repetition(pos, ply) &&
                   RULE(CHANGES, upcoming_repetition, true, OP(alpha, alpha))
               ? SCORE_DRAW
               : alpha;
}

/* Mate distance: no score here is below that of being mated at once, or above that of a mate by the next
 * move. */
static inline void prune_mate_distance(int ply, int *alpha, int *beta) {
    if (!techniques.mate_distance_bounds) return;
    const int mated = score_mated_in(ply), mates = score_mate_in(ply + 1), low = *alpha, high = *beta;
    if (RULE(CHANGES, mate_distance_bounds, low < mated, OP(old_bound, low), OP(new_bound, mated)))
        *alpha = mated;
    if (RULE(CHANGES, mate_distance_bounds, high > mates, OP(old_bound, high), OP(new_bound, mates)))
        *beta = mates;
}

/* Whether the table answers a null window below `beta`. Not at PV nodes, and not near the fifty-move limit,
 * where the path matters more. */
static inline bool prune_by_table(const TtEntry *entry, int depth, int beta, int halfmove_clock) {
    return techniques.table_cutoffs && entry->depth >= depth && tt_entry_proves(entry, beta) &&
           halfmove_clock < params.table_cutoff_clock &&
           RULE(CUTS, table_cutoffs, true, OP(table_score, entry->score), OP(table_depth, entry->depth),
                OP(depth, depth));
}

/* Mate hunt: `score` of one side is so high that only a mate could improve it. Static values see no mates, so
 * those of the losing side do not prune, and late quiet moves that give check are not skipped. Not where
 * lone_king gives the value: it leads to the mate. */
static inline bool prune_hunts_mate(const Position *pos, int score) {
    return techniques.mate_hunt && score > params.mate_hunt_score && !lone_king_applies(pos) &&
           RULE(CHANGES, mate_hunt, true, OP(score, score));
}

/* Reverse futility ("static null move"): a static value so far above beta will hold for a few plies. Not at
 * PV nodes. */
static inline bool prune_reverse_futility(const Position *pos, int depth, int eval, int beta, bool improving,
                                          bool opponent_worsening) {
    const bool worsening = techniques.opponent_worsening && opponent_worsening;
    const int margin = params.reverse_futility_margin * depth -
                       params.reverse_futility_improving * improving -
                       params.reverse_futility_worsening * worsening;
    return techniques.reverse_futility && depth <= params.reverse_futility_depth && !score_is_decided(eval) &&
           !score_is_decided(beta) && !(eval - margin >= beta && prune_hunts_mate(pos, -beta)) &&
           RULE(CUTS, reverse_futility, eval - margin >= beta, OP(value, eval), OP(lead, eval - beta),
                OP(margin, margin)) &&
           (!worsening || RULE(CHANGES, opponent_worsening, true, OP(margin, margin)));
}

/* Null move (Donninger 1993): whether to try a pass. The caller checks the pieces, check and the last move.
 */
static inline bool prune_may_try_null(int depth, int eval, int static_eval, int beta) {
    return techniques.null_move && depth >= params.null_move_depth && eval >= beta && beta > -SCORE_DECIDED &&
           RULE(TRIES, null_move, static_eval >= beta - params.null_move_margin * depth, OP(value, eval),
                OP(beta, beta));
}

/* Whether a null move's cut must be proved. */
static inline bool prune_must_verify_null(int depth) {
    return techniques.null_move_verification &&
           RULE(TRIES, null_move_verification, depth >= params.null_move_verify_depth, OP(depth, depth));
}

/* Hindsight (Stockfish): what to add to the depth of a node that was reached by a move reduced by `reduction`
 * plies, now that its static value is known. Deeper if the opponent's position did not get worse by the
 * reduced move, shallower if the two static values add up to more than a margin: the move lost that much. */
static inline int prune_hindsight(int depth, int reduction, bool opponent_worsening, int sum_of_values) {
    if (!techniques.hindsight) return 0;
    if (reduction >= params.hindsight_deeper && !opponent_worsening &&
        RULE(EXTENDS, hindsight, true, OP(reduction, reduction)))
        return 1;
    return reduction >= params.hindsight_shallower && depth >= 2 &&
                   RULE(REDUCES, hindsight, sum_of_values > params.hindsight_margin, OP(reduction, reduction),
                        OP(loss, sum_of_values))
               ? -1
               : 0;
}

/* Plies by which the search after a null move is shallower. */
static inline int prune_null_reduction(int depth, int eval, int beta) {
    return params.null_move_base + depth / params.null_move_divisor +
           int_min((eval - beta) / params.null_move_eval_divisor, params.null_move_eval_max);
}

/* Razoring: a static value so far below alpha that only tactics could change it. Not at PV nodes. */
static inline bool prune_razor(int depth, int eval, int alpha) {
    const int margin = params.razoring_base + params.razoring_margin * depth * depth;
    return techniques.razoring && depth <= params.razoring_depth && !score_is_decided(alpha) &&
           RULE(CUTS, razoring, eval + margin < alpha, OP(value, eval), OP(gap, alpha - eval),
                OP(margin, margin));
}

/* ProbCut (Buro 1994): what a good capture must reach in a shallower search for the node to be cut. */
static inline int prune_probcut_beta(int beta, bool improving) {
    return beta + params.probcut_margin - params.probcut_improving * improving;
}

/* Whether to try it: not if the table knows that it would fail. */
static inline bool prune_may_try_probcut(const TtEntry *entry, int depth, int beta, int probcut_beta) {
    return techniques.probcut && depth >= params.probcut_depth && !score_is_decided(beta) &&
           (entry->depth < depth - 3 || entry->score >= probcut_beta) &&
           RULE(TRIES, probcut, true, OP(goal, probcut_beta), OP(depth, depth - 4));
}

/* Multi-cut (Bjornsson and Marsland 1999): in the singular test, `score` of all moves but the hash move, some
 * other move reached beta too. */
static inline bool prune_multi_cut(int score, int beta) {
    return techniques.multi_cut && !score_is_decided(score) &&
           RULE(CUTS, multi_cut, score >= beta, OP(score, score), OP(beta, beta));
}

/* SEE pruning: exchanges on the target square lose more than the depth left can win back. `reduced` is the
 * depth after reduction, of quiet moves. */
static inline int prune_see_threshold(int depth, int reduced, bool noisy) {
    return noisy ? -params.see_pruning_noisy * depth : -params.see_pruning_quiet * reduced * reduced;
}

static inline bool prune_see(const Position *pos, Move move, int depth, int reduced, bool noisy) {
    const int threshold = prune_see_threshold(depth, reduced, noisy);
    return techniques.see_pruning && !see_at_least(pos, move, threshold) &&
           RULE(SKIPS, see_pruning, true, OP(loss, -threshold));
}

/* Late move pruning (Heinz's and others' "move count based"): from which move on a node skips quiet ones. Not
 * in the first iterations: they are cheap, and what they learn about quiet moves orders them in all later
 * ones. Not at PV nodes. */
static inline bool prune_late_move(int iteration, int depth, int move_number, bool improving) {
    return techniques.late_move_pruning && iteration >= params.late_move_iteration &&
           depth <= params.late_move_depth &&
           RULE(SKIPS, late_move_pruning,
                move_number >= (params.late_move_base + depth * depth) / (2 - improving),
                OP(move_number, move_number), OP(depth, depth));
}

/* Futility (Heinz 1998): the most that a quiet move can reach, more with a better history. A move that cannot
 * reach alpha is skipped. `depth` after reduction. */
static inline int prune_futility_ceiling(int depth, int static_eval, int history) {
    return static_eval + params.futility_base + params.futility_margin * depth +
           history / params.futility_history;
}
static inline bool prune_futility(int depth, int ceiling, int alpha) {
    return techniques.futility && depth <= params.futility_depth &&
           RULE(SKIPS, futility, ceiling <= alpha, OP(ceiling, ceiling), OP(alpha, alpha), OP(depth, depth));
}

/* History pruning: a quiet move that has failed nearly always, in this continuation too. `depth` after
 * reduction. */
static inline bool prune_history(int depth, int history) {
    const int plies = int_max(depth, 1);
    return techniques.history_pruning && depth <= params.history_pruning_depth &&
           RULE(SKIPS, history_pruning, history < -params.history_pruning_margin * plies,
                OP(history, history));
}

/* Futility in quiescence ("delta pruning"): even the gain of this capture leaves the value below alpha. */
static inline bool prune_quiescence_futility(int static_eval, int gain, int alpha) {
    return techniques.quiescence_futility &&
           RULE(SKIPS, quiescence_futility, static_eval + params.quiescence_margin + gain <= alpha,
                OP(ceiling, static_eval + params.quiescence_margin + gain), OP(alpha, alpha));
}

/* What a capture must gain by exchanges to be tried in quiescence. */
static inline int prune_quiescence_see(void) { return techniques.quiescence_see ? 0 : SEE_ANY; }

/* Move cap in quiescence: only the best few captures are tried. Without it, positions full of queens make
 * endless trees. */
static inline int prune_quiescence_cap(void) {
    return techniques.quiescence_move_cap ? params.quiescence_moves : MAX_MOVES;
}

/* Promotions to a queen are always tried, others never. */
static inline bool prune_quiescence_move(Move move, int move_number) {
    if (prune_quiescence_cap() == MAX_MOVES) return false;
    if (move_kind(move) == PROMOTION)
        return move_promotion(move) != QUEEN &&
               RULE(SKIPS, quiescence_move_cap, true, OP(move_number, move_number));
    return RULE(SKIPS, quiescence_move_cap, move_number > params.quiescence_moves,
                OP(move_number, move_number));
}

/* Whether it skips all moves after the first `tried`. A traced search goes on, to name the moves that it
 * skips. */
static inline bool prune_quiescence_rest(const Position *pos, int tried) {
    return !IS_TRACED && tried >= prune_quiescence_cap() &&
           !(bitboard_forward(pos->side, position_pieces(pos, pos->side, PAWN)) & (RANK_1 | RANK_8));
}

#endif
