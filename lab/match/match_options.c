#include "lab/match/match_options.h"

#include "chess/game.h"

#include <string.h>

enum { GAMES_MAX = 100000000, CONCURRENCY_MAX = 512, MOVES_MAX = 10000, SCORE_MAX = 30000 };

/* --- the table, by subject --- */

static void fill_keys(MatchOptions *options) {
    OpeningOptions *openings = &options->setup.openings;
    GameRules *rules = &options->setup.rules;
    const Argument openings_keys[] = {
        option_text("file", "BOOK", &openings->path, "EPD or PGN"),
        option_choice("format", "name epd pgn", &options->format, "by the file's name, or as said"),
        option_choice("order", "sequential random", &options->order, ""),
        option_count("seed", "N", &openings->seed, 0, ARGUMENT_UNLIMITED, "of the random order"),
        option_int("plies", "N", &openings->plies, 0, 1000, "of a PGN, play N plies at most; 0: all"),
        option_int("start", "N", &options->start, 1, INT32_MAX, "begin with the Nth of the order"),
    };
    const Argument draw_keys[] = {
        option_int("movecount", "N", &rules->draw_moves, 1, MOVES_MAX, "for N moves"),
        option_int("score", "CP", &rules->draw_score, 0, SCORE_MAX, "both scores within CP of 0"),
        option_int("movenumber", "N", &rules->draw_from_move, 0, MOVES_MAX, "from move N on"),
    };
    const Argument resign_keys[] = {
        option_int("movecount", "N", &rules->resign_moves, 1, MOVES_MAX, "for N moves"),
        option_int("score", "CP", &rules->resign_score, 1, SCORE_MAX, "the loser's score is -CP or less"),
        option_flag("twosided", &rules->resign_twosided, "and the winner's CP or more"),
    };
    memcpy(options->openings_keys, openings_keys, sizeof openings_keys);
    memcpy(options->draw_keys, draw_keys, sizeof draw_keys);
    memcpy(options->resign_keys, resign_keys, sizeof resign_keys);
}

static void fill_table(MatchOptions *options) {
    MatchSetup *setup = &options->setup;
    const Argument table[] = {
        argument_heading("Engines, each with any number of KEY=VALUE words:\n"
                         "    cmd=PROGRAM name=N dir=D arg=A... option.NAME=VALUE... restart=on\n"
                         "    tc=[MOVES/]SECONDS[+INCREMENT] (also M:SS, or inf), st=SECONDS a move,\n"
                         "    depth=N, nodes=N; timemargin=MS: how far a clock may be overdrawn\n"
                         "    (default 0; with st= 50)"),
        engine_list_option(&options->engines, "engine", "an engine"),
        engine_list_each_option(&options->engines, "for all engines that do not say otherwise"),
        argument_heading("Games, always in pairs: one opening, colours reversed:"),
        option_int("rounds", "N", &options->rounds, 1, GAMES_MAX, "rounds of each pairing"),
        option_int("games", "N", &options->games, 2, GAMES_MAX, "of a pairing in a round, an even number"),
        option_int("concurrency", "N", &setup->concurrency, 1, CONCURRENCY_MAX, "games at once"),
        option_choice("tournament", "roundrobin/round-robin gauntlet", &options->tournament,
                      "gauntlet: the first engine against each other"),
        option_choice("variant", "standard chess960/fischerandom", &options->variant, "the rules"),
        option_flag("chess960", &setup->chess960, "the same as --variant chess960"),
        option_keys("openings", ARGUMENTS(options->openings_keys),
                    "without a book: the initial position, or in Chess960 random arrays"),
        option_count("srand", "N", &setup->openings.seed, 0, ARGUMENT_UNLIMITED, "the same seed"),
        option_flag("repeat", &options->is_taken_for_granted, "as it always is: each opening twice"),
        option_flag("recover", &options->is_taken_for_granted, "as it always is: after a crash it goes on"),
        argument_heading("Ends that are not by the rules (mate, stalemate, repetition, fifty moves and dead "
                         "positions need no option):"),
        option_keys("draw", ARGUMENTS(options->draw_keys), "a draw, where both engines see it"),
        option_keys("resign", ARGUMENTS(options->resign_keys), "a loss, where it is clear"),
        option_int("maxmoves", "N", &setup->rules.max_moves, 1, 100000, "a draw after N moves"),
        argument_heading("Files:"),
        option_text("pgnout", "FILE", &setup->pgn_path, "append the games"),
        option_text("journal", "FILE", &options->journal,
                    "what --resume needs, or none (default: FILE.journal of --pgnout, else "
                    "luft-lab.journal)"),
        option_flag("resume", &setup->resume, "carry on where the journal ends"),
        option_text("log", "FOLDER", &options->log,
                    "the engines' standard error, or none (default: next to the journal, .logs)"),
        option_text("event", "TEXT", &setup->event, "a tag of the PGN"),
        option_text("site", "TEXT", &setup->site, "a tag of the PGN"),
        option_flag("reproducible", &setup->reproducible, "no dates and times in the PGN"),
        argument_heading("Care:"),
        option_flag("pin", &setup->pin, "each game on its own processors"),
        option_flag("checkpv", &setup->rules.check_every_pv, "check every PV, not only the last of a move"),
        option_seconds("starttimeout", &options->start_timeout, 0.001, 1e6,
                       "patience with engines that start (default 10)"),
        option_seconds("stalltimeout", &options->stall_timeout, 0.001, 1e6,
                       "patience with silent engines that have no clock (default 60)"),
        option_int("ratinginterval", "N", &options->interval, 1, GAMES_MAX,
                   "without a terminal: a line every N pairs"),
        option_flag("quiet", &options->quiet, "nothing but results"),
    };
    _Static_assert(sizeof table == sizeof options->table, "MATCH_OPTIONS is the number of rows");
    memcpy(options->table, table, sizeof table);
}

