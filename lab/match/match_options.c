#include "lab/match/match_options.h"

#include <stdio.h>
#include <string.h>

enum { GAMES_MAX = 100000000, CONCURRENCY_MAX = 512 };

const char MATCH_OPTIONS_HELP[] =
    "Engines (each with any number of settings; -each applies to all that do not say otherwise):\n"
    "  -engine cmd=PROGRAM [name=N] [dir=D] [arg=A]... [option.NAME=VALUE]... [LIMIT]... [restart=on]\n"
    "  -each SETTINGS\n"
    "      limits: tc=[MOVES/]SECONDS[+INCREMENT] (also M:SS, or inf), st=SECONDS a move, depth=N, nodes=N\n"
    "      timemargin=MS   how far a clock may be overdrawn (default 0; with st= 50)\n"
    "\n"
    "Games, always in pairs: one opening, colours reversed:\n"
    "  -rounds N           rounds of each pairing (default 1)\n"
    "  -games N            games of a pairing in a round, an even number (default 2)\n"
    "  -concurrency N      games at once (default 1)\n"
    "  -tournament KIND    roundrobin (default), or gauntlet: the first against each other\n"
    "  -variant NAME       standard (default) or chess960\n"
    "  -openings file=BOOK [format=epd|pgn] [order=sequential|random] [seed=N] [plies=N] [start=N]\n"
    "      without a book: the initial position, or in Chess960 random arrays\n"
    "  -srand N            the seed, too (default 1)\n"
    "\n"
    "Ends that are not the rules' (mate, stalemate, repetition, fifty moves, dead positions need no "
    "option):\n"
    "  -draw movenumber=N movecount=N score=CP    both sides within CP of 0 for movecount moves, from "
    "movenumber on\n"
    "  -resign movecount=N score=CP [twosided=true]\n"
    "  -maxmoves N         a draw after N moves\n"
    "\n"
    "Files:\n"
    "  -pgnout FILE        append the games\n"
    "  -journal FILE       what --resume needs (default: FILE.journal of -pgnout, else luft-lab.journal; "
    "none: no journal)\n"
    "  -resume             carry on where the journal ends\n"
    "  -log FOLDER         the engines' standard error (default: beside the journal, .logs; none: thrown "
    "away)\n"
    "  -event TEXT, -site TEXT, -reproducible (no dates and times in the PGN)\n"
    "\n"
    "Care:\n"
    "  -pin                each game on processors of its own\n"
    "  -checkpv            check every PV, not only the last of each move\n"
    "  -starttimeout S     patience with engines that start (default 10 seconds)\n"
    "  -stalltimeout S     patience with silent engines that have no clock (default 60 seconds)\n"
    "  -ratinginterval N   without a terminal: a line every N pairs\n"
    "  -quiet              nothing but results\n"
    "One dash or two; times in seconds.\n";

bool option_is(const char *argument, const char *name) {
    return argument[0] == '-' && strcmp(argument + (argument[1] == '-' ? 2 : 1), name) == 0;
}

Status option_value(int argc, char **argv, int *index, const char **value) {
    *value = "";
    if (*index + 1 >= argc) return status_error("%s needs a value", argv[*index]);
    *value = argv[++*index];
    return status_ok();
}

Status option_integer(int argc, char **argv, int *index, int64_t low, int64_t high, int64_t *value) {
    const char *option = argv[*index], *text;
    int64_t number;
    Status status = option_value(argc, argv, index, &text);
    if (!status_is_ok(&status)) return status;
    if (!text_parse_int64(text_view(text), &number) || number < low || number > high)
        return status_error("%s must be a whole number from %lld to %lld, not \"%s\"", option, (long long)low,
                            (long long)high, text);
    *value = number;
    return status;
}

Status option_number(int argc, char **argv, int *index, double low, double high, double *value) {
    const char *option = argv[*index], *text;
    double number;
    Status status = option_value(argc, argv, index, &text);
    if (!status_is_ok(&status)) return status;
    if (!text_parse_double(text_view(text), &number) || number < low || number > high)
        return status_error("%s must be a number from %g to %g, not \"%s\"", option, low, high, text);
    *value = number;
    return status;
}

