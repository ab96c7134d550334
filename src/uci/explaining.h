/* The command `explain MOVE [depth N] [nodes N] [json]`: why a move of the position is worse than the best
 * one. It runs on a thread of its own, with a table and histories of its own: the game in progress is not
 * disturbed. */
#ifndef LUFT_UCI_EXPLAINING_H
#define LUFT_UCI_EXPLAINING_H

#include "base/sync.h"
#include "explain/explain.h"
#include "uci/output.h"
#include "uci/parse.h"

/* An explanation in progress. Start from {0}; must stay in place. */
typedef struct Explaining {
    Question question;
    void (*on_end)(void *context);
    void *context;
    Explainer *explainer; /* NULL: nothing is explained */
    Thread thread;
    Explanation found;
    Status status;
} Explaining;

/* Begins, and returns at once; when it is over, its thread calls `on_end`. The network must stay in place
 * until then. */
Status explaining_begin(Explaining *explaining, const Question *question, const Network *network,
                        void (*on_end)(void *context), void *context);

/* Ends it soon, with what is known by then; harmless when nothing is explained. */
void explaining_stop(Explaining *explaining);

/* Waits for the end and prints the answer as lines `info string ...`. */
void explaining_finish(Explaining *explaining, Output *output);

/* Prints the last line of every `explain`, refused ones too: the answer is complete. */
void explaining_print_end(Output *output);

#endif
