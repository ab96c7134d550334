#include "store/recall.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "store/walk.h"

#include <string.h>

enum {
    POSITIONS_MAX = 60000, /* taken into one table */
    EXACT_WORTH = 8,       /* as in a harvest */
    FOREIGN_WORTH = 1,     /* moves alone */
    NODES_PER_CLOCK = 4
};

struct Recall {
    Store *store;
    RowSource source;
    Position root;
    Walk *walk;
    MoveList moves;
    /* The rows of a position that were just read. */
    Row own, other;
    bool has_own, has_other;
    bool has_begun;
};

Recall *recall_create(Store *store, const Position *root, const RowSource *source) {
    Recall *recall = memory_allocate(sizeof *recall);
    if (recall == NULL) return NULL;
    recall->store = store;
    recall->source = *source;
    recall->root = *root;
    recall->walk = walk_create(root, POSITIONS_MAX);
    if (recall->walk != NULL) return recall;
    memory_release(recall);
    return NULL;
}

void recall_destroy(Recall *recall) {
    if (recall == NULL) return;
    walk_destroy(recall->walk);
    memory_release(recall);
}

/* --- rows --- */

/* Keeps the best row of the search's own source, and the best of all others. */
static Status keep_row(void *context, const Row *row, const Status *fault) {
    Recall *recall = context;
    if (fault != NULL) return status_ok();
    const bool is_own = row_source_is_trusted(&row->source, &recall->source);
    Row *kept = is_own ? &recall->own : &recall->other;
    bool *has = is_own ? &recall->has_own : &recall->has_other;
    if (!*has || row_compare(row, kept) > 0) *kept = *row;
    *has = true;
    return status_ok();
}

static Status read_rows(Recall *recall, const Position *pos) {
    recall->has_own = recall->has_other = false;
    return store_each(recall->store, pos, keep_row, recall);
}

/* --- the root --- */

static bool may_be_mate(const Position *pos, int score) {
    const int plies = SCORE_MATE - int_abs(score);
    return !score_is_mate(score) || plies + pos->state.halfmove_clock <= 100;
}

static void take_line(SearchInfo *line, const Row *row, int depth, int score, Move first) {
    *line = (SearchInfo){.depth = depth, .score = score, .bound = BOUND_EXACT};
    if (first != MOVE_NONE) line->pv[line->pv_length++] = first;
    for (int i = 0; i < row->move_count && line->pv_length < MAX_PLY; i++)
        line->pv[line->pv_length++] = row->line[i];
    line->selective_depth = int_max(int_min(depth, MAX_PLY - 1), line->pv_length);
}

/* The line that begins with a move, by the row of the position after it; false when it has no exact one. */
static bool read_line_of(Recall *recall, Move move, SearchInfo *line, Status *status) {
    Position pos = recall->root;
    Undo undo;
    position_make_move(&pos, move, &undo);
    *status = read_rows(recall, &pos);
    const Row *row = &recall->own;
    if (!status_is_ok(status) || !recall->has_own || row->bound != BOUND_EXACT) return false;
    int score = -row->score;
    if (score_is_decided(score)) score -= score > 0 ? 1 : -1;
    if (!may_be_mate(&recall->root, score)) return false;
    take_line(line, row, row->depth + 1, score, move);
    return true;
}

/* Adds a line after those that are better, of `most` at most. */
static void insert_line(SearchInfo *lines, int *count, int most, const SearchInfo *line) {
    int place = *count;
    while (place > 0 && lines[place - 1].score < line->score) place--;
    if (place == most) return;
    if (*count < most) ++*count;
    for (int i = *count - 1; i > place; i--) lines[i] = lines[i - 1];
    lines[place] = *line;
}

int recall_lines(Recall *recall, int wanted, SearchInfo *lines, int *count, Status *status) {
    SearchInfo line;
    Move best = MOVE_NONE;
    int depth = 0;
    *count = 0;
    *status = read_rows(recall, &recall->root);
    if (!status_is_ok(status)) return 0;
    const Row *row = &recall->own;
    if (recall->has_own && row->bound == BOUND_EXACT && row->move_count > 0 &&
        may_be_mate(&recall->root, row->score)) {
        best = row->line[0];
        depth = row->depth;
        take_line(&lines[0], row, depth, row->score, MOVE_NONE);
        *count = 1;
        if (wanted == 1) return depth;
    }
    MoveList *moves = &recall->moves;
    moves->count = movegen_legal(&recall->root, moves->move);
    wanted = int_min(wanted, moves->count);
    int more = 0;
    SearchInfo *others = lines + *count;
    for (int i = 0; i < moves->count && status_is_ok(status); i++) {
        if (moves->move[i] == best || !read_line_of(recall, moves->move[i], &line, status)) continue;
        if (best == MOVE_NONE ? !(score_is_mate(line.score) && line.score > 0) : line.depth < depth - 1)
            continue;
        insert_line(others, &more, best == MOVE_NONE ? 1 : wanted - 1, &line);
    }
    *count += more;
    if (!status_is_ok(status) || *count < wanted) *count = 0;
    if (*count > 0 && best == MOVE_NONE) depth = lines[0].depth;
    for (int i = 1; i < *count; i++) depth = int_min(depth, lines[i].depth);
    return *count > 0 ? depth : 0;
}

