#include "explain/merit.h"

#include "base/bits.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "engine/chances.h"
#include "explain/exchange.h"
#include "explain/material.h"

enum {
    SECOND_SHARE = 2,                          /* the search of the other moves has this part of the nodes */
    THREAT_SHARE = 4,                          /* those of a pass, and of a sacrifice that is accepted */
    OFFERED = 2,                               /* points more than what it takes make an offer a sacrifice */
    ACCEPTED_UNITS = SCORE_UNITS_PER_PAWN / 2, /* that accepting it may cost the one who offers */
    THREAT_UNITS = SCORE_UNITS_PER_PAWN / 2,   /* that a pass costs at least where there is a threat */
    PREVENTED_UNITS = 3 * SCORE_UNITS_PER_PAWN / 10, /* the same where no material shows it */
    NO_PAWN_UNITS = 2 * SCORE_UNITS_PER_PAWN,        /* a score that no pawn explains */
    FEW_PIECES = 4                                   /* of an ending in which a side may be in zugzwang */
};

#define ONLY_LOSS 0.2 /* of the expected score: what each other move loses at least */

static double expected(const Branch *branch) {
    return chances_expected(chances_of_search(&branch->line->board[0], branch->score));
}

/* The best of the other moves, and whether it would be a blunder. */
static void find_second(Explanation *found, Searcher *searcher, uint64_t nodes) {
    Merit *merit = &found->merit;
    const Position *root = explanation_root(found);
    merit->moves = movegen_count(root);
    if (merit->moves < 2) return;
    const SearchInfo *info =
        searcher_search(searcher, root, MOVES_WITHOUT, found->played.move, nodes / SECOND_SHARE);
    if (info->pv_length == 0 || !searcher_read(searcher, root, info->pv[0], nodes, &merit->second)) return;
    const bool is_mated = merit->second.score <= -SCORE_WIN && found->played.score > -SCORE_WIN;
    merit->is_only = is_mated || expected(&found->played) - expected(&merit->second) >= ONLY_LOSS;
}

/* --- what it does --- */

/* A draw that the line ends in: by perpetual check, or the next best move is worse. */
static bool draws(const Explanation *found) {
    const Branch *second = &found->merit.second;
    const DrawKind kind = result_draw(&found->played);
    const bool is_worse = second->line != NULL && second->score <= found->played.score - PREVENTED_UNITS;
    return kind == DRAW_PERPETUAL || (is_worse && kind != DRAW_NONE && kind != DRAW_SCORE);
}

/* The points that the opponent would win after a pass; a piece that could have gone to safety and is offered
 * on another square does not hang. */
static int hanging(const Position *pos, Move move) {
    Position passed = *pos;
    Undo undo;
    int most = 0;
    if (position_in_check(pos)) return 0;
    position_make_null(&passed, &undo);
    const Move capture = exchange_best_capture(&passed, &most);
    const bool is_mover = capture != MOVE_NONE && move_to(capture) == move_from(move);
    return is_mover && motif_has_safe_move(pos, move_from(move)) ? 0 : most;
}

/* Offers more than it takes, and than hung before; taking it costs nothing of the score. */
static bool sacrifices(Explanation *found, Searcher *searcher, uint64_t nodes) {
    Merit *merit = &found->merit;
    const Line *line = found->played.line;
    const Position *after = &line->board[1];
    int gain = 0;
    const Move capture = exchange_best_capture(after, &gain);
    merit->offered = gain - exchange_taken(&line->board[0], found->played.move);
    if (capture == MOVE_NONE || merit->offered < OFFERED) return false;
    if (gain <= hanging(&line->board[0], found->played.move)) return false;
    if (line->length > 1 && line->move[1] == capture) return true;
    searcher_search(searcher, after, MOVES_ONLY, capture, nodes / THREAT_SHARE);
    if (!searcher_read(searcher, after, capture, nodes, &merit->accepted)) return false;
    return -merit->accepted.score >= found->played.score - ACCEPTED_UNITS;
}

/* Whether the opponent plays the move on the line by LOSS_PLY. */
static bool is_played_later(const Line *line, Move threat) {
    for (int ply = 1; ply < int_min(line->length, LOSS_PLY); ply += 2)
        if (line->move[ply] == threat) return true;
    return false;
}

/* By what the threat wins. */
static Motif motif_of(const Threat *threat) {
    Explanation shown = {.settled = threat->settled, .material = threat->loss};
    if (threat->settled > 0) material_find_motifs(&shown, threat->branch.line, NULL, 0, false);
    return shown.motif;
}

