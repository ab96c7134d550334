#include "lab/match/schedule.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "lab/client/seat.h"
#include "lab/kit/crew.h"
#include "lab/kit/key_set.h"
#include "lab/kit/log_file.h"
#include "lab/kit/machine.h"
#include "lab/kit/ownership.h"
#include "lab/match/journal.h"
#include "lab/match/match.h"
#include "lab/match/match_game.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum {
    LOG_PATH_CAPACITY = ENGINE_PATH_CAPACITY + ENGINE_NAME_CAPACITY + 32,
    REPLAYS_MAX = 2, /* of a game that the machine decided; then the machine is no place for such games */
    IGNORED_MAX = 4  /* games in a row that an engine lost because it ignores its limit: two pairs */
};

/* A match under way: what its main thread and its playing threads share. */
typedef struct Match {
    const MatchSetup *setup;
    const MatchListener *listener;
    MatchTotals *totals;
    int pair_count;
    uint64_t *stamps; /* of the engines' programs, when the match began */
    int cpus[MACHINE_PROCESSORS_MAX];
    int cpu_count;                /* of the machine */
    int cpus_per_game;            /* the most threads that an engine uses */
    bool has_logs;                /* the folder of logs is this match's own */
    LogFile log;                  /* handle -1: none */
    AppendFile file[MATCH_FILES]; /* handle -1: none */
    Journal journal;              /* lines.file.handle -1: none; knows what the files hold */
    Heartbeat heartbeat;
    Crew crew;    /* its lock is for all that follows, for the totals and for the listener */
    bool *done;   /* by index of the pair: finished before or being played */
    KeySet games; /* that are finished, with their engines */
    int next;     /* no pair below is open */
} Match;

/* Reports something worth a line to the listener, and to the log. */
__attribute__((format(printf, 2, 3))) static void notice(Match *match, const char *format, ...) {
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    text_format_arguments(text, sizeof text, format, arguments);
    va_end(arguments);
    log_file_add(&match->log, "match", text_view(text));
    if (match->listener->notice == NULL) return;
    mutex_lock(&match->crew.lock);
    match->listener->notice(match->listener->context, text);
    mutex_unlock(&match->crew.lock);
}

/* Takes the next open pair; -1 when there is none or the match ends. */
static int take_pair(Match *match) {
    int index = -1;
    mutex_lock(&match->crew.lock);
    if (!crew_cancelled(&match->crew)) {
        while (match->next < match->pair_count && match->done[match->next]) match->next++;
        if (match->next < match->pair_count) {
            index = match->next;
            match->done[index] = true;
        }
    }
    mutex_unlock(&match->crew.lock);
    return index;
}

/* Finds out whether the pair says anything new. Two engines at fixed nodes play the same games from the same
 * opening, and a test that counted them again would soon be certain of what it has seen once. */
static Status compare_pair(Match *match, PairResult *pair) {
    bool is_new = false;
    if (!key_set_reserve(&match->games, 2)) return status_no_memory("the games that were played");
    for (int i = 0; i < 2; i++) {
        const uint32_t players[] = {(uint32_t)(i == 0 ? pair->first : pair->second),
                                    (uint32_t)(i == 0 ? pair->second : pair->first)};
        is_new |= key_set_add(&match->games, bytes_hash_more(pair->game[i].hash, players, sizeof players));
    }
    pair->repeated = !is_new;
    return status_ok();
}

/* Points for nothing would go into everybody's rating. How slow an engine is does not matter: a limit that it
 * ignores is known by what it says (uci_client.c). */
static Status check_ignored_limits(const Match *match) {
    const MatchTotals *totals = match->totals;
    const bool is_last = totals->pairs_played + totals->pairs_restored == match->pair_count;
    for (int i = 0; i < match->setup->engine_count && !is_last; i++) {
        const EngineConfig *engine = &match->setup->engines[i];
        const int games = totals->table.ignoring[i];
        char limits[80];
        if (games < IGNORED_MAX) continue;
        play_limits_describe(&engine->limits, limits, sizeof limits);
        return status_error(
            "%.40s ignores its limit, %s: it lost its last %d games by that; give it one that "
            "it keeps (tc=, st=, depth= or nodes=), or leave it out, in a "
            "match with another -pgnout; luft-lab rate A.pgn B.pgn rates both",
            engine->name, limits, games);
    }
    return status_ok();
}

