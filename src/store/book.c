#include "store/book.h"

#include "base/file.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/polyglot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool book_is_named(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".bin") == 0;
}

/* --- reading --- */

/* A position that waits for the walk. */
typedef struct Stop {
    uint8_t key[ROW_KEY_SIZE];
    int64_t first; /* of its entries; -1: the book does not know it */
} Stop;

typedef struct BookWalk {
    const char *path, *engine;
    const uint8_t *bytes;
    int64_t count; /* of entries */
    PolyglotNumbers numbers;
    bool *visited; /* of each position's first entry */
    Stop *stops;
    size_t stop_count;
    int64_t reached, illegal; /* entries */
    BookTake *take;
    void *context;
} BookWalk;

static PolyglotEntry entry_at(const BookWalk *walk, int64_t index) {
    PolyglotEntry entry;
    polyglot_read_entry(walk->bytes + index * POLYGLOT_ENTRY_SIZE, &entry);
    return entry;
}

/* The first entry of a position; -1 without one. */
static int64_t find_entries(const BookWalk *walk, uint64_t key) {
    int64_t low = 0, high = walk->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (entry_at(walk, middle).key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < walk->count && entry_at(walk, low).key == key ? low : -1;
}

static Status check_book(const BookWalk *walk, size_t size) {
    if (size == 0 || size % POLYGLOT_ENTRY_SIZE != 0)
        return status_error("%.150s is no Polyglot book: its %zu bytes are no whole number of entries of %d",
                            walk->path, size, POLYGLOT_ENTRY_SIZE);
    for (int64_t i = 1; i < walk->count; i++)
        if (entry_at(walk, i).key < entry_at(walk, i - 1).key)
            return status_error("%.150s is no Polyglot book: its entry %" PRId64
                                " has a smaller key than the one before",
                                walk->path, i + 1);
    return status_ok();
}

static Status push_stop(BookWalk *walk, const Position *pos, int64_t first) {
    Stop *grown = memory_grow(walk->stops, walk->stop_count, sizeof *grown);
    if (grown == NULL) return status_no_memory("the positions of the book");
    walk->stops = grown;
    Stop *stop = &walk->stops[walk->stop_count++];
    row_pack(pos, stop->key);
    stop->first = first;
    return status_ok();
}

static Status take_move(const BookWalk *walk, const Position *pos, Move move) {
    Row row = {.bound = BOUND_LOWER, .score = ROW_NO_SCORE, .multi_pv = 1};
    row_pack(pos, row.key);
    text_copy(text_view(walk->engine), row.source.engine, sizeof row.source.engine);
    if (move != MOVE_NONE) row.line[row.move_count++] = move;
    return walk->take(walk->context, &row);
}

/* Takes a position when the walk reaches it for the first time. */
static Status visit(BookWalk *walk, const Position *pos, int64_t first) {
    const uint64_t key = entry_at(walk, first).key;
    Move best = MOVE_NONE;
    int weight = -1;
    if (walk->visited[first]) return status_ok();
    walk->visited[first] = true;
    for (int64_t i = first; i < walk->count; i++) {
        const PolyglotEntry entry = entry_at(walk, i);
        if (entry.key != key) break;
        const Move move = polyglot_read_move(pos, entry.move);
        walk->reached++;
        walk->illegal += move == MOVE_NONE;
        if (move == MOVE_NONE || entry.weight <= weight) continue;
        best = move;
        weight = entry.weight;
    }
    const Status status = take_move(walk, pos, best);
    return status_is_ok(&status) ? push_stop(walk, pos, first) : status;
}

static bool has_move(const BookWalk *walk, int64_t first, const Position *pos, Move move) {
    for (int64_t i = first; i >= 0 && i < walk->count; i++) {
        const PolyglotEntry entry = entry_at(walk, i);
        if (entry.key != entry_at(walk, first).key) return false;
        if (entry.move == polyglot_write_move(move)) return true;
        if (move_kind(move) == CASTLING && polyglot_read_move(pos, entry.move) == move) return true;
    }
    return false;
}

/* Visits what the book knows of the positions after all moves. */
static Status visit_children(BookWalk *walk, Position *pos) {
    Move moves[MAX_MOVES];
    const int count = movegen_legal(pos, moves);
    Status status = status_ok();
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        Undo undo;
        position_make_move(pos, moves[i], &undo);
        const int64_t first = find_entries(walk, polyglot_key(&walk->numbers, pos, moves[i]));
        if (first >= 0) status = visit(walk, pos, first);
        position_unmake_move(pos, moves[i], &undo);
    }
    return status;
}

/* The same for a stop. A book for one side knows nothing after its own moves, but the positions after the
 * answers to them. */
