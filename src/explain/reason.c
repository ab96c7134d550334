#include "explain/reason.h"

#include "base/bits.h"
#include "chess/makemove.h"
#include "explain/exchange.h"
#include "explain/material.h"
#include "explain/merit.h"

enum {
    DRAWN_AWAY = 60, /* units by which the better move must be ahead for a draw to be called thrown away */
    MATE_TO_SEE = 2, /* moves: who mates later than that misses something, though the game is won */
    TRADE_PLY = 8,   /* by which the last pieces are traded */
    PASS_SHARE = 2,  /* the search of the pass has this part of the nodes */
    MATE_SHARE = 8,  /* one that must only find a mate again, or a threat */
    PASS_UNITS = 15 * SCORE_UNITS_PER_PAWN / 100, /* that a pass and a move differ at least */
    TIME_PERCENT = 40                             /* of the gap that a loss of time explains at least */
};

/* --- each kind of reason: whether it holds --- */

/* The number of moves to the mate that ends the line, for the side that mates; 0 when it does not end so. */
static int moves_to_mate(const Line *line) {
    return line_is_mate(line, line->length) ? (line->length + 1) / 2 : 0;
}

static bool allows_mate(Explanation *found) {
    const Line *line = found->played.line;
    if (found->played.score > -SCORE_WIN || !line_is_mate(line, line->length)) return false;
    found->mate = line->length / 2;
    found->settled = line->length;
    return found->better.score > -SCORE_WIN;
}

/* Also where it mates later, if the better move does so at once. */
static bool misses_mate(Explanation *found) {
    const int mate = moves_to_mate(found->better.line);
    if (found->better.score < SCORE_WIN || mate == 0) return false;
    if (found->played.score >= SCORE_WIN &&
        (mate > MATE_TO_SEE || score_mate_moves(found->played.score) <= mate))
        return false;
    found->mate = mate;
    found->settled = found->better.line->length;
    return true;
}

/* Whether the line ends in a draw of that kind, and the better move is well ahead. */
static bool draws(Explanation *found, bool by_stalemate) {
    const Line *line = found->played.line;
    if (found->played.score != SCORE_DRAW || found->better.score < DRAWN_AWAY) return false;
    if (by_stalemate ? !result_is_stalemate(line) : !line_repeats(line, line->length)) return false;
    found->settled = line->length;
    return true;
}

static bool has_pieces(const Position *pos) {
    return position_has_pieces(pos, WHITE) || position_has_pieces(pos, BLACK);
}

/* Whether the line soon goes into an ending of which `is_ending` holds, at no greater loss than a pawn. */
static bool goes_into(Explanation *found, bool (*is_ending)(const Position *pos, Color us)) {
    const Line *line = found->played.line;
    const Color us = line->board[0].side;
    int ply = 0;
    while (ply < int_min(line->length, TRADE_PLY) && !is_ending(&line->board[ply], us)) ply++;
    if (ply == 0 || !is_ending(&line->board[ply], us) || line_loss(line, 0, ply, us).net > 1) return false;
    found->settled = ply;
    return true;
}

static bool is_pawn_ending(const Position *pos, Color us) {
    (void)us;
    return !has_pieces(pos);
}

static bool is_wrong_bishop(const Position *pos, Color us) {
    return result_wrong_corner(pos, us) != NO_SQUARE && !position_has_pieces(pos, color_other(us));
}

/* Whether the result is worse in the pawn ending into which the line trades. */
static bool trades_into_pawn_ending(Explanation *found) {
    const Outcome better = result_outcome(&found->better), played = result_outcome(&found->played);
    if (played <= OUTCOME_WIN || better == played || (played == OUTCOME_DRAW && better != OUTCOME_WIN))
        return false;
    return goes_into(found, is_pawn_ending);
}

/* Whether the win is in doubt since the bishop does not guard the corner before its pawns, to the end. */
static bool keeps_wrong_bishop(Explanation *found) {
    const Line *line = found->played.line;
    return found->result.better == OUTCOME_WIN && goes_into(found, is_wrong_bishop) &&
           is_wrong_bishop(&line->board[line->length], line->board[0].side);
}

