#include "search/iterate.h"

#include "base/bits.h"
#include "base/clock.h"
#include "chess/draw.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "search/mate.h"
#include "search/replay.h"
#include "search/search.h"

#include <stddef.h>
#include <string.h>

static int64_t elapsed_microseconds(const Worker *worker) {
    return clock_microseconds() - worker->shared->limits.start;
}

static bool is_better(const RootMove *root, const RootMove *other) {
    if (root->rank != other->rank) return root->rank > other->rank;
    return root->score != other->score ? root->score > other->score
                                       : root->previous_score > other->previous_score;
}

/* The rows from `first` to before `end`, by the tablebases' rank, then by score, then by the last iteration's
 * score; stable, so that ties keep their order. */
static void sort_root_moves(Worker *worker, int first, int end) {
    for (int i = first + 1; i < end; i++) {
        RootMove *root = worker->root;
        if (!is_better(&root[i], &root[i - 1])) continue; /* the usual case, and a row is half a kilobyte */
        const RootMove moved = root[i];
        int j = i;
        for (; j > first && is_better(&moved, &root[j - 1]); j--) root[j] = root[j - 1];
        root[j] = moved;
    }
}

/* The line of a root move; false when there is none. */
static bool describe_line(const Worker *worker, int index, SearchInfo *info) {
    const RootMove *root = &worker->root[index];
    const bool updated = root->score != -SCORE_INFINITE;
    if (!updated && root->previous_score == -SCORE_INFINITE) return false;
    *info = (SearchInfo){.depth = updated ? worker->root_depth : worker->completed_depth,
                         .selective_depth = int_max(root->selective_depth, 1),
                         .multi_pv = index + 1,
                         .score = iterate_score(root),
                         .bound = updated ? root->bound : BOUND_EXACT,
                         .nodes = shared_nodes(worker->shared),
                         .time = elapsed_microseconds(worker),
                         .hash_full = tt_full_permille(&worker->shared->table),
                         .tb_hits = atomic_load_explicit(&worker->shared->tb_hits, memory_order_relaxed),
                         .pv_length = root->pv_length};
    memcpy(info->pv, root->pv, (size_t)root->pv_length * sizeof *info->pv);
    return true;
}

static void report_line(const Worker *worker, int index) {
    const SearchListener *listener = &worker->shared->listener;
    SearchInfo info;
    if (describe_line(worker, index, &info)) listener->info(listener->context, &info);
}

static int line_count(const Worker *worker) {
    return int_clamp(worker->shared->limits.multi_pv, 1, worker->root_count);
}

void iterate_report(const Worker *worker) {
    if (worker->shared->listener.info == NULL || worker->root_count == 0) return;
    for (int i = 0; i < line_count(worker); i++) report_line(worker, i);
}

/* While all threads search, only the main one reports. A level reports its choice alone, at the end. */
static void report_own(const Worker *worker) {
    if (worker->index == 0 && worker->level == NULL) iterate_report(worker);
}

/* Gives the lines of a complete iteration to whoever takes notes. */
static void note_lines(const Worker *worker) {
    const SearchNotes *notes = worker->shared->limits.notes;
    SearchInfo info;
    if (notes == NULL || worker->index > 0) return;
    for (int i = 0; i < line_count(worker); i++)
        if (describe_line(worker, i, &info)) notes->take(notes->context, &info);
}

/* Whether the last score predicts the next one. */
static bool may_narrow_window(int depth, int previous) {
    return techniques.aspiration_windows && depth >= params.aspiration_iteration &&
           previous != -SCORE_INFINITE && !score_is_decided(previous);
}

static void begin_window(Worker *worker) {
    worker->iteration.slices = 0;
    if (worker->replay != NULL) replay_begin_window(worker->replay);
}

/* A line begins with a window around its scores so far. */
static void open_window(Worker *worker) {
    Iteration *at = &worker->iteration;
    const RootMove *root = &worker->root[worker->multi_pv_index];
    const int centre = root->average;
    at->alpha = -SCORE_INFINITE;
    at->beta = SCORE_INFINITE;
    at->fail_highs = 0;
    if (may_narrow_window(worker->root_depth, root->previous_score)) {
        /* Large scores are less certain. Helpers begin with windows of other widths, to see other trees. */
        at->delta = params.aspiration_delta + centre * centre / params.aspiration_square + worker->index % 8;
        at->alpha = int_max(centre - at->delta, -SCORE_INFINITE);
        at->beta = int_min(centre + at->delta, SCORE_INFINITE);
        (void)RULE(CHANGES, aspiration_windows, true, OP(alpha, at->alpha), OP(beta, at->beta));
    }
    at->window_open = true;
    begin_window(worker);
    worker->selective_depth = 0;
}

