#include "explain/explain.h"

#include "base/memory.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "engine/chances.h"
#include "explain/reason.h"
#include "record/language.h"

enum { RECORDED_PLIES = STORY_NODES_MAX }; /* of the search of the position */

#define DOUBTFUL_LOSS 0.15 /* of the expected score: up to here longer searches are asked */

struct Explainer {
    Searcher *searcher;
    Recorder *recorder, *switches; /* of the search of the position, and of those without a technique */
    int depth;                     /* limit of every search in plies; 0: none */
    ExplainConfirms *confirms;     /* NULL: nobody wants to know */
    void *context;
};

Explainer *explainer_create(const Network *network, size_t hash, Status *status) {
    *status = status_no_memory("the explanation of moves");
    Explainer *explainer = memory_allocate(sizeof *explainer);
    if (explainer == NULL) return NULL;
    explainer->recorder = recorder_create(RECORDING_BYTES_MAX);
    explainer->switches = recorder_create(0); /* its switches, and nothing recorded */
    if (explainer->recorder != NULL && explainer->switches != NULL)
        explainer->searcher = searcher_create(network, hash, status);
    if (explainer->searcher != NULL) return explainer;
    explainer_destroy(explainer);
    return NULL;
}

void explainer_destroy(Explainer *explainer) {
    if (explainer == NULL) return;
    searcher_destroy(explainer->searcher);
    recorder_destroy(explainer->recorder);
    recorder_destroy(explainer->switches);
    memory_release(explainer);
}

void explainer_set_depth(Explainer *explainer, int depth) {
    explainer->depth = depth;
    searcher_set_depth(explainer->searcher, depth);
}

void explainer_on_confirm(Explainer *explainer, ExplainConfirms *confirms, void *context) {
    explainer->confirms = confirms;
    explainer->context = context;
}

Status explainer_use_store(Explainer *explainer, const char *path) {
    return searcher_use_store(explainer->searcher, path);
}

Status explainer_take_store_fault(Explainer *explainer) {
    return searcher_take_store_fault(explainer->searcher);
}

Searcher *explainer_searcher(Explainer *explainer) { return explainer->searcher; }

void explainer_stop(Explainer *explainer) { searcher_stop(explainer->searcher); }

static double expected_score(const Position *root, int score) {
    return chances_expected(chances_of_search(root, score));
}

Assessment explainer_assess(Explainer *explainer, const Position *pos, uint64_t nodes, Move *best) {
    *best = MOVE_NONE;
    if (!movegen_has_legal(pos))
        return verdict_assess(pos, position_in_check(pos) ? score_mated_in(0) : SCORE_DRAW);
    const SearchInfo *info = searcher_search(explainer->searcher, pos, MOVES_ALL, MOVE_NONE, nodes);
    if (info->pv_length > 0) *best = info->pv[0];
    return verdict_assess(pos, info->score);
}

/* --- explanations --- */

static Status add_without(Explanation *explanation, const Without *search) {
    Without *grown = memory_grow(explanation->without, (size_t)explanation->without_count, sizeof *grown);
    if (grown == NULL) return status_no_memory("the searches without a technique");
    explanation->without = grown;
    explanation->without[explanation->without_count++] = *search;
    return status_ok();
}

/* The search of all moves, the same as any other of these nodes, but traced: how did it treat `move`? */
static Status search_and_record(Explainer *explainer, const Position *pos, Move move, uint64_t nodes,
                                Explanation *explanation) {
    recorder_begin(explainer->recorder, &(RecordingFilter){.root_move = move, .plies = RECORDED_PLIES}, 0);
    const Finding found =
        finding_of(searcher_record(explainer->searcher, pos, explainer->recorder, nodes, explainer->depth));
    explanation->position_nodes = nodes;
    explanation->recording = recorder_recording(explainer->recorder);
    story_read(explanation->recording, pos, move, &explanation->story);
    return add_without(explanation, &(Without){TECHNIQUE_COUNT, found, found});
}