static bool has_facts(Explanation *found, Searcher *searcher) {
    found->fact_count =
        positional_find(searcher, &found->played, &found->better, explanation_gap(found), found->fact);
    return found->fact_count > 0 && found->fact[0].refusal == FACT_PROVED;
}

/* The piece goes where it could have gone at once, and a search finds that better. */
static bool loses_time(Explanation *found, Searcher *searcher, uint64_t nodes) {
    int ply;
    const Line *line = found->played.line;
    const Move at_once = move_fact_at_once(line, &ply);
    const int gap = explanation_gap(found);
    if (at_once == MOVE_NONE || gap > FACTS_GAP) return false;
    if (line_loss(line, 0, ply, line->board[0].side).net > 0 ||
        !move_fact_is_in_most(line, found->played.candidates, ply))
        return false; /* more than time is lost, or the line goes there by accident */
    if (at_once != found->better.move) {
        const SearchInfo *info =
            searcher_search(searcher, explanation_root(found), MOVES_ONLY, at_once, nodes / PASS_SHARE);
        const int better = info->pv_length > 0 ? info->score - found->played.score : 0;
        if (better < PASS_UNITS || 100 * better < TIME_PERCENT * gap) return false;
    }
    found->at_once = at_once;
    found->settled = ply + 1;
    return true;
}

static bool is_worse_than_pass(const Explanation *found) {
    return found->pass.branch.line != NULL && found->pass.score >= found->played.score + PASS_UNITS;
}

/* --- the order of reasons: the first that holds ends the list --- */

static Reason choose(Explanation *found, Searcher *searcher, uint64_t nodes) {
    const bool is_best = found->played.move == found->better.move;

    /* Step 1. A mate against the move, which the best one avoids. */
    if (allows_mate(found)) return REASON_MATED;
    if (is_best) return REASON_BEST;

    /* Step 2. The result changes: that is said first, whatever the reason. */
    found->result = result_change(&found->better, &found->played);

    /* Step 3. A draw that stands on the board. */
    if (draws(found, true)) return REASON_STALEMATE;
    const bool repeats = draws(found, false);

    /* Step 4. A mate that was missed, or would have come much sooner: one in two moves says more than a
     * repetition later. */
    if ((!repeats || found->better.line->length < 2 * MATE_TO_SEE) && misses_mate(found))
        return REASON_MISSES_MATE;
    if (repeats) {
        found->settled = found->played.line->length;
        return REASON_REPETITION;
    }

    /* Step 5. Nothing is wrong. In a decided game a whole queen costs nothing of the expected score: it is
     * reported all the same. */
    const bool is_good = found->loss < REASON_GOOD_LOSS;
    if (is_good && explanation_gap(found) < REASON_GOOD_UNITS) return REASON_GOOD;
    if (found->result.better == OUTCOME_OPEN && explanation_gap(found) < PASS_UNITS) return REASON_GOOD;

    /* Step 6. An ending with a worse result. */
    if (trades_into_pawn_ending(found)) return REASON_PAWN_ENDING;
    if (keeps_wrong_bishop(found)) return REASON_WRONG_BISHOP;

    /* Step 7. Material that falls on one of the two lines. */
    const Reason material = material_find(found, searcher, nodes);
    if (material != REASON_NONE) return material;
    if (is_good) return REASON_GOOD;

    /* Step 8. A move that loses time: it is corrected soon. */
    if (loses_time(found, searcher, nodes)) return REASON_LOSES_TIME;

    /* Step 9. Positional facts that last, and that the network's value hangs on. */
    if (has_facts(found, searcher)) return REASON_FACT;

    /* Step 10. A move that is worse than none. */
    if (!searcher_find_threat(searcher, explanation_root(found), MOVE_NONE, nodes / PASS_SHARE, &found->pass))
        return REASON_NONE;
    if (is_worse_than_pass(found)) return REASON_HARMS;

    /* Step 11. No single reason can be shown. */
    return REASON_NONE;
}

