#include "explain/explain.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chess/movegen.h"
#include "engine/chances.h"
#include "explain/candidates.h"
#include "explain/exchange.h"
#include "search/pool.h"

#include <stdatomic.h>
#include <string.h>

enum {
    EXTENSIONS_MAX = 4,               /* further searches from the end of a line that does not rest yet */
    EXTENSION_SHARE = 8,              /* each has this part of the nodes */
    RECORDED_PLIES = STORY_NODES_MAX, /* of the search of the position */
    GOOD_UNITS = 100, /* what a move may cost in units and be as good as the best, whatever can be shown */
    DRAWN_AWAY = 60,  /* units by which the better move must be ahead for a draw to be called thrown away */
    DEPTH_SHARE = 2,  /* the lines of the deeper half of the iterations count */
    POINTS_A_PAWN = 4 /* lost at most for a pawn between the scores, which grow slowly where much is lost */
};

struct Explainer {
    SearchPool *pool;
    Evaluator *evaluator;          /* of boards that no search is at */
    Recorder *recorder, *switches; /* of the search of the position, and of those without a technique */
    SearchInfo info;               /* the last exact line of the search in progress */
    SearchInfo early;              /* the last one with no more nodes than early_nodes */
    SearchInfo
        reported[CANDIDATES_MAX]; /* the last exact line of each iteration, the last one being `info` */
    int reported_count;
    Candidates played, better; /* what those lines show */
    uint64_t early_nodes;
    uint64_t nodes; /* of all searches for one explanation */
    int depth;      /* limit of every search in plies; 0: none */
    atomic_bool stopped;
};

const char *reason_name(Reason reason) {
    static const char *const NAMES[] = {[REASON_BEST] = "best",
                                        [REASON_GOOD] = "as good as the best",
                                        [REASON_MATED] = "allows mate",
                                        [REASON_MISSES_MATE] = "misses mate",
                                        [REASON_STALEMATE] = "stalemate",
                                        [REASON_REPETITION] = "repetition",
                                        [REASON_LOSES_MATERIAL] = "loses material",
                                        [REASON_MISSES_MATERIAL] = "misses material",
                                        [REASON_VALUE] = "value"};
    return NAMES[reason];
}

static void on_info(void *context, const SearchInfo *info) {
    Explainer *explainer = context;
    if (info->bound != BOUND_EXACT || info->multi_pv != 1 || info->pv_length == 0) return;
    if (explainer->info.pv_length > 0 && explainer->info.depth != info->depth) {
        if (explainer->reported_count == CANDIDATES_MAX - 1)
            memmove(&explainer->reported[0], &explainer->reported[1],
                    (size_t)--explainer->reported_count * sizeof explainer->reported[0]);
        explainer->reported[explainer->reported_count++] = explainer->info;
    }
    explainer->info = *info;
    if (info->nodes <= explainer->early_nodes) explainer->early = *info;
}

Explainer *explainer_create(const Network *network, size_t hash, Status *status) {
    Explainer *explainer = memory_allocate(sizeof *explainer);
    if (explainer == NULL) {
        *status = status_no_memory("the explanation of moves");
        return NULL;
    }
    const SearchListener listener = {.context = explainer, .info = on_info};
    explainer->pool = pool_create(&listener, hash, network, status);
    explainer->evaluator = explainer->pool == NULL ? NULL : evaluator_create(network);
    explainer->recorder = recorder_create(RECORDING_BYTES_MAX);
    explainer->switches = recorder_create(0); /* its switches, and nothing recorded */
    const bool has_rest =
        explainer->recorder != NULL && explainer->switches != NULL && explainer->evaluator != NULL;
    if (explainer->pool != NULL && !has_rest) *status = status_no_memory("the explanation of moves");
    if (explainer->pool == NULL || !has_rest) {
        explainer_destroy(explainer);
        return NULL;
    }
    return explainer;
}

void explainer_destroy(Explainer *explainer) {
    if (explainer == NULL) return;
    pool_destroy(explainer->pool);
    evaluator_destroy(explainer->evaluator);
    recorder_destroy(explainer->recorder);
    recorder_destroy(explainer->switches);
    memory_release(explainer);
}

void explainer_set_depth(Explainer *explainer, int depth) { explainer->depth = depth; }

void explainer_stop(Explainer *explainer) {
    atomic_store(&explainer->stopped, true);
    pool_stop(explainer->pool);
}