/* The opponent would mate or win material after a pass, and does not do so on the line. */
static bool meets_threat(Explanation *found, Searcher *searcher, uint64_t nodes) {
    if (!searcher_find_threat(searcher, explanation_root(found), MOVE_NONE, nodes / THREAT_SHARE,
                              &found->pass))
        return false;
    const Threat *threat = &found->pass;
    if (!threat_is_real(threat) || found->played.score < threat->score + THREAT_UNITS) return false;
    if (is_played_later(found->played.line, threat->branch.move)) return false;
    if (threat->mate > 0) return found->played.score > -SCORE_WIN;
    return candidate_loss_alone(branch_candidate(&found->played), true).loss.net < threat->loss.net;
}

static bool mates(const Position *pos, Move move) {
    Position after = *pos;
    Undo undo;
    position_make_move(&after, move, &undo);
    return position_in_check(&after) && !movegen_has_legal(&after);
}

bool merit_is_new_threat(const Position *before, const Threat *threat) {
    const Move next = threat->branch.move;
    if (threat->mate == 1) return !movegen_is_legal(before, next) || !mates(before, next);
    return !movegen_is_legal(before, next) ||
           exchange_gain(before, next) < exchange_gain(&threat->branch.line->board[0], next);
}

/* Mates or wins material next if the opponent passes, which was not possible before. What is simply taken
 * threatens nothing. */
static bool threatens(Explanation *found, Searcher *searcher, uint64_t nodes) {
    const Line *line = found->played.line;
    Threat *threat = &found->merit.threat;
    const bool is_taken = line->length > 1 && move_to(line->move[1]) == move_to(line->move[0]);
    if (is_taken || !searcher_find_threat(searcher, &line->board[1], MOVE_NONE, nodes / THREAT_SHARE, threat))
        return false;
    return threat_is_real(threat) && merit_is_new_threat(&line->board[0], threat) &&
           -threat->score >= found->played.score + THREAT_UNITS;
}

/* The opponent's best move after a pass is prevented. */
static bool prevents(const Explanation *found) {
    const Branch *pass = &found->pass.branch;
    return pass->line != NULL && found->played.score >= found->pass.score + PREVENTED_UNITS &&
           move_fact_is_prevented(&pass->line->board[0], &found->played.line->board[1], pass->move);
}

/* In an ending the opponent is lost, and would not be if it could pass. */
static bool is_zugzwang(const Explanation *found) {
    const Position *after = &found->played.line->board[1];
    const Threat *pass = &found->merit.threat;
    const int pieces = bits_count(position_occupied(after) & ~(after->by_type[PAWN] | after->by_type[KING]));
    return pieces <= FEW_PIECES && pass->branch.line != NULL &&
           result_outcome(&found->played) == OUTCOME_WIN && result_outcome(&pass->branch) != OUTCOME_WIN &&
           movegen_has_legal(after);
}

static bool has_facts(Explanation *found, Searcher *searcher) {
    const Branch *second = &found->merit.second;
    if (second->line == NULL) return false;
    found->fact_count =
        positional_find(searcher, second, &found->played, found->played.score - second->score, found->fact);
    return found->fact_count > 0 && found->fact[0].refusal == FACT_PROVED;
}

/* Whether what the line mates or wins says why the move is good: not what each move must take back, nor a
 * pawn where the score is that of a piece. */
static bool is_achieved(const Explanation *found) {
    const bool is_pawn = loss_dearest(&found->material) == PAWN && found->played.score >= NO_PAWN_UNITS;
    if (found->mate > 0) return true;
    if (found->material.net < 1 || is_pawn) return false;
    return !(found->merit.is_only && explanation_takes_back(found));
}

static MeritKind choose(Explanation *found, Searcher *searcher, uint64_t nodes) {
    const bool is_mated = found->played.score <= -SCORE_WIN;
    if (is_mated || found->merit.moves < 2) return MERIT_NONE;
    if (draws(found)) return MERIT_DRAWS;
    if (sacrifices(found, searcher, nodes)) return MERIT_SACRIFICE;
    if (is_achieved(found)) return MERIT_NONE; /* that is enough */
    if (found->merit.second.line != NULL)
        found->in_favour =
            move_fact_find(found->played.line, found->merit.second.line, found->played.candidates, true);
    if (found->in_favour.kind == MOVE_TAKES) return MERIT_NONE; /* that says more than any threat */
    if (meets_threat(found, searcher, nodes)) return MERIT_MEETS;
    if (threatens(found, searcher, nodes)) return MERIT_THREATENS;
    if (is_zugzwang(found)) return MERIT_ZUGZWANG;
    if (prevents(found)) return MERIT_PREVENTS;
    return has_facts(found, searcher) ? MERIT_FACT : MERIT_NONE;
}

void merit_find(Explanation *found, Searcher *searcher, uint64_t nodes) {
    find_second(found, searcher, nodes);
    found->merit.kind = choose(found, searcher, nodes);
    if (found->merit.kind == MERIT_MEETS) found->merit.motif = motif_of(&found->pass);
    if (found->merit.kind == MERIT_THREATENS) found->merit.motif = motif_of(&found->merit.threat);
}
