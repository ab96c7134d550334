#include "explain/material.h"

#include "base/bits.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "engine/verdict.h"
#include "explain/exchange.h"

#include <math.h>

enum {
    SMALL_UNITS = 3 * SCORE_UNITS_PER_PAWN / 2, /* below, the last iterations' lines alone prove a loss */
    DECIDED_UNITS = 4 * SCORE_UNITS_PER_PAWN,   /* beyond, scores grow slowly, whatever is lost */
    EXCHANGE = 2,                               /* points that may explain any score */
    RETURN_PLIES = 3,                           /* in which what a motif takes is settled */
    PIECE = 3,                                  /* points that make a capture the natural reply */
    REPLY_SHARE = 8,                            /* the search of a single reply has this part of the nodes */
    ONLY_UNITS = SCORE_UNITS_PER_PAWN / 3       /* by which all other replies lose more */
};

/* The points of a loss with which the scores agree: no pawn explains the score of a rook, nor the other way
 * round. Scores grow more slowly than points, in a decided game most of all. In an ending a pawn may decide.
 */
static LossLimits limits_of(const Explanation *explanation) {
    const double gap = (double)explanation_gap(explanation) / SCORE_UNITS_PER_PAWN;
    const bool is_decided =
        explanation->better.score < -DECIDED_UNITS || explanation->played.score > DECIDED_UNITS;
    const double most = fmin(4 * gap, is_decided ? 4 * gap : 1 + gap + gap * gap / 4);
    const bool is_decisive = explanation->result.better != OUTCOME_OPEN &&
                             verdict_phase(explanation_root(explanation)) == PHASE_ENDGAME;
    const int exchange = is_decisive ? 1 : EXCHANGE;
    return (LossLimits){.no_gifts = explanation_gap(explanation) < SMALL_UNITS,
                        .least = int_max(1, int_min((int)ceil(gap / 2.5), exchange)),
                        .least_alone = int_max(1, int_min((int)ceil(gap / 5), exchange)),
                        .most = (int)most};
}

/* The first ply at which `color` loses a piece of a kind that is lost in the end; -1: none. A pawn counts
 * only where nothing else is lost. */
static int first_loss(const Line *line, int end, Color color, const LineLoss *loss) {
    const PieceType least = loss_dearest(loss) == PAWN ? PAWN : KNIGHT;
    for (int ply = 0; ply < end; ply++) {
        const Piece taken = position_captured_by(&line->board[ply], line->move[ply]);
        if (taken == NO_PIECE || piece_color(taken) != color || piece_type(taken) < least) continue;
        if (loss->lost[piece_type(taken)] > 0) return ply;
    }
    return -1;
}

/* Puts a candidate's line in the place of the branch's. False without memory. */
static bool take_line(Branch *branch, int index) {
    const Candidate *candidate = &branch->candidates->line[index];
    Line *other = line_create(&branch->line->board[0], candidate->move, candidate->length);
    if (other == NULL) return false;
    line_destroy(branch->line);
    branch->line = other;
    return true;
}

static bool is_mere_capture(MotifKind kind) { return kind == MOTIF_UNDEFENDED || kind == MOTIF_OUTNUMBERED; }

/* All motifs of the side to move on board `first` that win by board `end`. */
typedef struct Motifs {
    int count;
    Motif row[(LINE_PLIES_MAX / 2 + 1) * MOTIF_KINDS];
} Motifs;

static void read_motifs(const Line *line, int first, int end, bool mates, Motifs *motifs) {
    motifs->count = 0;
    for (int ply = first; ply < end; ply += 2) {
        Motif *found = &motifs->row[motifs->count];
        motifs->count += mates ? motif_find_mating(line, ply, found) : motif_find(line, ply, end, found);
    }
}

/* Whether the same piece is taken on the same square by the same kind of motif. */
static bool is_same(const Line *line, const Motif *motif, const Line *other, const Motif *there) {
    const Move move = line->move[motif->won_at], taking = other->move[there->won_at];
    return motif->kind == there->kind && move_to(move) == move_to(taking) &&
           position_captured_by(&line->board[motif->won_at], move) ==
               position_captured_by(&other->board[there->won_at], taking);
}

