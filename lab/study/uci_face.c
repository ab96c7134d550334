#include "lab/study/uci_face.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "lab/kit/console.h"

#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    LOOK = 200,             /* milliseconds between looks whether the reader must end */
    STEP = 50,              /* milliseconds for an answer of an engine */
    INPUT_MAX = 1 << 20,    /* bytes that wait to be read */
    START_PATIENCE = 20000, /* milliseconds that `isready` waits for an engine */
    LINES_MAX = 8,          /* of MultiPV */
    HASH_MAX = 1 << 20,     /* MB of each engine */
    TASKS_A_MOVE = 12,      /* of one engine, when there is a clock */
    OVERHEAD = 50           /* milliseconds */
};

/* A search as the chess program wants it. */
typedef struct FaceSearch {
    bool is_on, is_endless, has_deadline;
    int64_t start, deadline, time; /* clock_milliseconds; milliseconds for the move */
    uint64_t nodes;                /* 0: no limit */
    uint64_t nodes_before;
    int depth, shown_depth;
    int64_t shown_tasks;
    int live_depth;
} FaceSearch;

typedef struct Face {
    const StudySettings *settings;
    EngineConfig engine; /* with the Hash that the chess program wants */
    Study *study;
    StudyStart start;
    char key[17]; /* of the position that is open */
    int lines;
    FaceSearch search;
    Thread reader;
    Mutex lock; /* for what the reader shares */
    TextBuffer input;
    bool is_ended;
    atomic_bool over;
} Face;

/* --- input --- */

static void run_reader(void *argument) {
    Face *face = argument;
    bool more = true;
    while (more && !atomic_load(&face->over)) {
        struct pollfd entry = {STDIN_FILENO, POLLIN, 0};
        char bytes[4096];
        if (poll(&entry, 1, LOOK) <= 0) continue;
        const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
        more = got > 0;
        mutex_lock(&face->lock);
        if (more && face->input.length < INPUT_MAX)
            buffer_append(&face->input, (TextView){bytes, (size_t)got});
        face->is_ended = !more;
        mutex_unlock(&face->lock);
        worker_pool_nudge(&face->study->pool);
    }
}

/* The next line; false when there is none yet. At the end of input it is `quit`. */
static bool next_command(Face *face, TextBuffer *line) {
    buffer_clear(line);
    mutex_lock(&face->lock);
    const char *feed = face->input.length > 0 ? memchr(face->input.data, '\n', face->input.length) : NULL;
    const bool is_found = feed != NULL || face->is_ended;
    if (feed != NULL) {
        const size_t length = (size_t)(feed - face->input.data) + 1;
        buffer_append(line, text_trim((TextView){face->input.data, length}));
        memmove(face->input.data, face->input.data + length, face->input.length - length);
        buffer_cut(&face->input, face->input.length - length);
    } else if (face->is_ended) {
        buffer_append_string(line, "quit");
    }
    mutex_unlock(&face->lock);
    return is_found;
}

/* --- output --- */

static void send(const char *text) {
    text_printf(stdout, "%s\n", text);
    fflush(stdout);
}

static void say(void *context, const char *text) {
    (void)context;
    text_printf(stdout, "info string %s\n", text);
    fflush(stdout);
}

static void append_score(int score, TextBuffer *out) {
    if (score_is_mate(score))
        buffer_append_format(out, " score mate %d", score_mate_moves(score));
    else
        buffer_append_format(out, " score cp %d", score_to_centipawns(score));
}

/* As engines count: the plies to the end of the best line's tree, and what was searched from there. */
static int depth_of(const StudyTree *tree) {
    Move line[TREE_LINE_MAX];
    const int count = study_tree_line(tree, TREE_ROOT, line);
    int node = TREE_ROOT, depth = tree->nodes[TREE_ROOT].own.depth;
    for (int i = 0; i < count; i++) {
        const int child = study_tree_child(tree, node, line[i]);
        if (child == TREE_NONE || !tree->nodes[child].has_own) break;
        node = child;
        if (tree->nodes[node].ply + tree->nodes[node].own.depth > depth)
            depth = tree->nodes[node].ply + tree->nodes[node].own.depth;
    }
    return depth;
}

static void append_line_info(const Face *face, int number, int score, const Move *line, int count) {
    const FaceSearch *search = &face->search;
    const uint64_t nodes = face->study->searched - search->nodes_before;
    const int64_t elapsed = clock_milliseconds() - search->start;
    TextBuffer out = {0};
    buffer_append_format(&out, "info depth %d multipv %d", search->shown_depth, number);
    append_score(score, &out);
    buffer_append_format(&out, " nodes %" PRIu64 " nps %" PRIu64 " time %" PRId64 " pv", nodes,
                         elapsed > 0 ? nodes * 1000 / (uint64_t)elapsed : 0, elapsed);
    for (int i = 0; i < count; i++) {
        char move[LAN_CAPACITY];
        lan_write(&face->start.root, line[i], move);
        buffer_append_format(&out, " %s", move);
    }
    if (!out.failed) send(buffer_string(&out));
    buffer_release(&out);
}

