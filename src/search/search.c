#include "search/search.h"

#include "base/clock.h"
#include "chess/draw.h"
#include "chess/movegen.h"
#include "search/prune.h"
#include "search/qsearch.h"
#include "search/reduce.h"
#include "search/replay.h"
#include "search/value.h"

#include <assert.h>

static int search_pv(Worker *worker, int ply, int alpha, int beta, int depth);
static int search_null_window(Worker *worker, int ply, int alpha, int depth, bool cut_node);

/* What the steps of one node share. */
typedef struct Node {
    int ply, depth;
    int alpha, beta;
    bool pv_node;
    bool in_check;
    bool cut_node;           /* a fail-high is expected here */
    bool improving;          /* our static value is better than two plies ago */
    bool opponent_worsening; /* its static value got worse by its last move */
    TtEntry entry;
    TtSlot slot;
    Value value;        /* before any move is searched; VALUE_NONE in check */
    int floor, ceiling; /* between which tablebases put the score of a PV node */
    Path path;          /* for the histories; from step 10 on */
} Node;

/* Moves that were searched and did not raise alpha: their histories fall when a later one cuts. */
enum { TRIED_MAX = 48 };
typedef struct Tried {
    int quiet_count, noisy_count;
    Move quiet[TRIED_MAX], noisy[TRIED_MAX];
} Tried;

/* Draws by rule, the deepest ply, and the bounds from mates already found. */
static bool node_is_decided(Worker *worker, Node *node, int *score) {
    if (draw_by_rule(&worker->pos, node->ply)) {
        *score = SCORE_DRAW;
        return true;
    }
    if (node->ply >= MAX_PLY) {
        *score = node->in_check ? SCORE_DRAW : value_raw(worker);
        return true;
    }
    node->alpha = prune_upcoming_repetition(&worker->pos, node->ply, node->alpha);
    prune_mate_distance(node->ply, &node->alpha, &node->beta);
    *score = node->alpha;
    return node->alpha >= node->beta;
}

static void probe_table(Worker *worker, Node *node) {
    const Position *pos = &worker->pos;
    node->entry =
        tt_probe(&worker->shared->table, tt_key(pos), node->ply, pos->state.halfmove_clock, &node->slot);
}

/* Tablebases: who wins. Only after a capture or a pawn move, because the tables know nothing about the
 * fifty-move clock, which has just begun then. */
static bool tablebases_decide(Worker *worker, Node *node, int *score) {
    Shared *shared = worker->shared;
    Position *pos = &worker->pos;
    const TableUse *use = &shared->limits.tablebases;
    Wdl wdl;
    if (pos->state.halfmove_clock != 0 || bits_count(position_occupied(pos)) > shared->table_pieces ||
        pos->state.castling != 0 || node->depth < use->depth || !syzygy_probe(use->tables, pos, &wdl))
        return false;
    atomic_fetch_add_explicit(&shared->tb_hits, 1, memory_order_relaxed);

    const int sure = use->fifty_move_rule ? WDL_WIN : WDL_CURSED_WIN, win = SCORE_TABLEBASE - node->ply;
    *score = (int)wdl >= sure ? win : (int)wdl <= -sure ? -win : SCORE_DRAW + SCORE_CURSED_WIN * (int)wdl;
    const Bound bound = *score == win ? BOUND_LOWER : *score == -win ? BOUND_UPPER : BOUND_EXACT;
    if (bound == BOUND_EXACT || (bound == BOUND_LOWER ? *score >= node->beta : *score <= node->alpha)) {
        enum { AS_IF_DEEPER = 6 };
        tt_store(&shared->table, node->slot, MOVE_NONE, *score, SCORE_NONE,
                 int_min(node->depth + AS_IF_DEEPER, MAX_PLY - 1), bound, node->pv_node, node->ply);
        return true;
    }
    if (bound == BOUND_LOWER) node->alpha = int_max(node->alpha, node->floor = *score);
    if (bound == BOUND_UPPER) node->ceiling = *score;
    return false;
}

/* With a store, a mate against the side to move that is known stays known, whatever the depth: a deeper
 * search that does not get as far would hide it. */