/* Takes out what stands on the other line as well: that is not why this one is worse. */
static void drop_common(const Line *line, const Line *other, int first, Motifs *motifs) {
    Motifs there;
    int kept = 0;
    read_motifs(other, first, other->length, false, &there);
    for (int i = 0; i < motifs->count; i++) {
        bool is_common = false;
        for (int j = 0; j < there.count; j++)
            is_common |= is_same(line, &motifs->row[i], other, &there.row[j]);
        if (!is_common) motifs->row[kept++] = motifs->row[i];
    }
    motifs->count = kept;
}

/* Whether the loss would not be one without what the motif takes, or is of that kind. */
static bool explains_loss(const Explanation *explanation, const Line *line, const Motif *motif) {
    const LineLoss *material = &explanation->material;
    const PieceType won =
        piece_type(position_captured_by(&line->board[motif->won_at], line->move[motif->won_at]));
    const bool is_minor = won == KNIGHT || won == BISHOP;
    const PieceType dearest = loss_dearest(material);
    if (motif->kind == MOTIF_PROMOTION) return material->lost_by_promotion > 0;
    /* A pawn that is picked up later does not tell why the queen was lost. */
    if ((is_mere_capture(motif->kind) || won == PAWN) && exchange_points(won) < exchange_points(dearest))
        return false;
    if (won < KING && material->lost[won] > 0) return true;
    if (is_minor && material->lost[KNIGHT] + material->lost[BISHOP] > 0) return true;
    return material->net - motif_gain(line, motif) < 1;
}

void material_find_motifs(Explanation *explanation, const Line *line, const Line *other, int first,
                          bool mates) {
    Motifs motifs;
    Motif *best = &explanation->motif, *also = &explanation->also;
    read_motifs(line, first, explanation->settled, mates, &motifs);
    if (other != NULL) drop_common(line, other, first, &motifs);
    const Motif *found = motifs.row;
    for (int i = 0; i < motifs.count; i++)
        if ((best->kind == MOTIF_NONE || found[i].kind < best->kind) &&
            (mates || explains_loss(explanation, line, &found[i])))
            *best = found[i];
    for (int i = 0; i < motifs.count && best->kind != MOTIF_NONE; i++) {
        const bool leads_there = found[i].won_at == best->ply || found[i].won_at == best->won_at;
        if (found[i].ply <= best->won_at && found[i].kind != best->kind && !is_mere_capture(found[i].kind) &&
            (mates || leads_there || explains_loss(explanation, line, &found[i])) &&
            (also->kind == MOTIF_NONE || found[i].kind < also->kind))
            *also = found[i];
    }
    /* What is taken is said once, and so is one move against one piece: that it is pinned, or that no reply
     * saves it. */
    const bool is_taken = also->ply == also->won_at && also->ply == best->won_at;
    if (also->kind == MOTIF_NONE ||
        (!is_taken && (also->ply != best->ply || also->victim[0] != best->victim[0])))
        return;
    if (also->kind == MOTIF_ATTACKS_PINNED && !best->forced && !is_taken) *best = *also;
    *also = (Motif){.kind = MOTIF_NONE};
}

/* --- losses --- */

/* Whether the loser's reply on the line is the only one: a check, a capture, or all others lose more. */
static bool is_forced(Searcher *searcher, const Line *line, int ply, int score, uint64_t nodes) {
    const Position *pos = &line->board[ply];
    const Move reply = line->move[ply];
    if (position_in_check(pos) || position_in_check(&line->board[ply + 1]) || movegen_count(pos) == 1)
        return true;
    if (position_captured_by(pos, reply) != NO_PIECE) return true;
    const SearchInfo *others = searcher_search(searcher, pos, MOVES_WITHOUT, reply, nodes / REPLY_SHARE);
    return others->pv_length > 0 && others->score < score - ONLY_UNITS;
}

/* Whether a loss that is complete late cannot be avoided: a motif shows it in time that no reply escapes, or
 * each reply on the line is forced. */
static bool is_forced_loss(const Explanation *found, Searcher *searcher, uint64_t nodes, bool is_missed) {
    const Line *line = is_missed ? found->better.line : found->played.line;
    const int score = is_missed ? -found->better.score : found->played.score;
    if (found->motif.kind != MOTIF_NONE && found->motif.forced && found->motif.ply <= LOSS_PLY &&
        found->settled <= found->motif.won_at + RETURN_PLIES)
        return true;
    for (int ply = is_missed ? 1 : 2; ply < found->settled; ply += 2)
        if (!is_forced(searcher, line, ply, score, nodes)) return false;
    return true;
}