bool option_key(const char *word, const char *key, const char **value) {
    size_t length = strlen(key);
    if (strncmp(word, key, length) != 0 || word[length] != '=') return false;
    *value = word + length + 1;
    return true;
}

void match_options_init(MatchOptions *options) {
    *options = (MatchOptions){0};
    options->setup.concurrency = 1;
    options->setup.openings.seed = 1;
}

void match_options_release(MatchOptions *options) {
    engine_list_release(&options->engines);
    openings_release(options->book);
    options->book = NULL;
}

/* --- options made of key=value words --- */

/* One key that takes a whole number. */
typedef struct NumberKey {
    const char *key;
    int *value;
    int low, high;
} NumberKey;

static Status set_number(const NumberKey *keys, const char *flag, const char *word, bool *taken) {
    const char *text;
    int64_t number;
    for (; keys->key != NULL; keys++) {
        if (!option_key(word, keys->key, &text)) continue;
        *taken = true;
        if (!text_parse_int64(text_view(text), &number) || number < keys->low || number > keys->high)
            return status_error("%s: %s must be a whole number from %d to %d, not \"%s\"", flag, keys->key,
                                keys->low, keys->high, text);
        *keys->value = (int)number;
        return status_ok();
    }
    return status_ok();
}

static Status unknown_word(const char *flag, const char *word) {
    return status_error("%s does not know \"%s\"", flag, word);
}

static bool is_word_of_option(int argc, char **argv, int index) {
    return index < argc && argv[index][0] != '-';
}

static Status read_openings_word(OpeningOptions *openings, const char *flag, const char *word, int *seed) {
    const char *value;
    int start = 0;
    const NumberKey numbers[] = {{"seed", seed, 0, INT32_MAX},
                                 {"plies", &openings->plies, 0, 1000},
                                 {"start", &start, 1, INT32_MAX},
                                 {NULL, NULL, 0, 0}};
    bool taken = false;
    Status status = set_number(numbers, flag, word, &taken);
    if (start > 0) openings->start = start - 1;
    if (taken) return status;
    if (option_key(word, "file", &value))
        openings->path = value;
    else if (option_key(word, "format", &value) && strcmp(value, "epd") == 0)
        openings->format = OPENINGS_EPD;
    else if (option_key(word, "format", &value) && strcmp(value, "pgn") == 0)
        openings->format = OPENINGS_PGN;
    else if (option_key(word, "order", &value) && strcmp(value, "sequential") == 0)
        openings->order = OPENINGS_IN_ORDER;
    else if (option_key(word, "order", &value) && strcmp(value, "random") == 0)
        openings->order = OPENINGS_RANDOM;
    else
        return unknown_word(flag, word);
    return status_ok();
}

static Status read_openings(MatchOptions *options, int argc, char **argv, int *index) {
    const char *flag = argv[(*index)++];
    OpeningOptions *openings = &options->setup.openings;
    int seed = -1;
    Status status = status_ok();
    while (status_is_ok(&status) && is_word_of_option(argc, argv, *index))
        status = read_openings_word(openings, flag, argv[(*index)++], &seed);
    if (seed >= 0) openings->seed = (uint64_t)seed;
    if (status_is_ok(&status) && openings->path == NULL) return status_error("%s needs file=BOOK", flag);
    return status;
}

static Status read_numbers(const NumberKey *keys, int argc, char **argv, int *index, bool *two_sided) {
    const char *flag = argv[(*index)++], *value;
    Status status = status_ok();
    while (status_is_ok(&status) && is_word_of_option(argc, argv, *index)) {
        const char *word = argv[(*index)++];
        bool taken = false;
        status = set_number(keys, flag, word, &taken);
        if (taken) continue;
        if (two_sided == NULL || !option_key(word, "twosided", &value)) return unknown_word(flag, word);
        *two_sided = strcmp(value, "true") == 0;
    }
    return status;
}

static Status read_draw(GameRules *rules, int argc, char **argv, int *index) {
    const NumberKey keys[] = {{"movenumber", &rules->draw_from_move, 0, 10000},
                              {"movecount", &rules->draw_moves, 1, 10000},
                              {"score", &rules->draw_score, 0, 30000},
                              {NULL, NULL, 0, 0}};
    Status status = read_numbers(keys, argc, argv, index, NULL);
    if (status_is_ok(&status) && rules->draw_moves == 0) return status_error("-draw needs movecount=N");
    return status;
}

