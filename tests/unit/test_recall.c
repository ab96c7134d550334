#include "store/recall.h"

#include "search_support.h"
#include "store/harvest.h"
#include "store/sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char MIDDLE_GAME[] = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
static const RowSource OWN = {.engine = "Luft", .version = "1", .net = "0123", .params = "4567"};

static bool has_sqlite(void) {
    Sqlite sqlite;
    const Status status = sqlite_load(&sqlite);
    sqlite_unload(&sqlite);
    return status_is_ok(&status);
}

#define NEEDS_SQLITE() \
    if (!has_sqlite()) skip()

static char folder[200], path[256];

static int set_up(void **state) {
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/luft_recall_XXXXXX", place);
    if (mkdtemp(folder) == NULL) return -1;
    snprintf(path, sizeof path, "%s/a.store", folder);
    return bed_create(state);
}

static int tear_down(void **state) {
    unlink(path);
    return bed_destroy(state) + rmdir(folder);
}

static Store *open_store(void) {
    Status status;
    Store *store = store_open(path, STORE_WRITE, 0, &status);
    assert_ok(status);
    return store;
}

static void close_store(Store *store) {
    store_close(store);
    unlink(path);
}

static Recall *recall_of(Store *store, const Position *root, const RowSource *source) {
    Recall *recall = recall_create(store, root, source);
    assert_non_null(recall);
    return recall;
}

static void put_row(Store *store, const Position *pos, const RowSource *source, int depth, Bound bound,
                    int score, const char *line) {
    Row row = {.source = *source, .depth = depth, .bound = bound, .score = score, .multi_pv = 1};
    row_pack(pos, row.key);
    assert_ok(row_read_line(&row, pos, text_view(line)));
    assert_ok(store_begin(store));
    assert_ok(store_end(store, store_put(store, &row, NULL)));
}

static Status count_row(void *context, const Row *row, const Status *fault) {
    (void)row;
    assert_null(fault);
    ++*(int *)context;
    return status_ok();
}

static int count_rows(Store *store) {
    int count = 0;
    assert_ok(store_each(store, NULL, count_row, &count));
    return count;
}

static TtEntry probe(const TranspositionTable *table, const Position *pos) {
    TtSlot slot;
    return tt_probe(table, tt_key(pos), 0, pos->state.halfmove_clock, &slot);
}

static TtEntry probe_after(const TranspositionTable *table, const Position *pos, Move move) {
    Position after = *pos;
    Undo undo;
    position_make_move(&after, move, &undo);
    return probe(table, &after);
}

/* Searches and harvests; the lines of the search stay in the bed. */
static int harvest(Bed *bed, Store *store, const Position *pos, SearchLimits limits) {
    Harvest *made = harvest_create(&OWN, NULL);
    int rows, more;
    assert_non_null(made);
    bed_clear(bed);
    bed_search(bed, pos, limits);
    const int count = int_max(limits.multi_pv, 1);
    const HarvestField field = {.table = &bed->shared.table,
                                .root = pos,
                                .lines = &bed->lines.line[bed->lines.count - count],
                                .line_count = count,
                                .is_limited = limits.search_move_count > 0,
                                .date = 1700000000};
    assert_ok(harvest_gather(made, &field, 60000000));
    Store *other = open_store();
    assert_ok(store_begin(other));
    const size_t waiting = harvest_waiting(made);
    assert_int_equal(harvest_write(made, store, &rows).kind, STATUS_BUSY);
    assert_int_equal(harvest_waiting(made), waiting); /* nothing is lost while another program writes */
    assert_ok(store_end(other, status_ok()));
    store_close(other);
    assert_ok(harvest_write(made, store, &rows));
    assert_int_equal(harvest_waiting(made), 0);
    assert_ok(harvest_gather(made, &field, 60000000));
    assert_ok(harvest_write(made, store, &more));
    assert_int_equal(more, 0);
    harvest_destroy(made);
    return rows;
}