/* Whether the reply to board `ply` of the line costs less than a pawn, and no more is lost by it than
 * `spared`. */
static bool keeps_pawn(Searcher *searcher, const Line *line, int ply, int score, MoveChoice choice, Move move,
                       int spared, uint64_t nodes) {
    const Position *pos = &line->board[ply];
    const SearchInfo *info = searcher_search(searcher, pos, choice, move, nodes);
    Branch instead = {0};
    if (info->pv_length == 0 || info->score < score - SCORE_UNITS_PER_PAWN) return false;
    if (!searcher_read(searcher, pos, info->pv[0], nodes, &instead)) return false;
    const int rest = line_settled(instead.line, 1);
    const int lost = line_loss(line, 0, ply, pos->side).net +
                     line_loss(instead.line, 0, rest >= 0 ? rest : instead.line->length, pos->side).net;
    branch_release(&instead);
    return lost <= spared;
}

/* Whether the capture of the next move is impossible after the reply, or wins nothing. */
static bool is_against(const Position *pos, Move reply, Move capture) {
    Position after = *pos;
    Undo undo;
    position_make_move(&after, reply, &undo);
    return !movegen_is_legal(&after, capture) || exchange_gain(&after, capture) < 1;
}

/* Whether the loser could keep a pawn that the line gives up: by another reply before it falls, at less than
 * the pawn's worth, after which no more is lost than on the other line. Who gives it all the same gets
 * something for it. */
static bool is_given(const Explanation *found, Searcher *searcher, uint64_t nodes, bool is_missed) {
    enum { REPLIES = 12, FEW_SHARE = 32 };
    const Line *line = is_missed ? found->better.line : found->played.line,
               *other = is_missed ? found->played.line : found->better.line;
    const int score = is_missed ? -found->better.score : found->played.score;
    const Color us = explanation_root(found)->side, loser = is_missed ? color_other(us) : us;
    const int first = is_missed ? 1 : 2, last = found->capture - 1;
    Move replies[MAX_MOVES];
    if (found->material.net > 1 || loss_dearest(&found->material) != PAWN || last < first ||
        found->result.better != OUTCOME_OPEN || (found->motif.kind != MOTIF_NONE && found->motif.forced))
        return false;
    const int spared = line_loss(other, 0, found->compared, loser).net;
    for (int ply = first; ply < last; ply += 2)
        if (keeps_pawn(searcher, line, ply, score, MOVES_WITHOUT, line->move[ply], spared,
                       nodes / REPLY_SHARE))
            return true;
    const int count = movegen_legal(&line->board[last], replies);
    for (int i = 0, tried = 0; i < count && tried < REPLIES; i++) {
        if (!is_against(&line->board[last], replies[i], line->move[last + 1])) continue;
        tried++;
        if (keeps_pawn(searcher, line, last, score, MOVES_ONLY, replies[i], spared, nodes / FEW_SHARE))
            return true;
    }
    return false;
}

/* Notes a loss, with its cause and motifs. */
static void note_loss(Explanation *found, const PairLoss *lost, bool is_missed) {
    const Line *line = is_missed ? found->better.line : found->played.line,
               *other = is_missed ? found->played.line : found->better.line;
    const Color us = explanation_root(found)->side, loser = is_missed ? color_other(us) : us;
    found->settled = lost->ply;
    found->compared = lost->other_ply;
    found->material = lost->loss;
    found->capture = first_loss(line, found->settled, loser, &found->material);
    if (!is_missed && found->capture >= 0) found->cause = line_cause(line, found->capture);
    material_find_motifs(found, line, other, !is_missed, false);
}

static void forget(Explanation *found) {
    found->settled = found->capture = -1;
    found->material = (LineLoss){.net = 0};
    found->cause = CAUSE_NONE;
    found->motif = found->also = (Motif){.kind = MOTIF_NONE};
}

/* What the lines vote for within the limits. */
static bool vote(const Explanation *found, bool is_missed, const LossLimits *limits, CandidatePair *pair) {
    const Candidates *played = found->played.candidates, *better = found->better.candidates;
    return candidates_vote(is_missed ? better : played, is_missed ? played : better, !is_missed, limits,
                           pair);
}