void match_options_init(MatchOptions *options) {
    *options = (MatchOptions){.games = 2, .rounds = 1, .start = 1};
    options->setup.concurrency = 1;
    options->setup.openings.seed = 1;
    fill_keys(options);
    fill_table(options);
}

void match_options_release(MatchOptions *options) {
    engine_list_release(&options->engines);
    openings_release(options->book);
    options->book = NULL;
}

Status match_options_check(const MatchOptions *options) {
    const GameRules *rules = &options->setup.rules;
    const OpeningOptions *openings = &options->setup.openings;
    if (options->engines.count < 2)
        return status_error("a match needs at least two engines: -engine cmd=PROGRAM, twice");
    if (options->games % 2 != 0)
        return status_error("--games %d: games come in pairs, so their number is even", options->games);
    if ((rules->draw_score > 0 || rules->draw_from_move > 0) && rules->draw_moves == 0)
        return status_error("--draw needs movecount=N");
    if ((rules->resign_moves == 0) != (rules->resign_score == 0))
        return status_error("--resign needs movecount=N and score=CP");
    const char *const tags[] = {options->setup.event, options->setup.site};
    for (int i = 0; i < 2; i++)
        if (tags[i] != NULL && strlen(tags[i]) >= TAG_VALUE_CAPACITY)
            return status_error("--%s: a tag of the PGN has at most %d bytes", i == 0 ? "event" : "site",
                                TAG_VALUE_CAPACITY - 1);
    if (openings->path == NULL && (options->format > 0 || options->order > 0 || options->start > 1))
        return status_error("--openings needs file=BOOK");
    return status_ok();
}

/* Other runners say file=PATH. */
static const char *path_of(const char *text) {
    return text != NULL && strncmp(text, "file=", 5) == 0 ? text + 5 : text;
}

static bool is_none(const char *path) { return path != NULL && strcmp(path, "none") == 0; }

/* Where the journal and the logs go, also when no option says it. */
static Status choose_paths(MatchOptions *options) {
    enum { ENDING = 16 }; /* room for .journal and .logs */
    MatchSetup *setup = &options->setup;
    const char *journal = path_of(options->journal), *log = path_of(options->log);
    const char *const paths[] = {path_of(setup->pgn_path), journal, log};
    for (int i = 0; i < 3; i++)
        if (paths[i] != NULL && strlen(paths[i]) >= ENGINE_PATH_CAPACITY - ENDING)
            return status_error("the path %.60s... is too long", paths[i]);
    setup->pgn_path = paths[0];
    if (journal != NULL)
        text_format(options->journal_path, sizeof options->journal_path, "%s", journal);
    else
        text_format(options->journal_path, sizeof options->journal_path, "%s.journal",
                    setup->pgn_path != NULL ? setup->pgn_path : "luft-lab");
    setup->journal_path = is_none(journal) ? NULL : options->journal_path;
    if (log != NULL) {
        text_format(options->log_folder, sizeof options->log_folder, "%s", log);
    } else {
        const size_t length = strlen(options->journal_path);
        const bool ending = length > 8 && strcmp(options->journal_path + length - 8, ".journal") == 0;
        text_format(options->log_folder, sizeof options->log_folder, "%.*s.logs",
                    (int)(ending ? length - 8 : length), options->journal_path);
    }
    const bool no_log = is_none(log) || (log == NULL && setup->journal_path == NULL);
    setup->log_folder = no_log ? NULL : options->log_folder;
    return status_ok();
}

Status match_options_finish(MatchOptions *options) {
    MatchSetup *setup = &options->setup;
    Status status = engine_list_finish(&options->engines);
    if (!status_is_ok(&status)) return status;
    setup->engines = options->engines.engines;
    setup->engine_count = options->engines.count;
    const int64_t pairs = (int64_t)options->rounds * (options->games / 2);
    const int64_t engines = setup->engine_count,
                  pairings = options->tournament == 0 ? engines * (engines - 1) / 2 : engines - 1;
    const int64_t all = pairs * pairings;
    if (all > GAMES_MAX) return status_error("more than %d pairs of games", GAMES_MAX);
    setup->pairs = (int)pairs;
    setup->kind = options->tournament == 0 ? MATCH_ROUND_ROBIN : MATCH_GAUNTLET;
    setup->chess960 |= options->variant == 1;
    setup->openings.chess960 = setup->chess960;
    setup->openings.format = (OpeningFormat)options->format;
    setup->openings.order = (OpeningOrder)options->order;
    setup->openings.start = options->start - 1;
    setup->start_timeout = (int64_t)(options->start_timeout * 1000 + 0.5);
    setup->stall_timeout = (int64_t)(options->stall_timeout * 1000 + 0.5);
    status = choose_paths(options);
    if (status_is_ok(&status) && setup->resume && setup->journal_path == NULL)
        status = status_error("-resume goes on from a journal, and -journal none says that there is none");
    if (!status_is_ok(&status)) return status;
    status = openings_load(&setup->openings, &options->book);
    setup->book = options->book;
    return status;
}
