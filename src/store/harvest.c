#include "store/harvest.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "search/value.h"
#include "store/walk.h"

#include <string.h>

enum {
    POSITIONS_MAX = 60000, /* walked over in one harvest */
    DEPTH_MIN = 4,         /* plies; what is shallower is found again sooner than it is read */
    EXACT_WORTH = 8,       /* plies, of what stands next to the main line */
    WRITTEN_MAX = 1 << 17,
    NODES_PER_CLOCK = 16
};

/* A row that was written; another one may have taken its place here. */
typedef struct Written {
    HashKey key;
    uint64_t content;
} Written;

struct Harvest {
    RowSource source;
    Evaluator *evaluator;
    Written *written;
    Row row; /* the one that is being made */
    MoveList moves;
};

Harvest *harvest_create(const RowSource *source, const Network *network) {
    Harvest *harvest = memory_allocate(sizeof *harvest);
    if (harvest == NULL) return NULL;
    harvest->source = *source;
    harvest->evaluator = evaluator_create(network);
    harvest->written = memory_allocate(WRITTEN_MAX * sizeof *harvest->written);
    if (harvest->evaluator != NULL && harvest->written != NULL) return harvest;
    harvest_destroy(harvest);
    return NULL;
}

void harvest_destroy(Harvest *harvest) {
    if (harvest == NULL) return;
    evaluator_destroy(harvest->evaluator);
    memory_release(harvest->written);
    memory_release(harvest);
}

/* --- the lines of the search --- */

/* A score for the other side, a ply further from a mate. */
static int score_after_move(int score) {
    if (score_is_decided(score)) score += score > 0 ? 1 : -1;
    return -score;
}

static void take_moves(Row *row, const Move *moves, int count) {
    row->move_count = int_clamp(count, 0, ROW_LINE_MAX);
    memcpy(row->line, moves, (size_t)row->move_count * sizeof *moves);
}

/* The first line is the root's row, if all moves were searched; all further ones are rows of the positions
 * after their first moves. */
static Status write_line(Harvest *harvest, Store *store, const HarvestField *field, int index, int *rows) {
    const SearchInfo *line = &field->lines[index];
    Row *row = &harvest->row;
    Position pos = *field->root;
    bool changed = false;
    *row = (Row){.source = harvest->source,
                 .depth = int_min(line->depth, ROW_DEPTH_MAX),
                 .bound = BOUND_EXACT,
                 .score = line->score,
                 .multi_pv = 1,
                 .date = field->date};
    if (index == 0 && !field->is_limited) {
        row->nodes = line->nodes;
        row->multi_pv = int_clamp(field->line_count, 1, ROW_LINES_MAX);
        take_moves(row, line->pv, line->pv_length);
    } else {
        Undo undo;
        if (line->pv_length < 1) return status_ok();
        position_make_move(&pos, line->pv[0], &undo);
        row->depth = int_max(row->depth - 1, 0);
        row->score = score_after_move(line->score);
        take_moves(row, line->pv + 1, line->pv_length - 1);
    }
    row_pack(&pos, row->key);
    const Status status = store_put(store, row, &changed);
    *rows += changed;
    return status;
}

/* --- the table --- */

static TtEntry probe(const HarvestField *field, const Position *pos) {
    TtSlot slot;
    return tt_probe(field->table, tt_key(pos), 0, pos->state.halfmove_clock, &slot);
}

/* The entry of another position may be found by chance. Its move would hardly be legal here, and its static
 * evaluation hardly be the one of this position. An entry that came from a store has none: it is believed,
 * but not written. */
static bool is_of(Harvest *harvest, const Position *pos, const TtEntry *entry) {
    if (!entry->hit || entry->bound == BOUND_NONE || entry->depth < DEPTH_MIN) return false;
    if (entry->move != MOVE_NONE && !movegen_is_legal(pos, entry->move)) return false;
    if (entry->move == MOVE_NONE && entry->bound != BOUND_UPPER) return false;
    if (position_in_check(pos) || entry->eval == SCORE_NONE) return true;
    evaluator_reset(harvest->evaluator, pos);
    return value_static(harvest->evaluator, pos) == entry->eval;
}