static void what_was_harvested_fills_another_table(void **state) {
    NEEDS_SQLITE();
    Bed *bed = *state;
    Position pos = test_position(MIDDLE_GAME);
    Store *store = open_store();
    const int rows = harvest(bed, store, &pos, (SearchLimits){.depth = 11});
    assert_true(rows > 50);
    assert_int_equal(count_rows(store), rows);
    const SearchInfo *last = &bed->lines.line[bed->lines.count - 1];

    TranspositionTable table = {0};
    SearchInfo lines[ROW_LINES_MAX];
    Status status;
    int count, compared = 0;
    bool done;
    assert_ok(tt_resize(&table, 1));
    Recall *recall = recall_of(store, &pos, &OWN);
    assert_int_equal(recall_lines(recall, 1, lines, &count, &status), 11);
    assert_int_equal(count, 1);
    assert_int_equal(lines[0].score, last->score);
    assert_int_equal(lines[0].pv_length, last->pv_length);
    assert_memory_equal(lines[0].pv, last->pv, (size_t)last->pv_length * sizeof(Move));
    assert_ok(recall_fill(recall, &table, 60000000, &done));
    assert_true(done);
    recall_destroy(recall);

    MoveList moves = {0};
    moves.count = movegen_legal(&pos, moves.move);
    for (int i = 0; i < moves.count; i++) {
        const TtEntry found = probe_after(&table, &pos, moves.move[i]);
        const TtEntry old = probe_after(&bed->shared.table, &pos, moves.move[i]);
        if (!found.hit || moves.move[i] == last->pv[0]) continue;
        assert_int_equal(found.depth, old.depth);
        assert_int_equal(found.score, old.score);
        assert_int_equal(found.bound, old.bound);
        assert_int_equal(found.move, old.move);
        compared++;
    }
    assert_true(compared > 10);
    assert_int_equal(probe(&table, &pos).move, last->pv[0]);
    tt_release(&table);
    close_store(store);
}

static void other_sources_order_moves_and_prove_nothing(void **state) {
    (void)state;
    NEEDS_SQLITE();
    const Position pos = test_position(MIDDLE_GAME);
    TranspositionTable table = {0};
    Position after = pos;
    test_play(&after, "f1b5");
    Store *store = open_store();
    put_row(store, &pos, &OWN, 20, BOUND_EXACT, 300, "f1b5 a7a6");
    put_row(store, &after, &OWN, 30, BOUND_LOWER, 700, "a7a6");
    assert_ok(tt_resize(&table, 1));
    for (int i = 0; i < 4; i++) {
        RowSource source = OWN;
        char *const members[] = {source.engine, source.net, source.params, source.version};
        SearchInfo lines[ROW_LINES_MAX];
        Status status;
        int count;
        bool done;
        strcpy(members[i], "x");
        Recall *recall = recall_of(store, &pos, &source);
        tt_clear(&table, 0, 1);
        const bool is_own = members[i] == source.version;
        assert_int_equal(recall_lines(recall, 1, lines, &count, &status), is_own ? 20 : 0);
        assert_ok(recall_fill(recall, &table, 60000000, &done));
        const TtEntry root = probe(&table, &pos), child = probe(&table, &after);
        assert_true(root.hit && child.hit);
        assert_int_equal(root.bound, is_own ? BOUND_EXACT : BOUND_NONE);
        assert_int_equal(child.bound, is_own ? BOUND_LOWER : BOUND_NONE);
        assert_int_equal(child.score, is_own ? 700 : SCORE_NONE);
        assert_true(movegen_is_legal(&after, child.move));
        recall_destroy(recall);
    }
    tt_release(&table);
    close_store(store);
}

