/* The options that match and sprt share: -engine, -each, -rounds, -openings, ... */
#ifndef LUFT_MATCH_MATCH_OPTIONS_H
#define LUFT_MATCH_MATCH_OPTIONS_H

#include "base/arguments.h"
#include "lab/client/engine_config.h"
#include "lab/match/match.h"

enum { MATCH_OPTIONS = 33 };

/* Start with match_options_init; free with match_options_release. Not to be copied: the table points into it.
 */
typedef struct MatchOptions {
    Argument table[MATCH_OPTIONS]; /* to be read with arguments_read */
    Argument openings_keys[6], draw_keys[3], resign_keys[3];
    EngineList engines;
    MatchSetup setup; /* points into this struct and into argv; filled by match_options_finish */
    OpeningBook *book;
    int games, rounds;
    int interval; /* plain lines: one every N pairs */
    bool quiet;
    int tournament, variant, format, order, start; /* as they are said: choices, and counted from 1 */
    double start_timeout, stall_timeout;           /* seconds */
    const char *journal, *log;
    bool is_taken_for_granted;
    char journal_path[ENGINE_PATH_CAPACITY];
    char log_folder[ENGINE_PATH_CAPACITY];
} MatchOptions;

void match_options_init(MatchOptions *options);
void match_options_release(MatchOptions *options);

/* After the table was read: what does not fit together. */
Status match_options_check(const MatchOptions *options);

/* After the check: completes the engines, loads the book, fills `setup`. */
Status match_options_finish(MatchOptions *options);

#endif
