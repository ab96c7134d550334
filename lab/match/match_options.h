/* The options that match and sprt share: -engine, -each, -rounds, -openings, ... */
#ifndef LUFT_MATCH_MATCH_OPTIONS_H
#define LUFT_MATCH_MATCH_OPTIONS_H

#include "base/field.h"
#include "lab/client/engine_config.h"
#include "lab/match/match.h"

enum { INTERVAL_CHOSEN = -1 };

/* Start from {.interval = INTERVAL_CHOSEN}; free with match_options_release. */
typedef struct MatchOptions {
    EngineList engines;
    MatchSetup setup; /* points into this struct and into argv; filled by match_options_finish */
    OpeningBook *book;
    int games, rounds;
    int interval; /* plain lines: one every N pairs; 0: none; INTERVAL_CHOSEN: nobody said it */
    bool quiet;
    const char *results;                 /* NULL: no file of results */
    int variant;                         /* a choice */
    double start_timeout, stall_timeout; /* seconds */
    const char *journal, *config, *log;
    TextBuffer config_words; /* of the command that `config` has */
    Syzygy tables;
    char journal_path[ENGINE_PATH_CAPACITY];
    char log_folder[ENGINE_PATH_CAPACITY];
} MatchOptions;

extern const Field MATCH_FIELDS[];

/* Before the table is read: setup.words become the words of the command line, after those of the command that
 * -config names. They are what is to be read. */
Status match_options_expand(MatchOptions *options, int argc, char **argv);
void match_options_release(MatchOptions *options);

/* After the table was read: what does not fit together. */
Status match_options_check(const MatchOptions *options);

/* The interval as a report wants it. */
int match_options_interval(const MatchOptions *options);

/* After the check: completes the engines, loads the book, fills `setup`. */
Status match_options_finish(MatchOptions *options);

#endif