/* What the tree says, when something has changed. */
static void show_tree(Face *face) {
    const StudyTree *tree = &face->study->tree;
    FaceSearch *search = &face->search;
    Move line[TREE_LINE_MAX];
    int children[LINES_MAX];
    if (face->study->record.tasks == search->shown_tasks || study_tree_best_move(tree) == MOVE_NONE) return;
    search->shown_tasks = face->study->record.tasks;
    const int depth = depth_of(tree);
    if (depth > search->shown_depth) search->shown_depth = depth;
    const int count = study_tree_line(tree, TREE_ROOT, line);
    append_line_info(face, 1, tree->nodes[TREE_ROOT].score, line, count);
    const int ranked = study_tree_rank(tree, TREE_ROOT, children, face->lines);
    for (int i = 0, number = 2; i < ranked && number <= face->lines; i++) {
        const TreeNode *child = &tree->nodes[children[i]];
        if (child->move == line[0]) continue;
        Move other[TREE_LINE_MAX + 1] = {child->move};
        const int moves = study_tree_line(tree, children[i], other + 1);
        append_line_info(face, number++, finding_score_before(study_tree_score(tree, children[i])), other,
                         moves + 1);
    }
}

/* Before the first task is done: what the engine that searches the root says meanwhile. */
static bool look_at_root(Face *face, WorkerView *view) {
    Study *study = face->study;
    for (int i = 0; i < study->pool.count; i++) {
        const StudyLease *lease = &study->leases[i];
        if (!lease->is_given || lease->is_old || lease->task.node != TREE_ROOT) continue;
        if (lease->task.kind != TASK_OWN) continue;
        worker_pool_look(&study->pool, study->pool.workers[i], view);
        if (view->line[0] != '\0') return true;
    }
    return false;
}

static bool root_move(const Face *face, const WorkerView *view, Move *move) {
    TextView rest = text_view(view->line);
    const Status status = lan_parse(&face->start.root, text_next_word(&rest), move);
    return status_is_ok(&status);
}

static void show_root(Face *face) {
    WorkerView view;
    Move move;
    if (face->study->tree.nodes[TREE_ROOT].has_own || !look_at_root(face, &view)) return;
    if (view.depth <= face->search.live_depth || !root_move(face, &view, &move)) return;
    face->search.live_depth = view.depth;
    if (view.depth > face->search.shown_depth) face->search.shown_depth = view.depth;
    SearchReport report = {.has_info = true, .info = {.score = view.score, .depth = view.depth}};
    Finding finding;
    lan_write(&face->start.root, move, report.best_move);
    const Status status = finding_take(&finding, &face->start.root, &report);
    if (status_is_ok(&status)) append_line_info(face, 1, finding.score, finding.line, finding.count);
}

static void end_search(Face *face) {
    const Position *root = &face->start.root;
    Move best = face->study->is_open ? study_tree_best_move(&face->study->tree) : MOVE_NONE, moves[MAX_MOVES];
    WorkerView view;
    char text[LAN_CAPACITY];
    if (best == MOVE_NONE && face->study->is_open && look_at_root(face, &view) &&
        !root_move(face, &view, &best))
        best = MOVE_NONE;
    if (best == MOVE_NONE && movegen_legal(root, moves) > 0) best = moves[0];
    study_pause(face->study);
    face->search.is_on = false;
    lan_write(root, best, text);
    text_printf(stdout, "bestmove %s\n", text);
    fflush(stdout);
}

/* --- commands --- */

static void introduce(const Face *face) {
    send("id name Luft study");
    send("id author the authors of Luft, and of the engines it asks");
    const char *hash = engine_config_option(&face->engine, "Hash");
    text_printf(stdout, "option name Hash type spin default %s min 1 max %d\n", hash != NULL ? hash : "16",
                HASH_MAX);
    text_printf(stdout, "option name MultiPV type spin default 1 min 1 max %d\n", LINES_MAX);
    if (face->settings->chess960) send("option name UCI_Chess960 type check default true");
    send("uciok");
}

/* Goes on once an engine runs, so that the first move has one. */
static Status await_engine(Face *face) {
    const int64_t end = clock_milliseconds() + START_PATIENCE;
    Status status = status_ok();
    while (status_is_ok(&status) && !face->study->has_worked && clock_milliseconds() < end &&
           !study_is_deserted(face->study) && !interrupt_requested())
        status = study_step(face->study, STEP);
    if (study_is_deserted(face->study)) say(NULL, face->study->failure);
    send("readyok");
    return status;
}

