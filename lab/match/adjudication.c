#include "lab/match/adjudication.h"

#include "chess/bitboard.h"

#include <stdlib.h>

static int next(int row, bool goes_on) { return goes_on ? row + 1 : 0; }

static bool is_won(const Adjudication *rules, const Adjudicator *adjudicator, Color side) {
    return (rules->win_plies > 0 && adjudicator->won[side] >= rules->win_plies) ||
           (rules->resign_moves > 0 && adjudicator->lost[color_other(side)] >= rules->resign_moves);
}

GameEnd adjudicate(const Adjudication *rules, Adjudicator *adjudicator, const Position *pos, int white_score,
                   int plies, GameResult *result) {
    const bool has_score = white_score != ADJUDICATION_NO_SCORE;
    const bool is_few = bits_count(position_occupied(pos)) <= rules->few_pieces;
    const int win_score = is_few && rules->few_score > rules->win_score ? rules->few_score : rules->win_score;
    const bool says_won[COLOR_COUNT] = {has_score && white_score >= win_score,
                                        has_score && white_score <= -win_score};
    for (Color side = WHITE; side < COLOR_COUNT; side++)
        adjudicator->won[side] = next(adjudicator->won[side], says_won[side]);
    adjudicator->lost[pos->side] = next(adjudicator->lost[pos->side], says_won[color_other(pos->side)]);
    adjudicator->level = next(adjudicator->level, has_score && abs(white_score) <= rules->draw_score);
    if (!rules->by_score) return GAME_GOES_ON;
    for (Color side = WHITE; side < COLOR_COUNT; side++) {
        if (!is_won(rules, adjudicator, side)) continue;
        *result = game_won_by(side);
        return WIN_ADJUDICATED;
    }
    if (rules->draw_plies == 0 || adjudicator->level < rules->draw_plies || plies < rules->draw_from)
        return GAME_GOES_ON;
    *result = DRAWN;
    return DRAW_ADJUDICATED;
}

GameEnd adjudicate_length(const Adjudication *rules, int plies, GameResult *result) {
    if (rules->plies_max == 0 || plies < rules->plies_max) return GAME_GOES_ON;
    *result = DRAWN;
    return LENGTH_LIMIT;
}
