#include "lab/selfplay/live_match.h"

#include "base/memory.h"
#include "search/params.h"
#include "search/score.h"

enum { HASH_MEGABYTES = 1 };

struct LiveMatch {
    Player *player[2]; /* the first one has all techniques */
    bool *enabled;     /* the switch of the technique */
    uint64_t nodes;
    PairCounts pairs;
    GameCounts games;
};

static bool *find_switch(TextView technique, Status *status) {
    int count;
    const TechniqueRow *rows = techniques_rows(&count);
    for (int i = 0; i < count; i++) {
        if (!text_equals(technique, rows[i].name)) continue;
        if (rows[i].enabled == NULL) *status = status_error("this build has no switches: make it with LAB=1");
        return rows[i].enabled;
    }
    char shown[40];
    text_copy_printable(technique, shown, sizeof shown);
    *status = status_error("there is no technique '%s'", shown);
    return NULL;
}

LiveMatch *live_match_create(const Network *network, TextView technique, uint64_t nodes, Status *status) {
    *status = status_ok();
    bool *enabled = find_switch(technique, status);
    if (enabled == NULL) return NULL;
    LiveMatch *match = memory_allocate(sizeof *match);
    if (match == NULL) {
        *status = status_no_memory("the match");
        return NULL;
    }
    for (int i = 0; i < 2 && status_is_ok(status); i++)
        match->player[i] = player_create(network, HASH_MEGABYTES, status);
    if (!status_is_ok(status)) {
        live_match_destroy(match);
        return NULL;
    }
    match->enabled = enabled;
    match->nodes = nodes;
    return match;
}

void live_match_destroy(LiveMatch *match) {
    if (match == NULL) return;
    player_destroy(match->player[0]);
    player_destroy(match->player[1]);
    memory_release(match);
}

static void take_turn(void *context, int mover) {
    const LiveMatch *match = context;
    *match->enabled = mover == 0;
}

void live_match_play_pair(LiveMatch *match, const Position *start) {
    const int pawn = SCORE_UNITS_PER_PAWN;
    const Adjudication adjudication = {.by_score = true,
                                       .win_score = 6 * pawn,
                                       .win_plies = 8,
                                       .draw_score = pawn / 10,
                                       .draw_plies = 16,
                                       .draw_from = 80,
                                       .plies_max = 600};
    const PairRules rules = {
        .budget = {.hard = match->nodes}, .adjudication = &adjudication, .turn = take_turn, .context = match};
    const int with_white = players_play_game(&rules, match->player, start, 0);
    const int with_black = players_play_game(&rules, match->player, start, 1);
    *match->enabled = true;
    match->pairs.count[with_white + with_black]++;
    stats_count_game(&match->games, with_white);
    stats_count_game(&match->games, with_black);
}

const PairCounts *live_match_pairs(const LiveMatch *match) { return &match->pairs; }
const GameCounts *live_match_games(const LiveMatch *match) { return &match->games; }