/* Engines are started with their memory, so another one starts them again. */
static Status set_hash(Face *face, int64_t megabytes) {
    const char *before = engine_config_option(&face->engine, "Hash");
    char value[NUMBER_TEXT_CAPACITY];
    text_format(value, sizeof value, "%" PRId64, megabytes);
    if (face->search.is_on || strcmp(before != NULL ? before : "16", value) == 0) return status_ok();
    const Status status = engine_config_set_option(&face->engine, "Hash", value);
    return status_is_ok(&status) ? study_restart_places(face->study) : status;
}

static Status set_option(Face *face, TextView rest) {
    int64_t value;
    text_next_word(&rest); /* name */
    const TextView name = text_next_word(&rest);
    text_next_word(&rest); /* value */
    if (!text_parse_int64(text_next_word(&rest), &value) || value < 1) return status_ok();
    if (text_equals_ignore_case(name, "MultiPV") && value <= LINES_MAX) face->lines = (int)value;
    if (text_equals_ignore_case(name, "Hash") && value <= HASH_MAX) return set_hash(face, value);
    return status_ok();
}

static void set_position(Face *face, TextView rest) {
    StudyStart start = {0};
    TextView word = text_next_word(&rest), fen = text_view(FEN_START);
    if (text_equals(word, "fen")) {
        fen = (TextView){rest.data, 0};
        while (!text_is_empty(word = text_next_word(&rest)) && !text_equals(word, "moves"))
            fen.length = (size_t)(word.data + word.length - fen.data);
    } else {
        text_next_word(&rest); /* moves */
    }
    Status status = fen_parse(&start.root, text_trim(fen), face->settings->chess960);
    char clean[FEN_CAPACITY];
    if (status_is_ok(&status)) {
        fen_write(&start.root, clean);
        status = lan_play(&start.root, rest, NULL);
    }
    TextBuffer text = {0};
    const TextView moves = text_trim(rest);
    buffer_append_format(&text, "fen %s%s%.*s", clean, moves.length > 0 ? " moves " : "", (int)moves.length,
                         moves.length > 0 ? moves.data : "");
    if (status_is_ok(&status) && text.length >= sizeof start.position / 2)
        status = status_error("the game is too long");
    text_copy(buffer_view(&text), start.position, sizeof start.position);
    buffer_release(&text);
    if (status_is_ok(&status))
        face->start = start;
    else
        text_printf(stdout, "info string error: %s\n", status.reason);
}

static void read_limits(const Face *face, TextView rest, FaceSearch *search) {
    const bool is_white = face->start.root.side == WHITE;
    int64_t clock = -1, increment = 0, move_time = -1, value;
    bool is_pondering = false;
    for (TextView word; !text_is_empty(word = text_next_word(&rest));) {
        TextView after = rest;
        is_pondering |= text_equals(word, "ponder");
        search->is_endless |= text_equals(word, "infinite");
        if (!text_parse_int64(text_next_word(&after), &value)) continue;
        if (text_equals(word, is_white ? "wtime" : "btime")) clock = value;
        if (text_equals(word, is_white ? "winc" : "binc")) increment = value;
        if (text_equals(word, "movetime")) move_time = value;
        if (text_equals(word, "nodes") && value > 0) search->nodes = (uint64_t)value;
        if (text_equals(word, "depth") && value > 0 && value < 1000) search->depth = (int)value;
    }
    if (clock >= 0) {
        search->time = clock / 25 + increment * 4 / 5;
        if (search->time > clock / 2) search->time = clock / 2;
    }
    if (move_time >= 0) search->time = move_time;
    search->time = search->time > 2 * OVERHEAD ? search->time - OVERHEAD : search->time / 2;
    const bool has_limit = clock >= 0 || move_time >= 0;
    search->has_deadline = has_limit && !is_pondering;
    search->deadline = search->start + search->time;
    if (is_pondering || (!has_limit && search->nodes == 0 && search->depth == 0)) search->is_endless = true;
    search->is_endless &= is_pondering || !has_limit;
}

/* Tasks of which some fit into the time for a move. */
static uint64_t nodes_of_task(const Face *face) {
    enum { LEAST = 2000, USUAL_SPEED = 200000 /* nodes a second, before anything is known */ };
    const Study *study = face->study;
    const FaceSearch *search = &face->search;
    if (search->time <= 0) return face->settings->nodes;
    const double each = study->finished > 0 && study->mean > 0
                            ? (double)study->searched / (double)study->finished / (double)study->mean * 1e6
                            : USUAL_SPEED;
    const double nodes = each * (double)search->time / 1000 / TASKS_A_MOVE;
    if (nodes >= (double)face->settings->nodes) return face->settings->nodes;
    return nodes > LEAST ? (uint64_t)nodes : LEAST;
}

