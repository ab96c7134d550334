#include "store/store.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/place.h"
#include "store/sqlite.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

static const char CREATE_SOURCE[] =
    "CREATE TABLE source (id INTEGER PRIMARY KEY, engine TEXT NOT NULL, version TEXT NOT NULL, "
    "net TEXT NOT NULL, params TEXT NOT NULL)";
static const char CREATE_ANALYSIS[] =
    "CREATE TABLE analysis (position BLOB NOT NULL, source INTEGER NOT NULL, depth INTEGER NOT NULL, "
    "bound INTEGER NOT NULL, score INTEGER NOT NULL, nodes INTEGER NOT NULL, multipv INTEGER NOT NULL, "
    "date INTEGER NOT NULL, line TEXT NOT NULL, checksum INTEGER NOT NULL, "
    "PRIMARY KEY (position, source)) WITHOUT ROWID";

typedef enum Statement { SELECT_ALL, SELECT_POSITION, SELECT_ROW, PUT_ROW, PUT_SOURCE, STATEMENTS } Statement;

#define SELECT                                                                                              \
    "SELECT position, source, depth, bound, score, nodes, multipv, date, line, checksum, engine, version, " \
    "net, params FROM analysis LEFT JOIN source ON source.id = analysis.source "

static const char *const STATEMENT_TEXTS[STATEMENTS] = {
    SELECT "ORDER BY position, source", SELECT "WHERE position = ?1 ORDER BY source",
    SELECT "WHERE position = ?1 AND source = ?2",
    "INSERT OR REPLACE INTO analysis VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    "INSERT OR REPLACE INTO source VALUES (?1, ?2, ?3, ?4, ?5)"};

/* The columns of SELECT. */
enum {
    POSITION,
    SOURCE,
    DEPTH,
    BOUND,
    SCORE,
    NODES,
    MULTIPV,
    DATE,
    LINE,
    CHECKSUM,
    ENGINE,
    VERSION,
    NET,
    PARAMS
};

struct Store {
    Sqlite sqlite;
    sqlite3 *file;
    sqlite3_stmt *statement[STATEMENTS];
    const char *path;
    bool has_source; /* `source` was put since store_begin */
    RowSource source;
    TextBuffer line; /* of the row being put */
};

/* --- what SQLite says --- */

static Status refuse_writing(const Store *store) {
    return status_error("the store '%s' cannot be written: it is read-only", store->path);
}

static Status fail(const Store *store) {
    const int code = store->sqlite.extended_errcode(store->file);
    switch (code & SQLITE_KIND) {
    case SQLITE_BUSY:
        return status_busy("the store '%s' is being written by another program, which takes too long",
                           store->path);
    case SQLITE_READONLY: return refuse_writing(store);
    case SQLITE_CORRUPT: return status_error("the store '%s' is damaged", store->path);
    case SQLITE_FULL: return status_error("the store '%s' cannot grow: the disk is full", store->path);
    case SQLITE_CANTOPEN:
        return status_error("cannot open the store '%s', or make it in its folder", store->path);
    case SQLITE_NOTADB: return status_error("'%s' is no store: it is no SQLite file", store->path);
    default:
        return status_error("the store '%s' cannot be used: %s (%d)", store->path,
                            store->sqlite.errmsg(store->file), code);
    }
}

/* Runs a text of SQL, one statement; the value is the number in its first row, unchanged without one. */
static Status run(const Store *store, const char *text, int64_t *value) {
    const Sqlite *sqlite = &store->sqlite;
    sqlite3_stmt *statement = NULL;
    if (sqlite->prepare_v2(store->file, text, -1, &statement, NULL) != SQLITE_OK) return fail(store);
    int code = sqlite->step(statement);
    if (code == SQLITE_ROW && value != NULL) *value = sqlite->column_int64(statement, 0);
    while (code == SQLITE_ROW) code = sqlite->step(statement);
    const Status status = code == SQLITE_DONE ? status_ok() : fail(store);
    sqlite->finalize(statement);
    return status;
}

static TextView column_text(const Store *store, sqlite3_stmt *statement, int column) {
    if (store->sqlite.column_type(statement, column) != SQLITE_TEXT) return (TextView){0};
    const char *text = (const char *)store->sqlite.column_text(statement, column);
    return text == NULL ? (TextView){0}
                        : (TextView){text, (size_t)store->sqlite.column_bytes(statement, column)};
}

/* --- opening --- */

/* The schema, to the letter: no trigger, no view, no index, no column that computes something. */
static Status check_schema(const Store *store) {
    static const char LIST[] = "SELECT sql FROM sqlite_master ORDER BY name";
    const char *const wanted[] = {CREATE_ANALYSIS, CREATE_SOURCE};
    const Sqlite *sqlite = &store->sqlite;
    sqlite3_stmt *statement = NULL;
    size_t equal = 0, count = 0;
    if (sqlite->prepare_v2(store->file, LIST, -1, &statement, NULL) != SQLITE_OK) return fail(store);
    int code;
    for (; (code = sqlite->step(statement)) == SQLITE_ROW; count++)
        equal += count < 2 && text_equals(column_text(store, statement, 0), wanted[count]);
    Status status = code == SQLITE_DONE ? status_ok() : fail(store);
    sqlite->finalize(statement);
    if (status_is_ok(&status) && (count != 2 || equal != 2))
        status = status_error("'%s' is no store: its tables are others", store->path);
    return status;
}

/* Whose file it is; `*empty`: nobody's yet. In a transaction, since another program may make the tables at
 * the same time. */
static Status check_header(const Store *store, bool *empty) {
    int64_t application = 0, format = 0, entries = 0;
    Status status = run(store, "PRAGMA application_id", &application);
    if (status_is_ok(&status)) status = run(store, "PRAGMA user_version", &format);
    if (status_is_ok(&status)) status = run(store, "SELECT count(*) FROM sqlite_master", &entries);
    if (!status_is_ok(&status)) return status;
    *empty = application == 0 && format == 0 && entries == 0;
    if (*empty) return status_ok();
    if (application != STORE_APPLICATION)
        return status_error("'%s' is no store: it is an SQLite file of another program", store->path);
    if (format != STORE_FORMAT)
        return status_error("the store '%s' has format %" PRId64
                            ", and this program knows format %d: use a newer one",
                            store->path, format, STORE_FORMAT);
    return check_schema(store);
}

/* Another program may do the same at the same time: the second one finds it done. */
static Status create_tables(Store *store) {
    char application[48], format[32];
    bool empty = false;
    text_format(application, sizeof application, "PRAGMA application_id = %d", STORE_APPLICATION);
    text_format(format, sizeof format, "PRAGMA user_version = %d", STORE_FORMAT);
    const char *const steps[] = {CREATE_SOURCE, CREATE_ANALYSIS, application, format};
    Status status =
        run(store, "PRAGMA journal_mode = MEMORY", NULL); /* the way to WAL leaves no other file */
    if (status_is_ok(&status)) status = run(store, "PRAGMA journal_mode = WAL", NULL);
    if (status_is_ok(&status)) status = store_begin(store);
    if (!status_is_ok(&status)) return status;
    status = check_header(store, &empty);
    for (int i = 0; i < 4 && empty && status_is_ok(&status); i++) status = run(store, steps[i], NULL);
    return store_end(store, status);
}

/* As defensively as SQLite can; versions before 3.31 do not know the last switch, and need it less, since the
 * schema is compared. What is written is on the disk when store_end returns (synchronous = FULL). */
static Status defend(const Store *store) {
    enum { LONGEST = 1000000 /* bytes of a value: a row has some hundred */ };
    static const char *const SETTINGS[] = {"PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0",
                                           "PRAGMA synchronous = FULL", "PRAGMA temp_store = MEMORY"};
    const Sqlite *sqlite = &store->sqlite;
    int state;
    if (sqlite->db_config(store->file, SQLITE_DBCONFIG_DEFENSIVE, 1, &state) != SQLITE_OK) return fail(store);
    sqlite->db_config(store->file, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &state);
    sqlite->db_config(store->file, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &state);
    sqlite->db_config(store->file, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &state);
    sqlite->limit(store->file, SQLITE_LIMIT_LENGTH, LONGEST);
    Status status = status_ok();
    for (size_t i = 0; i < sizeof SETTINGS / sizeof SETTINGS[0] && status_is_ok(&status); i++)
        status = run(store, SETTINGS[i], NULL);
    return status;
}

/* SQLite gives some names a meaning of their own (":memory:", "file:..."): here they are paths. */
static void append_path(const char *path, TextBuffer *out) {
    if (path[0] == ':' || text_starts_with(text_view(path), "file:")) buffer_append_string(out, "./");
    buffer_append_string(out, path);
}

/* The path as a URI that says that nobody writes the file. */
static void append_unchanging(const char *path, TextBuffer *out) {
    const bool has_drive = path[0] != '\0' && path[1] == ':';
    buffer_append_string(out, has_drive ? "file:/" : "file:");
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '?' || *c == '#' || *c == '%')
            buffer_append_format(out, "%%%02X", (unsigned)*c);
        else
            buffer_append_char(out, *c);
    }
    buffer_append_string(out, "?immutable=1");
}