/* The window is opened on the side where the score fell outside. */
static void widen_window(Iteration *at, int score) {
    if (score <= at->alpha) {
        at->beta = (at->alpha + at->beta) / 2;
        at->alpha = score_is_decided(score) ? -SCORE_INFINITE : int_max(score - at->delta, -SCORE_INFINITE);
        at->fail_highs = 0;
    } else {
        at->fail_highs++;
        at->beta = score_is_decided(score) ? SCORE_INFINITE : int_min(score + at->delta, SCORE_INFINITE);
    }
    at->delta += at->delta * params.aspiration_growth / 100;
}

/* After a score above the window the best move is known, and only its exact score is missing. So the next
 * search may be shallower (Ethereal and others). */
static int depth_of_window(const Worker *worker) {
    enum { MOST = 3 };
    const int depth = worker->root_depth, less = int_min(worker->iteration.fail_highs, MOST);
    return techniques.fail_high_reduction && RULE(REDUCES, fail_high_reduction, less > 0, OP(less, less),
                                                  OP(reduced, int_max(depth - less, 1)), OP(depth, depth))
               ? int_max(depth - less, 1)
               : depth;
}

/* One line, until its score falls into the window. One that is stopped leaves the window open. */
static void search_with_aspiration(Worker *worker) {
    Iteration *at = &worker->iteration;
    if (!at->window_open) open_window(worker);
    while (at->window_open) {
        const int score = search_root(worker, at->alpha, at->beta, depth_of_window(worker));
        sort_root_moves(worker, worker->multi_pv_index, worker->root_count);
        if (worker->stopped) return;
        at->window_open = score <= at->alpha || score >= at->beta;
        if (!at->window_open) return;
        if (elapsed_microseconds(worker) > QUIET_TIME && worker->shared->limits.multi_pv <= 1)
            report_own(worker);
        widen_window(at, score);
        begin_window(worker);
    }
}

static bool mate_is_found(const Worker *worker) {
    const int wanted = worker->shared->limits.mate, score = worker->root[0].score;
    return wanted > 0 && score_is_mate(score) && score > 0 && score_mate_moves(score) <= wanted;
}

static void begin_iteration(Worker *worker, int depth) {
    worker->root_depth = depth;
    worker->multi_pv_index = 0;
    worker->iteration.open = true;
    for (int i = 0; i < worker->root_count; i++) {
        RootMove *root = &worker->root[i];
        if (root->score != -SCORE_INFINITE)
            root->average = root->average == SCORE_NONE ? root->score : (2 * root->score + root->average) / 3;
        root->previous_score = root->score;
        root->score = -SCORE_INFINITE;
    }
}

/* Makes a shorter mate than the iterations have found the result of one more iteration. */
static void take_mate(Worker *worker, const Mate *mate) {
    int row = 0;
    begin_iteration(worker, worker->completed_depth + 1);
    worker->completed_depth = worker->root_depth;
    worker->iteration.open = false;
    while (worker->root[row].move != mate->line[0]) row++;
    for (int i = 0; i < worker->root_count; i++) worker->root[i].score = worker->root[i].previous_score;
    RootMove *root = &worker->root[row];
    root->score = score_mate_in(mate->plies);
    root->rank = worker->root[0].rank; /* in a repeated position a capture may have the best rank */
    root->bound = BOUND_EXACT;
    root->selective_depth = mate->plies;
    root->pv_length = mate->plies;
    memcpy(root->pv, mate->line, (size_t)mate->plies * sizeof *root->pv);
    sort_root_moves(worker, 0, worker->root_count);
    iterate_report(worker);
    note_lines(worker);
}

/* The iterations prune, so they cannot prove that there is no mate, or no shorter one. A search for a mate
 * and an infinite search prove it; each attempt takes as many nodes as the iterations so far. True when
 * nothing is left to find. */
