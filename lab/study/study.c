#include "lab/study/study.h"

#include "base/clock.h"
#include "base/file.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <inttypes.h>
#include <string.h>

enum {
    LONG = 10,                         /* a search that takes this many times what others took is stopped */
    SHARED = 3,                        /* and after this many times, another worker may do it, too */
    SHORTEST_LIMIT = 20 * 1000 * 1000, /* microseconds */
    SHARED_LEAST = 5 * 1000 * 1000
};

static void say(Study *study, const char *text) { study->plan.say(study->plan.context, text); }

/* Says something of a place once: 32 engines of one computer are lost together. */
static void say_of_place(Study *study, int number, const char *text) {
    StudyPlace *place = &study->places[number];
    char sentence[2 * STATUS_CAPACITY];
    if (strcmp(place->said, text) == 0) return;
    text_copy(text_view(text), place->said, sizeof place->said);
    const bool is_named = text_starts_with(text_view(text), "engine "); /* the client's words */
    text_format(sentence, sizeof sentence, "%s%s%s", is_named ? "" : place->place.name, is_named ? "" : ": ",
                text);
    say(study, sentence);
}

void study_begin(Study *study, const StudyPlan *plan) {
    *study = (Study){.plan = *plan, .started = clock_milliseconds()};
    worker_pool_begin(&study->pool);
    study->pool.errors = plan->errors;
}

void study_end(Study *study) {
    worker_pool_end(&study->pool);
    study_close(study);
    if (study->plan.errors == NULL || file_size(study->plan.errors) != 0) return;
    const Status removed = file_remove(study->plan.errors);
    (void)removed; /* an empty file disturbs nobody */
}

/* --- tasks --- */

static int number_of(const Study *study, const Worker *worker) {
    int number = 0;
    while (study->pool.workers[number] != worker) number++;
    return number;
}

/* Takes the lease of a worker away; false when it had none of this position. */
static bool take_lease(Study *study, const Worker *worker, StudyLease *lease) {
    StudyLease *own = &study->leases[number_of(study, worker)];
    *lease = *own;
    *own = (StudyLease){0};
    if (!lease->is_given || lease->is_old) return false;
    study->out--;
    return true;
}

/* A task was not done. One on which engines fail again and again is left alone, so that it does not take all
 * of them down. */
static void drop_task(Study *study, const StudyLease *lease, bool is_fault) {
    TreeNode *node = &study->tree.nodes[lease->task.node];
    node->failures += is_fault;
    if (node->failures < STUDY_FAILURES_MAX) {
        if (!lease->is_shared) study_tree_give_back(&study->tree, &lease->task);
        return;
    }
    Move path[TREE_PLY_MAX];
    char text[STATUS_CAPACITY];
    const int length = study_tree_path(&study->tree, lease->task.node, path);
    size_t at =
        text_format(text, sizeof text, "%d engines failed on a position, which is left out:", node->failures);
    for (int i = 0; i < length; i++) {
        char move[LAN_CAPACITY];
        lan_write(&study->tree.root, path[i], move);
        at += text_format(text + at, sizeof text - at, " %s", move);
    }
    say(study, text);
}

/* --- places --- */

Status study_add_place(Study *study, const char *words, bool is_from_file) {
    if (study->place_count >= STUDY_PLACES_MAX) return status_error("at most %d workers", STUDY_PLACES_MAX);
    StudyPlace *place = &study->places[study->place_count];
    *place = (StudyPlace){.is_from_file = is_from_file};
    Status status = worker_place_parse(&place->place, text_view(words));
    if (status_is_ok(&status) && strlen(words) >= sizeof place->words)
        status = status_error("worker '%.60s...' is too long", words);
    if (!status_is_ok(&status)) return status;
    text_copy(text_view(words), place->words, sizeof place->words);
    status = worker_pool_add(&study->pool, &place->place, study->place_count, study->plan.engine);
    if (status_is_ok(&status)) study->place_count++;
    return status;
}

static void remove_workers(Study *study, int place) {
    worker_pool_remove(&study->pool, place);
    for (int i = 0; i < study->pool.count; i++) {
        StudyLease lease;
        if (study->pool.workers[i]->place != place) continue;
        if (take_lease(study, study->pool.workers[i], &lease)) drop_task(study, &lease, false);
        if (study->is_open) study_tree_forget_worker(&study->tree, i);
    }
}

