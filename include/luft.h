/* Luft, a chess engine, as a library. Plain C; link with -lluft (see `pkg-config --libs luft`).
 *
 * An engine belongs to its creator: one thread at a time may call its functions; only luft_stop and
 * luft_ponderhit may come from any thread at any moment. Any number of engines may live in one program, each
 * with threads of its own. Nothing is printed, and no function ends the program.
 *
 * Errors are texts: a function that can fail returns NULL for success, else one English sentence. That text,
 * as all others that the library hands out, belongs to the engine and holds until the next call on it.
 * Strings are UTF-8. Moves are written as in UCI: "e2e4", "e7e8q"; castling is "e1g1", in Chess960 king takes
 * rook, "e1h1". Scores are centipawns from the point of view of the side to move.
 */
#ifndef LUFT_H
#define LUFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define LUFT_API
#else
#define LUFT_API __attribute__((visibility("default")))
#endif

/* Grows when a compiled program would no longer work; also in the name of the shared library. */
#define LUFT_ABI 0

typedef struct LuftEngine LuftEngine;

/* One line of play, at the end of an iteration or of a window. */
typedef struct LuftInfo {
    int depth, selective_depth;
    int rank;    /* of the line, from 1; above 1 only with the option MultiPV */
    int is_mate; /* whether `score` counts moves to mate instead of centipawns; negative: being mated */
    int score;
    int bound;           /* 0: exact; 1: at least `score`; -1: at most */
    int win, draw, loss; /* chances in permille */
    uint64_t nodes;
    int64_t time;     /* microseconds */
    int hash_full;    /* permille */
    const char *line; /* the moves, separated by blanks; holds during the callback */
} LuftInfo;

/* Called from a thread of the engine, never two at once, between luft_go and the return of luft_wait; of a
 * search in slices from within luft_slice and luft_wait. Callbacks must not call the engine, except for
 * luft_stop and luft_ponderhit. Any of them may be NULL. */
typedef struct LuftListener {
    void *context;
    void (*info)(void *context, const LuftInfo *info);
    /* The end of a search: "" when there is no legal move; `ponder`, the expected answer, may be "". */
    void (*best_move)(void *context, const char *best, const char *ponder);
    /* Asked about every 500 nodes of the searching thread: other than 0 stops the search, as luft_stop does.
     */
    int (*poll)(void *context);
} LuftListener;

/* What a search may spend. All zero: until luft_stop. Times in milliseconds; a negative one has run out, an
 * increment alone is a clock that stands at zero. */
typedef struct LuftLimits {
    int depth;
    uint64_t nodes;
    int64_t move_time;
    int64_t white_clock, black_clock; /* used when the side to move has one */
    int64_t white_increment, black_increment;
    int moves_to_go;
    int mate;      /* stop when a mate in N moves is found */
    int ponder;    /* the clock runs from luft_ponderhit */
    int in_slices; /* on one thread, the caller's, while it is in luft_slice or luft_wait. Always so where
                    * there are no threads (WebAssembly) */
} LuftLimits;

/* Where the library was built without a network (WebAssembly): the one with which engines and luft_bench
 * begin, in these bytes, which are copied. Once, before all else. False (0) when they are refused or there is
 * one already; the reason as from luft_create. */
LUFT_API int luft_provide_network(const void *bytes, size_t size, char *error, size_t capacity);

/* The version of the library: "0.2". Constant. */
LUFT_API const char *luft_version(void);

/* An engine at the initial position, with standard options. The listener is copied; NULL when nobody listens.
 * NULL on failure; the reason, cut to `capacity` bytes, is then in `error` (NULL with capacity 0). */
LUFT_API LuftEngine *luft_create(const LuftListener *listener, char *error, size_t capacity);

/* Stops a search that goes on and frees everything. NULL is fine. */
LUFT_API void luft_destroy(LuftEngine *engine);

/* Options are those of the UCI protocol. The line that describes number `index`, from 0, as after "uci"; NULL
 * past the last. */
LUFT_API const char *luft_option(LuftEngine *engine, int index);
LUFT_API const char *luft_set_option(LuftEngine *engine, const char *name, const char *value);

/* Evaluate with the network in these bytes, which are copied. A file is loaded by the option EvalFile. */
LUFT_API const char *luft_load_network(LuftEngine *engine, const void *bytes, size_t size);

/* A FEN (NULL or "": the initial position) and the moves played from it (NULL or "": none). On failure the
 * old position stays. */
LUFT_API const char *luft_set_position(LuftEngine *engine, const char *fen, const char *moves);

/* Forgets what earlier searches have taught. */
LUFT_API void luft_new_game(LuftEngine *engine);
/* --- questions about the position --- */