static Status open_file(Store *store, const char *name, int flags, int patience, bool *empty) {
    const Sqlite *sqlite = &store->sqlite;
    if (sqlite->open_v2(name, &store->file, flags, NULL) != SQLITE_OK) {
        if (store->file == NULL) return status_no_memory("the store '%s'", store->path);
        return fail(store);
    }
    sqlite->extended_result_codes(store->file, 1);
    sqlite->busy_timeout(store->file, patience);
    Status status = defend(store);
    if (status_is_ok(&status)) status = run(store, "BEGIN", NULL);
    return status_is_ok(&status) ? store_end(store, check_header(store, empty)) : status;
}

static void close_file(Store *store) {
    if (store->file != NULL) store->sqlite.close_v2(store->file);
    store->file = NULL;
}

/* A file that cannot be written, in a folder that cannot either, is read as one that nobody changes: SQLite
 * needs FILE-shm for all others. */
static Status open_unchanging(Store *store, Status failure, int patience, bool *empty) {
    const int kind =
        store->file == NULL ? SQLITE_OK : store->sqlite.extended_errcode(store->file) & SQLITE_KIND;
    if (kind != SQLITE_CANTOPEN && kind != SQLITE_READONLY) return failure;
    TextBuffer name = {0};
    buffer_append_format(&name, "%s-wal", store->path);
    const bool is_open = file_size(buffer_string(&name)) > 0;
    close_file(store);
    buffer_clear(&name);
    append_unchanging(store->path, &name);
    if (is_open)
        failure =
            status_error("the store '%s' was not closed by its last writer: its folder must be writable once",
                         store->path);
    else if (name.failed)
        failure = status_no_memory("the store '%s'", store->path);
    else
        failure =
            open_file(store, buffer_string(&name), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, patience, empty);
    buffer_release(&name);
    return failure;
}

