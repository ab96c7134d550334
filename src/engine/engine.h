/* The engine as a library: a position, options, a search pool; results come through callbacks, nothing is
 * printed. One owner calls these from one thread at a time; only engine_stop and engine_ponderhit may come
 * from any thread. The callbacks come from the search thread, between engine_go and the return of
 * engine_wait; meanwhile the position and the options must be left alone, but may be read by anyone. */
#ifndef LUFT_ENGINE_ENGINE_H
#define LUFT_ENGINE_ENGINE_H

#include "base/field.h"
#include "chess/position.h"
#include "level/level.h"
#include "nnue/evaluate.h"
#include "search/limits.h"

/* --- options --- */

typedef struct Options {
    int hash; /* MiB */
    int threads;
    bool ponder;            /* shows the GUI that pondering works; nothing in the search depends on it */
    int multi_pv;           /* lines wanted */
    int move_overhead;      /* milliseconds lost on every move outside the search */
    int node_time;          /* nodes that count as a millisecond; 0: the clock measures time */
    bool chess960;          /* castling is written as king takes rook */
    bool show_wdl;          /* chances of win, draw and loss follow each score */
    bool show_refutations;  /* what answers the moves that are not the best; UCI only */
    bool show_current_line; /* see SearchLimits.current_line */
    bool analyse_mode;      /* no opponent waits for a move: see SearchLimits.analyse */
    int tablebase_depth, tablebase_pieces;
    bool fifty_move_rule; /* see TableUse */
    bool limit_strength;  /* play as an opponent of `elo` would (level.h), not at full strength */
    int elo;
    int skill;       /* another name for a level, which counts without limit_strength; LEVEL_SKILL_MAX: full
                        strength */
    int level_seed;  /* of its games; 0: another one for each */
    bool level_pace; /* on a clock it answers as late as a person would */
    int store_mode;  /* NotebookMode (notebook.h) */
} Options;

typedef struct Engine Engine;

/* What has to be done for a new value, before it counts: `wanted` are the options with it, `value` is the
 * text of an option that has no member. On failure everything is as before. */
typedef Status OptionChange(Engine *engine, const Options *wanted, TextView value);

typedef struct Option {
    Field field;
    OptionChange *change;       /* NULL: nothing has to be done */
    bool is_clamped;            /* a number outside the limits becomes the nearest inside */
    const char *const *choices; /* the values of a choice, up to NULL */
} Option;

enum { OPTION_TEXT_CAPACITY = 160 };

/* The rows of all options, from which `uci` lists them, `setoption` sets them and the man page describes
 * them. The search adds more in the LAB=1 build: its numbers under their names and its techniques as "Use
 * <name>". Those belong to the whole program, not to one Options. */
extern const Option ENGINE_OPTIONS[];

/* All with their standard values. */
Options options_standard(void);

/* The options of this build, those of the search included. */
int options_count(void);

/* The row of option `index`; NULL after the last one. */
const Option *options_row(int index);

/* The line that lists option `index` (below options_count) after `uci`: "option name Hash type spin default
 * 16 ...". */
void options_describe(int index, char out[OPTION_TEXT_CAPACITY]);

/* Sets one option, and reports in *change what has to be done (NULL: nothing). Its name is matched without
 * regard to case. An unknown name, and a value that is no number or outside the limits, is refused and
 * `*options` stays as it was; but a strength outside the limits becomes the nearest, for to refuse it would
 * mean full strength: the failure says which. */
Status options_set(Options *options, TextView name, TextView value, OptionChange **change);

/* The value of EvalFile that stands for the network inside the program; an empty value does too. */
#define EVAL_FILE_EMBEDDED "<embedded>"
/* The value of StoreFile that stands for no store, as an empty one does. */
#define STORE_FILE_EMPTY   "<empty>"
/* The value of SyzygyPath that stands for no tablebases, as an empty one does. */
#define SYZYGY_PATH_EMPTY  "<empty>"

/* --- the engine --- */

/* An engine at the initial position, with the standard options and an empty table. `listener` is copied;
 * NULL: nothing is reported. NULL, with the reason in *status, when memory or threads are refused. */
Engine *engine_create(const SearchListener *listener, Status *status);
void engine_destroy(Engine *engine); /* NULL is fine; a search still going is stopped first */

/* Sets an option; see options_set. An impossible value (a hash above the memory) leaves the old one. */
Status engine_set_option(Engine *engine, TextView name, TextView value);

/* For who must know before a search whether its store can be used: refuses values of StoreFile and StoreMode
 * with which it could not (notebook_check). Changes nothing. Others are accepted, also wrong ones. */
Status engine_check_store(const Engine *engine, TextView name, TextView value);
/* Evaluates with the network in these bytes, which are copied. On failure the old one stays. */
Status engine_load_network(Engine *engine, const void *bytes, size_t size);
const Options *engine_options(const Engine *engine);

/* Sets up a FEN (empty: the initial position) and plays moves in long algebraic notation, separated by white
 * space. On an error in either the old position stays, and the reason says what and where. */
Status engine_set_position(Engine *engine, TextView fen, TextView moves);
/* Sets up a position with its history. `recent` are the last move that led to it and the one before, where
 * known (else MOVE_NONE; NULL: neither is): a level looks at them. */
void engine_use_position(Engine *engine, const Position *pos, const Move recent[LEVEL_RECENT]);
const Position *engine_position(const Engine *engine);

/* Clears what earlier games have left in the table and the histories, and draws a level's next seed. The
 * position stays. */
void engine_new_game(Engine *engine);

/* The level at which the next search will play, with the seed of the game; NULL: full strength. Not while
 * searching. */
const Level *engine_level(Engine *engine);

/* Begins a search of the current position and returns at once. The options complete the limits. A clock given
 * for the other side only counts for both, and without any limit the search is infinite. Not while searching.
 * A search without a clock, pondering, slices and level is an analysis: it reads the store that StoreFile and
 * StoreMode name, and writes what it finds into it, up to the return of engine_wait. */
void engine_go(Engine *engine, const SearchLimits *limits);

/* Searches for one slice on the calling thread; see pool_slice. */
SliceEnd engine_slice(Engine *engine, const Slice *slice);

/* Ends the search soon; harmless without one. */
void engine_stop(Engine *engine);

/* The expected move was played: the clock runs from now. Without a clock or another limit, the search ends.
 */
void engine_ponderhit(Engine *engine);

/* Blocks until best_move has been reported and the engine is free again. */
void engine_wait(Engine *engine);

/* Why analyses did not use the store, or could not write it; good when nothing was wrong since the last call.
 * After engine_go and after engine_wait. */
Status engine_take_store_fault(Engine *engine);

/* Why the search that began last does without its store, because that failed before; good when it does not.
 * Who reports a fault once needs only the function above. */
Status engine_store_refusal(Engine *engine);

/* The path of the store that analyses begin with; NULL: none. */
const char *engine_store(const Engine *engine);

/* engine_wait, and closes the store: the last chance to learn that something could not be written. */
Status engine_close_store(Engine *engine);

/* The static evaluation of the current position, and what it is made of. */
Status engine_evaluate(const Engine *engine, Inspection *inspection);

/* The move of the table for a position, if its score is no upper bound, else MOVE_NONE. During a search too,
 * from its own thread. */
Move engine_known_move(const Engine *engine, const Position *pos);

/* The network in use. */
const Network *engine_network(const Engine *engine);

#endif
