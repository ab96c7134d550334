#include "lab/tune/tuner.h"

#include "base/clock.h"
#include "base/progress.h"
#include "lab/client/seat.h"
#include "lab/kit/crew.h"
#include "lab/match/match_game.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    SAVE_INTERVAL = 60 * 1000, /* milliseconds */
    DISCARDED_MAX = 10,        /* pairs in a row: then something is wrong with more than the numbers */
    UPPER = 0,
    LOWER = 1,
    REFEREE = 2,
    SEATS = 3
};

typedef struct Tuner {
    const TunerSettings *settings;
    Crew crew; /* its lock is for all that follows */
    Tuning *tuning;
    TuneJournal *journal;
    Progress progress;
    int discarded_in_row;       /* pairs */
    int64_t saved, saved_pairs; /* when (milliseconds), and how many then were finished */
} Tuner;

/* What one thread works with: the two players of a pair, and who judges them. */
typedef struct Contest {
    Tuner *tuner;
    Seat seats[SEATS];
    MatchGame game;
    int value[2][SPSA_PARAMS_MAX];
    UciNumber number[SPSA_PARAMS_MAX];
} Contest;

static const char *const SIDE_NAME[] = {"the upper player", "the lower player", "the referee"};

/* --- what the threads share --- */

static void notice(Tuner *tuner, const char *format, ...) {
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mutex_lock(&tuner->crew.lock);
    progress_end(&tuner->progress);
    fprintf(stderr, "%s\n", text);
    mutex_unlock(&tuner->crew.lock);
}

/* The lock is held. */
static void show_progress(Tuner *tuner) {
    const Spsa *spsa = &tuner->tuning->spsa;
    char pace[48];
    const int64_t now = clock_milliseconds() - tuner->progress.start,
                  done = spsa->finished - tuner->progress.before;
    const double rate = now > 0 ? 60000.0 * (double)done / (double)now : 0.0;
    Judge *judge = tuner->settings->judge;
    if (judge == NULL)
        text_format(pace, sizeof pace, "%.1f a minute", rate);
    else
        text_format(pace, sizeof pace, "%.0f a minute, %lld moves judged", rate,
                    (long long)judge_judgements(judge));
    progress_update(&tuner->progress, spsa->finished, pace);
}

/* Takes a pair and the values for it; -1 when there is none, or the tuning ends. */
static int64_t take_pair(Contest *contest) {
    Tuner *tuner = contest->tuner;
    Spsa *spsa = &tuner->tuning->spsa;
    int64_t pair = -1;
    mutex_lock(&tuner->crew.lock);
    if (!crew_cancelled(&tuner->crew)) {
        const int64_t begun = spsa->steps_begun;
        pair = spsa_take(spsa);
        if (spsa->steps_begun > begun) tune_journal_begin_step(tuner->journal, begun);
        if (pair >= 0) spsa_get_values(spsa, pair, contest->value[UPPER], contest->value[LOWER]);
    }
    mutex_unlock(&tuner->crew.lock);
    return pair;
}

/* Saves a pair, then counts it; false when the tuning ends. */
static bool finish_pair(Tuner *tuner, int64_t pair, int outcome) {
    mutex_lock(&tuner->crew.lock);
    /* A pair that ends after the tuning was stopped is abandoned like those still being played. */
    if (!crew_cancelled(&tuner->crew)) {
        Status status = tune_journal_add(tuner->journal, pair, outcome);
        if (status_is_ok(&status)) tuning_finish(tuner->tuning, pair, outcome);
        tuner->discarded_in_row = outcome == TUNING_DISCARDED ? tuner->discarded_in_row + 1 : 0;
        if (tuner->discarded_in_row == DISCARDED_MAX)
            status = status_error("%d %s in a row ended in faults: does the engine work at all? luft-lab "
                                  "match tells more",
                                  DISCARDED_MAX, tuner->tuning->unit);
        show_progress(tuner);
        /* Before the lock is free: what could not be saved must stay the last line that was tried. */
        if (!status_is_ok(&status)) crew_fail(&tuner->crew, &status);
    }
    mutex_unlock(&tuner->crew.lock);
    return !crew_cancelled(&tuner->crew);
}

