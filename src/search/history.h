/* What a thread has learned of moves: counters that rise when a move cuts and fall when it was tried in vain.
 * Each stays within +-HISTORY_MAX by "gravity": the nearer to the bound, the weaker the push (an idea of
 * Stockfish's). One thread's own; no locks. */
#ifndef LUFT_SEARCH_HISTORY_H
#define LUFT_SEARCH_HISTORY_H

#include "chess/position.h"
#include "search/params.h"

#include <stdint.h>

enum { HISTORY_MAX = 16384 };

/* Quiet moves by what came before: the continuation of one piece on one square. */
typedef int16_t ContinuationHistory[PIECE_COUNT][SQUARE_COUNT];

typedef struct Histories {
    int16_t quiet[COLOR_COUNT][SQUARE_COUNT][SQUARE_COUNT];
    int16_t capture[PIECE_COUNT][SQUARE_COUNT][PIECE_TYPE_COUNT + 1];
    ContinuationHistory continuation[PIECE_COUNT][SQUARE_COUNT];
    ContinuationHistory nothing; /* the continuation of a null move and of the root */
} Histories;

/* Plies back whose continuations count: the opponent's last move, and our own before it. */
enum { CONTINUATIONS = 2 };
typedef ContinuationHistory *ContinuationSet[CONTINUATIONS];

static inline int history_bonus(int depth) {
    return int_clamp(params.history_bonus_factor * depth - params.history_bonus_offset, 0,
                     params.history_bonus_max);
}
static inline int history_malus(int depth) {
    return -int_clamp(params.history_malus_factor * depth - params.history_malus_offset, 0,
                      params.history_malus_max);
}

static inline void history_push(int16_t *counter, int amount) {
    const int size = amount < 0 ? -amount : amount;
    *counter = (int16_t)(*counter + amount - *counter * size / HISTORY_MAX);
}

/* The counter of a noisy move; promotions without capture share the last column. */
static inline int16_t *history_capture(Histories *histories, const Position *pos, Move move) {
    const PieceType victim = piece_type(position_captured_by(pos, move));
    return &histories->capture[position_piece_on(pos, move_from(move))][move_to(move)][victim];
}

/* Sum of what is known of a quiet move: within +-3 * HISTORY_MAX. */
static inline int history_quiet_score(const Histories *histories, const Position *pos,
                                      const ContinuationSet continuations, Move move) {
    const Piece piece = position_piece_on(pos, move_from(move));
    int score = 0;
    if (techniques.quiet_history) score += histories->quiet[pos->side][move_from(move)][move_to(move)];
    if (techniques.continuation_history)
        for (int i = 0; i < CONTINUATIONS; i++) score += (*continuations[i])[piece][move_to(move)];
    return score;
}

static inline int history_capture_score(const Histories *histories, const Position *pos, Move move) {
    if (!techniques.capture_history) return 0;
    const PieceType victim = piece_type(position_captured_by(pos, move));
    return histories->capture[position_piece_on(pos, move_from(move))][move_to(move)][victim];
}

static inline void history_push_quiet(Histories *histories, const Position *pos,
                                      const ContinuationSet continuations, Move move, int amount) {
    const Piece piece = position_piece_on(pos, move_from(move));
    history_push(&histories->quiet[pos->side][move_from(move)][move_to(move)], amount);
    for (int i = 0; i < CONTINUATIONS; i++) history_push(&(*continuations[i])[piece][move_to(move)], amount);
}

/* Forgets all. */
void history_clear(Histories *histories);

#endif