static bool mates_are_settled(Worker *worker) {
    const SearchLimits *limits = &worker->shared->limits;
    const int score = worker->root[0].score;
    const bool found = score_is_mate(score) && score > 0;
    const int asked = limits->mate > 0 ? limits->mate : MAX_PLY;
    if (limits->mate == 0 && !(limits->infinite && found && limits->multi_pv <= 1)) return false;
    const int wanted = found ? int_min(score_mate_moves(score) - 1, asked) : asked;
    uint64_t *proof_nodes = &worker->iteration.proof_nodes;
    const uint64_t before = worker_nodes(worker);
    Mate mate;
    const bool settled = mate_find(worker, wanted, before - *proof_nodes, &mate);
    *proof_nodes += worker_nodes(worker) - before;
    if (!settled) return false;
    if (mate.plies > 0)
        take_mate(worker, &mate);
    else if (limits->mate > 0 && worker->shared->listener.no_mate != NULL)
        worker->shared->listener.no_mate(worker->shared->listener.context, wanted);
    return true;
}

/* Whether no further iteration should begin. */
static bool is_enough(Worker *worker) {
    Shared *shared = worker->shared;
    Progress *progress = &worker->iteration.progress;
    if (worker->index > 0) return false; /* helpers go on until the stop flag is set */
    if (worker->level != NULL) {         /* its nodes end it, or the last of its time */
        if (worker->completed_depth == 1) worker->iteration.first_choice = worker->root[0].move;
        return mate_is_found(worker);
    }
    if (mate_is_found(worker) || mates_are_settled(worker)) return true;
    if (shared->limits.soft_nodes && shared_nodes(shared) >= shared->limits.soft_nodes) return true;

    const bool stable = worker->root[0].move == progress->best_move;
    progress->stable_iterations =
        stable && worker->completed_depth >= params.time_iteration ? progress->stable_iterations + 1 : 0;
    progress->best_move = worker->root[0].move;
    const bool pondering = atomic_load_explicit(&shared->pondering, memory_order_acquire);
    const int score = worker->root[0].score;
    const int drop = progress->average == SCORE_NONE ? 0 : progress->average - score;
    progress->average = progress->average == SCORE_NONE ? score : (progress->average + score) / 2;
    if (!shared->time.limited || (pondering && shared->time.fixed)) return false;
    const uint64_t nodes = worker_nodes(worker) - worker->iteration.proof_nodes;
    const TimeSigns signs = {.stable_iterations = progress->stable_iterations,
                             .score_drop = drop,
                             .game_drop = worker->last_score == SCORE_NONE ? 0 : worker->last_score - score,
                             .iteration = worker->completed_depth,
                             .only_move = worker->root_count == 1 && !shared->limits.analyse,
                             .best_move_permille = nodes ? (int)(worker->root[0].nodes * 1000 / nodes) : 0};
    /* Pondering counts as thinking time. */
    const int64_t since = shared->time.fixed
                              ? atomic_load_explicit(&shared->clock_start, memory_order_relaxed)
                              : shared->limits.start;
    const bool enough = timeman_is_enough(&shared->time, shared_elapsed(shared, since), &signs);
    if (!pondering) return enough;
    /* A ponderhit may come at any time: it sees this store, or the load below sees it. */
    atomic_store(&shared->pondered_enough, enough);
    return enough && !atomic_load(&shared->pondering);
}

/* The remaining lines of an iteration; false when the search or its slice ended first. */
static bool search_lines(Worker *worker) {
    const int lines = line_count(worker);
    while (worker->multi_pv_index < lines) {
        search_with_aspiration(worker);
        if (worker->stopped) return false;
        worker->multi_pv_index++;
    }
    /* A later line may have beaten an earlier one. The rows after the lines keep their places: the bound in
     * such a row may be above the last line's score. */
    sort_root_moves(worker, 0, lines);
    worker->completed_depth = worker->root_depth;
    worker->iteration.open = false;
    return true;
}

/* Whether there is anything left to search when the slice ends. */
static bool search_on(Worker *worker) {
    const SearchLimits *limits = &worker->shared->limits;
    const int deepest = limits->depth > 0 ? int_min(limits->depth, MAX_PLY - 1) : MAX_PLY - 1;
    if (worker->root_count == 0) return false;
    while (worker->iteration.open || worker->root_depth < deepest) {
        if (!worker->iteration.open) begin_iteration(worker, worker->root_depth + 1);
        if (!search_lines(worker)) break;
        report_own(worker);
        note_lines(worker);
        if (is_enough(worker) || (worker->stopped && !worker->paused)) return false;
        if (worker->paused) break;
    }
    return worker->paused;
}