Status study_restart_places(Study *study) {
    const int count = study->place_count;
    Status status = status_ok();
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        StudyPlace *place = &study->places[i];
        if (place->is_gone) continue;
        place->is_gone = true;
        remove_workers(study, i);
        status = study_add_place(study, place->words, place->is_from_file);
    }
    return status;
}

static StudyPlace *find_place(Study *study, TextView words) {
    for (int i = 0; i < study->place_count; i++)
        if (!study->places[i].is_gone && text_equals(words, study->places[i].words)) return &study->places[i];
    return NULL;
}

static void take_leave(Study *study, TextView content) {
    for (int i = 0; i < study->place_count; i++) {
        StudyPlace *place = &study->places[i];
        TextView rest = content, line;
        bool stays = !place->is_from_file || place->is_gone;
        while (!stays && text_next_line(&rest, &line)) stays = text_equals(text_trim(line), place->words);
        if (stays) continue;
        place->is_gone = true;
        remove_workers(study, i);
        say_of_place(study, i, "leaves the study");
    }
}

void study_read_places(Study *study, const char *path) {
    TextBuffer content = {0};
    TextView rest, line;
    Status status = file_read(path, &content);
    if (!status_is_ok(&status)) say(study, status.reason);
    rest = buffer_view(&content);
    while (status_is_ok(&status) && text_next_line(&rest, &line)) {
        char words[POOL_TEXT_CAPACITY];
        line = text_trim(line);
        if (line.length == 0 || line.data[0] == '#' || find_place(study, line) != NULL) continue;
        text_copy(line, words, sizeof words);
        const Status added = study_add_place(study, words, true);
        if (!status_is_ok(&added)) say(study, added.reason);
    }
    if (status_is_ok(&status)) take_leave(study, buffer_view(&content));
    buffer_release(&content);
}

/* --- positions --- */

/* The engine of this run and that of the record must be one. */
static Status agree_on_engine(Study *study) {
    Record *record = &study->record;
    if (!study->has_engine && !record->has_engine) return status_ok();
    if (!record->has_engine) return record_set_engine(record, study->engine, study->proof);
    const bool is_same =
        strcmp(record->engine, study->engine) == 0 && strcmp(record->proof, study->proof) == 0;
    if (study->has_engine && !is_same && !study->plan.any_engine)
        return status_error(
            "%.100s: these scores are of '%.40s', with its network and settings then; --again starts "
            "over",
            record->path, record->engine);
    if (!study->has_engine) {
        text_copy(text_view(record->engine), study->engine, sizeof study->engine);
        text_copy(text_view(record->proof), study->proof, sizeof study->proof);
    }
    study->has_engine = true;
    return status_ok();
}

Status study_open(Study *study, const RecordPlan *record, const Position *root) {
    study_close(study);
    Status status = study_tree_begin(&study->tree, root);
    text_copy(text_view(record->position), study->position, sizeof study->position);
    study->is_open = true;
    study->tree.no_rest_tasks = study->no_searchmoves;
    if (status_is_ok(&status)) status = record_open(&study->record, record, &study->tree);
    return status_is_ok(&status) ? agree_on_engine(study) : status;
}

static void forget_leases(Study *study) {
    for (int i = 0; i < POOL_WORKERS_MAX; i++) {
        StudyLease *lease = &study->leases[i];
        if (!lease->is_given || lease->is_old) continue;
        lease->is_old = true;
        if (!lease->is_shared) study_tree_give_back(&study->tree, &lease->task);
    }
    study->out = 0;
}

void study_close(Study *study) {
    if (!study->is_open) return;
    forget_leases(study);
    study->is_open = false;
    record_close(&study->record);
    study_tree_release(&study->tree);
}

void study_pause(Study *study) {
    study->is_paused = true;
    worker_pool_stop_searches(&study->pool);
    if (study->is_open) forget_leases(study);
}

void study_resume(Study *study) { study->is_paused = false; }

/* --- answers --- */

static void lose(Study *study, Worker *worker, const char *reason) {
    StudyLease lease;
    if (study->is_open) study_tree_forget_worker(&study->tree, number_of(study, worker));
    /* That a computer is gone says nothing against the position. */
    if (take_lease(study, worker, &lease)) drop_task(study, &lease, !worker->is_cut_off);
    text_copy(text_view(reason), study->failure, sizeof study->failure);
    say_of_place(study, worker->place, reason);
    worker->is_refused = true; /* until it is ready again */
}

