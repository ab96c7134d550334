/* The engine as a library: a position, options, a search pool; results come through callbacks, nothing is
 * printed. One owner calls these from one thread at a time; only engine_stop and engine_ponderhit may come
 * from any thread. The callbacks come from the search thread, between engine_go and the return of
 * engine_wait; meanwhile the position and the options must be left alone, but may be read by anyone. */
#ifndef LUFT_ENGINE_ENGINE_H
#define LUFT_ENGINE_ENGINE_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "engine/options.h"
#include "nnue/evaluate.h"
#include "search/limits.h"

/* The rows of all options. */
extern const Option ENGINE_OPTIONS[];

/* The value of EvalFile that stands for the network inside the program; an empty value does too. */
#define EVAL_FILE_EMBEDDED "<embedded>"
/* The value of SyzygyPath that stands for no tablebases, as an empty one does. */
#define SYZYGY_PATH_EMPTY  "<empty>"

/* An engine at the initial position, with the standard options and an empty table. `listener` is copied;
 * NULL: nothing is reported. NULL, with the reason in *status, when memory or threads are refused. */
Engine *engine_create(const SearchListener *listener, Status *status);
void engine_destroy(Engine *engine); /* NULL is fine; a search still going is stopped first */

/* Sets an option; see options_set. An impossible value (a hash above the memory) leaves the old one. */
Status engine_set_option(Engine *engine, TextView name, TextView value);
/* Evaluates with the network in these bytes, which are copied. On failure the old one stays. */
Status engine_load_network(Engine *engine, const void *bytes, size_t size);
const Options *engine_options(const Engine *engine);

/* Sets up a FEN (empty: the initial position) and plays moves in long algebraic notation, separated by white
 * space. On an error in either the old position stays, and the reason says what and where. */
Status engine_set_position(Engine *engine, TextView fen, TextView moves);
/* Sets up a position with its history. */
void engine_use_position(Engine *engine, const Position *pos);
const Position *engine_position(const Engine *engine);

/* Clears what earlier games have left in the table and the histories. The position stays. */
void engine_new_game(Engine *engine);

/* Begins a search of the current position and returns at once. The options complete the limits. A clock given
 * for the other side only counts for both, and without any limit the search is infinite. Not while searching.
 */
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

/* The static evaluation of the current position, and what it is made of. */
Status engine_evaluate(const Engine *engine, Inspection *inspection);

/* The move of the table for a position, if its score is no upper bound, else MOVE_NONE. During a search too,
 * from its own thread. */
Move engine_known_move(const Engine *engine, const Position *pos);

/* The network in use. */
const Network *engine_network(const Engine *engine);

#endif
