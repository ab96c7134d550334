#include "engine/verdict.h"

#include "engine/chances.h"
#include "search/score.h"

#include <math.h>

/* The one table of thresholds: from which loss of expected score on a move is at fault, the worst first. */
static const struct {
    double loss;
    VerdictKind kind;
} FAULTS[] = {{0.20, VERDICT_BLUNDER}, {0.10, VERDICT_MISTAKE}, {VERDICT_LEAST_LOSS, VERDICT_INACCURACY}};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0] };

/* Moves. Longer mates are hard to see. */
enum { MATE_TO_SEE = 5 };

/* Of percent: the harmonic mean needs more than 0. */
static const double LEAST_ACCURACY = 1;

Assessment verdict_assess(const Position *pos, int score) {
    const Chances chances = chances_of_search(pos, score);
    const bool is_mate = score_is_mate(score);
    return (Assessment){.expected = chances_expected(chances),
                        .is_mate = is_mate,
                        .mate = is_mate ? score_mate_moves(score) : 0};
}

static bool mates_soon(const Assessment *mover) {
    return mover->is_mate && mover->mate > 0 && mover->mate <= MATE_TO_SEE;
}
static bool is_mated(const Assessment *mover) { return mover->is_mate && mover->mate <= 0; }

static VerdictKind fault_of_loss(double loss) {
    for (int i = 0; i < FAULT_COUNT; i++)
        if (loss >= FAULTS[i].loss) return FAULTS[i].kind;
    return VERDICT_NONE;
}

/* A mate that is allowed or missed is always a fault, and a blunder unless the game was lost, or stays won,
 * without it. */
static VerdictKind find_fault(const Verdict *verdict) {
    const VerdictKind kind = fault_of_loss(verdict->loss);
    if (!verdict->allows_mate && !verdict->misses_mate) return kind;
    return kind == VERDICT_NONE ? VERDICT_INACCURACY : VERDICT_BLUNDER;
}

static VerdictKind find_merit(const MoveFacts *facts) {
    if (!facts->has_second || facts->is_obvious) return VERDICT_NONE;
    const VerdictKind other = fault_of_loss(facts->before.expected - facts->second);
    if (facts->is_hidden && (other == VERDICT_MISTAKE || other == VERDICT_BLUNDER)) return VERDICT_GOOD_MOVE;
    return other == VERDICT_BLUNDER ? VERDICT_ONLY_MOVE : VERDICT_NONE;
}

Verdict verdict_of(const MoveFacts *facts) {
    Verdict verdict = {.kind = VERDICT_NONE};
    if (facts->is_best) {
        verdict.kind = find_merit(facts);
        return verdict;
    }
    verdict.loss = fmax(facts->before.expected - (1 - facts->after.expected), 0);
    verdict.allows_mate = mates_soon(&facts->after) && !is_mated(&facts->before);
    verdict.misses_mate = mates_soon(&facts->before) && !is_mated(&facts->after);
    verdict.kind = find_fault(&verdict);
    return verdict;
}

Phase verdict_phase(const Position *pos) {
    enum { OPENING_MOVES = 12, ENDGAME_PIECES = 6 };
    const Bitboard pieces = position_occupied(pos) & ~(pos->by_type[PAWN] | pos->by_type[KING]);
    if (bits_count(pieces) <= ENDGAME_PIECES) return PHASE_ENDGAME;
    return pos->fullmove <= OPENING_MOVES ? PHASE_OPENING : PHASE_MIDDLEGAME;
}

const char *verdict_phase_name(Phase phase) {
    static const char *const NAMES[PHASES] = {"opening", "middlegame", "endgame"};
    return NAMES[phase];
}

int verdict_nag(VerdictKind kind) {
    static const int NAG[VERDICT_KINDS] = {[VERDICT_INACCURACY] = 6,
                                           [VERDICT_MISTAKE] = 2,
                                           [VERDICT_BLUNDER] = 4,
                                           [VERDICT_ONLY_MOVE] = 7,
                                           [VERDICT_GOOD_MOVE] = 1};
    return NAG[kind];
}

const char *verdict_name(VerdictKind kind) {
    static const char *const NAME[VERDICT_KINDS] = {[VERDICT_NONE] = "",
                                                    [VERDICT_INACCURACY] = "inaccuracy",
                                                    [VERDICT_MISTAKE] = "mistake",
                                                    [VERDICT_BLUNDER] = "blunder",
                                                    [VERDICT_ONLY_MOVE] = "only move",
                                                    [VERDICT_GOOD_MOVE] = "good move"};
    return NAME[kind];
}

double verdict_move_accuracy(double loss) {
    return fmin(fmax(103.1668 * exp(-4.354 * loss) - 3.1669, 0), 100);
}

double verdict_accuracy(const double *losses, int count) {
    double sum = 0, inverses = 0;
    if (count == 0) return 100;
    for (int i = 0; i < count; i++) {
        const double accuracy = verdict_move_accuracy(losses[i]);
        sum += accuracy;
        inverses += 1 / fmax(accuracy, LEAST_ACCURACY);
    }
    return (sum / count + count / inverses) / 2;
}
