#include "lab/tune/tuner.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/sync.h"
#include "lab/kit/console.h"
#include "lab/game/game.h"
#include "lab/client/uci_client.h"
#include "lab/kit/watch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    TICK = 1000,               /* milliseconds between two looks at the whole */
    SAVE_INTERVAL = 60 * 1000, /* milliseconds */
    START_ATTEMPTS = 3,
    START_PAUSE = 500,  /* milliseconds between them */
    DISCARDED_MAX = 10, /* pairs in a row: then something is wrong with more than the numbers */
    UPPER = 0,
    LOWER = 1,
    REFEREE = 2,
    SEATS = 3
};

typedef struct Tuner {
    const TunerSettings *settings;
    Watch watch;
    atomic_bool cancel; /* abandon the games under way */
    Mutex lock;         /* for all that follows */
    Tuning *tuning;
    TuneJournal *journal;
    Progress progress;
    int playing;          /* threads still at work */
    int discarded_in_row; /* pairs */
    Status status;        /* the first failure */
    bool stopped;
} Tuner;

/* One thread and its engines. */
typedef struct Player {
    Tuner *tuner;
    Thread thread;
    UciClient *client[SEATS];
    bool broken[SEATS]; /* must be started again before further use */
    MatchGame game;
    int value[2][SPSA_PARAMS_MAX];
    UciNumber number[SPSA_PARAMS_MAX];
} Player;

static const char *const SIDE_NAME[] = {"the upper player", "the lower player", "the referee"};

/* ---- what the threads share ---- */

static void notice(Tuner *tuner, const char *format, ...) {
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mutex_lock(&tuner->lock);
    progress_end(&tuner->progress);
    fprintf(stderr, "%s\n", text);
    mutex_unlock(&tuner->lock);
}

/* Ends the tuning; the first reason given is kept. */
static void fail(Tuner *tuner, const Status *status) {
    mutex_lock(&tuner->lock);
    if (status_is_ok(&tuner->status)) tuner->status = *status;
    mutex_unlock(&tuner->lock);
    atomic_store(&tuner->cancel, true);
}

/* The lock is held. */
static void show_progress(Tuner *tuner) {
    const Spsa *spsa = &tuner->tuning->spsa;
    char pace[48];
    int64_t now = clock_milliseconds() - tuner->progress.start,
            done = spsa->finished - tuner->progress.before;
    double rate = now > 0 ? 60000.0 * (double)done / (double)now : 0.0;
    Judge *judge = tuner->settings->judge;
    if (judge == NULL)
        text_format(pace, sizeof pace, "%.1f a minute", rate);
    else
        text_format(pace, sizeof pace, "%.0f a minute, %lld moves judged", rate,
                    (long long)judge_judgements(judge));
    progress_update(&tuner->progress, spsa->finished, pace);
}

/* Takes a pair and the values for it; -1 when there is none, or the tuning ends. */
static int64_t take_pair(Player *player) {
    Tuner *tuner = player->tuner;
    Spsa *spsa = &tuner->tuning->spsa;
    int64_t pair = -1;
    mutex_lock(&tuner->lock);
    if (!atomic_load(&tuner->cancel)) {
        int64_t begun = spsa->steps_begun;
        pair = spsa_take(spsa);
        if (spsa->steps_begun > begun) tune_journal_begin_step(tuner->journal, begun);
        if (pair >= 0) spsa_get_values(spsa, pair, player->value[UPPER], player->value[LOWER]);
    }
    mutex_unlock(&tuner->lock);
    return pair;
}

/* Saves a pair, then counts it; false when the tuning ends. */
static bool finish_pair(Tuner *tuner, int64_t pair, int outcome) {
    Status status = status_ok();
    mutex_lock(&tuner->lock);
    /* A pair that ends after the tuning was stopped is abandoned like those still being played. */
    if (!atomic_load(&tuner->cancel)) {
        status = tune_journal_add(tuner->journal, pair, outcome);
        if (status_is_ok(&status)) tuning_finish(tuner->tuning, pair, outcome);
        tuner->discarded_in_row = outcome == TUNING_DISCARDED ? tuner->discarded_in_row + 1 : 0;
        if (tuner->discarded_in_row == DISCARDED_MAX)
            status = status_error("%d %s in a row ended in faults: does the engine work at all? luft-lab "
                                  "match tells more",
                                  DISCARDED_MAX, tuner->tuning->unit);
        show_progress(tuner);
    }
    mutex_unlock(&tuner->lock);
    if (!status_is_ok(&status)) fail(tuner, &status);
    return !atomic_load(&tuner->cancel);
}

/* ---- a player ---- */

