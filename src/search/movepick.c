#include "search/movepick.h"

#include "chess/movegen.h"
#include "search/see.h"

#include <limits.h>
#include <stddef.h>

static void begin(MovePicker *picker, const Position *pos, Histories *histories, Move hash_move) {
    picker->pos = pos;
    picker->histories = histories;
    picker->hash_move = hash_move != MOVE_NONE && movegen_is_legal(pos, hash_move) ? hash_move : MOVE_NONE;
    picker->stage = picker->hash_move ? PICK_HASH_MOVE : PICK_MAKE_NOISY;
    picker->next_killer = 0;
    picker->bad_count = picker->next_bad = 0;
}

void picker_begin(MovePicker *picker, const Position *pos, Histories *histories, const Path *path,
                  Move hash_move, const Move killer[KILLERS]) {
    begin(picker, pos, histories, hash_move);
    picker->path = path;
    picker->noisy_only = false;
    for (int i = 0; i < KILLERS; i++) picker->killer[i] = killer[i];
    if (picker->killer[1] == picker->killer[0]) picker->killer[1] = MOVE_NONE;
}

void picker_begin_noisy(MovePicker *picker, const Position *pos, Histories *histories, Move hash_move,
                        int threshold) {
    begin(picker, pos, histories, position_is_noisy(pos, hash_move) ? hash_move : MOVE_NONE);
    picker->path = NULL;
    picker->noisy_only = true;
    picker->threshold = threshold;
}

static void make_noisy(MovePicker *picker) {
    const Position *pos = picker->pos;
    picker->end = movegen_noisy(pos, picker->move);
    picker->next = 0;
    for (int i = 0; i < picker->end; i++) {
        const Move move = picker->move[i];
        int victim = see_value(piece_type(position_captured_by(pos, move)));
        if (move_kind(move) == PROMOTION)
            victim += move_promotion(move) == QUEEN ? see_value(QUEEN) : -see_value(QUEEN);
        picker->score[i] =
            victim * params.capture_victim_factor + history_capture_score(picker->histories, pos, move);
    }
}

/* Quiet moves go after the bad captures, which stay at the front. */
static void make_quiet(MovePicker *picker) {
    const Position *pos = picker->pos;
    picker->next = picker->bad_count;
    picker->end = picker->next + movegen_quiet(pos, picker->path->threats, picker->move + picker->next);
    for (int i = picker->next; i < picker->end; i++)
        picker->score[i] = history_quiet_score(picker->histories, pos, picker->path, picker->move[i]);
}

/* Brings the best remaining move to the front: one step of a selection sort, for most nodes need few moves.
 * The index is in the low bits of the key, so the loop is a plain maximum, which compilers vectorise, and
 * earlier moves win ties. */
static Move take_best(MovePicker *picker) {
    int best_key = INT_MIN;
    for (int i = picker->next; i < picker->end; i++)
        best_key = int_max(best_key, picker->score[i] * MAX_MOVES - i);
    const int best = -best_key & (MAX_MOVES - 1);
    const Move move = picker->move[best];
    const int score = picker->score[best];
    picker->move[best] = picker->move[picker->next];
    picker->score[best] = picker->score[picker->next];
    picker->move[picker->next] = move;
    picker->score[picker->next] = score;
    picker->next++;
    return move;
}

/* Good: the exchange loses nothing, or little for a capture that has often proved right. */
static Move next_good_noisy(MovePicker *picker) {
    while (picker->next < picker->end) {
        const Move move = take_best(picker);
        if (move == picker->hash_move) continue;
        const int history = history_capture_score(picker->histories, picker->pos, move);
        const int threshold = picker->noisy_only ? picker->threshold : -history / params.capture_see_divisor;
        if (threshold == SEE_ANY || see_at_least(picker->pos, move, threshold)) return move;
        picker->move[picker->bad_count++] = move;
    }
    return MOVE_NONE;
}

static Move next_killer(MovePicker *picker) {
    while (picker->next_killer < KILLERS) {
        const Move move = picker->killer[picker->next_killer++];
        if (move != MOVE_NONE && move != picker->hash_move && movegen_is_legal(picker->pos, move) &&
            !position_is_noisy(picker->pos, move)) {
            (void)WEIGHS(killer_moves, true);
            return move;
        }
    }
    return MOVE_NONE;
}

static Move next_quiet(MovePicker *picker) {
    while (picker->next < picker->end) {
        const Move move = take_best(picker);
        if (move != picker->hash_move && move != picker->killer[0] && move != picker->killer[1]) return move;
    }
    return MOVE_NONE;
}

Move picker_next(MovePicker *picker, bool skip_quiets) {
    Move move = MOVE_NONE;
    switch (picker->stage) {
    case PICK_HASH_MOVE:
        picker->stage = PICK_MAKE_NOISY;
        if (!skip_quiets || position_is_noisy(picker->pos, picker->hash_move)) return picker->hash_move;
        __attribute__((fallthrough));
    case PICK_MAKE_NOISY:
        make_noisy(picker);
        picker->stage = PICK_GOOD_NOISY;
        __attribute__((fallthrough));
    case PICK_GOOD_NOISY:
        move = next_good_noisy(picker);
        if (move != MOVE_NONE) return move;
        if (picker->noisy_only) {
            picker->stage = PICK_DONE;
            return MOVE_NONE;
        }
        picker->stage = PICK_KILLERS;
        __attribute__((fallthrough));
    case PICK_KILLERS:
        if (!skip_quiets) move = next_killer(picker);
        if (move != MOVE_NONE) return move;
        picker->stage = PICK_MAKE_QUIET;
        __attribute__((fallthrough));
    case PICK_MAKE_QUIET:
        if (!skip_quiets) make_quiet(picker);
        picker->stage = skip_quiets ? PICK_BAD_NOISY : PICK_QUIET;
        if (skip_quiets) return picker_next(picker, true);
        __attribute__((fallthrough));
    case PICK_QUIET:
        if (!skip_quiets) move = next_quiet(picker);
        if (move != MOVE_NONE) return move;
        picker->stage = PICK_BAD_NOISY;
        __attribute__((fallthrough));
    case PICK_BAD_NOISY:
        if (picker->next_bad < picker->bad_count) return picker->move[picker->next_bad++];
        picker->stage = PICK_DONE;
        __attribute__((fallthrough));
    case PICK_DONE: break;
    }
    return MOVE_NONE;
}