void reason_find_achievement(Explanation *found) {
    const Line *line = found->played.line;
    if (found->mate > 0) return;
    if (found->played.score >= SCORE_WIN && line_is_mate(line, line->length)) {
        found->mate = moves_to_mate(line);
        found->settled = line->length;
        material_find_motifs(found, line, NULL, 0, true);
    } else {
        material_find_won(found);
    }
}

/* Whether the kings stand in a line, with an odd number of squares between them. */
static bool is_opposition(const Position *pos) {
    const Square white = position_king(pos, WHITE), black = position_king(pos, BLACK);
    const int files = int_abs(square_file(white) - square_file(black)),
              ranks = int_abs(square_rank(white) - square_rank(black));
    return files * ranks == 0 && (files + ranks) % 2 == 0;
}

/* In a pawn ending the king's reply takes the opposition: the result that the move has changed would still
 * stand if the other side had to move. Or a good move does so: its result would not. */
static void find_opposition(Explanation *found, Searcher *searcher, uint64_t nodes) {
    const Line *line = found->played.line;
    const bool is_good = reason_is_good(found->reason);
    const Outcome kept = is_good ? result_outcome(&found->played) : found->result.better;
    const int ply = is_good ? 1 : 2; /* after the king's move */
    const Position *pos = &line->board[ply];
    Threat passed;
    if (kept == OUTCOME_OPEN || kept == OUTCOME_LOSS || line->length < ply || has_pieces(pos) ||
        !is_opposition(pos) || move_to(line->move[ply - 1]) != position_king(pos, color_other(pos->side)))
        return;
    if (!searcher_find_threat(searcher, pos, MOVE_NONE, nodes / PASS_SHARE, &passed)) return;
    found->opposition = passed.branch;
    if (passed.branch.line == NULL) return;
    const Outcome after = result_outcome(&passed.branch);
    const bool would_win = after == OUTCOME_WIN, would_lose = after == OUTCOME_LOSS;
    const bool is_proved =
        kept == OUTCOME_WIN ? (is_good ? !would_win : would_lose) : (is_good ? would_lose : !would_win);
    if (!is_proved) branch_release(&found->opposition);
}

/* What the quiet reply threatens, and did not threaten before: to ignore it mates, costs material, or a pawn
 * of the score. The line does not ignore it, and the better move does not allow it as well. */
static void find_reply_threat(Explanation *found, Searcher *searcher, uint64_t nodes) {
    const Line *line = found->played.line;
    Threat *threat = &found->reply_threat;
    if (line->length < 2 || position_captured_by(&line->board[1], line->move[1]) != NO_PIECE ||
        !searcher_find_threat(searcher, &line->board[2], MOVE_NONE, nodes / MATE_SHARE, threat) ||
        threat->branch.line == NULL)
        return;
    Position after;
    bool is_common = move_fact_can_reply(&found->better.line->board[1], line->move[1], &after);
    if (is_common && !position_in_check(&after)) {
        Undo undo;
        position_make_null(&after, &undo);
        is_common = !merit_is_new_threat(&after, threat);
    }
    const int cost = found->played.score - threat->score;
    const bool is_ignored = line->length > 3 && line->move[3] == threat->branch.move;
    if (is_ignored || is_common || cost < (threat_is_real(threat) ? PASS_UNITS : SCORE_UNITS_PER_PAWN) ||
        !merit_is_new_threat(&line->board[1], threat))
        branch_release(&threat->branch);
}

/* How the reply that threatens something does so, where no answer escapes it. */
static void find_reply_motif(Explanation *found) {
    Motif motifs[MOTIF_KINDS];
    const Line *line = found->played.line;
    const int count = motif_find(line, 1, line->length, motifs);
    for (int i = 0; i < count && found->motif.kind == MOTIF_NONE; i++)
        if (motifs[i].kind < MOTIF_ATTRACTION && motifs[i].forced && motifs[i].won_at <= LOSS_PLY)
            found->motif = motifs[i];
}

/* What even a good move has against it, though nothing is lost by it. */
static void find_blocked_pawn(Explanation *found) {
    const MoveFact fact = move_fact_find(found->played.line, found->better.line, NULL, false);
    if (fact.kind == MOVE_BLOCKS) found->against = fact;
}