/* Searches `pos`, all moves or `only` that one; the result is explainer->info. */
static void search_to(Explainer *explainer, const Position *pos, Move only, uint64_t nodes, int depth) {
    explainer->info = explainer->early = (SearchInfo){.pv_length = 0};
    explainer->reported_count = 0;
    SearchLimits limits = {
        .nodes = nodes, .depth = depth, .multi_pv = 1, .analyse = true, .start = clock_microseconds()};
    if (only != MOVE_NONE) limits.search_moves[limits.search_move_count++] = only;
    pool_start(explainer->pool, pos, &limits);
    if (atomic_load(&explainer->stopped)) pool_stop(explainer->pool);
    pool_wait(explainer->pool);
    explainer->nodes += explainer->info.nodes;
}

static void search(Explainer *explainer, const Position *pos, Move only, uint64_t nodes) {
    search_to(explainer, pos, only, nodes, explainer->depth);
}

/* Searches all moves from an empty table; `recorder` has begun. */
static void search_traced(Explainer *explainer, Recorder *recorder, const Position *pos, uint64_t nodes,
                          int depth) {
    pool_clear(explainer->pool);
    pool_trace(explainer->pool, recorder_tracer(recorder));
    search_to(explainer, pos, MOVE_NONE, nodes, depth);
    pool_trace(explainer->pool, NULL);
}

/* Whether the line needs no more moves: the game is over at its end, or its last boards rest. */
static bool is_complete(const Line *line, int score) {
    if (!movegen_has_legal(&line->board[line->length]) || line_repeats(line, line->length)) return true;
    if (score_is_mate(score)) return false;
    return line_settled(line, int_max(0, line->length - 2)) >= 0;
}

/* The line of the last search, continued by further ones until it rests: a table cuts it short otherwise. */
static Line *complete_line(Explainer *explainer, const Position *root, uint64_t nodes) {
    const SearchInfo found = explainer->info;
    Move moves[LINE_PLIES_MAX];
    int count = int_min(found.pv_length, LINE_PLIES_MAX);
    for (int i = 0; i < count; i++) moves[i] = found.pv[i];
    Line *line = line_create(root, moves, count);
    for (int round = 0; line != NULL && round < EXTENSIONS_MAX && count < LINE_PLIES_MAX; round++) {
        if (is_complete(line, found.score) || atomic_load(&explainer->stopped)) break;
        search(explainer, &line->board[count], MOVE_NONE, nodes / EXTENSION_SHARE);
        for (int i = 0; i < explainer->info.pv_length && count < LINE_PLIES_MAX; i++)
            moves[count++] = explainer->info.pv[i];
        line_destroy(line);
        line = line_create(root, moves, count);
    }
    return line;
}

static double expected_score(const Position *root, int score) {
    return chances_expected(chances_of_search(root, score));
}

/* The first ply from 1 on at which the side other than `color` takes a piece of a kind that is lost in the
 * end. */
static int first_loss(const Line *line, int end, Color color, const LineLoss *loss) {
    for (int ply = 0; ply < end; ply++) {
        const Piece taken = position_captured_by(&line->board[ply], line->move[ply]);
        if (taken != NO_PIECE && piece_color(taken) == color && loss->lost[piece_type(taken)] > 0) return ply;
    }
    return -1;
}

/* The lines of the iterations before the last one, for what they show; the last one is to be completed. */
static void collect_candidates(const Explainer *explainer, const Position *root, Candidates *candidates) {
    candidates->count = 0;
    const SearchInfo *last = &explainer->info;
    for (int i = 0; i < explainer->reported_count; i++) {
        const SearchInfo *info = &explainer->reported[i];
        if (info->pv[0] != last->pv[0] || DEPTH_SHARE * info->depth < last->depth) continue;
        Line *line = line_create(root, info->pv, info->pv_length);
        if (line == NULL) return; /* one candidate less */
        candidate_read(line, &candidates->line[candidates->count++]);
        line_destroy(line);
    }
}

/* Puts a candidate's line in the place of `line`, unless it is the same. False without memory. */
static bool take_line(Line **line, const Candidates *candidates, int index) {
    if (index == candidates->count - 1) return true;
    const Candidate *candidate = &candidates->line[index];
    Line *other = line_create(&(*line)->board[0], candidate->move, candidate->length);
    if (other == NULL) return false;
    line_destroy(*line);
    *line = other;
    return true;
}

/* Material that the move loses, or leaves to the opponent: what the candidate lines vote for (candidates.h),
 * no more than the scores agree with (POINTS_A_PAWN). */