static void keep_known_mate(const Worker *worker, Node *node) {
    const TtEntry *entry = &node->entry;
    if (worker->shared->limits.notes != NULL && entry->hit && (entry->bound & BOUND_UPPER) &&
        entry->score < 0 && score_is_mate(entry->score))
        node->ceiling = int_min(node->ceiling, entry->score);
}

/* The static value, and how it compares with our last. */
static void evaluate_node(Worker *worker, Node *node) {
    Frame *frame = worker_frame(worker, node->ply);
    node->value = node->in_check ? VALUE_NONE : value_of_node(worker, node->ply, &node->entry);
    node->improving = node->opponent_worsening = false;
    frame->static_eval = node->value.corrected;
    if (node->in_check) return;
    if (!node->entry.hit) /* at once: most nodes end before they are searched, and are visited again */
        tt_store(&worker->shared->table, node->slot, MOVE_NONE, SCORE_NONE, node->value.raw, -1, BOUND_NONE,
                 node->pv_node, node->ply);

    const int last = worker_frame(worker, node->ply - 1)->static_eval;
    node->opponent_worsening = last != SCORE_NONE && node->value.corrected > -last;
    const int two_ago = worker_frame(worker, node->ply - 2)->static_eval;
    const int four_ago = worker_frame(worker, node->ply - 4)->static_eval;
    const int before = two_ago != SCORE_NONE ? two_ago : four_ago;
    node->improving = before != SCORE_NONE && node->value.corrected > before;
}

/* Null move: if even passing keeps the score above beta, a move will. Never twice in a row, never with pawns
 * alone, where having to move may be what loses. */
static bool null_move_cuts(Worker *worker, const Node *node, int *score) {
    const Frame *before = worker_frame(worker, node->ply - 1);
    if (before->move == MOVE_NULL || node->ply < worker->verify_until ||
        !position_has_pieces(&worker->pos, worker->pos.side))
        return false;
    if (!prune_may_try_null(node->depth, node->value.refined, node->value.corrected, node->beta))
        return false;

    const int depth = node->depth - prune_null_reduction(node->depth, node->value.refined, node->beta);
    worker_make_null(worker, node->ply);
    *score = -search_null_window(worker, node->ply + 1, -node->beta, depth, !node->cut_node);
    worker_unmake_null(worker, node->ply);
    if (worker->stopped || *score < node->beta) return worker->stopped;
    if (score_is_decided(*score)) *score = node->beta; /* a mate after a pass is not proven */
    if (worker->verify_until > 0 || !prune_must_verify_null(node->depth))
        return RULE(CUTS, null_move, true, OP(score, *score), OP(beta, node->beta));

    /* A pass cannot see zugzwang: at high depth the same reduced search must succeed without passing. */
    worker->verify_until = node->ply + 3 * depth / 4;
    const int verified = search_null_window(worker, node->ply, node->beta - 1, depth, false);
    worker->verify_until = 0;
    return worker->stopped ||
           RULE(CUTS, null_move, verified >= node->beta, OP(score, verified), OP(beta, node->beta));
}

/* ProbCut: a capture that beats beta by a margin in a shallower search would in the full one as well. */
static bool probcut_cuts(Worker *worker, const Node *node, int *score) {
    const TtEntry *entry = &node->entry;
    const int beta = prune_probcut_beta(node->beta, node->improving);
    if (!prune_may_try_probcut(entry, node->depth, node->beta, beta)) return false;

    MovePicker picker;
    Move move;
    picker_begin_noisy(&picker, &worker->pos, &worker->histories, entry->move, beta - node->value.corrected);
    if (UNLIKELY(worker->level != NULL)) worker_limit_picker(worker, node->ply, &picker);
    while ((move = picker_next(&picker, false)) != MOVE_NONE) {
        worker_make_move(worker, node->ply, move);
        *score = -qsearch_null_window(worker, node->ply + 1, -beta, -beta + 1);
        if (*score >= beta && node->depth > 4)
            *score = -search_null_window(worker, node->ply + 1, -beta, node->depth - 4, !node->cut_node);
        worker_unmake_move(worker, node->ply);
        if (worker->stopped) return true;
        if (*score < beta) continue;
        tt_store(&worker->shared->table, node->slot, move, *score, node->value.raw, node->depth - 3,
                 BOUND_LOWER, entry->pv, node->ply);
        (void)RULE(CUTS, probcut, true, OP(capture, move), OP(score, *score), OP(goal, beta));
        if (!score_is_decided(*score)) *score -= beta - node->beta; /* the margin was not proved */
        return true;
    }
    return false;
}