/* The move of the entry; after an exact score also those that the table knows to follow. */
static void follow_line(Row *row, const HarvestField *field, const Position *pos, TtEntry entry) {
    Position after = *pos;
    Undo undo;
    row->move_count = 0;
    while (row->move_count < ROW_LINE_MAX && entry.hit && entry.move != MOVE_NONE &&
           (row->move_count == 0 || entry.bound == BOUND_EXACT) && movegen_is_legal(&after, entry.move)) {
        row->line[row->move_count++] = entry.move;
        if (entry.bound != BOUND_EXACT) break;
        position_make_move(&after, entry.move, &undo);
        entry = probe(field, &after);
    }
}

static Written *written_at(const Harvest *harvest, const Position *pos) {
    return &harvest->written[tt_key(pos) % WRITTEN_MAX];
}

static Status write_entry(Harvest *harvest, Store *store, const HarvestField *field, const Position *pos,
                          const TtEntry *entry, int *rows) {
    Row *row = &harvest->row;
    Written *written = written_at(harvest, pos);
    const HashKey key = tt_key(pos);
    const uint64_t content = (uint64_t)(uint16_t)entry->score << 32 | (uint64_t)(uint16_t)entry->depth << 16 |
                             (uint64_t)entry->bound << 48 | entry->move;
    bool changed = false;
    if (written->key == key && written->content == content) return status_ok();
    *row = (Row){.source = harvest->source,
                 .depth = int_min(entry->depth, ROW_DEPTH_MAX),
                 .bound = entry->bound,
                 .score = entry->score,
                 .multi_pv = 1,
                 .date = field->date};
    row_pack(pos, row->key);
    follow_line(row, field, pos, *entry);
    const Status status = store_put(store, row, &changed);
    *rows += changed;
    *written = (Written){key, content};
    return status;
}

static void add_child(Walk *walk, Harvest *harvest, const HarvestField *field, Position *pos, Move move,
                      bool is_next_to_line) {
    Undo undo;
    position_make_move(pos, move, &undo);
    const TtEntry entry = probe(field, pos);
    if (entry.hit && entry.depth >= DEPTH_MIN && !walk_knows(walk, pos) && is_of(harvest, pos, &entry))
        walk_add(walk, pos, entry.depth + (is_next_to_line ? EXACT_WORTH : 0), 0);
    position_unmake_move(pos, move, &undo);
}

/* Where a move refutes the last one, the others do not matter. */
static void add_children(Walk *walk, Harvest *harvest, const HarvestField *field, Position *pos,
                         const TtEntry *entry, bool is_root) {
    if (entry->bound == BOUND_LOWER && !is_root) {
        add_child(walk, harvest, field, pos, entry->move, false);
        return;
    }
    MoveList *moves = &harvest->moves;
    moves->count = movegen_legal(pos, moves->move);
    for (int i = 0; i < moves->count; i++)
        add_child(walk, harvest, field, pos, moves->move[i], is_root || entry->bound == BOUND_EXACT);
}

static Status write_table(Harvest *harvest, Store *store, const HarvestField *field, int64_t end, int *rows) {
    Walk *walk = walk_create(field->root, POSITIONS_MAX);
    if (walk == NULL) return status_no_memory("a harvest");
    Position pos = *field->root;
    Status status = status_ok();
    uint64_t mark;
    for (int i = 0; status_is_ok(&status) && walk_take(walk, &pos, &mark); i++) {
        const TtEntry entry = probe(field, &pos); /* by now it may be another one */
        if (i % NODES_PER_CLOCK == 0 && clock_microseconds() > end) break;
        if (i > 0 && !is_of(harvest, &pos, &entry)) continue;
        if (i > 0 && (position_in_check(&pos) || entry.eval != SCORE_NONE))
            status = write_entry(harvest, store, field, &pos, &entry, rows);
        add_children(walk, harvest, field, &pos, &entry, i == 0);
    }
    walk_destroy(walk);
    return status;
}

/* To end a transaction takes a part of the time. */
Status harvest_write(Harvest *harvest, Store *store, const HarvestField *field, int64_t time, int *rows) {
    const int64_t end = clock_microseconds() + time * 7 / 8;
    *rows = 0;
    Status status = store_begin(store);
    if (!status_is_ok(&status)) return status;
    for (int i = 0; i < field->line_count && status_is_ok(&status); i++)
        status = write_line(harvest, store, field, i, rows);
    if (status_is_ok(&status)) status = write_table(harvest, store, field, end, rows);
    status = store_end(store, status);
    if (!status_is_ok(&status)) memset(harvest->written, 0, WRITTEN_MAX * sizeof *harvest->written);
    return status;
}