static Reason find_material(Explainer *explainer, Explanation *explanation, Color us) {
    Candidates *played = &explainer->played, *better = &explainer->better;
    if (explanation->mate > 0) played->count = 0; /* the line that mates is shown */
    candidate_read(explanation->refutation, &played->line[played->count++]);
    candidate_read(explanation->better, &better->line[better->count++]);
    const int gap = explanation->best_score - explanation->score,
              most = POINTS_A_PAWN * gap / SCORE_UNITS_PER_PAWN;
    CandidatePair pair;
    if (!candidates_vote(played, better, most, &pair)) return REASON_VALUE;
    if (!take_line(&explanation->refutation, played, pair.played)) return REASON_VALUE;
    if (!take_line(&explanation->better, better, pair.better)) return REASON_VALUE;
    const Line *line = pair.is_missed ? explanation->better : explanation->refutation;
    const Color loser = pair.is_missed ? color_other(us) : us;
    explanation->settled = pair.loss.ply;
    explanation->material = line_loss(line, 0, pair.loss.ply, loser);
    explanation->capture = first_loss(line, pair.loss.ply, loser, &explanation->material);
    return pair.is_missed ? REASON_MISSES_MATERIAL : REASON_LOSES_MATERIAL;
}

static bool is_mere_capture(MotifKind kind) { return kind == MOTIF_UNDEFENDED || kind == MOTIF_OUTNUMBERED; }

/* Whether the loss would not be one without what the motif takes, or is of that kind. */
static bool explains_loss(const Explanation *explanation, const Line *line, const Motif *motif) {
    const LineLoss *material = &explanation->material;
    const PieceType won =
        piece_type(position_captured_by(&line->board[motif->won_at], line->move[motif->won_at]));
    const bool is_minor = won == KNIGHT || won == BISHOP;
    if (motif->kind == MOTIF_PROMOTION) return material->promoted[line->board[motif->ply].side] > 0;
    PieceType dearest = QUEEN;
    while (dearest > PAWN && material->lost[dearest] == 0) dearest--;
    /* A pawn that is picked up later does not tell why the queen was lost. */
    if (is_mere_capture(motif->kind) && exchange_points(won) < exchange_points(dearest)) return false;
    if (won < KING && material->lost[won] > 0) return true;
    if (is_minor && material->lost[KNIGHT] + material->lost[BISHOP] > 0) return true;
    return material->net - motif_gain(line, motif) < 1;
}

/* The motifs by which the side to move on board `first` wins, or `mates`: the most telling one that explains
 * the loss (by the order of MotifKind), and one more that stands on the line up to where that one wins. */
static void find_motifs(Explanation *explanation, const Line *line, int first, bool mates) {
    Motif found[(LINE_PLIES_MAX / 2 + 1) * MOTIF_KINDS];
    int count = 0;
    Motif *best = &explanation->motif, *also = &explanation->also;
    for (int ply = first; ply < explanation->settled; ply += 2)
        count += mates ? motif_find_mating(line, ply, &found[count])
                       : motif_find(line, ply, explanation->settled, &found[count]);
    for (int i = 0; i < count; i++)
        if ((best->kind == MOTIF_NONE || found[i].kind < best->kind) &&
            (mates || explains_loss(explanation, line, &found[i])))
            *best = found[i];
    for (int i = 0; i < count && best->kind != MOTIF_NONE; i++)
        if (found[i].ply <= best->won_at && found[i].kind != best->kind && !is_mere_capture(found[i].kind) &&
            (also->kind == MOTIF_NONE || found[i].kind < also->kind))
            *also = found[i];
}

/* The number of moves to the mate that ends the line, for the side that mates; 0 when it does not end so. */
static int moves_to_mate(const Line *line) {
    return line_is_mate(line, line->length) ? (line->length + 1) / 2 : 0;
}

/* What a good move achieves on its line: a mate, or material that is won when the line rests for the first
 * time and still when it rests for the last. */
static void find_achievement(Explanation *explanation, Color us) {
    const Line *line = explanation->refutation;
    if (explanation->mate > 0) return;
    if (explanation->score >= SCORE_WIN && line_is_mate(line, line->length)) {
        explanation->mate = moves_to_mate(line);
        explanation->settled = line->length;
        find_motifs(explanation, line, 0, true);
        return;
    }
    const int first = line_settled(line, 1);
    int last = first;
    for (int at = first; at >= 0; at = at < line->length ? line_settled(line, at + 1) : -1) last = at;
    if (first < 0 || line_loss(line, 0, last, color_other(us)).net < 1) return;
    const LineLoss won = line_loss(line, 0, first, color_other(us));
    if (won.net < 1) return;
    explanation->material = won;
    explanation->settled = first;
    find_motifs(explanation, line, 0, false);
}

