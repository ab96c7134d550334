#include "explain/searcher.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "engine/notebook.h"
#include "explain/exchange.h"
#include "search/pool.h"

#include <stdatomic.h>
#include <string.h>

enum {
    EXTENSIONS_MAX = 4,  /* further searches from the end of a line that does not rest yet */
    EXTENSION_SHARE = 8, /* each has this part of the nodes */
    DEPTH_SHARE = 2      /* the lines of the deeper half of the iterations count */
};

struct Searcher {
    SearchPool *pool;
    const Network *network; /* NULL: the embedded one */
    Evaluator *evaluator;   /* of boards that no search is at */
    Notebook *notebook;     /* NULL: there is no store */
    int depth;              /* limit of every search in plies; 0: none */
    int count;
    SearchInfo found[CANDIDATES_MAX]; /* the last exact lines, one of each iteration */
    uint64_t nodes;
    SearcherIterates *iterates; /* NULL: nobody wants to know */
    void *context;
    atomic_bool stopped;
    bool failed; /* for want of memory */
};

static const SearchInfo NOTHING = {.pv_length = 0};

static const SearchInfo *last_of(const Searcher *searcher) {
    return searcher->count > 0 ? &searcher->found[searcher->count - 1] : &NOTHING;
}

static void on_info(void *context, const SearchInfo *info) {
    Searcher *searcher = context;
    if (info->bound != BOUND_EXACT || info->multi_pv != 1 || info->pv_length == 0) return;
    if (searcher->count > 0 && last_of(searcher)->depth == info->depth) searcher->count--;
    if (searcher->count == CANDIDATES_MAX)
        memmove(&searcher->found[0], &searcher->found[1],
                (size_t)--searcher->count * sizeof searcher->found[0]);
    searcher->found[searcher->count++] = *info;
    if (searcher->iterates != NULL) searcher->iterates(searcher->context, info);
}

static bool on_poll(void *context) { return searcher_is_stopped(context); }

Searcher *searcher_create(const Network *network, size_t hash, Status *status) {
    *status = status_no_memory("the explanation of moves");
    Searcher *searcher = memory_allocate(sizeof *searcher);
    if (searcher == NULL) return NULL;
    const SearchListener listener = {.context = searcher, .info = on_info, .poll = on_poll};
    searcher->network = network;
    searcher->evaluator = evaluator_create(network);
    if (searcher->evaluator != NULL) searcher->pool = pool_create(&listener, hash, network, status);
    if (searcher->pool == NULL) {
        searcher_destroy(searcher);
        return NULL;
    }
    *status = status_ok();
    return searcher;
}

void searcher_destroy(Searcher *searcher) {
    if (searcher == NULL) return;
    pool_destroy(searcher->pool);
    evaluator_destroy(searcher->evaluator);
    notebook_destroy(searcher->notebook);
    memory_release(searcher);
}

Status searcher_use_store(Searcher *searcher, const char *path) {
    if (searcher->notebook == NULL) searcher->notebook = notebook_create();
    if (searcher->notebook == NULL) return status_no_memory("the store");
    return notebook_set_file(searcher->notebook, text_view(path));
}

Status searcher_take_store_fault(Searcher *searcher) {
    return searcher->notebook == NULL ? status_ok() : notebook_take_fault(searcher->notebook);
}

void searcher_on_iteration(Searcher *searcher, SearcherIterates *iterates, void *context) {
    searcher->iterates = iterates;
    searcher->context = context;
}

void searcher_set_depth(Searcher *searcher, int depth) { searcher->depth = depth; }

void searcher_stop(Searcher *searcher) {
    atomic_store(&searcher->stopped, true);
    pool_stop(searcher->pool);
}

bool searcher_is_stopped(const Searcher *searcher) {
    return atomic_load(&searcher->stopped) || interrupt_requested();
}

bool searcher_take_failure(Searcher *searcher) {
    const bool failed = searcher->failed;
    searcher->failed = false;
    return failed;
}

uint64_t searcher_take_nodes(Searcher *searcher) {
    const uint64_t nodes = searcher->nodes;
    searcher->nodes = 0;
    return nodes;
}

int searcher_evaluate(Searcher *searcher, const Position *pos) {
    evaluator_reset(searcher->evaluator, pos);
    return evaluator_value(searcher->evaluator, pos);
}