static void a_table_that_knows_more_keeps_it(void **state) {
    (void)state;
    NEEDS_SQLITE();
    const Position pos = test_position(MIDDLE_GAME);
    TranspositionTable table = {0};
    TtSlot slot;
    bool done;
    Store *store = open_store();
    put_row(store, &pos, &OWN, 20, BOUND_EXACT, 300, "f1b5 a7a6");
    assert_ok(tt_resize(&table, 1));
    tt_probe(&table, tt_key(&pos), 0, 2, &slot);
    tt_store(&table, slot, MOVE_NONE, 5, 7, 22, BOUND_EXACT, true, 0);
    Recall *recall = recall_of(store, &pos, &OWN);
    assert_ok(recall_fill(recall, &table, 60000000, &done));
    assert_int_equal(probe(&table, &pos).score, 5);
    recall_destroy(recall);
    tt_release(&table);
    close_store(store);
}

static void further_lines_are_rows_of_the_positions_after_their_moves(void **state) {
    NEEDS_SQLITE();
    Bed *bed = *state;
    const Position pos = test_position(MIDDLE_GAME);
    SearchInfo lines[ROW_LINES_MAX];
    Status status;
    int count;
    Store *store = open_store();
    harvest(bed, store, &pos, (SearchLimits){.depth = 8, .multi_pv = 3});
    const SearchInfo *last = &bed->lines.line[bed->lines.count - 3];
    Recall *recall = recall_of(store, &pos, &OWN);
    assert_int_equal(recall_lines(recall, 3, lines, &count, &status), 8);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) { /* of equal scores any may be first */
        int same = 0;
        while (same < 2 && lines[same].pv[0] != last[i].pv[0]) same++;
        assert_int_equal(lines[i].score, last[i].score);
        assert_int_equal(lines[same].score, last[i].score);
        assert_int_equal(lines[same].pv[0], last[i].pv[0]);
    }
    assert_int_equal(recall_lines(recall, 4, lines, &count, &status), 0);
    assert_int_equal(count, 0);
    recall_destroy(recall);
    close_store(store);
}

static void a_search_of_some_moves_says_nothing_of_the_root(void **state) {
    NEEDS_SQLITE();
    Bed *bed = *state;
    const Position pos = test_position(MIDDLE_GAME);
    SearchInfo lines[ROW_LINES_MAX];
    Status status;
    int count;
    Store *store = open_store();
    SearchLimits limits = {.depth = 7, .search_move_count = 1};
    assert_ok(lan_parse(&pos, text_view("a2a3"), &limits.search_moves[0]));
    harvest(bed, store, &pos, limits);
    Recall *recall = recall_of(store, &pos, &OWN);
    assert_int_equal(recall_lines(recall, 1, lines, &count, &status), 0);
    recall_destroy(recall);
    close_store(store);
}

static void a_mate_is_known_a_move_before(void **state) {
    (void)state;
    NEEDS_SQLITE();
    const Position pos = test_position("6k1/5ppp/8/8/8/7P/5PP1/R5K1 w - - 0 1");
    Position after = pos;
    SearchInfo lines[ROW_LINES_MAX];
    Status status;
    int count;
    Store *store = open_store();
    test_play(&after, "a1a8");
    put_row(store, &after, &OWN, 9, BOUND_EXACT, score_mated_in(0), "");
    Recall *recall = recall_of(store, &pos, &OWN);
    assert_int_equal(recall_lines(recall, 1, lines, &count, &status), 10);
    assert_int_equal(count, 1);
    assert_int_equal(lines[0].score, score_mate_in(1));
    assert_int_equal(lines[0].pv_length, 1);
    recall_destroy(recall);
    close_store(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_harvested_fills_another_table),
        cmocka_unit_test(other_sources_order_moves_and_prove_nothing),
        cmocka_unit_test(a_table_that_knows_more_keeps_it),
        cmocka_unit_test(further_lines_are_rows_of_the_positions_after_their_moves),
        cmocka_unit_test(a_search_of_some_moves_says_nothing_of_the_root),
        cmocka_unit_test(a_mate_is_known_a_move_before),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
