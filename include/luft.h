/* Luft, a chess engine, as a library. Plain C; link with -lluft (see `pkg-config --libs luft`).
 *
 * A program may have any number of engines, each with its own threads. The library prints nothing and never
 * ends the program.
 *
 * What an engine is doing decides which calls work; docs/library.md shows the table. Questions (luft_fen to
 * luft_read) are answered at any time. What changes the engine, or searches, waits for nothing: it is refused
 * while a search or another call is running, and then nothing has changed. luft_stop and luft_ponderhit may
 * be called from any thread at any time before luft_destroy. All calls are refused after a fork, and with
 * NULL for the engine; luft_destroy(NULL) does nothing.
 *
 * Errors are texts: a function that can fail returns NULL on success, otherwise one English sentence. A
 * function that returns something else is refused with NULL or LUFT_REFUSED; luft_fault then has the
 * sentence. One that stores a text through a pointer stores NULL when it fails, unless the state refused it.
 * All texts that the library returns belong to the engine and are valid until the next call on it.
 * Strings are UTF-8. Moves are written as in UCI: "e2e4", "e7e8q"; castling is "e1g1", in Chess960 king takes
 * rook, "e1h1". They are read as in UCI, or in SAN as people type it: "Nf3", "O-O". Scores are centipawns
 * from the point of view of the side to move.
 */
#ifndef LUFT_H
#define LUFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(LUFT_EXPORTS)
#define LUFT_API __declspec(dllexport)
#elif defined(_WIN32)
#define LUFT_API
#else
#define LUFT_API __attribute__((visibility("default")))
#endif

/* Grows when compiled programs would no longer work. It is part of the shared library's name. */
#define LUFT_ABI 1

/* 10000 for each major and 100 for each minor version. */
#define LUFT_VERSION 200

/* The result of a function that returns a number, when it is refused. */
#define LUFT_REFUSED (-1)

typedef struct LuftEngine LuftEngine;

/* One line of play, reported at the end of an iteration or of an aspiration window. */
typedef struct LuftInfo {
    int depth, selective_depth;
    int rank;    /* of the line, from 1; above 1 only with the option MultiPV */
    int is_mate; /* `score` is the number of moves to mate, negative when being mated */
    int score;
    int bound;           /* 0: exact; 1: at least `score`; -1: at most */
    int win, draw, loss; /* chances in permille */
    uint64_t nodes;
    int64_t time;     /* microseconds */
    int hash_full;    /* permille */
    const char *line; /* the moves, separated by spaces; valid during the callback */
} LuftInfo;

/* Callbacks of a search. They run one at a time, on a thread of the engine, between luft_go and the return of
 * luft_wait; for a search in slices, inside luft_slice and luft_wait. They may steer the search
 * and ask questions; other calls on this engine are refused. Each may be NULL. */
typedef struct LuftListener {
    void *context;
    void (*info)(void *context, const LuftInfo *info);
    /* The search has ended. `best` is "" without a legal move; `ponder`, the expected reply, may be "". */
    void (*best_move)(void *context, const char *best, const char *ponder);
    /* Called about every 500 nodes. A result other than 0 stops the search, as luft_stop does. */
    int (*poll)(void *context);
} LuftListener;

/* The limits of a search. If all are zero, it runs until luft_stop. Times are in milliseconds. A clock below
 * zero has run out, and so has one at zero where another clock or an increment is given. */
typedef struct LuftLimits {
    int depth;
    uint64_t nodes; /* with the option Threads above 1 there may be some 10,000 more for each thread */
    int64_t move_time;
    int64_t white_clock, black_clock; /* the one of the side to move counts */
    int64_t white_increment, black_increment;
    int moves_to_go;
    int mate;      /* stop when a mate in at most N moves is found, or shown not to exist */
    int ponder;    /* the clock starts at luft_ponderhit */
    int in_slices; /* search on the caller's thread, inside luft_slice and luft_wait; without threads
                    * (WebAssembly) every search does. Such a search uses no store */
    const char *search_moves; /* the root moves to search, separated by spaces; NULL or "": all */
} LuftLimits;

/* Sets the default network of a library that was built without one (WebAssembly). The bytes are copied. Call
 * it once, before any other function. Returns 0 if the bytes are not a network or there is one already; the
 * reason is returned as by luft_create. */
LUFT_API int luft_provide_network(const void *bytes, size_t size, char *error, size_t capacity);

/* The version of the library, "0.2" ("0.2-dev" before its release), and as a number: LUFT_VERSION of the
 * header it was compiled with. */
LUFT_API const char *luft_version(void);
LUFT_API int luft_version_number(void);

/* Its LUFT_ABI. A program that loads the library at run time compares it with its own. */
LUFT_API int luft_abi(void);

/* Creates an engine at the initial position, with default options. The listener is copied; it may be NULL.
 * Returns NULL on failure; `error` then holds the reason, cut to `capacity` bytes. `error` may be NULL with
 * capacity 0. */
LUFT_API LuftEngine *luft_create(const LuftListener *listener, char *error, size_t capacity);