/* Adds a pair to the totals and informs the listener; false when the listener stops the match. The lock is
 * held. */
static bool count_pair(Match *match, const PairResult *pair) {
    MatchTotals *totals = match->totals;
    tally_table_add(&totals->table, pair);
    if (pair->restored)
        totals->pairs_restored++;
    else
        totals->pairs_played++;
    const MatchListener *listener = match->listener;
    const bool go_on =
        listener->pair_finished == NULL || listener->pair_finished(listener->context, pair, &totals->table);
    if (!go_on) {
        totals->stopped = true;
        crew_cancel(&match->crew);
    }
    return go_on;
}

/* First the games and positions, then the line that refers to them. */
static Status save_pair(Match *match, const PairResult *pair, const TextBuffer text[MATCH_FILES]) {
    Status status = status_ok();
    Journal *journal = &match->journal;
    int64_t length[MATCH_FILES];
    FileMark marks[MATCH_FILES] = {{0}};
    for (int i = 0; i < MATCH_FILES; i++) {
        AppendFile *file = &match->file[i];
        length[i] = file->length;
        if (file->handle < 0 || !status_is_ok(&status)) continue;
        status = append_file_write(file, buffer_view(&text[i]));
        marks[i] =
            (FileMark){file->length, bytes_hash_more(journal->mark[i].hash, text[i].data, text[i].length)};
    }
    if (status_is_ok(&status) && journal->lines.file.handle >= 0) status = journal_add(journal, pair, marks);
    for (int i = 0; i < MATCH_FILES && !status_is_ok(&status); i++) {
        const Status cut = append_file_cut(&match->file[i], length[i]);
        if (!status_is_ok(&cut)) return cut;
    }
    return status;
}

/* Saves a finished pair and informs the listener; false when the match ends. */
static bool finish_pair(Match *match, PairResult *pair, const TextBuffer text[MATCH_FILES]) {
    bool go_on = false;
    mutex_lock(&match->crew.lock);
    /* A pair that ends after the match was stopped is abandoned like those still being played. */
    if (!crew_cancelled(&match->crew)) {
        /* What can fail comes before the files: a pair that was saved counts. */
        Status status = compare_pair(match, pair);
        if (status_is_ok(&status)) status = save_pair(match, pair, text);
        go_on = status_is_ok(&status) && count_pair(match, pair);
        if (go_on) status = check_ignored_limits(match);
        go_on &= status_is_ok(&status);
        if (!status_is_ok(&status)) crew_fail(&match->crew, &status);
    }
    mutex_unlock(&match->crew.lock);
    return go_on;
}

/* The file for the standard error of an engine as started by thread `number` (from 1; 0: the check). */
static void log_path(const Match *match, int engine, int number, char out[LOG_PATH_CAPACITY]) {
    char name[ENGINE_NAME_CAPACITY];
    text_copy(text_view(match->setup->engines[engine].name), name, sizeof name);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '/' || (unsigned char)*c <= ' ') *c = '_';
    text_format(out, LOG_PATH_CAPACITY, "%s/%s-%d.log", match->setup->log_folder, name, number);
}

static UciClientOptions client_options(Match *match, int engine, int number, const int *cpus,
                                       char log[LOG_PATH_CAPACITY]) {
    const MatchSetup *setup = match->setup;
    if (setup->log_folder != NULL) log_path(match, engine, number, log);
    return (UciClientOptions){.config = &setup->engines[engine],
                              .error_log = setup->log_folder == NULL ? NULL : log,
                              .log = setup->log_level == LOG_LINES || setup->log_engines ? &match->log : NULL,
                              .number = number,
                              .cpus = cpus,
                              .cpu_count = cpus == NULL ? 0 : match->cpus_per_game,
                              .chess960 = setup->chess960,
                              .start_timeout = setup->start_timeout,
                              .start_option = "-starttimeout",
                              .stall_timeout = setup->stall_timeout,
                              .cancel = &match->crew.cancel,
                              .heartbeat = &match->heartbeat};
}