static Status leave(BookWalk *walk, const Stop *stop) {
    Move moves[MAX_MOVES];
    Position pos;
    Status status = row_unpack(stop->key, &pos);
    if (!status_is_ok(&status)) return status_ok(); /* more pieces than a row holds: none of a game */
    pos.state.halfmove_clock = 0;                   /* a book knows no clock */
    status = visit_children(walk, &pos);
    const int count = stop->first >= 0 ? movegen_legal(&pos, moves) : 0;
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        Undo undo;
        if (!has_move(walk, stop->first, &pos, moves[i])) continue;
        position_make_move(&pos, moves[i], &undo);
        if (find_entries(walk, polyglot_key(&walk->numbers, &pos, moves[i])) < 0) {
            status = take_move(walk, &pos, MOVE_NONE);
            if (status_is_ok(&status)) status = visit_children(walk, &pos);
        }
        position_unmake_move(&pos, moves[i], &undo);
    }
    return status;
}

/* A position of the store, from which the walk begins as well. */
static Status push_row(void *context, const Row *row, const Status *fault) {
    BookWalk *walk = context;
    const bool is_new =
        walk->stop_count == 0 || memcmp(walk->stops[walk->stop_count - 1].key, row->key, ROW_KEY_SIZE) != 0;
    Position pos;
    if (fault != NULL || !is_new) return status_ok();
    const Status status = row_unpack(row->key, &pos);
    return status_is_ok(&status) ? push_stop(walk, &pos, -1) : status;
}

/* The roots of the walk may be in the book themselves. */
static Status visit_roots(BookWalk *walk, Store *store) {
    Position pos;
    Status status = store_each(store, NULL, push_row, walk);
    if (status_is_ok(&status)) status = fen_parse(&pos, text_view(FEN_START), false);
    if (status_is_ok(&status)) status = push_stop(walk, &pos, -1);
    for (size_t i = 0, roots = walk->stop_count; i < roots && status_is_ok(&status); i++) {
        status = row_unpack(walk->stops[i].key, &pos);
        if (!status_is_ok(&status)) break;
        pos.state.halfmove_clock = 0;
        const int64_t first = find_entries(walk, polyglot_key(&walk->numbers, &pos, MOVE_NONE));
        if (first >= 0) status = visit(walk, &pos, first);
    }
    return status;
}

static Status report_losses(const BookWalk *walk) {
    const int64_t lost = walk->count - walk->reached;
    if (lost > 0)
        return status_error("%.120s: %" PRId64 " of the %" PRId64
                            " entries cannot be reached from the start position or those of the store "
                            "(import these first), and %" PRId64 " moves are illegal",
                            walk->path, lost, walk->count, walk->illegal);
    if (walk->illegal > 0)
        return status_error("%.120s: %" PRId64 " of the %" PRId64 " moves are illegal", walk->path,
                            walk->illegal, walk->count);
    return status_ok();
}

static Status walk_book(BookWalk *walk, Store *store) {
    walk->visited = memory_allocate((size_t)walk->count * sizeof *walk->visited);
    if (walk->visited == NULL) return status_no_memory("the book");
    polyglot_init_numbers(&walk->numbers);
    Status status = visit_roots(walk, store);
    while (walk->stop_count > 0 && status_is_ok(&status)) {
        const Stop stop = walk->stops[--walk->stop_count];
        status = leave(walk, &stop);
    }
    return status_is_ok(&status) ? report_losses(walk) : status;
}

Status book_read(const char *path, const char *engine, Store *store, BookTake *take, void *context) {
    TextBuffer bytes = {0};
    BookWalk walk = {.path = path, .engine = engine, .take = take, .context = context};
    Status status = file_read(path, &bytes);
    walk.bytes = (const uint8_t *)bytes.data;
    walk.count = (int64_t)(bytes.length / POLYGLOT_ENTRY_SIZE);
    if (status_is_ok(&status)) status = check_book(&walk, bytes.length);
    if (status_is_ok(&status)) status = walk_book(&walk, store);
    memory_release(walk.visited);
    memory_release(walk.stops);
    buffer_release(&bytes);
    return status;
}

/* --- writing --- */

/* What a book needs of a row. */
typedef struct Known {
    uint8_t key[ROW_KEY_SIZE];
    int16_t score;
    uint8_t depth;
    Move move;
    uint64_t source;
} Known;

typedef struct BookMaking {
    Known *known; /* in the order of the store: by key and source */
    size_t count;
    PolyglotEntry *entries;
    size_t entry_count;
    PolyglotNumbers numbers;
    int64_t damaged;
} BookMaking;