/* --- a thread --- */

static void tell_start(void *tuner, const char *text) { notice(tuner, "%s", text); }

static Status seat_engine(Contest *contest, int side) {
    Tuner *tuner = contest->tuner;
    UciClientOptions options = {.config = tuner->settings->engine,
                                .error_log = tuner->settings->error_log,
                                .cancel = &tuner->crew.cancel};
    return seat_take(&contest->seats[side], &options, &(SeatListener){tuner, tell_start});
}

/* Tells an engine its numbers; false when it fails at that. */
static bool set_numbers(Contest *contest, int64_t pair, int side) {
    const Spsa *spsa = &contest->tuner->tuning->spsa; /* of it only what never changes */
    for (int i = 0; i < spsa->param_count; i++)
        contest->number[i] = (UciNumber){spsa->param[i].name, contest->value[side][i]};
    Status status = uci_client_set_numbers(contest->seats[side].client, contest->number, spsa->param_count);
    if (status_is_ok(&status)) return true;
    contest->seats[side].broken = true;
    if (status.kind == STATUS_NO_MEMORY)
        crew_fail(&contest->tuner->crew, &status);
    else if (!crew_cancelled(&contest->tuner->crew))
        notice(contest->tuner, "pair %lld discarded: %s", (long long)pair + 1, status.reason);
    return false;
}

/* wins - losses of the upper player, who has White in game 0, as tuning_finish wants them. */
static int result_of_game(Contest *contest, int64_t pair, int number) {
    const MatchGame *game = &contest->game;
    if (game->played.end != ENGINE_FAULT)
        return game->played.result == DRAWN                           ? 0
               : (game->played.result == WHITE_WINS) == (number == 0) ? SPSA_WIN
                                                                      : -SPSA_WIN;
    const int guilty = game->guilty == WHITE ? number : 1 - number;
    contest->seats[guilty].broken = true;
    notice(contest->tuner, "pair %lld discarded: %s by %s in game %d, move %d: %s", (long long)pair + 1,
           fault_name(game->fault), SIDE_NAME[guilty], number + 1, (game->played.move_count + 2) / 2,
           game->detail);
    return TUNING_DISCARDED;
}

/* Both games from one opening. The outcome is of the upper player; false when the tuning ends. */
static bool play_games(Contest *contest, int64_t pair, int *outcome) {
    const GameRules rules = game_rules_customary();
    Tuner *tuner = contest->tuner;
    const TunerSettings *settings = tuner->settings;
    const PlayLimits *limits = &settings->engine->limits;
    char fen[FEN_CAPACITY];
    Opening opening = openings_get(settings->book, (uint64_t)pair, fen);
    *outcome = 0;
    for (int number = 0; number < 2; number++) {
        GameSetup setup = {.players = {contest->seats[number].client, contest->seats[1 - number].client},
                           .limits = {*limits, *limits},
                           .opening = opening,
                           .rules = &rules,
                           .cancel = &tuner->crew.cancel};
        Status status = match_game_play(&setup, &contest->game);
        if (!status_is_ok(&status)) crew_fail(&tuner->crew, &status);
        if (!status_is_ok(&status) || contest->game.played.end == CANCELLED) return false;
        const int points = result_of_game(contest, pair, number);
        *outcome = points == TUNING_DISCARDED ? TUNING_DISCARDED : *outcome + points;
        if (points == TUNING_DISCARDED) return true;
    }
    return true;
}