/* The branches of the best move, which the last search found, and of `move`. A search of `move` alone may
 * find more in it than in the best one: then it is the best move. False without memory. */
static bool read_branches(Searcher *searcher, const Position *pos, Move move, uint64_t nodes,
                          Explanation *explanation) {
    Branch *better = &explanation->better, *played = &explanation->played;
    if (!searcher_read(searcher, pos, move, nodes, better)) return false;
    if (better->move == move) return branch_copy(better, played);
    searcher_search(searcher, pos, MOVES_ONLY, move, nodes);
    if (!searcher_read(searcher, pos, move, nodes, played)) return false;
    if (played->score <= better->score) return true;
    branch_release(better);
    return branch_copy(played, better);
}

/* Reads the branches and finds the reason. */
static Status judge(Searcher *searcher, const Position *pos, Move move, uint64_t nodes,
                    Explanation *explanation) {
    if (!read_branches(searcher, pos, move, nodes, explanation))
        return status_no_memory("the lines of an explanation");
    const double loss =
        expected_score(pos, explanation->better.score) - expected_score(pos, explanation->played.score);
    explanation->loss = loss > 0 ? loss : 0;
    reason_find(explanation, searcher, nodes);
    return searcher_take_failure(searcher) ? status_no_memory("the reason of an explanation") : status_ok();
}

/* Whether a longer search may find a better move than one that is called good: nothing that the move
 * achieves shows that it is, and the next best one is not much worse. Not in a decided game. */
static bool is_doubtful_praise(const Explanation *explanation) {
    enum { CLEAR = SCORE_UNITS_PER_PAWN, DECIDED = 5 * SCORE_UNITS_PER_PAWN, PIECE = 3 };
    const Branch *second = &explanation->merit.second;
    const bool is_clear = explanation->reason == REASON_BEST && second->line != NULL &&
                          explanation->played.score >= second->score + CLEAR;
    return reason_is_good(explanation->reason) && explanation->merit.moves > 1 && !is_clear &&
           explanation->material.net < PIECE && int_abs(explanation->better.score) < DECIDED;
}

/* Whether the verdict must hold in longer searches, too: a small loss may be none, what comes late may be
 * avoided, what no reason explains may have one, and what is called good may not be. */
static bool is_doubtful(const Explanation *explanation) {
    const DrawKind draw = explanation->result.draw;
    const bool is_late = explanation->settled > LOSS_PLY;
    const bool is_won = explanation->result.better == OUTCOME_WIN;
    const bool is_unexplained = explanation->reason >= REASON_HARMS && !(is_won && draw != DRAW_NONE);
    if (explanation->mate > 0) return false;
    if (reason_is_good(explanation->reason)) return is_doubtful_praise(explanation);
    return explanation->loss < DOUBTFUL_LOSS || is_late || is_unexplained;
}

/* Whether a draw that a good move holds is none to a longer search: the way out of a repetition may be
 * hidden. */
static bool is_no_draw(Searcher *searcher, const Position *pos, uint64_t nodes,
                       const Explanation *explanation) {
    if (explanation->merit.kind != MERIT_DRAWS) return false;
    const SearchInfo *info = searcher_search(searcher, pos, MOVES_ONLY, explanation->played.move, nodes);
    return info->pv_length > 0 && int_abs(info->score) > SCORE_UNITS_PER_PAWN / 2;
}

/* What was found by shorter searches is found again. */
static Status confirm(Searcher *searcher, const Position *pos, uint64_t nodes, Explanation *explanation) {
    const Move move = explanation->played.move;
    Explanation longer = {.story = explanation->story,
                          .without = explanation->without,
                          .without_count = explanation->without_count,
                          .position_nodes = explanation->position_nodes,
                          .recording = explanation->recording};
    explanation->without = NULL;
    explanation_release(explanation);
    *explanation = longer;
    searcher_search(searcher, pos, MOVES_ALL, MOVE_NONE, nodes);
    return judge(searcher, pos, move, nodes, explanation);
}

