#include "engine/notebook.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sync.h"
#include "engine/version.h"
#include "nnue/network.h"
#include "search/params.h"
#include "store/harvest.h"
#include "store/recall.h"

#include <inttypes.h>
#include <time.h>

/* In milliseconds, but for the refusals. */
enum {
    INTERVAL = 30000,        /* between two harvests */
    PATIENCE = 1000,         /* with another program that writes */
    LAST_PATIENCE = 10000,   /* at the end, when there is no next time */
    PATIENCE_IN_ALL = 60000, /* then, and after this many refusals in a row, it is a failure */
    REFUSALS = 3
};

/* In microseconds, but for the shares. */
enum {
    HARVEST_TIME = 190000,    /* of one harvest */
    GATHER_SHARE = 50,        /* per cent of it; the rest is for writing */
    HARVEST_LEAST = 5000,     /* of the one at the end of a short search */
    HARVEST_SHARE = 25,       /* ... which takes no more than this part of the search */
    FIRST_FILL_TIME = 200000, /* before the first node, while nothing but the known lines is on the screen */
    FILL_TIME = 2000000,      /* during the search */
    FILL_STEP = 20000
};

/* A thread writes and fills. It and the search thread (begin, take) share what is named below; the store is
 * used by one of them at a time: by the search thread until `is_begun`, by the other one until it ends. */
struct Notebook {
    char path[FILE_PATH_CAPACITY];
    Store *store; /* NULL: not open */
    NotebookMode mode;
    RowSource source;
    Harvest *harvest;
    Recall *recall;

    /* Of the search in progress. */
    SearchNotes notes;
    SearchInfo *known; /* ROW_LINES_MAX of them, like `found` and `harvested` */
    const Position *root;
    const TranspositionTable *table;
    bool is_limited, is_running;
    int64_t start;
    Thread thread;
    SearchInfo *harvested;

    int64_t busy_since; /* milliseconds: of the first of `refusals` in a row, because another program wrote */
    int refusals;
    bool is_busy_named;

    /* Guarded by the mutex. */
    Mutex mutex;
    Condition changed;
    bool is_begun, is_over;
    bool is_refused; /* the store cannot be opened, or fails: not tried again until it is another one */
    Status refusal;  /* why */
    Status fault;
    SearchInfo *found;
    int found_count;
};

Notebook *notebook_create(void) {
    Notebook *notebook = memory_allocate(sizeof *notebook);
    if (notebook == NULL) return NULL;
    mutex_init(&notebook->mutex);
    condition_init(&notebook->changed);
    return notebook;
}

void notebook_destroy(Notebook *notebook) {
    if (notebook == NULL) return;
    notebook_close(notebook);
    memory_release(notebook->known);
    memory_release(notebook->found);
    memory_release(notebook->harvested);
    condition_destroy(&notebook->changed);
    mutex_destroy(&notebook->mutex);
    memory_release(notebook);
}

static Status refuse_length(void) {
    return status_error("the name of the store is longer than %d bytes", FILE_PATH_CAPACITY - 1);
}

Status notebook_set_file(Notebook *notebook, TextView path) {
    if (!FILES_EXIST) return text_is_empty(path) ? status_ok() : status_error("this build has no files");
    if (path.length >= sizeof notebook->path) return refuse_length();
    notebook_close(notebook);
    text_copy(path, notebook->path, sizeof notebook->path);
    return status_ok();
}

const char *notebook_file(const Notebook *notebook) { return notebook->path; }

Status notebook_take_fault(Notebook *notebook) {
    mutex_lock(&notebook->mutex);
    const Status fault = notebook->fault;
    notebook->fault = status_ok();
    mutex_unlock(&notebook->mutex);
    return fault;
}

Status notebook_refusal(Notebook *notebook) {
    mutex_lock(&notebook->mutex);
    const Status refusal = notebook->is_refused ? notebook->refusal : status_ok();
    mutex_unlock(&notebook->mutex);
    return refusal;
}

