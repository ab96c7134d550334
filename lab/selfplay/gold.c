#include "lab/selfplay/gold.h"

#include "chess/makemove.h"
#include "search/score.h"

/* A game gives its position at the first try or two; a game of checks and captures alone is not worth more.
 */
enum { TRIES_MAX = 8 };

static Position position_before(const RecordedGame *game, int ply) {
    Position pos = game->start;
    for (int i = 0; i < ply; i++) {
        Undo undo;
        position_make_move(&pos, game->ply[i].move, &undo);
    }
    return pos;
}

static bool has_lone_king(const Position *pos) {
    return bits_count(pos->by_color[WHITE]) == 1 || bits_count(pos->by_color[BLACK]) == 1;
}

bool gold_keep_one(RecordedGame *game, Player *player, Rng *rng, uint64_t nodes, uint64_t *searched) {
    if (game->ply_count <= GOLD_MIN_PLY) return false;
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        const int ply = GOLD_MIN_PLY + (int)rng_below(rng, (uint64_t)(game->ply_count - GOLD_MIN_PLY));
        const Position pos = position_before(game, ply);
        if (position_in_check(&pos) || has_lone_king(&pos)) continue;
        player_new_game(player);
        const Choice choice = player_choose(player, &pos, (MoveBudget){nodes, nodes});
        *searched += choice.nodes;
        if (position_is_noisy(&pos, choice.move) || score_is_mate(choice.score)) continue;
        for (int i = 0; i < ply; i++) game->ply[i].score = RECORD_NO_SCORE;
        const int white_score = pos.side == WHITE ? choice.score : -choice.score;
        game->ply_count = ply;
        game->end = GAME_GOES_ON;
        return recorded_add(game, choice.move, white_score);
    }
    return false;
}
