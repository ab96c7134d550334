#include "lab/match/pairs.h"

#include "lab/match/match_game.h"
#include "lab/match/match_state.h"

enum {
    REPLAYS_MAX = 2 /* of a game that the machine decided; then the machine is no place for such games */
};

/* The two engines that sit opposite each other on one thread, and what they leave behind. */
typedef struct Opponents {
    Match *match;
    int number;      /* of the thread, from 1 */
    const int *cpus; /* its processors when pinned */
    Seat seats[2];   /* for the first and the second engine of the pair */
    MatchGame game;
    TextBuffer pgn; /* the pair's games */
    int64_t plies, replays, wall, cpu, delay;
} Opponents;

static void tell_start(void *match, const char *text) { match_notice(match, "%s", text); }

/* Puts the engine on the seat, running and fit for a game. */
static Status seat_engine(Opponents *opponents, int place, int engine) {
    Match *match = opponents->match;
    char log[MATCH_LOG_PATH_CAPACITY];
    UciClientOptions options = match_client_options(match, engine, opponents->number, opponents->cpus, log);
    return seat_take(&opponents->seats[place], &options, &(SeatListener){match, tell_start});
}

static void add_costs(Opponents *opponents) {
    const MatchGame *game = &opponents->game;
    opponents->plies += game->searches;
    opponents->wall += game->search_wall;
    opponents->cpu += game->search_cpu;
    opponents->delay += game->search_delay;
}

static GameSummary summarise(const MatchGame *game) {
    GameSummary summary = {.result = game->played.result,
                           .end = game->played.end,
                           .fault = game->fault,
                           .guilty = game->guilty,
                           .plies = game->played.move_count};
    for (int color = WHITE; color <= BLACK; color++)
        for (int fault = 0; fault < FAULT_COUNT; fault++)
            summary.warnings[color][fault] = game->warnings[color][fault];
    return summary;
}

/* Such a game says nothing of the engines. */
static bool was_decided_by_machine(const MatchGame *game) {
    return game->played.end == ENGINE_FAULT && game->fault == FAULT_TIME_MACHINE;
}

/* Names what went wrong in the game just played. */
static void tell_faults(const Opponents *opponents, const PairResult *pair, int number,
                        const int engines[COLOR_COUNT], bool replay) {
    const MatchGame *game = &opponents->game;
    const MatchSetup *setup = opponents->match->setup;
    const char *white = setup->engines[engines[WHITE]].name, *black = setup->engines[engines[BLACK]].name;
    const int label = 2 * pair->index + number + 1;
    if (game->played.end == ENGINE_FAULT)
        match_notice(opponents->match, "game %d, %s - %s: %s: %s by %s, move %d: %s%s", label, white, black,
                     game_result_text(game->played.result), fault_name(game->fault),
                     setup->engines[engines[game->guilty]].name, (game->played.move_count + 2) / 2,
                     game->detail, replay ? "; the game is played again" : "");
    if (game->warning_detail[0] != '\0')
        match_notice(opponents->match, "game %d, %s - %s: warning: %s", label, white, black,
                     game->warning_detail);
}

static Status write_pgn(Opponents *opponents, const PairResult *pair, int number,
                        const int engines[COLOR_COUNT], int opening, time_t start) {
    const MatchSetup *setup = opponents->match->setup;
    if (setup->pgn_path == NULL) return status_ok();
    PgnHeader header = {.event = setup->event == NULL ? "luft-lab match" : setup->event,
                        .site = setup->site == NULL ? "?" : setup->site,
                        .round = pair->round + 1,
                        .game = number + 1,
                        .opening = opening,
                        .start = start,
                        .has_date = !setup->reproducible};
    for (int color = WHITE; color <= BLACK; color++) {
        header.players[color] = setup->engines[engines[color]].name;
        header.limits[color] = setup->engines[engines[color]].limits;
    }
    return match_game_write_pgn(&opponents->game, &header, &opponents->pgn);
}

/* One of the two games of a pair: the first engine has White in game 0. */
static Status play_game(Opponents *opponents, PairResult *pair, int number, const Opening *opening) {
    Match *match = opponents->match;
    const int white_place = number == 0 ? 0 : 1;
    int engines[COLOR_COUNT] = {number == 0 ? pair->first : pair->second,
                                number == 0 ? pair->second : pair->first};
    Status status = seat_engine(opponents, 0, pair->first);
    if (status_is_ok(&status)) status = seat_engine(opponents, 1, pair->second);
    if (!status_is_ok(&status)) return status;
    GameSetup game = {
        .players = {opponents->seats[white_place].client, opponents->seats[1 - white_place].client},
        .limits = {match->setup->engines[engines[WHITE]].limits,
                   match->setup->engines[engines[BLACK]].limits},
        .opening = *opening,
        .chess960 = match->setup->chess960,
        .reproducible = match->setup->reproducible,
        .rules = &match->setup->rules,
        .cancel = &match->crew.cancel};
    time_t start;
    for (int replays = 0;; replays++) {
        start = time(NULL);
        status = match_game_play(&game, &opponents->game);
        if (!status_is_ok(&status) || opponents->game.played.end == CANCELLED) return status;
        add_costs(opponents);
        const bool replay = was_decided_by_machine(&opponents->game) && replays < REPLAYS_MAX;
        tell_faults(opponents, pair, number, engines, replay);
        if (!replay) break;
        opponents->replays++;
    }
    if (opponents->game.played.end == ENGINE_FAULT && fault_needs_restart(opponents->game.fault))
        opponents->seats[opponents->game.guilty == WHITE ? white_place : 1 - white_place].broken = true;
    pair->game[number] = summarise(&opponents->game);
    pair->outcome += game_half_points(opponents->game.played.result, number == 0 ? WHITE : BLACK);
    return write_pgn(opponents, pair, number, engines, opening->number, start);
}

/* False when the match ends. */
static bool play_pair(Opponents *opponents, int index) {
    Match *match = opponents->match;
    PairResult pair = {.index = index};
    match_pairing(match->setup, index, &pair.first, &pair.second, &pair.round);
    char fen[FEN_CAPACITY];
    Opening opening = openings_get(match->setup->book, (uint64_t)pair.round, fen);
    buffer_clear(&opponents->pgn);
    for (int number = 0; number < 2; number++) {
        Status status = play_game(opponents, &pair, number, &opening);
        if (!status_is_ok(&status) && !crew_cancelled(&match->crew)) crew_fail(&match->crew, &status);
        if (!status_is_ok(&status) || opponents->game.played.end == CANCELLED) return false;
    }
    return match_finish_pair(match, &pair, buffer_view(&opponents->pgn));
}

static void hand_in_costs(Opponents *opponents) {
    MatchTotals *totals = opponents->match->totals;
    totals->plies += opponents->plies;
    totals->replays += opponents->replays;
    totals->engine_wall += opponents->wall;
    totals->engine_cpu += opponents->cpu;
    totals->engine_delay += opponents->delay;
}

void pairs_play(void *context, int number) {
    Match *match = context;
    Opponents opponents = {.match = match,
                           .number = number + 1,
                           .cpus = match->setup->pin ? match->cpus + number * match->cpus_per_game : NULL};
    int index;
    while ((index = match_take_pair(match)) >= 0)
        if (!play_pair(&opponents, index)) break;
    seat_leave(&opponents.seats[0]);
    seat_leave(&opponents.seats[1]);
    match_game_release(&opponents.game);
    buffer_release(&opponents.pgn);
    mutex_lock(&match->crew.lock);
    hand_in_costs(&opponents);
    mutex_unlock(&match->crew.lock);
}