Status explainer_explain(Explainer *explainer, const Position *pos, Move move, uint64_t nodes,
                         Explanation *explanation) {
    Searcher *searcher = explainer->searcher;
    *explanation = (Explanation){.settled = -1};
    searcher_take_nodes(searcher);
    (void)searcher_take_failure(searcher);
    Status status = search_and_record(explainer, pos, move, nodes, explanation);
    if (status_is_ok(&status)) status = judge(searcher, pos, move, nodes, explanation);
    const uint64_t more = EXPLAIN_CONFIRM_FACTOR * nodes;
    if (status_is_ok(&status) && !searcher_is_stopped(searcher) &&
        (is_doubtful(explanation) || is_no_draw(searcher, pos, more, explanation))) {
        if (explainer->confirms != NULL) explainer->confirms(explainer->context);
        status = confirm(searcher, pos, more, explanation);
    }
    explanation->nodes = searcher_take_nodes(searcher);
    if (!status_is_ok(&status)) explanation_release(explanation);
    return status;
}

/* --- other searches --- */

const SearchInfo *explainer_search_without(Explainer *explainer, const Position *pos,
                                           const SearchChanges *changes, uint64_t nodes, int depth) {
    recorder_begin(explainer->switches, &(RecordingFilter){.plies = 1}, changes);
    return searcher_record(explainer->searcher, pos, explainer->switches, nodes, depth);
}

Status explainer_try_without(Explainer *explainer, Explanation *explanation, TechniqueId technique) {
    const Position *pos = &explanation->played.line->board[0];
    const SearchChanges changes = {.off = technique_bit(technique)};
    const uint64_t nodes = explanation->position_nodes;
    const int depth = explanation->without[0].same_depth.depth;
    Without found = {.off = technique};
    found.same_depth =
        finding_of(explainer_search_without(explainer, pos, &changes, nodes * WITHOUT_NODES_FACTOR, depth));
    found.same_nodes = searcher_found_by(explainer->searcher, nodes);
    if (found.same_depth.depth == depth && found.same_depth.nodes < nodes)
        found.same_nodes =
            finding_of(explainer_search_without(explainer, pos, &changes, nodes, explainer->depth));
    return searcher_is_stopped(explainer->searcher) ? status_ok() : add_without(explanation, &found);
}

/* The act that skipped a move of the visit: the move alone, or, without a name of it, all of its kind.
 * VISIT_NONE when none did. */
static int find_skipper(const Recording *recording, int visit, const Position *pos, Move move) {
    const Visit *node = &recording->visit[visit];
    const bool noisy = position_is_noisy(pos, move);
    for (int i = node->act; i < node->act_end; i++) {
        const RecordedAct *act = &recording->act[i];
        if (act->visit != visit || act->effect != EFFECT_SKIPS) continue;
        if (act->move == move || (act->technique == TECHNIQUE_late_move_pruning && !noisy) ||
            (act->technique == TECHNIQUE_quiescence_see && noisy))
            return i;
    }
    return VISIT_NONE;
}

/* "see_pruning skipped Ng4: Ng4 loses more than 1.86 by exchanges". */
static void describe_skip(const Recording *recording, int act, const Position *pos, char *out, size_t room) {
    Document *document = memory_allocate(sizeof *document);
    ActGroup group = {.count = 0};
    const char *technique = technique_name((TechniqueId)recording->act[act].technique);
    recording_group_act(recording, &group, act);
    TextBuffer unused = {0}; /* a document without one cannot say that it has no memory */
    if (document != NULL) document->out = &unused;
    if (document != NULL) document->language = language_row(0);
    text_format(out, room, "%s %s", technique,
                document == NULL ? "skipped it" : language_acts(document, recording, &group, pos));
    buffer_release(&unused);
    memory_release(document);
}