/* Whether it is no failure yet: while another program writes, what this one would write waits. */
static bool may_wait(Notebook *notebook, const Status *status) {
    if (status->kind != STATUS_BUSY || notebook->mode != NOTEBOOK_WRITE) return false;
    const int64_t now = clock_milliseconds();
    if (notebook->refusals++ == 0) notebook->busy_since = now;
    if (notebook->refusals < REFUSALS || now - notebook->busy_since < PATIENCE_IN_ALL) return true;
    const bool is_named = notebook->is_busy_named;
    notebook->is_busy_named = true;
    return is_named;
}

static void fail(Notebook *notebook, const Status *status) {
    if (status_is_ok(status) || may_wait(notebook, status)) return;
    mutex_lock(&notebook->mutex);
    if (status_is_ok(&notebook->fault)) notebook->fault = *status;
    if (status->kind != STATUS_BUSY) {
        notebook->is_refused = true;
        notebook->refusal = *status;
    }
    mutex_unlock(&notebook->mutex);
}

/* --- opening --- */

Status notebook_check(TextView path, NotebookMode mode) {
    char name[FILE_PATH_CAPACITY];
    if (!FILES_EXIST || text_is_empty(path)) return status_ok();
    if (path.length >= sizeof name) return refuse_length();
    text_copy(path, name, sizeof name);
    Status status = status_ok();
    if (mode != NOTEBOOK_READ && file_size(name) < 0) status = file_check_name(name);
    if (!status_is_ok(&status) || (mode == NOTEBOOK_OFF && file_size(name) < 0)) return status;
    store_close(store_open(name, mode == NOTEBOOK_WRITE ? STORE_WRITE : STORE_READ, PATIENCE, &status));
    return status.kind == STATUS_BUSY ? status_ok() : status;
}

/* A hash of the numbers and switches of the search: those of a release are known by its version, but what one
 * version finds is worth as much to the next. */
static uint64_t hash_params(void) {
    const Params numbers = params;
    const Techniques switches = techniques;
    return bytes_hash_more(bytes_hash(&numbers, sizeof numbers), &switches, sizeof switches);
}

static RowSource describe(const NotebookSource *from) {
    RowSource source = {.engine = ENGINE_NAME};
    text_copy(text_view(version_name()), source.version, sizeof source.version);
    text_format(source.net, sizeof source.net, "%016" PRIx64, network_hash(from->network));
    const size_t length =
        text_format(source.params, sizeof source.params, "%08x", (unsigned)(hash_params() >> 32));
    if (from->tables != NULL)
        text_format(source.params + length, sizeof source.params - length, " tablebases %d%s",
                    from->tables->largest, from->fifty_move_rule ? "" : " without fifty-move rule");
    return source;
}

static Status allocate(Notebook *notebook) {
    if (notebook->known == NULL) notebook->known = memory_allocate(ROW_LINES_MAX * sizeof(SearchInfo));
    if (notebook->found == NULL) notebook->found = memory_allocate(ROW_LINES_MAX * sizeof(SearchInfo));
    if (notebook->harvested == NULL)
        notebook->harvested = memory_allocate(ROW_LINES_MAX * sizeof(SearchInfo));
    return notebook->known != NULL && notebook->found != NULL && notebook->harvested != NULL
               ? status_ok()
               : status_no_memory("the store");
}

static Status open_store(Notebook *notebook, int patience) {
    Status status = status_ok();
    if (notebook->store == NULL)
        notebook->store = store_open(
            notebook->path, notebook->mode == NOTEBOOK_WRITE ? STORE_WRITE : STORE_READ, patience, &status);
    return status;
}

