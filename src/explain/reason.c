#include "explain/reason.h"

#include "base/bits.h"
#include "chess/draw.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "engine/chances.h"
#include "explain/exchange.h"

#include <math.h>

enum {
    GOOD_UNITS = 100, /* what a move may cost in units and be as good as the best, whatever can be shown */
    DRAWN_AWAY = 60,  /* units by which the better move must be ahead for a draw to be called thrown away */
    SMALL_UNITS = 3 * SCORE_UNITS_PER_PAWN / 2, /* below, the last iterations' lines alone prove a loss */
    SETTLED_PLY = 8,                            /* a loss must rest by then, or be forced */
    DECIDED_UNITS = 4 * SCORE_UNITS_PER_PAWN,   /* beyond, scores grow slowly, whatever is lost */
    LEVEL_UNITS = 3 * SCORE_UNITS_PER_PAWN / 10,
    REPLY_SHARE = 8,                       /* the search of a single reply has this part of the nodes */
    ONLY_UNITS = SCORE_UNITS_PER_PAWN / 3, /* by which all other replies lose more */
    PASS_SHARE = 2,                        /* the search of the pass has this part of the nodes */
    PASS_UNITS = 15 * SCORE_UNITS_PER_PAWN / 100, /* that a pass and a move differ at least */
    IDLE_PERCENT = 40, /* of what the better move adds to a pass, an idle one adds at most */
    LEVEL_DEPTH = 16   /* of two iterations that find the game level, for it to be called a draw */
};

#define WON 0.9 /* from this chance of winning on a game is won */

/* A question while its reason is looked for. */
typedef struct Case {
    Explanation *found;
    Searcher *searcher;
    uint64_t nodes;
    Color us;
} Case;

const char *reason_name(Reason reason) {
    static const char *const NAMES[] = {[REASON_MATED] = "allows mate",
                                        [REASON_MISSES_MATE] = "misses mate",
                                        [REASON_STALEMATE] = "stalemate",
                                        [REASON_REPETITION] = "repetition",
                                        [REASON_PAWN_ENDING] = "pawn ending",
                                        [REASON_LOSES_MATERIAL] = "loses material",
                                        [REASON_MISSES_MATERIAL] = "misses material",
                                        [REASON_FACT] = "fact",
                                        [REASON_HARMS] = "harms",
                                        [REASON_IDLE] = "idle",
                                        [REASON_NONE] = "none",
                                        [REASON_GOOD] = "as good as the best",
                                        [REASON_BEST] = "best"};
    return NAMES[reason];
}

const char *outcome_name(Outcome outcome) {
    static const char *const NAMES[] = {"open", "win", "draw", "loss"};
    return NAMES[outcome];
}

const char *draw_name(DrawKind kind) {
    static const char *const NAMES[] = {[DRAW_NONE] = "none",
                                        [DRAW_PERPETUAL] = "perpetual check",
                                        [DRAW_REPETITION] = "repetition",
                                        [DRAW_STALEMATE] = "stalemate",
                                        [DRAW_MATERIAL] = "material",
                                        [DRAW_SCORE] = "score"};
    return NAMES[kind];
}

static const Position *root_of(const Explanation *explanation) { return &explanation->played.line->board[0]; }

static int gap_of(const Explanation *explanation) {
    return explanation->better.score - explanation->played.score;
}

const Line *reason_line(const Explanation *explanation) {
    const bool is_missed =
        explanation->reason == REASON_MISSES_MATERIAL || explanation->reason == REASON_MISSES_MATE;
    return is_missed ? explanation->better.line : explanation->played.line;
}

/* --- results --- */

/* Whether one side gives check with each move from board `from` on to the end. */
static bool checks_all_the_time(const Line *line, int from) {
    bool checks[2] = {true, true};
    for (int ply = from; ply < line->length; ply++)
        if (!position_in_check(&line->board[ply + 1])) checks[ply % 2] = false;
    return checks[0] || checks[1];
}

static DrawKind drawn_end(const Line *line) {
    const Position *end = &line->board[line->length];
    if (line_is_stalemate(line, line->length)) return DRAW_STALEMATE;
    if (draw_by_dead_material(end)) return DRAW_MATERIAL;
    for (int ply = line->length - 1; ply >= 0; ply--)
        if (line->board[ply].state.key == end->state.key)
            return checks_all_the_time(line, ply) ? DRAW_PERPETUAL : DRAW_REPETITION;
    return line_repeats(line, line->length) ? DRAW_REPETITION : DRAW_NONE;
}

