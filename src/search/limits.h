/* What one search may spend, and what it reports. Plain data: made by the caller, copied by the pool. */
#ifndef LUFT_SEARCH_LIMITS_H
#define LUFT_SEARCH_LIMITS_H

#include "chess/position.h"
#include "level/level.h"
#include "search/score.h"
#include "tb/syzygy.h"

#include <stdbool.h>
#include <stdint.h>

/* How a search uses tablebases. All zero: not at all. */
typedef struct TableUse {
    const Syzygy *tables; /* NULL: none */
    int pieces;           /* most pieces and pawns on the board, kings included */
    int depth;            /* plies that must be left to search, below the root */
    bool fifty_move_rule; /* cursed wins are draws */
} TableUse;

/* What is known of the root before the search, and who takes its results; see below. */
typedef struct SearchNotes SearchNotes;

/* All zero means: search without an end (like `infinite`, but bestmove comes when depth runs out). */
typedef struct SearchLimits {
    bool has_clock[COLOR_COUNT];    /* whether `clock` of that side was given */
    int64_t clock[COLOR_COUNT];     /* milliseconds left; zero and less are legal input */
    int64_t increment[COLOR_COUNT]; /* milliseconds a move */
    int moves_to_go;                /* moves to the next control; 0: none given */
    bool has_move_time;
    int64_t move_time;     /* milliseconds for this move */
    int depth;             /* plies; 0: no limit */
    uint64_t nodes;        /* hard limit; 0: none */
    uint64_t soft_nodes;   /* no new iteration is begun after it; 0: none (data generation) */
    int mate;              /* stop when a mate in N moves is found, or shown not to exist; 0: no */
    bool infinite;         /* hold bestmove until pool_stop */
    bool ponder;           /* hold bestmove until pool_stop or pool_ponderhit; the clock runs from the hit */
    bool in_slices;        /* on the owner's thread, while it is in pool_slice (or pool_wait) */
    int search_move_count; /* 0: all moves */
    Move search_moves[MAX_MOVES];
    int multi_pv;      /* lines wanted, at least 1 */
    int move_overhead; /* milliseconds lost on every move outside the search */
    int node_time;     /* nodes that count as a millisecond of the clock; 0: the clock measures time */
    bool analyse;      /* no opponent waits for a move: a single legal move does not end the search early */
    bool current_line; /* the listener's current_line is called now and then */
    TableUse tablebases;
    const Level *level;       /* NULL: full strength; it must stay in place until the search is over */
    const SearchNotes *notes; /* NULL: nothing is known, nobody asks; it must stay in place as well */
    int64_t start;            /* clock_microseconds() when the command was read */
} SearchLimits;

/* Whether the search ends by itself. A clock counts whichever side it is for: engine_go gives it to both. */
static inline bool limits_will_end(const SearchLimits *limits) {
    return limits->has_clock[WHITE] || limits->has_clock[BLACK] || limits->has_move_time ||
           limits->depth > 0 || limits->nodes > 0 || limits->soft_nodes > 0 || limits->mate > 0;
}

/* Microseconds for which a search reports the ends of iterations only. */
enum { QUIET_TIME = 3000000 };

/* How long a slice of a search may take. All zero: without an end. */
typedef struct Slice {
    int64_t time;   /* microseconds */
    uint64_t nodes; /* to about 500 */
} Slice;

typedef enum SliceEnd {
    SLICE_FINISHED, /* best_move has been reported, or nothing is searched in slices */
    SLICE_PAUSED,
    SLICE_HELD /* nothing is left to search: best_move is held until pool_stop or pool_ponderhit */
} SliceEnd;

typedef enum Bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

/* One principal variation at the end of an iteration (or of a window, when `bound` is not exact). */
typedef struct SearchInfo {
    int depth, selective_depth;
    int multi_pv; /* rank of this line, from 1 */
    int score;    /* internal units, side to move */
    Bound bound;
    uint64_t nodes;
    int64_t time;     /* microseconds */
    int hash_full;    /* permille */
    uint64_t tb_hits; /* positions that tablebases answered */
    int pv_length;
    Move pv[MAX_PLY];
} SearchInfo;

/* The search reports the known lines as those of the depth before `depth`, which it searches first. They are
 * used if there are as many as are wanted, and each begins with another move that is searched; and not where
 * tablebases rank the moves. */
struct SearchNotes {
    void *context;
    int depth; /* plies; 1 or less: nothing is known */
    int line_count;
    const SearchInfo *lines; /* best first: score, selective depth and moves count */
    /* Called from the main search thread: after the known lines are reported, before the first node; and with
     * each line of an iteration that is complete. Neither may be NULL. */
    void (*begin)(void *context);
    void (*take)(void *context, const SearchInfo *info);
};

/* Called from the main search thread, never two at once. Any of the functions may be NULL. */
typedef struct SearchListener {
    void *context;
    void (*info)(void *context, const SearchInfo *info);
    /* The root move now searched, from the fourth second on. `number` counts from 1. */
    void (*current_move)(void *context, int depth, Move move, int number);
    /* The moves from the root to the node that the main thread is at, every few hundred nodes, where
     * limits.current_line asks for them. */
    void (*current_line)(void *context, const Move *line, int length);
    /* No mate in N moves exists: shown for limits.mate by trying all moves. */
    void (*no_mate)(void *context, int moves);
    /* Whether to stop. Asked about every 500 nodes, and while best_move is held where there are no threads.
     */
    bool (*poll)(void *context);
    /* The end of the search: MOVE_NONE when there is no legal move; `ponder` may be MOVE_NONE. */
    void (*best_move)(void *context, Move best, Move ponder);
} SearchListener;

#endif
