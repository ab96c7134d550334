#include "lab/match/match_options.h"

#include "base/bits.h"
#include "base/memory.h"
#include "chess/game.h"
#include "lab/kit/console.h"
#include "lab/match/journal.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum { GAMES_MAX = 100000000, CONCURRENCY_MAX = 512, MOVES_MAX = 10000, SCORE_MAX = 30000 };

/* --- the table, by subject --- */

#define FIELD_STRUCT OpeningOptions
static const Field OPENINGS_KEYS[] = {
    {FIELD_TEXT("file", "BOOK", path, NULL, "EPD or PGN")},
    {FIELD_CHOICE("format", "auto epd pgn", format, "auto", "by what is in the file, or as said")},
    {FIELD_CHOICE("order", "sequential random", order, "sequential", "of the openings")},
    {FIELD_WHOLE("seed", "N", seed, 0, FIELD_UNLIMITED, "1", "of the random order")},
    {FIELD_WHOLE("plies", "N", plies, 0, 1000, "0", "of a PGN, play N plies at most; 0: all")},
    {FIELD_WHOLE("start", "N", start, 1, INT32_MAX, "1", "begin with the Nth of the order")},
    {FIELD_ANSWERED_UNLESS("policy", "round",
                           "it is always round: one opening for all pairings, so that no engine has luckier "
                           "ones; with two engines encounter is the same")},
    {FIELD_WHOLE("generate", "SEED", generate, 1, FIELD_UNLIMITED, NULL,
                 "instead of a file: positions after 8 or 9 random plies that a short search finds playable, "
                 "as many as are needed")},
    {0}};
#undef FIELD_STRUCT

#define FIELD_STRUCT GameRules
static const Field DRAW_KEYS[] = {
    {FIELD_WHOLE("movecount", "N", draw_moves, 1, MOVES_MAX, NULL, "for N moves")},
    {FIELD_WHOLE("score", "CP", draw_score, 0, SCORE_MAX, "0", "both scores within CP of 0")},
    {FIELD_WHOLE("movenumber", "N", draw_from_move, 0, MOVES_MAX, "0", "from move N on")},
    {0}};
static const Field RESIGN_KEYS[] = {
    {FIELD_WHOLE("movecount", "N", resign_moves, 1, MOVES_MAX, NULL, "for N moves")},
    {FIELD_WHOLE("score", "CP", resign_score, 1, SCORE_MAX, NULL, "the loser's score is -CP or less")},
    {FIELD_FLAG("twosided", resign_twosided, "and the winner's CP or more")},
    {0}};
#undef FIELD_STRUCT

#define FIELD_STRUCT MatchSetup
static const Field PGN_KEYS[] = {
    {FIELD_TEXT("file", "FILE", pgn_path, NULL, "append the games to FILE")},
    {FIELD_CHOICE("notation", "san", details.notation, "san", "of the moves")},
    {FIELD_FLAG("nodes", details.nodes, "what the engine says of its search, in the comments: its nodes")},
    {FIELD_FLAG("seldepth", details.seldepth, "selective depth")},
    {FIELD_FLAG("nps", details.nps, "nodes a second")},
    {FIELD_FLAG("hashfull", details.hashfull, "thousandths of the table in use")},
    {FIELD_FLAG("tbhits", details.tbhits, "positions found in tablebases")},
    {FIELD_FLAG("timeleft", details.timeleft, "time on the clock after the move")},
    {FIELD_FLAG("min", details.minimal, "no comments")},
    {FIELD_ACCEPTED("fi")},
    {FIELD_ANSWERED_UNLESS("append", "true",
                           "games are appended; --again starts over, and keeps the old file as FILE.old")},
    {FIELD_ANSWERED_UNLESS(
        "latency", "false",
        "the comments have the time of each move, and how long it waited for a processor")},
    {FIELD_ANSWERED("match_line", "-log file=FILE level=trace has all that engines say")},
    {0}};
#undef FIELD_STRUCT

/* Keys of the struct that the table describes, where the value of the first may stand alone. */
#define FIELD_BARE_KEYS(name_, table, help_)                                                   \
    .kind = FIELD_KIND_KEYS, .name = name_, .placeholder = "", .help = help_, .fields = table, \
    .flags = FIELD_BARE

