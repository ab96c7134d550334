/* What a thread has learned about moves: counters that rise when a move cuts and fall when it was tried
 * before the one that cut. Each stays within its bound by "gravity": the nearer to the bound, the smaller the
 * update (an idea of Stockfish's). One thread's own; no locks. */
#ifndef LUFT_SEARCH_HISTORY_H
#define LUFT_SEARCH_HISTORY_H

#include "chess/position.h"
#include "search/params.h"
#include "search/trace.h"

#include <stdint.h>

enum { HISTORY_MAX = 16384 };

/* Quiet moves by what came before: the continuation of one piece on one square. */
typedef int16_t ContinuationHistory[PIECE_COUNT][SQUARE_COUNT];

/* Corrections of the static value: a slot for each hash of a part of the position. */
enum { CORRECTION_SLOTS = 16384, CORRECTION_MAX = 1024, PAWN_HISTORY_SLOTS = 1024 };

typedef struct Histories {
    int16_t quiet[COLOR_COUNT][2][2][SQUARE_COUNT][SQUARE_COUNT]; /* leaves, enters an attacked square */
    int16_t pawn[PAWN_HISTORY_SLOTS][PIECE_COUNT][SQUARE_COUNT];
    int16_t capture[PIECE_COUNT][SQUARE_COUNT][PIECE_TYPE_COUNT + 1];
    ContinuationHistory continuation[PIECE_COUNT][SQUARE_COUNT];
    ContinuationHistory nothing; /* the continuation of a null move and of the root */
    int16_t pawn_correction[COLOR_COUNT][CORRECTION_SLOTS];
    int16_t non_pawn_correction[COLOR_COUNT][COLOR_COUNT][CORRECTION_SLOTS];
    ContinuationHistory continuation_correction[PIECE_COUNT][SQUARE_COUNT];
} Histories;

/* What the histories of quiet moves depend on, besides the move: the continuations of the moves one, two and
 * four plies back, and the squares that the opponent attacks (position_threats). */
enum { CONTINUATIONS = 3 };
typedef struct Path {
    ContinuationHistory *continuation[CONTINUATIONS];
    Bitboard threats;
} Path;

static inline int history_bonus(int depth) {
    return int_clamp(params.history_bonus_factor * depth - params.history_bonus_offset, 0,
                     params.history_bonus_max);
}
static inline int history_malus(int depth) {
    return -int_clamp(params.history_malus_factor * depth - params.history_malus_offset, 0,
                      params.history_malus_max);
}

/* `most` is the bound of the counter. */
static inline void history_push(int16_t *counter, int amount, int most) {
    const int size = amount < 0 ? -amount : amount;
    *counter = (int16_t)(*counter + amount - *counter * size / most);
}

/* The counter of a noisy move; promotions without capture share the last column. */
static inline int16_t *history_capture(Histories *histories, const Position *pos, Move move) {
    const PieceType victim = piece_type(position_captured_by(pos, move));
    return &histories->capture[position_piece_on(pos, move_from(move))][move_to(move)][victim];
}

/* The counters of a quiet move that do not depend on the moves before. */
static inline int16_t *history_quiet(Histories *histories, const Position *pos, const Path *path, Move move) {
    const Bitboard threats = techniques.threat_history ? path->threats : 0;
    const Square from = move_from(move), to = move_to(move);
    const int leaves = threats >> from & 1, enters = threats >> to & 1;
    (void)WEIGHS(threat_history, leaves || enters);
    return &histories->quiet[pos->side][leaves][enters][from][to];
}
static inline int16_t *history_pawn(Histories *histories, const Position *pos, Move move) {
    const Piece piece = position_piece_on(pos, move_from(move));
    return &histories->pawn[pos->state.pawn_key % PAWN_HISTORY_SLOTS][piece][move_to(move)];
}

/* The sum of a quiet move's counters: within +-5 * HISTORY_MAX. */
static inline int history_quiet_score(Histories *histories, const Position *pos, const Path *path,
                                      Move move) {
    const Piece piece = position_piece_on(pos, move_from(move));
    int quiet = 0, pawn = 0, continuation = 0;
    if (techniques.quiet_history) quiet = *history_quiet(histories, pos, path, move);
    if (techniques.pawn_history) pawn = *history_pawn(histories, pos, move);
    if (techniques.continuation_history)
        for (int i = 0; i < CONTINUATIONS; i++)
            continuation += (*path->continuation[i])[piece][move_to(move)];
    (void)WEIGHS(quiet_history, quiet != 0);
    (void)WEIGHS(pawn_history, pawn != 0);
    (void)WEIGHS(continuation_history, continuation != 0);
    return quiet + pawn + continuation;
}

static inline int history_capture_score(Histories *histories, const Position *pos, Move move) {
    if (!techniques.capture_history) return 0;
    const int score = *history_capture(histories, pos, move);
    (void)WEIGHS(capture_history, score != 0);
    return score;
}

static inline void history_push_continuations(const Path *path, Piece piece, Square to, int amount) {
    for (int i = 0; i < CONTINUATIONS; i++)
        history_push(&(*path->continuation[i])[piece][to], amount, HISTORY_MAX);
}

static inline void history_push_quiet(Histories *histories, const Position *pos, const Path *path, Move move,
                                      int amount) {
    history_push(history_quiet(histories, pos, path, move), amount, HISTORY_MAX);
    history_push(history_pawn(histories, pos, move), amount, HISTORY_MAX);
    history_push_continuations(path, position_piece_on(pos, move_from(move)), move_to(move), amount);
}

/* Correction history (Caissa, then Stockfish): the counters of this position. `before` is the row of the move
 * two plies back, `last_piece` the one that has just moved to `last_to`. */
typedef struct CorrectionSlots {
    int16_t *pawn, *non_pawn[COLOR_COUNT], *continuation;
} CorrectionSlots;
TRACEABLE CorrectionSlots history_correction_slots(Histories *histories, const Position *pos,
                                                   ContinuationHistory *before, Piece last_piece,
                                                   Square last_to);

/* Fetches them from memory ahead of their use. */
static inline void history_prefetch_correction(const CorrectionSlots *slots) {
    __builtin_prefetch(slots->pawn);
    __builtin_prefetch(slots->non_pawn[WHITE]);
    __builtin_prefetch(slots->non_pawn[BLACK]);
    __builtin_prefetch(slots->continuation);
}

/* Their correction of the static value, in internal units. */
TRACEABLE int history_correction(const CorrectionSlots *slots);

/* Learns from a search that found `difference` more than the static value. */
TRACEABLE void history_push_correction(const CorrectionSlots *slots, int difference, int depth);

/* Sets all counters to zero. */
TRACEABLE void history_clear(Histories *histories);

#endif