static DrawKind draw_of(const Branch *branch) {
    if (int_abs(branch->score) <= SCORE_CURSED_WIN) {
        const DrawKind kind = drawn_end(branch->line);
        if (kind != DRAW_NONE) return kind;
    }
    const bool is_level = int_abs(branch->score) < LEVEL_UNITS && int_abs(branch->score_before) < LEVEL_UNITS;
    return is_level && branch->depth > LEVEL_DEPTH ? DRAW_SCORE : DRAW_NONE;
}

static Outcome outcome_of(const Branch *branch) {
    const Chances chances = chances_of_search(&branch->line->board[0], branch->score);
    if (chances.win > WON) return OUTCOME_WIN;
    if (chances.loss > WON) return OUTCOME_LOSS;
    return draw_of(branch) != DRAW_NONE ? OUTCOME_DRAW : OUTCOME_OPEN;
}

/* A level game that is lost is no draw thrown away, unless the line of the better move ends in one. */
static Result result_of(const Explanation *explanation) {
    const Outcome better = outcome_of(&explanation->better), played = outcome_of(&explanation->played);
    const Branch *drawn = better == OUTCOME_DRAW ? &explanation->better : &explanation->played;
    const DrawKind draw = draw_of(drawn);
    const bool is_draw_lost = better == OUTCOME_DRAW && played == OUTCOME_LOSS && draw != DRAW_SCORE;
    const bool is_win_lost = better == OUTCOME_WIN && (played == OUTCOME_DRAW || played == OUTCOME_LOSS);
    if (is_win_lost && played == OUTCOME_LOSS) return (Result){better, played, DRAW_NONE};
    return is_win_lost || is_draw_lost ? (Result){better, played, draw} : (Result){.draw = DRAW_NONE};
}

/* --- each kind of reason: whether it holds --- */

/* The number of moves to the mate that ends the line, for the side that mates; 0 when it does not end so. */
static int moves_to_mate(const Line *line) {
    return line_is_mate(line, line->length) ? (line->length + 1) / 2 : 0;
}

static bool allows_mate(Case *at) {
    Explanation *found = at->found;
    const Line *line = found->played.line;
    if (found->played.score > -SCORE_WIN || !line_is_mate(line, line->length)) return false;
    found->mate = line->length / 2;
    found->settled = line->length;
    return found->better.score > -SCORE_WIN;
}

static bool misses_mate(Case *at) {
    Explanation *found = at->found;
    const int mate = moves_to_mate(found->better.line);
    if (found->better.score < SCORE_WIN || found->played.score >= SCORE_WIN || mate == 0) return false;
    found->mate = mate;
    found->settled = found->better.line->length;
    return true;
}

/* Whether the line ends in a draw of that kind, and the better move is well ahead. */
static bool draws(Case *at, bool by_stalemate) {
    Explanation *found = at->found;
    const Line *line = found->played.line;
    if (found->played.score != SCORE_DRAW || found->better.score < DRAWN_AWAY) return false;
    if (by_stalemate ? !line_is_stalemate(line, line->length) : !line_repeats(line, line->length))
        return false;
    found->settled = line->length;
    return true;
}

static bool has_pieces(const Position *pos) {
    return position_has_pieces(pos, WHITE) || position_has_pieces(pos, BLACK);
}

/* Whether the line soon trades the last pieces, at no greater loss than a pawn, and the result is worse. */
static bool trades_into_pawn_ending(Case *at) {
    Explanation *found = at->found;
    const Line *line = found->played.line;
    int ply = 0;
    const Outcome better = outcome_of(&found->better), played = outcome_of(&found->played);
    if (better == played || (played != OUTCOME_LOSS && better != OUTCOME_WIN)) return false;
    while (ply < int_min(line->length, SETTLED_PLY) && has_pieces(&line->board[ply])) ply++;
    if (ply == 0 || has_pieces(&line->board[ply]) || line_loss(line, 0, ply, at->us).net > 1) return false;
    found->settled = ply;
    return true;
}

/* The points of a loss with which the scores agree: no pawn explains the score of a rook, nor the other way
 * round. Scores grow more slowly than points, in a decided game most of all. */
static LossLimits limits_of(const Explanation *explanation, int ply) {
    const double gap = (double)gap_of(explanation) / SCORE_UNITS_PER_PAWN;
    const bool is_decided =
        explanation->better.score < -DECIDED_UNITS || explanation->played.score > DECIDED_UNITS;
    const double most = fmin(4 * gap, is_decided ? 4 * gap : 1 + gap + gap * gap / 4);
    return (LossLimits){.deepest_only = gap_of(explanation) < SMALL_UNITS,
                        .least = int_max(1, (int)ceil(gap / 2.5) - 1),
                        .most = (int)most,
                        .ply = ply};
}

