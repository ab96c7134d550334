/* The lines `info refutation d1h5 g6h5` of the protocol: for each root move that is not among the best, the
 * answer that the table holds for it; without one where it holds none. Printed at the end of an iteration,
 * five times a second at most, and for the last iteration always. From the search thread, but for
 * refutations_begin. */
#ifndef LUFT_UCI_REFUTATIONS_H
#define LUFT_UCI_REFUTATIONS_H

#include "engine/engine.h"
#include "uci/output.h"

typedef struct Refutations {
    const Engine *engine;
    Output *output;
    bool wanted; /* UCI_ShowRefutations */
    int move_count, line_count;
    Move moves[MAX_MOVES]; /* that are searched */
    Move best[MAX_MOVES];  /* the first moves of the lines of the iteration */
    bool due;              /* the iteration has not been printed */
    int64_t shown_at;      /* microseconds */
} Refutations;

/* A search with these limits begins. */
void refutations_begin(Refutations *refutations, const Engine *engine, const SearchLimits *limits,
                       Output *output);

void refutations_add(Refutations *refutations, const SearchInfo *info);

/* The search is over: prints what is due. */
void refutations_finish(Refutations *refutations);

#endif