/* --- the table --- */

/* The worth of the rows that were read, for the walk; below 0 without any. */
static int worth_of(const Recall *recall, bool is_next_to_line) {
    if (recall->has_own) return recall->own.depth + (is_next_to_line ? EXACT_WORTH : 0);
    return recall->has_other && recall->other.move_count > 0 ? FOREIGN_WORTH : -1;
}

static void store_rows(const Recall *recall, const TranspositionTable *table, const Position *pos) {
    TtSlot slot;
    const TtEntry entry = tt_probe(table, tt_key(pos), 0, pos->state.halfmove_clock, &slot);
    const Row *row = recall->has_own ? &recall->own : &recall->other;
    const Move move = row->move_count > 0 ? row->line[0] : (Move)MOVE_NONE;
    if (recall->has_own && may_be_mate(pos, row->score)) {
        if (entry.hit && entry.depth >= row->depth && entry.bound != BOUND_NONE) return;
        tt_store(table, slot, move, row->score, entry.eval, int_min(row->depth, MAX_PLY - 1), row->bound,
                 row->bound == BOUND_EXACT, 0);
    } else if (move != MOVE_NONE && !(entry.hit && entry.move != MOVE_NONE)) {
        tt_store(table, slot, move, SCORE_NONE, entry.eval, entry.depth, BOUND_NONE, false, 0);
    }
}

/* What the walk needs to know of a position when it comes to it. */
static uint64_t mark_of(const Recall *recall) {
    const Row *row = recall->has_own ? &recall->own : &recall->other;
    const Bound bound = recall->has_own ? row->bound : BOUND_LOWER;
    return (uint64_t)bound << 16 | (row->move_count > 0 ? row->line[0] : (Move)MOVE_NONE);
}

static Status add_child(Recall *recall, const TranspositionTable *table, Position *pos, Move move,
                        bool is_next_to_line) {
    Undo undo;
    Status status = status_ok();
    position_make_move(pos, move, &undo);
    if (!walk_knows(recall->walk, pos)) {
        status = read_rows(recall, pos);
        const int worth = worth_of(recall, is_next_to_line);
        if (status_is_ok(&status) && worth >= 0) {
            store_rows(recall, table, pos);
            walk_add(recall->walk, pos, worth, mark_of(recall));
        }
    }
    position_unmake_move(pos, move, &undo);
    return status;
}

/* Where a move refutes the last one, the others do not matter. */
static Status add_children(Recall *recall, const TranspositionTable *table, Position *pos, uint64_t mark) {
    const Bound bound = (Bound)(mark >> 16);
    const Move move = (Move)mark;
    Status status = status_ok();
    if (bound == BOUND_LOWER) return move != MOVE_NONE ? add_child(recall, table, pos, move, false) : status;
    MoveList *moves = &recall->moves;
    moves->count = movegen_legal(pos, moves->move);
    for (int i = 0; i < moves->count && status_is_ok(&status); i++)
        status = add_child(recall, table, pos, moves->move[i], bound != BOUND_UPPER);
    return status;
}

static Status fill(Recall *recall, const TranspositionTable *table, int64_t end, bool *done) {
    Position pos = recall->root;
    Status status = status_ok();
    uint64_t mark;
    if (!recall->has_begun) {
        status = read_rows(recall, &pos);
        if (status_is_ok(&status) && worth_of(recall, true) >= 0) store_rows(recall, table, &pos);
        recall->has_begun = true;
    }
    for (int i = 0; status_is_ok(&status); i++) {
        if (i % NODES_PER_CLOCK == NODES_PER_CLOCK - 1 && clock_microseconds() > end) return status;
        if (!walk_take(recall->walk, &pos, &mark)) {
            *done = true;
            return status;
        }
        status = add_children(recall, table, &pos, mark);
    }
    return status;
}

/* One transaction of reading: else each position that is looked up locks the file and releases it. */
Status recall_fill(Recall *recall, const TranspositionTable *table, int64_t time, bool *done) {
    const int64_t end = clock_microseconds() + time;
    *done = false;
    const Status status = store_begin_reading(recall->store);
    if (!status_is_ok(&status)) return status;
    return store_end(recall->store, fill(recall, table, end, done));
}
