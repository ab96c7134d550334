/* The engine's options: one table, from which `uci` lists them and `setoption` sets them. Values only; what a
 * change costs (a new table, a cleared one) is the engine's business. In the LAB=1 build the search's numbers
 * follow under their names and its techniques as "Use <name>"; those belong to the whole program, not to one
 * Options. One thread at a time, and no search going on. */
#ifndef LUFT_ENGINE_OPTIONS_H
#define LUFT_ENGINE_OPTIONS_H

#include "base/status.h"
#include "base/text.h"

typedef struct Options {
    int hash; /* MiB */
    int threads;
    int ponder;            /* tells the GUI that pondering works; nothing in the search depends on it */
    int multi_pv;          /* lines wanted */
    int move_overhead;     /* milliseconds lost on every move outside the search */
    int chess960;          /* castling is written as king takes rook */
    int show_wdl;          /* chances of win, draw and loss follow each score */
    int show_refutations;  /* what answers the moves that are not the best; UCI only */
    int show_current_line; /* see SearchLimits.current_line */
    int analyse_mode;      /* no opponent waits for a move: see SearchLimits.analyse */
    int tablebase_depth, tablebase_pieces, fifty_move_rule; /* see TableUse */
} Options;

/* What the engine has to do after a value has changed. */
typedef enum OptionEffect {
    EFFECT_NONE,
    EFFECT_HASH,
    EFFECT_THREADS,
    EFFECT_CLEAR_HASH,
    EFFECT_NETWORK,
    EFFECT_TABLEBASES
} OptionEffect;

enum { OPTION_TEXT_CAPACITY = 160 };

/* The value of EvalFile that stands for the network inside the program; an empty value does too. */
#define OPTION_FILE_EMBEDDED "<embedded>"
/* The value of SyzygyPath that stands for no tablebases, as an empty one does. */
#define OPTION_PATH_EMPTY    "<empty>"

Options options_standard(void);

int options_count(void);

/* The line that lists option `index` (below options_count) after `uci`: "option name Hash type spin default
 * 16 …". */
void options_describe(int index, char out[OPTION_TEXT_CAPACITY]);

/* Sets one option. The value of a file's option is not kept here. Its name is matched without regard to case;
 * an unknown one is ignored, as the protocol asks,
 * and so are those of tablebases in a build without them. A value that is no number or outside the limits is
 * refused and `*options` stays as it was. */
Status options_set(Options *options, TextView name, TextView value, OptionEffect *effect);

#endif