#define FIELD_STRUCT MatchOptions
static const Field EPD_KEYS[] = {
    {FIELD_TEXT("file", "FILE", setup.epd_path, NULL, "append the position in which each game ended (FEN)")},
    {0}};
static const Field LOG_KEYS[] = {
    {FIELD_TEXT("folder", "FOLDER", log, NULL,
                "folder of the engines' standard error, or none (default: next to the journal, .logs)")},
    {FIELD_TEXT("file", "FILE", setup.log_path, NULL, "append a log for people, with the time of each line")},
    {FIELD_CHOICE("level", "warn/err/fatal info trace", setup.log_level, "warn",
                  "what it has: faults; each game, too; all that engines get and say, too")},
    {FIELD_FLAG("engine", setup.log_engines, "same as level=trace")},
    {FIELD_ACCEPTED("append")},
    {FIELD_ACCEPTED("realtime")},
    {FIELD_ANSWERED_UNLESS("compress", "false", "the log is plain text; gzip compresses it afterwards")},
    {0}};
static const Field CONFIG_KEYS[] = {
    {FIELD_TEXT("file", "JOURNAL", config, NULL,
                "carry on this journal, with the options of its command; those said here come after them")},
    {FIELD_ANSWERED("outname", "-journal FILE names the file from which a match carries on")},
    {FIELD_ANSWERED_UNLESS("discard", "false", "--again starts over, and keeps the old files")},
    {FIELD_ANSWERED_UNLESS("stats", "true", "--again starts over, and keeps the old files")},
    {0}};

/* What only fastchess and cutechess-cli have; docs/lab.md has a table of all. */
static const Field FOREIGN_FIELDS[] = {
    {FIELD_ACCEPTED("repeat")},
    {FIELD_ACCEPTED("recover")},
    {FIELD_ACCEPTED("resume")},
    {FIELD_ACCEPTED("reverse")},
    {FIELD_ACCEPTED("force-concurrency")},
    {FIELD_ACCEPTED("autosaveinterval")},
    {FIELD_ACCEPTED("crc32")},
    {FIELD_ACCEPTED("output")},
    {FIELD_ACCEPTED("report")},
    {FIELD_ACCEPTED("show-latency")},
    {FIELD_ACCEPTED("testEnv")},
    {FIELD_ACCEPTED("strict")},
    {FIELD_ACCEPTED("outcomeinterval")},
    {FIELD_ACCEPTED("resultformat")},
    {FIELD_ANSWERED("randomseed", "-srand SEED: the same seed gives the same openings again")},
    {FIELD_ACCEPTED("bookmode")},
    {FIELD_ANSWERED("noswap",
                    "games come in pairs with colours reversed, and the error is that of the pairs")},
    {FIELD_ANSWERED("quick", "-engine cmd=A -engine cmd=B -each tc=8+0.08 -rounds 500 -openings file=BOOK")},
    {FIELD_ANSWERED("compliance",
                    "luft-lab match names what an engine does wrong; -checkpv checks every PV")},
    {FIELD_ANSWERED("debug", "-log file=FILE level=trace has all that engines get and say")},
    {FIELD_ANSWERED("engines", "-engine cmd=PROGRAM names an engine; there is no list of known ones")},
    {FIELD_ANSWERED("version", "luft-lab --version says which it is")},
    {FIELD_ANSWERED("startup-ms", "-starttimeout SECONDS: how long an engine may take to start")},
    {FIELD_ANSWERED("ping-ms", "-starttimeout SECONDS is also how long isready may take")},
    {FIELD_ANSWERED("ucinewgame-ms", "-starttimeout SECONDS is also how long a new game may take")},
    {FIELD_ANSWERED("sprt", "luft-lab sprt plays a test, with the same words")},
    {0}};
#undef FIELD_STRUCT