static bool is_pinned(const MatchSetup *setup) { return setup->pin || setup->pin_to != NULL; }

/* --- a thread that plays --- */

/* The two engines of one thread, and what they produce. */
typedef struct Opponents {
    Match *match;
    int number;      /* of the thread, from 1 */
    const int *cpus; /* its processors when pinned */
    Seat seats[2];   /* for the first and the second engine of the pair */
    MatchGame game;
    TextBuffer text[MATCH_FILES]; /* of the pair */
} Opponents;

static void report_start(void *match, const char *text) { notice(match, "%s", text); }

/* Puts the engine on the seat, running and fit for a game. A program that was replaced since the match began
 * is not started: its games would count as those of the old one. */
static Status seat_engine(Opponents *opponents, int place, int engine) {
    Match *match = opponents->match;
    const EngineConfig *config = &match->setup->engines[engine];
    if (seat_needs_start(&opponents->seats[place], config) && identity_stamp(config) != match->stamps[engine])
        return status_error(
            "the program of %s was rebuilt or changed during the match; with a copy of the old "
            "one in its place, the same command carries on",
            config->name);
    char log[LOG_PATH_CAPACITY];
    UciClientOptions options = client_options(match, engine, opponents->number, opponents->cpus, log);
    return seat_take(&opponents->seats[place], &options, &(SeatListener){match, report_start});
}

static void keep_nodes(NodeUse *use, const MatchGame *game, Color color) {
    for (int i = 0; i < game->nodes_kept[color] && use->count < NODES_KEPT; i++)
        use->nodes[use->count++] = game->nodes[color][i];
}

/* `first` has `first_color`. */
static void add_costs(Opponents *opponents, bool replay, int first, int second, Color first_color) {
    const MatchGame *game = &opponents->game;
    MatchTotals *totals = opponents->match->totals;
    mutex_lock(&opponents->match->crew.lock);
    totals->plies += game->searches;
    totals->replays += replay;
    totals->engine_wall += game->search_wall;
    totals->engine_delay += game->search_delay;
    keep_nodes(&totals->use[first], game, first_color);
    keep_nodes(&totals->use[second], game, color_other(first_color));
    mutex_unlock(&opponents->match->crew.lock);
}

static uint64_t hash_game(const Game *game) {
    char fen[FEN_CAPACITY];
    fen_write(&game->start, fen);
    const uint64_t start = bytes_hash(fen, strlen(fen));
    return game->move_count == 0
               ? start
               : bytes_hash_more(start, game->moves, (size_t)game->move_count * sizeof *game->moves);
}

static GameSummary summarise(const MatchGame *game) {
    GameSummary summary = {.result = game->played.result,
                           .end = game->played.end,
                           .fault = game->fault,
                           .at_fault = game->at_fault,
                           .plies = game->played.move_count,
                           .hash = hash_game(&game->played)};
    memcpy(summary.warnings, game->warnings, sizeof summary.warnings);
    return summary;
}

/* Such a game says nothing about the engines. */
static bool was_decided_by_machine(const MatchGame *game) {
    return game->played.end == ENGINE_FAULT && game->fault == FAULT_TIME_MACHINE;
}

