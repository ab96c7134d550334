#include "lab/study/worker_pool.h"

#include "base/clock.h"
#include "base/memory.h"
#include "lab/kit/process.h"

#include <string.h>
#include <unistd.h>

enum {
    FIRST_PAUSE = 100, /* milliseconds before a lost engine is started again; twice as long each time */
    LONGEST_PAUSE = 60 * 1000,
    LOOK = 50,
    PROOF_LIMIT = 60 * 1000 * 1000 /* microseconds for a search that shows what an engine is */
};

/* --- places --- */

static bool is_shell_word(TextView text) {
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-[]~";
    for (size_t i = 0; i < text.length; i++)
        if (strchr(PLAIN, text.data[i]) == NULL) return false;
    return text.length > 0;
}

/* Takes the host off the front: up to a colon, or in brackets, as IPv6 has colons of its own. */
static TextView take_host(TextView *rest) {
    TextView host;
    const char *bracket =
        rest->length > 0 && rest->data[0] == '[' ? memchr(rest->data, ']', rest->length) : NULL;
    if (bracket == NULL) {
        text_split(rest, ':', &host);
        return host;
    }
    host = (TextView){rest->data + 1, (size_t)(bracket - rest->data) - 1};
    TextView skipped;
    text_split(rest, ']', &skipped);
    text_split(rest, ':', &skipped);
    return host;
}

Status worker_place_parse(WorkerPlace *place, TextView text) {
    TextView rest = text, kind, host = text_view(NULL), count;
    int64_t number = 1;
    *place = (WorkerPlace){0};
    text_split(&rest, ':', &kind);
    const bool is_remote = text_equals(kind, "ssh");
    if (!is_remote && !text_equals(kind, "local"))
        return status_error("worker '%.*s': local:N or ssh:HOST:N, and perhaps :PROGRAM", (int)text.length,
                            text.data);
    if (is_remote) {
        host = take_host(&rest);
        if (!is_shell_word(host) || host.data[0] == '-' || host.length >= sizeof place->host - 8)
            return status_error("worker '%.*s': '%.*s' is no name of a computer", (int)text.length, text.data,
                                (int)host.length, host.data);
    }
    text_split(&rest, ':', &count);
    if (count.length > 0 && (!text_parse_int64(count, &number) || number < 1 || number > POOL_WORKERS_MAX))
        return status_error("worker '%.*s': '%.*s' is no number of engines from 1 to %d", (int)text.length,
                            text.data, (int)count.length, count.data, POOL_WORKERS_MAX);
    if (rest.length >= sizeof place->program)
        return status_error("worker '%.60s...': the program is too long", text.data);
    place->count = (int)number;
    text_copy(host, place->host, sizeof place->host);
    text_copy(rest, place->program, sizeof place->program);
    text_format(place->name, sizeof place->name, "%s%s", is_remote ? "ssh:" : "local", place->host);
    return status_ok();
}

/* As one word of the shell over there. A tilde and what follows it must stay bare, to mean a home. */
static void append_word(TextBuffer *out, const char *word) {
    if (is_shell_word(text_view(word))) {
        buffer_append_string(out, word);
        return;
    }
    buffer_append_char(out, '\'');
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'')
            buffer_append_string(out, "'\\''");
        else
            buffer_append_char(out, *c);
    }
    buffer_append_char(out, '\'');
}

Status worker_place_configure(const WorkerPlace *place, const EngineConfig *base, EngineConfig *config) {
    /* A computer that is switched off must be noticed; nobody is there to type a password. */
    static const char *const SSH[] = {"-T",
                                      "-o",
                                      "BatchMode=yes",
                                      "-o",
                                      "ConnectTimeout=10",
                                      "-o",
                                      "ServerAliveInterval=5",
                                      "-o",
                                      "ServerAliveCountMax=3"};
    enum { SSH_WORDS = sizeof SSH / sizeof SSH[0] };
    *config = *base;
    if (place->program[0] != '\0')
        text_copy(text_view(place->program), config->command, sizeof config->command);
    text_copy(text_view(place->name), config->name, sizeof config->name);
    if (place->host[0] == '\0') {
        /* A program in this folder need not be in PATH. */
        char found[PROCESS_PATH_CAPACITY], here[ENGINE_PATH_CAPACITY];
        text_format(here, sizeof here, "./%s", config->command);
        const bool is_here = strchr(config->command, '/') == NULL && config->folder[0] == '\0' &&
                             !process_find_program(config->command, found) && access(here, X_OK) == 0;
        if (is_here) text_copy(text_view(here), config->command, sizeof config->command);
        return status_ok();
    }
    TextBuffer command = {0};
    if (base->folder[0] != '\0') {
        buffer_append_string(&command, "cd ");
        append_word(&command, base->folder);
        buffer_append_string(&command, " && ");
    }
    buffer_append_string(&command, "exec ");
    append_word(&command, config->command);
    for (int i = 0; i < base->argument_count; i++) {
        buffer_append_char(&command, ' ');
        append_word(&command, base->arguments[i]);
    }
    const bool fits = !command.failed && command.length < ENGINE_ARGUMENT_CAPACITY;
    config->folder[0] = '\0';
    text_copy(text_view("ssh"), config->command, sizeof config->command);
    for (int i = 0; i < SSH_WORDS; i++)
        text_copy(text_view(SSH[i]), config->arguments[i], ENGINE_ARGUMENT_CAPACITY);
    text_copy(text_view(place->host), config->arguments[SSH_WORDS], ENGINE_ARGUMENT_CAPACITY);
    text_copy(buffer_view(&command), config->arguments[SSH_WORDS + 1], ENGINE_ARGUMENT_CAPACITY);
    config->argument_count = SSH_WORDS + 2;
    buffer_release(&command);
    return fits ? status_ok() : status_error("worker %s: the command over there is too long", place->name);
}