/* Singular extensions (Anantharaman, Campbell, Hsu 1988; through the table as in Stockfish): all other moves
 * are searched shallower, with a window a margin below the hash move's score. If they all fail, the hash move
 * is singular and is searched deeper; if one reaches beta, the node is cut (*cut); if the hash move was good
 * enough for beta anyway, it is searched shallower. Returns plies to add. */
static int singular_extension(Worker *worker, const Node *node, Move move, int *cut) {
    Frame *frame = worker_frame(worker, node->ply);
    const TtEntry *entry = &node->entry;
    *cut = SCORE_NONE;
    if (!techniques.singular_extensions || move != entry->move || frame->excluded ||
        node->depth < params.singular_depth + entry->pv || !(entry->bound & BOUND_LOWER) ||
        entry->depth < node->depth - 3 || score_is_decided(entry->score) ||
        node->ply >= 2 * worker->root_depth)
        return 0;

    const int beta = entry->score - params.singular_margin * node->depth / 64;
    (void)RULE(TRIES, singular_extensions, true, OP(score, entry->score), OP(goal, beta));
    frame->excluded = move;
    const int score = search_null_window(worker, node->ply, beta - 1, (node->depth - 1) / 2, node->cut_node);
    frame->excluded = MOVE_NONE;
    if (worker->stopped) return 0;
    if (score < beta) {
        const int more = node->pv_node ? 0
                                       : (score < beta - params.double_extension_margin) +
                                             (score < beta - params.triple_extension_margin);
        (void)RULE(EXTENDS, singular_extensions, score < beta, OP(score, score), OP(goal, beta),
                   OP(more, 1 + more));
        return 1 + more;
    }
    if (prune_multi_cut(score, node->beta)) *cut = score;
    return -reduce_not_singular(entry->score, node->beta, node->pv_node, node->cut_node);
}

/* Whether a move is skipped. `reduced` is the depth that it would be searched to. A move skipped for its
 * ceiling raises `*best_score` to that ceiling, because the parent trusts the score. */
static bool move_is_pruned(const Worker *worker, const Node *node, Move move, const ReductionSigns *signs,
                           int reduced, int *best_score) {
    if (!signs->noisy && !signs->gives_check) {
        if (prune_history(reduced, signs->history)) return true;
        const int ceiling = prune_futility_ceiling(reduced, node->value.corrected, signs->history);
        if (prune_futility(reduced, ceiling, node->alpha)) {
            *best_score = int_max(*best_score, ceiling);
            return true;
        }
    }
    return prune_see(&worker->pos, move, node->depth, reduced, signs->noisy);
}

/* The correction history learns from nodes whose score says which way the static value was wrong. */
static void learn_correction(Worker *worker, const Node *node, Move best_move, int best_score) {
    if (node->in_check || score_is_decided(best_score)) return;
    /* The static value cannot know what a capture wins, but should know what it loses. */
    if (best_move != MOVE_NONE && position_is_noisy(&worker->pos, best_move) &&
        see_at_least(&worker->pos, best_move, 0))
        return;
    if (best_score >= node->beta && best_score <= node->value.corrected) return;
    if (best_move == MOVE_NONE && best_score >= node->value.corrected) return;
    const CorrectionSlots slots = worker_correction_slots(worker, node->ply);
    history_push_correction(&slots, best_score - node->value.corrected, node->depth);
}

static void note_killer(Frame *frame, Move move) {
    if (!techniques.killer_moves || frame->killer[0] == move) return;
    frame->killer[1] = frame->killer[0];
    frame->killer[0] = move;
}

/* Rewards the move that cut, and lowers those that were tried before it. */
static void learn_from_cut(Worker *worker, const Node *node, Move best, const Tried *tried) {
    const Position *pos = &worker->pos;
    Histories *histories = &worker->histories;
    const int bonus = history_bonus(node->depth), malus = history_malus(node->depth);
    if (position_is_noisy(pos, best)) {
        history_push(history_capture(histories, pos, best), bonus, HISTORY_MAX);
    } else {
        note_killer(worker_frame(worker, node->ply), best);
        history_push_quiet(histories, pos, &node->path, best, bonus);
        for (int i = 0; i < tried->quiet_count; i++)
            history_push_quiet(histories, pos, &node->path, tried->quiet[i], malus);
    }
    for (int i = 0; i < tried->noisy_count; i++)
        history_push(history_capture(histories, pos, tried->noisy[i]), malus, HISTORY_MAX);
}