/* Stops a running search and frees everything: the pointer must not be used again. Refused while another
 * thread is in a call on the engine, luft_wait included. */
LUFT_API const char *luft_destroy(LuftEngine *engine);

/* Why the last call on the engine failed; NULL if it did not. */
LUFT_API const char *luft_fault(LuftEngine *engine);

/* The types of options. */
enum {
    LUFT_FLAG,   /* "true" or "false" */
    LUFT_NUMBER, /* a whole number from `low` to `high` */
    LUFT_TEXT,
    LUFT_BUTTON, /* has no value: to set it is to press it */
    LUFT_CHOICE  /* one of `choices` */
};

/* An option of the UCI protocol. The texts are constant. */
typedef struct LuftOption {
    const char *name, *help;
    const char *standard;       /* its value when nobody sets it */
    const char *const *choices; /* ends with NULL; NULL for other types */
    int type;
    int low, high;
} LuftOption;

/* Describes option `index`, from 0. Returns 0, and sets nothing, after the last one. Any thread may call. */
LUFT_API int luft_option(int index, LuftOption *option);

/* Sets an option; its name is matched without regard to case. To set an unknown one is an error.
 *
 * An opponent of limited strength: UCI_LimitStrength "true", UCI_Elo, and Level Seed for the same game again.
 * UCI_Elo outside its limits is an error, too, but becomes the nearest value. For a hint from full strength
 * set UCI_LimitStrength to "false" before the search. In slices a level does not keep a pace: the caller may.
 *
 * StoreFile and StoreMode are refused if the file is no store or cannot be written; it is made when StoreMode
 * is "write", and until StoreMode is "read" or "write" it need not exist. */
LUFT_API const char *luft_set_option(LuftEngine *engine, const char *name, const char *value);

/* Sets the network from bytes, which are copied. The option EvalFile loads a file. */
LUFT_API const char *luft_load_network(LuftEngine *engine, const void *bytes, size_t size);

/* Sets the position: a FEN (NULL or "": the initial position) and the moves played from it, without their
 * numbers (NULL or "": none). Only the board and the side to move must be right. Castling rights and an en
 * passant square that are unreadable or do not fit the board are dropped; counters that are no whole numbers
 * are 0 and 1, and fields that are missing "w - - 0 1". luft_fen returns what was read. On failure the old
 * position remains. */
LUFT_API const char *luft_set_position(LuftEngine *engine, const char *fen, const char *moves);

/* Makes a move, or takes back the last one, also of luft_set_position. On failure the position remains. */
LUFT_API const char *luft_make_move(LuftEngine *engine, const char *move);
LUFT_API const char *luft_take_back(LuftEngine *engine);

/* Clears what earlier searches have learned: hash table and histories. */
LUFT_API const char *luft_new_game(LuftEngine *engine);

/* --- questions about the position --- */

LUFT_API const char *luft_fen(LuftEngine *engine);

/* All legal moves, separated by spaces; "" if there are none. */
LUFT_API const char *luft_legal_moves(LuftEngine *engine);

/* A move in SAN, such as "Nf3", or the moves of a line from here; NULL if a move is not legal. */
LUFT_API const char *luft_san(LuftEngine *engine, const char *moves);

/* Reads a move in SAN as people type it ("Nf3", "O-O"), not in UCI; NULL if no move fits, or several do. */
LUFT_API const char *luft_move_from_san(LuftEngine *engine, const char *san);

/* Whether the side to move is in check: 0 or 1. */
LUFT_API int luft_in_check(LuftEngine *engine);

/* How the rules end the game in this position. luft_go searches it all the same. */
enum {
    LUFT_GOES_ON,
    LUFT_CHECKMATE, /* the side to move has lost; all that follow are draws */
    LUFT_STALEMATE,
    LUFT_REPETITION,   /* the position is on the board for the third time */
    LUFT_FIFTY_MOVES,  /* each side has made fifty moves without a capture or a pawn move */
    LUFT_DEAD_POSITION /* no sequence of legal moves can mate */
};
LUFT_API int luft_game_end(LuftEngine *engine);

/* The static evaluation, without a search. */
LUFT_API const char *luft_evaluate(LuftEngine *engine, int *centipawns);

/* --- games --- */

/* Reads the bytes of a file, in any encoding: games in PGN, or positions, a FEN or EPD a line. *json is
 *   {"games": [{"tags": [["White", "Anna"], ...], "fen": ..., "result": "1-0", "comments": [...],
 *               "line": [{"uci": "e2e4", "san": "e4", "nags": [1], "comments": [...],
 *                         "variations": [{"comments": [...], "line": [...]}, ...]}, ...],
 *               "problems": ["line 7, move 3. ...", ...]}, ...],
 *    "problems": [...], "lost": 0}
 * with at most `most` games (0: all). What cannot be read costs no more than itself: `problems` says what it
 * is, `lost` how often moves or games are missing for it. A position is a game without moves. Does not touch
 * the engine's position. */
LUFT_API const char *luft_read(LuftEngine *engine, const void *bytes, size_t size, int most,
                               const char **json);