static Status open_notebook(Notebook *notebook, NotebookMode mode, const NotebookSource *source) {
    Status status = allocate(notebook);
    if (!status_is_ok(&status)) return status;
    if (notebook->mode != mode) notebook_close(notebook);
    notebook->mode = mode;
    if (notebook->store == NULL && notebook->harvest == NULL) notebook->source = describe(source);
    if (mode == NOTEBOOK_WRITE && notebook->harvest == NULL) {
        notebook->harvest = harvest_create(&notebook->source, source->network);
        if (notebook->harvest == NULL) return status_no_memory("the store");
    }
    return open_store(notebook, PATIENCE);
}

static Status write_waiting(Notebook *notebook, int patience) {
    int rows;
    Status status = open_store(notebook, patience);
    if (!status_is_ok(&status)) return status;
    store_set_patience(notebook->store, patience);
    status = harvest_write(notebook->harvest, notebook->store, &rows);
    if (status_is_ok(&status)) {
        notebook->refusals = 0;
        notebook->is_busy_named = false;
    }
    return status;
}

static void write_last(Notebook *notebook) {
    const size_t rows = notebook->harvest == NULL ? 0 : harvest_waiting(notebook->harvest);
    if (rows == 0 || notebook->is_refused) return;
    const Status status = write_waiting(notebook, LAST_PATIENCE);
    if (status_is_ok(&status)) return;
    mutex_lock(&notebook->mutex);
    notebook->fault = status_error("%zu positions are not kept: %s", rows, status.reason);
    mutex_unlock(&notebook->mutex);
}

/* Where no files exist nothing is ever open: with these words the linker leaves the store out of a page. */
void notebook_close(Notebook *notebook) {
    if (!FILES_EXIST) return;
    write_last(notebook);
    harvest_destroy(notebook->harvest);
    notebook->harvest = NULL;
    store_close(notebook->store);
    notebook->store = NULL;
    notebook->is_refused = notebook->is_busy_named = false;
    notebook->refusals = 0;
}

/* --- on the search thread --- */

static void begin_search(void *context) {
    Notebook *notebook = context;
    bool done = false;
    if (notebook->recall != NULL) {
        const Status status = recall_fill(notebook->recall, notebook->table, FIRST_FILL_TIME, &done);
        fail(notebook, &status);
    }
    mutex_lock(&notebook->mutex);
    notebook->is_begun = true;
    condition_signal_all(&notebook->changed);
    mutex_unlock(&notebook->mutex);
}

static void take_line(void *context, const SearchInfo *info) {
    Notebook *notebook = context;
    if (info->bound != BOUND_EXACT || info->multi_pv > ROW_LINES_MAX) return;
    mutex_lock(&notebook->mutex);
    notebook->found[info->multi_pv - 1] = *info;
    notebook->found_count = info->multi_pv;
    mutex_unlock(&notebook->mutex);
}

/* --- on the notebook's own thread, and at the end --- */

static void write_harvest(Notebook *notebook, int64_t budget) {
    HarvestField field = {.table = notebook->table,
                          .root = notebook->root,
                          .lines = notebook->harvested,
                          .is_limited = notebook->is_limited,
                          .date = (int64_t)time(NULL)};
    mutex_lock(&notebook->mutex);
    field.line_count = notebook->found_count;
    for (int i = 0; i < field.line_count; i++) notebook->harvested[i] = notebook->found[i];
    mutex_unlock(&notebook->mutex);
    Status status = harvest_gather(notebook->harvest, &field, budget * GATHER_SHARE / 100);
    if (status_is_ok(&status)) status = write_waiting(notebook, PATIENCE);
    fail(notebook, &status);
}

/* Whether the search is over; waits for that for some milliseconds. The mutex is held. */
static bool wait_for_end(Notebook *notebook, int64_t milliseconds) {
    const int64_t end = clock_milliseconds() + milliseconds;
    int64_t left = milliseconds;
    while (!notebook->is_over && left > 0) {
        condition_wait_for(&notebook->changed, &notebook->mutex, left);
        left = end - clock_milliseconds();
    }
    return notebook->is_over;
}

