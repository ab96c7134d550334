#include "review/review.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

enum {
    SHALLOW_DEPTH = 5, /* what such an iteration prefers is easy to see */
    HIDDEN_DEPTH = 10  /* from here on the search is so much deeper that more can be hidden from it */
};

struct Reviewer {
    Engine *engine;
    _Atomic(Explainer *) explainer; /* NULL before the first game: it has the engine's network */
    atomic_bool stopped;
    /* Of the search in progress, filled by its callbacks. */
    SearchInfo best;
    int second_score; /* SCORE_NONE: not known */
    Move shallow_best;
};

static void on_info(void *context, const SearchInfo *info) {
    Reviewer *reviewer = context;
    if (info->bound != BOUND_EXACT) return;
    if (info->multi_pv == 2) reviewer->second_score = info->score;
    if (info->multi_pv != 1) return;
    reviewer->best = *info;
    reviewer->second_score = SCORE_NONE;
    if (info->depth <= SHALLOW_DEPTH) reviewer->shallow_best = info->pv_length > 0 ? info->pv[0] : MOVE_NONE;
}

static bool is_stopped(void *context) {
    return atomic_load(&((Reviewer *)context)->stopped) || interrupt_requested();
}

/* Who creates the explainer later finds the flag. */
void reviewer_stop(Reviewer *reviewer) {
    atomic_store(&reviewer->stopped, true);
    Explainer *explainer = atomic_load(&reviewer->explainer);
    if (explainer != NULL) explainer_stop(explainer);
}

Reviewer *reviewer_create(Status *status) {
    Reviewer *reviewer = memory_allocate(sizeof *reviewer);
    *status = status_no_memory("the review");
    if (reviewer == NULL) return NULL;
    const SearchListener listener = {.context = reviewer, .info = on_info, .poll = is_stopped};
    reviewer->engine = engine_create(&listener, status);
    if (reviewer->engine != NULL) {
        *status = engine_set_option(reviewer->engine, text_view("MultiPV"), text_view("2"));
        if (status_is_ok(status))
            *status = engine_set_option(reviewer->engine, text_view("UCI_AnalyseMode"), text_view("true"));
    }
    if (status_is_ok(status)) return reviewer;
    reviewer_destroy(reviewer);
    return NULL;
}

void reviewer_destroy(Reviewer *reviewer) {
    if (reviewer == NULL) return;
    engine_destroy(reviewer->engine);
    explainer_destroy(reviewer->explainer);
    memory_release(reviewer);
}

Engine *reviewer_engine(Reviewer *reviewer) { return reviewer->engine; }

/* --- one position --- */

/* What the rules say of a position. Players may go on where they could claim a draw: that ends the game only
 * where the game does end. */
static bool is_over(const Position *pos, bool is_last, int *score) {
    const GameEnd end = game_end(pos);
    *score = end == CHECKMATE ? score_mated_in(0) : SCORE_DRAW;
    if (end == FIFTY_MOVES || end == THREEFOLD_REPETITION) return is_last;
    return end != GAME_GOES_ON;
}

static void search(Reviewer *reviewer, const Position *pos, const SearchLimits *wanted) {
    SearchLimits limits = *wanted;
    limits.start = clock_microseconds();
    reviewer->best = (SearchInfo){0};
    reviewer->second_score = SCORE_NONE;
    reviewer->shallow_best = MOVE_NONE;
    engine_use_position(reviewer->engine, pos, NULL);
    engine_go(reviewer->engine, &limits);
    engine_wait(reviewer->engine);
}

static ReviewedPosition look_at(Reviewer *reviewer, const Position *pos, bool is_last,
                                const SearchLimits *limits) {
    ReviewedPosition found = {0};
    reviewer->best = (SearchInfo){0};
    if (!is_over(pos, is_last, &found.score)) {
        search(reviewer, pos, limits);
        const SearchInfo *best = &reviewer->best;
        found.score = best->score;
        found.depth = best->depth;
        found.nodes = best->nodes;
        found.line_length = int_min(best->pv_length, REVIEW_LINE_MAX);
        memcpy(found.line, best->pv, (size_t)found.line_length * sizeof found.line[0]);
    }
    found.assessment = verdict_assess(pos, found.score);
    return found;
}

/* --- moves --- */

/* The only legal move, or one that takes back. */
static bool is_obvious(const Position *pos, Move last, Move move) {
    Move legal[MAX_MOVES];
    if (movegen_legal(pos, legal) == 1) return true;
    return last != MOVE_NONE && pos->state.captured != NO_PIECE && move_to(move) == move_to(last);
}

/* What is known of the move before it is made; the reviewer still holds the search of its position. */
static MoveFacts facts_before(const Reviewer *reviewer, const Position *pos, const ReviewedPosition *before,
                              Move last, Move move) {
    const bool has_second = before->depth > 0 && reviewer->second_score != SCORE_NONE;
    return (MoveFacts){.before = before->assessment,
                       .has_second = has_second,
                       .second = has_second ? verdict_assess(pos, reviewer->second_score).expected : 0,
                       .is_best = before->line_length > 0 && before->line[0] == move,
                       .is_obvious = is_obvious(pos, last, move),
                       .is_hidden = before->depth >= HIDDEN_DEPTH && reviewer->shallow_best != move};
}

