#include "search/history.h"

#include <string.h>

CorrectionSlots history_correction_slots(Histories *histories, const Position *pos,
                                         ContinuationHistory *before, Piece last_piece, Square last_to) {
    const State *state = &pos->state;
    CorrectionSlots slots = {.pawn =
                                 &histories->pawn_correction[pos->side][state->pawn_key % CORRECTION_SLOTS],
                             .continuation = &(*before)[last_piece][last_to]};
    for (Color color = WHITE; color < COLOR_COUNT; color++)
        slots.non_pawn[color] =
            &histories->non_pawn_correction[color][pos->side][state->non_pawn_key[color] % CORRECTION_SLOTS];
    return slots;
}

int history_correction(const CorrectionSlots *slots) {
    if (!techniques.correction_history) return 0;
    const int sum = params.correction_pawn * *slots->pawn +
                    params.correction_non_pawn * (*slots->non_pawn[WHITE] + *slots->non_pawn[BLACK]) +
                    params.correction_continuation * *slots->continuation;
    const int correction = sum / CORRECTION_MAX;
    (void)RULE(CHANGES, correction_history, correction != 0, OP(correction, correction));
    return correction;
}

void history_push_correction(const CorrectionSlots *slots, int difference, int depth) {
    const int amount = int_clamp(difference * depth / 8, -CORRECTION_MAX / 4, CORRECTION_MAX / 4);
    history_push(slots->pawn, amount, CORRECTION_MAX);
    history_push(slots->non_pawn[WHITE], amount, CORRECTION_MAX);
    history_push(slots->non_pawn[BLACK], amount, CORRECTION_MAX);
    history_push(slots->continuation, amount, CORRECTION_MAX);
}

void history_clear(Histories *histories) { memset(histories, 0, sizeof *histories); }