/* Both players through one stretch, whose moves are judged. As play_games. */
static bool pass_stretch(Contest *contest, int64_t pair, int *outcome) {
    Tuner *tuner = contest->tuner;
    Judge *judge = tuner->settings->judge;
    double worth[2];
    *outcome = TUNING_DISCARDED;
    for (int side = UPPER; side <= LOWER; side++) {
        JudgeEngines engines = {contest->seats[side].client, contest->seats[REFEREE].client,
                                tuner->settings->engine->limits.nodes};
        JudgePassage passage;
        Status status = judge_pass(judge, pair % judge_stretches(judge), &engines, &passage);
        if (!status_is_ok(&status)) crew_fail(&tuner->crew, &status);
        if (!status_is_ok(&status) || passage.fault == FAULT_CANCELLED) return false;
        worth[side] = passage.worth;
        if (passage.fault == FAULT_NONE) continue;
        const int guilty = passage.by_referee ? REFEREE : side;
        contest->seats[guilty].broken = true;
        notice(tuner, "stretch %lld discarded: %s by %s: %s", (long long)pair + 1, fault_name(passage.fault),
               SIDE_NAME[guilty], passage.detail);
        return true;
    }
    /* A game won is a whole score, and counts twice in wins - losses. */
    *outcome = (int)lround(2 * SPSA_WIN * (worth[UPPER] - worth[LOWER]));
    return true;
}

/* False when the tuning ends. */
static bool play_pair(Contest *contest, int64_t pair) {
    Tuner *tuner = contest->tuner;
    int outcome = TUNING_DISCARDED;
    bool ready = true, judged = tuner->settings->judge != NULL;
    for (int side = UPPER; side < (judged ? SEATS : REFEREE) && ready; side++) {
        Status status = seat_engine(contest, side);
        if (!status_is_ok(&status) && !crew_cancelled(&tuner->crew)) crew_fail(&tuner->crew, &status);
        if (!status_is_ok(&status)) return false;
        ready = side == REFEREE || set_numbers(contest, pair, side);
    }
    if (ready && !(judged ? pass_stretch : play_games)(contest, pair, &outcome)) return false;
    return finish_pair(tuner, pair, outcome);
}

static void run_contest(void *context, int number) {
    (void)number;
    Contest contest = {.tuner = context};
    int64_t pair;
    while ((pair = take_pair(&contest)) >= 0)
        if (!play_pair(&contest, pair)) break;
    for (int seat = 0; seat < SEATS; seat++) seat_leave(&contest.seats[seat]);
    match_game_release(&contest.game);
}

/* --- the main thread --- */

/* Saves when it is time to. */
static void save(Tuner *tuner) {
    const TunerSettings *settings = tuner->settings;
    const Spsa *spsa = &tuner->tuning->spsa;
    const int64_t now = clock_milliseconds();
    if (now - tuner->saved < SAVE_INTERVAL || spsa->finished == tuner->saved_pairs) return;
    Status status = settings->save(settings->context, tuner->tuning);
    tuner->saved = now;
    tuner->saved_pairs = spsa->finished;
    if (!status_is_ok(&status)) crew_fail(&tuner->crew, &status);
}

static void tick(void *context) {
    show_progress(context);
    save(context);
}

Status tuner_run(const TunerSettings *settings, Tuning *tuning, TuneJournal *journal, bool *stopped) {
    const Spsa *spsa = &tuning->spsa;
    Tuner tuner = {.settings = settings,
                   .tuning = tuning,
                   .journal = journal,
                   .progress = progress_begin(settings->judge != NULL ? "stretches" : "pairs",
                                              spsa->settings.pairs, settings->quiet)};
    tuner.progress.before = tuner.saved_pairs = spsa->finished;
    tuner.saved = tuner.progress.start;
    crew_begin(&tuner.crew);
    Status status = crew_run(&tuner.crew, settings->concurrency, run_contest, tick, &tuner);
    *stopped = tuner.crew.interrupted;
    crew_end(&tuner.crew);
    progress_end(&tuner.progress);
    return status;
}