LUFT_API const char *luft_fen(LuftEngine *engine);

/* All legal moves, separated by blanks; "" when there is none. */
LUFT_API const char *luft_legal_moves(LuftEngine *engine);

/* A legal move in the notation of people, "Nf3"; NULL when it is not legal. */
LUFT_API const char *luft_san(LuftEngine *engine, const char *move);

/* The move that a person's text means ("Nf3", "O-O"); NULL when there is none or several. */
LUFT_API const char *luft_move_from_san(LuftEngine *engine, const char *san);

/* Whether the side to move is in check. */
LUFT_API int luft_in_check(LuftEngine *engine);

/* What the network says without a search. */
LUFT_API const char *luft_evaluate(LuftEngine *engine, int *centipawns);

/* --- searching --- */

/* Begins a search and returns at once; not while one goes on. */
LUFT_API void luft_go(LuftEngine *engine, const LuftLimits *limits);

/* What luft_slice left behind. */
enum {
    LUFT_FINISHED, /* best_move has been reported, or nothing is searched in slices */
    LUFT_PAUSED,   /* there is more to search */
    LUFT_HELD      /* there is not: best_move waits for luft_stop or luft_ponderhit */
};

/* Goes on with a search in slices for N milliseconds or nodes, whichever end first (0: no limit), and
 * returns one of the above. Slices of 50 milliseconds and more cost next to nothing; after a much shorter one
 * the way back to where it ended may take longer than it. */
LUFT_API int luft_slice(LuftEngine *engine, int64_t milliseconds, uint64_t nodes);

/* Asks for the end, which best_move reports soon. Harmless without a search. From any thread. */
LUFT_API void luft_stop(LuftEngine *engine);

/* The expected move was played. From any thread. */
LUFT_API void luft_ponderhit(LuftEngine *engine);

/* Blocks until best_move has been reported; returns that move, "" when there is none. */
LUFT_API const char *luft_wait(LuftEngine *engine);

/* --- judging moves --- */

/* Why a move (in UCI's notation or people's) is worse than the best one: *json is one JSON object, of which
 * docs/explain.md has the fields. Two searches of about `nodes` nodes each (0: the usual number), with a
 * table of their own; not during a search. Blocks; luft_stop ends it with what is known by then. */
LUFT_API const char *luft_explain(LuftEngine *engine, const char *move, uint64_t nodes, const char **json);

/* The tree of a search of the position to `depth` plies, in the same way. With names of techniques in
 * `without` ("null_move, futility") there is a second tree, of the search without them. At most `rows` nodes
 * and sums of a tree are told, those with most nodes (0: all); stopped: of the last finished iteration. */
LUFT_API const char *luft_tree(LuftEngine *engine, int depth, const char *without, int rows,
                               const char **json);

/* The name of technique `index` of the search, from 0; NULL past the last. *summary: what it does. */
LUFT_API const char *luft_technique(int index, const char **summary);

/* What a search of the position finds without techniques: *json is a line as `luft analyse --json` writes it.
 * One of `nodes` and `depth` may be 0: no limit. */
LUFT_API const char *luft_without(LuftEngine *engine, const char *techniques, uint64_t nodes, int depth,
                                  const char **json);

/* What is known of a move apart from scores; to be added. */
enum {
    LUFT_MOVE_BEST = 1,    /* the search before it would have played it */
    LUFT_MOVE_OBVIOUS = 2, /* it is the only legal move, or takes back */
    LUFT_MOVE_HIDDEN = 4   /* a shallow search would have played another */
};

typedef struct LuftVerdict {
    int nag;         /* PGN's number: 6 inaccuracy, 2 mistake, 4 blunder, 7 only move, 1 good move; 0: none */
    double loss;     /* of the expected score, which counts from 0 to 1 */
    double accuracy; /* of the move in percent */
} LuftVerdict;

/* Judges a move by the last exact lines of searches: `before` it; `second`, the line of rank 2 then (NULL:
 * not known); `after` it. A position without legal moves has no line: it is {.is_mate = 1} or {.draw = 1000}.
 * Any thread may call. */
LUFT_API void luft_judge(const LuftInfo *before, const LuftInfo *second, const LuftInfo *after, int flags,
                         LuftVerdict *verdict);

/* The accuracy of a side in percent, by the losses of its moves. */
LUFT_API double luft_accuracy(const double *losses, int count);

/* Searches 48 fixed positions to `depth` with the network inside the library; *nodes then is its signature.
 * Independent of any engine. False (0) when memory is refused or `depth` is below 1. */
LUFT_API int luft_bench(int depth, uint64_t *nodes);

#ifdef __cplusplus
}
#endif

#endif
