#include "lab/tune/tuner.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/progress.h"
#include "lab/client/seat.h"
#include "lab/kit/crew.h"
#include "lab/kit/ownership.h"
#include "lab/match/match_game.h"
#include "lab/tune/experiment.h"
#include "lab/tune/judge.h"
#include "search/params.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    EngineList list; /* the engine alone */
    char engine_name[ENGINE_NAME_CAPACITY];
    OpeningBook *book;
    TextBuffer referee; /* what it is known by */
    Judge *judge;       /* NULL: games */
    ExperimentPath journal_path, judgements_path, log_path;
    Crew crew; /* its lock is for the rest */
    Tuning tuning;
    ProgressBar progress;
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
    text_format_arguments(text, sizeof text, format, arguments);
    va_end(arguments);
    mutex_lock(&tuner->crew.lock);
    progress_end(&tuner->progress);
    text_printf(stderr, "%s\n", text);
    mutex_unlock(&tuner->crew.lock);
}

/* The lock is held. */
static void show_progress(Tuner *tuner) {
    const Spsa *spsa = &tuner->tuning.spsa;
    char pace[48];
    const int64_t now = clock_milliseconds() - tuner->progress.start,
                  done = spsa->finished - tuner->progress.before;
    const double rate = now > 0 ? 60000.0 * (double)done / (double)now : 0.0;
    Judge *judge = tuner->judge;
    if (judge == NULL)
        text_format(pace, sizeof pace, "%.1f a minute", rate);
    else
        text_format(pace, sizeof pace, "%.0f a minute, %" PRId64 " moves judged", rate,
                    judge_judgements(judge));
    progress_update(&tuner->progress, spsa->finished, pace);
}

/* Takes a pair and the values for it; -1 when there is none, or the tuning ends. */
static int64_t take_pair(Contest *contest) {
    Tuner *tuner = contest->tuner;
    int64_t pair = -1;
    mutex_lock(&tuner->crew.lock);
    if (!crew_cancelled(&tuner->crew))
        pair = tuning_take(&tuner->tuning, contest->value[UPPER], contest->value[LOWER]);
    mutex_unlock(&tuner->crew.lock);
    return pair;
}

/* Saves a pair, then counts it; false when the tuning ends. */
static bool finish_pair(Tuner *tuner, int64_t pair, int outcome) {
    mutex_lock(&tuner->crew.lock);
    /* A pair that ends after the tuning was stopped is abandoned like those still being played. */
    if (!crew_cancelled(&tuner->crew)) {
        Status status = tuning_finish(&tuner->tuning, pair, outcome);
        tuner->discarded_in_row = outcome == TUNING_DISCARDED ? tuner->discarded_in_row + 1 : 0;
        if (tuner->discarded_in_row == DISCARDED_MAX)
            status = status_error(
                "%d %s in a row ended in faults: does the engine work at all? luft-lab match reports more",
                DISCARDED_MAX, tuner->tuning.unit);
        show_progress(tuner);
        /* Before the lock is free: what could not be saved must stay the last line that was tried. */
        if (!status_is_ok(&status)) crew_fail(&tuner->crew, &status);
    }
    mutex_unlock(&tuner->crew.lock);
    return !crew_cancelled(&tuner->crew);
}

/* --- a thread --- */

static void report_start(void *tuner, const char *text) { notice(tuner, "%s", text); }

static Status seat_engine(Contest *contest, int side) {
    Tuner *tuner = contest->tuner;
    UciClientOptions options = {
        .config = tuner->list.engines, .error_log = tuner->log_path.text, .cancel = &tuner->crew.cancel};
    return seat_take(&contest->seats[side], &options, &(SeatListener){tuner, report_start});
}

