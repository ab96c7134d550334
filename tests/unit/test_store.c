#include "store/store.h"

#include "base/file.h"
#include "store/place.h"
#include "store/sqlite.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* All of these need the library SQLite. */
static bool has_sqlite(void) {
    Sqlite sqlite;
    const Status status = sqlite_load(&sqlite);
    sqlite_unload(&sqlite);
    return status_is_ok(&status);
}

#define NEEDS_SQLITE() \
    if (!has_sqlite()) skip()

static char folder[200], path[256], other_path[256];

static int set_up(void **state) {
    const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* in memory, a disk is slow */
    snprintf(folder, sizeof folder, "%s/luft_store_XXXXXX", place);
    if (mkdtemp(folder) == NULL) return -1;
    snprintf(path, sizeof path, "%s/a.store", folder);
    snprintf(other_path, sizeof other_path, "%s/b.store", folder);
    return test_set_up_chess(state);
}

static void remove_stores(void) {
    static const char *const ENDINGS[] = {"", "-wal", "-shm", "-journal"};
    char name[300];
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", path, ENDINGS[i]);
        unlink(name);
        snprintf(name, sizeof name, "%s%s", other_path, ENDINGS[i]);
        unlink(name);
    }
}

static int tear_down(void **state) {
    (void)state;
    remove_stores();
    return rmdir(folder);
}

static Store *open_store(const char *name, StoreAccess access) {
    Status status;
    Store *store = store_open(name, access, 0, &status);
    assert_ok(status);
    return store;
}

static void assert_refused(const char *name, StoreAccess access, const char *reason) {
    Status status;
    Store *store = store_open(name, access, 0, &status);
    assert_null(store);
    assert_fails(status, reason);
    assert_non_null(strstr(status.reason, name));
}

