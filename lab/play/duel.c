#include "lab/play/duel.h"

#include "base/memory.h"
#include "base/sync.h"
#include "chess/makemove.h"
#include "lab/kit/interrupt.h"
#include "lab/kit/machine.h"
#include "lab/kit/parallel.h"

DuelSettings duel_settings_default(void) {
    Adjudication adjudication = adjudication_default();
    adjudication.win_score = 1500;
    adjudication.win_plies = 6;
    return (DuelSettings){.pairs = 250,
                          .hash = 8,
                          .seed = 1,
                          .budget = {.hard = 10000},
                          .opening = {.plies = 8, .check = true, .score_limit = 200, .check_nodes = 1000},
                          .adjudication = adjudication};
}

/* What one thread plays with. */
typedef struct Table {
    Player *player[2];
    RecordedGame *game;
} Table;

typedef struct Duel {
    const DuelSettings *settings;
    DuelResult *result;
    Mutex lock; /* of the result */
    Table tables[PARALLEL_WORKERS_MAX];
} Duel;

/* One game from `start`; `white` is the player with White. Returns half points for player 0. */
static int play_game(const DuelSettings *settings, Table *table, const Position *start, int white) {
    Position pos = *start;
    Agreement agreement = {0};
    RecordResult result = RECORD_DRAWN;
    player_new_game(table->player[0]);
    player_new_game(table->player[1]);
    for (int ply = start->game_ply; !selfplay_is_over(&pos, &result); ply++) {
        if (ply >= settings->adjudication.plies_max) {
            result = RECORD_DRAWN;
            break;
        }
        int mover = pos.side == WHITE ? white : 1 - white;
        Choice choice = player_choose(table->player[mover], &pos, settings->budget);
        int white_score = pos.side == WHITE ? choice.score : -choice.score;
        if (adjudicate(&settings->adjudication, &agreement, &pos, white_score, ply, &result)) break;
        Undo undo;
        position_make_move(&pos, choice.move, &undo);
    }
    return white == 0 ? (int)result : 2 - (int)result;
}

static void count_game(GameCounts *games, int half_points) {
    if (half_points == 2)
        games->wins++;
    else if (half_points == 1)
        games->draws++;
    else
        games->losses++;
}

static Status play_pair(void *context, int worker, int64_t index) {
    Duel *duel = context;
    Table *table = &duel->tables[worker];
    if (interrupt_requested()) return status_ok();
    Rng rng = rng_stream(duel->settings->seed, (uint64_t)index);
    Position start;
    /* Nothing may be left of other openings: which thread plays which pair is chance. */
    player_new_game(table->player[0]);
    selfplay_opening(&duel->settings->opening, table->player[0], &rng, table->game, &start);
    int with_white = play_game(duel->settings, table, &start, 0);
    int with_black = play_game(duel->settings, table, &start, 1);
    mutex_lock(&duel->lock);
    duel->result->pairs.count[with_white + with_black]++;
    count_game(&duel->result->games, with_white);
    count_game(&duel->result->games, with_black);
    duel->result->played++;
    mutex_unlock(&duel->lock);
    return status_ok();
}

static Status create_tables(Duel *duel, int threads, const Network *first, const Network *second) {
    Status status = status_ok();
    for (int i = 0; i < threads && status_is_ok(&status); i++) {
        Table *table = &duel->tables[i];
        table->player[0] = player_create(first, (size_t)duel->settings->hash, &status);
        if (status_is_ok(&status))
            table->player[1] = player_create(second, (size_t)duel->settings->hash, &status);
        table->game = memory_allocate(sizeof *table->game);
        if (!table->game && status_is_ok(&status)) status = status_no_memory("a game");
    }
    return status;
}

Status duel_play(const DuelSettings *settings, const Network *first, const Network *second,
                 DuelResult *result) {
    *result = (DuelResult){0};
    int processors[MACHINE_PROCESSORS_MAX];
    int threads = settings->threads > 0 ? (int)settings->threads
                                        : machine_processors(processors, MACHINE_PROCESSORS_MAX);
    if (threads > PARALLEL_WORKERS_MAX) threads = PARALLEL_WORKERS_MAX;
    Duel *duel = memory_allocate(sizeof *duel);
    if (!duel) return status_no_memory("the duel");
    duel->settings = settings;
    duel->result = result;
    mutex_init(&duel->lock);
    Status status = create_tables(duel, threads, first, second);
    if (status_is_ok(&status)) {
        Progress progress = progress_begin("pairs", settings->pairs, settings->quiet);
        status = parallel_run(threads, settings->pairs, play_pair, duel, &progress, 0);
        progress_end(&progress);
    }
    for (int i = 0; i < threads; i++) {
        player_destroy(duel->tables[i].player[0]);
        player_destroy(duel->tables[i].player[1]);
        memory_release(duel->tables[i].game);
    }
    mutex_destroy(&duel->lock);
    memory_release(duel);
    return status;
}