/* A cut by the table updates the history as a search would have, by half. */
static void learn_from_table(Worker *worker, const Node *node) {
    const Move move = node->entry.move;
    if (!techniques.cutoff_bonus || node->entry.score < node->beta || move == MOVE_NONE ||
        !movegen_is_legal(&worker->pos, move) || position_is_noisy(&worker->pos, move))
        return;
    const int bonus = history_bonus(node->depth) / 2;
    const Path path = worker_path(worker, node->ply);
    (void)RULE(CHANGES, cutoff_bonus, true, OP(bonus, bonus));
    history_push_quiet(&worker->histories, &worker->pos, &path, move, bonus);
}

/* So does a re-search after a reduced search. */
static void learn_from_re_search(Worker *worker, const Node *node, bool held, int depth) {
    const Frame *frame = worker_frame(worker, node->ply);
    if (!techniques.re_search_history || worker->stopped) return;
    const int bonus = held ? history_bonus(depth) : history_malus(depth);
    (void)RULE(CHANGES, re_search_history, true, OP(bonus, bonus));
    history_push_continuations(&node->path, frame->piece, move_to(frame->move), bonus);
}

static void note_tried(Tried *tried, Move move, bool noisy) {
    if (noisy && tried->noisy_count < TRIED_MAX) tried->noisy[tried->noisy_count++] = move;
    if (!noisy && tried->quiet_count < TRIED_MAX) tried->quiet[tried->quiet_count++] = move;
}

/* The row of a root move that this pass may search, or NULL. Of moves ranked by tablebases, only those of the
 * best remaining rank. */
static RootMove *open_root_move(Worker *worker, Move move) {
    const int first = worker->multi_pv_index;
    for (int i = first; i < worker->root_count && worker->root[i].rank == worker->root[first].rank; i++)
        if (worker->root[i].move == move) return &worker->root[i];
    return NULL;
}

static void announce_root_move(const Worker *worker, Move move, int number) {
    const SearchListener *listener = &worker->shared->listener;
    if (listener->current_move != NULL && clock_microseconds() - worker->shared->limits.start > QUIET_TIME)
        listener->current_move(listener->context, worker->root_depth, move, number);
}

/* Only the first move and moves that beat it have exact scores; the others are known to be no better. */
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

/* Searches a move that has been made: late ones reduced and with a null window first, and again deeper or
 * with the full window if that is needed. `depth` is the child's without reduction. */