/* Sends an engine its numbers; false when this fails. */
static bool set_numbers(Contest *contest, int64_t pair, int side) {
    const Spsa *spsa = &contest->tuner->tuning.spsa; /* of it only what never changes */
    for (int i = 0; i < spsa->param_count; i++)
        contest->number[i] = (UciNumber){spsa->param[i].name, contest->value[side][i]};
    Status status = uci_client_set_numbers(contest->seats[side].client, contest->number, spsa->param_count);
    if (status_is_ok(&status)) return true;
    contest->seats[side].broken = true;
    if (status.kind == STATUS_NO_MEMORY)
        crew_fail(&contest->tuner->crew, &status);
    else if (!crew_cancelled(&contest->tuner->crew))
        notice(contest->tuner, "pair %" PRId64 " discarded: %s", pair + 1, status.reason);
    return false;
}

/* wins - losses of the upper player, who has White in game 0, as tuning_finish wants them. */
static int result_of_game(Contest *contest, int64_t pair, int number) {
    const MatchGame *game = &contest->game;
    if (game->played.end != ENGINE_FAULT)
        return (game_half_points(game->played.result, number == 0 ? WHITE : BLACK) - 1) * SPSA_WIN;
    const int at_fault = game->at_fault == WHITE ? number : 1 - number;
    contest->seats[at_fault].broken = true;
    notice(contest->tuner, "pair %" PRId64 " discarded: %s by %s in game %d, move %d: %s", pair + 1,
           fault_name(game->fault), SIDE_NAME[at_fault], number + 1, (game->played.move_count + 2) / 2,
           game->detail);
    return TUNING_DISCARDED;
}

/* Both games from one opening. The outcome is of the upper player; false when the tuning ends. */
static bool play_games(Contest *contest, int64_t pair, int *outcome) {
    const GameRules rules = game_rules_customary();
    Tuner *tuner = contest->tuner;
    const PlayLimits *limits = &tuner->list.engines[0].limits;
    char fen[FEN_CAPACITY];
    Opening opening = openings_get(tuner->book, (uint64_t)pair, fen);
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
    Judge *judge = tuner->judge;
    double worth[2];
    *outcome = TUNING_DISCARDED;
    for (int side = UPPER; side <= LOWER; side++) {
        JudgeEngines engines = {contest->seats[side].client, contest->seats[REFEREE].client,
                                tuner->list.engines[0].limits.nodes};
        JudgePassage passage;
        Status status = judge_pass(judge, pair % judge_stretches(judge), &engines, &passage);
        if (!status_is_ok(&status)) crew_fail(&tuner->crew, &status);
        if (!status_is_ok(&status) || passage.fault == FAULT_CANCELLED) return false;
        worth[side] = passage.worth;
        if (passage.fault == FAULT_NONE) continue;
        const int at_fault = passage.by_referee ? REFEREE : side;
        contest->seats[at_fault].broken = true;
        notice(tuner, "stretch %" PRId64 " discarded: %s by %s: %s", pair + 1, fault_name(passage.fault),
               SIDE_NAME[at_fault], passage.detail);
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
    bool ready = true, judged = tuner->judge != NULL;
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

/* --- results --- */

static Status write_results(const Tuner *tuner) {
    static const struct {
        const char *name;
        void (*write)(const Tuning *tuning, TextBuffer *out);
    } FILES[] = {{"tune.md", tuning_write_markdown},
                 {"tune.csv", tuning_write_csv},
                 {"tune.params", tuning_write_params}};
    Status status = status_ok();
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0] && status_is_ok(&status); i++) {
        TextBuffer text = {0};
        FILES[i].write(&tuner->tuning, &text);
        status = experiment_write(tuner->settings->folder, FILES[i].name, &text);
    }
    return status;
}

static Status draw(const Tuner *tuner) {
    TextBuffer plot = {0};
    tuning_write_plot(&tuner->tuning, &plot);
    const Status status =
        experiment_draw(tuner->settings->folder, "tune", tuner->settings->plot, 1100, 860, &plot);
    buffer_release(&plot);
    return status;
}