/* Why the search of the visit did not come to the move. */
static Status refuse_line(const Recording *recording, int visit, const Position *pos, Move move, int number) {
    const Visit *node = &recording->visit[visit];
    const int skipper = find_skipper(recording, visit, pos, move),
              best = recording_best_child(recording, visit);
    const bool quiescent = node->depth == 0 && !position_in_check(pos) && !position_is_noisy(pos, move);
    char shown[SAN_CAPACITY], cut[SAN_CAPACITY], reason[176] = "its score was known without a search";
    san_write(pos, move, shown);
    if (!node->finished)
        text_format(reason, sizeof reason, "the search was stopped there");
    else if (node->ended_by != TECHNIQUE_COUNT)
        text_format(reason, sizeof reason, "%s ended the node before",
                    technique_name((TechniqueId)node->ended_by));
    else if (skipper != VISIT_NONE)
        describe_skip(recording, skipper, pos, reason, sizeof reason);
    else if (quiescent)
        text_format(reason, sizeof reason, "the node is of quiescence, which tries captures and promotions");
    else if (best != VISIT_NONE && visit_bound(node) == BOUND_LOWER) {
        san_write(pos, recording->visit[best].move, cut);
        text_format(reason, sizeof reason, "%s was good enough for a cut before it", cut);
    } else if (recording->dropped > 0)
        text_format(reason, sizeof reason, "not all of so large a search is recorded");
    else if (best != VISIT_NONE)
        text_format(reason, sizeof reason, "the node ended before it");
    return status_error("the last iteration did not search move %d of the line, %s: %s", number, shown,
                        reason);
}

/* The visit of which a tree is wanted. */
static Status find_top(const Recording *recording, const Position *pos, const TreeQuestion *question,
                       int *top) {
    const int root = recording_last_root(recording);
    if (root == VISIT_NONE) return status_error("stopped before the first iteration was finished");
    int known;
    *top = tree_follow(recording, root, question->line, question->line_length, &known);
    if (known == question->line_length) return status_ok();
    Position before = *pos;
    Undo undo;
    for (int i = 0; i < known; i++) position_make_move(&before, question->line[i], &undo);
    return refuse_line(recording, *top, &before, question->line[known], known + 1);
}

static Status grow_one(Explainer *explainer, const Position *pos, const TreeQuestion *question,
                       const SearchChanges *changes, Tree *tree) {
    recorder_begin(explainer->recorder, &(RecordingFilter){.latest = true}, changes);
    searcher_record(explainer->searcher, pos, explainer->recorder, question->nodes, question->depth);
    int top = VISIT_NONE;
    Status status = find_top(recorder_recording(explainer->recorder), pos, question, &top);
    if (!status_is_ok(&status)) return status;
    status = tree_build(recorder_recording(explainer->recorder), pos, top, question->size, tree);
    if (!status_is_ok(&status)) return status;
    tree->changes = *changes;
    tree->found = searcher_found_at(explainer->searcher, tree->recording->visit[top].iteration);
    tree->own = recorder_take(explainer->recorder);
    tree->recording = &tree->own;
    return status;
}

Status explainer_grow(Explainer *explainer, const Position *pos, const TreeQuestion *question, Tree trees[2],
                      int *count, Status *missing) {
    static const SearchChanges NONE = {0};
    const SearchChanges *changes = &question->changes;
    *count = 0;
    Status status = grow_one(explainer, pos, question, &NONE, &trees[0]);
    *count += status_is_ok(&status);
    const bool has_changes = changes->off != 0 || changes->count > 0;
    *missing = status_ok();
    if (!has_changes || searcher_is_stopped(explainer->searcher)) return status;
    const Status second = grow_one(explainer, pos, question, changes, &trees[*count]);
    if (!status_is_ok(&second) && searcher_is_stopped(explainer->searcher)) return status;
    *count += status_is_ok(&second);
    if (*count == 0) return status_error("%.126s; with the changes, %.108s", status.reason, second.reason);
    if (!status_is_ok(&status))
        *missing = status_error("with all techniques, %s", status.reason);
    else if (!status_is_ok(&second))
        *missing = status_error("with the changes, %s", second.reason);
    return status_ok();
}