static Status read_resign(GameRules *rules, int argc, char **argv, int *index) {
    const NumberKey keys[] = {{"movecount", &rules->resign_moves, 1, 10000},
                              {"score", &rules->resign_score, 1, 30000},
                              {NULL, NULL, 0, 0}};
    Status status = read_numbers(keys, argc, argv, index, &rules->resign_twosided);
    if (status_is_ok(&status) && (rules->resign_moves == 0 || rules->resign_score == 0))
        return status_error("-resign needs movecount=N and score=CP");
    return status;
}

/* --- options of one value, and of none --- */

static Status read_tournament(MatchOptions *options, int argc, char **argv, int *index) {
    const char *value;
    Status status = option_value(argc, argv, index, &value);
    if (!status_is_ok(&status)) return status;
    if (strcmp(value, "gauntlet") == 0)
        options->setup.kind = MATCH_GAUNTLET;
    else if (strcmp(value, "roundrobin") == 0 || strcmp(value, "round-robin") == 0)
        options->setup.kind = MATCH_ROUND_ROBIN;
    else
        return status_error("-tournament must be roundrobin or gauntlet, not \"%s\"", value);
    return status;
}

static Status read_variant(MatchOptions *options, int argc, char **argv, int *index) {
    const char *value;
    Status status = option_value(argc, argv, index, &value);
    if (!status_is_ok(&status)) return status;
    if (strcmp(value, "chess960") == 0 || strcmp(value, "fischerandom") == 0)
        options->setup.chess960 = true;
    else if (strcmp(value, "standard") != 0)
        return status_error("-variant must be standard or chess960, not \"%s\"", value);
    return status;
}

static Status read_int(int argc, char **argv, int *index, int low, int high, int *value) {
    int64_t number = *value;
    Status status = option_integer(argc, argv, index, low, high, &number);
    *value = (int)number;
    return status;
}

static Status read_seconds(int argc, char **argv, int *index, int64_t *milliseconds) {
    double seconds = 0;
    Status status = option_number(argc, argv, index, 0.001, 1e6, &seconds);
    *milliseconds = (int64_t)(seconds * 1000 + 0.5);
    return status;
}

static Status read_path(int argc, char **argv, int *index, const char **path) {
    Status status = option_value(argc, argv, index, path);
    const char *value;
    if (status_is_ok(&status) && option_key(*path, "file", &value)) *path = value;
    return status;
}

static Status read_own_path(int argc, char **argv, int *index, char out[ENGINE_PATH_CAPACITY]) {
    const char *path = "", *flag = argv[*index];
    Status status = read_path(argc, argv, index, &path);
    if (strlen(path) >= ENGINE_PATH_CAPACITY - 8) return status_error("%s: the path is too long", flag);
    text_copy(text_view(path), out, ENGINE_PATH_CAPACITY);
    return status;
}

/* Options with one value; *index then stands on it. */
static Status read_valued(MatchOptions *options, int argc, char **argv, int *index, bool *taken) {
    const char *word = argv[*index];
    MatchSetup *setup = &options->setup;
    if (option_is(word, "rounds")) return read_int(argc, argv, index, 1, GAMES_MAX, &options->rounds);
    if (option_is(word, "games")) return read_int(argc, argv, index, 2, GAMES_MAX, &options->games);
    if (option_is(word, "concurrency"))
        return read_int(argc, argv, index, 1, CONCURRENCY_MAX, &setup->concurrency);
    if (option_is(word, "maxmoves")) return read_int(argc, argv, index, 1, 100000, &setup->rules.max_moves);
    if (option_is(word, "ratinginterval"))
        return read_int(argc, argv, index, 1, GAMES_MAX, &options->interval);
    if (option_is(word, "tournament")) return read_tournament(options, argc, argv, index);
    if (option_is(word, "variant")) return read_variant(options, argc, argv, index);
    if (option_is(word, "pgnout")) return read_path(argc, argv, index, &setup->pgn_path);
    if (option_is(word, "journal")) return read_own_path(argc, argv, index, options->journal_path);
    if (option_is(word, "log")) return read_own_path(argc, argv, index, options->log_folder);
    if (option_is(word, "event")) return option_value(argc, argv, index, &setup->event);
    if (option_is(word, "site")) return option_value(argc, argv, index, &setup->site);
    if (option_is(word, "starttimeout")) return read_seconds(argc, argv, index, &setup->start_timeout);
    if (option_is(word, "stalltimeout")) return read_seconds(argc, argv, index, &setup->stall_timeout);
    if (option_is(word, "srand")) {
        int64_t seed = 0;
        Status status = option_integer(argc, argv, index, 0, INT64_MAX, &seed);
        setup->openings.seed = (uint64_t)seed;
        return status;
    }
    *taken = false;
    return status_ok();
}

