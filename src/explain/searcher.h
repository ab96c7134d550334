/* The searches for an explanation: one at a time, in a pool of their own, each with the lines that its
 * iterations found. One thread calls; only searcher_stop may come from any thread. */
#ifndef LUFT_EXPLAIN_SEARCHER_H
#define LUFT_EXPLAIN_SEARCHER_H

#include "explain/candidates.h"
#include "nnue/evaluate.h"
#include "record/recording.h"
#include "record/without.h"
#include "search/limits.h"

typedef struct Searcher Searcher;

/* NULL, with the reason in *status, without memory. `network` (NULL: the embedded one) must outlive it. */
Searcher *searcher_create(const Network *network, size_t hash, Status *status);
void searcher_destroy(Searcher *searcher);

/* Ends the search in progress soon, and each later one as soon as it begins. */
void searcher_stop(Searcher *searcher);
bool searcher_is_stopped(const Searcher *searcher);

/* Each search begins with what the store at `path` knows; nothing is written. The network must not be NULL
 * then: its rows are found by it. Fails without memory; whether the store can be used shows when it is
 * (searcher_take_store_fault). */
Status searcher_use_store(Searcher *searcher, const char *path);
Status searcher_take_store_fault(Searcher *searcher);

/* No search goes deeper than `depth` plies; 0, as at first: no such limit. */
void searcher_set_depth(Searcher *searcher, int depth);

/* Which moves of the root are searched: all, one, or all but one; those of its piece that are safe: nothing
 * can be won by captures where it goes. */
typedef enum MoveChoice { MOVES_ALL, MOVES_ONLY, MOVES_WITHOUT, MOVES_TO_SAFETY } MoveChoice;

/* Searches about `nodes` nodes. What was found is the searcher's until its next search; no line: nothing. */
const SearchInfo *searcher_search(Searcher *searcher, const Position *pos, MoveChoice choice, Move move,
                                  uint64_t nodes);

/* Searches all moves from an empty table, by the switches of `recorder`, which has begun; a limit of 0 is
 * none. */
const SearchInfo *searcher_record(Searcher *searcher, const Position *pos, Recorder *recorder, uint64_t nodes,
                                  int depth);

/* What is called after each iteration, from another thread than the caller's; NULL: nothing. */
typedef void SearcherIterates(void *context, const SearchInfo *info);
void searcher_on_iteration(Searcher *searcher, SearcherIterates *iterates, void *context);

/* Empties its table: what is found next does not depend on earlier searches. */
void searcher_forget(Searcher *searcher);

/* What the last search had found after `nodes` nodes: of no more than its last dozen iterations. */
Finding searcher_found_by(const Searcher *searcher, uint64_t nodes);

/* The same after the iteration of that depth. */
Finding searcher_found_at(const Searcher *searcher, int depth);

/* A move, and what a search says of it. */
typedef struct Branch {
    Move move;
    int score;        /* internal units, side to move */
    int score_before; /* of the iteration before the last */
    int depth;
    Line *line;             /* begins with the move; played out until captures rest */
    Candidates *candidates; /* the lines of the deeper iterations, this one last */
} Branch;

/* Reads the last search of `root` as a branch (`move` where it found none), and plays its line out by shorter
 * searches. False without memory. Release the branch. */
bool searcher_read(Searcher *searcher, const Position *root, Move move, uint64_t nodes, Branch *branch);
bool branch_copy(const Branch *branch, Branch *copy); /* false without memory */
void branch_release(Branch *branch);

static inline const Candidate *branch_candidate(const Branch *branch) {
    return &branch->candidates->line[branch->candidates->count - 1];
}

/* What a side threatens, proved by a pass: the other side leaves out its turn, and a search finds what it
 * costs. */
typedef struct Threat {
    Branch branch; /* begins with the threat, after the pass; its line is NULL where nobody could pass */
    int score;     /* of the pass, for the side that passes, in internal units */
    int mate;      /* moves to the mate that is threatened; 0: none */
    int settled;   /* the board of the line on which what is lost is complete; -1: nothing is lost by
                      LOSS_PLY, or the line begins with an even exchange */
    LineLoss loss; /* of the side that passes */
} Threat;

/* Passes in `pos` and searches about `nodes` nodes: the reply `only`, or MOVE_NONE: any. In check nobody can
 * pass. False without memory. Release the branch. */
bool searcher_find_threat(Searcher *searcher, const Position *pos, Move only, uint64_t nodes, Threat *threat);

static inline bool threat_is_real(const Threat *threat) { return threat->mate > 0 || threat->settled >= 0; }

/* Of all searches since this was last asked. */
uint64_t searcher_take_nodes(Searcher *searcher);

/* Whether a line or a threat found no memory since the last call. */
bool searcher_take_failure(Searcher *searcher);

/* What the network says of a board without a search: for the side to move, in internal units. */
int searcher_evaluate(Searcher *searcher, const Position *pos);

Finding finding_of(const SearchInfo *info);

#endif