/* On the main thread, under the lock: shows the progress and saves when it is time. */
static void tick(void *context) {
    Tuner *tuner = context;
    const int64_t now = clock_milliseconds(), finished = tuner->tuning.spsa.finished;
    show_progress(tuner);
    if (now - tuner->saved < SAVE_INTERVAL || finished == tuner->saved_pairs) return;
    const Status status = write_results(tuner);
    tuner->saved = now;
    tuner->saved_pairs = finished;
    if (!status_is_ok(&status)) crew_fail(&tuner->crew, &status);
}

/* --- the numbers of an engine that can be tuned --- */

typedef struct TuneNumbers {
    SpsaParam param[SPSA_PARAMS_MAX];
    int count;
} TuneNumbers;

static const ParamRow *find_row(const char *name) {
    int count;
    const ParamRow *rows = params_rows(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

/* Without a clock there is no time to manage. */
static bool is_idle(const EngineConfig *config, const char *name) {
    return config->limits.nodes > 0 && strncmp(name, "time_", 5) == 0;
}

static void add(TuneNumbers *numbers, const char *name, UciSpin spin) {
    const ParamRow *row = find_row(name);
    SpsaParam *param = &numbers->param[numbers->count++];
    *param = (SpsaParam){.start = spin.initial, .low = spin.low, .high = spin.high};
    text_copy(text_view(name), param->name, sizeof param->name);
    param->step = row != NULL ? row->step : ((double)spin.high - spin.low) / 20;
}

/* What params.def does not have is misspelt; what it has, the program lacks. */
static Status refuse_number(const EngineConfig *config, const char *name) {
    int count;
    const ParamRow *rows = params_rows(&count);
    Nearest nearest = nearest_to(text_view(name));
    for (int i = 0; i < count; i++) nearest_consider(&nearest, rows[i].name);
    if (find_row(name) == NULL && nearest.name != NULL)
        return status_error("%.80s has no number '%.40s'; did you mean '%s'?", config->command, name,
                            nearest.name);
    return status_error("%.80s has no number '%.40s': make LAB=1 EXE=build/lab/luft builds one that "
                        "has those of src/search/params.def",
                        config->command, name);
}

/* Narrows the range of a number to "LOW,HIGH". */
static Status take_range(const char *name, TextView range, UciSpin *spin) {
    TextView low_text;
    int64_t low, high;
    if (!text_split(&range, ',', &low_text) || !text_parse_int64(low_text, &low) ||
        !text_parse_int64(range, &high))
        return status_error("'%.40s=...' needs LOW,HIGH: two whole numbers", name);
    if (low >= high)
        return status_error("%.40s=%lld,%lld: the first number must be below the second", name,
                            (long long)low, (long long)high);
    if (low < spin->low || high > spin->high)
        return status_error("%.40s=%lld,%lld: the engine takes %d to %d", name, (long long)low,
                            (long long)high, (int)spin->low, (int)spin->high);
    if (spin->initial < low || spin->initial > high)
        return status_error("%.40s=%lld,%lld leaves out %d, with which the engine begins", name,
                            (long long)low, (long long)high, (int)spin->initial);
    spin->low = (int)low;
    spin->high = (int)high;
    return status_ok();
}

/* "NAME", or "NAME=LOW,HIGH" with a range of its own. */
static Status add_named(const UciClient *client, const EngineConfig *config, const char *word,
                        TuneNumbers *numbers) {
    UciSpin spin;
    char name[SPSA_NAME_CAPACITY];
    TextView range = text_view(word), first;
    const bool has_range = strchr(word, '=') != NULL && text_split(&range, '=', &first);
    const size_t length = text_copy(has_range ? first : text_view(word), name, sizeof name);
    if (length >= SPSA_NAME_CAPACITY || !uci_option_spin(uci_client_options(client), name, &spin))
        return refuse_number(config, name);
    for (int i = 0; i < numbers->count; i++)
        if (strcmp(numbers->param[i].name, name) == 0) return status_error("'%s' is named twice", name);
    if (engine_config_option(config, name) != NULL)
        return status_error("'%s' is set by an option: it cannot be tuned as well", name);
    if (is_idle(config, name))
        return status_error("'%s' does nothing in fixed nodes: play on the clock, --tc 5+0.05", name);
    if (has_range) {
        const Status status = take_range(name, range, &spin);
        if (!status_is_ok(&status)) return status;
    }
    add(numbers, name, spin);
    return status_ok();
}

static Status add_all(const UciClient *client, const EngineConfig *config, TuneNumbers *numbers) {
    int count;
    const ParamRow *rows = params_rows(&count);
    for (int i = 0; i < count && numbers->count < SPSA_PARAMS_MAX; i++) {
        UciSpin spin;
        bool fixed = is_idle(config, rows[i].name) || engine_config_option(config, rows[i].name) != NULL;
        if (!fixed && uci_option_spin(uci_client_options(client), rows[i].name, &spin))
            add(numbers, rows[i].name, spin);
    }
    if (numbers->count > 0) return status_ok();
    return status_error("%s has none of the numbers of params.def: make LAB=1 EXE=build/lab/luft builds one "
                        "that has",
                        config->command);
}

/* The named numbers; without names, all of params.def that the engine has, that `config` does not set and
 * that do something under its limits. */
static Status find_numbers(const UciClient *client, const EngineConfig *config, const WordList *names,
                           TuneNumbers *numbers) {
    if (names->count == 0) return add_all(client, config, numbers);
    Status status = status_ok();
    for (int i = 0; i < names->count && status_is_ok(&status); i++)
        status = add_named(client, config, names->word[i], numbers);
    return status;
}

/* --- the whole tuning --- */

static Status configure_engine(Tuner *tuner) {
    const TunerSettings *settings = tuner->settings;
    PlayLimits limits = {.nodes = settings->nodes};
    Status status = play_limits_read_tc(&limits, settings->tc);
    if (!status_is_ok(&status)) return status;
    EngineConfig *config =
        engine_list_add_program(&tuner->list, settings->engine, &limits, settings->hash, &status);
    for (int i = 0; i < settings->options.count && status_is_ok(&status); i++) {
        status = engine_config_read_option(config, settings->options.word[i]);
        if (!status_is_ok(&status))
            status = status_error("--option '%s': %s", settings->options.word[i], status.reason);
    }
    return status_is_ok(&status) ? engine_list_finish(&tuner->list) : status;
}

/* Starts the engine once, so that bad engines, options and names are reported before a game is played. */
static Status ask_engine(Tuner *tuner, TuneNumbers *numbers) {
    const TunerSettings *settings = tuner->settings;
    const EngineConfig *config = tuner->list.engines;
    UciClient *client = NULL;
    Status status = uci_client_start(&(UciClientOptions){.config = config}, &client);
    if (!status_is_ok(&status)) return status;
    text_copy(text_view(uci_client_engine_name(client)), tuner->engine_name, sizeof tuner->engine_name);
    status = find_numbers(client, config, &settings->names, numbers);
    if (status_is_ok(&status) && settings->moves != NULL)
        status = judge_identify_referee(client, settings->judge_nodes, &tuner->referee);
    uci_client_stop(client);
    return status;
}

/* How the games are played: in lines for the journal, in one line for the table. */
static void describe_games(Tuner *tuner, TextBuffer *lines) {
    const TunerSettings *settings = tuner->settings;
    const EngineConfig *config = tuner->list.engines;
    TextBuffer options = {0};
    char limits[80], source[128];
    play_limits_describe(&config->limits, limits, sizeof limits);
    buffer_append_format(lines, "engine: %s\nname: %s\nlimit: %s\n", config->command, tuner->engine_name,
                         limits);
    identity_append_program(config, lines);
    identity_append_networks(config, lines);
    for (int i = 0; i < config->option_count; i++) {
        const EngineOption *option = &config->options[i];
        buffer_append_format(lines, "option: %s=%s\n", option->name, option->value);
        buffer_append_format(&options, ", %s=%s", option->name, option->value);
    }
    if (tuner->judge == NULL) {
        buffer_append_format(lines, "openings: %s\n", settings->book);
        identity_append_file("", settings->book, lines);
        text_format(source, sizeof source, "openings from %.80s", settings->book);
    } else {
        judge_describe(tuner->judge, lines);
        text_format(source, sizeof source,
                    "%" PRId64 " stretches of %.60s, moves judged with %" PRIu64 " nodes",
                    judge_stretches(tuner->judge), settings->moves, settings->judge_nodes);
    }
    text_format(tuner->tuning.conditions, sizeof tuner->tuning.conditions, "%s%.90s, %s.", limits,
                buffer_string(&options), source);
    lines->failed |= options.failed;
    buffer_release(&options);
}

static Status open_judge(Tuner *tuner) {
    const TunerSettings *settings = tuner->settings;
    const JudgeSettings judge = {.games = settings->moves,
                                 .journal = tuner->judgements_path.text,
                                 .referee = buffer_string(&tuner->referee),
                                 .remedy = "--again starts over",
                                 .stretches = settings->stretches,
                                 .nodes = settings->judge_nodes,
                                 .seed = settings->spsa.seed};
    tuner->tuning.unit = "stretches";
    tuner->judgements_path = experiment_path(settings->folder, "judgements.journal");
    return judge_open(&judge, &tuner->judge);
}

static Status open_journal(Tuner *tuner) {
    TextBuffer conditions = {0};
    describe_games(tuner, &conditions);
    tuner->journal_path = experiment_path(tuner->settings->folder, "tune.journal");
    Status status = conditions.failed ? status_no_memory("the journal's conditions")
                                      : tuning_open_journal(&tuner->tuning, tuner->journal_path.text,
                                                            buffer_string(&conditions));
    buffer_release(&conditions);
    return status;
}

static Status open_files(Tuner *tuner) {
    const TunerSettings *settings = tuner->settings;
    Status status = status_ok();
    if (settings->moves == NULL) {
        status = experiment_load_book(settings->book, settings->spsa.seed, &tuner->book);
    } else if (file_size(settings->moves) < 0) {
        status = status_error("cannot read %.200s", settings->moves);
    }
    if (status_is_ok(&status) && settings->again) status = ownership_set_aside(settings->folder);
    if (status_is_ok(&status)) status = file_make_folder(settings->folder);
    if (status_is_ok(&status) && settings->moves != NULL) status = open_judge(tuner);
    return status_is_ok(&status) ? open_journal(tuner) : status;
}

static Status prepare(Tuner *tuner) {
    Status status = configure_engine(tuner);
    TuneNumbers *numbers = memory_allocate(sizeof *numbers);
    if (numbers == NULL) return status_no_memory("the numbers");
    if (status_is_ok(&status)) status = ask_engine(tuner, numbers);
    if (status_is_ok(&status))
        status = tuning_begin(&tuner->tuning, &tuner->settings->spsa, numbers->param, numbers->count);
    memory_release(numbers);
    return status;
}

static Status play(Tuner *tuner) {
    const TunerSettings *settings = tuner->settings;
    const Spsa *spsa = &tuner->tuning.spsa;
    if (spsa->finished == spsa->settings.pairs) {
        text_printf(stderr, "All pairs were played before; --again starts over\n");
        return status_ok();
    }
    tuner->log_path = experiment_path(settings->folder, "engines.log");
    tuner->progress =
        progress_begin(tuner->judge != NULL ? "stretches" : "pairs", spsa->settings.pairs, settings->quiet);
    tuner->progress.before = tuner->saved_pairs = spsa->finished;
    tuner->saved = tuner->progress.start;
    crew_begin(&tuner->crew);
    const Status status = crew_run(&tuner->crew, settings->concurrency, run_contest, tick, tuner);
    crew_end(&tuner->crew);
    progress_end(&tuner->progress);
    if (file_size(tuner->log_path.text) == 0) (void)file_remove(tuner->log_path.text);
    return status;
}

/* Writes the values into params.def, unless the schedule is not over. */
static Status apply(const Tuner *tuner) {
    const char *path = tuner->settings->params;
    const Spsa *spsa = &tuner->tuning.spsa;
    TextBuffer before = {0}, after = {0};
    if (spsa->finished < spsa->settings.pairs)
        return status_error("--apply: %" PRId64 " of %" PRId64
                            " pairs are played; the same command carries on",
                            spsa->finished, spsa->settings.pairs);
    Status status = file_read(path, &before);
    if (status_is_ok(&status)) {
        status = tuning_apply(&tuner->tuning, buffer_view(&before), &after);
        if (status_is_ok(&status))
            status = file_write(path, after.data, after.length);
        else
            status = status_error("%.120s: %s", path, status.reason);
    }
    buffer_release(&before);
    buffer_release(&after);
    return status;
}

static void write_test(const Tuner *tuner, TextBuffer *out) {
    const TunerSettings *settings = tuner->settings;
    if (!tuning_changes_a_number(&tuner->tuning)) {
        buffer_append_format(out, "\nRounded, no number has changed: %s is as before.\n", settings->params);
        return;
    }
    buffer_append_format(
        out,
        "\n%s has these values. Test them:\n\n"
        "    git worktree add --detach build/before HEAD && make -C build/before EXE=$PWD/luft-before\n"
        "    make EXE=luft-after\n"
        "    ./luft-lab sprt -engine cmd=./luft-after name=tuned -engine cmd=./luft-before name=before \\\n"
        "        -each tc=8+0.08 option.Hash=32 -openings generate=1 -concurrency %d\n"
        "    git worktree remove --force build/before\n\n"
        "The first line builds the program before the change from the last commit, whatever ./luft is. %s was "
        "built before it, too: build it again for another tuning.\n",
        settings->params, settings->concurrency, settings->engine);
}

static Status run(Tuner *tuner) {
    Status status = experiment_check_program(tuner->settings->engine);
    if (status_is_ok(&status)) status = prepare(tuner);
    if (!status_is_ok(&status) || tuner->settings->openbench) return status;
    status = open_files(tuner);
    if (!status_is_ok(&status)) return status;
    const int64_t before = tuner->tuning.spsa.finished;
    status = play(tuner);
    /* Also after a failure: what was played counts. */
    Status written = write_results(tuner);
    if (status_is_ok(&written)) written = draw(tuner);
    if (status_is_ok(&status)) status = written;
    if (status_is_ok(&status) && tuner->settings->apply) status = apply(tuner);
    const bool is_complete = tuner->tuning.spsa.finished == tuner->settings->spsa.pairs;
    if (status_is_ok(&status) && is_complete && tuner->settings->results != NULL)
        status =
            tuning_append_rows(&tuner->tuning, engine_version_read(tuner->engine_name, text_view("")).commit,
                               tuner->tuning.spsa.finished == before, tuner->settings->results);
    return status;
}

Status tuner_run(const TunerSettings *settings, TextBuffer *out) {
    Tuner *tuner = memory_allocate(sizeof *tuner);
    if (tuner == NULL) return status_no_memory("the tuning");
    tuner->settings = settings;
    tuner->tuning.journal.file.handle = -1;
    Status status = run(tuner);
    if (status_is_ok(&status))
        (settings->openbench ? tuning_write_openbench : tuning_write_markdown)(&tuner->tuning, out);
    if (status_is_ok(&status) && settings->apply) write_test(tuner, out);
    if (status_is_ok(&status) && !settings->apply && !settings->openbench && !settings->quiet &&
        tuner->tuning.spsa.finished == settings->spsa.pairs)
        text_printf(stderr, "The same command with --apply writes the values into %s\n", settings->params);
    if (status_is_ok(&status) && tuner->crew.interrupted)
        status = status_unfinished("interrupted; the same command carries on");
    tuning_release(&tuner->tuning);
    judge_close(tuner->judge);
    buffer_release(&tuner->referee);
    openings_release(tuner->book);
    engine_list_release(&tuner->list);
    memory_release(tuner);
    return status;
}