/* No store has a journal of the older kind, which can name further files for SQLite to delete. */
static Status check_journal(const char *path) {
    TextBuffer name = {0};
    buffer_append_format(&name, "%s-journal", path);
    const bool has_journal = file_size(buffer_string(&name)) >= 0;
    buffer_release(&name);
    return has_journal ? status_error("next to it is a file of its name and '-journal', which no store has")
                       : status_ok();
}

static Status check_path(const char *path, StoreAccess access) {
    const long long size = file_size(path);
    if (path[0] == '\0') return status_error("the store has no name");
    if (size < 0 && access == STORE_READ) return status_error("there is no file '%s'", path);
    if (size >= 0 && !file_is_plain(path)) return status_error("'%s' is no store: it is no file", path);
    Status status = place_check(path);
    if (status_is_ok(&status)) status = check_journal(path);
    return status_is_ok(&status) ? status
                                 : status_error("the store '%s' is refused: %s", path, status.reason);
}

static Status prepare_statements(Store *store) {
    for (int i = 0; i < STATEMENTS; i++)
        if (store->sqlite.prepare_v2(store->file, STATEMENT_TEXTS[i], -1, &store->statement[i], NULL) !=
            SQLITE_OK)
            return fail(store);
    return status_ok();
}

Store *store_open(const char *path, StoreAccess access, int patience, Status *status) {
    Store *store = NULL;
    *status = check_path(path, access);
    if (!status_is_ok(status)) return NULL;
    store = memory_allocate(sizeof *store);
    if (store == NULL) {
        *status = status_no_memory("the store '%s'", path);
        return NULL;
    }
    store->path = path;
    *status = sqlite_load(&store->sqlite);
    if (status_is_ok(status)) {
        TextBuffer name = {0};
        bool empty = false;
        append_path(path, &name);
        const int flags = SQLITE_OPEN_READWRITE | (access == STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
        *status = name.failed ? status_no_memory("the store '%s'", path)
                              : open_file(store, buffer_string(&name), flags, patience, &empty);
        buffer_release(&name);
        if (!status_is_ok(status) && access == STORE_READ)
            *status = open_unchanging(store, *status, patience, &empty);
        if (status_is_ok(status) && empty)
            *status = access == STORE_WRITE ? create_tables(store)
                                            : status_error("'%s' is no store: it is empty", path);
        if (status_is_ok(status)) *status = prepare_statements(store);
        if (status_is_ok(status) && access == STORE_READ)
            *status = run(store, "PRAGMA query_only = ON", NULL);
        if (status_is_ok(status) && access == STORE_WRITE &&
            store->sqlite.db_readonly(store->file, "main") != 0)
            *status = refuse_writing(store);
    }
    if (status_is_ok(status)) return store;
    store_close(store);
    return NULL;
}

void store_set_patience(Store *store, int patience) { store->sqlite.busy_timeout(store->file, patience); }

void store_close(Store *store) {
    if (store == NULL) return;
    for (int i = 0; i < STATEMENTS; i++)
        if (store->statement[i] != NULL) store->sqlite.finalize(store->statement[i]);
    close_file(store);
    sqlite_unload(&store->sqlite);
    buffer_release(&store->line);
    memory_release(store);
}

/* --- writing --- */

Status store_begin(Store *store) {
    store->has_source = false;
    return run(store, "BEGIN IMMEDIATE", NULL);
}

Status store_begin_reading(Store *store) { return run(store, "BEGIN", NULL); }

Status store_end(Store *store, Status status) {
    if (status_is_ok(&status)) status = run(store, "COMMIT", NULL);
    if (!status_is_ok(&status)) {
        const Status undone = run(store, "ROLLBACK", NULL);
        (void)undone; /* it may have been undone already: by a full disk, say */
    }
    return status;
}

/* Runs a statement without result whose values are bound, and forgets them. */
static Status finish(const Store *store, sqlite3_stmt *statement) {
    const Status status = store->sqlite.step(statement) == SQLITE_DONE ? status_ok() : fail(store);
    store->sqlite.reset(statement);
    return status;
}

static void bind_text(const Store *store, sqlite3_stmt *statement, int place, TextView text) {
    store->sqlite.bind_text(statement, place, text.length > 0 ? text.data : "", (int)text.length, NULL);
}

static Status put_source(Store *store, const RowSource *source) {
    const char *const texts[] = {source->engine, source->version, source->net, source->params};
    sqlite3_stmt *statement = store->statement[PUT_SOURCE];
    if (store->has_source && row_source_id(&store->source) == row_source_id(source)) return status_ok();
    store->sqlite.bind_int64(statement, 1, (int64_t)row_source_id(source));
    for (int i = 0; i < 4; i++) bind_text(store, statement, 2 + i, text_view(texts[i]));
    store->source = *source;
    store->has_source = true;
    return finish(store, statement);
}

/* --- reading --- */

static int column_int(const Store *store, sqlite3_stmt *statement, int column) {
    const int64_t value = store->sqlite.column_int64(statement, column);
    return value < INT_MIN ? INT_MIN : value > INT_MAX ? INT_MAX : (int)value;
}

static Status read_source(const Store *store, sqlite3_stmt *statement, RowSource *source) {
    char *const members[] = {source->engine, source->version, source->net, source->params};
    for (int i = 0; i < 4; i++) {
        const TextView text = column_text(store, statement, ENGINE + i);
        if (text.data == NULL || text.length >= SOURCE_TEXT_CAPACITY)
            return status_error("its source is missing");
        text_copy(text, members[i], SOURCE_TEXT_CAPACITY);
    }
    const bool is_its_own = row_source_id(source) == (uint64_t)store->sqlite.column_int64(statement, SOURCE);
    return is_its_own ? status_ok() : status_error("its source is another");
}

/* Reads the row on which the statement stands; believes nothing. */
static Status read_row(const Store *store, sqlite3_stmt *statement, Row *row) {
    const Sqlite *sqlite = &store->sqlite;
    Position pos;
    *row = (Row){0};
    if (sqlite->column_type(statement, POSITION) != SQLITE_BLOB ||
        sqlite->column_bytes(statement, POSITION) != ROW_KEY_SIZE)
        return status_error("its position is none");
    memcpy(row->key, sqlite->column_blob(statement, POSITION), ROW_KEY_SIZE);
    for (int column = SOURCE; column <= CHECKSUM; column++)
        if (column != LINE && sqlite->column_type(statement, column) != SQLITE_INTEGER)
            return status_error("column %d is no number", column + 1);
    row->depth = column_int(store, statement, DEPTH);
    row->score = column_int(store, statement, SCORE);
    const int bound = column_int(store, statement, BOUND);
    row->bound = bound > BOUND_NONE && bound <= BOUND_EXACT ? (Bound)bound : BOUND_NONE;
    row->nodes = (uint64_t)sqlite->column_int64(statement, NODES);
    row->multi_pv = column_int(store, statement, MULTIPV);
    row->date = sqlite->column_int64(statement, DATE);
    const TextView line = column_text(store, statement, LINE);
    Status status = read_source(store, statement, &row->source);
    if (status_is_ok(&status)) status = row_check(row);
    if (status_is_ok(&status) && line.data == NULL) status = status_error("its line is no text");
    if (status_is_ok(&status) &&
        row_checksum(row, line) != (uint64_t)sqlite->column_int64(statement, CHECKSUM))
        status = status_error("its checksum is wrong");
    if (status_is_ok(&status)) status = row_unpack(row->key, &pos);
    return status_is_ok(&status) ? row_read_line(row, &pos, line) : status;
}

Status store_each(Store *store, const Position *pos, StoreTake *take, void *context) {
    sqlite3_stmt *statement = store->statement[pos == NULL ? SELECT_ALL : SELECT_POSITION];
    uint8_t key[ROW_KEY_SIZE];
    Status status = status_ok();
    int code = SQLITE_DONE;
    if (pos != NULL) {
        row_pack(pos, key);
        store->sqlite.bind_blob(statement, 1, key, ROW_KEY_SIZE, NULL);
    }
    while (status_is_ok(&status) && (code = store->sqlite.step(statement)) == SQLITE_ROW) {
        Row row;
        const Status fault = read_row(store, statement, &row);
        status = take(context, &row, status_is_ok(&fault) ? NULL : &fault);
    }
    if (status_is_ok(&status) && code != SQLITE_DONE) status = fail(store);
    store->sqlite.reset(statement);
    return status;
}

/* --- adding --- */

/* Whether the row there is worth as much or more. */
static Status is_known(const Store *store, const Row *row, bool *known) {
    sqlite3_stmt *statement = store->statement[SELECT_ROW];
    Row old;
    store->sqlite.bind_blob(statement, 1, row->key, ROW_KEY_SIZE, NULL);
    store->sqlite.bind_int64(statement, 2, (int64_t)row_source_id(&row->source));
    const int code = store->sqlite.step(statement);
    const Status fault = code == SQLITE_ROW ? read_row(store, statement, &old) : status_error("none");
    *known = status_is_ok(&fault) && row_compare(row, &old) <= 0;
    const Status status = code == SQLITE_ROW || code == SQLITE_DONE ? status_ok() : fail(store);
    store->sqlite.reset(statement);
    return status;
}

Status store_put(Store *store, const Row *row, bool *changed) {
    sqlite3_stmt *statement = store->statement[PUT_ROW];
    bool known = false;
    Position pos;
    if (changed != NULL) *changed = false;
    Status status = row_check(row);
    if (status_is_ok(&status)) status = row_unpack(row->key, &pos);
    if (status_is_ok(&status)) status = is_known(store, row, &known);
    if (!status_is_ok(&status) || known) return status;
    buffer_clear(&store->line);
    row_write_line(row, &pos, &store->line);
    if (store->line.failed) return status_no_memory("a row of the store");
    const TextView line = buffer_view(&store->line);
    const int64_t numbers[] = {(int64_t)row_source_id(&row->source),
                               row->depth,
                               row->bound,
                               row->score,
                               (int64_t)row->nodes,
                               row->multi_pv,
                               row->date};
    store->sqlite.bind_blob(statement, 1, row->key, ROW_KEY_SIZE, NULL);
    for (int i = 0; i < 7; i++) store->sqlite.bind_int64(statement, 2 + i, numbers[i]);
    bind_text(store, statement, 9, line);
    store->sqlite.bind_int64(statement, 10, (int64_t)row_checksum(row, line));
    status = put_source(store, &row->source);
    if (status_is_ok(&status)) status = finish(store, statement);
    if (status_is_ok(&status) && changed != NULL) *changed = true;
    return status;
}

/* --- removing --- */

/* Removes the rows for which the condition holds, with a number and a text as its values. */
static Status remove_where(const Store *store, const char *condition, int64_t number, const char *text,
                           int64_t *removed) {
    char statement_text[256];
    sqlite3_stmt *statement = NULL;
    text_format(statement_text, sizeof statement_text, "DELETE FROM analysis WHERE %s", condition);
    if (store->sqlite.prepare_v2(store->file, statement_text, -1, &statement, NULL) != SQLITE_OK)
        return fail(store);
    if (text != NULL)
        bind_text(store, statement, 1, text_view(text));
    else
        store->sqlite.bind_int64(statement, 1, number);
    const Status status = finish(store, statement);
    store->sqlite.finalize(statement);
    if (status_is_ok(&status)) *removed += store->sqlite.changes(store->file);
    return status;
}

Status store_prune(Store *store, const StorePrune *prune, int64_t *removed) {
    const struct {
        bool is_asked;
        const char *condition;
        int64_t number;
        const char *text;
    } conditions[] = {
        {prune->depth > 0, "depth < ?1", prune->depth, NULL},
        {prune->date > 0, "date > 0 AND date < ?1", prune->date, NULL},
        {prune->net != NULL, "source NOT IN (SELECT id FROM source WHERE net = ?1)", 0, prune->net},
        {prune->only_exact, "bound <> ?1", BOUND_EXACT, NULL},
        {prune->keep >= 0,
         "(position, source) NOT IN (SELECT position, source FROM analysis "
         "ORDER BY depth DESC, bound DESC, nodes DESC, position, source LIMIT ?1)",
         prune->keep, NULL},
    };
    Status status = status_ok();
    *removed = 0;
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0] && status_is_ok(&status); i++)
        if (conditions[i].is_asked)
            status = remove_where(store, conditions[i].condition, conditions[i].number, conditions[i].text,
                                  removed);
    store->has_source = false;
    if (!status_is_ok(&status)) return status;
    return run(store, "DELETE FROM source WHERE id NOT IN (SELECT source FROM analysis)", NULL);
}

Status store_compact(Store *store) { return run(store, "VACUUM", NULL); }

Status store_check_file(Store *store) {
    const Sqlite *sqlite = &store->sqlite;
    sqlite3_stmt *statement = NULL;
    if (sqlite->prepare_v2(store->file, "PRAGMA integrity_check(1)", -1, &statement, NULL) != SQLITE_OK)
        return fail(store);
    const int code = sqlite->step(statement);
    const TextView text = column_text(store, statement, 0);
    Status status = status_ok();
    if (code != SQLITE_ROW)
        status = fail(store);
    else if (!text_equals(text, "ok"))
        status = status_error("the store '%s' is damaged: %.*s", store->path, (int)text.length, text.data);
    sqlite->finalize(statement);
    return status;
}
