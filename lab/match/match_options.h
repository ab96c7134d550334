/* The options that match, sprt and others share: -engine, -each, -games, -rounds, -openings, ... With one
 * dash or two. */
#ifndef LUFT_MATCH_MATCH_OPTIONS_H
#define LUFT_MATCH_MATCH_OPTIONS_H

#include "lab/client/engine_config.h"
#include "lab/match/match.h"

/* Start with match_options_init; free with match_options_release. */
typedef struct MatchOptions {
    EngineList engines;
    MatchSetup setup; /* points into this struct and into argv; filled by match_options_finish */
    OpeningBook *book;
    int games, rounds;
    int interval; /* plain lines: one every so many pairs */
    bool quiet;
    bool help;
    char journal_path[ENGINE_PATH_CAPACITY];
    char log_folder[ENGINE_PATH_CAPACITY];
} MatchOptions;

void match_options_init(MatchOptions *options);
void match_options_release(MatchOptions *options);

/* When argv[*index] is a shared option, reads it with its words, moves *index behind them and sets *taken. A
 * command tries its own options first. */
Status match_options_read(MatchOptions *options, int argc, char **argv, int *index, bool *taken);

/* After the last argument: completes the engines, loads the book, fills `setup`. */
Status match_options_finish(MatchOptions *options);

/* The lines of --help that explain the shared options. */
extern const char MATCH_OPTIONS_HELP[];

/* Whether `argument` is the option `name`, with one dash or two ("games" fits -games and --games). */
bool option_is(const char *argument, const char *name);

/* The value behind an option that needs one: moves *index to it, or says that it is missing. */
Status option_value(int argc, char **argv, int *index, const char **value);
Status option_integer(int argc, char **argv, int *index, int64_t low, int64_t high, int64_t *value);
Status option_number(int argc, char **argv, int *index, double low, double high, double *value);

/* Takes `key=` off the front of a word: true when it fits, *value then is the rest. */
bool option_key(const char *word, const char *key, const char **value);

#endif
