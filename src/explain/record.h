/* A recording of one traced search (search/trace.h): its nodes, what each rule did there, and sums over the
 * whole search. One thread records at a time; the recording is read when the search is over. */
#ifndef LUFT_EXPLAIN_RECORD_H
#define LUFT_EXPLAIN_RECORD_H

#include "base/text.h"
#include "search/limits.h"
#include "search/trace.h"

enum { RECORD_BYTES_MAX = 64 << 20, RECORD_NONE = -1 };

/* Some of the techniques. */
typedef uint64_t TechniqueSet;
_Static_assert(TECHNIQUE_COUNT <= 64, "each has a bit");
static inline TechniqueSet technique_bit(TechniqueId technique) { return UINT64_C(1) << technique; }

/* What a node was searched for. */
typedef enum Purpose {
    PURPOSE_MOVE,         /* a move of the node above, or the root */
    PURPOSE_RESEARCH,     /* the same move again, deeper or with a wider window */
    PURPOSE_NULL_MOVE,    /* what a pass is worth */
    PURPOSE_VERIFICATION, /* of a null move's cut: the same position again */
    PURPOSE_PROBCUT,      /* whether a capture beats beta by a margin */
    PURPOSE_SINGULAR,     /* the other moves of the same position */
    PURPOSE_RAZORING      /* quiescence in the same position */
} Purpose;

/* A node, in the order in which they began: those below it follow, up to `end`. */
typedef struct Visit {
    int parent;     /* RECORD_NONE: a root */
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

/* Source texts of what acts compared, of sums and of addends: one row for each place in the source. They live
 * forever. */
enum { RECORD_TEXTS_MAX = 128 };
typedef struct RecordText {
    const char *name;       /* of the number that a sum or an addend is; NULL of a condition */
    const char *expression; /* "true" where an act compares nothing */
    const char *names;      /* of its numbers, "eval, depth"; NULL: of an addend */
} RecordText;

/* An act of a rule in a visit. Its numbers are those of its condition in order, then those of the sum that
 * the condition names, then the addends of a reduction, each as two: its text, and how much. */
typedef struct RecordedAct {
    int visit;
    int first_number;
    Move move;        /* the node's move at that time; MOVE_NONE: before any */
    uint16_t skipped; /* moves that it skipped */
    uint8_t technique, effect;
    uint8_t text; /* its condition */
    uint8_t sum;  /* with sum_count > 0: the text of the sum */
    uint8_t count, sum_count, part_count;
} RecordedAct;

/* Sums over the whole search, whatever is recorded of it. */
typedef struct RecordTotals {
    uint64_t nodes;
    uint64_t acted[TECHNIQUE_COUNT][EFFECT_COUNT];
    uint64_t skipped[TECHNIQUE_COUNT];        /* moves */
    uint64_t tried[TECHNIQUE_COUNT];          /* nodes of its own searches */
    int64_t spared[TECHNIQUE_COUNT][MAX_PLY]; /* searches of that depth, less those that took their place */
    uint64_t searched[MAX_PLY],
        searched_nodes[MAX_PLY];   /* visits by depth that no technique cut, and their nodes */
    uint64_t reduced, researched;  /* moves: searched with less depth, and of these again */
    uint64_t visits, table_visits; /* all, and those that a table entry decided */
} RecordTotals;

/* What is recorded. All zero: everything. */
typedef struct RecordFilter {
    Move root_move; /* below the root, this move only */
    int plies;      /* visits at most this far from the root; 0: all */
    int depth;      /* visits of at least this depth; the acts of those above it stay */
    bool latest;    /* of the searches of the root only the last one, and the one before it */
} RecordFilter;

typedef struct Recording {
    RecordTotals totals;
    Visit *visit;
    int visit_count;
    RecordedAct *act;
    int act_count;
    int *number;
    int number_count;
    RecordText text[RECORD_TEXTS_MAX];
    int text_count;
    uint64_t dropped; /* visits and acts for which there was no room */
} Recording;

typedef struct Recorder Recorder;

/* Records with the search's own switches, at most `bytes` (RECORD_BYTES_MAX) at a time. NULL without memory.
 */
Recorder *recorder_create(size_t bytes);
void recorder_destroy(Recorder *recorder);

/* Forgets the last recording. `off`: the techniques to do without. */
void recorder_begin(Recorder *recorder, const RecordFilter *filter, TechniqueSet off);

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

/* The next visit right below `parent`, from `from` on; the parent's end when there is none. */
int recording_next_child(const Recording *recording, int parent, int from);

/* The visit of the move that goes on from a node: of the last searches of all moves the best one, the first
 * of equals. RECORD_NONE where a technique cut the node or no move was searched. */
int recording_best_child(const Recording *recording, int parent);

/* Nodes that the technique saved, by estimate: each search that it spared is worth as many nodes as the
 * searches of that depth took on average which no technique cut; its own searches are subtracted. */
double recording_saved(const RecordTotals *totals, TechniqueId technique);

/* Takes the next name off a list "a, b"; false at its end. */
bool record_next_name(TextView *names, TextView *name);

/* The number of that name in an act; false when it has none. */
bool recording_number(const Recording *recording, const RecordedAct *act, const char *name, int *number);

#endif
