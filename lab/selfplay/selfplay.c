#include "lab/selfplay/selfplay.h"

#include "base/memory.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/makemove.h"
#include "chess/movegen.h"
#include "lab/data/seeded.h"
#include "search/iterate.h"
#include "search/tt.h"
#include "tb/folder.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM_WIDTH = 32, RANDOM_SEED = 1 };

struct Player {
    Shared shared;
    Worker *worker;
    Evaluator *evaluator; /* for single positions, outside any search */
    TableUse tablebases;
};

static Network *open_random(TextView word, Status *status) {
    uint64_t width = RANDOM_WIDTH, seed = RANDOM_SEED;
    const char *rest = word.data + strlen("random");
    if (*rest == ':') {
        const char *colon = strchr(rest + 1, ':');
        TextView number = {rest + 1, colon != NULL ? (size_t)(colon - rest - 1) : strlen(rest + 1)};
        if (!text_parse_uint64(number, &width) || width < WIDTH_MIN || width > WIDTH_MAX ||
            (colon != NULL && !text_parse_uint64(text_view(colon + 1), &seed))) {
            *status = status_error("%s is not random:WIDTH:SEED", word.data);
            return NULL;
        }
    }
    return network_create_random(seed, (NetworkShape){.width = (int)width, .buckets = 1, .king_buckets = 1},
                                 status);
}

Network *selfplay_open_network(const char *word, Status *status) {
    if (word == NULL || !*word) return network_open_embedded(status);
    if (strcmp(word, "random") == 0 || strncmp(word, "random:", 7) == 0)
        return open_random(text_view(word), status);
    return network_load(word, status);
}

Player *player_create(const Network *network, size_t hash_megabytes, Status *status) {
    Player *player = memory_allocate(sizeof *player);
    *status = status_no_memory("a player");
    if (player == NULL) return NULL;
    player->worker = worker_create(&player->shared, network);
    player->evaluator = evaluator_create(network);
    if (player->worker != NULL && player->evaluator != NULL)
        *status = tt_resize(&player->shared.table, hash_megabytes);
    if (!status_is_ok(status)) {
        player_destroy(player);
        return NULL;
    }
    player_new_game(player);
    return player;
}

void player_destroy(Player *player) {
    if (player == NULL) return;
    worker_destroy(player->worker);
    evaluator_destroy(player->evaluator);
    tt_release(&player->shared.table);
    memory_release(player);
}

void player_use_tables(Player *player, const Syzygy *tables) {
    player->tablebases =
        (TableUse){.tables = tables, .pieces = TABLE_PIECES_MAX, .depth = 1, .fifty_move_rule = true};
}

void player_new_game(Player *player) {
    tt_clear(&player->shared.table, 0, 1);
    worker_clear(player->worker);
}

PlayerMove player_choose(Player *player, const Position *pos, MoveBudget budget) {
    SearchLimits limits = {
        .soft_nodes = budget.soft, .nodes = budget.hard, .multi_pv = 1, .tablebases = player->tablebases};
    const RootMove *best = iterate_once(player->worker, pos, &limits);
    const int score = iterate_score(best);
    return (PlayerMove){best->move, pos->side == WHITE ? score : -score, worker_nodes(player->worker)};
}

int players_play_game(const PairRules *rules, Player *const players[2], const Position *start, int white) {
    Position pos = *start;
    Adjudicator adjudicator = {0};
    GameResult result = UNDECIDED;
    player_new_game(players[0]);
    player_new_game(players[1]);
    for (int ply = start->game_ply; (result = game_end_result(game_end(&pos), &pos)) == UNDECIDED; ply++) {
        if (adjudicate_length(rules->adjudication, ply, &result) != GAME_GOES_ON) break;
        const int mover = pos.side == WHITE ? white : 1 - white;
        if (rules->turn != NULL) rules->turn(rules->context, mover);
        const PlayerMove choice = player_choose(players[mover], &pos, rules->budget);
        if (adjudicate(rules->adjudication, &adjudicator, &pos, choice.score, ply, &result) != GAME_GOES_ON)
            break;
        Undo undo;
        position_make_move(&pos, choice.move, &undo);
    }
    return game_half_points(result, white == 0 ? WHITE : BLACK);
}

