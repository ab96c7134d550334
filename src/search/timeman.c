#include "search/timeman.h"

#include "base/bits.h"
#include "search/params.h"

enum { MICROSECONDS = 1000, LONGEST = 1000000000 /* milliseconds; keeps products inside 64 bits */ };

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

TimeManager timeman_plan(const SearchLimits *limits, Color side) {
    TimeManager time = {.limited = false};
    const int64_t overhead = limits->move_overhead;
    if (limits->has_move_time) {
        /* Some time to think remains, even with an overhead as long as the move. */
        const int64_t move_time = clamp(limits->move_time, 0, LONGEST);
        const int64_t budget = clamp(move_time - overhead, int_max((int)move_time / 2, 1), LONGEST);
        return (TimeManager){true, true, budget * MICROSECONDS, budget * MICROSECONDS};
    }
    if (!limits->has_clock[side]) return time;

    const int64_t clock = clamp(limits->clock[side], 0, LONGEST);
    const int64_t increment = clamp(limits->increment[side], 0, LONGEST);
    const int64_t moves = limits->moves_to_go > 0 ? int_min(limits->moves_to_go, params.time_moves_left)
                                                  : params.time_moves_left;
    /* Never more than the clock shows. */
    const int64_t usable = clamp(clock - overhead, 1, LONGEST);
    /* The overheads of all these moves are reserved, but never all of a short clock: else every move would be
     * played at once. */
    const int64_t total =
        clamp(clock + increment * (moves - 1) - overhead * (moves + 1), int_max((int)usable / 6, 1), LONGEST);
    /* A millisecond at least, but less of a clock that is nearly empty: short increments must fill it. */
    const int64_t least = clamp(usable * MICROSECONDS / 16, MICROSECONDS / 10, MICROSECONDS);
    const int64_t share = clamp(total * MICROSECONDS / moves, least, (int64_t)LONGEST * MICROSECONDS);
    /* The last move before the control may use nearly all; others leave a reserve. */
    const int64_t most = clamp(moves == 1 ? usable * 9 / 10 : usable * 6 / 10, 1, usable);
    time.limited = true;
    time.hard = clamp(share * params.time_hard / 1000, MICROSECONDS, most * MICROSECONDS);
    time.soft = clamp(share * params.time_soft / 1000, least / 2, time.hard);
    return time;
}

/* By how many thousandths each sign shortens or lengthens the time of a move. */
static int stability_permille(const TimeSigns *signs) {
    if (!techniques.time_stability) return 1000;
    return 1250 - params.time_stability * int_min(signs->stable_iterations, 7);
}

static int node_share_permille(const TimeSigns *signs) {
    if (!techniques.time_node_share || signs->iteration < params.time_iteration) return 1000;
    return 500 + params.time_node_share * (1000 - signs->best_move_permille) / 1000;
}

static int falling_score_permille(const TimeSigns *signs) {
    if (!techniques.time_falling_score) return 1000;
    return 1000 + params.time_falling_score * int_clamp(signs->score_drop, -50, 120) +
           params.time_falling_game * int_clamp(signs->game_drop, -50, 120);
}

bool timeman_is_enough(const TimeManager *time, int64_t elapsed, const TimeSigns *signs) {
    if (!time->limited) return false;
    if (time->fixed) return elapsed >= time->hard;
    if (signs->only_move) return elapsed >= time->soft / 16; /* enough for a score to show */
    int64_t permille = stability_permille(signs);
    permille = permille * node_share_permille(signs) / 1000;
    permille = permille * falling_score_permille(signs) / 1000;
    return elapsed >= clamp(time->soft * permille / 1000, 0, time->hard);
}
