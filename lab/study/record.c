#include "lab/study/record.h"

#include "base/file.h"
#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/san.h"
#include "lab/kit/ownership.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

enum {
    STORE_PATIENCE = 5000, /* milliseconds for other programs that write to the store */
    UNREPORTED = 4 /* the last line of a search may be from when it had spent this part of its nodes */
};

static const char *const KINDS[] = {[TASK_OWN] = "position", [TASK_REST] = "rest"};

uint64_t record_nodes(const Record *record) {
    return record->tasks > 0 ? record->points[record->tasks - 1].nodes : 0;
}

/* --- figures --- */

static RecordShare *share_of(Record *record, TextView name) {
    for (int i = 0; i < record->share_count; i++)
        if (text_equals(name, record->shares[i].name)) return &record->shares[i];
    RecordShare *shares = memory_grow(record->shares, (size_t)record->share_count, sizeof *shares);
    if (shares == NULL) return NULL;
    record->shares = shares;
    RecordShare *share = &shares[record->share_count++];
    *share = (RecordShare){0};
    text_copy(name, share->name, sizeof share->name);
    return share;
}

/* After the tree has the finding. */
static Status count_task(Record *record, const Finding *finding, TextView who, int64_t milliseconds) {
    RecordPoint *points = memory_grow(record->points, (size_t)record->tasks, sizeof *points);
    if (points != NULL) record->points = points;
    RecordShare *share = share_of(record, who);
    if (points == NULL || share == NULL) return status_no_memory("a study");
    points[record->tasks] = (RecordPoint){.nodes = record_nodes(record) + finding->nodes,
                                          .score = record->tree->nodes[TREE_ROOT].score,
                                          .move = study_tree_best_move(record->tree)};
    record->tasks++;
    share->tasks++;
    share->nodes += finding->nodes;
    share->milliseconds += milliseconds;
    return status_ok();
}

/* --- lines of the journal --- */

static void append_moves(const Move *moves, int count, const Position *pos, TextBuffer *out) {
    for (int i = 0; i < count; i++) {
        char text[LAN_CAPACITY];
        lan_write(pos, moves[i], text);
        buffer_append_format(out, "%s%s", i > 0 ? " " : "", text);
    }
}

/* A longer search has its length after its kind. */
static bool read_kind(TextView text, Task *task) {
    const TextView kind = text_next_word(&text);
    int64_t units = 1;
    task->kind = text_equals(kind, KINDS[TASK_OWN]) ? TASK_OWN : TASK_REST;
    if (task->kind == TASK_REST) return text_equals(kind, KINDS[TASK_REST]) && text_is_empty(text);
    if (text.length > 0 && (!text_parse_int64(text_trim(text), &units) || units < 2 || units > 1 << 20))
        return false;
    task->units = (int)units;
    return true;
}

/* task, kind, moves to the node, its children, finding, who, milliseconds: separated by tabs. */
static void append_task(Record *record, const Task *task, const Finding *finding, const char *who,
                        int64_t milliseconds) {
    const StudyTree *tree = record->tree;
    TextBuffer *out = &record->lines;
    Move path[TREE_PLY_MAX];
    bool first = true;
    buffer_append_format(out, "task\t%s", KINDS[task->kind]);
    if (task->units > 1) buffer_append_format(out, " %d", task->units);
    buffer_append_char(out, '\t');
    append_moves(path, study_tree_path(tree, task->node, path), &tree->root, out);
    buffer_append_char(out, '\t');
    for (int i = tree->nodes[task->node].first_child; i != TREE_NONE; i = tree->nodes[i].next) {
        if (task->kind == TASK_OWN) break;
        if (!first) buffer_append_char(out, ' ');
        append_moves(&tree->nodes[i].move, 1, &tree->root, out);
        first = false;
    }
    buffer_append_char(out, '\t');
    finding_write(finding, &tree->root, out);
    buffer_append_format(out, "\t%s\t%" PRId64 "\n", who, milliseconds);
}

/* Goes along the moves, and makes them nodes; TREE_NONE when one is illegal. */
static int reach(StudyTree *tree, TextView moves) {
    int node = TREE_ROOT;
    for (TextView word; node != TREE_NONE && !text_is_empty(word = text_next_word(&moves));) {
        Position pos;
        Move move;
        study_tree_position(tree, node, &pos);
        const Status status = lan_parse(&pos, word, &move);
        node = status_is_ok(&status) ? study_tree_reach(tree, node, move) : TREE_NONE;
    }
    return node;
}

/* Makes the moves of a node its children, in their order. */
static bool reach_children(StudyTree *tree, int node, TextView moves) {
    Position pos;
    Move move;
    study_tree_position(tree, node, &pos);
    for (TextView word; !text_is_empty(word = text_next_word(&moves));) {
        const Status status = lan_parse(&pos, word, &move);
        if (!status_is_ok(&status) || study_tree_reach(tree, node, move) == TREE_NONE) return false;
    }
    return true;
}