/* The first ply at which `color` loses a piece of a kind that is lost in the end; -1: none. */
static int first_loss(const Line *line, int end, Color color, const LineLoss *loss) {
    for (int ply = 0; ply < end; ply++) {
        const Piece taken = position_captured_by(&line->board[ply], line->move[ply]);
        if (taken != NO_PIECE && piece_color(taken) == color && loss->lost[piece_type(taken)] > 0) return ply;
    }
    return -1;
}

/* Puts a candidate's line in the place of the branch's. False without memory. */
static bool take_line(Branch *branch, int index) {
    const Candidate *candidate = &branch->candidates.line[index];
    Line *other = line_create(&branch->line->board[0], candidate->move, candidate->length);
    if (other == NULL) return false;
    line_destroy(branch->line);
    branch->line = other;
    return true;
}

/* --- motifs --- */

static bool is_mere_capture(MotifKind kind) { return kind == MOTIF_UNDEFENDED || kind == MOTIF_OUTNUMBERED; }

/* Whether the loss would not be one without what the motif takes, or is of that kind. */
static bool explains_loss(const Explanation *explanation, const Line *line, const Motif *motif) {
    const LineLoss *material = &explanation->material;
    const PieceType won =
        piece_type(position_captured_by(&line->board[motif->won_at], line->move[motif->won_at]));
    const bool is_minor = won == KNIGHT || won == BISHOP;
    const PieceType dearest = loss_dearest(material);
    if (motif->kind == MOTIF_PROMOTION) return material->lost_by_promotion > 0;
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

/* Whether the loser's reply on the line is the only one: a check, a capture, or all others lose more. */
static bool is_forced(Case *at, const Line *line, int ply, int score) {
    const Position *pos = &line->board[ply];
    const Move reply = line->move[ply];
    if (position_in_check(pos) || position_in_check(&line->board[ply + 1]) || movegen_count(pos) == 1)
        return true;
    if (position_captured_by(pos, reply) != NO_PIECE) return true;
    const SearchInfo *others =
        searcher_search(at->searcher, pos, MOVES_WITHOUT, reply, at->nodes / REPLY_SHARE);
    return others->pv_length > 0 && others->score < score - ONLY_UNITS;
}

/* Whether a loss that rests late cannot be avoided: a motif shows it in time that no reply escapes, or each
 * reply on the line is forced. */
static bool is_forced_loss(Case *at, const Line *line, bool is_missed) {
    const Explanation *found = at->found;
    if (found->motif.kind != MOTIF_NONE && found->motif.forced && found->motif.ply <= SETTLED_PLY)
        return true;
    for (int ply = is_missed ? 1 : 2; ply < found->settled; ply += 2)
        if (!is_forced(at, line, ply, is_missed ? -found->better.score : found->played.score)) return false;
    return true;
}

/* Material that the candidate lines vote for (candidates.h), as much as the scores agree with; complete by
 * SETTLED_PLY, or `late` and forced. `is_missed`: what the better line wins. */
static bool costs_material(Case *at, bool is_missed, bool late) {
    Explanation *found = at->found;
    Branch *branch = is_missed ? &found->better : &found->played,
           *other = is_missed ? &found->played : &found->better;
    const LossLimits limits = limits_of(found, late ? LINE_PLIES_MAX : SETTLED_PLY);
    const Color loser = is_missed ? color_other(at->us) : at->us;
    CandidatePair pair;
    if (!candidates_vote(&branch->candidates, &other->candidates, !is_missed, &limits, &pair)) return false;
    if (!take_line(branch, pair.line) || !take_line(other, pair.other)) return false;
    if (!line_is_mate(found->played.line, found->played.line->length)) found->mate = 0;
    found->settled = pair.lost.ply;
    found->compared = pair.lost.other_ply;
    found->material = pair.lost.loss;
    found->capture = first_loss(branch->line, found->settled, loser, &found->material);
    if (!is_missed && found->capture >= 0) found->cause = line_cause(branch->line, found->capture);
    find_motifs(found, branch->line, !is_missed, false);
    if (!late || is_forced_loss(at, branch->line, is_missed)) return true;
    found->settled = found->capture = -1;
    found->material = (LineLoss){.net = 0};
    found->cause = CAUSE_NONE;
    found->motif = found->also = (Motif){.kind = MOTIF_NONE};
    return false;
}

static bool loses_material(Case *at) {
    return costs_material(at, false, false) || costs_material(at, false, true);
}

static bool misses_material(Case *at) {
    return costs_material(at, true, false) || costs_material(at, true, true);
}

static bool has_facts(Case *at) {
    Explanation *found = at->found;
    found->fact_count =
        positional_find(at->searcher, &found->played, &found->better, gap_of(found), found->fact);
    return found->fact_count > 0 && found->fact[0].refusal == FACT_PROVED;
}

/* Test P: what it is worth to pass the turn. Nobody can pass in check. */
static void pass_the_turn(Case *at) {
    Position passed = *root_of(at->found);
    Undo undo;
    if (position_in_check(&passed)) return;
    position_make_null(&passed, &undo);
    if (!movegen_has_legal(&passed)) return;
    const SearchInfo *info =
        searcher_search(at->searcher, &passed, MOVES_ALL, MOVE_NONE, at->nodes / PASS_SHARE);
    at->found->pass_reply = info->pv_length > 0 ? info->pv[0] : MOVE_NONE;
    at->found->pass_score = -info->score;
}

static bool is_worse_than_pass(const Explanation *found) {
    return found->pass_reply != MOVE_NONE && found->pass_score >= found->played.score + PASS_UNITS;
}

/* The better move is worth more than a pass, the one that is played hardly so. */
static bool is_idle(const Explanation *found) {
    const int best = found->better.score - found->pass_score,
              played = found->played.score - found->pass_score;
    return found->pass_reply != MOVE_NONE && best >= PASS_UNITS && 100 * played <= IDLE_PERCENT * best;
}

/* The order of reasons. */
static Reason choose(Case *at) {
    Explanation *found = at->found;
    /* A mate against the move, even where there is nothing better. */
    if (allows_mate(at)) return REASON_MATED;
    if (found->played.move == found->better.move) return REASON_BEST;
    /* In a decided game a whole queen costs nothing of the expected score. It is reported all the same. */
    const bool is_good = found->loss < REASON_GOOD_LOSS;
    if (is_good && gap_of(found) < GOOD_UNITS) return REASON_GOOD;
    found->result = result_of(found);
    if (draws(at, true)) return REASON_STALEMATE;
    if (draws(at, false)) return REASON_REPETITION;
    if (misses_mate(at)) return REASON_MISSES_MATE;
    if (trades_into_pawn_ending(at)) return REASON_PAWN_ENDING;
    if (loses_material(at)) return REASON_LOSES_MATERIAL;
    if (misses_material(at)) return REASON_MISSES_MATERIAL;
    if (is_good) return REASON_GOOD;
    pass_the_turn(at);
    if (has_facts(at)) return REASON_FACT;
    if (is_worse_than_pass(found)) return REASON_HARMS;
    if (is_idle(found)) return REASON_IDLE;
    return REASON_NONE;
}

/* What a good move achieves on its line: a mate, or material that is won when the line rests for the first
 * time and still when it rests for the last. */
static void find_achievement(Case *at) {
    Explanation *found = at->found;
    const Line *line = found->played.line;
    const Color them = color_other(at->us);
    if (found->mate > 0) return;
    if (found->played.score >= SCORE_WIN && line_is_mate(line, line->length)) {
        found->mate = moves_to_mate(line);
        found->settled = line->length;
        find_motifs(found, line, 0, true);
        return;
    }
    const int first = line_settled(line, 1);
    int last = first;
    for (int rest = first; rest >= 0; rest = rest < line->length ? line_settled(line, rest + 1) : -1)
        last = rest;
    if (first < 0 || line_loss(line, 0, last, them).net < 1) return;
    const LineLoss won = line_loss(line, 0, first, them);
    if (won.net < 1) return;
    found->material = won;
    found->settled = first;
    find_motifs(found, line, 0, false);
}

void reason_find(Explanation *explanation, Searcher *searcher, uint64_t nodes) {
    Case at = {explanation, searcher, nodes, root_of(explanation)->side};
    explanation->settled = explanation->capture = -1;
    explanation->reason = choose(&at);
    const Line *line = reason_line(explanation);
    switch (explanation->reason) {
    case REASON_BEST:
    case REASON_GOOD: find_achievement(&at); break;
    case REASON_MATED: find_motifs(explanation, line, 1, true); break;
    case REASON_MISSES_MATE: find_motifs(explanation, line, 0, true); break;
    default: break;
    }
}