#define FIELD_STRUCT MatchOptions
const Field MATCH_FIELDS[] = {
    {FIELD_HEADING("Engines, each with any number of KEY=VALUE words:\n"
                   "    cmd=PROGRAM name=N dir=D arg=A... option.NAME=VALUE... restart=on initstr=L\n"
                   "    tc=[MOVES/]SECONDS[+INCREMENT] (also M:SS, or inf), st=SECONDS a move,\n"
                   "    depth=N, nodes=N; timemargin=MS: how far a clock may be overdrawn\n"
                   "    (default 0; with st= 50)")},
    {ENGINE_FIELD("engine", engines, "an engine")},
    {ENGINE_EACH_FIELD(engines, "for all engines that do not say otherwise")},
    {FIELD_HEADING("Games, always in pairs: one opening, colours reversed:")},
    {FIELD_WHOLE("rounds", "N", rounds, 1, GAMES_MAX, NULL,
                 "rounds of each pairing (default 1; of sprt until the test is decided)")},
    {FIELD_WHOLE("games", "N", games, 1, GAMES_MAX, "2", "of a pairing in a round, an even number")},
    {FIELD_WHOLE("concurrency", "N", setup.concurrency, 1, CONCURRENCY_MAX, "1", "games at once")},
    {FIELD_CHOICE(
        "tournament", "roundrobin/round-robin gauntlet pyramid", setup.kind, "roundrobin",
        "gauntlet: the first engine against each other; pyramid: each engine against those before it")},
    {FIELD_WHOLE("seeds", "N", setup.seeds, 1, GAMES_MAX, "1",
                 "of a gauntlet: the first N engines against each of the others")},
    {FIELD_CHOICE("variant", "standard chess960/fischerandom", variant, "standard", "rules of the games")},
    {FIELD_FLAG("chess960", setup.chess960, "same as --variant chess960")},
    {FIELD_KEYS("openings", setup.openings, OPENINGS_KEYS,
                "without a book: the initial position, or in Chess960 random arrays"),
     .flags = FIELD_BARE},
    {SKIP_FAULTS_FIELD(setup.openings.skip_faults)},
    {FIELD_WHOLE("srand", "N", setup.openings.seed, 0, FIELD_UNLIMITED, NULL, "same as seed= of --openings")},
    {FIELD_WHOLE("wait", "MS", setup.wait, 0, 3600000, NULL, "milliseconds between two games")},
    {FIELD_HEADING("Ends that are not by the rules (mate, stalemate, repetition, fifty moves and dead "
                   "positions need no option):")},
    {FIELD_KEYS("draw", setup.rules, DRAW_KEYS, "a draw, where both engines see it")},
    {FIELD_KEYS("resign", setup.rules, RESIGN_KEYS, "a loss, where it is clear")},
    {FIELD_WHOLE("maxmoves", "N", setup.rules.max_moves, 0, 100000, NULL, "adjudicate a draw after N moves")},
    {FIELD_TEXT("tb", "DIR", setup.tablebases, NULL, "by Syzygy tables in these folders")},
    {FIELD_WHOLE("tbpieces", "N", setup.rules.table_pieces, 0, 32, NULL,
                 "only with N pieces and pawns or fewer")},
    {FIELD_FLAG("tbignore50", setup.rules.table_ignores_50, "as if there were no fifty-move rule")},
    {FIELD_CHOICE("tbadjudicate", "BOTH WIN_LOSS DRAW", setup.rules.table_rule, "BOTH",
                  "which results of the tables end a game")},
    {FIELD_HEADING("Files:")},
    {FIELD_KEYS("pgnout", setup, PGN_KEYS, "append the games; keys:"), .flags = FIELD_BARE},
    {FIELD_BARE_KEYS("epdout", EPD_KEYS, "append the last positions; keys:")},
    {FIELD_TEXT(
        "journal", "FILE", journal, NULL,
        "file of results from which the same command carries on, or none (default: FILE.journal of --pgnout, "
        "else luft-lab-NUMBER.journal, a number for each command)")},
    {FIELD_FLAG("again", setup.again, "start over, and keep the old files as FILE.old")},
    {FIELD_BARE_KEYS("config", CONFIG_KEYS, "a command that need not be typed again; keys:")},
    {FIELD_BARE_KEYS("log", LOG_KEYS, "the engines' standard error, and a log; keys:")},
    {FIELD_TEXT("results", "FILE", results, NULL,
                "at the end append a row for each pairing, with the verdict of sprt: results/matches.tsv, "
                "results/experiments.tsv")},
    {FIELD_TEXT("event", "TEXT", setup.event, NULL, "Event tag of the PGN")},
    {FIELD_TEXT("site", "TEXT", setup.site, NULL, "Site tag of the PGN")},
    {FIELD_FLAG("reproducible", setup.reproducible, "write no dates and times to the PGN")},
    {FIELD_HEADING("Care:")},
    {FIELD_FLAG("pin", setup.pin, "run each game on its own processors")},
    {FIELD_TEXT("use-affinity", "CPUS", setup.pin_to, NULL, "the same; on these, as 3,5,7-11"),
     .flags = FIELD_OPTIONAL},
    {FIELD_FLAG("checkpv", setup.rules.check_every_pv, "check every PV, not only the last of a move")},
    {FIELD_SECONDS("starttimeout", start_timeout, 0.001, 1e6, "10", "how long an engine may take to start")},
    {FIELD_SECONDS("stalltimeout", stall_timeout, 0.001, 1e6, "60",
                   "how long an engine without a clock may be silent")},
    {FIELD_WHOLE(
        "ratinginterval", "N", interval, 0, GAMES_MAX, NULL,
        "without a terminal: print a line every N pairs, and of three engines and more the ratings so far; "
        "0: none")},
    {FIELD_WHOLE("scoreinterval", "N", interval, 0, GAMES_MAX, NULL, "the same")},
    {FIELD_FLAG("quiet", quiet, "print nothing but results")},
    {FIELD_GROUP(engines, FOREIGN_FIELDS)},
    {0}};