/* What the score of a root move promises to the level, in permille of a point. */
static int promise(const Worker *worker, const RootMove *root) {
    const int score = iterate_score(root);
    if (score_is_decided(score)) return score > 0 ? 1000 : 0;
    return level_expected(worker->level, score);
}

/* Whether the level's best move is a recapture. */
static bool takes_back(const Worker *worker) {
    const Move last = worker->level->recent[0];
    return worker->pos.state.captured != NO_PIECE && last != MOVE_NONE &&
           move_to(worker->root[0].move) == move_to(last);
}

/* Whether the move brings back a position that was on the board before. */
static bool goes_back(const Worker *worker, Move move) {
    Position pos = worker->pos;
    Undo undo;
    position_make_move(&pos, move, &undo);
    return draw_stood_before(&pos);
}

/* Whether the move leaves the opponent none, and is no check. */
static bool stalemates(const Worker *worker, Move move) {
    Position pos = worker->pos;
    Undo undo;
    position_make_move(&pos, move, &undo);
    return !position_in_check(&pos) && movegen_count(&pos) == 0;
}

/* The row of the same promotion to a queen, if the piece that row `chosen` promotes to promises little more:
 * people take the queen. A row that is not among the lines promises no more than the last of them. */
static int prefer_queen(const Worker *worker, int chosen) {
    enum { LITTLE_MORE = 50 /* permille */, NEAR_MATE = 3 /* plies */ };
    const RootMove *root = worker->root;
    const Move move = root[chosen].move;
    if (move_kind(move) != PROMOTION || move_promotion(move) == QUEEN) return chosen;
    const Move wanted = move_make_promotion(move_from(move), move_to(move), QUEEN);
    int queen = 0;
    while (queen < worker->root_count && root[queen].move != wanted) queen++;
    if (queen == worker->root_count || stalemates(worker, wanted)) return chosen;
    const RootMove *known = &root[int_min(queen, worker->level->lines - 1)];
    const bool mates_at_once = iterate_score(&root[chosen]) >= SCORE_MATE - NEAR_MATE;
    if (mates_at_once && iterate_score(known) < SCORE_MATE - NEAR_MATE) return chosen;
    return promise(worker, &root[chosen]) - promise(worker, known) <= LITTLE_MORE ? queen : chosen;
}

/* A level's choice comes first: what it likes best of that which promises not much less than the best move.
 * Its large errors come from what it does not see. A mate that it sees is played, and so is a recapture that
 * is best: nobody forgets to take back. Who does not stand worse tries something new: a keyed choice that
 * went to and fro would make a draw of most games between beginners. */
static void choose(Worker *worker) {
    enum {
        LARGEST_LOSS = 3 /* standard deviations of its liking */,
        WORSE = 450,
        GOES_BACK = 200 /* permille */
    };
    const Level *level = worker->level;
    const RootMove *root = worker->root;
    const int best = promise(worker, &root[0]);
    const bool is_clear = (score_is_mate(iterate_score(&root[0])) && best > 0) || takes_back(worker);
    int chosen = 0, most = 0;
    for (int i = 0; i < worker->root_count && i < level->lines && !is_clear; i++) {
        const int promised = promise(worker, &root[i]);
        if (iterate_score(&root[i]) == -SCORE_INFINITE || best - promised > LARGEST_LOSS * level->spread)
            continue;
        int liked = promised + level_liking(level, &worker->pos, root[i].move);
        if (best >= WORSE && goes_back(worker, root[i].move)) liked -= GOES_BACK;
        if (i > 0 && liked <= most) continue;
        chosen = i;
        most = liked;
    }
    chosen = prefer_queen(worker, chosen);
    const RootMove moved = root[chosen];
    for (int i = chosen; i > 0; i--) worker->root[i] = worker->root[i - 1];
    worker->root[0] = moved;
}