/* Names what went wrong in the game just played, and in the log how it ended. */
static void report_game(const Opponents *opponents, const PairResult *pair, const GameSetup *setup,
                        bool replay) {
    const MatchGame *game = &opponents->game;
    const char *white = setup->names[WHITE], *black = setup->names[BLACK];
    const int label = 2 * pair->index + setup->number;
    char end[96], line[256];
    if (opponents->match->setup->log_level >= LOG_GAMES) {
        match_game_describe_end(game, end, sizeof end);
        text_format(line, sizeof line, "game %d, %s - %s: %s: %s", label, white, black,
                    game_result_text(game->played.result), end);
        log_file_add(&opponents->match->log, "match", text_view(line));
    }
    if (game->played.end == ENGINE_FAULT)
        notice(opponents->match, "game %d, %s - %s: %s: %s by %s, move %d: %s%s", label, white, black,
               game_result_text(game->played.result), fault_name(game->fault), setup->names[game->at_fault],
               (game->played.move_count + 2) / 2, game->detail, replay ? "; the game is played again" : "");
    if (game->warning_detail[0] != '\0')
        notice(opponents->match, "game %d, %s - %s: warning: %s", label, white, black, game->warning_detail);
}

/* Lets the machine, or the engines' own files, come to rest; a cancellation ends it. */
static void rest(const Match *match) {
    enum { LOOK = 50 /* milliseconds */ };
    const int64_t end = clock_milliseconds() + match->setup->wait;
    while (clock_milliseconds() < end && !crew_cancelled(&match->crew)) clock_sleep_milliseconds(LOOK);
}

/* Adds the game just played to what the files get. */
static Status write_game(Opponents *opponents, const GameSetup *game) {
    const MatchSetup *setup = opponents->match->setup;
    TextBuffer *positions = &opponents->text[MATCH_EPD];
    if (setup->epd_path != NULL) {
        const Game *played = &opponents->game.played;
        const Position last = game_position(played, played->move_count);
        char fen[FEN_CAPACITY];
        fen_write(&last, fen);
        buffer_append_format(positions, "%s\n", fen);
    }
    if (positions->failed) return status_no_memory("the last position of a game");
    if (setup->pgn_path == NULL) return status_ok();
    return match_game_write_pgn(&opponents->game, game, &opponents->text[MATCH_PGN]);
}

/* One of the two games of a pair: the first engine has White in game 0. */
static Status play_game(Opponents *opponents, PairResult *pair, int number, const Opening *opening) {
    Match *match = opponents->match;
    const MatchSetup *setup = match->setup;
    const int white_place = number == 0 ? 0 : 1;
    Status status = seat_engine(opponents, 0, pair->first);
    if (status_is_ok(&status)) status = seat_engine(opponents, 1, pair->second);
    if (!status_is_ok(&status)) return status;
    if (setup->wait > 0) rest(match);
    const EngineConfig *white = &setup->engines[number == 0 ? pair->first : pair->second],
                       *black = &setup->engines[number == 0 ? pair->second : pair->first];
    GameSetup game = {
        .players = {opponents->seats[white_place].client, opponents->seats[1 - white_place].client},
        .limits = {white->limits, black->limits},
        .opening = *opening,
        .chess960 = setup->chess960,
        .white_view = {white->white_view, black->white_view},
        .details = setup->details,
        .reproducible = setup->reproducible,
        .rules = &setup->rules,
        .cancel = &match->crew.cancel,
        .event = setup->event == NULL ? "luft-lab match" : setup->event,
        .site = setup->site == NULL ? "?" : setup->site,
        .names = {white->name, black->name},
        .round = pair->round + 1,
        .number = number + 1};
    for (int replays = 0;; replays++) {
        status = match_game_play(&game, &opponents->game);
        if (!status_is_ok(&status) || opponents->game.played.end == CANCELLED) return status;
        const bool replay = was_decided_by_machine(&opponents->game) && replays < REPLAYS_MAX;
        add_costs(opponents, replay, pair->first, pair->second, number == 0 ? WHITE : BLACK);
        report_game(opponents, pair, &game, replay);
        if (!replay) break;
    }
    if (opponents->game.played.end == ENGINE_FAULT && fault_needs_restart(opponents->game.fault))
        opponents->seats[opponents->game.at_fault == WHITE ? white_place : 1 - white_place].broken = true;
    pair->game[number] = summarise(&opponents->game);
    pair->outcome += game_half_points(opponents->game.played.result, number == 0 ? WHITE : BLACK);
    return write_game(opponents, &game);
}