static Reason find_reason(Explainer *explainer, Explanation *explanation, Color us) {
    const Line *line = explanation->refutation, *better = explanation->better;
    explanation->settled = explanation->capture = -1;
    if (explanation->score <= -SCORE_WIN && line_is_mate(line, line->length)) {
        explanation->mate = line->length / 2;
        explanation->settled = line->length;
        if (explanation->best_score > -SCORE_WIN) return REASON_MATED;
    }
    if (explanation->move == explanation->best) return REASON_BEST;
    /* In a decided game a whole queen costs nothing of the expected score. It is reported all the same. */
    const bool is_good = explanation->loss < REASON_GOOD_LOSS;
    if (is_good && explanation->best_score - explanation->score < GOOD_UNITS) return REASON_GOOD;
    if (explanation->score == SCORE_DRAW && explanation->best_score >= DRAWN_AWAY) {
        explanation->settled = line->length;
        if (line_is_stalemate(line, line->length)) return REASON_STALEMATE;
        if (line_repeats(line, line->length)) return REASON_REPETITION;
        explanation->settled = -1;
    }
    if (explanation->best_score >= SCORE_WIN && explanation->score < SCORE_WIN && moves_to_mate(better) > 0) {
        explanation->mate = moves_to_mate(better);
        explanation->settled = better->length;
        return REASON_MISSES_MATE;
    }
    const Reason reason = find_material(explainer, explanation, us);
    return reason == REASON_VALUE && is_good ? REASON_GOOD : reason;
}

const Line *explanation_line(const Explanation *explanation) {
    const bool is_missed =
        explanation->reason == REASON_MISSES_MATERIAL || explanation->reason == REASON_MISSES_MATE;
    return is_missed ? explanation->better : explanation->refutation;
}

/* What happens on the line that shows the reason. */
static void find_facts(Explainer *explainer, Explanation *explanation, Color us) {
    const Line *line = explanation_line(explanation), *better = explanation->better;
    switch (explanation->reason) {
    case REASON_BEST:
    case REASON_GOOD: find_achievement(explanation, us); break;
    case REASON_MATED: find_motifs(explanation, line, 1, true); break;
    case REASON_MISSES_MATE: find_motifs(explanation, line, 0, true); break;
    case REASON_LOSES_MATERIAL:
        if (explanation->capture >= 0) explanation->cause = line_cause(line, explanation->capture);
        find_motifs(explanation, line, 1, false);
        break;
    case REASON_MISSES_MATERIAL: find_motifs(explanation, line, 0, false); break;
    case REASON_VALUE:
        explanation->played_end = evaluator_inspect(explainer->evaluator, &line->board[line->length]);
        explanation->better_end = evaluator_inspect(explainer->evaluator, &better->board[better->length]);
        break;
    case REASON_STALEMATE:
    case REASON_REPETITION: break;
    }
}

static Finding finding(const SearchInfo *info) {
    return (Finding){.best = info->pv_length > 0 ? info->pv[0] : MOVE_NONE,
                     .score = info->score,
                     .depth = info->depth,
                     .nodes = info->nodes};
}

static Status add_without(Explanation *explanation, const Without *search) {
    Without *grown = memory_grow(explanation->without, (size_t)explanation->without_count, sizeof *grown);
    if (grown == NULL) return status_no_memory("the searches without a technique");
    explanation->without = grown;
    explanation->without[explanation->without_count++] = *search;
    return status_ok();
}

/* The best move, its line, and how the search of all moves treated `move`. */
static Status find_best(Explainer *explainer, const Position *pos, Move move, uint64_t nodes,
                        Explanation *explanation) {
    const SearchInfo *info = &explainer->info;
    /* The same search as any other of these nodes, but traced. */
    recorder_begin(explainer->recorder, &(RecordingFilter){.root_move = move, .plies = RECORDED_PLIES}, 0);
    search_traced(explainer, explainer->recorder, pos, nodes, explainer->depth);
    explanation->recording = recorder_recording(explainer->recorder);
    story_read(explanation->recording, pos, move, &explanation->story);
    explanation->best = info->pv_length > 0 ? info->pv[0] : move;
    explanation->best_score = info->score;
    explanation->depth = info->depth;
    const Finding found = finding(info);
    collect_candidates(explainer, pos, &explainer->better);
    explanation->better = complete_line(explainer, pos, nodes);
    return add_without(explanation, &(Without){TECHNIQUE_COUNT, found, found});
}