#undef FIELD_STRUCT

/* Other runners say file=PATH. */
static const char *path_of(const char *text) {
    return text != NULL && strncmp(text, "file=", 5) == 0 ? text + 5 : text;
}

void match_options_release(MatchOptions *options) {
    engine_list_release(&options->engines);
    openings_release(options->book);
    options->book = NULL;
    syzygy_load(&options->tables, text_view(""));
    buffer_release(&options->config_words);
    memory_release(options->setup.words.word);
    options->setup.words = (WordList){0};
}

/* The file that a word of the command line, and the one after it, name as -config; NULL: none. */
static const char *config_of(const char *word, const char *next) {
    static const char *const NAMES[] = {"-config", "--config"};
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(NAMES[i]);
        if (strncmp(word, NAMES[i], length) != 0) continue;
        if (word[length] == '=') return path_of(word + length + 1);
        const bool is_file = next != NULL && (strchr(next, '=') == NULL || strncmp(next, "file=", 5) == 0);
        if (word[length] == '\0') return is_file ? path_of(next) : NULL;
    }
    return NULL;
}

/* Paths in a command mean files of the folder in which it was given. */
static Status check_folder(const char *config, const char *folder) {
    struct stat here, there;
    if (folder[0] == '\0' || (stat(".", &here) == 0 && stat(folder, &there) == 0 &&
                              here.st_dev == there.st_dev && here.st_ino == there.st_ino))
        return status_ok();
    return status_error(
        "the command of %.80s was given in the folder %.100s, and its paths mean files there: "
        "give it there",
        config, folder);
}

static bool is_openings(const char *word) {
    static const char NAME[] = "-openings";
    const char *const name = word[0] == '-' && word[1] == '-' ? word + 1 : word;
    const size_t length = sizeof NAME - 1;
    return strncmp(name, NAME, length) == 0 && (name[length] == '\0' || name[length] == '=');
}

static bool names_openings(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (is_openings(argv[i])) return true;
    return false;
}