/* False when the match ends. */
static bool play_pair(Opponents *opponents, int index) {
    Match *match = opponents->match;
    PairResult pair = {.index = index};
    match_pairing(match->setup, index, &pair.first, &pair.second, &pair.round);
    char fen[FEN_CAPACITY];
    Opening opening = openings_get(match->setup->book, (uint64_t)pair.round, fen);
    if (opening.fen == NULL) {
        const Status status = status_no_memory("an opening");
        crew_fail(&match->crew, &status);
        return false;
    }
    for (int i = 0; i < MATCH_FILES; i++) buffer_clear(&opponents->text[i]);
    for (int number = 0; number < 2; number++) {
        Status status = play_game(opponents, &pair, number, &opening);
        if (!status_is_ok(&status) && !crew_cancelled(&match->crew)) crew_fail(&match->crew, &status);
        if (!status_is_ok(&status) || opponents->game.played.end == CANCELLED) return false;
    }
    return finish_pair(match, &pair, opponents->text);
}

/* The body of a thread: it plays pair after pair, with two engines that it keeps running from game to game.
 */
static void play_pairs(void *context, int number) {
    Match *match = context;
    Opponents opponents = {.match = match,
                           .number = number + 1,
                           .cpus =
                               is_pinned(match->setup) ? match->cpus + number * match->cpus_per_game : NULL};
    int index;
    while ((index = take_pair(match)) >= 0)
        if (!play_pair(&opponents, index)) break;
    seat_leave(&opponents.seats[0]);
    seat_leave(&opponents.seats[1]);
    match_game_release(&opponents.game);
    for (int i = 0; i < MATCH_FILES; i++) buffer_release(&opponents.text[i]);
}

/* --- the main thread --- */

static Status restore_pair(void *context, const PairResult *found) {
    Match *match = context;
    if (found->index >= match->pair_count || match->done[found->index])
        return found->index < match->pair_count
                   ? status_error("%s has pair %d twice", match->setup->journal_path, found->index)
                   : status_ok(); /* the match was made shorter */
    PairResult pair = *found;
    match_pairing(match->setup, pair.index, &pair.first, &pair.second, &pair.round);
    match->done[pair.index] = true;
    const Status status = compare_pair(match, &pair);
    if (status_is_ok(&status)) count_pair(match, &pair);
    return status;
}

static int threads_of(const EngineConfig *engine) {
    const char *value = engine_config_option(engine, "Threads");
    int64_t threads = 1;
    if (value != NULL) text_parse_int64(text_view(value), &threads);
    return threads < 1 ? 1 : threads > MACHINE_PROCESSORS_MAX ? MACHINE_PROCESSORS_MAX : (int)threads;
}

/* Counts what the match needs of the machine. */
static Status count_processors(Match *match) {
    const MatchSetup *setup = match->setup;
    const bool has_list = setup->pin_to != NULL && setup->pin_to[0] != '\0';
    const Status status = has_list ? machine_parse_processors(setup->pin_to, match->cpus,
                                                              MACHINE_PROCESSORS_MAX, &match->cpu_count)
                                   : status_ok();
    if (!status_is_ok(&status)) return status_error("--use-affinity: %s", status.reason);
    if (!has_list) match->cpu_count = machine_processors(match->cpus, MACHINE_PROCESSORS_MAX);
    match->cpus_per_game = 1;
    for (int i = 0; i < setup->engine_count; i++)
        match->cpus_per_game = int_max(match->cpus_per_game, threads_of(&setup->engines[i]));
    const int needed = setup->concurrency * match->cpus_per_game;
    if (is_pinned(setup) && needed > match->cpu_count)
        return status_error("-pin: %d games of %d threads need %d processors, but there are %d",
                            setup->concurrency, match->cpus_per_game, needed, match->cpu_count);
    return status_ok();
}

