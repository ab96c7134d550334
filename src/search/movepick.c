#include "search/movepick.h"

#include "chess/movegen.h"
#include "search/see.h"

#include <limits.h>
#include <stddef.h>

static void begin(MovePicker *picker, const Position *pos, Histories *histories, Move hash_move) {
    picker->pos = pos;
    picker->histories = histories;
    picker->sight.level = NULL;
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

/* Whether a move that another node or the table has supplied is seen here. */
static bool sees(const MovePicker *picker, Move move) {
    return picker->sight.level == NULL || level_sees(&picker->sight, picker->pos, move);
}

void picker_limit(MovePicker *picker, const Sight *sight) {
    picker->sight = *sight;
    if (picker->hash_move == MOVE_NONE || sees(picker, picker->hash_move)) return;
    picker->hash_move = MOVE_NONE;
    picker->stage = PICK_MAKE_NOISY;
}

/* Removes captures that are not seen. Where there are no quiet moves, of which one always stays, they stay
 * too: hiding moves must not make a stalemate. */
static void hide_noisy(MovePicker *picker) {
    const Position *pos = picker->pos;
    Move quiet[MAX_MOVES];
    if (!picker->noisy_only && movegen_quiet(pos, picker->path->threats, quiet) == 0) return;
    picker->end = level_filter(&picker->sight, pos, picker->move, picker->end, false);
}

static void make_noisy(MovePicker *picker) {
    const Position *pos = picker->pos;
    picker->end = movegen_noisy(pos, picker->move);
    picker->next = 0;
    if (UNLIKELY(picker->sight.level != NULL)) hide_noisy(picker);
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
    int count = movegen_quiet(pos, picker->path->threats, picker->move + picker->next);
    if (UNLIKELY(picker->sight.level != NULL))
        count = level_filter(&picker->sight, pos, picker->move + picker->next, count, true);
    picker->end = picker->next + count;
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
        Move *killer = &picker->killer[picker->next_killer++];
        const Move move = *killer;
        if (move != MOVE_NONE && move != picker->hash_move && movegen_is_legal(picker->pos, move) &&
            !position_is_noisy(picker->pos, move)) {
            if (UNLIKELY(!sees(picker, move))) {
                *killer = MOVE_NONE; /* the quiet move that always stays may be this one */
                continue;
            }
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