/* --- the thread of a worker --- */

static void post(Worker *worker, WorkerEvent event, WorkerState state) {
    WorkerPool *pool = worker->pool;
    mutex_lock(&pool->lock);
    worker->event = event;
    worker->state = state;
    condition_signal_all(&pool->happened);
    mutex_unlock(&pool->lock);
}

static bool must_leave(const Worker *worker) { return atomic_load(&worker->leave); }

static void note_view(void *context, const UciInfo *info, int64_t elapsed) {
    Worker *worker = context;
    (void)elapsed;
    if (info->multi_pv != 1) return;
    mutex_lock(&worker->pool->lock);
    worker->view.depth = info->depth;
    worker->view.nodes = info->nodes;
    worker->view.score = info->score;
    if (info->pv.length > 0) text_copy(info->pv, worker->view.line, sizeof worker->view.line);
    mutex_unlock(&worker->pool->lock);
}

static Fault search(Worker *worker, UciClient *client, const char *position, const char *go, int64_t limit,
                    bool is_watched) {
    SearchRequest request = {.position = text_view(position),
                             .go = text_view(go),
                             .time_limit = limit,
                             .context = worker,
                             .info = is_watched ? note_view : NULL,
                             .stop = is_watched && worker->pool->watches ? &worker->stop : NULL};
    return uci_client_search(client, &request, &worker->report);
}

/* Overdrawing is no fault here: the engine was stopped, and what it found counts. */
static bool has_answered(Fault fault) {
    return fault == FAULT_NONE || fault == FAULT_TIME || fault == FAULT_TIME_MACHINE;
}

/* What ssh has to say is in the file of errors. */
static void note_reason(Worker *worker, const char *what, const char *reason) {
    const char *errors = worker->pool->errors;
    worker->is_cut_off = worker->is_remote && strstr(reason, "exited with status 255") != NULL;
    if (!worker->is_cut_off)
        text_copy(text_view(reason), worker->reason, sizeof worker->reason);
    else
        text_format(worker->reason, sizeof worker->reason, "%s: ssh exited with status 255%s%.120s", what,
                    errors != NULL ? ", and says why in " : "", errors != NULL ? errors : "");
}

static void note_loss(Worker *worker, Fault fault) {
    char reason[STATUS_CAPACITY];
    text_format(reason, sizeof reason, "%s%s%s", fault_name(fault),
                worker->report.detail[0] != '\0' ? ": " : "", worker->report.detail);
    note_reason(worker, "the connection is lost", reason);
}

/* Whether searches of this engine are the same each time. */
static bool is_repeatable(const EngineConfig *config) {
    const char *threads = engine_config_option(config, "Threads");
    return threads == NULL || strcmp(threads, "1") == 0;
}

/* Finds out what the engine is. False when it is none. */
static bool identify(Worker *worker, UciClient *client) {
    static const char PROOF[] =
        "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
    WorkerIdentity *identity = &worker->identity;
    const SearchReport *report = &worker->report;
    char score[UCI_SCORE_CAPACITY];
    *identity = (WorkerIdentity){0};
    text_copy_printable(text_view(uci_client_engine_name(client)), identity->name, sizeof identity->name);
    Fault fault = search(worker, client, PROOF, "go depth 7", PROOF_LIMIT, false);
    if (has_answered(fault) && is_repeatable(&worker->config)) {
        uci_score_write(report->info.score, score);
        text_format(identity->proof, sizeof identity->proof, "%s %s %lld", report->best_move, score,
                    (long long)report->info.nodes);
        text_blank_hidden(identity->proof);
    }
    if (has_answered(fault))
        fault = search(worker, client, PROOF, "go depth 2 searchmoves h2h3", PROOF_LIMIT, false);
    identity->has_searchmoves = strcmp(report->best_move, "h2h3") == 0;
    if (has_answered(fault)) return true;
    note_loss(worker, fault);
    return false;
}

