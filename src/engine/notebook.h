/* The notebook: what an engine's analyses find goes into a store, and comes back when it analyses again. For
 * the engine alone, which calls from one thread. */
#ifndef LUFT_ENGINE_NOTEBOOK_H
#define LUFT_ENGINE_NOTEBOOK_H

#include "nnue/evaluate.h"
#include "search/limits.h"
#include "search/tt.h"

typedef enum NotebookMode { NOTEBOOK_OFF, NOTEBOOK_READ, NOTEBOOK_WRITE } NotebookMode;

typedef struct Notebook Notebook;

/* NULL when there is no memory. */
Notebook *notebook_create(void);
void notebook_destroy(Notebook *notebook); /* NULL is fine; after notebook_end */

/* Which store, by its path; one that is open is closed. It is opened when it is needed. Empty: none. */
Status notebook_set_file(Notebook *notebook, TextView path);

/* Whether a store at `path` can be used in that mode; empty: it can. Opens it, and makes it where searches
 * will write. A store of another program that writes can. Where nothing is used yet it need not exist, and
 * nothing is made. The open one stays. */
Status notebook_check(TextView path, NotebookMode mode);

/* Its path; empty: none. */
const char *notebook_file(const Notebook *notebook);

/* What the scores of the searches to come depend on, next to the position. */
typedef struct NotebookSource {
    const Network *network;
    const Syzygy *tables; /* NULL: none */
    bool fifty_move_rule;
} NotebookSource;

/* At the end, or with another network or other tablebases: what is open is closed. What still waits to be
 * written because another program writes is written, with more patience than in between; if that fails it is
 * lost, and notebook_take_fault says so. */
void notebook_close(Notebook *notebook);

/* Begins with the search of `root`, which will use `limits` and `table`; all stay in place until
 * notebook_end. Returns the notes for its limits; NULL when there is no store, or none that can be used
 * (notebook_take_fault). */
const SearchNotes *notebook_begin(Notebook *notebook, NotebookMode mode, const NotebookSource *source,
                                  const Position *root, const SearchLimits *limits,
                                  const TranspositionTable *table);

/* After the search: writes what was found. While another program writes that waits for the next search, or
 * for notebook_close. Harmless at other times. */
void notebook_end(Notebook *notebook);

/* Why a store was not used or not written; good when nothing was wrong since the last call. The same failure
 * is reported once for a store; another program that writes is one when it has done so for a minute. */
Status notebook_take_fault(Notebook *notebook);

/* Why the store is not tried again, after a failure; good when it is. */
Status notebook_refusal(Notebook *notebook);

#endif