static void warn_of_load(Match *match) {
    const MatchSetup *setup = match->setup;
    const int needed = setup->concurrency * match->cpus_per_game;
    char load[LOAD_TEXT_CAPACITY];
    if (match_is_fixed(setup)) return; /* no load changes its results */
    if (needed > match->cpu_count)
        notice(match, "warning: %d games of %d threads share %d processors: times will not be fair",
               setup->concurrency, match->cpus_per_game, match->cpu_count);
    else if (machine_describe_load(needed, "match", load))
        notice(match, "warning: %s", load);
}

/* Starts each engine once, so that faults are known before a game is lost. The body of a thread, so that the
 * main thread can watch for interruptions. */
static void check_engines(void *context, int number) {
    Match *match = context;
    Status status = status_ok();
    for (int i = 0; i < match->setup->engine_count && status_is_ok(&status); i++) {
        char log[LOG_PATH_CAPACITY];
        UciClientOptions options = client_options(match, i, number, NULL, log);
        Seat seat = {0};
        status = seat_start(&seat, &options);
        if (status_is_ok(&status)) match->totals->versions[i] = uci_client_ask_version(seat.client);
        seat_leave(&seat);
    }
    if (!status_is_ok(&status) && !crew_cancelled(&match->crew)) crew_fail(&match->crew, &status);
}

static const char *output_path(const MatchSetup *setup, int file) {
    return file == MATCH_PGN ? setup->pgn_path : setup->epd_path;
}

/* A file must hold what the journal knows. What follows that belongs to no finished pair: mostly a pair torn
 * by a kill, but perhaps something that another program has added. It is moved to another file. */
static Status compare_file(Match *match, int number) {
    AppendFile *file = &match->file[number];
    const FileMark known = match->journal.mark[number];
    const char *path = file->path, *journal = match->setup->journal_path;
    if (match->journal.lines.file.handle < 0 || file->handle < 0) return status_ok();
    if (file->length < known.length)
        return status_error("%s is shorter than %s says: games are missing", path, journal);
    uint64_t hash;
    Status status = append_file_hash(file, known.length, &hash);
    if (status_is_ok(&status) && hash != known.hash)
        return status_error("%.80s does not hold the games of %.80s: it was changed, or is another file",
                            path, journal);
    const int64_t tail = file->length - known.length;
    if (!status_is_ok(&status) || tail == 0) return status;
    char aside[ENGINE_PATH_CAPACITY + 8];
    text_format(aside, sizeof aside, "%s.tail", path);
    status = append_file_move_tail(file, known.length, aside);
    if (status_is_ok(&status))
        notice(match, "warning: %lld bytes at the end of %s belong to no finished pair: now in %s",
               (long long)tail, path, aside);
    return status;
}

static Status check_kinds(const MatchSetup *setup) {
    Status status = status_ok();
    for (int i = 0; i < MATCH_FILES && status_is_ok(&status); i++)
        status = ownership_check_inputs(output_path(setup, i), &setup->openings.path, 1);
    if (status_is_ok(&status)) status = ownership_check_inputs(setup->journal_path, &setup->openings.path, 1);
    if (status_is_ok(&status) && setup->pgn_path != NULL)
        status = ownership_check_kind(setup->pgn_path, "[", 1, "a file of games (PGN)");
    return status;
}

static Status set_aside(const MatchSetup *setup) {
    Status status = status_ok();
    if (setup->journal_path != NULL)
        status = ownership_check_kind(setup->journal_path, JOURNAL_START, strlen(JOURNAL_START),
                                      "a journal of a match");
    if (status_is_ok(&status) && setup->journal_path != NULL)
        status = ownership_set_aside(setup->journal_path);
    for (int i = 0; i < MATCH_FILES && status_is_ok(&status); i++)
        if (output_path(setup, i) != NULL) status = ownership_set_aside(output_path(setup, i));
    return status;
}

static Status open_file(Match *match, int number, FileMark *mark) {
    AppendFile *file = &match->file[number];
    const char *path = output_path(match->setup, number);
    if (path == NULL) return status_ok();
    Status status = append_file_open(file, path, NAME_GIVEN);
    if (status_is_ok(&status) && !append_file_ends_line(file))
        status = append_file_write(file, text_view(number == MATCH_PGN ? "\n\n" : "\n"));
    mark->length = file->length;
    return status_is_ok(&status) ? append_file_hash(file, mark->length, &mark->hash) : status;
}

