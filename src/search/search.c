#include "search/search.h"

#include "base/clock.h"
#include "chess/draw.h"
#include "search/prune.h"
#include "search/qsearch.h"
#include "search/reduce.h"

#include <assert.h>

static int search_pv(Worker *worker, int ply, int alpha, int beta, int depth);
static int search_null_window(Worker *worker, int ply, int alpha, int depth, bool cut_node);

/* What the steps of one node tell each other. */
typedef struct Node {
    int ply, depth;
    int alpha, beta;
    bool in_check;
    bool cut_node;  /* a fail-high is expected here */
    bool improving; /* our static value is better than two plies ago */
    TtEntry entry;
    TtSlot slot;
    int raw_eval;    /* as the network says, for the table; SCORE_NONE in check */
    int static_eval; /* what look-backs compare; SCORE_NONE in check */
    int eval;        /* sharpened by the table's bound */
    ContinuationSet continuations;
} Node;

/* Moves that were searched and did not cut: they pay when a later one does. */
enum { TRIED_MAX = 48 };
typedef struct Tried {
    int quiet_count, noisy_count;
    Move quiet[TRIED_MAX], noisy[TRIED_MAX];
} Tried;

/* Draws by rule, the deepest ply, and the bounds that mates already found put on this node. */
static bool node_is_decided(Worker *worker, Node *node, int *score) {
    if (worker_is_draw(worker, node->ply)) {
        *score = SCORE_DRAW;
        return true;
    }
    if (node->ply >= MAX_PLY) {
        *score = node->in_check ? SCORE_DRAW : worker_evaluate(worker);
        return true;
    }
    if (techniques.upcoming_repetition && node->alpha < SCORE_DRAW &&
        draw_upcoming_repetition(&worker->pos, node->ply))
        node->alpha = SCORE_DRAW;
    if (techniques.mate_distance_bounds) {
        node->alpha = int_max(node->alpha, score_mated_in(node->ply));
        node->beta = int_min(node->beta, score_mate_in(node->ply + 1));
    }
    *score = node->alpha;
    return node->alpha >= node->beta;
}

static void probe_table(Worker *worker, Node *node) {
    const Position *pos = &worker->pos;
    node->entry = tt_probe(&worker->shared->table, worker_table_key(pos), node->ply,
                           pos->state.halfmove_clock, &node->slot);
}

/* Whether the table's score answers the window. Not near the fifty-move limit, where the path matters more.
 */
static bool table_decides(const Worker *worker, const Node *node) {
    const TtEntry *entry = &node->entry;
    const Bound needed = entry->score >= node->beta ? BOUND_LOWER : BOUND_UPPER;
    return techniques.table_cutoffs && entry->hit && entry->depth >= node->depth &&
           entry->score != SCORE_NONE && (entry->bound & needed) && worker->pos.state.halfmove_clock < 90;
}

/* The static value, from the table if it is known, and how it compares with our last. */
static void evaluate_node(Worker *worker, Node *node) {
    Frame *frame = worker_frame(worker, node->ply);
    node->raw_eval = node->static_eval = node->eval = frame->static_eval = SCORE_NONE;
    node->improving = false;
    if (node->in_check) return;

    const TtEntry *entry = &node->entry;
    node->raw_eval = entry->hit && entry->eval != SCORE_NONE ? entry->eval : worker_evaluate(worker);
    node->static_eval = node->eval = frame->static_eval = node->raw_eval;
    if (techniques.table_eval && entry->hit && entry->score != SCORE_NONE && !score_is_mate(entry->score) &&
        (entry->bound & (entry->score > node->eval ? BOUND_LOWER : BOUND_UPPER)))
        node->eval = entry->score;

    const int two_ago = worker_frame(worker, node->ply - 2)->static_eval;
    const int four_ago = worker_frame(worker, node->ply - 4)->static_eval;
    const int before = two_ago != SCORE_NONE ? two_ago : four_ago;
    node->improving = before != SCORE_NONE && node->static_eval > before;
}

/* Null move: if even passing keeps the score above beta, a move will. Never twice in a row, never with pawns
 * alone, where having to move may be what loses. */
static bool null_move_cuts(Worker *worker, const Node *node, int *score) {
    const Frame *before = worker_frame(worker, node->ply - 1);
    if (before->move == MOVE_NULL || !position_has_pieces(&worker->pos, worker->pos.side)) return false;
    if (!prune_may_try_null(node->depth, node->eval, node->static_eval, node->beta)) return false;

    const int depth = node->depth - prune_null_reduction(node->depth, node->eval, node->beta);
    worker_make_null(worker, node->ply);
    *score = -search_null_window(worker, node->ply + 1, -node->beta, depth, !node->cut_node);
    worker_unmake_null(worker, node->ply);
    if (worker->stopped || *score < node->beta) return worker->stopped;
    if (score_is_mate(*score)) *score = node->beta; /* a mate after a pass is not proven */
    return true;
}