static Status carry_on_task(Record *record, TextView line, bool *whole) {
    StudyTree *tree = record->tree;
    TextView field[6];
    for (int i = 0; i < 6; i++) text_split(&line, '\t', &field[i]);
    Task task = {.units = 1};
    Position pos;
    Finding finding;
    int64_t milliseconds;
    *whole = read_kind(field[0], &task) && text_parse_int64(field[5], &milliseconds);
    if (*whole) *whole = (task.node = reach(tree, field[1])) != TREE_NONE;
    if (*whole) *whole = reach_children(tree, task.node, field[2]);
    if (!*whole) return status_ok();
    study_tree_position(tree, task.node, &pos);
    task.children = tree->nodes[task.node].children;
    *whole = finding_read(&finding, &pos, field[3]) && study_tree_carry_on(tree, &task, &finding);
    return *whole ? count_task(record, &finding, field[4], milliseconds) : status_ok();
}

/* Of other engines than Luft nobody knows the network: the proof stands for it, and for the numbers. The last
 * word of a name with a digit is its version. */
static void note_engine(Record *record, TextView name, TextView proof) {
    record->has_engine = true;
    text_copy(name, record->engine, sizeof record->engine);
    text_copy(proof, record->proof, sizeof record->proof);
    record->source = (RowSource){0};
    TextView version = text_view(NULL), front = name;
    for (size_t i = name.length; i > 0 && text_is_empty(version); i--) {
        if (name.data[i - 1] != ' ') continue;
        version = (TextView){name.data + i, name.length - i};
        front.length = i - 1;
    }
    const bool has_version =
        version.length > 0 && strpbrk(record->engine + (name.length - version.length), "0123456789") != NULL;
    text_copy(has_version ? front : name, record->source.engine, sizeof record->source.engine);
    if (has_version) text_copy(version, record->source.version, sizeof record->source.version);
    text_copy(proof, record->source.params, sizeof record->source.params);
}

static Status visit(void *context, TextView line, bool *whole) {
    Record *record = context;
    TextView kind, name;
    text_split(&line, '\t', &kind);
    *whole = true;
    if (text_equals(kind, "known")) {
        *whole = reach(record->tree, line) != TREE_NONE;
        return status_ok();
    }
    if (text_equals(kind, "task")) return carry_on_task(record, line, whole);
    *whole = text_equals(kind, "engine") && text_split(&line, '\t', &name);
    if (*whole) note_engine(record, name, line);
    return status_ok();
}

/* --- opening --- */

/* What is known of an older study must not come back at once: its store goes with it, unless it is the
 * user's. */
static Status set_aside(const Record *record, const RecordPlan *plan) {
    Status status = ownership_set_aside(record->path);
    if (!status_is_ok(&status) || plan->store != NULL || file_size(record->store_path) < 0) return status;
    Store *store = store_open(record->store_path, STORE_WRITE, STORE_PATIENCE, &status);
    store_close(store); /* which completes what a kill left next to it */
    return status_is_ok(&status) ? ownership_set_aside(record->store_path) : status;
}

Status record_open(Record *record, const RecordPlan *plan, StudyTree *tree) {
    TextBuffer header = {0};
    *record = (Record){.tree = tree, .journal = {.file = {.handle = -1}}};
    text_format(record->path, sizeof record->path, "%s.study", plan->name);
    if (plan->store != NULL)
        text_copy(text_view(plan->store), record->store_path, sizeof record->store_path);
    else
        text_format(record->store_path, sizeof record->store_path, "%s.store", plan->name);
    Status status = plan->again ? set_aside(record, plan) : status_ok();
    buffer_append_format(&header, "luft study 1\nposition: %s\n", plan->position);
    if (header.failed) status = status_no_memory("a study");
    const LineJournalPlan journal = {.path = record->path,
                                     .what = "study",
                                     .header = buffer_view(&header),
                                     .remedy = "another name begins another study, --again starts over"};
    if (status_is_ok(&status)) status = line_journal_open(&record->journal, &journal, visit, record);
    buffer_release(&header);
    if (status_is_ok(&status) && !plan->no_store)
        record->store = store_open(record->store_path, STORE_WRITE, STORE_PATIENCE, &status);
    return status;
}

void record_close(Record *record) {
    if (record->is_open) {
        const Status dropped = store_end(record->store, status_error("closed"));
        (void)dropped;
    }
    line_journal_close(&record->journal);
    store_close(record->store);
    buffer_release(&record->lines);
    memory_release(record->points);
    memory_release(record->shares);
    *record = (Record){.journal = {.file = {.handle = -1}}};
}

