#include "explain/explanation.h"

#include "base/bits.h"
#include "base/memory.h"
#include "explain/exchange.h"
#include "search/score.h"

const char *reason_name(Reason reason) {
    static const char *const NAMES[] = {[REASON_MATED] = "allows mate",
                                        [REASON_MISSES_MATE] = "misses mate",
                                        [REASON_STALEMATE] = "stalemate",
                                        [REASON_REPETITION] = "repetition",
                                        [REASON_PAWN_ENDING] = "pawn ending",
                                        [REASON_WRONG_BISHOP] = "wrong bishop",
                                        [REASON_LOSES_MATERIAL] = "loses material",
                                        [REASON_MISSES_MATERIAL] = "misses material",
                                        [REASON_LOSES_TIME] = "loses time",
                                        [REASON_FACT] = "fact",
                                        [REASON_HARMS] = "harms",
                                        [REASON_NONE] = "none",
                                        [REASON_GOOD] = "as good as the best",
                                        [REASON_BEST] = "best"};
    return NAMES[reason];
}

void explanation_release(Explanation *explanation) {
    memory_release(explanation->without);
    explanation->without = NULL;
    branch_release(&explanation->played);
    branch_release(&explanation->better);
    branch_release(&explanation->pass.branch);
    branch_release(&explanation->reply_threat.branch);
    branch_release(&explanation->plan.branch);
    branch_release(&explanation->natural);
    branch_release(&explanation->opposition);
    branch_release(&explanation->merit.second);
    branch_release(&explanation->merit.accepted);
    branch_release(&explanation->merit.threat.branch);
}

const Position *explanation_root(const Explanation *explanation) {
    return &explanation->played.line->board[0];
}

int explanation_gap(const Explanation *explanation) {
    return explanation->better.score - explanation->played.score;
}

const Line *explanation_fact_line(const Explanation *explanation, const FactReason *fact) {
    const bool is_good = reason_is_good(explanation->reason);
    const Branch *better = is_good ? &explanation->played : &explanation->better;
    const Branch *other = is_good ? &explanation->merit.second : &explanation->played;
    return fact->on_better ? better->line : other->line;
}

const Line *explanation_line(const Explanation *explanation) {
    const bool is_missed =
        explanation->reason == REASON_MISSES_MATERIAL || explanation->reason == REASON_MISSES_MATE;
    return is_missed ? explanation->better.line : explanation->played.line;
}

static int points_of(const Position *pos, Color color) {
    int points = 0;
    for (PieceType type = PAWN; type < KING; type++)
        points += exchange_points(type) * bits_count(pos->by_color[color] & pos->by_type[type]);
    return points;
}

bool explanation_wins_back(const Explanation *explanation, const Branch *branch) {
    const Position *root = &branch->line->board[0];
    const int taken = exchange_points(piece_type(position_captured_by(root, branch->move)));
    const int behind = points_of(root, color_other(root->side)) - points_of(root, root->side);
    const bool is_level = branch->score < SCORE_UNITS_PER_PAWN / 2;
    return behind >= explanation->material.net || (is_level && (taken > 0 || behind > 0)) ||
           (taken > 0 && exchange_points(piece_type(root->state.captured)) >= taken);
}

bool explanation_takes_back(const Explanation *explanation) {
    return position_captured_by(explanation_root(explanation), explanation->played.move) != NO_PIECE &&
           explanation_wins_back(explanation, &explanation->played);
}

LineLoss explanation_loss(const Explanation *explanation) {
    const Position *root = explanation_root(explanation);
    const LineLoss *material = &explanation->material;
    const PieceType taken = piece_type(position_captured_by(root, explanation->played.move));
    const bool is_pawn = taken == PAWN && explanation->cause != CAUSE_POISONED;
    if (explanation->reason != REASON_LOSES_MATERIAL || is_pawn || taken >= KING ||
        root->state.captured != NO_PIECE ||
        move_to(explanation->played.move) == move_to(explanation->better.move))
        return *material;
    const LineLoss whole = line_loss(explanation->played.line, 0, explanation->settled, root->side);
    const bool is_kept = whole.gained[taken] > 0 && loss_dearest(&whole) == loss_dearest(material);
    return is_kept && whole.net > 0 ? whole : *material;
}

MatePattern explanation_mate_pattern(const Explanation *explanation) {
    const Line *line = explanation_line(explanation);
    const bool mates = explanation->mate > 0 && line_is_mate(line, line->length);
    return mates ? mate_pattern_of(&line->board[line->length]) : MATE_PATTERN_NONE;
}

bool explanation_misses_mate_too(const Explanation *explanation) {
    enum { SHORT = 2 * 5 }; /* plies of a mate in five */
    const Line *line = explanation->better.line;
    return explanation->reason == REASON_MATED && explanation->better.score >= SCORE_WIN &&
           line->length < SHORT && line_is_mate(line, line->length);
}

bool explanation_is_best_by_search(const Explanation *explanation) {
    enum { CLEAR = SCORE_UNITS_PER_PAWN / 2 };
    const Merit *merit = &explanation->merit;
    if (explanation->mate > 0 || merit->moves < 2) return false;
    return explanation->reason == REASON_GOOD ||
           (merit->second.line != NULL && explanation->played.score < merit->second.score + CLEAR);
}

bool explanation_is_shown_by_second(const Explanation *explanation) {
    const Merit *merit = &explanation->merit;
    const bool achieves =
        explanation->mate > 0 || (explanation->settled >= 0 && !explanation_takes_back(explanation));
    return merit->is_only && merit->kind == MERIT_NONE && !achieves && merit->second.line->length > 1;
}

bool explanation_meets_nothing(const Explanation *explanation) {
    const Line *line = explanation->played.line, *better = explanation->better.line;
    if (line->length < 2 || line->move[1] != explanation->pass.branch.move) return false;
    Position after;
    for (int ply = 1; ply < int_min(better->length, LOSS_PLY); ply += 2)
        if (better->move[ply] == line->move[1]) return false;
    return !move_fact_can_reply(&better->board[1], line->move[1], &after) &&
           position_captured_by(&line->board[1], line->move[1]) == NO_PIECE &&
           !move_fact_develops(&line->board[1], line->move[1]);
}