/* Starts the engine; NULL, with the reason noted, when that fails. */
static UciClient *start(Worker *worker) {
    UciClient *client = NULL;
    const Status status = uci_client_start(&worker->options, &client);
    if (!status_is_ok(&status)) {
        note_reason(worker, "cannot be reached", status.reason);
        return NULL;
    }
    if (identify(worker, client)) return client;
    uci_client_stop(client);
    return NULL;
}

/* Waits for a question. False when the engine must end first. */
static bool await_question(Worker *worker) {
    WorkerPool *pool = worker->pool;
    mutex_lock(&pool->lock);
    while (!worker->has_question && !worker->must_rest && !must_leave(worker))
        condition_wait(&worker->ordered, &pool->lock);
    const bool has_question = worker->has_question && !must_leave(worker);
    worker->has_question = false;
    mutex_unlock(&pool->lock);
    return has_question;
}

static void answer_questions(Worker *worker, UciClient *client) {
    Fault fault = FAULT_NONE;
    while (has_answered(fault) && await_question(worker)) {
        const WorkerQuestion *question = &worker->question;
        fault = search(worker, client, question->position, question->go, question->time_limit, true);
        if (has_answered(fault)) {
            worker->pause = FIRST_PAUSE;
            post(worker, WORKER_ANSWERED, WORKER_WAITS);
        } else {
            note_loss(worker, fault);
        }
    }
    uci_client_stop(client);
    if (!has_answered(fault) && !must_leave(worker)) post(worker, WORKER_LOST, WORKER_RESTS);
}

/* Until the engine is to be started again. */
static void rest(Worker *worker) {
    WorkerPool *pool = worker->pool;
    mutex_lock(&pool->lock);
    worker->state = WORKER_RESTS;
    if (worker->must_rest) worker->pause = LONGEST_PAUSE;
    worker->must_rest = false;
    const int64_t end = clock_milliseconds() + worker->pause;
    for (int64_t left; (left = end - clock_milliseconds()) > 0 && !must_leave(worker);)
        condition_wait_for(&worker->ordered, &pool->lock, left);
    /* What the coordinator has not read yet must stay. */
    while (worker->event != WORKER_SILENT && !must_leave(worker))
        condition_wait_for(&worker->ordered, &pool->lock, LOOK);
    worker->pause = 2 * worker->pause < LONGEST_PAUSE ? 2 * worker->pause : LONGEST_PAUSE;
    worker->state = WORKER_STARTS;
    mutex_unlock(&pool->lock);
}

static void run_worker(void *argument) {
    Worker *worker = argument;
    worker->pause = FIRST_PAUSE;
    while (!must_leave(worker)) {
        UciClient *client = start(worker);
        if (client == NULL) {
            if (!must_leave(worker)) post(worker, WORKER_LOST, WORKER_RESTS);
        } else {
            post(worker, WORKER_READY, WORKER_WAITS);
            answer_questions(worker, client);
        }
        if (!must_leave(worker)) rest(worker);
    }
    post(worker, WORKER_SILENT, WORKER_GONE);
}

/* --- the coordinator's side --- */

void worker_pool_begin(WorkerPool *pool) {
    mutex_init(&pool->lock);
    condition_init(&pool->happened);
}

static Status add_worker(WorkerPool *pool, const WorkerPlace *place, int number, int which,
                         const EngineConfig *base) {
    Worker **workers = memory_grow(pool->workers, (size_t)pool->count, sizeof *workers);
    if (workers == NULL) return status_no_memory("a worker");
    pool->workers = workers;
    Worker *worker = memory_allocate(sizeof *worker);
    if (worker == NULL) return status_no_memory("a worker");
    worker->pool = pool;
    worker->place = number;
    worker->is_remote = place->host[0] != '\0';
    text_format(worker->name, sizeof worker->name, "%s %d", place->name, which + 1);
    condition_init(&worker->ordered);
    Status status = worker_place_configure(place, base, &worker->config);
    worker->options = (UciClientOptions){.config = &worker->config,
                                         .number = which + 1,
                                         .error_log = pool->errors,
                                         .chess960 = pool->chess960,
                                         .start_timeout = worker->is_remote ? 30000 : 0,
                                         .cancel = &worker->leave};
    if (status_is_ok(&status)) status = thread_start(&worker->thread, run_worker, worker);
    if (!status_is_ok(&status)) {
        condition_destroy(&worker->ordered);
        memory_release(worker);
        return status;
    }
    mutex_lock(&pool->lock);
    workers[pool->count++] = worker;
    mutex_unlock(&pool->lock);
    return status;
}

