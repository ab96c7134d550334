#include "lab/selfplay/duel.h"

#include "base/memory.h"
#include "base/progress.h"
#include "lab/kit/crew.h"

#define FIELD_STRUCT DuelSettings
const Field DUEL_FIELDS[] = {
    {FIELD_WHOLE("pairs", "N", pairs, 1, 1e9, "250", "pairs of games, with colours reversed")},
    {FIELD_WHOLE("nodes", "N", budget.hard, 1, 1e9, "10k", "nodes of each move")},
    {FIELD_WHOLE("threads", "N", threads, 0, 256, "0", "threads; 0: one for each core")},
    {FIELD_WHOLE("hash", "MiB", hash, 1, 1024, "8", "MiB of each player's table")},
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, "1", "of the openings")},
    {FIELD_REAL("chess960", "X", opening.chess960, 0, 1, "0", "share of games from Chess960 arrays")},
    {FIELD_NO("no-adjudication", adjudication.by_score, "end games only by the rules or by length")},
    {FIELD_FLAG("quiet", quiet, "print no progress")},
    {0}};

DuelSettings duel_settings_default(void) {
    DuelSettings settings = {0};
    fields_reset(OPENING_FIELDS, &settings.opening);
    fields_reset(ADJUDICATION_FIELDS, &settings.adjudication);
    fields_reset(DUEL_FIELDS, &settings);
    settings.adjudication.win_score = 1500;
    settings.adjudication.win_plies = 6;
    return settings;
}

/* What one thread plays with. */
typedef struct Duellists {
    Player *player[2];
    RecordedGame *game;
} Duellists;

typedef struct Duel {
    const DuelSettings *settings;
    Crew crew; /* its lock is for the result */
    DuelResult *result;
    Duellists duellists[CREW_THREADS_MAX];
} Duel;

static Status play_pair(void *context, int number, int64_t index) {
    Duel *duel = context;
    Duellists *duellists = &duel->duellists[number];
    Position start;
    /* Nothing may be left of other openings: which thread plays which pair is chance. */
    player_new_game(duellists->player[0]);
    (void)selfplay_opening(&duel->settings->opening, duellists->player[0], duel->settings->seed,
                           (uint64_t)index, duellists->game, &start);
    const PairRules rules = {.budget = duel->settings->budget, .adjudication = &duel->settings->adjudication};
    const int with_white = players_play_game(&rules, duellists->player, &start, 0);
    const int with_black = players_play_game(&rules, duellists->player, &start, 1);
    mutex_lock(&duel->crew.lock);
    duel->result->pairs.count[with_white + with_black]++;
    stats_count_game(&duel->result->games, with_white);
    stats_count_game(&duel->result->games, with_black);
    mutex_unlock(&duel->crew.lock);
    return status_ok();
}

static Status create_duellists(Duel *duel, int threads, const Network *first, const Network *second) {
    Status status = status_ok();
    for (int i = 0; i < threads && status_is_ok(&status); i++) {
        Duellists *duellists = &duel->duellists[i];
        duellists->player[0] = player_create(first, (size_t)duel->settings->hash, &status);
        if (status_is_ok(&status))
            duellists->player[1] = player_create(second, (size_t)duel->settings->hash, &status);
        duellists->game = memory_allocate(sizeof *duellists->game);
        if (duellists->game == NULL && status_is_ok(&status)) status = status_no_memory("a game");
    }
    return status;
}

Status duel_play(const DuelSettings *settings, const Network *first, const Network *second,
                 DuelResult *result) {
    *result = (DuelResult){0};
    const int threads = crew_threads(settings->threads);
    Duel *duel = memory_allocate(sizeof *duel);
    if (duel == NULL) return status_no_memory("the duel");
    duel->settings = settings;
    duel->result = result;
    Status status = create_duellists(duel, threads, first, second);
    if (status_is_ok(&status)) {
        if (!settings->quiet) crew_warn_if_loaded(settings->threads, "duel");
        ProgressBar progress = progress_begin("pairs", settings->pairs, settings->quiet);
        crew_begin(&duel->crew);
        status = crew_run_tasks(&duel->crew, threads, settings->pairs, play_pair, duel, &progress);
        crew_end(&duel->crew);
        progress_end(&progress);
    }
    for (int i = 0; i < threads; i++) {
        player_destroy(duel->duellists[i].player[0]);
        player_destroy(duel->duellists[i].player[1]);
        memory_release(duel->duellists[i].game);
    }
    memory_release(duel);
    return status;
}
