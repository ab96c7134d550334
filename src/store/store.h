/* A store: an SQLite file of rows (row.h) that lasts, that several programs may read and write at once, and
 * that may come from a stranger. One thread at a time works on one Store.
 *
 * Two shapes were weighed: rows as bytes in a format of our own, appended and sorted now and then, and
 * SQLite. A format of our own would need no library, but locks between programs, recovery after a crash, a
 * search by position and removal would all have to be written and proven here. SQLite has them, proven by
 * others, and any program can read the file. It is loaded when a store is opened (sqlite.h).
 *
 * What was acknowledged (store_end) survives a crash of the program, of the system and a full disk: SQLite
 * writes ahead into FILE-wal, FILE-shm is what its readers share. Nothing else is written.
 *
 * A store is opened defensively: nothing in its schema is run, its schema must be the one below to the
 * letter, and each row must be possible and pass its checksum. A row that does not is reported as damaged;
 * the others count. */
#ifndef LUFT_STORE_STORE_H
#define LUFT_STORE_STORE_H

#include "store/row.h"

/* In the header of the file: "Luft", and the version of the schema. It grows when an older program could
 * misread a row. */
enum { STORE_APPLICATION = 0x4C756674, STORE_FORMAT = 1 };

typedef struct Store Store;

typedef enum StoreAccess {
    STORE_READ, /* the file exists; it may be read-only */
    STORE_WRITE /* it is made where there is none */
} StoreAccess;

/* `patience`: milliseconds for which a call waits for other programs that write; STATUS_BUSY after that.
 * NULL, with the reason in *status, which names the file, on failure. `path` must outlive the store. */
Store *store_open(const char *path, StoreAccess access, int patience, Status *status);

/* Another patience for the calls to come. */
void store_set_patience(Store *store, int patience);

/* NULL is fine. What was begun and not ended is not written. */
void store_close(Store *store);

/* All that is put and removed between these two is written at once, or nothing. store_end writes if `status`
 * is good, and returns the first failure. */
Status store_begin(Store *store);
Status store_end(Store *store, Status status);

/* All that is read between this and store_end is of one moment, and costs less than in calls of their own. */
Status store_begin_reading(Store *store);

/* Adds a row unless the one there is worth more (row_compare) or equal; `*changed` (NULL: nobody asks) says
 * whether something was written. A damaged row is worth nothing. Between store_begin and store_end. */
Status store_put(Store *store, const Row *row, bool *changed);

/* What is taken of each row. `fault`: the reason why it is damaged, and `row` then has only its key and the
 * members that could be read; NULL when it is sound. A failure ends the walk and is returned. */
typedef Status StoreTake(void *context, const Row *row, const Status *fault);

/* Walks over all rows in the order of their keys and sources, which is the same for equal sets of rows; or
 * over those of one position (not NULL). */
Status store_each(Store *store, const Position *pos, StoreTake *take, void *context);

/* What is removed: rows that any of the conditions names. */
typedef struct StorePrune {
    int depth;       /* shallower ones; 0: none */
    int64_t date;    /* older ones, seconds since 1970; those without a date are no older. 0: none */
    const char *net; /* those of other networks; NULL: none */
    int64_t keep;    /* all but the deepest N; -1: none */
    bool only_exact; /* those whose score is only a bound */
} StorePrune;

/* Between store_begin and store_end. */
Status store_prune(Store *store, const StorePrune *prune, int64_t *removed);

/* Gives the space of what was removed back. Not between store_begin and store_end. */
Status store_compact(Store *store);

/* Whether SQLite finds the file whole; the reason names the first damage. Reads all of it. */
Status store_check_file(Store *store);

#endif