static Status start_engine(Player *player, int side) {
    const TunerSettings *settings = player->tuner->settings;
    UciClientOptions options = {
        .config = settings->engine, .error_log = settings->error_log, .cancel = &player->tuner->cancel};
    return player->client[side] == NULL ? uci_client_start(&options, &player->client[side])
                                        : uci_client_restart(player->client[side]);
}

/* An engine that was there when the tuning began may be slow to come back: a few attempts. */
static Status wake_engine(Player *player, int side) {
    if (player->client[side] != NULL && !player->broken[side]) return status_ok();
    Tuner *tuner = player->tuner;
    Status status = status_ok();
    for (int attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
        if (attempt > 1) clock_sleep_milliseconds(START_PAUSE);
        status = start_engine(player, side);
        if (status_is_ok(&status) || atomic_load(&tuner->cancel)) break;
        notice(tuner, "warning: start %d of %d failed: %s", attempt, START_ATTEMPTS, status.reason);
    }
    player->broken[side] = !status_is_ok(&status);
    return status;
}

/* Tells an engine its numbers; false when it fails at that. */
static bool set_numbers(Player *player, int64_t pair, int side) {
    const Spsa *spsa = &player->tuner->tuning->spsa; /* of it only what never changes */
    for (int i = 0; i < spsa->param_count; i++)
        player->number[i] = (UciNumber){spsa->param[i].name, player->value[side][i]};
    Status status = uci_client_set_numbers(player->client[side], player->number, spsa->param_count);
    if (status_is_ok(&status)) return true;
    player->broken[side] = true;
    if (!atomic_load(&player->tuner->cancel))
        notice(player->tuner, "pair %lld discarded: %s", (long long)pair + 1, status.reason);
    return false;
}

/* wins - losses of the upper player, who has White in game 0, as tuning_finish wants them. */
static int result_of_game(Player *player, int64_t pair, int number) {
    const MatchGame *game = &player->game;
    if (game->ending != ENDING_FAULT)
        return game->result == RESULT_DRAW                            ? 0
               : (game->result == RESULT_WHITE_WINS) == (number == 0) ? SPSA_WIN
                                                                      : -SPSA_WIN;
    int guilty = game->guilty == WHITE ? number : 1 - number;
    player->broken[guilty] = true;
    notice(player->tuner, "pair %lld discarded: %s by %s in game %d, move %d: %s", (long long)pair + 1,
           fault_name(game->fault), SIDE_NAME[guilty], number + 1, (game->move_count + 2) / 2, game->detail);
    return TUNING_DISCARDED;
}

/* Both games from one opening. The outcome is of the upper player; false when the tuning ends. */
static bool play_games(Player *player, int64_t pair, int *outcome) {
    const GameRules rules = game_rules_customary();
    Tuner *tuner = player->tuner;
    const TunerSettings *settings = tuner->settings;
    const PlayLimits *limits = &settings->engine->limits;
    char fen[FEN_CAPACITY];
    Opening opening = openings_get(settings->book, (uint64_t)pair, fen);
    *outcome = 0;
    for (int number = 0; number < 2; number++) {
        GameSetup setup = {.players = {player->client[number], player->client[1 - number]},
                           .limits = {*limits, *limits},
                           .opening = opening,
                           .rules = &rules,
                           .cancel = &tuner->cancel};
        Status status = game_play(&setup, &player->game);
        if (!status_is_ok(&status)) fail(tuner, &status);
        if (!status_is_ok(&status) || player->game.ending == ENDING_CANCELLED) return false;
        int points = result_of_game(player, pair, number);
        *outcome = points == TUNING_DISCARDED ? TUNING_DISCARDED : *outcome + points;
        if (points == TUNING_DISCARDED) return true;
    }
    return true;
}

/* Both players through one stretch, whose moves are judged. As play_games. */
static bool pass_stretch(Player *player, int64_t pair, int *outcome) {
    Tuner *tuner = player->tuner;
    Judge *judge = tuner->settings->judge;
    double worth[2];
    *outcome = TUNING_DISCARDED;
    for (int side = UPPER; side <= LOWER; side++) {
        JudgeSeats seats = {player->client[side], player->client[REFEREE],
                            tuner->settings->engine->limits.nodes};
        JudgePassage passage;
        Status status = judge_pass(judge, pair % judge_stretches(judge), &seats, &passage);
        if (!status_is_ok(&status)) fail(tuner, &status);
        if (!status_is_ok(&status) || passage.fault == FAULT_CANCELLED) return false;
        worth[side] = passage.worth;
        if (passage.fault == FAULT_NONE) continue;
        int guilty = passage.by_referee ? REFEREE : side;
        player->broken[guilty] = true;
        notice(tuner, "stretch %lld discarded: %s by %s: %s", (long long)pair + 1, fault_name(passage.fault),
               SIDE_NAME[guilty], passage.detail);
        return true;
    }
    /* A game won is a whole score, and counts twice in wins - losses. */
    *outcome = (int)lround(2 * SPSA_WIN * (worth[UPPER] - worth[LOWER]));
    return true;
}

