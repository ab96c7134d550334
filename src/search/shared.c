#include "search/shared.h"

#include "base/bits.h"

#include <stddef.h>

/* If the tables know the root, they rank its moves: by DTZ, so that a win makes progress. The search below
 * probes them only if DTZ is missing and a win could still be missed. */
static void ask_tablebases(Shared *shared, const Position *root) {
    const TableUse *use = &shared->limits.tablebases;
    shared->ranked_count = shared->table_pieces = 0;
    if (use->tables == NULL) return;
    shared->table_pieces = int_min(use->pieces, use->tables->largest);
    if (bits_count(position_occupied(root)) > shared->table_pieces || root->state.castling != 0) return;
    bool by_dtz, wins = false;
    shared->ranked_count =
        syzygy_rank_moves(use->tables, root, use->fifty_move_rule, &by_dtz, shared->ranked);
    for (int i = 0; i < shared->ranked_count; i++) wins = wins || shared->ranked[i].outcome > WDL_DRAW;
    if (shared->ranked_count > 0 && (by_dtz || !wins)) shared->table_pieces = 0;
    atomic_store_explicit(&shared->tb_hits, (uint64_t)shared->ranked_count, memory_order_relaxed);
}

static bool is_on_node_clock(const SearchLimits *limits, Color side) {
    return limits->node_time > 0 && limits->has_clock[side] && !limits->has_move_time;
}

/* A clock of nodes is the engine's own, for the other program's runs on in real time: that one counts at the
 * first move of a game only (as with Stockfish's nodestime, whose idea this is). */
static void begin_clock(Shared *shared, Color side) {
    SearchLimits *limits = &shared->limits;
    if (is_on_node_clock(limits, side)) {
        if (!shared->has_node_clock) shared->node_clock = limits->clock[side] * 1000;
        shared->has_node_clock = true;
        limits->clock[side] = shared->node_clock / 1000;
    }
    shared->time = timeman_plan(limits, side);
    /* What a weak level searches takes a millisecond or two: it finishes, so that its game depends on no
     * clock, not even on one that has run out. The plan still says how late it answers. */
    if (limits->level != NULL && limits->level->nodes <= LEVEL_NODES_AT_ONCE) shared->time.limited = false;
}

void shared_end(Shared *shared, Color side) {
    const SearchLimits *limits = &shared->limits;
    if (is_on_node_clock(limits, side))
        shared->node_clock += limits->increment[side] * 1000 - shared_elapsed(shared, 0);
}

void shared_begin(Shared *shared, const SearchLimits *limits, const Position *root) {
    shared->limits = *limits;
    begin_clock(shared, root->side);
    atomic_store_explicit(&shared->stop, false, memory_order_relaxed);
    atomic_store_explicit(&shared->helpers_stop, false, memory_order_relaxed);
    atomic_store_explicit(&shared->pondering, limits->ponder, memory_order_relaxed);
    atomic_store_explicit(&shared->pondered_enough, false, memory_order_relaxed);
    atomic_store_explicit(&shared->clock_start, limits->start, memory_order_relaxed);
    atomic_store_explicit(&shared->tb_hits, 0, memory_order_relaxed);
    tt_new_search(&shared->table);
    ask_tablebases(shared, root);
}

void shared_poll(Shared *shared) {
    const SearchListener *listener = &shared->listener;
    if (listener->poll != NULL && listener->poll(listener->context))
        atomic_store_explicit(&shared->stop, true, memory_order_relaxed);
}
