#include "explain/explanation.h"

#include "base/memory.h"

const char *reason_name(Reason reason) {
    static const char *const NAMES[] = {[REASON_MATED] = "allows mate",
                                        [REASON_MISSES_MATE] = "misses mate",
                                        [REASON_STALEMATE] = "stalemate",
                                        [REASON_REPETITION] = "repetition",
                                        [REASON_PAWN_ENDING] = "pawn ending",
                                        [REASON_LOSES_MATERIAL] = "loses material",
                                        [REASON_MISSES_MATERIAL] = "misses material",
                                        [REASON_LOSES_TIME] = "loses time",
                                        [REASON_FACT] = "fact",
                                        [REASON_HARMS] = "harms",
                                        [REASON_IDLE] = "idle",
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