/* False when the tuning ends. */
static bool play_pair(Player *player, int64_t pair) {
    Tuner *tuner = player->tuner;
    int outcome = TUNING_DISCARDED;
    bool ready = true, judged = tuner->settings->judge != NULL;
    for (int side = UPPER; side < (judged ? SEATS : REFEREE) && ready; side++) {
        Status status = wake_engine(player, side);
        if (!status_is_ok(&status) && !atomic_load(&tuner->cancel)) fail(tuner, &status);
        if (!status_is_ok(&status)) return false;
        ready = side == REFEREE || set_numbers(player, pair, side);
    }
    if (ready && !(judged ? pass_stretch : play_games)(player, pair, &outcome)) return false;
    return finish_pair(tuner, pair, outcome);
}

static void run_player(void *argument) {
    Player *player = argument;
    Tuner *tuner = player->tuner;
    int64_t pair;
    while ((pair = take_pair(player)) >= 0)
        if (!play_pair(player, pair)) break;
    for (int seat = 0; seat < SEATS; seat++) uci_client_stop(player->client[seat]);
    match_game_release(&player->game);
    mutex_lock(&tuner->lock);
    bool last = --tuner->playing == 0;
    mutex_unlock(&tuner->lock);
    if (last) watch_wake(&tuner->watch);
}

/* ---- the main thread ---- */

/* Saves when it is time to; the lock is held. */
static void save(Tuner *tuner, int64_t *saved, int64_t *saved_pairs) {
    const TunerSettings *settings = tuner->settings;
    const Spsa *spsa = &tuner->tuning->spsa;
    if (clock_milliseconds() - *saved < SAVE_INTERVAL || spsa->finished == *saved_pairs) return;
    Status status = settings->save(settings->context, tuner->tuning);
    *saved = clock_milliseconds();
    *saved_pairs = spsa->finished;
    if (status_is_ok(&status)) return;
    if (status_is_ok(&tuner->status)) tuner->status = status;
    atomic_store(&tuner->cancel, true);
}

/* Waits for the players' end; an interruption from outside ends the tuning in good order. */
static void wait_for_end(Tuner *tuner) {
    int64_t saved = clock_milliseconds(), saved_pairs = tuner->progress.before;
    for (;;) {
        bool asked_to_stop = watch_wait(&tuner->watch, TICK);
        mutex_lock(&tuner->lock);
        bool over = tuner->playing == 0;
        if (asked_to_stop) {
            tuner->stopped = true;
            atomic_store(&tuner->cancel, true);
        }
        if (!over) {
            show_progress(tuner);
            save(tuner, &saved, &saved_pairs);
        }
        mutex_unlock(&tuner->lock);
        if (over) return;
    }
}

static Status play_all(Tuner *tuner) {
    int count = tuner->settings->concurrency, started = 0;
    Player *players = memory_allocate((size_t)count * sizeof *players);
    if (players == NULL) return status_no_memory("%d pairs at once", count);
    tuner->playing = count;
    Status status = status_ok();
    for (; started < count; started++) {
        players[started].tuner = tuner;
        status = thread_start(&players[started].thread, run_player, &players[started]);
        if (!status_is_ok(&status)) break;
    }
    if (started < count) {
        fail(tuner, &status);
        mutex_lock(&tuner->lock);
        tuner->playing -= count - started;
        mutex_unlock(&tuner->lock);
    }
    wait_for_end(tuner);
    for (int i = 0; i < started; i++) thread_join(&players[i].thread);
    memory_release(players);
    return tuner->status;
}

Status tuner_run(const TunerSettings *settings, Tuning *tuning, TuneJournal *journal, bool *stopped) {
    const Spsa *spsa = &tuning->spsa;
    Tuner tuner = {.settings = settings,
                   .tuning = tuning,
                   .journal = journal,
                   .progress = progress_begin(settings->judge != NULL ? "stretches" : "pairs",
                                              spsa->settings.pairs, settings->quiet)};
    tuner.progress.before = spsa->finished;
    mutex_init(&tuner.lock);
    watch_begin(&tuner.watch);
    Status status = play_all(&tuner);
    watch_end(&tuner.watch);
    mutex_destroy(&tuner.lock);
    progress_end(&tuner.progress);
    *stopped = tuner.stopped;
    return status;
}