ALWAYS_INLINE int search_move(Worker *worker, const Node *node, int depth, int move_number, int reduction,
                              int best_score, const bool pv_node) {
    const int child_ply = node->ply + 1, alpha = node->alpha;
    Frame *frame = worker_frame(worker, node->ply);
    int score = alpha + 1;
    if (node->depth >= 2 && move_number > 1 + pv_node) {
        const int reduced = int_clamp(depth - reduction / ONE_PLY, 1, int_max(depth, 1));
        (void)RULE(REDUCES, late_move_reductions, reduced < depth, OP(reduced, reduced), OP(depth, depth));
        frame->reduction = depth - reduced;
        score = -search_null_window(worker, child_ply, -alpha - 1, reduced, true);
        frame->reduction = 0;
        if (score > alpha && reduced < depth) {
            depth += reduce_re_search(score, best_score, pv_node && node->ply == 0);
            if (reduced < depth)
                score = -search_null_window(worker, child_ply, -alpha - 1, depth, !node->cut_node);
            learn_from_re_search(worker, node, score > alpha, depth);
        }
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
    Frame *frame = worker_frame(worker, ply), *child = worker_frame(worker, ply + 1);
    const Frame *before = worker_frame(worker, ply - 1);
    const bool root = pv_node && ply == 0;
    const Move excluded = frame->excluded;
    Node node = {.ply = ply,
                 .depth = int_min(depth, MAX_PLY - 1),
                 .alpha = alpha,
                 .beta = beta,
                 .pv_node = pv_node,
                 .in_check = position_in_check(pos),
                 .cut_node = cut_node,
                 .floor = -SCORE_INFINITE,
                 .ceiling = SCORE_INFINITE};
    int score;
    assert(alpha < beta && (pv_node || alpha == beta - 1));

    /* Step 1. Is the search over, or the game? */
    if (pv_node) frame->pv_length = 0;
    if (pv_node) worker->selective_depth = int_max(worker->selective_depth, ply);
    if (worker_must_stop(worker)) return 0;
    if (!root && node_is_decided(worker, &node, &score)) return score;

    /* Step 2. What the table knows. */
    if (!node.in_check) value_prepare(worker);
    probe_table(worker, &node);
    if (!pv_node && !excluded &&
        prune_by_table(&node.entry, node.depth, node.beta, pos->state.halfmove_clock)) {
        learn_from_table(worker, &node);
        return node.entry.score;
    }

    if (!root && !excluded) {
        keep_known_mate(worker, &node);
        if (!pv_node && node.ceiling <= node.alpha) return node.ceiling;
    }

    /* Step 3. Tablebases. */
    if (worker->shared->table_pieces > 0 && !root && !excluded && tablebases_decide(worker, &node, &score))
        return score;

    /* Step 4. The static evaluation. */
    evaluate_node(worker, &node);
    child->killer[0] = child->killer[1] = MOVE_NONE;
    worker_frame(worker, ply + 2)->cut_count = 0;
    if (!root && !excluded && !node.in_check && before->static_eval != SCORE_NONE)
        node.depth += prune_hindsight(node.depth, before->reduction, node.opponent_worsening,
                                      node.value.corrected + before->static_eval);

    if (!pv_node && !node.in_check && !excluded) {
        /* Step 5. Razoring: only captures could still help. */
        if (prune_razor(node.depth, node.value.refined, node.alpha))
            return qsearch_null_window(worker, ply, node.alpha, node.beta);

        /* Step 6. Reverse futility: far enough above beta already. */
        if (prune_reverse_futility(pos, node.depth, node.value.refined, node.beta, node.improving,
                                   node.opponent_worsening))
            return node.value.refined;

        /* Step 7. Null move: even a pass is good enough. */
        if (null_move_cuts(worker, &node, &score)) return score;
    }

    /* A static value that is good enough counts as improving from here on. */
    node.improving |= !node.in_check && node.value.corrected >= node.beta;

    /* Step 8. Internal reduction: without a hash move the next iteration will do better. */
    node.depth -= reduce_without_hash_move(node.depth, (pv_node || cut_node) && !excluded, node.entry.move);

    /* Step 9. ProbCut: a good capture is good enough. */
    if (!pv_node && !node.in_check && !excluded && probcut_cuts(worker, &node, &score)) return score;

    /* Step 10. The moves, best first. */
    node.path = worker_path(worker, ply);
    MovePicker picker;
    Tried tried;
    Move best_move = MOVE_NONE, move;
    int best_score = node.floor, move_number = 0;
    bool skip_quiets = false, hunts_mate = false;
    tried.quiet_count = tried.noisy_count = 0;
    picker_begin(&picker, pos, &worker->histories, &node.path,
                 root ? worker->root[worker->multi_pv_index].move : node.entry.move, frame->killer);
    if (UNLIKELY(worker->level != NULL) && !root) worker_limit_picker(worker, ply, &picker);
    CheckSquares checks = {0};
    const bool noisy_hash_move = picker.hash_move != MOVE_NONE && position_is_noisy(pos, picker.hash_move);

    while ((move = picker_next(&picker, skip_quiets && !hunts_mate)) != MOVE_NONE) {
        if (move == excluded) continue;
        RootMove *root_move = root ? open_root_move(worker, move) : NULL;
        if (root && root_move == NULL) continue;
        if (root) announce_root_move(worker, move, worker->multi_pv_index + move_number + 1);
        move_number++;
        COMES_TO(move, move_number, node.depth - 1);

        const bool noisy = position_is_noisy(pos, move);
        ReductionSigns signs = {0};
        int reduction = 0;
        if (move_number == 2) checks = position_check_squares(pos); /* many nodes search one move only */
        if (move_number > 1) { /* the first one is searched in any case */
            signs = (ReductionSigns){
                .depth = node.depth,
                .move_number = move_number,
                .noisy = noisy,
                .history = noisy ? 0 : history_quiet_score(&worker->histories, pos, &node.path, move),
                .gives_check = position_move_checks(pos, &checks, move),
                .killer = move == frame->killer[0] || move == frame->killer[1],
                .root = root,
                .pv_node = pv_node,
                .cut_node = cut_node,
                .improving = node.improving,
                .former_pv = node.entry.pv,
                .noisy_hash_move = noisy_hash_move,
                .correction = int_abs(node.value.correction),
                .many_cuts = child->cut_count > params.many_cuts};
            reduction = reduce_late_move(worker->log_table, &signs);
        }

        /* Step 11. Skip moves that will hardly raise alpha, once there is one that does not lose to mate. */
        if (!root && !node.in_check && move_number > 1 && best_score > -SCORE_DECIDED) {
            if (!pv_node && !skip_quiets &&
                prune_late_move(worker->root_depth, node.depth, move_number, node.improving)) {
                skip_quiets = true;
                hunts_mate = prune_hunts_mate(pos, node.alpha);
            }
            if (skip_quiets && !noisy && !(hunts_mate && signs.gives_check)) continue;
            if (move_is_pruned(worker, &node, move, &signs, int_max(node.depth - 1 - reduction / ONE_PLY, 0),
                               &best_score))
                continue;
        }

        /* Step 12. A singular hash move is searched deeper. */
        int cut = SCORE_NONE;
        const int extension = root ? 0 : singular_extension(worker, &node, move, &cut);
        if (worker->stopped) return 0;
        if (cut != SCORE_NONE) return cut;

        /* Step 13. Make the move and search on: principal variation search with late move reductions. */
        const uint64_t nodes_before = worker_nodes(worker);
        worker_make_move(worker, ply, move);
        score = search_move(worker, &node, node.depth - 1 + extension, move_number, reduction, best_score,
                            pv_node);
        worker_unmake_move(worker, ply);
        if (worker->stopped) return 0;
        if (root)
            record_root_move(worker, root_move, &node, score, move_number == 1 || score > node.alpha,
                             worker_nodes(worker) - nodes_before);

        /* Step 14. A new best move, a cut? */
        best_score = int_max(best_score, score);
        if (score <= node.alpha) {
            note_tried(&tried, move, noisy);
            continue;
        }
        best_move = move;
        if (pv_node) worker_update_pv(worker, ply, move);
        if (score >= node.beta) break;
        node.alpha = score;
    }

    /* Step 15. Mate, stalemate. */
    if (move_number == 0) return excluded ? node.alpha : node.in_check ? score_mated_in(ply) : SCORE_DRAW;

    best_score = int_min(best_score, node.ceiling);

    /* Step 16. Update the histories and the table. */
    if (best_score >= node.beta) {
        frame->cut_count++;
        learn_from_cut(worker, &node, best_move, &tried);
    }
    if (!excluded && (!root || worker->multi_pv_index == 0)) {
        const Bound bound = best_score >= node.beta             ? BOUND_LOWER
                            : pv_node && best_move != MOVE_NONE ? BOUND_EXACT
                                                                : BOUND_UPPER;
        learn_correction(worker, &node, best_move, best_score);
        tt_store(&worker->shared->table, node.slot, best_move, best_score, node.value.raw, node.depth, bound,
                 pv_node || node.entry.pv, ply);
    }
    return best_score;
}

static int search_pv(Worker *worker, int ply, int alpha, int beta, int depth) {
    return REPLAY(worker, ply, alpha, beta, depth, true,
                  VISIT(worker, ply, alpha, beta, depth, true,
                        search_node(worker, ply, alpha, beta, depth, false, true)));
}

/* Window (alpha, alpha + 1). */
static int search_null_window(Worker *worker, int ply, int alpha, int depth, bool cut_node) {
    return REPLAY(worker, ply, alpha, alpha + 1, depth, false,
                  VISIT(worker, ply, alpha, alpha + 1, depth, false,
                        search_node(worker, ply, alpha, alpha + 1, depth, cut_node, false)));
}

int search_root(Worker *worker, int alpha, int beta, int depth) {
    worker_frame(worker, 1)->cut_count = 0; /* as a node two plies nearer would have done */
    return search_pv(worker, 0, alpha, beta, depth);
}
