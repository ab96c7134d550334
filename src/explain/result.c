#include "explain/result.h"

#include "base/bits.h"
#include "chess/draw.h"
#include "engine/chances.h"
#include "engine/verdict.h"

enum {
    LEVEL_UNITS = 3 * SCORE_UNITS_PER_PAWN / 10,
    LEVEL_DEPTH = 16 /* of two iterations that find the game level, for it to be called a draw */
};

#define WON      0.9 /* from this chance of winning on a game is won */
#define DOUBTFUL 0.5 /* below it the win is in doubt, */
#define GONE     0.1 /* and from here on it is gone */

const char *outcome_name(Outcome outcome) {
    static const char *const NAMES[] = {"open", "win", "draw", "loss"};
    return NAMES[outcome];
}

const char *draw_name(DrawKind kind) {
    static const char *const NAMES[] = {[DRAW_NONE] = "none",
                                        [DRAW_PERPETUAL] = "perpetual check",
                                        [DRAW_REPETITION] = "repetition",
                                        [DRAW_STALEMATE] = "stalemate",
                                        [DRAW_MATERIAL] = "material",
                                        [DRAW_SCORE] = "score"};
    return NAMES[kind];
}

/* Whether the side that plays the line gives check with each move from board `from` on to the end. */
static bool checks_all_the_time(const Line *line, int from) {
    for (int ply = from + from % 2; ply < line->length; ply += 2)
        if (!position_in_check(&line->board[ply + 1])) return false;
    return true;
}

bool result_is_stalemate(const Line *line) {
    enum { EARLY = 12 };
    return line->length <= EARLY && line_is_stalemate(line, line->length);
}

static DrawKind drawn_end(const Line *line) {
    const Position *end = &line->board[line->length];
    if (result_is_stalemate(line)) return DRAW_STALEMATE;
    if (draw_by_dead_material(end)) return DRAW_MATERIAL;
    for (int ply = line->length - 1; ply >= 0; ply--)
        if (line->board[ply].state.key == end->state.key)
            return checks_all_the_time(line, ply) ? DRAW_PERPETUAL : DRAW_REPETITION;
    return line_repeats(line, line->length) ? DRAW_REPETITION : DRAW_NONE;
}

DrawKind result_draw(const Branch *branch) {
    if (int_abs(branch->score) <= SCORE_CURSED_WIN) {
        const DrawKind kind = drawn_end(branch->line);
        if (kind != DRAW_NONE) return kind;
    }
    const bool is_level = int_abs(branch->score) < LEVEL_UNITS && int_abs(branch->score_before) < LEVEL_UNITS;
    return is_level && branch->depth > LEVEL_DEPTH ? DRAW_SCORE : DRAW_NONE;
}

Outcome result_outcome(const Branch *branch) {
    const Chances chances = chances_of_search(&branch->line->board[0], branch->score);
    if (chances.win > WON) return OUTCOME_WIN;
    if (chances.loss > WON) return OUTCOME_LOSS;
    return result_draw(branch) != DRAW_NONE ? OUTCOME_DRAW : OUTCOME_OPEN;
}

Left result_left(const Branch *branch) {
    if (branch->score <= -LEVEL_UNITS) return LEFT_WORSE;
    if (branch->score < LEVEL_UNITS) return LEFT_NOTHING;
    return chances_of_search(&branch->line->board[0], branch->score).win < GONE ? LEFT_LITTLE : LEFT_DOUBT;
}

/* In the middlegame what is lost says more. */
static bool is_win_doubtful(const Branch *branch) {
    const Position *root = &branch->line->board[0];
    return verdict_phase(root) == PHASE_ENDGAME && chances_of_search(root, branch->score).win < DOUBTFUL;
}

Result result_change(const Branch *best, const Branch *move) {
    const Outcome better = result_outcome(best), played = result_outcome(move);
    const DrawKind draw = result_draw(better == OUTCOME_DRAW ? best : move);
    const Result change = {better, played,
                           played == OUTCOME_LOSS && better == OUTCOME_WIN ? DRAW_NONE : draw};
    if (better == OUTCOME_WIN && (played > OUTCOME_WIN || is_win_doubtful(move))) return change;
    return better == OUTCOME_DRAW && played == OUTCOME_LOSS ? change : (Result){.draw = DRAW_NONE};
}

Square result_wrong_corner(const Position *pos, Color side) {
    const Bitboard pawns = position_pieces(pos, side, PAWN), bishops = position_pieces(pos, side, BISHOP);
    const Bitboard others = pos->by_color[side] & ~pawns & ~bishops & ~pos->by_type[KING];
    const bool is_a = !(pawns & ~file_mask(0)), is_h = !(pawns & ~file_mask(7));
    if (pawns == 0 || bishops == 0 || others != 0 || !(is_a || is_h)) return NO_SQUARE;
    const Square corner = square_make(is_a ? 0 : 7, side == WHITE ? 7 : 0);
    const Bitboard colored = square_bit(corner) & DARK_SQUARES ? DARK_SQUARES : ~DARK_SQUARES;
    return bishops & colored ? NO_SQUARE : corner;
}
