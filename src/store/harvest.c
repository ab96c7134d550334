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
    SEEN_MAX = 1 << 17,
    WAITING_MAX = 1 << 15, /* rows; those of the lines of a search come on top */
    NODES_PER_CLOCK = 16
};

/* A row that was gathered; another one may have taken its place here. */
typedef struct Seen {
    HashKey key;
    uint64_t content;
} Seen;

/* A row but for its source, which all have in common. */
typedef struct Waiting {
    uint64_t nodes;
    int64_t date;
    int score, multi_pv;
    uint8_t key[ROW_KEY_SIZE];
    uint8_t depth, bound, move_count;
    Move line[ROW_LINE_MAX];
} Waiting;

struct Harvest {
    RowSource source;
    Evaluator *evaluator;
    Seen *seen;
    Waiting *waiting; /* `count` of them */
    size_t count;
    Row row; /* the one that is being made */
    MoveList moves;
};

Harvest *harvest_create(const RowSource *source, const Network *network) {
    Harvest *harvest = memory_allocate(sizeof *harvest);
    if (harvest == NULL) return NULL;
    harvest->source = *source;
    harvest->evaluator = evaluator_create(network);
    harvest->seen = memory_allocate(SEEN_MAX * sizeof *harvest->seen);
    if (harvest->evaluator != NULL && harvest->seen != NULL) return harvest;
    harvest_destroy(harvest);
    return NULL;
}

void harvest_destroy(Harvest *harvest) {
    if (harvest == NULL) return;
    evaluator_destroy(harvest->evaluator);
    memory_release(harvest->seen);
    memory_release(harvest->waiting);
    memory_release(harvest);
}

size_t harvest_waiting(const Harvest *harvest) { return harvest->count; }

/* --- rows that wait --- */

static Status add_row(Harvest *harvest) {
    const Row *row = &harvest->row;
    Waiting *grown = memory_grow(harvest->waiting, harvest->count, sizeof *grown);
    if (grown == NULL) return status_no_memory("a harvest");
    harvest->waiting = grown;
    Waiting *waiting = &harvest->waiting[harvest->count++];
    *waiting = (Waiting){.nodes = row->nodes,
                         .date = row->date,
                         .score = row->score,
                         .multi_pv = row->multi_pv,
                         .depth = (uint8_t)row->depth,
                         .bound = (uint8_t)row->bound,
                         .move_count = (uint8_t)row->move_count};
    memcpy(waiting->key, row->key, sizeof row->key);
    memcpy(waiting->line, row->line, (size_t)row->move_count * sizeof *row->line);
    return status_ok();
}

static Status put_waiting(Harvest *harvest, Store *store, const Waiting *waiting, int *rows) {
    Row *row = &harvest->row;
    bool changed = false;
    *row = (Row){.source = harvest->source,
                 .depth = waiting->depth,
                 .bound = (Bound)waiting->bound,
                 .score = waiting->score,
                 .nodes = waiting->nodes,
                 .multi_pv = waiting->multi_pv,
                 .date = waiting->date,
                 .move_count = waiting->move_count};
    memcpy(row->key, waiting->key, sizeof row->key);
    memcpy(row->line, waiting->line, sizeof row->line);
    const Status status = store_put(store, row, &changed);
    *rows += changed;
    return status;
}

Status harvest_write(Harvest *harvest, Store *store, int *rows) {
    *rows = 0;
    if (harvest->count == 0) return status_ok();
    Status status = store_begin(store);
    if (status_is_ok(&status)) {
        for (size_t i = 0; i < harvest->count && status_is_ok(&status); i++)
            status = put_waiting(harvest, store, &harvest->waiting[i], rows);
        status = store_end(store, status);
    }
    if (status_is_ok(&status) || status.kind != STATUS_BUSY) harvest->count = 0;
    if (!status_is_ok(&status)) {
        *rows = 0;
        if (status.kind != STATUS_BUSY) memset(harvest->seen, 0, SEEN_MAX * sizeof *harvest->seen);
    }
    return status;
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
static Status add_line(Harvest *harvest, const HarvestField *field, int index) {
    const SearchInfo *line = &field->lines[index];
    Row *row = &harvest->row;
    Position pos = *field->root;
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
    return add_row(harvest);
}

/* --- the table --- */

static TtEntry probe(const HarvestField *field, const Position *pos) {
    TtSlot slot;
    return tt_probe(field->table, tt_key(pos), 0, pos->state.halfmove_clock, &slot);
}

/* The entry of another position may be found by chance. Its move would hardly be legal here, and its static
 * evaluation hardly be the one of this position. An entry that came from a store has none: it is believed,
 * but not gathered. */
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

static uint64_t content_of(const TtEntry *entry) {
    return (uint64_t)(uint16_t)entry->score << 32 | (uint64_t)(uint16_t)entry->depth << 16 |
           (uint64_t)entry->bound << 48 | entry->move;
}

static Status add_entry(Harvest *harvest, const HarvestField *field, const Position *pos,
                        const TtEntry *entry) {
    Row *row = &harvest->row;
    const HashKey key = tt_key(pos);
    Seen *seen = &harvest->seen[key % SEEN_MAX];
    const uint64_t content = content_of(entry);
    if (seen->key == key && seen->content == content) return status_ok();
    *row = (Row){.source = harvest->source,
                 .depth = int_min(entry->depth, ROW_DEPTH_MAX),
                 .bound = entry->bound,
                 .score = entry->score,
                 .multi_pv = 1,
                 .date = field->date};
    row_pack(pos, row->key);
    follow_line(row, field, pos, *entry);
    const Status status = add_row(harvest);
    if (status_is_ok(&status)) *seen = (Seen){key, content};
    return status;
}

static void add_child(Walk *walk, Harvest *harvest, const HarvestField *field, Position *pos, Move move,
                      bool is_next_to_line) {
    Undo undo;
    position_make_move(pos, move, &undo);
    const TtEntry entry = probe(field, pos);
    if (entry.hit && entry.depth >= DEPTH_MIN && !walk_knows(walk, pos) && is_of(harvest, pos, &entry))
        walk_add(walk, pos, entry.depth + (is_next_to_line ? EXACT_WORTH : 0), content_of(&entry));
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

static Status gather_table(Harvest *harvest, const HarvestField *field, int64_t end) {
    Walk *walk = walk_create(field->root, POSITIONS_MAX);
    if (walk == NULL) return status_no_memory("a harvest");
    Position pos = *field->root;
    Status status = status_ok();
    uint64_t mark;
    for (int i = 0; status_is_ok(&status) && harvest->count < WAITING_MAX && walk_take(walk, &pos, &mark);
         i++) {
        const TtEntry entry = probe(field, &pos); /* by now it may be another one */
        if (i % NODES_PER_CLOCK == 0 && clock_microseconds() > end) break;
        if (i > 0 && content_of(&entry) != mark && !is_of(harvest, &pos, &entry)) continue;
        if (i > 0 && (position_in_check(&pos) || entry.eval != SCORE_NONE))
            status = add_entry(harvest, field, &pos, &entry);
        add_children(walk, harvest, field, &pos, &entry, i == 0);
    }
    walk_destroy(walk);
    return status;
}

Status harvest_gather(Harvest *harvest, const HarvestField *field, int64_t time) {
    const int64_t end = clock_microseconds() + time;
    Status status = status_ok();
    for (int i = 0; i < field->line_count && status_is_ok(&status); i++) status = add_line(harvest, field, i);
    return status_is_ok(&status) ? gather_table(harvest, field, end) : status;
}