/* Whether a quiet move is left untried. `history` is its score, `reduced` the depth that it would be searched
 * to. */
static bool quiet_is_pruned(const Node *node, int reduced, int history, bool gives_check) {
    if (gives_check) return false;
    return prune_history(reduced, history) || prune_futility(reduced, node->static_eval, node->alpha);
}

/* Rewards the move that cut, and charges those that were tried before it. */
static void learn_from_cut(Worker *worker, const Node *node, Move best, const Tried *tried) {
    const Position *pos = &worker->pos;
    Histories *histories = &worker->histories;
    const int bonus = history_bonus(node->depth), malus = history_malus(node->depth);
    if (position_is_noisy(pos, best)) {
        history_push(history_capture(histories, pos, best), bonus);
    } else {
        Move *killer = worker_frame(worker, node->ply)->killer;
        if (killer[0] != best) {
            killer[1] = killer[0];
            killer[0] = best;
        }
        history_push_quiet(histories, pos, node->continuations, best, bonus);
        for (int i = 0; i < tried->quiet_count; i++)
            history_push_quiet(histories, pos, node->continuations, tried->quiet[i], malus);
    }
    for (int i = 0; i < tried->noisy_count; i++)
        history_push(history_capture(histories, pos, tried->noisy[i]), malus);
}

static void note_tried(Tried *tried, Move move, bool noisy) {
    if (noisy && tried->noisy_count < TRIED_MAX) tried->noisy[tried->noisy_count++] = move;
    if (!noisy && tried->quiet_count < TRIED_MAX) tried->quiet[tried->quiet_count++] = move;
}

/* The row of a root move that this pass may search, or NULL. */
static RootMove *open_root_move(Worker *worker, Move move) {
    for (int i = worker->multi_pv_index; i < worker->root_count; i++)
        if (worker->root[i].move == move) return &worker->root[i];
    return NULL;
}

static void announce_root_move(const Worker *worker, Move move, int number) {
    enum { QUIET_MICROSECONDS = 3000000 };
    const SearchListener *listener = &worker->shared->listener;
    if (listener->current_move && clock_microseconds() - worker->shared->limits.start > QUIET_MICROSECONDS)
        listener->current_move(listener->context, worker->root_depth, move, number);
}

/* Only the first move, and one that beats it, has a score of its own; the others are known to be no better.
 */
static void record_root_move(Worker *worker, RootMove *root, const Node *node, int score, bool is_best,
                             uint64_t nodes) {
    root->nodes += nodes;
    root->score = is_best ? score : -SCORE_INFINITE;
    if (!is_best) return;
    const Frame *child = worker_frame(worker, 1);
    root->bound = score <= node->alpha ? BOUND_UPPER : score >= node->beta ? BOUND_LOWER : BOUND_EXACT;
    root->selective_depth = worker->selective_depth;
    root->pv_length = 1;
    for (int i = 0; i < child->pv_length && root->pv_length < MAX_PLY; i++)
        root->pv[root->pv_length++] = child->pv[i];
}

/* Searches a move that has been made: late ones reduced and with a null window first, then as far as they
 * deserve. */
ALWAYS_INLINE int search_move(Worker *worker, const Node *node, int move_number, int reduction,
                              const bool pv_node) {
    const int child_ply = node->ply + 1, depth = node->depth - 1, alpha = node->alpha;
    int score = alpha + 1;
    if (node->depth >= 2 && move_number > 1 + pv_node) {
        const int reduced = int_clamp(depth - reduction / ONE_PLY, 1, depth);
        score = -search_null_window(worker, child_ply, -alpha - 1, reduced, true);
        if (score > alpha && reduced < depth)
            score = -search_null_window(worker, child_ply, -alpha - 1, depth, !node->cut_node);
    } else if (!pv_node || move_number > 1) {
        score = -search_null_window(worker, child_ply, -alpha - 1, depth, !node->cut_node);
    }
    if (pv_node && (move_number == 1 || score > alpha))
        score = -search_pv(worker, child_ply, -node->beta, -alpha, depth);
    return score;
}