static const SearchInfo *run(Searcher *searcher, const Position *pos, SearchLimits *limits) {
    searcher->count = 0;
    limits->multi_pv = 1;
    limits->analyse = true;
    limits->start = clock_microseconds();
    if (searcher->notebook != NULL)
        limits->notes =
            notebook_begin(searcher->notebook, NOTEBOOK_READ, &(NotebookSource){.network = searcher->network},
                           pos, limits, pool_table(searcher->pool));
    pool_start(searcher->pool, pos, limits);
    if (searcher_is_stopped(searcher)) pool_stop(searcher->pool);
    pool_wait(searcher->pool);
    if (searcher->notebook != NULL) notebook_end(searcher->notebook);
    searcher->nodes += last_of(searcher)->nodes;
    return last_of(searcher);
}

static bool is_chosen(const Position *pos, MoveChoice choice, Move move, Move other) {
    if (choice == MOVES_TO_SAFETY) {
        Position after = *pos;
        Undo undo;
        if (move_from(other) != move_from(move)) return false;
        position_make_move(&after, other, &undo);
        return exchange_best_on(&after, move_to(other)) < 1;
    }
    return (other == move) == (choice == MOVES_ONLY);
}

const SearchInfo *searcher_search(Searcher *searcher, const Position *pos, MoveChoice choice, Move move,
                                  uint64_t nodes) {
    SearchLimits limits = {.nodes = nodes, .depth = searcher->depth};
    if (limits.nodes == 0 && limits.depth == 0) limits.nodes = 1; /* the share of few nodes; 0 is no limit */
    const int count = choice == MOVES_ALL ? 0 : movegen_legal(pos, limits.search_moves);
    for (int i = 0; i < count; i++)
        if (is_chosen(pos, choice, move, limits.search_moves[i]))
            limits.search_moves[limits.search_move_count++] = limits.search_moves[i];
    if (choice != MOVES_ALL && limits.search_move_count == 0) {
        searcher->count = 0;
        return &NOTHING;
    }
    return run(searcher, pos, &limits);
}

void searcher_forget(Searcher *searcher) { pool_clear(searcher->pool); }

const SearchInfo *searcher_record(Searcher *searcher, const Position *pos, Recorder *recorder, uint64_t nodes,
                                  int depth) {
    searcher_forget(searcher);
    pool_trace(searcher->pool, recorder_tracer(recorder));
    run(searcher, pos, &(SearchLimits){.nodes = nodes, .depth = depth});
    pool_trace(searcher->pool, NULL);
    return last_of(searcher);
}

Finding finding_of(const SearchInfo *info) {
    return (Finding){.best = info->pv_length > 0 ? info->pv[0] : MOVE_NONE,
                     .score = info->score,
                     .depth = info->depth,
                     .nodes = info->nodes};
}

Finding searcher_found_by(const Searcher *searcher, uint64_t nodes) {
    int row = searcher->count - 1;
    while (row > 0 && searcher->found[row].nodes > nodes) row--;
    return finding_of(row < 0 || searcher->found[row].nodes > nodes ? &NOTHING : &searcher->found[row]);
}

Finding searcher_found_at(const Searcher *searcher, int depth) {
    int row = searcher->count - 1;
    while (row >= 0 && searcher->found[row].depth > depth) row--;
    return finding_of(row < 0 ? &NOTHING : &searcher->found[row]);
}

/* --- branches --- */

/* Whether the line needs no more moves: the game is over at its end, or its last boards rest. */
static bool is_complete(const Line *line, int score) {
    if (!movegen_has_legal(&line->board[line->length]) || line_repeats(line, line->length)) return true;
    if (score_is_mate(score)) return false;
    return line_settled(line, int_max(0, line->length - 2)) >= 0;
}

/* The lines of the iterations before the last one, for what they show. NULL without memory. */
static Candidates *read_candidates(const Searcher *searcher, const Position *root) {
    const SearchInfo *last = last_of(searcher);
    Candidates *candidates = memory_allocate(sizeof *candidates);
    for (int i = 0; candidates != NULL && i < searcher->count - 1; i++) {
        const SearchInfo *info = &searcher->found[i];
        if (info->pv[0] != last->pv[0] || DEPTH_SHARE * info->depth < last->depth) continue;
        Line *line = line_create(root, info->pv, info->pv_length);
        if (line == NULL) break; /* one candidate less */
        candidate_read(line, &candidates->line[candidates->count++]);
        line_destroy(line);
    }
    return candidates;
}

