/* A recording of one traced search (search/trace.h): its nodes, what each rule did there, and sums over the
 * whole search. One thread records at a time; the recording is read when the search is over. */
#ifndef LUFT_RECORD_RECORDING_H
#define LUFT_RECORD_RECORDING_H

#include "search/limits.h"
#include "search/trace.h"

enum { RECORDING_BYTES_MAX = 64 << 20, VISIT_NONE = -1 };

/* Some of the techniques. */
typedef uint64_t TechniqueSet;
_Static_assert(TECHNIQUE_COUNT <= 64, "each has a bit");
static inline TechniqueSet technique_bit(TechniqueId technique) { return UINT64_C(1) << technique; }

/* In what a search differs from the one in play: techniques that are off, and numbers of params.def with
 * another value. All zero: in nothing. */
enum { CHANGES_MAX = 8 };
typedef struct NumberChange {
    int row; /* of params_rows */
    int value;
} NumberChange;
typedef struct SearchChanges {
    TechniqueSet off;
    int count;
    NumberChange number[CHANGES_MAX];
} SearchChanges;

/* What a node was searched for. */
typedef enum Purpose {
    PURPOSE_MOVE,         /* a move of the node above, or the root */
    PURPOSE_RE_SEARCH,    /* the same move again, deeper or with a wider window */
    PURPOSE_NULL_MOVE,    /* what a pass is worth */
    PURPOSE_VERIFICATION, /* of a null move's cut: the same position again */
    PURPOSE_PROBCUT,      /* whether a capture beats beta by a margin */
    PURPOSE_SINGULAR,     /* the other moves of the same position */
    PURPOSE_RAZORING      /* quiescence in the same position */
} Purpose;

/* A node, in the order in which they began: those below it follow, up to `end`. */
typedef struct Visit {
    int parent;     /* VISIT_NONE: a root */
    int end;        /* the first visit that is not below */
    int act;        /* its acts, and those of the visits below, begin here ... */
    int act_end;    /* ... and end here */
    uint32_t nodes; /* this one and all below */
    int16_t alpha, beta, score;
    int16_t number; /* of its move in the node above, from 1 */
    Move move; /* that led here; MOVE_NULL: a pass, MOVE_NONE: the position of the node above, or the root */
    uint8_t depth; /* plies; 0: quiescence */
    uint8_t ply;
    uint8_t iteration;
    uint8_t purpose;
    uint8_t ended_by; /* the technique that cut the node; TECHNIQUE_COUNT: none */
    bool pv_node;
    bool finished; /* else the search was stopped inside, and `score` means nothing */
} Visit;

/* An act of a rule in a visit, with its operands, the parts of a reduction last. */
typedef struct RecordedAct {
    int visit;
    int operand;      /* the first of them in the recording ... */
    uint16_t count;   /* ... and how many */
    uint16_t skipped; /* moves that it skipped */
    Move move;        /* the node's move at that time; MOVE_NONE: before any */
    uint8_t id;       /* ActId */
    uint8_t technique, effect;
} RecordedAct;

/* Acts of one technique with one effect in a node. */
enum { ACTS_NAMED = 3 };
typedef struct ActGroup {
    int act;   /* the first of them in the recording */
    int count; /* moves that were skipped; of other effects, times */
    int named; /* of the moves that they acted upon the first ones: */
    Move move[ACTS_NAMED];
} ActGroup;

/* Sums over the whole search, whatever is recorded of it. */
typedef struct RecordingTotals {
    uint64_t nodes;
    uint64_t acted[TECHNIQUE_COUNT][EFFECT_COUNT];
    uint64_t skipped[TECHNIQUE_COUNT];        /* moves */
    uint64_t tried[TECHNIQUE_COUNT];          /* nodes of its own searches */
    int64_t spared[TECHNIQUE_COUNT][MAX_PLY]; /* searches of that depth, less those that took their place */
    uint64_t searched[MAX_PLY],
        searched_nodes[MAX_PLY];             /* visits by depth that no technique cut, and their nodes */
    uint64_t reduced, re_searched;           /* moves: searched with less depth, and of these again */
    uint64_t visits, table_visits;           /* all, and those that a table entry decided */
    uint64_t failed_high, failed_high_first; /* nodes above quiescence: by a move, and by the first one */
} RecordingTotals;

/* What is recorded. All zero: everything. */
typedef struct RecordingFilter {
    Move root_move; /* below the root, this move only */
    int plies;      /* visits at most this far from the root; 0: all */
    bool latest;    /* only the last iteration that is finished, of its windows that missed the root alone */
} RecordingFilter;

typedef struct Recording {
    RecordingTotals totals;
    Visit *visit;
    int visit_count;
    RecordedAct *act;
    int act_count;
    Operand *operand;
    int operand_count;
    uint64_t dropped; /* visits and acts for which there was no room */
} Recording;

typedef struct Recorder Recorder;

/* Records with the search's own switches and numbers, at most `bytes` (RECORDING_BYTES_MAX) at a time. NULL
 * without memory.
 */
Recorder *recorder_create(size_t bytes);
void recorder_destroy(Recorder *recorder);

/* Forgets the last recording. `changes` (NULL: none): in what the next search differs. */
void recorder_begin(Recorder *recorder, const RecordingFilter *filter, const SearchChanges *changes);

/* For pool_trace. */
Tracer *recorder_tracer(Recorder *recorder);

/* Of the last search; belongs to the recorder. */
const Recording *recorder_recording(const Recorder *recorder);

/* The same for keeps; the recorder has none then. Release it. */
Recording recorder_take(Recorder *recorder);
void recording_release(Recording *recording);

/* What the visit's score says of the position. */
Bound visit_bound(const Visit *visit);

/* Whether it is a move of the node above, or that move again: not a test of a rule. */
bool visit_is_of_move(const Visit *visit);

/* The root of the last iteration that was finished, in its last window; VISIT_NONE when none was. */
int recording_last_root(const Recording *recording);

/* The first visit right below `visit`; the next one below the same; VISIT_NONE when there is none. */
int recording_child(const Recording *recording, int visit);
int recording_sibling(const Recording *recording, int visit);

/* The visit of the move that goes on from a node: of the last searches of all moves the best one, the first
 * of equals. VISIT_NONE where a technique cut the node or no move was searched. */
int recording_best_child(const Recording *recording, int parent);

/* An act joins its group; the first one begins it (count 0). */
void recording_group_act(const Recording *recording, ActGroup *group, int act);

/* Nodes that the technique saved, by estimate: each search that it spared is worth as many nodes as the
 * searches of that depth took on average which no technique cut; its own searches are subtracted. */
double recording_saved(const RecordingTotals *totals, TechniqueId technique);

/* "cuts", "null_move", "lower", "move again" and their like, as in docs/explain.md: names for programs. */
const char *effect_name(Effect effect);
const char *technique_name(TechniqueId technique);
const char *bound_name(Bound bound);
const char *purpose_name(Purpose purpose);

#endif