Status record_set_engine(Record *record, const char *engine, const char *proof) {
    note_engine(record, text_view(engine), text_view(proof));
    buffer_append_format(&record->lines, "engine\t%s\t%s\n", record->engine, record->proof);
    return record_commit(record);
}

/* --- adding --- */

static Status open_store(Record *record) {
    if (record->is_open) return status_ok();
    const Status status = store_begin(record->store);
    record->is_open = status_is_ok(&status);
    return status;
}

/* The best of the rest of the moves says what the position after it is worth. Its nodes are not those of a
 * search of this position. */
static bool fill_row(const Record *record, const Task *task, const Finding *finding, Row *row) {
    const int first = task->kind == TASK_REST;
    Position pos;
    Undo undo;
    study_tree_position(record->tree, task->node, &pos);
    if (first) position_make_move(&pos, finding->line[0], &undo);
    *row = (Row){.source = record->source,
                 .depth = finding->depth - first < ROW_DEPTH_MAX ? finding->depth - first : ROW_DEPTH_MAX,
                 .bound = BOUND_EXACT,
                 .score = finding->score,
                 .nodes = first ? 0 : finding->nodes,
                 .multi_pv = 1,
                 .date = (int64_t)time(NULL)};
    /* The score of the move is the score after it, seen from the other side and a ply nearer to a mate. */
    if (first) {
        row->score = -finding->score;
        if (score_is_mate(row->score)) row->score += row->score > 0 ? 1 : -1;
    }
    row_pack(&pos, row->key);
    for (int i = first; i < finding->count && row->move_count < ROW_LINE_MAX; i++)
        row->line[row->move_count++] = finding->line[i];
    return row->depth > 0 && row->move_count > 0;
}

Status record_add(Record *record, const Task *task, const Finding *finding, const char *who,
                  int64_t milliseconds, bool *counts) {
    Row row;
    const size_t before = record->lines.length;
    append_task(record, task, finding, who, milliseconds);
    *counts = study_tree_report(record->tree, task, finding);
    if (!*counts) {
        buffer_cut(&record->lines, before);
        return status_ok();
    }
    Status status = status_ok();
    if (record->store != NULL && fill_row(record, task, finding, &row)) {
        status = open_store(record);
        if (status_is_ok(&status)) status = store_put(record->store, &row, NULL);
    }
    return status_is_ok(&status) ? count_task(record, finding, text_view(who), milliseconds) : status;
}

void record_add_known(Record *record, int first) {
    const StudyTree *tree = record->tree;
    for (int i = first; i < tree->count; i++) {
        Move path[TREE_PLY_MAX];
        if (!tree->nodes[i].has_own && !tree->nodes[i].ended) continue;
        buffer_append_string(&record->lines, "known\t");
        append_moves(path, study_tree_path(tree, i, path), &tree->root, &record->lines);
        buffer_append_char(&record->lines, '\n');
    }
}

Status record_commit(Record *record) {
    Status status = status_ok();
    if (record->is_open) status = store_end(record->store, status);
    record->is_open = false;
    if (status_is_ok(&status) && record->lines.length > 0)
        status = line_journal_add(&record->journal, &record->lines);
    buffer_clear(&record->lines);
    return status;
}

/* --- finding --- */

typedef struct Wanted {
    const RowSource *source;
    uint64_t nodes;
    Row row;
    bool found;
} Wanted;

static Status take_row(void *context, const Row *row, const Status *fault) {
    Wanted *wanted = context;
    const bool fits = fault == NULL && row->bound == BOUND_EXACT && row->nodes >= wanted->nodes &&
                      row->move_count > 0 && row_source_id(&row->source) == row_source_id(wanted->source);
    if (fits) wanted->row = *row;
    wanted->found |= fits;
    return status_ok();
}

bool record_find(Record *record, const Task *task, uint64_t nodes, Finding *finding) {
    /* An engine of which nothing but a name is known may be any. */
    if (record->store == NULL || task->kind != TASK_OWN || task->units > 1 || record->proof[0] == '\0')
        return false;
    Wanted wanted = {.source = &record->source, .nodes = nodes / UNREPORTED + 1};
    Position pos;
    study_tree_position(record->tree, task->node, &pos);
    const Status status = store_each(record->store, &pos, take_row, &wanted);
    if (!status_is_ok(&status) || !wanted.found) return false;
    *finding = (Finding){.score = wanted.row.score, .depth = wanted.row.depth, .nodes = wanted.row.nodes};
    for (int i = 0; i < wanted.row.move_count && i < FINDING_LINE_MAX; i++)
        finding->line[finding->count++] = wanted.row.line[i];
    return true;
}
