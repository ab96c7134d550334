/* The engine's options: one row each, from which `uci` lists them, `setoption` sets them and the man page
 * describes them; the table is ENGINE_OPTIONS in engine.h. In the LAB=1 build the search's numbers follow
 * under their names and its techniques as "Use <name>"; those belong to the whole program, not to one
 * Options. One thread at a time, and no search going on. */
#ifndef LUFT_ENGINE_OPTIONS_H
#define LUFT_ENGINE_OPTIONS_H

#include "base/field.h"

typedef struct Options {
    int hash; /* MiB */
    int threads;
    bool ponder;            /* shows the GUI that pondering works; nothing in the search depends on it */
    int multi_pv;           /* lines wanted */
    int move_overhead;      /* milliseconds lost on every move outside the search */
    bool chess960;          /* castling is written as king takes rook */
    bool show_wdl;          /* chances of win, draw and loss follow each score */
    bool show_refutations;  /* what answers the moves that are not the best; UCI only */
    bool show_current_line; /* see SearchLimits.current_line */
    bool analyse_mode;      /* no opponent waits for a move: see SearchLimits.analyse */
    int tablebase_depth, tablebase_pieces;
    bool fifty_move_rule; /* see TableUse */
} Options;

/* What has to be done for a new value, before it counts: `wanted` are the options with it, `value` is the
 * text of an option that has no member. On failure everything is as before. */
typedef struct Engine Engine;
typedef Status OptionChange(Engine *engine, const Options *wanted, TextView value);

typedef struct Option {
    Field field;
    OptionChange *change;  /* NULL: nothing has to be done */
    bool needs_tablebases; /* only in builds that read them */
} Option;

/* What stands in the braces of a row, next to FIELD_FLAG and FIELD_WHOLE: a text or a button, which have no
 * member; the value goes to `change`. */
#define OPTION_STRING(name_, standard_, help_) \
    .kind = FIELD_KIND_TEXT, .name = name_, .standard = standard_, .help = help_
#define OPTION_BUTTON(name_, help_) .kind = FIELD_KIND_TAKEN, .name = name_, .help = help_

enum { OPTION_TEXT_CAPACITY = 160 };

/* All with their standard values. */
Options options_standard(const Option *table);

/* The options of this build: those of the table, and those of the search in the LAB=1 build. */
int options_count(const Option *table);

/* The line that lists option `index` (below options_count) after `uci`: "option name Hash type spin default
 * 16 ...". */
void options_describe(const Option *table, int index, char out[OPTION_TEXT_CAPACITY]);

/* Sets one option, and reports in *change what has to be done (NULL: nothing). Its name is matched without
 * regard to case; an unknown one is ignored, as the protocol asks, and so are those of tablebases in a build
 * without them. A value that is no number or outside the limits is refused and `*options` stays as it was. */
Status options_set(const Option *table, Options *options, TextView name, TextView value,
                   OptionChange **change);

#endif