static Status keep_known(void *context, const Row *row, const Status *fault) {
    BookMaking *making = context;
    making->damaged += fault != NULL;
    if (fault != NULL || row->bound != BOUND_EXACT) return status_ok();
    Known *grown = memory_grow(making->known, making->count, sizeof *grown);
    if (grown == NULL) return status_no_memory("the rows of the store");
    making->known = grown;
    Known *known = &making->known[making->count++];
    *known = (Known){.score = (int16_t)row->score,
                     .depth = (uint8_t)row->depth,
                     .move = row->move_count > 0 ? row->line[0] : (Move)MOVE_NONE,
                     .source = row_source_id(&row->source)};
    memcpy(known->key, row->key, ROW_KEY_SIZE);
    return status_ok();
}

static const Known *find_known(const BookMaking *making, const Position *pos, uint64_t source) {
    uint8_t key[ROW_KEY_SIZE];
    size_t low = 0, high = making->count;
    row_pack(pos, key);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (memcmp(making->known[middle].key, key, ROW_KEY_SIZE) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < making->count && memcmp(making->known[low].key, key, ROW_KEY_SIZE) == 0; low++)
        if (making->known[low].source == source) return &making->known[low];
    return NULL;
}

static Status add_entry(BookMaking *making, uint64_t key, Move move, int weight) {
    PolyglotEntry *grown = memory_grow(making->entries, making->entry_count, sizeof *grown);
    if (grown == NULL) return status_no_memory("the book");
    making->entries = grown;
    making->entries[making->entry_count++] =
        (PolyglotEntry){.key = key, .move = polyglot_write_move(move), .weight = (uint16_t)weight};
    return status_ok();
}

/* The weight of a move that is not the best: 0 for one that the book leaves out. */
static int weight_of(const BookMaking *making, const Known *best, const Position *after) {
    const Known *known = find_known(making, after, best->source);
    if (known == NULL || known->depth + 1 + BOOK_DEPTH < best->depth) return 0;
    const int loss = score_to_centipawns(best->score) + score_to_centipawns(known->score);
    return loss >= BOOK_MARGIN ? 0
           : loss <= 0         ? BOOK_WEIGHT - 1
                               : BOOK_WEIGHT - BOOK_WEIGHT / BOOK_MARGIN * loss;
}

static Status add_position(BookMaking *making, const Known *best) {
    Move moves[MAX_MOVES];
    Position pos;
    Status status = row_unpack(best->key, &pos);
    if (!status_is_ok(&status)) return status;
    const uint64_t key = polyglot_key(&making->numbers, &pos, MOVE_NONE);
    const int count = movegen_legal(&pos, moves);
    status = add_entry(making, key, best->move, BOOK_WEIGHT);
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        Undo undo;
        if (moves[i] == best->move) continue;
        position_make_move(&pos, moves[i], &undo);
        const int weight = weight_of(making, best, &pos);
        position_unmake_move(&pos, moves[i], &undo);
        if (weight > 0) status = add_entry(making, key, moves[i], weight);
    }
    return status;
}

/* One of the rows of one board: those of the freshest clock alone, which come first. */
static Status add_boards(BookMaking *making) {
    enum { BOARD_SIZE = ROW_KEY_SIZE - 1 };
    Status status = status_ok();
    for (size_t first = 0, end; first < making->count && status_is_ok(&status); first = end) {
        const Known *best = NULL;
        for (end = first; end < making->count; end++) {
            const Known *known = &making->known[end];
            if (memcmp(known->key, making->known[first].key, BOARD_SIZE) != 0) break;
            if (known->move == MOVE_NONE) continue;
            const bool is_first = best == NULL || (known->key[BOARD_SIZE] == best->key[BOARD_SIZE] &&
                                                   known->depth > best->depth);
            if (is_first) best = known;
        }
        if (best != NULL) status = add_position(making, best);
    }
    return status;
}

/* By key, then the greater weight first, then by move. */
static int compare_entries(const void *a, const void *b) {
    const PolyglotEntry *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->weight != y->weight ? y->weight - x->weight : x->move - y->move;
}

Status book_write(Store *store, TextBuffer *out, int64_t *damaged) {
    BookMaking making = {0};
    polyglot_init_numbers(&making.numbers);
    Status status = store_each(store, NULL, keep_known, &making);
    if (status_is_ok(&status)) status = add_boards(&making);
    if (making.entry_count > 0)
        qsort(making.entries, making.entry_count, sizeof *making.entries, compare_entries);
    for (size_t i = 0; i < making.entry_count; i++) {
        uint8_t bytes[POLYGLOT_ENTRY_SIZE];
        polyglot_write_entry(&making.entries[i], bytes);
        buffer_append(out, (TextView){(const char *)bytes, sizeof bytes});
    }
    memory_release(making.known);
    memory_release(making.entries);
    *damaged = making.damaged;
    if (status_is_ok(&status) && out->failed) status = status_no_memory("the book");
    return status;
}