/* What the better move threatens: to mate or to win material next, which was not possible before, nor would
 * be after the move. Not where its line says more for it. */
static void find_plan(Explanation *found, Searcher *searcher, uint64_t nodes) {
    const Line *better = found->better.line;
    const MoveFactKind kind = found->in_favour.kind;
    Threat *plan = &found->plan;
    if ((kind != MOVE_FACT_NONE && kind < MOVE_TAKES_CENTRE) ||
        (better->length > 1 && move_to(better->move[1]) == move_to(better->move[0])) ||
        !searcher_find_threat(searcher, &better->board[1], MOVE_NONE, nodes / MATE_SHARE, plan) ||
        plan->branch.line == NULL)
        return;
    Position after = found->played.line->board[1];
    bool is_common = false;
    if (!position_in_check(&after)) {
        Undo undo;
        position_make_null(&after, &undo);
        is_common = !merit_is_new_threat(&after, plan);
    }
    if (is_common || !threat_is_real(plan) || !merit_is_new_threat(&better->board[0], plan) ||
        -plan->score < found->better.score + SCORE_UNITS_PER_PAWN / 2)
        branch_release(&plan->branch);
}

/* The same reply mates as soon after a pass; or what the board shows of the mate; or it mates later then. */
static void find_mate_cause(Explanation *found, Searcher *searcher, uint64_t nodes) {
    const Line *line = found->played.line;
    if (!searcher_find_threat(searcher, &line->board[0], line->move[1], nodes / MATE_SHARE, &found->pass))
        return;
    const int threat = found->pass.mate;
    if (threat == 0 || threat > found->mate) found->cause = line_mate_cause(line, &found->capture);
    if (threat > 0 && found->cause == CAUSE_NONE) found->cause = CAUSE_IGNORED;
}

/* Who misses a mate may lose a piece as well. */
static void find_piece_lost(Explanation *found) {
    enum { PIECE = 3 };
    const Line *line = found->played.line;
    if (line->length > 1 && exchange_gain(&line->board[1], line->move[1]) >= PIECE)
        found->cause = line_cause(line, 1);
}

void reason_find(Explanation *found, Searcher *searcher, uint64_t nodes) {
    found->settled = found->capture = -1;
    found->reason = choose(found, searcher, nodes);
    if (found->result.better == OUTCOME_DRAW && found->result.draw == DRAW_SCORE &&
        found->reason < REASON_HARMS)
        found->result = (Result){.draw = DRAW_NONE}; /* what is lost says more */
    const Line *line = explanation_line(found);
    switch (found->reason) {
    case REASON_BEST:
    case REASON_GOOD:
        reason_find_achievement(found);
        merit_find(found, searcher, nodes);
        if (found->reason == REASON_GOOD && found->merit.kind == MERIT_NONE) find_blocked_pawn(found);
        break;
    case REASON_MATED:
        material_find_motifs(found, line, NULL, 1, true);
        find_mate_cause(found, searcher, nodes);
        break;
    case REASON_LOSES_MATERIAL:
    case REASON_MISSES_MATERIAL:
        material_find_natural(found, searcher, nodes);
        if (found->reason == REASON_LOSES_MATERIAL && found->capture > 1 &&
            (found->motif.kind == MOTIF_NONE || found->motif.kind >= MOTIF_UNDEFENDED))
            find_reply_threat(found, searcher, nodes);
        break;
    case REASON_MISSES_MATE:
        material_find_motifs(found, line, NULL, 0, true);
        find_piece_lost(found);
        break;
    case REASON_FACT:
    case REASON_HARMS:
    case REASON_NONE:
        found->against =
            move_fact_find(found->played.line, found->better.line, found->played.candidates, false);
        found->in_favour =
            move_fact_find(found->better.line, found->played.line, found->better.candidates, true);
        find_reply_threat(found, searcher, nodes);
        if (found->reply_threat.branch.line == NULL)
            find_plan(found, searcher, nodes);
        else
            find_reply_motif(found);
        break;
    default: break;
    }
    find_opposition(found, searcher, nodes);
}