static bool read_switch(MatchOptions *options, const char *word) {
    MatchSetup *setup = &options->setup;
    if (option_is(word, "resume"))
        setup->resume = true;
    else if (option_is(word, "pin"))
        setup->pin = true;
    else if (option_is(word, "reproducible"))
        setup->reproducible = true;
    else if (option_is(word, "checkpv"))
        setup->rules.check_every_pv = true;
    else if (option_is(word, "chess960"))
        setup->chess960 = true;
    else if (option_is(word, "quiet"))
        options->quiet = true;
    else if (option_is(word, "help") || strcmp(word, "-h") == 0)
        options->help = true;
    else /* what other runners need to be told is always so here */
        return option_is(word, "repeat") || option_is(word, "recover");
    return true;
}

Status match_options_read(MatchOptions *options, int argc, char **argv, int *index, bool *taken) {
    Status status = engine_list_read(&options->engines, argc, argv, index, taken);
    if (*taken || !status_is_ok(&status)) return status;
    *taken = true;
    const char *word = argv[*index];
    if (option_is(word, "openings")) return read_openings(options, argc, argv, index);
    if (option_is(word, "draw")) return read_draw(&options->setup.rules, argc, argv, index);
    if (option_is(word, "resign")) return read_resign(&options->setup.rules, argc, argv, index);
    if (!read_switch(options, word)) status = read_valued(options, argc, argv, index, taken);
    if (*taken) ++*index;
    return status;
}

/* Where the journal and the logs go when nobody said. */
static void choose_paths(MatchOptions *options) {
    MatchSetup *setup = &options->setup;
    char *journal = options->journal_path, *log = options->log_folder;
    if (journal[0] == '\0') {
        if (setup->pgn_path != NULL && strlen(setup->pgn_path) < ENGINE_PATH_CAPACITY - 16)
            text_format(journal, ENGINE_PATH_CAPACITY, "%s.journal", setup->pgn_path);
        else
            text_format(journal, ENGINE_PATH_CAPACITY, "luft-lab.journal");
    }
    setup->journal_path = strcmp(journal, "none") == 0 ? NULL : journal;
    if (log[0] == '\0' && setup->journal_path != NULL) {
        size_t length = strlen(journal);
        bool ending = length > 8 && strcmp(journal + length - 8, ".journal") == 0;
        text_format(log, ENGINE_PATH_CAPACITY, "%.*s.logs", (int)(ending ? length - 8 : length), journal);
    }
    setup->log_folder = log[0] == '\0' || strcmp(log, "none") == 0 ? NULL : log;
}

Status match_options_finish(MatchOptions *options) {
    MatchSetup *setup = &options->setup;
    Status status = engine_list_finish(&options->engines);
    if (!status_is_ok(&status)) return status;
    if (options->engines.count < 2)
        return status_error("a match needs at least two engines: -engine cmd=PROGRAM, twice");
    if (options->rounds == 0) options->rounds = 1;
    if (options->games == 0) options->games = 2;
    if (options->games % 2 != 0)
        return status_error("-games %d: games come in pairs, so their number is even", options->games);
    setup->engines = options->engines.engines;
    setup->engine_count = options->engines.count;
    int64_t pairs = (int64_t)options->rounds * (options->games / 2);
    int64_t all = pairs * setup->engine_count * setup->engine_count;
    if (all > GAMES_MAX) return status_error("more than %d pairs of games", GAMES_MAX);
    setup->pairs = (int)pairs;
    setup->openings.chess960 = setup->chess960;
    choose_paths(options);
    status = openings_load(&setup->openings, &options->book);
    setup->book = options->book;
    return status;
}