/* Runs SQL on a file that no store has open, as a stranger would. */
static void tamper(const char *name, const char *text) {
    Sqlite sqlite;
    sqlite3 *file;
    assert_ok(sqlite_load(&sqlite));
    assert_int_equal(sqlite.open_v2(name, &file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
                     SQLITE_OK);
    for (const char *rest = text; rest[0] != '\0';) {
        sqlite3_stmt *statement;
        assert_int_equal(sqlite.prepare_v2(file, rest, -1, &statement, &rest), SQLITE_OK);
        while (sqlite.step(statement) == SQLITE_ROW) {
        }
        assert_int_equal(sqlite.finalize(statement), SQLITE_OK);
    }
    sqlite.close_v2(file);
    sqlite_unload(&sqlite);
}

/* --- rows --- */

static Row row_after(const char *moves, const char *line, int depth) {
    Position pos = test_position(FEN_START);
    Row row = {.source = {"Luft", "1.0", "0123", "4567"},
               .depth = depth,
               .bound = BOUND_EXACT,
               .score = 25,
               .nodes = 1000,
               .multi_pv = 1,
               .date = 1700000000};
    test_play(&pos, moves);
    row_pack(&pos, row.key);
    assert_ok(row_read_line(&row, &pos, text_view(line)));
    return row;
}

static bool put(Store *store, const Row *row) {
    bool changed = false;
    assert_ok(store_begin(store));
    assert_ok(store_end(store, store_put(store, row, &changed)));
    return changed;
}

typedef struct Found {
    int count, faults;
    Row row[200];
    Status fault;
} Found;

static Status collect(void *context, const Row *row, const Status *fault) {
    Found *found = context;
    if (fault != NULL) {
        found->faults++;
        found->fault = *fault;
    } else {
        assert_in_range(found->count, 0, 199);
        found->row[found->count++] = *row;
    }
    return status_ok();
}

static Found found;

static const Found *all_rows(Store *store) {
    memset(&found, 0, sizeof found);
    assert_ok(store_each(store, NULL, collect, &found));
    return &found;
}

/* All but padding. */
static bool is_same_row(const Row *a, const Row *b) {
    return memcmp(a->key, b->key, sizeof a->key) == 0 &&
           row_source_id(&a->source) == row_source_id(&b->source) && row_compare(a, b) == 0;
}

static void rows_are_read_back_by_whoever_opens_the_file(void **state) {
    (void)state;
    NEEDS_SQLITE();
    const Row first = row_after("", "e2e4 e7e5 g1f3", 20), second = row_after("e2e4", "", 1);
    Store *store = open_store(path, STORE_WRITE);
    assert_true(put(store, &first));
    assert_true(put(store, &second));
    store_close(store);
    store = open_store(path, STORE_READ);
    assert_int_equal(all_rows(store)->count, 2);
    const Position pos = test_position(FEN_START);
    memset(&found, 0, sizeof found);
    assert_ok(store_each(store, &pos, collect, &found));
    assert_int_equal(found.count, 1);
    assert_true(is_same_row(&found.row[0], &first));
    assert_ok(store_check_file(store));
    assert_fails(store_begin(store), "read-only");
    store_close(store);
    remove_stores();
}

static void of_one_position_and_source_the_better_row_stays(void **state) {
    (void)state;
    NEEDS_SQLITE();
    const Row shallow = row_after("", "d2d4", 10), deep = row_after("", "e2e4", 20);
    Row other = shallow;
    text_copy(text_view("89ab"), other.source.net, sizeof other.source.net);
    Store *store = open_store(path, STORE_WRITE);
    assert_true(put(store, &shallow));
    assert_true(put(store, &deep));
    assert_false(put(store, &shallow));
    assert_false(put(store, &deep));
    assert_true(put(store, &other));
    assert_int_equal(all_rows(store)->count, 2);
    store_close(store);
    remove_stores();
}

static void a_row_that_cannot_be_is_not_written(void **state) {
    (void)state;
    NEEDS_SQLITE();
    Store *store = open_store(path, STORE_WRITE);
    Row row = row_after("", "e2e4", 20);
    row.bound = BOUND_NONE;
    assert_ok(store_begin(store));
    assert_fails(store_put(store, &row, NULL), "bound");
    row.bound = BOUND_EXACT;
    row.key[0] = 0;
    assert_fails(store_put(store, &row, NULL), "position");
    assert_ok(store_end(store, status_ok()));
    assert_int_equal(all_rows(store)->count, 0);
    store_close(store);
    remove_stores();
}

static void what_was_not_ended_is_not_written(void **state) {
    (void)state;
    NEEDS_SQLITE();
    const Row row = row_after("", "e2e4", 20);
    Store *store = open_store(path, STORE_WRITE);
    assert_ok(store_begin(store));
    assert_ok(store_put(store, &row, NULL));
    assert_fails(store_end(store, status_error("stopped")), "stopped");
    assert_int_equal(all_rows(store)->count, 0);
    assert_ok(store_begin(store));
    assert_ok(store_put(store, &row, NULL));
    store_close(store);
    store = open_store(path, STORE_READ);
    assert_int_equal(all_rows(store)->count, 0);
    store_close(store);
    remove_stores();
}

static void two_programs_write_one_after_the_other(void **state) {
    (void)state;
    NEEDS_SQLITE();
    const Row row = row_after("", "e2e4", 20), other = row_after("e2e4", "e7e5", 19);
    Store *store = open_store(path, STORE_WRITE), *second = open_store(path, STORE_WRITE);
    assert_ok(store_begin(store));
    assert_ok(store_put(store, &row, NULL));
    Status status = store_begin(second);
    assert_int_equal(status.kind, STATUS_BUSY);
    assert_int_equal(all_rows(second)->count, 0);
    assert_ok(store_end(store, status_ok()));
    assert_true(put(second, &other));
    assert_int_equal(all_rows(store)->count, 2);
    store_close(second);
    store_close(store);
    remove_stores();
}

static void reading_in_one_go_sees_one_moment(void **state) {
    (void)state;
    NEEDS_SQLITE();
    const Row row = row_after("", "e2e4", 20), other = row_after("e2e4", "e7e5", 19);
    Store *writer = open_store(path, STORE_WRITE);
    assert_true(put(writer, &row));
    Store *reader = open_store(path, STORE_READ);
    assert_ok(store_begin_reading(reader));
    assert_int_equal(all_rows(reader)->count, 1);
    assert_true(put(writer, &other)); /* nobody waits */
    assert_int_equal(all_rows(reader)->count, 1);
    assert_ok(store_end(reader, status_ok()));
    assert_int_equal(all_rows(reader)->count, 2);
    store_close(reader);
    store_close(writer);
    remove_stores();
}

/* --- pruning --- */

static void pruning_removes_what_a_condition_names(void **state) {
    (void)state;
    NEEDS_SQLITE();
    Row rows[4] = {row_after("", "e2e4", 20), row_after("e2e4", "e7e5", 5), row_after("d2d4", "d7d5", 18),
                   row_after("c2c4", "e7e5", 19)};
    int64_t removed;
    rows[2].date = 5;
    rows[3].bound = BOUND_LOWER;
    Store *store = open_store(path, STORE_WRITE);
    for (int i = 0; i < 4; i++) assert_true(put(store, &rows[i]));
    const StorePrune prunes[] = {{.keep = -1, .depth = 6},
                                 {.keep = -1, .date = 6},
                                 {.keep = -1, .only_exact = true},
                                 {.keep = -1, .net = "0123"},
                                 {.keep = 0}};
    const int left[] = {3, 2, 1, 1, 0};
    for (int i = 0; i < 5; i++) {
        assert_ok(store_begin(store));
        assert_ok(store_end(store, store_prune(store, &prunes[i], &removed)));
        assert_int_equal(all_rows(store)->count, left[i]);
    }
    assert_ok(store_compact(store));
    assert_true(put(store, &rows[0]));
    assert_int_equal(all_rows(store)->count, 1);
    store_close(store);
    remove_stores();
}

/* --- files that are no store, or a bad one --- */

static void other_files_are_refused_by_name_and_stay_as_they_are(void **state) {
    (void)state;
    NEEDS_SQLITE();
    for (StoreAccess access = STORE_READ; access <= STORE_WRITE; access++) {
        assert_refused(folder, access, access == STORE_READ ? "there is no file" : "cannot open the store");
        assert_ok(file_write(path, "[Event \"?\"]\n\n1. e4 e5 *\n", 24));
        assert_refused(path, access, "is no store: it is no SQLite file");
        assert_int_equal(file_size(path), 24);
        remove_stores();
        tamper(path, "CREATE TABLE friend (name TEXT)");
        assert_refused(path, access, "of another program");
        remove_stores();
    }
    assert_refused(path, STORE_READ, "there is no file");
    assert_ok(file_write(path, "", 0));
    assert_refused(path, STORE_READ, "it is empty");
    store_close(open_store(path, STORE_WRITE));
    assert_ok(file_write(other_path, "", 0));
    char journal[300];
    snprintf(journal, sizeof journal, "%s-journal", path);
    assert_ok(file_write(journal, "x", 1));
    assert_refused(path, STORE_READ, "-journal");
    remove_stores();
}

static void a_newer_format_and_other_tables_are_refused(void **state) {
    (void)state;
    NEEDS_SQLITE();
    static const char *const CHANGES[][2] = {
        {"PRAGMA user_version = 2", "has format 2"},
        {"CREATE VIEW v AS SELECT * FROM analysis", "its tables are others"},
        {"CREATE TRIGGER t AFTER INSERT ON analysis BEGIN DELETE FROM analysis; END",
         "its tables are others"},
        {"DROP TABLE source", "its tables are others"},
        {"DROP TABLE analysis; CREATE TABLE analysis (position BLOB)", "its tables are others"},
        {"ALTER TABLE source ADD COLUMN x TEXT", "its tables are others"},
        {"PRAGMA application_id = 7", "of another program"}};
    for (size_t i = 0; i < sizeof CHANGES / sizeof CHANGES[0]; i++) {
        store_close(open_store(path, STORE_WRITE));
        tamper(path, CHANGES[i][0]);
        assert_refused(path, STORE_READ, CHANGES[i][1]);
        assert_refused(path, STORE_WRITE, CHANGES[i][1]);
        remove_stores();
    }
}

static void a_damaged_row_is_reported_and_the_others_count(void **state) {
    (void)state;
    NEEDS_SQLITE();
    static const char *const CHANGES[][2] = {
        {"UPDATE analysis SET score = 900 WHERE depth = 20", "checksum"},
        {"UPDATE analysis SET score = 'x' WHERE depth = 20", "number"},
        {"UPDATE analysis SET depth = 9999999999 WHERE depth = 20", "depth"},
        {"UPDATE analysis SET nodes = -1 WHERE depth = 20", "nodes"},
        {"UPDATE analysis SET line = 'e2e5' WHERE depth = 20", "checksum"},
        {"UPDATE analysis SET line = x'00' WHERE depth = 20", "line"},
        {"UPDATE analysis SET position = x'00' WHERE depth = 20", "position"},
        {"UPDATE analysis SET source = 5 WHERE depth = 20", "source"},
        {"UPDATE source SET engine = 'x' WHERE net = '0123'", "source"}};
    const Row row = row_after("", "e2e4", 20);
    Row other = row_after("e2e4", "e7e5", 19);
    text_copy(text_view("other"), other.source.net, sizeof other.source.net);
    for (size_t i = 0; i < sizeof CHANGES / sizeof CHANGES[0]; i++) {
        Store *store = open_store(path, STORE_WRITE);
        put(store, &row);
        put(store, &other);
        store_close(store);
        tamper(path, CHANGES[i][0]);
        store = open_store(path, STORE_WRITE);
        all_rows(store);
        assert_int_equal(found.count, 1);
        assert_int_equal(found.faults, 1);
        assert_true(is_same_row(&found.row[0], &other));
        assert_non_null(strstr(found.fault.reason, CHANGES[i][1]));
        put(store, &row); /* heals it, or is the only sound row of its kind */
        all_rows(store);
        assert_int_equal(found.count, 2);
        store_close(store);
        remove_stores();
    }
}

/* A store from a stranger: an error, or the rows that were in it. LUFT_TEST_FULL=1 tries 10,000. */
static void mutated_files_give_errors_or_intact_rows(void **state) {
    (void)state;
    NEEDS_SQLITE();
    static const char *const MOVES[] = {"", "e2e4", "d2d4", "c2c4", "g1f3", "b1c3", "e2e4 e7e5", "e2e4 c7c5"};
    enum { ROWS = sizeof MOVES / sizeof MOVES[0] };
    static Row rows[ROWS];
    const int trials = getenv("LUFT_TEST_FULL") != NULL ? 10000 : 100;
    TextBuffer whole = {0};
    Rng rng = rng_seed(4);
    Store *store = open_store(path, STORE_WRITE);
    for (int i = 0; i < ROWS; i++) {
        rows[i] = row_after(MOVES[i], "", 10 + i);
        put(store, &rows[i]);
    }
    store_close(store);
    assert_ok(file_read(path, &whole));
    int intact = 0;
    for (int trial = 0; trial < trials; trial++) {
        TextBuffer bytes = {0};
        buffer_append(&bytes, buffer_view(&whole));
        const uint64_t changes = 1 + rng_below(&rng, 8);
        for (uint64_t i = 0; i < changes; i++)
            bytes.data[rng_below(&rng, bytes.length)] ^= (char)(1u << rng_below(&rng, 8));
        if (rng_below(&rng, 8) == 0) buffer_cut(&bytes, (size_t)rng_below(&rng, bytes.length));
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes.data, 1, bytes.length, file), bytes.length);
        assert_int_equal(fclose(file), 0);
        buffer_release(&bytes);
        Status status;
        store = store_open(path, STORE_READ, 0, &status);
        memset(&found, 0, sizeof found);
        if (store != NULL) (void)store_each(store, NULL, collect, &found);
        store_close(store);
        for (int i = 0; i < found.count; i++) {
            int same = 0;
            for (int j = 0; j < ROWS; j++) same += is_same_row(&found.row[i], &rows[j]);
            assert_int_equal(same, 1);
        }
        intact += found.count;
    }
    assert_in_range(intact, trials, (uint64_t)trials * ROWS);
    buffer_release(&whole);
    remove_stores();
}

static void a_local_disk_is_accepted(void **state) {
    (void)state;
    assert_ok(place_check(path));
    assert_ok(place_check("no_such_file"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_back_by_whoever_opens_the_file),
        cmocka_unit_test(of_one_position_and_source_the_better_row_stays),
        cmocka_unit_test(a_row_that_cannot_be_is_not_written),
        cmocka_unit_test(what_was_not_ended_is_not_written),
        cmocka_unit_test(two_programs_write_one_after_the_other),
        cmocka_unit_test(reading_in_one_go_sees_one_moment),
        cmocka_unit_test(pruning_removes_what_a_condition_names),
        cmocka_unit_test(other_files_are_refused_by_name_and_stay_as_they_are),
        cmocka_unit_test(a_newer_format_and_other_tables_are_refused),
        cmocka_unit_test(a_damaged_row_is_reported_and_the_others_count),
        cmocka_unit_test(mutated_files_give_errors_or_intact_rows),
        cmocka_unit_test(a_local_disk_is_accepted),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