/* One node. `pv_node` is a constant in each of the two copies below. */
ALWAYS_INLINE int search_node(Worker *worker, int ply, int alpha, int beta, int depth, bool cut_node,
                              const bool pv_node) {
    if (depth <= 0)
        return pv_node ? qsearch_pv(worker, ply, alpha, beta) : qsearch_null_window(worker, ply, alpha, beta);

    const Position *pos = &worker->pos;
    Frame *frame = worker_frame(worker, ply);
    const bool root = pv_node && ply == 0;
    Node node = {.ply = ply,
                 .depth = depth,
                 .alpha = alpha,
                 .beta = beta,
                 .in_check = position_in_check(pos),
                 .cut_node = cut_node};
    int score;
    assert(alpha < beta && (pv_node || alpha == beta - 1));

    /* Step 1. Is the search over, or the game? */
    if (pv_node) frame->pv_length = 0;
    if (pv_node) worker->selective_depth = int_max(worker->selective_depth, ply);
    if (worker_must_stop(worker)) return 0;
    if (!root && node_is_decided(worker, &node, &score)) return score;

    /* Step 2. What an earlier search has found. */
    probe_table(worker, &node);
    if (!pv_node && table_decides(worker, &node)) return node.entry.score;

    /* Step 3. The static evaluation. */
    evaluate_node(worker, &node);
    worker_frame(worker, ply + 1)->killer[0] = worker_frame(worker, ply + 1)->killer[1] = MOVE_NONE;

    if (!pv_node && !node.in_check) {
        /* Step 4. Reverse futility: far enough above beta already. */
        if (prune_reverse_futility(depth, node.eval, node.beta, node.improving)) return node.eval;

        /* Step 5. Null move: even a pass is good enough. */
        if (null_move_cuts(worker, &node, &score)) return score;
    }

    /* Step 6. The moves, best first. */
    MovePicker picker;
    Tried tried;
    Move best_move = MOVE_NONE, move;
    int best_score = -SCORE_INFINITE, move_number = 0;
    bool skip_quiets = false;
    tried.quiet_count = tried.noisy_count = 0;
    worker_continuations(worker, ply, node.continuations);
    picker_begin(&picker, pos, &worker->histories, node.continuations,
                 root ? worker->root[worker->multi_pv_index].move : node.entry.move, frame->killer);

    while ((move = picker_next(&picker, skip_quiets)) != MOVE_NONE) {
        RootMove *root_move = root ? open_root_move(worker, move) : NULL;
        if (root && !root_move) continue;
        if (root) announce_root_move(worker, move, worker->multi_pv_index + move_number + 1);
        move_number++;

        const bool noisy = position_is_noisy(pos, move), gives_check = position_gives_check(pos, move);
        const int history =
            noisy ? 0 : history_quiet_score(&worker->histories, pos, node.continuations, move);
        const ReductionSigns signs = {.depth = depth,
                                      .move_number = move_number,
                                      .history = history,
                                      .noisy = noisy,
                                      .gives_check = gives_check,
                                      .pv_node = pv_node,
                                      .cut_node = cut_node,
                                      .killer = move == frame->killer[0] || move == frame->killer[1],
                                      .improving = node.improving};
        const int reduction = reduce_late_move(worker->log_table, &signs);

        /* Step 7. Leave quiet moves that will hardly lift alpha, once there is one that does not lose to
         * mate. */
        if (!root && !node.in_check && !noisy && move_number > 1 && best_score > -SCORE_WIN &&
            !score_is_mate(node.alpha)) {
            if (prune_late_move(depth, move_number, node.improving)) skip_quiets = true;
            const int reduced = int_max(depth - 1 - reduction / ONE_PLY, 0);
            if (skip_quiets || quiet_is_pruned(&node, reduced, history, gives_check)) continue;
        }

        /* Step 8. Make the move and search on: principal variation search with late move reductions. */
        const uint64_t nodes_before = worker_nodes(worker);
        worker_make_move(worker, ply, move);
        score = search_move(worker, &node, move_number, reduction, pv_node);
        worker_unmake_move(worker, ply);
        if (worker->stopped) return 0;
        if (root)
            record_root_move(worker, root_move, &node, score, move_number == 1 || score > node.alpha,
                             worker_nodes(worker) - nodes_before);

        /* Step 9. A new best move, a cut? */
        if (score > best_score) {
            best_score = score;
            if (score > node.alpha) {
                best_move = move;
                if (pv_node) worker_update_pv(worker, ply, move);
                if (score >= node.beta) break;
                node.alpha = score;
            }
        }
        note_tried(&tried, move, noisy);
    }

    /* Step 10. Mate, stalemate. */
    if (move_number == 0) return node.in_check ? score_mated_in(ply) : SCORE_DRAW;

    /* Step 11. Learn, and remember in the table. */
    if (best_score >= node.beta) learn_from_cut(worker, &node, best_move, &tried);
    if (!root || worker->multi_pv_index == 0) {
        const Bound bound = best_score >= node.beta             ? BOUND_LOWER
                            : pv_node && best_move != MOVE_NONE ? BOUND_EXACT
                                                                : BOUND_UPPER;
        tt_store(&worker->shared->table, node.slot, best_move, best_score, node.raw_eval, depth, bound,
                 pv_node || node.entry.pv, ply);
    }
    return best_score;
}

static int search_pv(Worker *worker, int ply, int alpha, int beta, int depth) {
    return search_node(worker, ply, alpha, beta, depth, false, true);
}

/* Window (alpha, alpha + 1). */
static int search_null_window(Worker *worker, int ply, int alpha, int depth, bool cut_node) {
    return search_node(worker, ply, alpha, alpha + 1, depth, cut_node, false);
}

int search_root(Worker *worker, int alpha, int beta, int depth) {
    return search_pv(worker, 0, alpha, beta, depth);
}