/* Opens the files, and reads what an earlier run has written. */
static Status open_files(Match *match) {
    const MatchSetup *setup = match->setup;
    FileMark marks[MATCH_FILES] = {{0}};
    Status status = check_kinds(setup);
    if (status_is_ok(&status) && setup->again) status = set_aside(setup);
    for (int i = 0; i < MATCH_FILES && status_is_ok(&status); i++) status = open_file(match, i, &marks[i]);
    if (status_is_ok(&status) && setup->log_path != NULL)
        status = log_file_open(&match->log, setup->log_path);
    if (status_is_ok(&status) && setup->journal_path != NULL)
        status = journal_open(&match->journal, setup, marks, restore_pair, match);
    if (status_is_ok(&status) && marks[MATCH_PGN].length > 0 && match->totals->pairs_restored == 0 &&
        match->pair_count > 0)
        notice(match, "%s has games already: new ones follow them", setup->pgn_path);
    if (status_is_ok(&status) && setup->log_folder != NULL) {
        status = file_make_folder(setup->log_folder);
        match->has_logs = status_is_ok(&status);
    }
    for (int i = 0; i < MATCH_FILES && status_is_ok(&status); i++) status = compare_file(match, i);
    return status;
}

/* Removes the logs of engines that had nothing to say. Those of a match that is going on, because of which
 * this one was refused, stay. */
static void remove_empty_logs(const Match *match) {
    const MatchSetup *setup = match->setup;
    if (!match->has_logs) return;
    for (int engine = 0; engine < setup->engine_count; engine++)
        for (int number = 0; number <= setup->concurrency; number++) {
            char path[LOG_PATH_CAPACITY];
            log_path(match, engine, number, path);
            if (file_size(path) == 0) unlink(path);
        }
    rmdir(setup->log_folder); /* succeeds only when it is empty, which is meant */
}

static void tick(void *context) {
    const MatchListener *listener = ((Match *)context)->listener;
    if (listener->tick != NULL) listener->tick(listener->context);
}

static void check_openings(Match *match) {
    const MatchSetup *setup = match->setup;
    const int64_t openings = openings_count(setup->book);
    if (match_is_fixed(setup) && setup->pairs > openings)
        notice(
            match,
            "warning: %d pairs from %lld opening%s at fixed nodes or depth: games will repeat, and repeated "
            "pairs are not counted; see -openings",
            setup->pairs, (long long)openings, openings == 1 ? "" : "s");
    else if (setup->pairs > 1 && openings == 1)
        notice(match, "warning: all games begin from one position; -openings generate=SEED gives each pair "
                      "its own");
}

/* As when the new engine was not built. */
static void check_identities(Match *match) {
    const MatchSetup *setup = match->setup;
    for (int i = 1; i < setup->engine_count; i++)
        for (int other = 0; other < i; other++) {
            const EngineConfig *a = &setup->engines[other], *b = &setup->engines[i];
            if (identity_is_same(a, b))
                notice(match, "%s and %s are the same program with the same settings", a->name, b->name);
        }
}

static bool is_over(const Match *match) {
    return match->setup->restore_only || crew_cancelled(&match->crew) ||
           match->totals->pairs_restored == match->pair_count;
}

/* Says what is worth knowing. After the files are open: a match that is refused or over already needs no
 * warning. */
static void begin(Match *match) {
    const int64_t restored = 2 * match->totals->pairs_restored;
    if (restored > 0 && match->setup->open_ended)
        notice(match, "carries on after %" PRId64 " games", restored);
    else if (restored > 0)
        notice(match, "carries on after %" PRId64 " of %d games", restored, 2 * match->pair_count);
    check_identities(match);
    check_openings(match);
    warn_of_load(match);
}