/* Takes the lines that show a loss; what is complete late must be forced. */
static bool show(Explanation *found, Searcher *searcher, uint64_t nodes, bool is_missed,
                 const CandidatePair *pair, int latest) {
    Branch *branch = is_missed ? &found->better : &found->played,
           *other = is_missed ? &found->played : &found->better;
    if (!take_line(branch, pair->line) || !take_line(other, pair->other)) return false;
    note_loss(found, &pair->lost, is_missed);
    if ((latest <= LOSS_PLY || is_forced_loss(found, searcher, nodes, is_missed)) &&
        !is_given(found, searcher, nodes, is_missed)) {
        if (!line_is_mate(found->played.line, found->played.line->length)) found->mate = 0;
        return true;
    }
    forget(found);
    (void)take_line(branch, branch->candidates->count - 1);
    (void)take_line(other, other->candidates->count - 1);
    return false;
}

/* Whether what is missed is more than what is lost, in points or by the dearest piece. Of equals the one that
 * is complete first, or that takes the score farther from level. */
static bool is_more_missed(const Explanation *found, const PairLoss *missed, const PairLoss *lost) {
    const int dearer =
        exchange_points(loss_dearest(&missed->loss)) - exchange_points(loss_dearest(&lost->loss));
    if (missed->loss.net != lost->loss.net) return missed->loss.net > lost->loss.net;
    if (dearer != 0) return dearer > 0;
    return missed->ply <= lost->ply || found->better.score >= -found->played.score;
}

/* The greater of what is lost and what is missed, if its line shows it; else the other one. */
static Reason find_greater(Explanation *found, Searcher *searcher, uint64_t nodes, const LossLimits *limits) {
    CandidatePair lost = {0}, missed = {0};
    const bool loses = vote(found, false, limits, &lost), misses = vote(found, true, limits, &missed);
    const bool is_missed_first = misses && (!loses || is_more_missed(found, &missed.lost, &lost.lost));
    if (is_missed_first && show(found, searcher, nodes, true, &missed, limits->ply))
        return REASON_MISSES_MATERIAL;
    if (loses && show(found, searcher, nodes, false, &lost, limits->ply)) return REASON_LOSES_MATERIAL;
    if (misses && !is_missed_first && show(found, searcher, nodes, true, &missed, limits->ply))
        return REASON_MISSES_MATERIAL;
    return REASON_NONE;
}

Reason material_find(Explanation *found, Searcher *searcher, uint64_t nodes) {
    LossLimits limits = limits_of(found);
    Reason reason = REASON_NONE;
    /* The deepest lines stay where one of them shows the draw that the result is about. */
    const bool shows_draw = found->result.draw != DRAW_NONE && found->result.draw != DRAW_SCORE;
    const bool only_deepest = shows_draw || explanation_gap(found) < SMALL_UNITS;
    for (int late = 0; late <= 1; late++)
        for (int all = 0; all <= !only_deepest && reason == REASON_NONE; all++) {
            limits.ply = late ? LINE_PLIES_MAX : LOSS_PLY;
            limits.deepest_only = !all;
            reason = find_greater(found, searcher, nodes, &limits);
        }
    return reason;
}

/* A capture that wins a piece by exchanges, and is kept, all but a point, at the end of the line: where the
 * line never rests, this shows it. */
static PairLoss won_by_capture(const Line *line) {
    const Color them = color_other(line->board[0].side);
    const LineLoss end = line_loss(line, 0, line->length, them);
    for (int ply = 0; ply < int_min(line->length, LOSS_PLY); ply += 2) {
        const LineLoss taken = line_loss(line, 0, ply + 1, them);
        const int gain = exchange_gain(&line->board[ply], line->move[ply]);
        if (taken.net >= PIECE && gain >= PIECE && end.net >= taken.net - 1 &&
            gain >= exchange_taken(&line->board[ply], line->move[ply]) - 1)
            return (PairLoss){.loss = taken, .ply = ply + 1};
    }
    return (PairLoss){.ply = 0};
}

void material_find_won(Explanation *found) {
    PairLoss won = candidate_loss_alone(branch_candidate(&found->played), false);
    if (won.loss.net < 1) won = won_by_capture(found->played.line);
    if (won.loss.net < 1) return;
    found->settled = won.ply;
    found->material = won.loss;
    material_find_motifs(found, found->played.line, NULL, 0, false);
}