/* The nodes of an explanation: what a second of searching stands for, or less. */
static uint64_t explaining_nodes(const SearchLimits *limits) {
    enum { LEAST = 1000 };
    uint64_t nodes = EXPLAIN_NODES;
    if (limits->has_move_time && limits->move_time < 1000) nodes = nodes * (uint64_t)limits->move_time / 1000;
    if (limits->nodes > 0 && limits->nodes < nodes) nodes = limits->nodes;
    return nodes > LEAST ? nodes : LEAST;
}

static Status explain_fault(Reviewer *reviewer, const Position *pos, Move move, int ply,
                            const SearchLimits *limits, Review *review) {
    ReviewedFault *grown = memory_grow(review->faults, (size_t)review->fault_count, sizeof *grown);
    if (grown == NULL) return status_no_memory("the faults of a game");
    review->faults = grown;
    ReviewedFault *fault = &grown[review->fault_count];
    fault->ply = ply;
    explainer_set_depth(reviewer->explainer, limits->depth);
    const Status status =
        explainer_explain(reviewer->explainer, pos, move, explaining_nodes(limits), &fault->why);
    if (!status_is_ok(&status)) return status;
    fault->why.recording = NULL;
    review->fault_count++;
    return status;
}

const Explanation *review_reason(const Review *review, int ply) {
    for (int i = 0; i < review->fault_count; i++)
        if (review->faults[i].ply == ply && !reason_is_good(review->faults[i].why.reason))
            return &review->faults[i].why;
    return NULL;
}

Color review_mover(const Game *game, int ply) {
    return ply % 2 == 0 ? game->start.side : color_other(game->start.side);
}

double review_white_expected(const Review *review, const Game *game, int position) {
    const double expected = review->positions[position].assessment.expected;
    return review_mover(game, position) == WHITE ? expected : 1 - expected;
}

int review_lost_from(const Review *review, const Game *game) {
    enum { LOST_MOVES = 3 };
    if (review->done < review->moves) return -1;
    const Color loser = review_white_expected(review, game, review->done) < 0.5 ? WHITE : BLACK;
    int ply = review->done;
    while (ply >= 0) {
        const double white = review_white_expected(review, game, ply);
        if ((loser == WHITE ? white : 1 - white) >= VERDICT_LEAST_LOSS) break;
        ply--;
    }
    ply++;
    if (review_mover(game, ply) != loser) ply++;
    return review->done - ply > 2 * (LOST_MOVES - 1) ? ply : -1;
}

/* --- games --- */

static Status count_up(Review *review, const Game *game) {
    double *losses = memory_allocate(((size_t)review->moves + 1) * sizeof *losses);
    if (losses == NULL) return status_no_memory("the review");
    assert(review->done == 0 || review->verdicts != NULL);
    for (int color = WHITE; color < COLOR_COUNT; color++) {
        ReviewedSide *side = &review->side[color];
        for (int ply = 0; ply < review->done; ply++) {
            if (review_mover(game, ply) != (Color)color) continue;
            losses[side->moves++] = review->verdicts[ply].loss;
            side->count[review->verdicts[ply].kind]++;
        }
        side->accuracy = verdict_accuracy(losses, side->moves);
    }
    memory_release(losses);
    return status_ok();
}

void review_release(Review *review) {
    for (int i = 0; i < review->fault_count; i++) explanation_release(&review->faults[i].why);
    memory_release(review->faults);
    memory_release(review->positions);
    memory_release(review->verdicts);
    *review = (Review){0};
}

static Status review_positions(Reviewer *reviewer, const Game *game, const SearchLimits *limits,
                               ReviewProgress *progress, void *context, Review *review) {
    Position pos = game->start, before = pos;
    MoveFacts facts = {0};
    Status status = status_ok();
    for (int ply = 0; ply <= game->move_count; ply++) {
        progress(context, ply, game->move_count + 1);
        const ReviewedPosition found = look_at(reviewer, &pos, ply == game->move_count, limits);
        if (is_stopped(reviewer)) break;
        review->positions[ply] = found;
        if (ply > 0) {
            facts.after = found.assessment;
            review->verdicts[ply - 1] = verdict_of(&facts);
            if (verdict_is_fault(review->verdicts[ply - 1].kind))
                status = explain_fault(reviewer, &before, game->moves[ply - 1], ply - 1, limits, review);
            if (!status_is_ok(&status) || is_stopped(reviewer)) break;
        }
        review->done = ply;
        if (ply == game->move_count) break;
        Undo undo;
        const Move move = game->moves[ply], last = ply > 0 ? game->moves[ply - 1] : MOVE_NONE;
        facts = facts_before(reviewer, &pos, &found, last, move);
        before = pos;
        position_make_move(&pos, move, &undo);
    }
    return status;
}

Status reviewer_review(Reviewer *reviewer, const Game *game, const SearchLimits *limits,
                       ReviewProgress *progress, void *context, Review *review) {
    const size_t positions = (size_t)game->move_count + 1;
    *review = (Review){.done = -1, .moves = game->move_count};
    review->positions = memory_allocate(positions * sizeof *review->positions);
    review->verdicts = memory_allocate(positions * sizeof *review->verdicts);
    Status status = status_no_memory("the review");
    const bool has_room = review->positions != NULL && review->verdicts != NULL;
    if (has_room && reviewer->explainer == NULL)
        reviewer->explainer = explainer_create(engine_network(reviewer->engine), EXPLAIN_HASH, &status);
    if (has_room && reviewer->explainer != NULL) {
        engine_new_game(reviewer->engine);
        status = review_positions(reviewer, game, limits, progress, context, review);
    }
    if (status_is_ok(&status)) status = count_up(review, game);
    if (!status_is_ok(&status)) review_release(review);
    return status;
}