/* The score of `move` and the line that answers it. */
static void find_refutation(Explainer *explainer, const Position *pos, Move move, uint64_t nodes,
                            Explanation *explanation) {
    if (explanation->best == move) {
        const Line *better = explanation->better;
        explanation->score = explanation->best_score;
        if (better != NULL) explanation->refutation = line_create(pos, better->move, better->length);
        return;
    }
    search(explainer, pos, move, nodes);
    explanation->score = explainer->info.score;
    explanation->depth = explainer->info.depth;
    collect_candidates(explainer, pos, &explainer->played);
    explanation->refutation = complete_line(explainer, pos, nodes);
}

Status explainer_explain(Explainer *explainer, const Position *pos, Move move, uint64_t nodes,
                         Explanation *explanation) {
    *explanation = (Explanation){.move = move, .position_nodes = nodes};
    explainer->nodes = 0;
    const Status status = find_best(explainer, pos, move, nodes, explanation);
    find_refutation(explainer, pos, move, nodes, explanation);
    if (explanation->better == NULL || explanation->refutation == NULL || !status_is_ok(&status)) {
        explanation_release(explanation);
        return status_no_memory("the lines of an explanation");
    }
    explanation->nodes = explainer->nodes;
    const double loss =
        expected_score(pos, explanation->best_score) - expected_score(pos, explanation->score);
    explanation->loss = loss > 0 ? loss : 0;
    explanation->reason = find_reason(explainer, explanation, pos->side);
    find_facts(explainer, explanation, pos->side);
    return status_ok();
}

const SearchInfo *explainer_search_without(Explainer *explainer, const Position *pos, TechniqueSet off,
                                           uint64_t nodes, int depth) {
    recorder_begin(explainer->switches, &(RecordingFilter){.plies = 1}, off);
    search_traced(explainer, explainer->switches, pos, nodes, depth);
    return &explainer->info;
}

Status explainer_try_without(Explainer *explainer, Explanation *explanation, TechniqueId technique) {
    const Position *pos = &explanation->refutation->board[0];
    const TechniqueSet off = technique_bit(technique);
    const uint64_t nodes = explanation->position_nodes;
    const int depth = explanation->without[0].same_depth.depth;
    Without found = {.off = technique};
    explainer->early_nodes = nodes;
    found.same_depth =
        finding(explainer_search_without(explainer, pos, off, nodes * WITHOUT_NODES_FACTOR, depth));
    found.same_nodes = finding(&explainer->early);
    if (found.same_depth.depth == depth && found.same_depth.nodes < nodes)
        found.same_nodes = finding(explainer_search_without(explainer, pos, off, nodes, explainer->depth));
    return atomic_load(&explainer->stopped) ? status_ok() : add_without(explanation, &found);
}

static Status grow_one(Explainer *explainer, const Position *pos, const TreeQuestion *question,
                       TechniqueSet off, Tree *tree) {
    recorder_begin(explainer->recorder, &(RecordingFilter){.latest = true}, off);
    search_traced(explainer, explainer->recorder, pos, 0, question->depth);
    const int root = tree_last_root(recorder_recording(explainer->recorder));
    if (root == VISIT_NONE) return status_error("stopped before the first iteration was finished");
    const Status status =
        tree_build(recorder_recording(explainer->recorder), pos, root, question->size, tree);
    if (!status_is_ok(&status)) return status;
    tree->off = off;
    tree->found = finding(&explainer->info);
    tree->own = recorder_take(explainer->recorder);
    tree->recording = &tree->own;
    return status;
}

Status explainer_grow(Explainer *explainer, const Position *pos, const TreeQuestion *question, Tree trees[2],
                      int *count) {
    *count = 0;
    Status status = grow_one(explainer, pos, question, 0, &trees[0]);
    *count += status_is_ok(&status);
    if (question->off != 0 && *count == 1 && !atomic_load(&explainer->stopped)) {
        status = grow_one(explainer, pos, question, question->off, &trees[1]);
        *count += status_is_ok(&status);
        if (atomic_load(&explainer->stopped)) status = status_ok();
    }
    if (!status_is_ok(&status) && *count == 1) tree_release(&trees[--*count]);
    return status;
}

double explainer_expected_score(Explainer *explainer, const Position *pos, uint64_t nodes) {
    if (!movegen_has_legal(pos)) return position_in_check(pos) ? 0.0 : 0.5;
    search(explainer, pos, MOVE_NONE, nodes);
    return expected_score(pos, explainer->info.score);
}

void explanation_release(Explanation *explanation) {
    memory_release(explanation->without);
    line_destroy(explanation->refutation);
    line_destroy(explanation->better);
    explanation->refutation = explanation->better = NULL;
}
