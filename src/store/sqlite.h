/* SQLite, loaded when a store is opened: the program needs it neither to be built nor to play. A static
 * program cannot load a library, so it has SQLite inside where its sources are there (LUFT_SQLITE_INSIDE, see
 * mk/target.mk). What is declared here are the few functions and numbers of its interface that are used
 * (sqlite.org/c3ref), which do not change. Any thread may call. */
#ifndef LUFT_STORE_SQLITE_H
#define LUFT_STORE_SQLITE_H

#include "base/status.h"

#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

/* The library of Windows has another calling convention than C, where there are several. */
#if defined _WIN32 && !defined _WIN64
#define SQLITE_CALL __stdcall
#else
#define SQLITE_CALL
#endif

/* FUNCTION(result, name without "sqlite3_", convention, parameters) */
/* clang-format off */
#define SQLITE_FUNCTIONS(FUNCTION) \
    FUNCTION(int, libversion_number, SQLITE_CALL, (void)) \
    FUNCTION(int, open_v2, SQLITE_CALL, (const char *path, sqlite3 **file, int flags, const char *system)) \
    FUNCTION(int, close_v2, SQLITE_CALL, (sqlite3 *file)) \
    FUNCTION(int, extended_result_codes, SQLITE_CALL, (sqlite3 *file, int on)) \
    FUNCTION(int, busy_timeout, SQLITE_CALL, (sqlite3 *file, int milliseconds)) \
    FUNCTION(int, db_config, , (sqlite3 *file, int what, ...)) \
    FUNCTION(int, limit, SQLITE_CALL, (sqlite3 *file, int what, int value)) \
    FUNCTION(int, extended_errcode, SQLITE_CALL, (sqlite3 *file)) \
    FUNCTION(const char *, errmsg, SQLITE_CALL, (sqlite3 *file)) \
    FUNCTION(int, db_readonly, SQLITE_CALL, (sqlite3 *file, const char *schema)) \
    FUNCTION(int, changes, SQLITE_CALL, (sqlite3 *file)) \
    FUNCTION(int, prepare_v2, SQLITE_CALL, (sqlite3 *file, const char *text, int size, sqlite3_stmt **made, const char **rest)) \
    FUNCTION(int, step, SQLITE_CALL, (sqlite3_stmt *statement)) \
    FUNCTION(int, reset, SQLITE_CALL, (sqlite3_stmt *statement)) \
    FUNCTION(int, finalize, SQLITE_CALL, (sqlite3_stmt *statement)) \
    FUNCTION(int, bind_blob, SQLITE_CALL, (sqlite3_stmt *statement, int place, const void *bytes, int size, void (*release)(void *))) \
    FUNCTION(int, bind_text, SQLITE_CALL, (sqlite3_stmt *statement, int place, const char *text, int size, void (*release)(void *))) \
    FUNCTION(int, bind_int64, SQLITE_CALL, (sqlite3_stmt *statement, int place, int64_t value)) \
    FUNCTION(int, column_type, SQLITE_CALL, (sqlite3_stmt *statement, int column)) \
    FUNCTION(int, column_bytes, SQLITE_CALL, (sqlite3_stmt *statement, int column)) \
    FUNCTION(const void *, column_blob, SQLITE_CALL, (sqlite3_stmt *statement, int column)) \
    FUNCTION(const unsigned char *, column_text, SQLITE_CALL, (sqlite3_stmt *statement, int column)) \
    FUNCTION(int64_t, column_int64, SQLITE_CALL, (sqlite3_stmt *statement, int column))
/* clang-format on */

typedef struct Sqlite {
    void *library;
#define FUNCTION(result, name, convention, parameters) result(convention *name) parameters;
    SQLITE_FUNCTIONS(FUNCTION)
#undef FUNCTION
} Sqlite;

enum {
    SQLITE_OK = 0,
    SQLITE_BUSY = 5,
    SQLITE_READONLY = 8,
    SQLITE_CORRUPT = 11,
    SQLITE_FULL = 13,
    SQLITE_CANTOPEN = 14,
    SQLITE_NOTADB = 26,
    SQLITE_ROW = 100,
    SQLITE_DONE = 101,
    SQLITE_KIND = 255, /* of a code: its low byte */
    SQLITE_OPEN_READONLY = 1,
    SQLITE_OPEN_READWRITE = 2,
    SQLITE_OPEN_CREATE = 4,
    SQLITE_OPEN_URI = 0x40,
    SQLITE_INTEGER = 1,
    SQLITE_TEXT = 3,
    SQLITE_BLOB = 4,
    SQLITE_LIMIT_LENGTH = 0,
    SQLITE_DBCONFIG_ENABLE_TRIGGER = 1003,
    SQLITE_DBCONFIG_DEFENSIVE = 1010,
    SQLITE_DBCONFIG_ENABLE_VIEW = 1015,
    SQLITE_DBCONFIG_TRUSTED_SCHEMA = 1017
};

/* Fails, with what to install, where there is no SQLite, or none that can be opened defensively (3.26). Free
 * with sqlite_unload. */
Status sqlite_load(Sqlite *sqlite);
void sqlite_unload(Sqlite *sqlite);

#endif