/* --- searching --- */

/* Starts a search and returns immediately. Fails, and starts none, when `limits` is NULL, a limit other than
 * a clock is below zero, or a root move is not legal; then luft_wait returns "". */
LUFT_API const char *luft_go(LuftEngine *engine, const LuftLimits *limits);

/* Results of luft_slice. */
enum {
    LUFT_FINISHED, /* best_move has been reported, or no search in slices is running */
    LUFT_PAUSED,   /* there is more to search */
    LUFT_HELD      /* nothing is left to search; best_move waits for luft_stop or luft_ponderhit */
};

/* Continues a search in slices until the given milliseconds or nodes are spent (0 and less: no limit).
 * LUFT_REFUSED during a search that is not in slices. Slices of 50 milliseconds or more cost almost nothing;
 * much shorter ones are slow: each first has to find its way back to where the last one ended. */
LUFT_API int luft_slice(LuftEngine *engine, int64_t milliseconds, uint64_t nodes);

/* Ends the search; best_move is reported soon. Does nothing without a search. */
LUFT_API void luft_stop(LuftEngine *engine);

/* The opponent played the expected move. Does nothing without a search. */
LUFT_API void luft_ponderhit(LuftEngine *engine);

/* Waits until best_move has been reported, and returns the move; "" if there is none. Without a search it
 * returns that of the last one. A store that can no longer be used ends no search: luft_fault says so after
 * luft_wait, for each search that wanted it. */
LUFT_API const char *luft_wait(LuftEngine *engine);

/* --- judging moves --- */

/* Explains why a move is worse than the best one; without a move (NULL or "") what is going on in the
 * position. *json is set to a JSON object, described in docs/explain.md. Runs two searches of about `nodes`
 * nodes each (0: 400,000) with their own hash table, and where these do not answer clearly longer ones: up to
 * about 13 times `nodes` in all. Blocks; luft_stop ends it early with what has been found. */
LUFT_API const char *luft_explain(LuftEngine *engine, const char *move, uint64_t nodes, const char **json);

/* The tree of a search to `depth` plies as a JSON object; the rest is as for luft_explain. With names of
 * techniques in `without` ("null_move, futility") there is a second tree, searched without them ("all": all
 * of them; "+null_move": this one stays on); a name with a value, "futility_margin=60", sets a number of
 * src/search/params.def for it. A tree has at most `rows` nodes and sums, the largest ones (0: all).
 * luft_stop: the tree of the last finished iteration. */
LUFT_API const char *luft_tree(LuftEngine *engine, int depth, const char *without, int rows,
                               const char **json);

/* The name of technique `index` (from 0) of the search; NULL after the last. *summary: what it does. */
LUFT_API const char *luft_technique(int index, const char **summary);

/* What technique `index` does, in the language of the engine; NULL after the last. */
LUFT_API const char *luft_technique_summary(LuftEngine *engine, int index);

/* The language of explanations and trees: "en" (the default) or "de". Names of JSON fields and of techniques,
 * and errors, stay English. */
LUFT_API const char *luft_set_language(LuftEngine *engine, const char *code);

/* Searches without the named techniques, and with the numbers that are set, as in luft_tree. *json is set to
 * a line as `luft analyse --json` writes it. One of `nodes` and `depth` may be 0: no limit. */
LUFT_API const char *luft_without(LuftEngine *engine, const char *techniques, uint64_t nodes, int depth,
                                  const char **json);

/* Facts about a move that scores do not show; combine them with |. */
enum {
    LUFT_MOVE_BEST = 1,    /* it is the best move of the search before it */
    LUFT_MOVE_OBVIOUS = 2, /* it is the only legal move, or a recapture */
    LUFT_MOVE_HIDDEN = 4   /* a shallow search prefers another move */
};

typedef struct LuftVerdict {
    int nag;              /* PGN NAG: 6 inaccuracy, 2 mistake, 4 blunder, 7 only move, 1 good move; 0: none */
    double loss;          /* of expected score, 0 to 1 */
    double accuracy;      /* of the move in percent */
    double before, after; /* expected score (0 lost, 1 won) of the side that moved, by the lines given */
} LuftVerdict;

/* Judges a move by the last exact lines of searches: the best line `before` the move; `second`, the line of
 * rank 2 there (NULL: not known); and the best line `after` the move. For a position without legal moves pass
 * {.is_mate = 1} or {.draw = 1000}. Without one of them *verdict is all zero. Any thread may call it. */
LUFT_API void luft_judge(const LuftInfo *before, const LuftInfo *second, const LuftInfo *after, int flags,
                         LuftVerdict *verdict);

/* The accuracy of a side in percent, computed from the losses of its moves. */
LUFT_API double luft_accuracy(const double *losses, int count);

/* Searches 48 fixed positions to `depth` with the default network. *nodes is set to the signature of this
 * version. Needs no engine. Returns 0 if memory is exhausted or `depth` is below 1. */
LUFT_API int luft_bench(int depth, uint64_t *nodes);

#ifdef __cplusplus
}
#endif

#endif