Status match_options_expand(MatchOptions *options, int argc, char **argv) {
    const char *config = NULL;
    for (int i = 1; i < argc && config == NULL; i++) config = config_of(argv[i], argv[i + 1]);
    TextBuffer *words = &options->config_words;
    char folder[FILE_PATH_CAPACITY] = "";
    Status status = config != NULL ? journal_read_command(config, folder, words) : status_ok();
    if (status_is_ok(&status)) status = check_folder(config, folder);
    if (!status_is_ok(&status)) return status;
    int count = 0;
    for (size_t i = 0; i < words->length; i++) count += words->data[i] == '\0';
    char **word = memory_allocate((size_t)(argc + count + 1) * sizeof *word);
    if (word == NULL) return status_no_memory("the words of a command");
    options->setup.words = (WordList){word, 0};
    word[options->setup.words.count++] = argv[0];
    /* The first of the words is the name of the command. */
    if (count > 0 && strcmp(words->data, argv[0]) != 0)
        return status_error("%.80s is of luft-lab %.16s, not of luft-lab %s", config, words->data, argv[0]);
    /* Openings that are said here replace those of the command: keys of both would be neither. */
    const bool has_openings = names_openings(argc, argv);
    bool is_replaced = false;
    for (size_t i = 0; i < words->length; i += strlen(words->data + i) + 1) {
        if (words->data[i] == '-') is_replaced = has_openings && is_openings(words->data + i);
        if (i > 0 && !is_replaced) word[options->setup.words.count++] = words->data + i;
    }
    for (int i = 1; i < argc; i++) word[options->setup.words.count++] = argv[i];
    return status;
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
    if (openings->path == NULL && (openings->format != OPENINGS_BY_CONTENT ||
                                   openings->order != OPENINGS_IN_ORDER || openings->start > 1))
        return status_error("--openings needs file=BOOK");
    if (options->setup.tablebases == NULL && (rules->table_pieces > 0 || rules->table_ignores_50))
        return status_error("--tbpieces and --tbignore50 need --tb DIR");
    if (openings->path != NULL && openings->generate > 0)
        return status_error("--openings: either file=BOOK or generate=SEED");
    return status_ok();
}

static bool is_none(const char *path) { return path != NULL && strcmp(path, "none") == 0; }

/* Where the journal and the logs go, also when no option says it. */
static Status choose_paths(MatchOptions *options) {
    enum { ENDING = 16 }; /* room for .journal and .logs */
    MatchSetup *setup = &options->setup;
    const char *journal = options->config != NULL ? options->config : path_of(options->journal);
    const char *log = options->log;
    const char *const paths[] = {setup->pgn_path, setup->epd_path, journal, log};
    for (int i = 0; i < 4; i++)
        if (paths[i] != NULL && strlen(paths[i]) >= ENGINE_PATH_CAPACITY - ENDING)
            return status_error("the path %.60s... is too long", paths[i]);
    if (journal != NULL)
        text_format(options->journal_path, sizeof options->journal_path, "%s", journal);
    else if (setup->pgn_path != NULL)
        text_format(options->journal_path, sizeof options->journal_path, "%s.journal", setup->pgn_path);
    else
        text_format(options->journal_path, sizeof options->journal_path, "luft-lab-%08" PRIx32 ".journal",
                    (uint32_t)journal_command_hash(setup));
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

int match_options_interval(const MatchOptions *options) {
    return options->interval == 0 ? INT_MAX : int_max(options->interval, 0);
}

Status match_options_finish(MatchOptions *options) {
    MatchSetup *setup = &options->setup;
    Status status = engine_list_finish(&options->engines);
    if (!status_is_ok(&status)) return status;
    setup->engines = options->engines.engines;
    setup->engine_count = options->engines.count;
    const int64_t pairs = (int64_t)options->rounds * (options->games / 2);
    if (setup->kind == MATCH_GAUNTLET && setup->seeds >= setup->engine_count)
        return status_error("--seeds %d: a gauntlet of %d engines has no others", setup->seeds,
                            setup->engine_count);
    if (pairs * match_pairings(setup) > GAMES_MAX)
        return status_error("more than %d pairs of games", GAMES_MAX);
    setup->pairs = (int)pairs;
    setup->chess960 |= options->variant == 1;
    setup->openings.chess960 = setup->chess960;
    setup->openings.start -= 1; /* said from 1 on */
    setup->start_timeout = (int64_t)(options->start_timeout * 1000 + 0.5);
    setup->stall_timeout = (int64_t)(options->stall_timeout * 1000 + 0.5);
    status = choose_paths(options);
    if (status_is_ok(&status) && setup->tablebases != NULL) {
        status = syzygy_load(&options->tables, text_view(setup->tablebases));
        setup->rules.tables = &options->tables;
    }
    if (!status_is_ok(&status)) return status;
    status = openings_load(&setup->openings, &options->book);
    setup->book = options->book;
    if (status_is_ok(&status) && setup->openings.path != NULL &&
        setup->openings.start >= openings_count(setup->book))
        return status_error("--openings: start=%d, but %s has %" PRId64, setup->openings.start + 1,
                            setup->openings.path, openings_count(setup->book));
    return status;
}
