#include "lab/match/player.h"

#include "base/clock.h"
#include "lab/game/game_pgn.h"

enum {
    START_ATTEMPTS = 3,
    START_PAUSE = 500, /* milliseconds between them */
    REPLAYS_MAX = 2    /* of a game that the machine decided; then the machine is no place for such games */
};

static void leave_seat(Seat *seat) {
    uci_client_stop(seat->client);
    *seat = (Seat){.engine = -1};
}

/* An engine that was there when the match began may be slow to come back: a few attempts. */
static Status restart(Player *player, Seat *seat) {
    Match *match = player->match;
    Status status = status_ok();
    for (int attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
        if (attempt > 1) clock_sleep_milliseconds(START_PAUSE);
        status = seat->client == NULL
                     ? match_start_engine(match, seat->engine, player->number, player->cpus, &seat->client)
                     : uci_client_restart(seat->client);
        if (status_is_ok(&status) || atomic_load(&match->cancel)) break;
        match_notice(match, "warning: restart %d of %d failed: %s", attempt, START_ATTEMPTS, status.reason);
    }
    seat->broken = !status_is_ok(&status);
    return status;
}

/* Puts the engine on the seat, running and fit for a game. */
static Status take_seat(Player *player, int place, int engine) {
    Seat *seat = &player->seats[place];
    if (seat->engine != engine) {
        leave_seat(seat);
        seat->engine = engine;
    }
    bool fresh = seat->client == NULL || seat->broken || player->match->setup->engines[engine].restart;
    return fresh ? restart(player, seat) : status_ok();
}

static void add_costs(Player *player) {
    const MatchGame *game = &player->game;
    player->plies += game->searches;
    player->wall += game->search_wall;
    player->cpu += game->search_cpu;
    player->delay += game->search_delay;
}

static GameSummary summarise(const MatchGame *game) {
    GameSummary summary = {.result = game->result,
                           .ending = game->ending,
                           .fault = game->fault,
                           .guilty = game->guilty,
                           .plies = game->move_count};
    for (int color = WHITE; color <= BLACK; color++)
        for (int fault = 0; fault < FAULT_COUNT; fault++)
            summary.warnings[color][fault] = game->warnings[color][fault];
    return summary;
}

/* Such a game says nothing of the engines. */
static bool was_decided_by_machine(const MatchGame *game) {
    return game->ending == ENDING_FAULT && game->fault == FAULT_TIME_MACHINE;
}

/* Names what went wrong in the game just played. */
static void tell_faults(const Player *player, const PairResult *pair, int number,
                        const int engines[COLOR_COUNT], bool replay) {
    const MatchGame *game = &player->game;
    const MatchSetup *setup = player->match->setup;
    const char *white = setup->engines[engines[WHITE]].name, *black = setup->engines[engines[BLACK]].name;
    int label = 2 * pair->index + number + 1;
    if (game->ending == ENDING_FAULT)
        match_notice(player->match, "game %d, %s - %s: %s: %s by %s, move %d: %s%s", label, white, black,
                     game_result_text(game->result), fault_name(game->fault),
                     setup->engines[engines[game->guilty]].name, (game->move_count + 2) / 2, game->detail,
                     replay ? "; the game is played again" : "");
    if (game->warning_detail[0] != '\0')
        match_notice(player->match, "game %d, %s - %s: warning: %s", label, white, black,
                     game->warning_detail);
}

static Status write_pgn(Player *player, const PairResult *pair, int number, const int engines[COLOR_COUNT],
                        int opening, time_t start) {
    const MatchSetup *setup = player->match->setup;
    if (setup->pgn_path == NULL) return status_ok();
    GameTags tags = {.event = setup->event == NULL ? "luft-lab match" : setup->event,
                     .site = setup->site == NULL ? "?" : setup->site,
                     .round = pair->round + 1,
                     .game = number + 1,
                     .opening = opening,
                     .start = start,
                     .reproducible = setup->reproducible};
    for (int color = WHITE; color <= BLACK; color++) {
        tags.players[color] = setup->engines[engines[color]].name;
        tags.limits[color] = setup->engines[engines[color]].limits;
    }
    return game_pgn_write(&player->game, &tags, &player->pgn);
}

/* One of the two games of a pair: the first engine has White in game 0. */
static Status play_game(Player *player, PairResult *pair, int number, const Opening *opening) {
    Match *match = player->match;
    int white_place = number == 0 ? 0 : 1;
    int engines[COLOR_COUNT] = {number == 0 ? pair->first : pair->second,
                                number == 0 ? pair->second : pair->first};
    Status status = take_seat(player, 0, pair->first);
    if (status_is_ok(&status)) status = take_seat(player, 1, pair->second);
    if (!status_is_ok(&status)) return status;
    GameSetup game = {.players = {player->seats[white_place].client, player->seats[1 - white_place].client},
                      .limits = {match->setup->engines[engines[WHITE]].limits,
                                 match->setup->engines[engines[BLACK]].limits},
                      .opening = *opening,
                      .chess960 = match->setup->chess960,
                      .rules = &match->setup->rules,
                      .cancel = &match->cancel};
    time_t start;
    for (int replays = 0;; replays++) {
        start = time(NULL);
        status = game_play(&game, &player->game);
        if (!status_is_ok(&status) || player->game.ending == ENDING_CANCELLED) return status;
        add_costs(player);
        bool replay = was_decided_by_machine(&player->game) && replays < REPLAYS_MAX;
        tell_faults(player, pair, number, engines, replay);
        if (!replay) break;
        player->replays++;
    }
    if (player->game.ending == ENDING_FAULT && fault_needs_restart(player->game.fault))
        player->seats[player->game.guilty == WHITE ? white_place : 1 - white_place].broken = true;
    pair->game[number] = summarise(&player->game);
    int points = player->game.result == RESULT_DRAW                            ? 1
                 : (player->game.result == RESULT_WHITE_WINS) == (number == 0) ? 2
                                                                               : 0;
    pair->outcome += points;
    return write_pgn(player, pair, number, engines, opening->number, start);
}

/* False when the match ends. */
static bool play_pair(Player *player, int index) {
    Match *match = player->match;
    PairResult pair = {.index = index};
    match_pairing(match->setup, index, &pair.first, &pair.second, &pair.round);
    char fen[FEN_CAPACITY];
    Opening opening = openings_get(match->setup->book, (uint64_t)pair.round, fen);
    buffer_clear(&player->pgn);
    for (int number = 0; number < 2; number++) {
        Status status = play_game(player, &pair, number, &opening);
        if (!status_is_ok(&status) && !atomic_load(&match->cancel)) match_fail(match, &status);
        if (!status_is_ok(&status) || player->game.ending == ENDING_CANCELLED) return false;
    }
    return match_finish_pair(match, &pair, buffer_view(&player->pgn));
}

static void hand_in_costs(Player *player) {
    MatchTotals *totals = player->match->totals;
    totals->plies += player->plies;
    totals->replays += player->replays;
    totals->engine_wall += player->wall;
    totals->engine_cpu += player->cpu;
    totals->engine_delay += player->delay;
}

void player_run(void *argument) {
    Player *player = argument;
    Match *match = player->match;
    int index;
    while ((index = match_take_pair(match)) >= 0)
        if (!play_pair(player, index)) break;
    leave_seat(&player->seats[0]);
    leave_seat(&player->seats[1]);
    match_game_release(&player->game);
    buffer_release(&player->pgn);
    mutex_lock(&match->lock);
    hand_in_costs(player);
    mutex_unlock(&match->lock);
    match_leave(match);
}