/* An engine that started answers: is it the one whose scores the study is made of? */
static Status welcome(Study *study, Worker *worker) {
    const WorkerIdentity *identity = &worker->identity;
    char text[STATUS_CAPACITY];
    StudyLease lease;
    if (take_lease(study, worker, &lease)) drop_task(study, &lease, false);
    Status status = status_ok();
    if (!study->has_engine) {
        text_copy(text_view(identity->name), study->engine, sizeof study->engine);
        text_copy(text_view(identity->proof), study->proof, sizeof study->proof);
        study->has_engine = true;
        if (study->is_open) status = record_set_engine(&study->record, study->engine, study->proof);
    }
    if (!status_is_ok(&status)) return status;
    const bool has_name = strcmp(identity->name, study->engine) == 0;
    const bool has_proof =
        identity->proof[0] == '\0' || study->proof[0] == '\0' || strcmp(identity->proof, study->proof) == 0;
    worker->is_refused = !study->plan.any_engine && !(has_name && has_proof);
    if (worker->is_refused) {
        if (has_name)
            text_format(
                text, sizeof text,
                "left out: '%.40s' has another network, version or setting than that of the study, so "
                "their scores do not compare",
                identity->name);
        else
            text_format(
                text, sizeof text,
                "left out: its engine is '%.40s', and that of the study '%.40s', so their scores do not "
                "compare",
                identity->name, study->engine);
        text_copy(text_view(text), study->failure, sizeof study->failure);
        say_of_place(study, worker->place, text);
        if (study->is_open) study_tree_forget_worker(&study->tree, number_of(study, worker));
        worker_pool_refuse(&study->pool, worker);
        return status;
    }
    if (!identity->has_searchmoves && !study->no_searchmoves)
        say_of_place(
            study, worker->place,
            "its engine ignores searchmoves: further moves are searched one by one, which takes longer");
    else
        say_of_place(study, worker->place, "works");
    study->no_searchmoves |= !identity->has_searchmoves;
    study->tree.no_rest_tasks = study->no_searchmoves;
    study->has_worked = true;
    return status;
}

/* What a search found. */
static Status take_answer(Study *study, Worker *worker) {
    const int64_t taken = clock_microseconds() - worker->asked;
    StudyLease lease;
    Finding finding;
    Position pos;
    bool counts;
    if (!take_lease(study, worker, &lease) || !study_tree_is_open(&study->tree, &lease.task))
        return status_ok();
    study_tree_position(&study->tree, lease.task.node, &pos);
    Status status = finding_take(&finding, &pos, &worker->report);
    const bool is_bad = !status_is_ok(&status);
    if (is_bad || (lease.task.kind == TASK_REST &&
                   study_tree_child(&study->tree, lease.task.node, finding.line[0]) != TREE_NONE)) {
        if (!is_bad) status = status_error("answered with a move that searchmoves left out");
        drop_task(study, &lease, true);
        worker->is_refused = true;
        say_of_place(study, worker->place, status.reason);
        study_tree_forget_worker(&study->tree, number_of(study, worker));
        worker_pool_refuse(&study->pool, worker);
        return status_ok();
    }
    study->tree.nodes[lease.task.node].failures = 0;
    const int units = lease.task.units;
    worker->mean = (worker->mean * worker->finished + taken) / (worker->finished + units);
    worker->finished += units;
    study->mean = (study->mean * study->finished + taken) / (study->finished + units);
    study->finished += units;
    study->searched += finding.nodes;
    return record_add(&study->record, &lease.task, &finding, study->places[worker->place].place.name,
                      taken / 1000, &counts);
}

/* --- questions --- */

/* The moves that are no children, which a task of the rest is about. */
static void append_rest(const StudyTree *tree, const Task *task, TextBuffer *go) {
    Position pos;
    Move moves[MAX_MOVES];
    study_tree_position(tree, task->node, &pos);
    const int count = movegen_legal(&pos, moves);
    buffer_append_string(go, " searchmoves");
    for (int i = 0; i < count; i++) {
        char text[LAN_CAPACITY];
        if (study_tree_child(tree, task->node, moves[i]) != TREE_NONE) continue;
        lan_write(&pos, moves[i], text);
        buffer_append_format(go, " %s", text);
    }
}

