/* Engines written in a line of shell, for tests of code that runs engines. They play given moves. */
#ifndef LUFT_UNIT_SHELL_ENGINE_H
#define LUFT_UNIT_SHELL_ENGINE_H

#include "base/text.h"
#include "lab/client/engine_config.h"

#include <string.h>

/* The commands that every engine understands. `on_go` is the reaction to "go": $1 is the next move, $POS the
 * words after "position". */
static inline void shell_engine_set_up(EngineConfig *config, const char *name, const char *moves,
                                       const char *on_go) {
    enum { WORDS = 6 };
    static const char SCRIPT[] =
        "while read -r word rest; do case $word in "
        "uci) echo id name Shell; echo option name Hash type spin default 1 min 1 max 9; "
        "echo option name UCI_Chess960 type check default false; echo uciok;; "
        "isready) echo readyok;; ucinewgame) set -- $MOVES;; position) POS=$rest;; quit) exit 0;; "
        "go) eval \"$GO\";; esac; done";
    memset(config, 0, sizeof *config);
    text_copy(text_view(name), config->name, sizeof config->name);
    text_copy(text_view("env"), config->command, sizeof config->command);
    text_format(config->arguments[0], ENGINE_ARGUMENT_CAPACITY, "MOVES=%s", moves);
    text_format(config->arguments[1], ENGINE_ARGUMENT_CAPACITY, "GO=%s", on_go);
    text_format(config->arguments[2], ENGINE_ARGUMENT_CAPACITY, "sh");
    text_format(config->arguments[3], ENGINE_ARGUMENT_CAPACITY, "-c");
    /* Longer than one argument may be, so the shell joins the script from two. */
    size_t half = sizeof SCRIPT / 2;
    text_format(config->arguments[4], ENGINE_ARGUMENT_CAPACITY, "eval \"$0$1\"");
    text_copy((TextView){SCRIPT, half}, config->arguments[5], ENGINE_ARGUMENT_CAPACITY);
    text_copy((TextView){SCRIPT + half, sizeof SCRIPT - 1 - half}, config->arguments[6],
              ENGINE_ARGUMENT_CAPACITY);
    config->argument_count = WORDS + 1;
    config->limits.depth = 1;
}

/* An engine that plays its moves in order, with a score. */
static const char SHELL_PLAY[] =
    "echo info depth 3 score cp ${SCORE:-10} nodes 5 pv $1; echo bestmove $1; shift";

#endif