/* The line of the last search, continued by further ones until it rests: a table cuts it short otherwise. */
static Line *complete_line(Searcher *searcher, const Position *root, Move move, uint64_t nodes) {
    const SearchInfo found = *last_of(searcher);
    Move moves[LINE_PLIES_MAX] = {move};
    int count = found.pv_length == 0 ? 1 : int_min(found.pv_length, LINE_PLIES_MAX);
    for (int i = 0; i < count && found.pv_length > 0; i++) moves[i] = found.pv[i];
    Line *line = line_create(root, moves, count);
    for (int round = 0; line != NULL && round < EXTENSIONS_MAX && count < LINE_PLIES_MAX; round++) {
        if (is_complete(line, found.score) || searcher_is_stopped(searcher)) break;
        const SearchInfo *more =
            searcher_search(searcher, &line->board[count], MOVES_ALL, MOVE_NONE, nodes / EXTENSION_SHARE);
        for (int i = 0; i < more->pv_length && count < LINE_PLIES_MAX; i++) moves[count++] = more->pv[i];
        line_destroy(line);
        line = line_create(root, moves, count);
    }
    return line;
}

bool searcher_read(Searcher *searcher, const Position *root, Move move, uint64_t nodes, Branch *branch) {
    const SearchInfo *info = last_of(searcher);
    branch->move = info->pv_length > 0 ? info->pv[0] : move;
    branch->score = info->score;
    branch->score_before = searcher->found[int_max(0, searcher->count - 2)].score;
    branch->depth = info->depth;
    branch->candidates = read_candidates(searcher, root);
    branch->line = complete_line(searcher, root, branch->move, nodes);
    if (branch->candidates == NULL || branch->line == NULL) {
        branch_release(branch);
        searcher->failed = true;
        return false;
    }
    candidate_read(branch->line, &branch->candidates->line[branch->candidates->count++]);
    return true;
}

bool branch_copy(const Branch *branch, Branch *copy) {
    *copy = *branch;
    copy->line = line_create(&branch->line->board[0], branch->line->move, branch->line->length);
    copy->candidates = memory_allocate(sizeof *copy->candidates);
    if (copy->line == NULL || copy->candidates == NULL) {
        branch_release(copy);
        return false;
    }
    *copy->candidates = *branch->candidates;
    return true;
}

void branch_release(Branch *branch) {
    line_destroy(branch->line);
    memory_release(branch->candidates);
    branch->line = NULL;
    branch->candidates = NULL;
}

/* --- threats --- */

bool searcher_find_threat(Searcher *searcher, const Position *pos, Move only, uint64_t nodes,
                          Threat *threat) {
    Position passed = *pos;
    Undo undo;
    *threat = (Threat){.settled = -1};
    if (position_in_check(pos)) return true;
    position_make_null(&passed, &undo);
    passed.fullmove += pos->side == BLACK; /* its moves are numbered where they would be played */
    if (!movegen_has_legal(&passed)) return true;
    const SearchInfo *info =
        searcher_search(searcher, &passed, only == MOVE_NONE ? MOVES_ALL : MOVES_ONLY, only, nodes);
    if (info->pv_length == 0) return true;
    if (!searcher_read(searcher, &passed, info->pv[0], nodes, &threat->branch)) return false;
    const Branch *branch = &threat->branch;
    threat->score = -branch->score;
    if (branch->score >= SCORE_WIN && line_is_mate(branch->line, branch->line->length)) {
        threat->mate = (branch->line->length + 1) / 2;
        return true;
    }
    const bool is_trade =
        position_captured_by(&passed, branch->move) != NO_PIECE && exchange_gain(&passed, branch->move) == 0;
    const PairLoss lost = candidate_loss_alone(branch_candidate(branch), false);
    if (is_trade || lost.loss.net < 1) return true;
    threat->loss = lost.loss;
    threat->settled = lost.ply;
    return true;
}