static Status go(Face *face, TextView rest) {
    Study *study = face->study;
    char key[sizeof face->key], name[FILE_PATH_CAPACITY];
    Status status = status_ok();
    face->search = (FaceSearch){
        .is_on = true, .start = clock_milliseconds(), .nodes_before = study->searched, .shown_tasks = -1};
    read_limits(face, rest, &face->search);
    text_format(key, sizeof key, "%016" PRIx64, text_hash(text_view(face->start.position)));
    if (!study->is_open || strcmp(key, face->key) != 0) {
        text_format(name, sizeof name, "%s-%s", face->settings->name, key);
        char store[FILE_PATH_CAPACITY];
        text_format(store, sizeof store, "%s.store", face->settings->name);
        const RecordPlan record = {.name = name,
                                   .store = face->settings->store != NULL ? face->settings->store : store,
                                   .no_store = face->settings->no_store,
                                   .again = face->settings->again,
                                   .position = face->start.position};
        text_copy(text_view(key), face->key, sizeof face->key);
        status = study_open(study, &record, &face->start.root);
        if (!status_is_ok(&status)) study_close(study);
    }
    study->plan.nodes = nodes_of_task(face);
    study_resume(study);
    if (status_is_ok(&status)) return status;
    say(NULL, status.reason);
    end_search(face);
    return status_ok();
}

static void take_ponderhit(Face *face) {
    face->search.is_endless = false;
    face->search.has_deadline = face->search.time > 0;
    face->search.deadline = clock_milliseconds() + face->search.time;
}

static Status obey(Face *face, TextView line, bool *quit) {
    TextView rest = line;
    const TextView word = text_next_word(&rest);
    const bool is_on = face->search.is_on;
    *quit = text_equals(word, "quit");
    if (text_equals(word, "uci")) introduce(face);
    if (text_equals(word, "isready")) return await_engine(face);
    if (text_equals(word, "setoption")) return set_option(face, rest);
    if (text_equals(word, "position") && !is_on) set_position(face, rest);
    if (text_equals(word, "go") && !is_on) return go(face, rest);
    if (text_equals(word, "stop") && is_on) end_search(face);
    if (text_equals(word, "ponderhit") && is_on) take_ponderhit(face);
    return status_ok();
}

static bool is_finished(const Face *face) {
    const FaceSearch *search = &face->search;
    if (search->has_deadline && clock_milliseconds() >= search->deadline) return true;
    if (search->is_endless) return false;
    if (search->nodes > 0 && face->study->searched - search->nodes_before >= search->nodes) return true;
    if (search->depth > 0 && search->shown_depth >= search->depth) return true;
    return study_is_over(face->study);
}

static Status serve(Face *face) {
    TextBuffer line = {0};
    Status status = status_ok();
    bool quit = false;
    while (status_is_ok(&status) && !quit && !interrupt_requested()) {
        while (status_is_ok(&status) && !quit && next_command(face, &line))
            status = obey(face, buffer_view(&line), &quit);
        if (!status_is_ok(&status) || quit) break;
        status = study_step(face->study, STEP);
        if (!face->search.is_on) continue;
        show_root(face);
        show_tree(face);
        if (is_finished(face)) end_search(face);
    }
    buffer_release(&line);
    return status;
}

Status uci_face_run(const StudySettings *settings) {
    Interrupt interrupt;
    Face *face = memory_allocate(sizeof *face);
    Study *study = memory_allocate(sizeof *study);
    if (face == NULL || study == NULL) {
        memory_release(face);
        memory_release(study);
        return status_no_memory("a study");
    }
    char errors[FILE_PATH_CAPACITY];
    text_format(errors, sizeof errors, "%s.errors", settings->name);
    face->engine = settings->engines.engines[0];
    const StudyPlan plan = {.engine = &face->engine,
                            .errors = errors,
                            .nodes = settings->nodes,
                            .any_engine = settings->any_engine,
                            .patience = settings->patience,
                            .say = say};
    interrupt_begin(&interrupt);
    face->settings = settings;
    face->study = study;
    face->lines = 1;
    mutex_init(&face->lock);
    study_begin(study, &plan);
    study->pool.chess960 = settings->chess960;
    study->pool.watches = true;
    set_position(face, text_view("startpos"));
    Status status = session_add_workers(study, settings);
    if (status_is_ok(&status)) status = thread_start(&face->reader, run_reader, face);
    if (status_is_ok(&status)) {
        status = serve(face);
        atomic_store(&face->over, true);
        thread_join(&face->reader);
    }
    study_end(study);
    interrupt_end(&interrupt);
    mutex_destroy(&face->lock);
    buffer_release(&face->input);
    memory_release(study);
    memory_release(face);
    return status;
}