static bool compose(const Study *study, const Worker *worker, const Task *task, WorkerQuestion *question) {
    const StudyTree *tree = &study->tree;
    Move path[TREE_PLY_MAX];
    TextBuffer position = {0}, go = {0};
    const int length = study_tree_path(tree, task->node, path);
    buffer_append_format(&position, "position %s", study->position);
    if (length > 0 && strstr(study->position, " moves ") == NULL) buffer_append_string(&position, " moves");
    for (int i = 0; i < length; i++) {
        char text[LAN_CAPACITY];
        lan_write(&tree->root, path[i], text);
        buffer_append_format(&position, " %s", text);
    }
    buffer_append_format(&go, "go nodes %" PRIu64, study->plan.nodes * (uint64_t)task->units);
    if (task->kind == TASK_REST) append_rest(tree, task, &go);
    const bool fits = !position.failed && !go.failed && position.length < sizeof question->position &&
                      go.length < sizeof question->go;
    text_copy(buffer_view(&position), question->position, sizeof question->position);
    text_copy(buffer_view(&go), question->go, sizeof question->go);
    const int64_t patience = (int64_t)(study->plan.patience * 1e6), usual = LONG * worker->mean;
    const int64_t least = patience < SHORTEST_LIMIT ? patience : SHORTEST_LIMIT;
    question->time_limit = task->units * (worker->finished == 0 ? patience : usual > least ? usual : least);
    buffer_release(&position);
    buffer_release(&go);
    return fits;
}

/* Those that take far longer than others: the computer may sleep, or be gone without a word. */
static void share_laggards(Study *study) {
    const int64_t now = clock_microseconds();
    const int64_t usual = SHARED * study->mean, limit = usual > SHARED_LEAST ? usual : SHARED_LEAST;
    for (int i = 0; i < study->pool.count && study->finished > 0; i++) {
        StudyLease *lease = &study->leases[i];
        if (!lease->is_given || lease->is_old || lease->is_shared) continue;
        if (now - study->pool.workers[i]->asked < limit * lease->task.units) continue;
        lease->is_shared = true;
        study_tree_give_back(&study->tree, &lease->task);
    }
}

static Status give_out(Study *study) {
    Worker *worker;
    Task task;
    Status status = status_ok();
    while (status_is_ok(&status) && !study->is_paused &&
           (worker = worker_pool_find_idle(&study->pool)) != NULL) {
        const bool is_enough = study->plan.tasks > 0 && study->record.tasks + study->out >= study->plan.tasks;
        const int known = study->tree.count;
        if (is_enough) break;
        const bool is_chosen = study_tree_choose(&study->tree, number_of(study, worker), &task);
        record_add_known(&study->record, known);
        if (!is_chosen) break;
        Finding finding;
        bool counts;
        if (record_find(&study->record, &task, study->plan.nodes, &finding)) {
            status = record_add(&study->record, &task, &finding, "store", 0, &counts);
            continue;
        }
        WorkerQuestion question;
        if (!compose(study, worker, &task, &question))
            continue; /* too far from the root: it stays given out */
        study->leases[number_of(study, worker)] = (StudyLease){.task = task, .is_given = true};
        study->out++;
        worker_pool_ask(&study->pool, worker, &question);
    }
    return status;
}

Status study_step(Study *study, int64_t milliseconds) {
    WorkerEvent event;
    Worker *worker;
    Status status = status_ok();
    worker_pool_wait(&study->pool, milliseconds);
    while (status_is_ok(&status) && (worker = worker_pool_take_event(&study->pool, &event)) != NULL) {
        switch (event) {
        case WORKER_READY: status = welcome(study, worker); break;
        case WORKER_ANSWERED: status = take_answer(study, worker); break;
        default: lose(study, worker, worker->reason); break;
        }
    }
    if (!study->is_open || !status_is_ok(&status)) return status;
    status = record_commit(&study->record);
    if (!status_is_ok(&status)) return status;
    share_laggards(study);
    study->tree.workers = worker_pool_count(&study->pool);
    status = give_out(study);
    return status_is_ok(&status) ? record_commit(&study->record) : status;
}

bool study_is_over(const Study *study) {
    if (study_tree_is_settled(&study->tree)) return true;
    return study->plan.tasks > 0 && study->out == 0 && study->record.tasks >= study->plan.tasks;
}

bool study_is_deserted(Study *study) {
    if (study->has_worked) return false;
    for (int i = 0; i < study->pool.count; i++) {
        const Worker *worker = study->pool.workers[i];
        WorkerView view;
        const WorkerState state = worker_pool_look(&study->pool, worker, &view);
        if (state != WORKER_GONE && !worker->is_refused) return false;
    }
    return study->failure[0] != '\0';
}