int64_t iterate_pace(const Worker *worker) {
    const Level *level = worker->level;
    const Position *pos = &worker->pos;
    const RootMove *root = worker->root;
    if (level == NULL || !level->paces || worker->root_count == 0) return 0;
    if (takes_back(worker) || movegen_count(pos) == 1) return 0;
    int first = 0;
    while (first < worker->root_count - 1 && root[first].move != worker->iteration.first_choice) first++;
    const int gain = promise(worker, &root[0]) - promise(worker, &root[first]);
    return level_pace(level, pos, worker->shared->time.soft, worker->shared->time.hard, gain);
}

/* The last line reported must be the one that is played, and an unfinished iteration may have changed it. A
 * line that was stopped may have had several best moves in turn, each with a score. */
static void end_iteration(Worker *worker) {
    if (worker->stopped && worker->iteration.open) {
        sort_root_moves(worker, 0, worker->root_count);
        if (worker->root[0].score != -SCORE_INFINITE) report_own(worker);
    }
    if (worker->level != NULL && worker->root_count > 0) {
        choose(worker);
        if (worker->shared->listener.info != NULL) report_line(worker, 0);
    }
    worker->last_score = worker->root_count > 0 ? iterate_score(&worker->root[0]) : SCORE_NONE;
}

/* Makes known lines those of an iteration before the first one. */
static void take_known_lines(Worker *worker, const SearchNotes *notes) {
    const SearchLimits *limits = &worker->shared->limits;
    const int deepest = limits->depth > 0 ? int_min(limits->depth, MAX_PLY - 1) : MAX_PLY - 1;
    const int depth = int_min(notes->depth, deepest) - 1;
    if (depth < 1 || worker->shared->ranked_count > 0 || notes->line_count < line_count(worker)) return;
    for (int i = 0; i < line_count(worker); i++) { /* each in its place */
        int row = i;
        while (row < worker->root_count && worker->root[row].move != notes->lines[i].pv[0]) row++;
        if (row == worker->root_count) return;
        const RootMove moved = worker->root[row];
        for (; row > i; row--) worker->root[row] = worker->root[row - 1];
        worker->root[i] = moved;
    }
    for (int i = 0; i < line_count(worker); i++) {
        const SearchInfo *line = &notes->lines[i];
        RootMove *root = &worker->root[i];
        root->score = line->score;
        root->bound = BOUND_EXACT;
        root->selective_depth = line->selective_depth;
        root->pv_length = line->pv_length;
        memcpy(root->pv, line->pv, (size_t)line->pv_length * sizeof *root->pv);
    }
    worker->root_depth = worker->completed_depth = depth;
    report_own(worker);
}

void iterate_begin(Worker *worker) {
    const SearchNotes *notes = worker->shared->limits.notes;
    worker->iteration =
        (Iteration){.progress = {.best_move = MOVE_NONE, .average = SCORE_NONE}, .first_choice = MOVE_NONE};
    sort_root_moves(worker, 0, worker->root_count);
    if (notes == NULL || worker->root_count == 0) return;
    take_known_lines(worker, notes);
    if (worker->index == 0) notes->begin(notes->context);
}

/* As long as a window stays open, its slices get longer, however short they are. Else a slice that ends
 * before it has reached the place where the last one ended would repeat forever. */
bool iterate_slice(Worker *worker, const Slice *slice) {
    enum { NODES_PER_SLICE_BEFORE = 64 };
    const uint64_t nodes = worker_nodes(worker);
    if (worker->replay != NULL) replay_begin_slice(worker->replay);
    worker->stopped = worker->paused = false;
    worker->slice_end = slice->time > 0 ? clock_microseconds() + slice->time : INT64_MAX;
    worker->slice_nodes = slice->nodes > 0 ? nodes + slice->nodes : UINT64_MAX;
    worker->slice_least = nodes + (uint64_t)worker->iteration.slices++ * NODES_PER_SLICE_BEFORE;
    if (search_on(worker)) return true;
    end_iteration(worker);
    return false;
}

void iterate_search(Worker *worker) {
    iterate_begin(worker);
    iterate_slice(worker, &(Slice){0});
}

const RootMove *iterate_once(Worker *worker, const Position *pos, const SearchLimits *limits) {
    shared_begin(worker->shared, limits, pos);
    worker_prepare(worker, pos);
    iterate_search(worker);
    return worker->root_count > 0 ? &worker->root[0] : NULL;
}