Status worker_pool_add(WorkerPool *pool, const WorkerPlace *place, int number, const EngineConfig *base) {
    Status status = status_ok();
    for (int i = 0; i < place->count && status_is_ok(&status); i++) {
        if (pool->count >= POOL_WORKERS_MAX) return status_error("at most %d workers", POOL_WORKERS_MAX);
        status = add_worker(pool, place, number, i, base);
    }
    return status;
}

static void dismiss(Worker *worker) {
    atomic_store(&worker->leave, true);
    mutex_lock(&worker->pool->lock);
    condition_signal_all(&worker->ordered);
    mutex_unlock(&worker->pool->lock);
}

void worker_pool_remove(WorkerPool *pool, int place) {
    for (int i = 0; i < pool->count; i++)
        if (pool->workers[i]->place == place) dismiss(pool->workers[i]);
}

void worker_pool_end(WorkerPool *pool) {
    for (int i = 0; i < pool->count; i++) dismiss(pool->workers[i]);
    for (int i = 0; i < pool->count; i++) {
        thread_join(&pool->workers[i]->thread);
        condition_destroy(&pool->workers[i]->ordered);
        memory_release(pool->workers[i]);
    }
    memory_release(pool->workers);
    condition_destroy(&pool->happened);
    mutex_destroy(&pool->lock);
}

static Worker *find_event(const WorkerPool *pool) {
    for (int i = 0; i < pool->count; i++)
        if (pool->workers[i]->event != WORKER_SILENT) return pool->workers[i];
    return NULL;
}

void worker_pool_wait(WorkerPool *pool, int64_t milliseconds) {
    mutex_lock(&pool->lock);
    if (find_event(pool) == NULL && !pool->nudged)
        condition_wait_for(&pool->happened, &pool->lock, milliseconds);
    pool->nudged = false;
    mutex_unlock(&pool->lock);
}

void worker_pool_nudge(WorkerPool *pool) {
    mutex_lock(&pool->lock);
    pool->nudged = true;
    condition_signal_all(&pool->happened);
    mutex_unlock(&pool->lock);
}

Worker *worker_pool_take_event(WorkerPool *pool, WorkerEvent *event) {
    mutex_lock(&pool->lock);
    Worker *worker = find_event(pool);
    *event = WORKER_SILENT;
    if (worker != NULL) {
        *event = worker->event;
        worker->event = WORKER_SILENT;
    }
    mutex_unlock(&pool->lock);
    return worker;
}

Worker *worker_pool_find_idle(WorkerPool *pool) {
    Worker *found = NULL;
    mutex_lock(&pool->lock);
    for (int i = 0; i < pool->count && found == NULL; i++) {
        Worker *worker = pool->workers[i];
        const bool is_free = worker->state == WORKER_WAITS && worker->event == WORKER_SILENT;
        if (is_free && !worker->is_refused && !must_leave(worker)) found = worker;
    }
    mutex_unlock(&pool->lock);
    return found;
}

int worker_pool_count(WorkerPool *pool) {
    int count = 0;
    mutex_lock(&pool->lock);
    for (int i = 0; i < pool->count; i++) {
        const Worker *worker = pool->workers[i];
        count += (worker->state == WORKER_WAITS || worker->state == WORKER_WORKS) && !worker->is_refused;
    }
    mutex_unlock(&pool->lock);
    return count;
}

static void order(WorkerPool *pool, Worker *worker, bool is_question, WorkerState state) {
    mutex_lock(&pool->lock);
    *(is_question ? &worker->has_question : &worker->must_rest) = true;
    worker->state = state;
    worker->view = (WorkerView){0};
    condition_signal_all(&worker->ordered);
    mutex_unlock(&pool->lock);
}

void worker_pool_ask(WorkerPool *pool, Worker *worker, const WorkerQuestion *question) {
    worker->question = *question;
    worker->asked = clock_microseconds();
    atomic_store(&worker->stop, false);
    order(pool, worker, true, WORKER_WORKS);
}

void worker_pool_refuse(WorkerPool *pool, Worker *worker) { order(pool, worker, false, WORKER_RESTS); }

void worker_pool_stop_searches(WorkerPool *pool) {
    for (int i = 0; i < pool->count; i++) atomic_store(&pool->workers[i]->stop, true);
}

WorkerState worker_pool_look(WorkerPool *pool, const Worker *worker, WorkerView *view) {
    mutex_lock(&pool->lock);
    const WorkerState state = worker->state;
    *view = worker->view;
    mutex_unlock(&pool->lock);
    return state;
}