Move player_step_inside(const Player *player, const Position *pos, Rng *rng) {
    Move legal[MAX_MOVES], visited[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    int visited_count = 0;
    for (int i = 0; i < count; i++) {
        Position child = *pos;
        Undo undo;
        TtSlot slot;
        position_make_move(&child, legal[i], &undo);
        if (tt_probe(&player->shared.table, tt_key(&child), 0, child.state.halfmove_clock, &slot).hit)
            visited[visited_count++] = legal[i];
    }
    return visited_count > 0 ? visited[rng_below(rng, (uint64_t)visited_count)] : MOVE_NONE;
}

static int static_evaluation(Player *player, const Position *pos) {
    evaluator_reset(player->evaluator, pos);
    return evaluator_value(player->evaluator, pos);
}

/* --- openings --- */

Move selfplay_random_move(const Position *pos, uint64_t key, int ply) {
    Move legal[MAX_MOVES];
    const int count = movegen_legal(pos, legal);
    seeded_sort_moves(legal, count);
    return seeded_move(key, ply, pos, legal, count);
}

static bool play_random_moves(int plies, uint64_t key, RecordedGame *game, Position *pos) {
    for (int i = 0; i < plies; i++) {
        if (!movegen_has_legal(pos)) return false;
        const Move move = selfplay_random_move(pos, key, i);
        Undo undo;
        (void)recorded_add(game, move, RECORD_NO_SCORE);
        position_make_move(pos, move, &undo);
    }
    return game_end(pos) == GAME_GOES_ON;
}

static bool is_playable(const OpeningSettings *settings, Player *player, const Position *pos, int limit) {
    /* Twice the limit at a glance spares most searches of hopeless positions. */
    if (!position_in_check(pos) && abs(static_evaluation(player, pos)) > 2 * limit) return false;
    PlayerMove choice =
        player_choose(player, pos, (MoveBudget){settings->check_nodes, settings->check_nodes});
    return abs(choice.score) <= limit;
}

static void start_game(const OpeningSettings *settings, uint64_t key, RecordedGame *game) {
    if (seeded_few_pieces_chance(key) < settings->endings) {
        char fen[FEN_CAPACITY];
        seeded_few_pieces(key, fen);
        (void)recorded_start_fen(game, text_view(fen));
    } else if (seeded_chess960_chance(key) < settings->chess960) {
        int white, black;
        seeded_chess960(key, &white, &black);
        recorded_start_chess960(game, white, black);
    } else {
        recorded_start_standard(game);
    }
}

uint64_t selfplay_opening(const OpeningSettings *settings, Player *player, uint64_t seed, uint64_t number,
                          RecordedGame *game, Position *pos) {
    for (uint32_t attempt = 1;; attempt++) {
        const uint64_t key = seeded_key(seed, number, attempt);
        start_game(settings, key, game);
        const bool few = game->start_white == RECORD_CUSTOM_START;
        const int limit = few ? settings->endings_score_limit : settings->score_limit;
        game->number = number;
        game->attempt = attempt;
        *pos = game->start;
        if (play_random_moves(few ? 0 : settings->plies + seeded_is_longer(key), key, game, pos) &&
            (!settings->check || is_playable(settings, player, pos, limit)))
            return key;
    }
}

/* --- endings --- */

#define FIELD_STRUCT OpeningSettings
const Field OPENING_FIELDS[] = {
    {FIELD_HEADING("How games begin:")},
    {FIELD_WHOLE("opening-plies", "N", plies, 0, 100, "8", "random plies; every other game has one more")},
    {FIELD_WHOLE("opening-score", "UNITS", score_limit, 1, 30000, "200", "keep openings within this score")},
    {FIELD_WHOLE("opening-nodes", "N", check_nodes, 1, 1e9, "1000",
                 "nodes of the search that checks an opening")},
    {FIELD_NO("no-opening-check", check, "keep any opening")},
    {FIELD_REAL("chess960", "X", chess960, 0, 1, "0", "share of games from Chess960 arrays"),
     .flags = FIELD_EACH},
    {FIELD_REAL("endings", "X", endings, 0, 1, "0",
                "share of games from random positions of six to ten pieces"),
     .flags = FIELD_EACH},
    {FIELD_WHOLE("endings-score", "UNITS", endings_score_limit, 1, 30000, "500",
                 "keep such positions within this score")},
    {0}};
#undef FIELD_STRUCT

#define FIELD_STRUCT Adjudication
const Field ADJUDICATION_FIELDS[] = {
    {FIELD_HEADING("How games end:")},
    {FIELD_WHOLE("win-score", "UNITS", win_score, 1, 32000, "600", "adjudicate a win at this score")},
    {FIELD_WHOLE("win-plies", "N", win_plies, 1, 400, "4", "for N plies")},
    {FIELD_WHOLE("few-pieces", "N", few_pieces, 0, 32, "12",
                 "with N pieces and pawns or fewer ask for more: many such wins are draws")},
    {FIELD_WHOLE("few-score", "UNITS", few_score, 1, 32000, "1500", "the score that it takes then")},
    {FIELD_WHOLE("draw-score", "UNITS", draw_score, 0, 32000, "8", "adjudicate a draw within this score")},
    {FIELD_WHOLE("draw-plies", "N", draw_plies, 1, 400, "8", "for N plies")},
    {FIELD_WHOLE("draw-from", "N", draw_from, 0, 1000, "67", "after ply N")},
    {FIELD_NO("no-adjudication", by_score, "end games only by the rules or by length")},
    {FIELD_WHOLE("plies-max", "N", plies_max, 1, RECORD_PLIES_MAX, "400", "then a game is a draw")},
    {0}};
#undef FIELD_STRUCT