static void accompany_search(void *context) {
    Notebook *notebook = context;
    const int64_t fill_end = clock_microseconds() + FILL_TIME;
    bool done = notebook->recall == NULL;
    mutex_lock(&notebook->mutex);
    while (!notebook->is_begun && !notebook->is_over) condition_wait(&notebook->changed, &notebook->mutex);
    while (!done && !notebook->is_over && !notebook->is_refused && clock_microseconds() < fill_end) {
        mutex_unlock(&notebook->mutex);
        const Status status = recall_fill(notebook->recall, notebook->table, FILL_STEP, &done);
        fail(notebook, &status);
        mutex_lock(&notebook->mutex);
    }
    while (!wait_for_end(notebook, INTERVAL)) {
        if (notebook->mode != NOTEBOOK_WRITE || notebook->is_refused) continue;
        mutex_unlock(&notebook->mutex);
        write_harvest(notebook, HARVEST_TIME);
        mutex_lock(&notebook->mutex);
    }
    mutex_unlock(&notebook->mutex);
}

/* --- on the owner's thread --- */

static Status read_known(Notebook *notebook, const SearchLimits *limits) {
    Status status = status_ok();
    SearchNotes *notes = &notebook->notes;
    if (notebook->store == NULL) return status; /* another program writes */
    notebook->recall = recall_create(notebook->store, notebook->root, &notebook->source);
    if (notebook->recall == NULL) return status_no_memory("the store");
    if (!notebook->is_limited)
        notes->depth = recall_lines(notebook->recall, int_clamp(limits->multi_pv, 1, ROW_LINES_MAX),
                                    notebook->known, &notes->line_count, &status);
    if (!status_is_ok(&status)) notes->depth = notes->line_count = 0;
    return status;
}

static void prepare(Notebook *notebook, const SearchLimits *limits) {
    notebook->notes = (SearchNotes){
        .context = notebook, .lines = notebook->known, .begin = begin_search, .take = take_line};
    Status status = read_known(notebook, limits);
    fail(notebook, &status);
    notebook->is_begun = notebook->is_over = false;
    notebook->found_count = 0;
    notebook->start = limits->start;
    if (!notebook->is_refused) {
        status = thread_start(&notebook->thread, accompany_search, notebook);
        notebook->is_running = status_is_ok(&status);
        fail(notebook, &status);
    }
    if (notebook->is_running) return;
    recall_destroy(notebook->recall);
    notebook->recall = NULL;
}

const SearchNotes *notebook_begin(Notebook *notebook, NotebookMode mode, const NotebookSource *source,
                                  const Position *root, const SearchLimits *limits,
                                  const TranspositionTable *table) {
    if (!FILES_EXIST || notebook->path[0] == '\0' || mode == NOTEBOOK_OFF || notebook->is_refused)
        return NULL;
    notebook->root = root;
    notebook->table = table;
    notebook->is_limited = limits->search_move_count > 0;
    Status status = open_notebook(notebook, mode, source);
    fail(notebook, &status);
    const bool waits = status.kind == STATUS_BUSY && mode == NOTEBOOK_WRITE;
    if (!status_is_ok(&status) && !waits) return NULL;
    prepare(notebook, limits);
    return notebook->is_running ? &notebook->notes : NULL;
}

void notebook_end(Notebook *notebook) {
    if (!FILES_EXIST || !notebook->is_running) return;
    mutex_lock(&notebook->mutex);
    notebook->is_over = true;
    condition_signal_all(&notebook->changed);
    mutex_unlock(&notebook->mutex);
    thread_join(&notebook->thread);
    notebook->is_running = false;
    if (notebook->mode == NOTEBOOK_WRITE && !notebook->is_refused) {
        const int64_t share = (clock_microseconds() - notebook->start) / HARVEST_SHARE;
        const int64_t time = share < HARVEST_TIME ? share : HARVEST_TIME;
        write_harvest(notebook, time > HARVEST_LEAST ? time : HARVEST_LEAST);
    }
    recall_destroy(notebook->recall);
    notebook->recall = NULL;
}