/* --- the natural reply --- */

/* The capture back on the square where the blow took something; MOVE_NONE: none, or the line takes back. */
static Move recapture(const Position *pos, Move blow, Move reply) {
    Move moves[MAX_MOVES];
    if (pos->state.captured == NO_PIECE || move_to(reply) == move_to(blow)) return MOVE_NONE;
    const int count = movegen_noisy(pos, moves);
    for (int i = 0; i < count; i++)
        if (move_to(moves[i]) == move_to(blow) && position_captured_by(pos, moves[i]) != NO_PIECE)
            return moves[i];
    return MOVE_NONE;
}

/* The dearest piece that the blow attacks, if the line does not bring it to safety. */
static Square attacked_piece(const Line *line) {
    const Position *pos = &line->board[2];
    Bitboard own = pos->by_color[pos->side] & ~(pos->by_type[PAWN] | pos->by_type[KING]);
    Square dearest = NO_SQUARE;
    int most = 0;
    while (own != 0) {
        const Square square = bitboard_pop(&own);
        const int points = exchange_points(piece_type(position_piece_on(pos, square)));
        if (points <= most || exchange_threat_on(pos, square) < 1) continue;
        most = points;
        dearest = square;
    }
    if (dearest == NO_SQUARE || move_from(line->move[2]) != dearest) return dearest;
    return exchange_best_on(&line->board[3], move_to(line->move[2])) < 1 ? NO_SQUARE : dearest;
}

/* The reply to the blow that a reader asks about first, and how to search it; MOVE_NONE: none. */
static Move natural_reply(const Line *line, MoveChoice *choice) {
    const Position *pos = &line->board[2];
    const Square attacked = attacked_piece(line);
    const Move back = recapture(pos, line->move[1], line->move[2]);
    int gain = 0;
    *choice = MOVES_ONLY;
    if (back != MOVE_NONE) return back;
    if (attacked != NO_SQUARE) {
        *choice = MOVES_TO_SAFETY;
        return move_make(attacked, attacked);
    }
    const Move capture = exchange_best_capture(pos, &gain);
    return gain < PIECE || move_to(capture) == move_to(line->move[2]) ? MOVE_NONE : capture;
}

/* Searches the natural reply of the loser at `ply`: it must be no better than the line, whose score for the
 * loser is given, and lose as well. */
static void try_natural(Explanation *found, Searcher *searcher, uint64_t nodes, int ply, Move natural,
                        MoveChoice choice) {
    const Line *line = explanation_line(found);
    const Position *pos = &line->board[ply];
    const int score = line == found->played.line ? found->played.score : -found->better.score;
    const SearchInfo *info = searcher_search(searcher, pos, choice, natural, nodes / REPLY_SHARE);
    if (info->pv_length < 2 || info->score > score + ONLY_UNITS) return;
    if (!searcher_read(searcher, pos, natural, nodes, &found->natural)) return;
    const Line *reply = found->natural.line;
    const bool is_mate = found->natural.score <= -SCORE_WIN && line_is_mate(reply, reply->length);
    const LineLoss before = line_loss(line, 0, ply, pos->side);
    const int rest = line_settled(reply, 2);
    const bool loses =
        rest > 0 && rest <= LOSS_PLY && before.net + line_loss(reply, 0, rest, pos->side).net >= 1;
    if (!is_mate && !loses) branch_release(&found->natural);
}

/* The reply to the blow, then whether the first piece that falls could be taken back. */
void material_find_natural(Explanation *found, Searcher *searcher, uint64_t nodes) {
    const Line *line = explanation_line(found);
    const bool is_missed = line != found->played.line;
    MoveChoice choice;
    if (!is_missed && line->length > 2) {
        const Move natural = natural_reply(line, &choice);
        if (natural != MOVE_NONE) try_natural(found, searcher, nodes, 2, natural, choice);
    }
    const int ply = found->capture + 1;
    if (found->natural.line != NULL || ply < 1 || ply >= line->length || (ply == 2 && !is_missed)) return;
    const Move back = recapture(&line->board[ply], line->move[ply - 1], line->move[ply]);
    if (back != MOVE_NONE && exchange_gain(&line->board[ply], back) >= 1)
        try_natural(found, searcher, nodes, ply, back, MOVES_ONLY);
}