static void compare_tests(Match *match) {
    const char *begun = match->journal.test, *now = match->setup->test;
    if (begun[0] == '\0' || now == NULL || strcmp(begun, now) == 0) return;
    text_copy(text_view(begun), match->totals->begun_test, TEST_TEXT_CAPACITY);
    notice(match, "warning: the test was begun with %s, and has %s now", begun, now);
}

static Status prepare(Match *match) {
    Status status = count_processors(match);
    for (int i = 0; i < match->setup->engine_count; i++)
        match->stamps[i] = identity_stamp(&match->setup->engines[i]);
    if (status_is_ok(&status)) status = open_files(match);
    if (status_is_ok(&status)) compare_tests(match);
    if (status_is_ok(&status) && !is_over(match)) status = check_ignored_limits(match);
    if (status_is_ok(&status) && !is_over(match)) {
        begin(match);
        status = crew_run(&match->crew, 1, check_engines, tick, match);
    }
    /* An engine joins with its first pair. */
    const bool joins = match->journal.joined.length > 0;
    return status_is_ok(&status) && match->setup->journal_path != NULL && !(joins && is_over(match))
               ? journal_begin(&match->journal, match->setup)
               : status;
}

/* A match that failed before it had a result, as when an engine is missing, leaves no files of its own. */
static void drop_empty_files(Match *match) {
    if (match->totals->pairs_played + match->totals->pairs_restored > 0) return;
    for (int i = 0; i < MATCH_FILES; i++)
        if (match->file[i].length == 0) append_file_drop(&match->file[i]);
    append_file_drop(&match->journal.lines.file);
}

static void close_match(Match *match) {
    remove_empty_logs(match);
    for (int i = 0; i < MATCH_FILES; i++) append_file_close(&match->file[i]);
    log_file_close(&match->log);
    journal_close(&match->journal);
    key_set_release(&match->games);
    memory_release(match->done);
    memory_release(match->stamps);
    memory_release(match);
}

static Status run(Match *match) {
    MatchTotals *totals = match->totals;
    Crew *crew = &match->crew;
    crew_begin(crew);
    Status status = prepare(match);
    const int64_t wall = clock_microseconds(), cpu = clock_cpu_microseconds();
    if (status_is_ok(&status) && !is_over(match)) {
        status = heartbeat_begin(&match->heartbeat, match->cpus, match->cpu_count);
        if (status_is_ok(&status))
            status = crew_run(crew, match->setup->concurrency, play_pairs, tick, match);
        heartbeat_end(&match->heartbeat);
    }
    totals->wall = clock_microseconds() - wall;
    totals->heartbeat_cpu = match->heartbeat.cpu;
    totals->own_cpu = clock_cpu_microseconds() - cpu - totals->heartbeat_cpu;
    totals->completed = totals->pairs_played + totals->pairs_restored == match->pair_count;
    totals->stopped |= crew->interrupted;
    crew_end(crew);
    return status;
}

Status match_run(const MatchSetup *setup, const MatchListener *listener, MatchTotals *totals) {
    *totals = (MatchTotals){0};
    Match *match = memory_allocate(sizeof *match);
    if (match == NULL) return status_no_memory("a match");
    match->setup = setup;
    match->listener = listener;
    match->totals = totals;
    match->pair_count = match_pair_count(setup);
    match->log.handle = match->journal.lines.file.handle = -1;
    for (int i = 0; i < MATCH_FILES; i++) match->file[i].handle = -1;
    match->done = memory_allocate((size_t)int_max(match->pair_count, 1) * sizeof *match->done);
    const size_t engines = (size_t)int_max(setup->engine_count, 1);
    match->stamps = memory_allocate(engines * sizeof *match->stamps);
    totals->use = memory_allocate(engines * sizeof *totals->use);
    totals->versions = memory_allocate(engines * sizeof *totals->versions);
    const bool good = match->done != NULL && match->stamps != NULL && totals->use != NULL &&
                      totals->versions != NULL && tally_table_create(&totals->table, setup->engine_count);
    Status status = good ? run(match) : status_no_memory("a match of %d pairs", match->pair_count);
    if (!status_is_ok(&status)) drop_empty_files(match);
    close_match(match);
    return status;
}
